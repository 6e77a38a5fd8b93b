/* SPDX-License-Identifier: MIT */
/*
 * dmm in C++17: handles that free themselves, errors as exceptions, types from the template. A
 * program that includes this header is linked like a C program; it calls OpenCL where it uses
 * dmm::event or makes a context of a queue.
 *
 *     dmm::context ctx;                            of the best device
 *     std::vector<float> keys = ...;
 *     dmm::sort(ctx, keys);                        host arrays: waits, like all functions below
 *
 *     dmm::context ctx(queue);                     of the queue's context and device
 *     dmm::sort_desc<float> desc;
 *     dmm::object<dmm_sort> sort(ctx, desc);       once
 *     dmm_sort_args args = {};
 *     args.keys_in = args.keys_out = dmm::span(buffer);
 *     dmm::event sorted = sort.enqueue(queue, args, {filled}, n);
 *
 * Queues, buffers and events are OpenCL's handles or the objects of <CL/opencl.hpp>.
 */
#ifndef DMM_DMM_HPP
#define DMM_DMM_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <dmm/dmm.h>

namespace dmm
{

/* A call that failed: its status, and what dmm_error_text says of it. */
class error : public std::runtime_error
{
  public:
    explicit error(dmm_status status) : std::runtime_error(dmm_error_text(status)), code(status)
    {
    }
    dmm_status status() const noexcept
    {
        return code;
    }

  private:
    dmm_status code;
};

/* Throws an error unless the status is DMM_OK. */
inline void require(dmm_status status)
{
    if (status != DMM_OK)
        throw error(status);
}

namespace detail
{

template <class T> constexpr dmm_type type_of() noexcept
{
    static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8 && !std::is_same_v<T, bool>,
        "dmm has a type for integers of 1 to 8 bytes, float and double");
    if constexpr (std::is_floating_point_v<T>)
        return sizeof(T) == 4 ? DMM_F32 : DMM_F64;
    else if constexpr (std::is_signed_v<T>)
        return sizeof(T) == 1   ? DMM_I8
               : sizeof(T) == 2 ? DMM_I16
               : sizeof(T) == 4 ? DMM_I32
                                : DMM_I64;
    else
        return sizeof(T) == 1   ? DMM_U8
               : sizeof(T) == 2 ? DMM_U16
               : sizeof(T) == 4 ? DMM_U32
                                : DMM_U64;
}

/* Returns a handle of OpenCL: itself, or that of an object of opencl.hpp or of an event below. */
template <class T> T *raw(T *handle) noexcept
{
    return handle;
}
template <class T> auto raw(const T &object) noexcept -> std::decay_t<decltype(object())>
{
    return object();
}

template <class C>
using item_of = std::remove_reference_t<decltype(*std::data(std::declval<C &>()))>;

} // namespace detail

/* The dmm_type of T: DMM_F32 of float, DMM_U64 of std::uint64_t. */
template <class T> inline constexpr dmm_type type_of = detail::type_of<T>();

/* A region of a buffer: a cl_mem or a cl::Buffer, from offset_bytes on. */
template <class Buffer> dmm_span span(const Buffer &buffer, std::uint64_t offset_bytes = 0) noexcept
{
    dmm_span result = {};
    result.buffer = detail::raw(buffer);
    result.offset_bytes = offset_bytes;
    return result;
}

/* Owns an event. cl::Event(e.release()) takes it over. */
class event
{
  public:
    explicit event(cl_event owned = nullptr) noexcept : handle(owned)
    {
    }
    event(event &&other) noexcept : handle(other.release())
    {
    }
    event &operator=(event &&other) noexcept
    {
        std::swap(handle, other.handle);
        return *this;
    }
    ~event()
    {
        if (handle != nullptr)
            clReleaseEvent(handle);
    }
    void wait() const
    {
        if (handle != nullptr)
            require(clWaitForEvents(1, &handle));
    }
    cl_event operator()() const noexcept
    {
        return handle;
    }
    cl_event release() noexcept
    {
        return std::exchange(handle, nullptr);
    }

  private:
    cl_event handle;
};

namespace detail
{

struct any_event {
    cl_event handle;
    template <class Event> any_event(const Event &e) : handle(raw(e))
    {
    }
};

} // namespace detail

/* Events to wait for: {a, b} of any kind, or a vector of handles. */
class wait_list
{
  public:
    wait_list() = default;
    wait_list(std::initializer_list<detail::any_event> events)
    {
        for (const detail::any_event &e : events)
            handles.push_back(e.handle);
    }
    wait_list(std::vector<cl_event> events) : handles(std::move(events))
    {
    }
    cl_uint size() const noexcept
    {
        return static_cast<cl_uint>(handles.size());
    }
    const cl_event *data() const noexcept
    {
        return handles.empty() ? nullptr : handles.data();
    }

  private:
    std::vector<cl_event> handles;
};

/* Owns a dmm_context. */
class context
{
  public:
    explicit context(const dmm_context_desc &desc = dmm_context_desc{})
    {
        create(desc);
    }
    /* Creates a context of the queue's context and device. */
    template <class Queue, class = decltype(detail::raw(std::declval<const Queue &>()))>
    explicit context(const Queue &queue, dmm_context_desc desc = dmm_context_desc{})
    {
        cl_command_queue q = detail::raw(queue);
        require(clGetCommandQueueInfo(
            q, CL_QUEUE_CONTEXT, sizeof desc.context, &desc.context, nullptr));
        require(
            clGetCommandQueueInfo(q, CL_QUEUE_DEVICE, sizeof desc.device, &desc.device, nullptr));
        create(desc);
    }
    dmm_context *get() const noexcept
    {
        return handle.get();
    }
    operator dmm_context *() const noexcept
    {
        return get();
    }

  private:
    void create(const dmm_context_desc &desc)
    {
        dmm_context *made = nullptr;
        require(dmm_context_create(&made, &desc));
        handle.reset(made);
    }
    struct freed {
        void operator()(dmm_context *ctx) const noexcept
        {
            dmm_context_free(ctx);
        }
    };
    std::unique_ptr<dmm_context, freed> handle;
};

/* The functions and structs of a primitive. */
template <class Primitive> struct traits;

/* Every primitive: a test compares this list with the library's. */
#define DMM_HPP_PRIMITIVES(ROW) \
    ROW(scan)                   \
    ROW(histogram)              \
    ROW(reduce)                 \
    ROW(scan_by_key)            \
    ROW(reduce_by_key)          \
    ROW(merge)                  \
    ROW(merge_many)             \
    ROW(set)                    \
    ROW(sort)                   \
    ROW(sort_segmented)         \
    ROW(topk)                   \
    ROW(topk_segmented)         \
    ROW(scan_segmented)         \
    ROW(reduce_segmented)       \
    ROW(axis)                   \
    ROW(nth)                    \
    ROW(unique)                 \
    ROW(run_length)             \
    ROW(select)                 \
    ROW(search)                 \
    ROW(layout)                 \
    ROW(network)                \
    ROW(partition)              \
    ROW(shuffle)                \
    ROW(permute)                \
    ROW(take)                   \
    ROW(lexsort)                \
    ROW(permutation_plan)       \
    ROW(transpose)              \
    ROW(hull)                   \
    ROW(heap)                   \
    ROW(paths)

#define DMM_HPP_TRAITS(word)                                        \
    template <> struct traits<dmm_##word> {                         \
        using desc = dmm_##word##_desc;                             \
        using args = dmm_##word##_args;                             \
        static constexpr auto create = dmm_##word##_create;         \
        static constexpr auto enqueue = dmm_##word##_enqueue;       \
        static constexpr auto temp_bytes = dmm_##word##_temp_bytes; \
        static constexpr auto free = dmm_##word##_free;             \
    };
DMM_HPP_PRIMITIVES(DMM_HPP_TRAITS)
#undef DMM_HPP_TRAITS

/* Owns an object: dmm::object<dmm_sort>. For one thread at a time, like the object itself. */
template <class Primitive> class object
{
  public:
    using desc = typename traits<Primitive>::desc;
    using args = typename traits<Primitive>::args;
    object(dmm_context *ctx, const desc &of)
    {
        Primitive *made = nullptr;
        require(traits<Primitive>::create(&made, ctx, &of));
        handle.reset(made);
    }
    Primitive *get() const noexcept
    {
        return handle.get();
    }
    /* Bytes of temp for a call of these sizes. */
    template <class... Sizes> std::uint64_t temp_bytes(Sizes... sizes) const
    {
        std::uint64_t bytes = 0;
        require(traits<Primitive>::temp_bytes(&bytes, handle.get(), sizes...));
        return bytes;
    }
    /* Enqueues a call behind the events of `wait`; the sizes are those of the C function. */
    template <class Queue, class... Sizes>
    event enqueue(const Queue &queue, const args &of, const wait_list &wait, Sizes... sizes) const
    {
        cl_event done = nullptr;
        require(traits<Primitive>::enqueue(
            handle.get(), detail::raw(queue), &of, sizes..., wait.size(), wait.data(), &done));
        return event(done);
    }

  private:
    struct freed {
        void operator()(Primitive *of) const noexcept
        {
            traits<Primitive>::free(of);
        }
    };
    std::unique_ptr<Primitive, freed> handle;
};

/* A dmm_sort_desc of keys of type T and, optionally, values of type V. */
template <class T, class V = void> struct sort_desc : dmm_sort_desc {
    sort_desc() : dmm_sort_desc()
    {
        order.type = type_of<T>;
        if constexpr (!std::is_void_v<V>)
            value_bytes = sizeof(V);
    }
};

/* Enqueues a sort in place of the n keys of type T in a buffer; allocates temp of its own. */
template <class T, class Queue, class Buffer>
event enqueue_sort(dmm_context *ctx, const Queue &queue, const Buffer &keys, std::uint64_t n,
    const wait_list &wait = {})
{
    dmm_sort_args args = {};
    args.keys_in = args.keys_out = span(keys);
    return object<dmm_sort>(ctx, sort_desc<T>()).enqueue(queue, args, wait, n);
}

/*
 * Host arrays: anything that has std::data and std::size, such as std::vector, std::array,
 * std::span and arrays. The functions wait.
 */

/* Sorts in place, stably; floats as <dmm/types.h> says. */
template <class Keys> void sort(dmm_context *ctx, Keys &&keys)
{
    const sort_desc<detail::item_of<Keys>> desc;
    require(dmm_sort_host(ctx, &desc, std::data(keys), nullptr, std::size(keys)));
}

/* Sorts keys with a value each, of any trivially copyable type of at most 256 bytes. */
template <class Keys, class Values> void sort_pairs(dmm_context *ctx, Keys &&keys, Values &&values)
{
    using value = detail::item_of<Values>;
    static_assert(std::is_trivially_copyable_v<value> && sizeof(value) <= 256);
    const sort_desc<detail::item_of<Keys>, value> desc;
    if (std::size(keys) != std::size(values))
        throw std::invalid_argument("dmm::sort_pairs: as many values as keys are needed");
    require(dmm_sort_host(ctx, &desc, std::data(keys), std::data(values), std::size(keys)));
}

/* Sorts the items between two contiguous iterators, such as those of std::vector. */
template <class Iterator, class = typename std::iterator_traits<Iterator>::iterator_category>
void sort(dmm_context *ctx, Iterator first, Iterator last)
{
    const sort_desc<typename std::iterator_traits<Iterator>::value_type> desc;
    if (first != last)
        require(dmm_sort_host(
            ctx, &desc, std::addressof(*first), nullptr, static_cast<std::size_t>(last - first)));
}

/* Returns the k smallest keys, or with `largest` the k largest, in order. */
template <class Keys> auto topk(dmm_context *ctx, const Keys &keys, std::size_t k, bool largest)
{
    using key = std::remove_const_t<detail::item_of<const Keys>>;
    std::vector<key> result(k < std::size(keys) ? k : std::size(keys));
    dmm_topk_desc desc = {};
    desc.order.type = type_of<key>;
    desc.order.descending = largest;
    require(dmm_topk_host(
        ctx, &desc, std::data(keys), nullptr, std::size(keys), k, result.data(), nullptr));
    return result;
}

/* Returns the sum, maximum or minimum. */
template <class Items>
auto reduce(dmm_context *ctx, const Items &items, dmm_scan_op op = DMM_SCAN_SUM)
{
    using item = std::remove_const_t<detail::item_of<const Items>>;
    item result = {};
    dmm_reduce_desc desc = {};
    desc.type = type_of<item>;
    desc.op = op;
    require(dmm_reduce_host(ctx, &desc, std::data(items), std::size(items), &result));
    return result;
}

/* Prefix sums, maxima or minima in place. */
template <class Items>
void scan(dmm_context *ctx, Items &&items, bool exclusive = false, dmm_scan_op op = DMM_SCAN_SUM)
{
    dmm_scan_desc desc = {};
    desc.type = type_of<detail::item_of<Items>>;
    desc.op = op;
    desc.exclusive = exclusive;
    require(dmm_scan_host(ctx, &desc, std::data(items), std::size(items)));
}

} // namespace dmm

#endif
