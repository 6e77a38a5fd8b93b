/* SPDX-License-Identifier: MIT */
/* The caller's log callback, and a printf for it. Lines are cut after 4095 bytes. */
#ifndef DMM_CORE_LOG_H
#define DMM_CORE_LOG_H

#include <dmm/context.h>

typedef struct dmm_log {
    dmm_log_function function; /* NULL: nothing is logged */
    void *user;
} dmm_log;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void dmm_log_line(const dmm_log *log, const char *format, ...);

/* Logs a text of several lines one by one. */
void dmm_log_text(const dmm_log *log, const char *text);

#endif
