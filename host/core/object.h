/* SPDX-License-Identifier: MIT */
/*
 * The frame of all primitives. A primitive is one row, a dmm_class: its sizes, its init, the spans
 * of a call, the regions of its temp, and its steps. The functions below turn a row into the public
 * functions: create, temp_bytes, enqueue, free and the blocking _host form.
 */
#ifndef DMM_CORE_OBJECT_H
#define DMM_CORE_OBJECT_H

#include <string.h>

#include "core/context.h"
#include "core/launch.h"
#include "core/size.h"
#include "core/temp.h"

enum { DMM_MAX_PORTS = 36, DMM_MAX_REGIONS = 12, DMM_MAX_KERNELS = 16, DMM_MAX_PARTS = 20 };

/* The sizes of a call. n: items; m, l: as the primitive's row says, or 0. first: position of item 0
 * in a longer, virtual list: 0 but in dmm_partition_stream, and in tests of positions beyond
 * 2^32. */
typedef struct dmm_sizes {
    uint64_t n, m, l, first;
} dmm_sizes;

typedef enum dmm_access { DMM_READ, DMM_WRITE } dmm_access;

/* One span of a call's arguments: n items of item_bytes bytes. */
typedef struct dmm_port {
    const char *name; /* the field of the args struct */
    size_t at;        /* its offset */
    dmm_access access;
    uint64_t n;
    uint32_t item_bytes; /* 0: this description has no such span */
    uint8_t optional;    /* DMM_NONE is allowed */
    uint8_t pair;        /* a written span may equal the read span of its pair; 0: none */
    uint8_t report;      /* a dmm_report: the _host form returns its code */
    uint8_t further;     /* k > 0: span k - 1 of the array to which the field points */
} dmm_port;

/* The sizes of class dmm_<word>, whose description and args are dmm_<word>_desc and _args. */
#define DMM_CLASS(type)                                                    \
    .name = #type, .bytes = sizeof(type), .desc_at = offsetof(type, desc), \
    .desc_bytes = sizeof(type##_desc), .args_bytes = sizeof(type##_args),  \
    .temp_at = offsetof(type##_args, temp)
/* The first fields of a port: span `field` of an args struct, of n items of `bytes` bytes. */
#define DMM_READS(type, field, items, bytes)                                       \
    .name = #field, .at = offsetof(type, field), .access = DMM_READ, .n = (items), \
    .item_bytes = (bytes)
#define DMM_WRITES(type, field, items, bytes)                                       \
    .name = #field, .at = offsetof(type, field), .access = DMM_WRITE, .n = (items), \
    .item_bytes = (bytes)
/* The port of an optional item count in device memory. */
#define DMM_READS_COUNT(type) DMM_READS(type, count, 1, DMM_COUNT_BYTES), .optional = 1
/* The port of an optional dmm_report. */
#define DMM_WRITES_REPORT(type)                                                            \
    DMM_WRITES(type, report_out, sizeof(dmm_report) / sizeof(cl_ulong), sizeof(cl_ulong)), \
        .optional = 1, .report = 1
/* Copies a list of ports to `ports`; evaluates to their number. */
#define DMM_PORTS(ports, list) (memcpy(ports, list, sizeof(list)), sizeof(list) / sizeof *(list))
typedef struct dmm_call dmm_call;

typedef struct dmm_class {
    const char *name;           /* "dmm_sort" */
    const char *word;           /* as in tuning files */
    size_t bytes;               /* size of the object, which begins with a dmm_object */
    size_t desc_at, desc_bytes; /* the object's copy of its description */
    size_t args_bytes, temp_at; /* size of the args struct, offset of its span `temp` */
    size_t desc_taken;          /* reserved words of the description that have become fields */
    size_t args_taken;          /* the same of the args struct */
    /* Initializes the object; context and description are set, the rest is zeros. Sets
     * object.max_n. */
    dmm_status (*init)(void *object);
    /* Frees what dmm_object_free does not free; NULL: nothing. */
    void (*destroy)(void *object);
    /* Checks the sizes of a call; NULL: dmm_object_check_n of n. */
    dmm_status (*check)(const void *object, const dmm_sizes *sizes);
    /* Lists the spans in the order of the args struct, which is also the order of the checks;
     * returns their number. args is NULL in temp_bytes, which does not list spans. */
    size_t (*ports)(const void *object, const void *args, const dmm_sizes *sizes,
        dmm_port ports[DMM_MAX_PORTS]);
    /* Lays out temp by dmm_call_region. In temp_bytes call->args is NULL: lays out the most that
     * any arguments need. Monotone in the sizes. */
    void (*lay_out)(const void *object, dmm_call *call);
    /* Enqueues the kernels. */
    dmm_status (*steps)(const void *object, dmm_call *call);
} dmm_class;

typedef struct dmm_object {
    const dmm_class *class;
    dmm_context *ctx; /* borrowed */
    uint64_t max_n;   /* largest n of a call */
    size_t num_kernels, num_parts;
    cl_kernel kernels[DMM_MAX_KERNELS];      /* owned, whatever other names they have */
    struct dmm_object *parts[DMM_MAX_PARTS]; /* objects whose steps run within this one's; owned */
} dmm_object;

/* A call that has begun. */
struct dmm_call {
    const void *args;
    dmm_sizes sizes;
    dmm_chain *chain;
    uint64_t launches; /* launches that a step is divided into (dmm_device, launch_items) */
    dmm_temp temp;
    dmm_span regions[DMM_MAX_REGIONS];
};

/* `object` is a pointer to any primitive's struct; `out` points to such a pointer. */
dmm_status dmm_object_create(void *out, dmm_context *ctx, const dmm_class *class, const void *desc);
void dmm_object_free(void *object);
dmm_status dmm_object_temp_bytes(uint64_t *out, const void *object, dmm_sizes sizes);
dmm_status dmm_object_enqueue(void *object, cl_command_queue queue, const void *args,
    dmm_sizes sizes, cl_uint num_wait, const cl_event *wait, cl_event *event);
/* The same with a chain that has not begun. */
dmm_status dmm_object_enqueue_chain(
    void *object, dmm_chain chain, const void *args, dmm_sizes sizes, cl_event *event);

/* For check: DMM_TOO_LARGE if n > max_n. */
dmm_status dmm_object_check_n(const void *object, uint64_t n);

/* For init: creates a kernel, or an object of another class, which dmm_object_free frees. */
dmm_status dmm_object_kernel(
    void *object, cl_program program, const char *name, uint32_t u, cl_kernel *out);
dmm_status dmm_object_part(void *object, void *out, const dmm_class *class, const void *desc);

/* For lay_out: appends region `name`, of `count` items. */
void dmm_call_region(dmm_call *call, size_t name, uint64_t count, uint64_t item_bytes);
/* Appends the temp of a call of `part`; NULL: appends an empty region. */
void dmm_call_part_region(dmm_call *call, size_t name, const void *part, dmm_sizes sizes);

/* For steps: returns a region, rounded up to a multiple of item_bytes because kernels take offsets
 * in items. Lay such a region out with one item more. */
dmm_span dmm_call_items(const dmm_call *call, size_t name, uint32_t item_bytes);
/* Runs the steps of `part` on this call's chain, unchecked. Its args have a region of this call as
 * temp. */
dmm_status dmm_call_run(const dmm_call *call, const void *part, const void *args, dmm_sizes sizes);

/* Returns a number, another one each time, by which kernels tell what their call has written from
 * what others have left in temp. */
uint32_t dmm_call_number(void);

/* Launches a kernel, its groups in `launches` parts. */
dmm_status dmm_call_launch_args(
    const dmm_call *call, cl_kernel kernel, const dmm_arg *args, size_t num_args, dmm_grid grid);

/* Launches a kernel whose parameters are `buffers` followed by one struct by value (cl/,
 * *_call.clh), its groups in `launches` parts. */
dmm_status dmm_call_launch(const dmm_call *call, cl_kernel kernel, const cl_mem *buffers,
    size_t num_buffers, const void *numbers, size_t numbers_bytes, dmm_grid grid);
#define DMM_BUFFERS(...) \
    (const cl_mem[]){__VA_ARGS__}, sizeof(const cl_mem[]){__VA_ARGS__} / sizeof(cl_mem)

/* One span of a _host form: its source before the call and its destination after. */
typedef struct dmm_host_array {
    const void *from;
    void *to;
    const uint64_t *kept; /* number of items to copy back, from an earlier array; NULL: all */
} dmm_host_array;

/*
 * The _host form: creates, copies in, enqueues, waits, copies out, frees. `arrays` are in the order
 * of the ports; a written span shares the buffer of its pair. args: everything but spans, which are
 * overwritten. If a report says that the data are bad, returns its code and copies nothing else.
 */
extern _Thread_local int dmm_host_is_part; /* true: a call of this thread reports no progress */
dmm_status dmm_object_host(dmm_context *ctx, const dmm_class *class, const void *desc, void *args,
    dmm_sizes sizes, const dmm_host_array arrays[DMM_MAX_PORTS]);

#endif
