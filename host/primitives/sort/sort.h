/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_sort, which forwards each call to the method it was created with.
 */
#ifndef DMM_PRIMITIVES_SORT_H
#define DMM_PRIMITIVES_SORT_H

#include <dmm/sort.h>

#include "primitives/classes.h"

struct dmm_sort {
    dmm_object object;
    dmm_sort_desc desc;
    dmm_sort_method method; /* auto: a method that is not in sort.c */
    const dmm_object *by;   /* the method; a part */
};

/* The methods, each beside its own code. Their descriptions and args are those of the sort. */
extern const dmm_class dmm_merge_sort_class, dmm_radix_sort_class, dmm_network_sort_class;

/* True if auto takes radix rather than merge, where both can sort. */
int dmm_radix_sort_is_faster(const dmm_sort_desc *desc, const dmm_context *ctx);

/* Creates the method. Last step of the init of a class of sorts. */
dmm_status dmm_sort_by(dmm_sort *sort, const dmm_class *method);
/* The same of the keys that desc.map gives: `by` maps them, and has the method as a part. */
dmm_status dmm_sort_mapped_by(dmm_sort *sort, const dmm_class *method);

/* What classes of sorts share: all but init. The ports are those of `by`, if it has any. */
#define DMM_SORT_CLASS                                                         \
    DMM_CLASS(dmm_sort), .word = "sort", .desc_taken = 1, .args_taken = 1,     \
                         .ports = dmm_sort_ports, .lay_out = dmm_sort_lay_out, \
                         .steps = dmm_sort_steps
size_t dmm_sort_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS]);
void dmm_sort_lay_out(const void *object, dmm_call *call);
dmm_status dmm_sort_steps(const void *object, dmm_call *call);

#endif
