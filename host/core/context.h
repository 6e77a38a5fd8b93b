/* SPDX-License-Identifier: MIT */
/* The context. Everything but `programs` is constant after creation. */
#ifndef DMM_CORE_CONTEXT_H
#define DMM_CORE_CONTEXT_H

#include <dmm/context.h>

#include "core/program.h"
#include "core/tuning.h"
#include "core/tuning_rows.h"

struct dmm_context {
    cl_context cl;
    cl_command_queue queue;
    long process; /* that created it */
    dmm_device device;
    dmm_tuning tuning; /* from settings; a description's own fields take precedence */
    dmm_tuning_rows rows;
    dmm_log log;
    dmm_progress_function progress; /* NULL: none */
    void *progress_user;
    dmm_programs programs;
};

/* Chooses a primitive's parameters. Precedence: its description's fields, settings, tuning rows,
 * device facts. Statuses and log lines as of dmm_parameters_choose. */
dmm_status dmm_context_choose(dmm_parameters *out, const dmm_context *ctx, const dmm_tuning *own,
    const dmm_footprint *footprint);

/*
 * Call after a failed create. If tuned rows for `word`, or "word.method", may be the cause,
 * disables them and returns 1: retry once. A tuning file must never make a create fail, and only a
 * build shows whether the device takes a kernel.
 */
int dmm_context_drops_rows(dmm_context *ctx, const char *word, dmm_status status);

/* True in a child process that fork made after the context was created: drivers' threads and
 * devices do not survive fork. */
int dmm_context_is_inherited(const dmm_context *ctx);

/* True if the context has facts in place of a device. */
int dmm_context_is_offline(const dmm_context *ctx);

/* Refuses, with DMM_UNSUPPORTED, what a context cannot run: that of a parent process, or one
 * without a device. */
dmm_status dmm_context_check_runs(const dmm_context *ctx);

/* True if this tuning selects the CPU form. */
int dmm_context_is_cpu(const dmm_context *ctx, const dmm_tuning *own);

#endif
