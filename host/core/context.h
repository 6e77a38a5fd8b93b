/* SPDX-License-Identifier: MIT */
/* What a context holds. Everything but `programs` is constant after creation. */
#ifndef DMM_CORE_CONTEXT_H
#define DMM_CORE_CONTEXT_H

#include <dmm/context.h>

#include "core/program.h"
#include "core/tuning.h"

struct dmm_context {
    cl_context cl;
    cl_command_queue queue;
    dmm_device device;
    dmm_tuning tuning; /* from settings; a description's own tuning goes over it */
    dmm_log log;
    dmm_programs programs;
};

#endif
