/* SPDX-License-Identifier: MIT */
/*
 * Error handling: two macros, and the argument checks that all calls share. A function that uses
 * the macros has a `dmm_status status = DMM_OK` and one label `out:`, which releases what the
 * function owns and returns the status.
 */
#ifndef DMM_CORE_CHECK_H
#define DMM_CORE_CHECK_H

#include <stddef.h>

#include <dmm/types.h>

/* Leaves through `out` with the expression's status unless that is DMM_OK. */
#define TRY(expr)                        \
    do {                                 \
        if ((status = (expr)) != DMM_OK) \
            goto out;                    \
    } while (0)

/* Leaves through `out` with `code` if the condition holds. */
#define FAIL_IF(condition, code) \
    do {                         \
        if (condition) {         \
            status = (code);     \
            goto out;            \
        }                        \
    } while (0)

/* The checks keep a text by dmm_refuse that names the argument. */
dmm_status dmm_check_queue(cl_command_queue queue, cl_context context, cl_device_id device);
dmm_status dmm_check_wait(cl_uint num_wait, const cl_event *wait);

/* Checks the reserved words at the end of a description or an args struct: DMM_UNSUPPORTED unless
 * they are 0. `bytes`: size of the struct; `taken`: words that have become fields. */
enum { DMM_RESERVED_WORDS = 4 };
dmm_status dmm_check_reserved(const void *fields, size_t bytes, size_t taken);

/* Checks that a span has n items of item_bytes bytes; n = 0 needs no buffer. DMM_NULL_ARGUMENT,
 * DMM_MISALIGNED, DMM_SPAN_TOO_SMALL. `name`: its field. */
dmm_status dmm_check_span(const char *name, dmm_span span, uint64_t n, uint32_t item_bytes);

/* Bytes of an item count in device memory. */
enum { DMM_COUNT_BYTES = 8 };

/* A span and the number of its bytes that a call reads or writes. A NULL buffer: no span. */
typedef struct dmm_used_span {
    const char *name; /* its field */
    dmm_span span;
    uint64_t bytes;
    int is_written;
    int pair; /* a written span may equal a read one of the same pair; 0: of no pair */
} dmm_used_span;

/* Checks that no written span shares a byte with another span, except its pair; sub-buffers are
 * resolved to their parents. DMM_OVERLAP. */
dmm_status dmm_check_used_spans(const dmm_used_span *spans, size_t count);

int dmm_spans_equal(dmm_span a, dmm_span b);

#endif
