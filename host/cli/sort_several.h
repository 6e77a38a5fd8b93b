/* SPDX-License-Identifier: MIT */
/* dmm sort --devices. */
#ifndef DMM_CLI_SORT_SEVERAL_H
#define DMM_CLI_SORT_SEVERAL_H

#include <dmm/sort_devices.h>

#include "array.h"
#include "session.h"

/* Sorts on the devices that `list` names, separated by commas; "all": all but simulators. Opens
 * `first`, which is closed, on the first of them. `values`: none if their item_bytes is 0. A device
 * may come several times. */
bool cli_sort_on_devices(const char *list, const dmm_sort_devices_desc *desc, cli_session *first,
    cli_array *keys, cli_array *values, cli_error *error);

#endif
