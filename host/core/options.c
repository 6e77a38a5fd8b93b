/* SPDX-License-Identifier: MIT */
/*
 * Build options, as one text.
 */
#include "core/options.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
append(dmm_options *options, const char *format, ...)
{
    const size_t free_bytes = sizeof options->text - options->bytes;
    va_list list;
    va_start(list, format);
    const int written = vsnprintf(options->text + options->bytes, free_bytes, format, list);
    va_end(list);
    assert(written > 0 && (size_t)written < free_bytes);
    options->bytes += (size_t)written;
}

void dmm_options_define(dmm_options *options, const char *name, uint64_t value)
{
    append(options, "%s-D %s=%llu", options->bytes == 0 ? "-cl-std=CL1.2 " : " ", name,
        (unsigned long long)value);
}

void dmm_options_define_list(
    dmm_options *options, const char *name, const uint32_t *values, uint32_t count)
{
    dmm_options_define(options, name, values[0]);
    for (uint32_t i = 1; i < count; i++)
        append(options, ",%u", values[i]);
}

void dmm_options_parameters(dmm_options *options, const dmm_parameters *p, const dmm_device *device)
{
    dmm_options_define(options, "DMM_U", p->u);
    dmm_options_define(options, "DMM_E", p->E);
    dmm_options_define(options, "DMM_TILE", p->tile);
    dmm_options_define(options, "DMM_W", device->banks.value);
    dmm_options_define(options, "DMM_BANK_BYTES", device->bank_bytes.value);
    dmm_options_define(options, "DMM_PLAIN_SEARCH", (uint64_t)p->plain_search);
}
