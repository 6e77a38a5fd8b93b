# SPDX-License-Identifier: MIT
"""Compares every function with numpy, over types, shapes, axes and orders of memory."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import dmm_cl
from conftest import count

INTEGERS = ["?", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8"]
FLOATS = ["f2", "f4", "f8"]
TYPES = INTEGERS + FLOATS
QUIET = np.array(np.nan)


def items(dtype):
    """Returns a strategy of items with many ties, and every bit pattern but NaNs of other bits."""
    kind = np.dtype(dtype).kind
    if kind == "f":
        width = 8 * np.dtype(dtype).itemsize
        return st.one_of(st.sampled_from([0.0, -0.0, 1.0, np.inf, -np.inf, np.nan]),
                         st.floats(width=width, allow_nan=False))
    return st.one_of(hnp.from_dtype(np.dtype(dtype)), st.integers(0, 3).map(lambda value: np.dtype(dtype).type(value)))


def arrays(dtype, least_dims=1, most_dims=1, most=40):
    return hnp.arrays(dtype, hnp.array_shapes(min_dims=least_dims, max_dims=most_dims, min_side=0, max_side=most),
                      elements=items(dtype))


def memory(array, way):
    """Returns an equal array in another order of memory."""
    if way == "fortran":
        return np.asfortranarray(array)
    if way == "strided":
        wide = np.zeros(array.shape[:-1] + (2 * array.shape[-1],), array.dtype)
        wide[..., ::2] = array
        return wide[..., ::2]
    if way == "reversed":
        return array[..., ::-1].copy()[..., ::-1]
    if way == "read-only":
        array = array.copy()
        array.flags.writeable = False
    if way == "swapped":
        return array.astype(array.dtype.newbyteorder())
    return array


WAYS = st.sampled_from(["plain", "fortran", "strided", "reversed", "read-only", "swapped"])


def reference_argsort(array, axis, descending):
    """Returns a stable argsort; NaNs are last, descending too."""
    if not descending:
        return np.argsort(array, axis, kind="stable")
    if array.dtype.kind == "f":
        return np.argsort(-array.astype(np.float64), axis, kind="stable")
    flipped = ~array if array.dtype.kind != "b" else ~array.astype(bool)
    return np.argsort(flipped, axis, kind="stable")


def same(found, wanted):
    """Asserts equal values, shapes and types; NaNs are equal."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.shape == wanted.shape and found.dtype.newbyteorder("=") == wanted.dtype.newbyteorder("=")
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("dtype", TYPES)
def test_sort_and_argsort(dtype):
    @given(st.data())
    def run(data):
        count()
        array = data.draw(arrays(dtype, 1, 3, 8 if data.draw(st.booleans()) else 30))
        array = memory(array, data.draw(WAYS))
        before = array.copy()
        axis = data.draw(st.one_of(st.none(), st.integers(-array.ndim, array.ndim - 1)))
        descending = data.draw(st.booleans())
        flat, place = (array.ravel(), 0) if axis is None else (array, axis)
        wanted = reference_argsort(flat, place, descending)
        same(dmm_cl.argsort(array, axis, descending=descending), wanted)
        same(dmm_cl.sort(array, axis, descending=descending), np.take_along_axis(flat, wanted, place))
        np.testing.assert_array_equal(array, before)
    run()


def test_many_items():
    array = np.random.default_rng(1).standard_normal(70000).astype(np.float32)
    same(dmm_cl.sort(array), np.sort(array))
    same(dmm_cl.argsort(array), np.argsort(array, kind="stable"))
    same(dmm_cl.median(array), np.median(array))
    same(dmm_cl.topk(array, 10).values, np.sort(array)[:-11:-1])


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_nans_of_any_bits_are_last(dtype):
    bits = np.dtype("u%d" % np.dtype(dtype).itemsize)
    quiet = np.array(np.nan, dtype).view(bits)
    sign = bits.type(1) << bits.type(8 * bits.itemsize - 1)
    array = np.array([1, quiet | sign, 5, quiet + 1, sign], bits).view(dtype)
    for descending in (False, True):
        found = dmm_cl.sort(array, descending=descending)
        assert not np.isnan(found[:3]).any() and np.isnan(found[3:]).all()
    assert dmm_cl.searchsorted(dmm_cl.sort(array), array[1]) == 3
    assert dmm_cl.searchsorted(dmm_cl.sort(array), array[3], side="right") == 5
    assert dmm_cl.unique(array).size == 4


@pytest.mark.parametrize("dtype", TYPES)
def test_topk_partition_median(dtype):
    @given(st.data())
    def run(data):
        count()
        array = data.draw(arrays(dtype).filter(lambda found: found.size > 0))
        array = memory(array, data.draw(WAYS))
        n = array.size
        largest, k = data.draw(st.booleans()), data.draw(st.integers(0, n))
        order = reference_argsort(array, 0, largest)[:k]
        values, places = dmm_cl.topk(array, k, largest=largest)
        same(places, order)
        same(values, array[order])
        values, places = dmm_cl.topk(array, k, largest=largest, sorted=False)
        same(places, np.sort(order))
        kth = data.draw(st.one_of(st.integers(-n, n - 1), st.lists(st.integers(-n, n - 1), min_size=1, max_size=6)))
        whole = np.sort(array)
        for found in (dmm_cl.partition(array, kth), array[dmm_cl.argpartition(array, kth)]):
            same(np.sort(found), whole)
            for rank in np.atleast_1d(kth) % n:
                same(found[rank], whole[rank])
                same(np.sort(found[:rank]), whole[:rank])
        same(dmm_cl.median(array), np.median(array))
    run()


@pytest.mark.parametrize("dtype", ["u1", "i4", "f4"])
def test_rows(dtype):
    @given(st.data())
    def run(data):
        count()
        array = data.draw(arrays(dtype, 2, 3, 6).filter(lambda found: found.size > 0))
        axis = data.draw(st.integers(-array.ndim, array.ndim - 1))
        n = array.shape[axis]
        k = data.draw(st.integers(0, n))
        order = np.take(reference_argsort(array, axis, True), np.arange(k), axis)
        same(dmm_cl.topk(array, k, axis).indices, order)
        same(dmm_cl.topk(array, k, axis).values, np.take_along_axis(array, order, axis))
        kth = data.draw(st.integers(0, n - 1))
        same(np.take(dmm_cl.partition(array, kth, axis), kth, axis), np.take(np.sort(array, axis), kth, axis))
        with np.errstate(all="ignore"):
            same(dmm_cl.median(array, axis), np.median(array, axis))
            found, wanted = dmm_cl.cumsum(array, axis), np.cumsum(array, axis)
        assert found.dtype == wanted.dtype
        if dtype != "f4" or np.abs(np.nan_to_num(array)).max() < 1e6:
            np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-1 if dtype == "f4" else 0)
    run()


@pytest.mark.parametrize("dtype", TYPES)
def test_unique(dtype):
    @given(st.data())
    def run(data):
        count()
        array = memory(data.draw(arrays(dtype, 1, 2, 12)), data.draw(WAYS))
        wanted = np.unique(array, return_index=True, return_inverse=True, return_counts=True)
        found = dmm_cl.unique(array, return_index=True, return_inverse=True, return_counts=True)
        same(found[0], wanted[0])
        same(found[3], wanted[3])
        if not (array.dtype.kind == "f" and np.isnan(array).any()):  # numpy's index of NaNs differs by version
            same(found[1], wanted[1])
        same(found[2], wanted[2].reshape(array.shape))
        same(dmm_cl.unique(array), wanted[0])
        same(dmm_cl.unique(array, return_counts=True)[1], wanted[3])
    run()


@pytest.mark.parametrize("dtype", TYPES)
def test_sets_and_search(dtype):
    other = {"?": "u1", "u4": "i4", "i8": "f8", "f2": "f4"}.get(dtype, dtype)

    @given(st.data())
    def run(data):
        count()
        a, b = memory(data.draw(arrays(dtype)), data.draw(WAYS)), data.draw(arrays(other))
        nan = np.isnan(np.concatenate((a, b)).astype("f8")).any()
        if not nan:  # numpy does not join NaNs in operations on sets
            same(dmm_cl.union1d(a, b), np.union1d(a, b))
            same(dmm_cl.intersect1d(a, b), np.intersect1d(a, b))
            same(dmm_cl.setxor1d(a, b), np.setxor1d(a, b))
            np.testing.assert_array_equal(dmm_cl.setdiff1d(a, b), np.setdiff1d(a, b))
            same(dmm_cl.isin(a, b), np.isin(a, b))
            same(dmm_cl.isin(a, b, invert=True), np.isin(a, b, invert=True))
        keys, side = np.sort(a), data.draw(st.sampled_from(["left", "right"]))
        same(dmm_cl.searchsorted(keys, b, side), np.searchsorted(keys, b, side))
        sorter = np.argsort(a, kind="stable")
        same(dmm_cl.searchsorted(a, b, side, sorter=sorter), np.searchsorted(a, b, side, sorter))
        same(dmm_cl.merge(keys, np.sort(b)), np.sort(np.concatenate((a, b))))
    run()


@pytest.mark.parametrize("dtype", [name for name in TYPES if name not in ("f2",)])
def test_cumsum(dtype):
    elements = st.integers(0, 1) if dtype == "?" else st.integers(0, 100)

    shapes = hnp.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=30)

    @given(hnp.arrays(dtype, shapes, elements=elements), WAYS)
    def run(array, way):
        count()
        array = memory(array, way)
        same(dmm_cl.cumsum(array), np.cumsum(array))  # sums of small integers are exact in floats, too
        same(dmm_cl.cumsum(array, -1), np.cumsum(array, -1))
        same(dmm_cl.cumsum(array, dtype=np.float32), np.cumsum(array, dtype=np.float32))
    run()


@pytest.mark.parametrize("dtype", INTEGERS)
def test_bincount(dtype):
    elements = st.integers(0, 1 if dtype == "?" else 100)

    @given(hnp.arrays(dtype, st.integers(0, 60), elements=elements), st.integers(0, 300))
    def run(array, least):
        count()
        wanted = np.bincount(array.astype(np.int64), minlength=least)
        same(dmm_cl.bincount(array, minlength=least), wanted)
    run()
    if np.dtype(dtype).itemsize >= 4:
        array = np.array([70000, 3, 3, 70000, 0], dtype)
        same(dmm_cl.bincount(array), np.bincount(array.astype(np.int64)))


@pytest.mark.parametrize("dtype", ["u1", "i8", "f4", "f8"])
def test_histogram(dtype):
    @given(hnp.arrays(dtype, st.integers(0, 60), elements=st.integers(0, 100)), st.integers(1, 12),
           st.sampled_from([None, (10, 20), (0, 0)]))
    def run(array, bins, limits):
        count()
        found, wanted = dmm_cl.histogram(array, bins, limits), np.histogram(array, bins, limits)
        same(found[1], wanted[1])
        np.testing.assert_array_equal(found[0], wanted[0])
        np.testing.assert_array_equal(dmm_cl.histogram(array, [1, 5, 5, 50])[0], np.histogram(array, [1, 5, 5, 50])[0])
    run()


# Items, and what numpy.histogram takes after them: edges at the ends of a type, NaNs, many bins.
HISTOGRAMS = [(np.array([1, 255, 255, 254], "u1"), np.array([0, 255], "u1")),
              (np.array([1, 2, 5, 2**63 - 1]), np.array([0, 5, 2**63 - 1])),
              (np.array([np.inf, 0, np.nan, -0.0]), [-np.inf, 0, np.inf]), (np.array([1.0, 2, 3]), 5, (-1, 1)),
              (np.array([0.5, 1], "f4"), [0.5, 0.75, 1]), (np.zeros(0), 4), (np.arange(6).reshape(2, 3), 3)]


def test_histograms_at_the_ends():
    for arguments in HISTOGRAMS + [(np.arange(100000), 70000), (np.arange(50.0), "auto")]:
        found, wanted = dmm_cl.histogram(*arguments), np.histogram(*arguments)
        np.testing.assert_array_equal(found[0], wanted[0])
        same(found[1], wanted[1])


@given(st.lists(st.lists(st.integers(-3, 3), min_size=20, max_size=20), min_size=1, max_size=4))
def test_lexsort(keys):
    count()
    same(dmm_cl.lexsort(keys), np.lexsort(keys))
    mixed = [np.array(keys[0], "f4"), np.array(keys[-1], "i1")]
    same(dmm_cl.lexsort(mixed), np.lexsort(mixed))
    many = [np.array(keys[place % len(keys)]) // (1 + place % 3) for place in range(19)]
    same(dmm_cl.lexsort(many), np.lexsort(many))


@given(st.integers(0, 3000), st.integers(0, 2**64 - 1))
def test_permutation(n, seed):
    count()
    order = dmm_cl.permutation(n, seed)
    same(np.sort(order), np.arange(n))
    assert [dmm_cl.c.dmm_shuffle_index(seed, n, i) for i in range(min(n, 20))] == order[:20].tolist()
    for array in (np.arange(n, dtype="u2"), np.arange(n) * (1 + 2j), np.arange(3 * n, dtype="f4").reshape(n, 3)):
        same(dmm_cl.permutation(array, seed), array[order])
        dmm_cl.shuffle(array, seed)


def test_shuffle_in_place():
    array = np.arange(10)
    dmm_cl.shuffle(array, 7)
    same(array, dmm_cl.permutation(10, 7))
    array.flags.writeable = False
    for wrong in (array, np.arange(10)[::2], [1, 2]):
        with pytest.raises(TypeError, match="may be written"):
            dmm_cl.shuffle(wrong)
    assert (dmm_cl.permutation(1000) != dmm_cl.permutation(1000)).any()


def hull_reference(points):
    """Returns the vertices of the hull by Andrew's chains, in exact integers."""
    order = sorted(range(len(points)), key=lambda i: (points[i][0], points[i][1], i))
    order = [i for place, i in enumerate(order) if place == 0 or points[i] != points[order[place - 1]]]
    if len(order) < 2:
        return order

    def chain(indices):
        kept = []
        for i in indices:
            while len(kept) > 1:
                (ax, ay), (bx, by), (cx, cy) = points[kept[-2]], points[kept[-1]], points[i]
                if (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0:
                    break
                kept.pop()
            kept.append(i)
        return kept[:-1]
    return chain(order) + chain(order[::-1])


@given(st.lists(st.tuples(st.integers(-8, 8), st.integers(-8, 8)), max_size=40), st.sampled_from(["f4", "f8", "i2"]))
def test_convex_hull(points, dtype):
    count()
    array = np.array(points, dtype).reshape(-1, 2)
    assert dmm_cl.convex_hull(array).tolist() == hull_reference(points)


@given(st.integers(1, 12), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11), st.integers(0, 9)), max_size=40),
       st.sampled_from(["f4", "u4", "i8"]))
def test_shortest_paths(n, edges, dtype):
    count()
    edges = sorted((a % n, b % n, w) for a, b, w in edges)
    offsets = np.searchsorted([a for a, _, _ in edges], np.arange(n + 1)) if edges else np.zeros(n + 1, int)
    targets, weights = [b for _, b, _ in edges], np.array([w for _, _, w in edges], dtype)
    wanted = [0.0] + [float("inf")] * (n - 1)
    for _ in range(n):
        for a, b, w in edges:
            wanted[b] = min(wanted[b], wanted[a] + w)
    graph = (offsets, np.array(targets, int), weights)
    found, before = dmm_cl.shortest_paths(graph, 0, return_predecessors=True)
    infinity = np.inf if dtype == "f4" else 0xffffffff
    assert found.tolist() == [infinity if value == float("inf") else value for value in wanted]
    for vertex, parent in enumerate(before):
        assert parent == vertex if vertex == 0 else (parent == -1) == (wanted[vertex] == float("inf"))
    assert dmm_cl.shortest_paths(graph, list(range(n))).tolist() == [0] * n


def test_other_inputs():
    wanted = [1, 2, 3]
    assert dmm_cl.sort([3, 1, 2]).tolist() == wanted
    assert dmm_cl.sort(memoryview(bytes([3, 1, 2]))).tolist() == wanted
    assert dmm_cl.sort(np.array([3, 1, 2])[::-1]).tolist() == wanted

    class Producer:
        """Gives its items by DLPack alone."""
        array, device = np.array([3, 1, 2], "u4"), (1, 0)

        def __dlpack__(self, **how):
            return self.array.__dlpack__(**how)

        def __dlpack_device__(self):
            return self.device

    assert dmm_cl.sort(Producer()).tolist() == wanted
    Producer.device = 3, 0  # pinned by CUDA
    assert dmm_cl.sort(Producer()).tolist() == wanted
    for Producer.device in (2, 0), (4, 0):  # of CUDA, of OpenCL
        with pytest.raises(TypeError, match="not in host memory"):
            dmm_cl.sort(Producer())


LONGER = np.longdouble if np.dtype(np.longdouble).itemsize > 8 else np.clongdouble  # on Windows it is a double


@pytest.mark.parametrize("wrong", [np.zeros(3, complex), np.array(["a"]), np.array([None]), np.zeros(3, "M8[s]"),
                                   np.zeros(3, "m8[s]"), np.zeros(3, [("a", "i4")]), np.zeros(3, "S4"),
                                   np.zeros(3, LONGER), np.ma.masked_array([1, 2], [0, 1])])
def test_types_that_are_refused(wrong):
    for function in (dmm_cl.sort, dmm_cl.argsort, dmm_cl.unique, dmm_cl.median, dmm_cl.cumsum, dmm_cl.histogram,
                     lambda a: dmm_cl.topk(a, 1), lambda a: dmm_cl.partition(a, 0), lambda a: dmm_cl.merge(a, a),
                     lambda a: dmm_cl.searchsorted(a, a), lambda a: dmm_cl.union1d(a, a), lambda a: dmm_cl.isin(a, a),
                     lambda a: dmm_cl.lexsort([a]), dmm_cl.bincount,
                     lambda a: dmm_cl.convex_hull(a[:2].reshape(1, -1))):
        with pytest.raises((TypeError, ValueError), match="dmm_cl"):
            function(wrong)


def test_values_that_are_refused():
    zero = np.array(3)
    for function in (dmm_cl.sort, dmm_cl.argsort):
        with pytest.raises(ValueError):
            function(zero)
        with pytest.raises(ValueError):
            function(np.zeros(3), 1)
        assert function(zero, None).shape == (1,)
    for call, text in ((lambda: dmm_cl.topk([1, 2], 3), "k = 3"), (lambda: dmm_cl.topk(5, 0), "no axis -1"),
                       (lambda: dmm_cl.topk([1], 1, 1), "no axis 1"), (lambda: dmm_cl.median([1], 1), "no axis 1"),
                       (lambda: dmm_cl.partition([1, 2], 2), "kth must be"),
                       (lambda: dmm_cl.bincount([-1, 2]), "one is -1"),
                       (lambda: dmm_cl.bincount([[1]]), "one dimension"),
                       (lambda: dmm_cl.bincount([1], minlength=-1), "negative"),
                       (lambda: dmm_cl.searchsorted([1], [1], "middle"), "side"),
                       (lambda: dmm_cl.searchsorted([[1]], [1]), "one dimension"),
                       (lambda: dmm_cl.merge([[1]], [1]), "one dimension"), (lambda: dmm_cl.permutation(-1), "-1"),
                       (lambda: dmm_cl.permutation(3, -1), "seed"), (lambda: dmm_cl.convex_hull([1, 2]), "shape"),
                       (lambda: dmm_cl.convex_hull([[0, 0], [np.nan, 1]]), "point 1 is not finite"),
                       (lambda: dmm_cl.shortest_paths(([0, 1], [5], np.ones(1, "f4")), 0), "target 0 is wrong"),
                       (lambda: dmm_cl.shortest_paths(([0, 1], [0], -np.ones(1, "f4")), 0), "weight 0 is wrong"),
                       (lambda: dmm_cl.shortest_paths(([0, 1], [0], np.ones(1, "f4")), 7), "source 0 is wrong"),
                       (lambda: dmm_cl.lexsort([[1, 2], [1]]), "equal lengths")):
        with pytest.raises(ValueError, match=text):
            call()
    with pytest.raises(TypeError, match="dtype"):
        dmm_cl.cumsum(np.zeros(3, "?"), dtype=bool)
    with pytest.raises(TypeError, match="float64"):
        dmm_cl.shortest_paths(([0, 1], [0], np.ones(1)), 0)
    for sources in 0.5, [True, False], ["0"]:
        with pytest.raises(TypeError, match="sources must be integers"):
            dmm_cl.shortest_paths(([0, 0, 0], np.zeros(0, "u4"), np.ones(0, "f4")), sources)
    for function in dmm_cl.shuffle, dmm_cl.permutation:
        with pytest.raises(TypeError, match="integer"):
            function(np.arange(3), 1.5)
    with pytest.raises(TypeError, match="masked"):
        dmm_cl.permutation(np.ma.masked_array([1, 2], [0, 1]))
    with pytest.warns(RuntimeWarning):
        assert np.isnan(dmm_cl.median([]))


@pytest.mark.parametrize("dtype", TYPES)
def test_select_compress_and_flatnonzero(dtype):
    @given(hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=30), elements=items(dtype)),
           st.integers(0, 2**32 - 1), WAYS)
    def run(a, seed, way):
        count()
        a = memory(a, way) if a.ndim else a
        flags = np.random.default_rng(seed).integers(0, 2, a.shape).astype(bool)
        same(dmm_cl.compress(flags, a), np.extract(flags, a))
        few = flags.ravel()[:a.size // 2]
        same(dmm_cl.compress(few.view(np.uint8), a), a.ravel()[:a.size // 2][few])
        same(dmm_cl.flatnonzero(a), np.flatnonzero(a))
        if dtype != "f2":
            same(dmm_cl.select(a, "x > 0 || i % 7 == 3"), a.ravel()[(a.ravel() > 0) | (np.arange(a.size) % 7 == 3)])
        same(dmm_cl.select(a, "i >= 2", return_positions=True), np.arange(a.size)[2:])
    run()


@pytest.mark.parametrize("dtype", [name for name in TYPES if name != "f2"])
def test_reduce_and_accumulate(dtype):
    bits = dtype[0] != "f"
    combine, identity, operator = ("a ^ b", 0, np.bitwise_xor) if bits else ("fmin(a, b)", "INFINITY", np.fmin)

    @given(hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=30), elements=items(dtype)),
           WAYS)
    def run(a, way):
        count()
        a = memory(a, way) if a.ndim else a
        start = np.dtype(dtype).type(0 if bits else np.inf)
        same(dmm_cl.reduce(a, combine, identity), operator.reduce(a.ravel(), initial=start).astype(dtype))
        sums = operator.accumulate(a.ravel()) if a.size else a.ravel()
        same(dmm_cl.accumulate(a, combine, identity), operator(sums, start).astype(dtype))
        before = np.concatenate([[start], sums[:-1]]).astype(dtype)[:a.size]
        same(dmm_cl.accumulate(a, combine, identity, exclusive=True, exact=bits), operator(before, start).astype(dtype))
        for axis in range(-a.ndim, a.ndim):
            same(dmm_cl.reduce(a, combine, identity, axis), operator.reduce(a, axis, initial=start).astype(dtype))
            if a.size:
                same(dmm_cl.accumulate(a, combine, identity, axis),
                     operator(operator.accumulate(a, axis), start).astype(dtype))
    run()


def test_a_middle_axis():
    a = np.arange(2 * 3 * 4, dtype=np.int32).reshape(2, 3, 4) % 7
    for axis in range(-3, 3):
        same(dmm_cl.reduce(a, "a + b", 0, axis), a.sum(axis, dtype=np.int32))
        same(dmm_cl.accumulate(a, "a + b", 0, axis), a.cumsum(axis, dtype=np.int32))
        same(dmm_cl.sort(a, axis), np.sort(a, axis))
    with pytest.raises(ValueError, match="no axis 3"):
        dmm_cl.reduce(a, "a + b", 0, 3)


def test_sums_of_halves():
    a = np.random.default_rng(7).integers(-9, 9, (6, 501)).astype("f2") / np.float16(4)
    for axis in (None, 0, 1):  # exact in float32, and rounded once
        same(dmm_cl.cumsum(a, axis), np.cumsum(a, axis, dtype="f4").astype("f2"))
        same(dmm_cl.accumulate(a, "a + b", 0, axis), np.cumsum(a, axis, dtype="f4").astype("f2"))
        same(dmm_cl.reduce(a, "a + b", 0, axis), np.sum(a, axis, dtype="f4").astype("f2"))
    same(dmm_cl.cumsum(np.array([65504, 8, 8, 16, -np.inf, np.nan], "f2")),
         np.array([65504, 65504, np.inf, np.inf, -np.inf, np.nan], "f2"))


def test_operators_that_are_given():
    for name in ("u1", "i2", "i4", "u8", "f2", "f4", "f8"):
        a = (np.random.default_rng(6).integers(-90, 90, 3001)).astype("i4").astype(name)
        if a.dtype.kind == "f":
            a[[0, 17, 18]], a[40:43] = np.nan, [-0.0, 0.0, 6e-8]
        for items in (a, a[:1] if a.dtype.kind != "f" else a[1:2], a[5:].reshape(7, -1)):
            assert dmm_cl.nanargmin(items) == np.nanargmin(items)
            assert dmm_cl.nanargmax(items) == np.nanargmax(items)
            same(dmm_cl.diff(items), np.diff(items.ravel()))
    same(dmm_cl.diff(np.zeros(0, "f4")), np.zeros(0, "f4"))
    with pytest.raises(ValueError, match="of no items"):
        dmm_cl.nanargmin([])
    with pytest.raises(ValueError, match="all items are NaN"):
        dmm_cl.nanargmax(np.full(3, np.nan, "f2"))
    with pytest.raises(TypeError, match="bool"):
        dmm_cl.diff([True, False])


def test_an_order_of_matrices_is_kept():
    a = np.random.default_rng(5).integers(0, 2, 3001).astype(np.uint32)  # a and b differ: x -> 2x + item
    combine = "(a >> 16) * (b >> 16) << 16 | ((a & 0xffff) * (b >> 16) + (b & 0xffff) & 0xffff)"
    pairs = a | (3 << 16)
    found, multiplier, sums = dmm_cl.reduce(pairs, combine, "0x10000u"), 1, 0
    for item in a.tolist():
        multiplier, sums = multiplier * 3 & 0xffff, (sums * 3 + item) & 0xffff
    assert found == multiplier << 16 | sums


def test_expressions_that_are_wrong():
    with pytest.raises(dmm_cl.Error, match="select.where:") as caught:
        dmm_cl.select([1, 2], "x >")
    assert len(str(caught.value).splitlines()) < 6  # no lines of earlier calls
    with pytest.raises(dmm_cl.Error, match="operator.combine:"):
        dmm_cl.reduce([1, 2], "a +", 0)
    with pytest.raises(TypeError, match="condition must be bool"):
        dmm_cl.compress([1, 0], [1, 2])
    with pytest.raises(ValueError, match="3 flags, but 2 items"):
        dmm_cl.compress([True] * 3, [1, 2])


def test_texts_that_are_none():
    """C ends a text at a NUL, and takes a number for an address."""
    for wrong, error in ("x > 1\0 && x < 3", ValueError), (b"x\0", ValueError), (5, TypeError), (["x"], TypeError):
        with pytest.raises(error, match="dmm_cl: "):
            dmm_cl.select([1, 2], wrong)
    with pytest.raises(ValueError, match="NUL"):
        dmm_cl.reduce([1, 2], "a + b\0 * 2", 0)
    with pytest.raises(ValueError, match="NUL"):
        dmm_cl.reduce([1, 2], "a + b", "0\0 + 5")
    for wrong in dict(settings="form=cpu\0,banks=3"), dict(tuning="\0"), dict(cache="a\0b"), dict(device="cpu\0x"):
        with pytest.raises(ValueError, match="NUL"):
            dmm_cl.Context(**wrong)
