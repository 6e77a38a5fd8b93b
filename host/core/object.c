/* SPDX-License-Identifier: MIT */
/*
 * Objects: creation, retried once without tuned rows, and release.
 */
#include "core/object.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/opencl.h"
#include "core/refuse.h"

static dmm_status create(
    dmm_object **out, dmm_context *ctx, const dmm_class *class, const void *desc)
{
    dmm_status status = DMM_OK;
    dmm_object *object = calloc(1, class->bytes);
    if (object == NULL)
        return DMM_OUT_OF_MEMORY;
    object->class = class;
    object->ctx = ctx;
    memcpy((char *)object + class->desc_at, desc, class->desc_bytes);
    TRY(class->init(object));
    *out = object;
    return DMM_OK;
out:
    dmm_object_free(object);
    return status;
}

/* As dmm_object_create, but for *out before it, and the text of a refused field behind it. */
static dmm_status create_in_turn(
    void *out, dmm_context *ctx, const dmm_class *class, const void *desc)
{
    dmm_status status = DMM_OK;
    dmm_object *object = NULL;
    FAIL_IF(dmm_context_is_inherited(ctx), dmm_refuse_child());
    TRY(dmm_check_reserved(desc, class->desc_bytes, class->desc_taken));
    unsigned most_u = atomic_load(&ctx->programs.most_u);
    status = create(&object, ctx, class, desc);
    if (dmm_context_drops_rows(ctx, class->word, status))
        status = create(&object, ctx, class, desc);
    /* Smaller groups, for as long as kernels have lower limits than those before. */
    while (status == DMM_BAD_PARAMETERS && atomic_load(&ctx->programs.most_u) != most_u) {
        most_u = atomic_load(&ctx->programs.most_u);
        status = create(&object, ctx, class, desc);
    }
    memcpy(out, &object, sizeof object);
out:
    return status;
}

dmm_status dmm_object_create(void *out, dmm_context *ctx, const dmm_class *class, const void *desc)
{
    static dmm_object *const none = NULL;
    static const dmm_log no_log = {NULL, NULL};
    dmm_status status = DMM_OK;
    dmm_refuse_begin();
    if (out != NULL)
        memcpy(out, &none, sizeof none);
    FAIL_IF(out == NULL, dmm_refuse(DMM_NULL_ARGUMENT, "out: is NULL"));
    FAIL_IF(ctx == NULL, dmm_refuse(DMM_NULL_ARGUMENT, "ctx: is NULL"));
    FAIL_IF(desc == NULL, dmm_refuse(DMM_NULL_ARGUMENT, "desc: is NULL"));
    TRY(create_in_turn(out, ctx, class, desc));
out:
    return dmm_refuse_end(status, ctx != NULL ? &ctx->log : &no_log, class->name);
}

void dmm_object_free(void *object)
{
    dmm_object *const o = object;
    if (o == NULL)
        return;
    if (o->class->destroy != NULL)
        o->class->destroy(o);
    for (size_t i = 0; i < o->num_kernels && !dmm_context_is_inherited(o->ctx); i++)
        clReleaseKernel(o->kernels[i]);
    for (size_t i = 0; i < o->num_parts; i++)
        dmm_object_free(o->parts[i]);
    free(o);
}

dmm_status dmm_object_kernel(
    void *object, cl_program program, const char *name, uint32_t u, cl_kernel *out)
{
    dmm_object *const o = object;
    assert(o->num_kernels < DMM_MAX_KERNELS);
    if (dmm_context_is_offline(o->ctx)) {
        /* neither launched nor released, but not NULL: layouts of temp ask which kernels exist */
        static char no_kernel;
        *out = (cl_kernel)(void *)&no_kernel;
        return DMM_OK;
    }
    const dmm_status status = dmm_programs_kernel(&o->ctx->programs, program, name, u, out);
    if (status == DMM_OK)
        o->kernels[o->num_kernels++] = *out;
    return status;
}

dmm_status dmm_object_part(void *object, void *out, const dmm_class *class, const void *desc)
{
    dmm_object *const o = object;
    dmm_object *part = NULL;
    assert(o->num_parts < DMM_MAX_PARTS);
    const dmm_status status = create_in_turn(&part, o->ctx, class, desc);
    if (status == DMM_OK)
        o->parts[o->num_parts++] = part;
    memcpy(out, &part, sizeof part);
    return status;
}
