/* SPDX-License-Identifier: MIT */
/* The second half of the demo: the hull of random points of a disc. */
#ifndef DMM_CLI_DEMO_HULL_H
#define DMM_CLI_DEMO_HULL_H

#include "session.h"

/* Finds the hull on the session's device, checks it, prints the time, and draws it to `svg`, unless
 * that is NULL. */
bool cli_demo_hull(cli_session *session, const char *svg, cli_error *error);

#endif
