/* SPDX-License-Identifier: MIT */
/* What a handle of the driver points to, and how each of its functions begins. */
#ifndef DMM_TESTS_LIAR_DRIVER_THING_H
#define DMM_TESTS_LIAR_DRIVER_THING_H

#include "liar/driver.h"

enum {
    MOST_BYTES = 1 << 24,
    GROUP = 1024
}; /* most bytes of a buffer; most work-items of a group */

typedef enum kind { PLATFORM, DEVICE, CONTEXT, QUEUE, BUFFER, PROGRAM, KERNEL, EVENT } kind;

typedef struct thing {
    uintptr_t magic; /* its address, while it lives: so a released handle is detected */
    kind is;
    atomic_long refs;
    size_t bytes; /* size of a buffer; for a program or kernel: work-items of its groups */
    unsigned char *data;
    const void *of;     /* a queue's context */
    cl_int ended;       /* an event's: CL_COMPLETE, an error, or positive: a user event not set */
    struct thing *root; /* the user event as which an event ends; NULL: none */
} thing;

/* Returns a count after it has grown, without ordering the threads. */
static inline size_t driver_count(atomic_size_t *count)
{
    return atomic_fetch_add_explicit(count, 1, memory_order_relaxed) + 1;
}

static inline void driver_hold(atomic_long *references)
{
    atomic_fetch_add_explicit(references, 1, memory_order_relaxed);
}

/* True if this is the call to fail. */
int driver_fails(const char *name);
/* Records a misuse. Returns the code that a driver would return. */
cl_int driver_wrong(const char *name, cl_int code);
int driver_is_a(kind expected, const void *handle);
/* *status may be missing. */
thing *driver_new(const char *name, kind is, size_t bytes, cl_int *status);
cl_int driver_release(const char *name, kind is, void *handle);

/* Returns if the call is the one to fail, or made wrongly. */
#define BEGIN(name, is_right, code)          \
    do {                                     \
        if (driver_fails(name))              \
            return driver.lies.error;        \
        if (!(is_right))                     \
            return driver_wrong(name, code); \
    } while (0)

#define BEGIN_NEW(name, is_right, code, status)                                        \
    do {                                                                               \
        const int fails_ = driver_fails(name), is_right_ = (is_right);                 \
        if (fails_ || !is_right_) {                                                    \
            const cl_int why_ = fails_ ? driver.lies.error : driver_wrong(name, code); \
            if ((status) != NULL)                                                      \
                *(status) = why_;                                                      \
            return NULL;                                                               \
        }                                                                              \
    } while (0)

#endif
