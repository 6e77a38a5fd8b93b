# SPDX-License-Identifier: MIT
"""Work-group collectives in kernels of pyopencl, against numpy."""
import numpy as np
import pytest

import dmm_cl

cl = pytest.importorskip("pyopencl")
cl_array = pytest.importorskip("pyopencl.array")

U, E = 32, 4
T = U * E
SHAPE = dict(u=U, E=E, banks=32)
RANDOM = np.random.default_rng(2)
HEAD = """kernel __attribute__((reqd_work_group_size(%d, 1, 1)))
void f(global const uint *in, global const uint *more, global uint *out)
{
    local x_room_word room[X_ROOM_WORDS];
    uint r[%d], digit[%d];
    const uint t = get_local_id(0);
""" % (U, E, E)


@pytest.fixture(scope="module")
def queue():
    return cl.CommandQueue(cl.Context([cl.get_platforms()[0].get_devices()[0]]))


def run(queue, text, body, given, more):
    """Returns what a kernel of one group with this body writes."""
    program = cl.Program(queue.context, text + HEAD + body + "}").build(["-cl-std=CL1.2"])
    arrays = [cl_array.to_device(queue, np.ascontiguousarray(array, np.uint32)) for array in (given, more)]
    out = cl_array.zeros(queue, T + 1, np.uint32)
    program.f(queue, (U,), (U,), arrays[0].data, arrays[1].data, out.data)
    return out.get()


def test_ranks_are_those_of_a_stable_sort(queue):
    keys = RANDOM.integers(0, 1000, T)
    out = run(queue, dmm_cl.group_source("radix", "x", bins=8, **SHAPE), """
    x_load(r, in, %d, 0, room);
    for (uint j = 0; j < %d; j++)
        digit[j] = r[j] & 7;
    x_rank(r, digit, room);
    x_store(out, r, %d, room);
""" % (T, E, T), keys, [0])
    np.testing.assert_array_equal(out[:T], np.argsort(np.argsort(keys & 7, kind="stable"), kind="stable"))


def test_sums_are_those_of_numpy(queue):
    keys = RANDOM.integers(0, 1 << 20, T)
    out = run(queue, dmm_cl.group_source("items", "x", combine="a + b", identity=0, **SHAPE), """
    x_load(r, in, %d, 0, room);
    out[%d] = x_scan_inclusive(r, room);
    x_store(out, r, %d, room);
""" % (T, T, T), keys, [0])
    np.testing.assert_array_equal(out, np.append(np.cumsum(keys), keys.sum()))


def test_sets_are_those_of_numpy(queue):
    first, second = np.unique(RANDOM.integers(0, 99, 50)), np.unique(RANDOM.integers(0, 99, 70))
    out = run(queue, dmm_cl.group_source("sort", "x", positions=1, **SHAPE), """
    const uint n = x_set_intersection(r, in, %d, more, %d, room);
    x_store_stripes(out, r, n);
    out[%d] = n;
""" % (first.size, second.size, T), first, second)
    np.testing.assert_array_equal(out[:out[T]], np.intersect1d(first, second))


def test_a_plan_permutes(queue):
    index = RANDOM.permutation(T)
    out = run(queue, dmm_cl.group_source("items", "x", columns=E, **SHAPE), """
    x_load_stripes(r, in, %d, 0);
    x_permute(r, more, room);
    x_transpose(r, room);
    x_store_stripes(out, r, %d);
""" % (T, T), np.arange(T), dmm_cl.group_moves(index, **SHAPE))
    wanted = np.empty(T, np.uint32)
    wanted[index] = np.arange(T)
    np.testing.assert_array_equal(out[:T], wanted.reshape(-1, E).T.ravel())


def test_mistakes_name_the_field():
    for call, text in ((lambda: dmm_cl.group_source("sort", "x", u=48), "u:"),
                       (lambda: dmm_cl.group_source("sort", "X"), "name"),
                       (lambda: dmm_cl.group_source("tree", "x"), "kind"),
                       (lambda: dmm_cl.group_source("sort", "x", np.complex64), "type"),
                       (lambda: dmm_cl.group_source("sort", "x", v=4), "no field v"),
                       (lambda: dmm_cl.group_moves(np.arange(7)), "2048"),
                       (lambda: dmm_cl.group_moves(np.zeros(2048)), "dmm_group_moves")):
        with pytest.raises((dmm_cl.Error, TypeError, ValueError), match=text):
            call()


def test_text_of_a_sub_group_names_its_functions():
    text = dmm_cl.group_source("lanes", "wave", np.float32, u=32, E=4, combine="a + b", identity=0)
    assert all("wave_%s(" % name in text for name in ("load", "sort", "reduce", "places", "rank"))
    assert "dmm_" not in text and "room" not in text
    with pytest.raises(dmm_cl.Error):
        dmm_cl.group_source("lanes", "wave", u=128)
