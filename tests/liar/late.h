/* SPDX-License-Identifier: MIT */
/* Late writes (late.c), for the functions of liar.c that wait. */
#ifndef DMM_TESTS_LIAR_LATE_H
#define DMM_TESTS_LIAR_LATE_H

#include <CL/cl.h>

/* Lets late writes of a queue begin, and waits until they have run. */
__attribute__((visibility("hidden"))) void late_arrive(cl_command_queue queue);
/* As above, for the queues of these events. */
__attribute__((visibility("hidden"))) void late_arrive_for(cl_uint n, const cl_event *events);

#endif
