/* SPDX-License-Identifier: MIT */
/*
 * The texts of refused arguments: "dmm_sort: value_bytes: argsort needs 4 or 8, is 2". The check
 * that fails writes the part behind the name; the public function that it ends adds its name and
 * logs the text, which this thread can ask for by dmm_error_text.
 */
#ifndef DMM_CORE_REFUSE_H
#define DMM_CORE_REFUSE_H

#include "core/log.h"

/* Keeps "ARGUMENT: what is wrong" for this thread, in place of an earlier text. Returns `code`. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
dmm_status
dmm_refuse(dmm_status code, const char *format, ...);

/* Refuses a context in a child that fork made: DMM_UNSUPPORTED. */
dmm_status dmm_refuse_child(void);

/* Forgets the text of an earlier call. Public functions begin with it. */
void dmm_refuse_begin(void);

/* Adds the name of the public function to the text of `status`, if this call has one, and logs it.
 * Returns `status`. Public functions end with it. */
dmm_status dmm_refuse_end(dmm_status status, const dmm_log *log, const char *name);

#endif
