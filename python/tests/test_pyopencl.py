# SPDX-License-Identifier: MIT
"""Arrays of pyopencl: the functions against those of numpy, on queues in and out of order, and the objects as in C."""
import ctypes
import gc

import numpy as np
import pytest

import dmm_cl
from dmm_cl import c, dlpack, objects
from test_numpy import HISTOGRAMS

cl = pytest.importorskip("pyopencl")
cl_array = pytest.importorskip("pyopencl.array")


@pytest.fixture(scope="module")
def context():
    return cl.Context([cl.get_platforms()[0].get_devices()[0]])


@pytest.fixture(params=["in order", "any order"])
def queue(request, context):
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE if request.param == "any order" else 0
    return cl.CommandQueue(context, properties=properties)


def host(array):
    """Returns an array of pyopencl, or a tuple of them, as numpy's."""
    if isinstance(array, tuple):
        return tuple(host(part) for part in array)
    return array.get() if isinstance(array, cl_array.Array) else array


RANDOM = np.random.default_rng(1)
KEYS = RANDOM.integers(0, 50, 1000)


@pytest.mark.parametrize("name", ["f4", "u4", "i8", "f8", "u1"])
def test_functions_agree_with_the_host(queue, name):
    keys = KEYS.astype(name)
    array, other = cl_array.to_device(queue, keys), cl_array.to_device(queue, keys[::3] * keys.dtype.type(2))
    calls = [lambda a, b: dmm_cl.sort(a), lambda a, b: dmm_cl.sort(a, descending=True), lambda a, b: dmm_cl.argsort(a),
             lambda a, b: dmm_cl.topk(a, 9), lambda a, b: dmm_cl.partition(a, 500),
             lambda a, b: dmm_cl.argpartition(a, 7),
             lambda a, b: dmm_cl.median(a), lambda a, b: dmm_cl.cumsum(a),
             lambda a, b: dmm_cl.unique(a, return_index=True, return_inverse=True, return_counts=True),
             lambda a, b: dmm_cl.union1d(a, b), lambda a, b: dmm_cl.intersect1d(a, b),
             lambda a, b: dmm_cl.setdiff1d(a, b),
             lambda a, b: dmm_cl.setxor1d(a, b), lambda a, b: dmm_cl.merge(dmm_cl.sort(a), dmm_cl.sort(b)),
             lambda a, b: dmm_cl.searchsorted(dmm_cl.sort(a), b, "right"), lambda a, b: dmm_cl.isin(a, b),
             lambda a, b: dmm_cl.lexsort([a, a]), lambda a, b: dmm_cl.permutation(a, 5),
             lambda a, b: dmm_cl.select(a, "x > 20"), lambda a, b: dmm_cl.select(a, "x > 20", return_positions=True),
             lambda a, b: dmm_cl.select(a, "x < 20"), lambda a, b: dmm_cl.flatnonzero(a),
             lambda a, b: dmm_cl.compress(np.arange(a.size) % 3 == 0, a),
             lambda a, b: dmm_cl.reduce(a, "max(a, b)" if name != "f4" else "fmax(a, b)", 0),
             lambda a, b: dmm_cl.nanargmax(a), lambda a, b: dmm_cl.diff(a),
             lambda a, b: dmm_cl.accumulate(a, "a > b ? a : b", 0),
             lambda a, b: dmm_cl.accumulate(a, "a > b ? a : b", 0, exclusive=True)]
    for place, call in enumerate(calls):
        found, wanted = host(call(array, other)), call(keys, keys[::3] * keys.dtype.type(2))
        for one, two in zip(*(part if isinstance(part, tuple) else (part,) for part in (found, wanted))):
            np.testing.assert_array_equal(one, two, err_msg="call %d" % place)
    np.testing.assert_array_equal(array.get(), keys)  # inputs stay as they were


def test_bins_rows_and_shapes(queue):
    labels = cl_array.to_device(queue, KEYS.astype(np.uint16))
    assert (dmm_cl.bincount(labels).get() == np.bincount(KEYS)).all()
    for items, *arguments in HISTOGRAMS:
        found, wanted = dmm_cl.histogram(cl_array.to_device(queue, items), *arguments), np.histogram(items, *arguments)
        np.testing.assert_array_equal(found[0].get(), wanted[0])
        np.testing.assert_array_equal(found[1], wanted[1])
    for bins in "auto", 70000:
        with pytest.raises(TypeError, match="dmm_cl.histogram: "):
            dmm_cl.histogram(labels, bins)
    rows = RANDOM.standard_normal((30, 20)).astype(np.float32)
    array = cl_array.to_device(queue, rows)
    for k in 0, 3, 20:
        for one, two in zip(dmm_cl.topk(array, k), dmm_cl.topk(rows, k)):
            np.testing.assert_array_equal(one.get(), two)
    np.testing.assert_array_equal(dmm_cl.cumsum(array, 1).get(), dmm_cl.cumsum(rows, 1))
    np.testing.assert_array_equal(dmm_cl.sort(array).get(), np.sort(rows))
    np.testing.assert_array_equal(dmm_cl.argsort(array).get(), np.argsort(rows, kind="stable"))
    np.testing.assert_array_equal(dmm_cl.sort(array, None).get(), np.sort(rows, None))
    np.testing.assert_array_equal(dmm_cl.sort(array, 0).get(), np.sort(rows, 0))
    np.testing.assert_array_equal(dmm_cl.argsort(array, 0).get(), np.argsort(rows, 0, kind="stable"))
    np.testing.assert_allclose(dmm_cl.cumsum(array, 0).get(), np.cumsum(rows, 0), rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(dmm_cl.reduce(array, "fmax(a, b)", "-INFINITY", 0).get(), rows.max(0))
    np.testing.assert_array_equal(dmm_cl.reduce(array, "fmax(a, b)", "-INFINITY", -1).get(), rows.max(1))
    with pytest.raises(TypeError, match="last axis"):
        dmm_cl.sort(cl_array.to_device(queue, rows.reshape(5, 6, 20)), 1)
    with pytest.raises(TypeError, match="C-contiguous"):
        dmm_cl.sort(cl_array.to_device(queue, np.asfortranarray(rows)))
    part = array[10:]  # begins within its buffer
    np.testing.assert_array_equal(dmm_cl.sort(part).get(), np.sort(rows[10:]))
    assert dmm_cl.sort(cl_array.empty(queue, 0, np.float32)).shape == (0,)
    dmm_cl.shuffle(array, 3)
    np.testing.assert_array_equal(array.get(), dmm_cl.permutation(rows, 3))


def test_hull_and_paths(queue):
    points = RANDOM.standard_normal((500, 2)).astype(np.float32)
    assert dmm_cl.convex_hull(cl_array.to_device(queue, points)).get().tolist() == dmm_cl.convex_hull(points).tolist()
    points[7, 1] = np.inf
    with pytest.raises(ValueError, match="point 7 is not finite"):
        dmm_cl.convex_hull(cl_array.to_device(queue, points))
    graph = np.arange(0, 301, 3), RANDOM.integers(0, 100, 300), RANDOM.random(300, np.float32)
    device = [cl_array.to_device(queue, part) for part in graph]
    for one, two in zip(dmm_cl.shortest_paths(device, 0, return_predecessors=True),
                        dmm_cl.shortest_paths(graph, 0, return_predecessors=True)):
        np.testing.assert_array_equal(one.get(), two)
    with pytest.raises(ValueError, match="source 1 is wrong"):
        dmm_cl.shortest_paths(device, [0, 100])


def test_zeros_and_nans(queue):
    keys = np.array([np.nan, -0.0, 1, 0.0, -np.nan, -1], np.float32)
    array = cl_array.to_device(queue, keys)
    np.testing.assert_array_equal(dmm_cl.unique(array).get(), np.unique(keys))
    queries = cl_array.to_device(queue, np.array([np.nan, -0.0, 0], np.float32))
    for side in ("left", "right"):
        np.testing.assert_array_equal(dmm_cl.searchsorted(dmm_cl.sort(array), queries, side).get(),
                                      np.searchsorted(np.sort(keys), queries.get(), side))


def test_what_is_enqueued_waits_for_events(context):
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
    keys = cl_array.to_device(queue, np.zeros(1000, np.uint32))
    gate = cl.UserEvent(context)
    source = KEYS.astype(np.uint32)
    keys.add_event(cl.enqueue_copy(queue, keys.base_data, source, is_blocking=False, wait_for=[gate]))
    found = dmm_cl.sort(keys)
    event = found.events[-1]
    assert event.command_execution_status != cl.command_execution_status.COMPLETE
    gate.set_status(cl.command_execution_status.COMPLETE)
    np.testing.assert_array_equal(found.get(), np.sort(source))


def test_objects_as_in_c(context, queue):
    ours = dmm_cl.Context(queue=queue)
    keys = KEYS.astype(np.float32)
    n = keys.size
    array = cl_array.to_device(queue, keys)
    sort = objects.Sort(ours, order={"type": c.DMM_F32, "descending": 1}, value_bytes=4, argsort=1)
    places = cl_array.empty(queue, n, np.uint32)
    temp = cl.Buffer(context, cl.mem_flags.READ_WRITE, sort.temp_bytes(n))
    event = sort.enqueue(queue, n, keys_in=array, keys_out=array, values_out=(places.base_data, 0), temp=temp)
    assert isinstance(event, cl.Event)
    event.wait()
    np.testing.assert_array_equal(places.get(), np.argsort(-keys, kind="stable"))
    with objects.Transpose(ours, item_bytes=4) as transpose:
        out = cl_array.empty(queue, n, np.float32)
        assert transpose.temp_bytes((20, 50, 1)) > 0
        transpose.enqueue(queue, (20, 50, 1), in_=array, out=out, wait_for=[event]).wait()
        np.testing.assert_array_equal(out.get().reshape(50, 20), array.get().reshape(20, 50).T)
    small = cl.Buffer(context, cl.mem_flags.READ_WRITE, 16)
    with pytest.raises(dmm_cl.Error, match="temp") as caught:
        sort.enqueue(queue, n, keys_in=array, keys_out=array, values_out=places, temp=small)
    assert caught.value.status == c.DMM_TEMP_TOO_SMALL
    with pytest.raises(TypeError, match="no field keys, but keys_in"):
        sort.enqueue(queue, n, keys=array)
    with pytest.raises(TypeError, match="takes 1 numbers"):
        sort.enqueue(queue, keys_in=array)
    with pytest.raises(dmm_cl.Error, match="dmm_scan: type: "):
        objects.Scan(ours, type=77)
    del sort, ours
    gc.collect()


def test_an_own_order(queue):
    ours = dmm_cl.Context(queue=queue)
    array = cl_array.to_device(queue, np.arange(10, dtype=np.uint32))
    by_rest = objects.Sort(ours, order=dict(type=c.DMM_U32, less="a % 3 < b % 3"))
    by_rest.enqueue(queue, 10, keys_in=array, keys_out=array).wait()
    assert array.get().tolist() == [0, 3, 6, 9, 1, 4, 7, 2, 5, 8]
    lines = []
    wrong = dmm_cl.Context(queue=queue, log=lines.append)
    with pytest.raises(dmm_cl.Error, match="no_such_name"):
        objects.Sort(wrong, order=dict(type=c.DMM_U32, less="no_such_name < b"))
    assert any("no_such_name" in line for line in lines)


def test_a_map(context, queue):
    ours = dmm_cl.Context(queue=queue)
    a, b = np.arange(1000, dtype=np.float32), np.arange(1000, 0, -1).astype(np.int16)
    x, y, total = cl_array.to_device(queue, a), cl_array.to_device(queue, b), cl_array.empty(queue, 1, np.float32)
    product = dict(item=dict(type=c.DMM_F32), y=dict(type=c.DMM_I16), further=1, expression="item * y")
    dot = objects.Reduce(ours, type=c.DMM_F32, map=product)
    dot.enqueue(queue, 1000, in_=x, further=[y], out=total).wait()
    np.testing.assert_allclose(total.get()[0], np.dot(a.astype(np.float64), b), rtol=1e-5)
    own = dict(combine="b ? b : a", identity="0")
    scan = objects.Scan(ours, type=c.DMM_U32, own=own, map=dict(expression="item % 3 ? 0 : item"))
    items = cl_array.to_device(queue, np.arange(10, dtype=np.uint32))
    scan.enqueue(queue, 10, in_=items, out=items).wait()
    assert items.get().tolist() == [0, 0, 0, 3, 3, 3, 6, 6, 6, 9]
    with pytest.raises(dmm_cl.Error, match="further.0."):
        dot.enqueue(queue, 1000, in_=x, out=total)


def test_facts_in_place_of_a_device(queue):
    ours, n = dmm_cl.Context(queue=queue), 10000
    fields = dict(order=dict(type=c.DMM_F32), argsort=1, value_bytes=4)
    recorded = dmm_cl.Context(facts=ours.device)
    assert objects.Sort(recorded, **fields).temp_bytes(n) == objects.Sort(ours, **fields).temp_bytes(n)
    planned = dmm_cl.Context(facts={"vendor": "NVIDIA", "units": 132, "sync_width": 32}, tuning="")
    assert planned.device.lanes.value == 32 and planned.device.units.value == 132
    sort = objects.Sort(planned, **fields)
    assert sort.temp_bytes(1 << 28) >= 8 << 28
    array = cl_array.to_device(queue, np.zeros(n, np.float32))
    with pytest.raises(dmm_cl.Error, match="dmm_sort: the dmm_context has facts and no device"):
        sort.enqueue(queue, n, keys_in=array, keys_out=array, values_out=array)
    with pytest.raises(dmm_cl.Error, match="facts: banks is 24, must be a power of two"):
        dmm_cl.Context(facts={"banks": 24})
    with pytest.raises(TypeError, match="facts: colour is none"):
        dmm_cl.Context(facts={"colour": 1})


def test_columns_are_lists(queue):
    n = 1000
    keys, values = np.arange(n) % 7, np.arange(n, dtype=np.uint64)
    first, second = (cl_array.to_device(queue, column.astype(np.uint8)) for column in (keys, values % 5))
    array, out = cl_array.to_device(queue, values), cl_array.zeros(queue, n, np.uint64)
    rows = cl_array.zeros(queue, n, np.uint32)
    ours = dmm_cl.Context(queue=queue)
    by_two = objects.Lexsort(ours, num_keys=2, num_values=1, value_bytes=[8],
                             keys=[dict(type=c.DMM_U8), dict(type=c.DMM_U8, descending=1)])
    by_two.enqueue(queue, n, keys_in=[first, second], values_in=[array], values_out=[out], rows_out=rows).wait()
    order = np.lexsort((-(values % 5).astype(int), keys))
    np.testing.assert_array_equal(rows.get(), order)
    np.testing.assert_array_equal(out.get(), values[order])
    objects.Take(ours, item_bytes=[8]).enqueue(queue, n, n, rows=rows, in_=[out], out=[array]).wait()
    np.testing.assert_array_equal(array.get(), values[order][order])


class Producer:
    """Offers an array of pyopencl by DLPack, and notes when it is released."""
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    released = 0

    def __init__(self, array, **changes):
        self.array, self.device = array, (4, 0)
        count = array.ndim
        self.shape = (ctypes.c_int64 * count)(*array.shape)
        self.strides = (ctypes.c_int64 * count)(*(stride // array.dtype.itemsize for stride in array.strides))
        kind = "iuf".find(array.dtype.kind) if array.dtype.kind != "b" else 6
        self.tensor = dlpack._Tensor(array.base_data.int_ptr, 4, 0, count, kind, 8 * array.dtype.itemsize, 1, self.shape,
                                     self.strides, array.offset)
        for name, value in changes.items():
            setattr(self.tensor, name, value)

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self):
        @ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
        def release(_capsule):
            self.released += 1
        self.release = release
        return Producer.new(ctypes.addressof(self.tensor), b"dltensor", ctypes.cast(release, ctypes.c_void_p))


def test_arrays_by_dlpack(context, queue):
    keys = KEYS.astype(np.float32).reshape(50, 20)
    array = cl_array.to_device(queue, keys)
    queue.finish()
    for part in array, array[10:], array[50:], array.view(np.uint16), array.reshape(1000):
        source = Producer(part)
        found = dmm_cl.from_dlpack(source, queue)
        assert found.dtype == part.dtype and found.shape == part.shape
        if part.size:
            assert found.base_data.int_ptr == array.base_data.int_ptr and source.released == 0
            np.testing.assert_array_equal(dmm_cl.sort(found, None).get(), np.sort(part.get(), None))
        del found
        gc.collect()
        assert source.released == 1
    with pytest.raises(TypeError, match="from_dlpack"):
        dmm_cl.sort(Producer(array))
    for wrong, text in ((Producer(array.T), "C-contiguous"), (Producer(array, lanes=4), "lanes"),
                        (Producer(array, code=4), "type 4"), (Producer(array, bits=4), "4 bits"),
                        (np.zeros(3), "no array in OpenCL memory"), (5, "no array in OpenCL memory")):
        with pytest.raises(TypeError, match="dmm_cl.from_dlpack: .*" + text):
            dmm_cl.from_dlpack(wrong, queue)
    with pytest.raises(ValueError, match="ends at byte 4004 of a buffer of 4000"):
        dmm_cl.from_dlpack(Producer(array, byte_offset=4), queue)
    with pytest.raises(TypeError, match="another OpenCL context"):
        dmm_cl.from_dlpack(Producer(array), cl.CommandQueue(cl.Context(context.devices)))


def test_contexts_that_differ(context, queue):
    other = cl.CommandQueue(cl.Context(context.devices))
    a, b = cl_array.to_device(queue, np.arange(4)), cl_array.to_device(other, np.arange(4))
    with pytest.raises(TypeError, match="different OpenCL contexts"):
        dmm_cl.merge(a, b)
    with pytest.raises(TypeError, match="no queue"):
        dmm_cl.sort(a.with_queue(None))
