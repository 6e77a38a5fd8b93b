/* SPDX-License-Identifier: MIT */
/*
 * Creating and releasing contexts.
 */
#include "core/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/opencl.h"
#include "core/os.h"
#include "core/refuse.h"

/* Returns what the caller gave; otherwise the environment variable's value, if the environment may
 * be read. */
static const char *given_or_variable(
    const dmm_context_desc *desc, const char *given, const char *name)
{
    return given != NULL || desc->ignore_environment ? given : getenv(name);
}

/* Finds the device: the description's facts or device, the given context's only one, or by text. */
static dmm_status find_device(dmm_device *out, const dmm_context_desc *desc)
{
    dmm_status status = DMM_OK;
    cl_device_id id = desc->device;
    if (desc->facts != NULL) {
        FAIL_IF(id != NULL || desc->context != NULL || desc->device_text != NULL,
            dmm_refuse(DMM_BAD_VALUE,
                "facts: stand in place of a device: leave context, device and device_text NULL"));
        return dmm_device_complete(out, desc->facts);
    }
    FAIL_IF(dmm_opencl_failure() != NULL, dmm_refuse(DMM_NO_PLATFORM, "%s", dmm_opencl_failure()));
    if (id == NULL && desc->context != NULL) {
        cl_uint count = 0;
        TRY(clGetContextInfo(desc->context, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, NULL));
        FAIL_IF(count != 1,
            dmm_refuse(DMM_BAD_VALUE,
                "device: is NULL, and the context has %u devices: set it to one of them",
                (unsigned)count));
        TRY(clGetContextInfo(desc->context, CL_CONTEXT_DEVICES, sizeof id, &id, NULL));
    }
    if (id != NULL)
        return dmm_device_describe(out, id);
    status = dmm_device_find(out, given_or_variable(desc, desc->device_text, "DMM_DEVICE"));
out:
    return status;
}

static dmm_status adopt_or_create(dmm_context *ctx, cl_context given)
{
    dmm_status status = DMM_OK;
    const cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM, (cl_context_properties)ctx->device.platform, 0};
    if (given != NULL) {
        TRY(clRetainContext(given));
        ctx->cl = given;
    } else {
        ctx->cl = clCreateContext(properties, 1, &ctx->device.id, NULL, NULL, &status);
        FAIL_IF(status != DMM_OK, status);
    }
    ctx->queue = clCreateCommandQueue(ctx->cl, ctx->device.id, 0, &status);
out:
    return status;
}

static void log_device(const dmm_context *ctx)
{
    if (dmm_context_is_offline(ctx))
        dmm_log_line(&ctx->log, "no device: facts of '%s'", ctx->device.name);
    else
        dmm_log_line(&ctx->log, "device: %s (%s), driver %s", ctx->device.name,
            ctx->device.platform_name, ctx->device.driver);
}

dmm_status dmm_context_create(dmm_context **out, const dmm_context_desc *desc)
{
    static const dmm_context_desc defaults = {0};
    dmm_status status = DMM_OK;
    dmm_context *ctx = NULL;

    dmm_refuse_begin();
    desc = desc != NULL ? desc : &defaults;
    FAIL_IF(out == NULL, dmm_refuse(DMM_NULL_ARGUMENT, "out: is NULL"));
    *out = NULL;
    TRY(dmm_check_reserved(desc, sizeof *desc, 3));
    FAIL_IF((ctx = calloc(1, sizeof *ctx)) == NULL, DMM_OUT_OF_MEMORY);
    ctx->log = (dmm_log){desc->log, desc->log_user};
    ctx->progress = desc->progress;
    ctx->progress_user = desc->progress_user;
    ctx->process = dmm_os_process();
    TRY(find_device(&ctx->device, desc));
    const char *const tuning = given_or_variable(desc, desc->tuning, "DMM_TUNING");
    const char *const no_file = desc->ignore_environment ? "" : NULL;
    TRY(dmm_tuning_rows_init(&ctx->rows, tuning != NULL ? tuning : no_file,
        given_or_variable(desc, NULL, "DMM_TUNING_FOLDER"), &ctx->device, &ctx->log));
    ctx->tuning.form = ctx->rows.form;
    /* set by `dmm meter` alone: the banks and lanes that it counts for */
    TRY(dmm_settings_apply(
        given_or_variable(desc, NULL, "DMM_METER_SET"), &ctx->device, &ctx->tuning, &ctx->log));
    TRY(dmm_settings_apply(desc->set, &ctx->device, &ctx->tuning, &ctx->log));
    if (desc->facts == NULL)
        TRY(adopt_or_create(ctx, desc->context));
    ctx->programs.context = ctx->cl;
    ctx->programs.device = ctx->device.id;
    ctx->programs.log = ctx->log;
    const int keeps = desc->cache_always || !dmm_device_keeps_programs(&ctx->device);
    TRY(dmm_programs_init(
        &ctx->programs, &ctx->device, keeps && desc->facts == NULL ? desc->cache : NULL));
    log_device(ctx);
    *out = ctx;
    return DMM_OK;
out:
    if (ctx != NULL && ctx->queue != NULL)
        clReleaseCommandQueue(ctx->queue);
    if (ctx != NULL && ctx->cl != NULL)
        clReleaseContext(ctx->cl);
    if (ctx != NULL)
        dmm_tuning_rows_destroy(&ctx->rows);
    free(ctx);
    return dmm_refuse_end(status, &(dmm_log){desc->log, desc->log_user}, "dmm_context_create");
}

void dmm_context_free(dmm_context *ctx)
{
    if (ctx == NULL)
        return;
    const int is_inherited = dmm_context_is_inherited(ctx);
    dmm_programs_destroy(&ctx->programs, !is_inherited);
    if (!is_inherited && !dmm_context_is_offline(ctx)) {
        clReleaseCommandQueue(ctx->queue);
        clReleaseContext(ctx->cl);
    }
    dmm_tuning_rows_destroy(&ctx->rows);
    free(ctx);
}

dmm_status dmm_context_choose(dmm_parameters *out, const dmm_context *ctx, const dmm_tuning *own,
    const dmm_footprint *footprint)
{
    const dmm_tuning tuning = dmm_tuning_over(own, &ctx->tuning);
    const unsigned most_u = atomic_load(&ctx->programs.most_u);
    dmm_device device = ctx->device;
    if (most_u != 0 && most_u < device.max_group.value)
        device.max_group.value = most_u;
    return dmm_tuning_rows_choose(out, &ctx->rows, &device, &tuning, footprint, &ctx->log);
}

int dmm_context_is_inherited(const dmm_context *ctx)
{
    return ctx->process != dmm_os_process();
}

int dmm_context_is_offline(const dmm_context *ctx)
{
    return ctx->cl == NULL;
}

dmm_status dmm_context_check_runs(const dmm_context *ctx)
{
    if (dmm_context_is_inherited(ctx))
        return dmm_refuse_child();
    if (dmm_context_is_offline(ctx))
        return dmm_refuse(DMM_UNSUPPORTED,
            "the dmm_context has facts and no device: create one without .facts to run this");
    return DMM_OK;
}

int dmm_context_is_cpu(const dmm_context *ctx, const dmm_tuning *own)
{
    const dmm_tuning tuning = dmm_tuning_over(own, &ctx->tuning);
    return dmm_tuning_is_cpu(&tuning, &ctx->device);
}

const dmm_device *dmm_context_device(const dmm_context *ctx)
{
    return ctx != NULL ? &ctx->device : NULL;
}

cl_context dmm_context_cl(const dmm_context *ctx)
{
    return ctx != NULL ? ctx->cl : NULL;
}

cl_command_queue dmm_context_queue(const dmm_context *ctx)
{
    return ctx != NULL ? ctx->queue : NULL;
}

int dmm_context_drops_rows(dmm_context *ctx, const char *word, dmm_status status)
{
    return dmm_programs_are_unfit(status) && dmm_tuning_rows_drop(&ctx->rows, word, &ctx->log);
}

/* Appends "NAME=VALUE", unless the value is 0. */
static void append(char *text, size_t bytes, const char *name, uint64_t value)
{
    const size_t used = strlen(text);
    if (value == UINT64_MAX)
        snprintf(text + used, bytes - used, "%s%s=never", used != 0 ? " " : "", name);
    else if (value != 0)
        snprintf(text + used, bytes - used, "%s%s=%llu", used != 0 ? " " : "", name,
            (unsigned long long)value);
}

dmm_status dmm_context_tuned(dmm_tuned *out, const dmm_context *ctx, size_t i)
{
    if (out == NULL || ctx == NULL)
        return DMM_NULL_ARGUMENT;
    if (i >= ctx->rows.count)
        return DMM_BAD_VALUE;
    const dmm_tuning_row *const row = &ctx->rows.rows[i];
    *out = (dmm_tuned){.item_bytes = row->item_bytes,
        .source = row->is_file ? DMM_SOURCE_FILE : DMM_SOURCE_TABLE,
        .line = row->line,
        .misfits = atomic_load(&row->misfits)};
    memcpy(out->word, row->word, sizeof out->word);
    snprintf(out->settings, sizeof out->settings, "form=%s",
        row->tuning.form == DMM_FORM_CPU ? "cpu" : "gpu");
    append(out->settings, sizeof out->settings, "u", row->tuning.u);
    append(out->settings, sizeof out->settings, "E", row->tuning.E);
    append(out->settings, sizeof out->settings, "tile", row->tuning.tile);
    if (row->tuning.search != DMM_TILE_SEARCH_DEFAULT)
        strcat(out->settings,
            row->tuning.search == DMM_TILE_SEARCH_CF ? " search=cf" : " search=plain");
    append(out->settings, sizeof out->settings, "digit", row->digit);
    append(out->settings, sizeof out->settings, "from", row->from);
    return DMM_OK;
}

const char *dmm_context_tuning_file(const dmm_context *ctx)
{
    return ctx != NULL ? ctx->rows.path : NULL;
}
