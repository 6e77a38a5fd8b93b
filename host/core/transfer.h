/* SPDX-License-Identifier: MIT */
/* Host arrays for the _host functions: blocking copies to and from device buffers. */
#ifndef DMM_CORE_TRANSFER_H
#define DMM_CORE_TRANSFER_H

#include "core/context.h"

/* Creates a buffer of `bytes` bytes and copies `from` to it, unless that is NULL: commands on any
 * queue that are enqueued afterwards see the copy. bytes = 0: no buffer. */
dmm_status dmm_upload(const dmm_context *ctx, const void *from, uint64_t bytes, cl_mem *out);
/* Creates a buffer that is `array`, on a device that has the host's memory. Reading the buffer into
 * the array itself hands it back. bytes = 0: no buffer. */
dmm_status dmm_wrap(const dmm_context *ctx, void *array, uint64_t bytes, cl_mem *out);
/* Copies `from` to a buffer, as dmm_upload does. */
dmm_status dmm_write(cl_command_queue queue, cl_mem to, const void *from, uint64_t bytes);
/* Copies from a buffer. */
dmm_status dmm_read(cl_command_queue queue, cl_mem from, void *to, uint64_t bytes);
/* Waits for the event (may be NULL), then copies. */
dmm_status dmm_download(
    const dmm_context *ctx, cl_mem from, void *to, uint64_t bytes, const cl_event *event);
/* Waits for the event and releases it, so that nothing runs on after a failed copy. NULL is fine.
 */
void dmm_wait_and_release(cl_event event);

#endif
