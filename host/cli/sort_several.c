/* SPDX-License-Identifier: MIT */
/* dmm sort --devices: a session on each device, and one call. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "option.h"
#include "progress.h"
#include "sort_several.h"

enum { MOST_DEVICES = 64 };

typedef struct several {
    cli_session *first;  /* borrowed */
    cli_session *others; /* owned: MOST_DEVICES of them, from 1 on; they stay where they are */
    dmm_context *contexts[MOST_DEVICES];
    uint32_t count;
} several;

static cli_session *session_at(const several *s, uint32_t i)
{
    return i == 0 ? s->first : &s->others[i];
}

/* Opens the next session: on a device, or, if that is NULL, on the one that `text` names. */
static bool open_next(several *s, cl_device_id device, const char *text, cli_error *error)
{
    if (s->count == MOST_DEVICES)
        return cli_fail(error, CLI_MISTAKE, "--devices", "more than %d devices", MOST_DEVICES);
    cli_session *const session = session_at(s, s->count);
    if (s->count > 0)
        *session = (cli_session)CLI_SESSION_INIT;
    const bool ok = device ? cli_open_session_on(session, device, error)
                           : cli_open_session_named(session, text, error);
    s->contexts[s->count++] = session->context;
    return ok;
}

static bool open_all(several *s, cli_error *error)
{
    dmm_device *devices = NULL;
    size_t count = 0;
    bool ok = cli_check(s->first, dmm_device_list(&devices, &count), NULL, error);
    for (size_t i = 0; ok && i < count; i++)
        /* simulators are last */
        if (i == 0 || devices[i].kind != DMM_KIND_SIMULATOR)
            ok = open_next(s, devices[i].id, NULL, error);
    dmm_device_list_free(devices);
    return ok;
}

static bool open_named(several *s, const char *list, cli_error *error)
{
    char name[256];
    for (const char *from = list, *end = NULL; from; from = end ? end + 1 : NULL) {
        end = strchr(from, ',');
        const size_t bytes = end ? (size_t)(end - from) : strlen(from);
        if (bytes == 0 || bytes >= sizeof name)
            return cli_fail(error, CLI_MISTAKE, "--devices",
                "'%.40s' is neither all nor a list of devices, separated by commas", list);
        memcpy(name, from, bytes);
        name[bytes] = '\0';
        if (!open_next(s, NULL, name, error))
            return false;
    }
    return true;
}

static bool sort(several *s, const dmm_sort_devices_desc *desc, cli_array *keys, cli_array *values,
    cli_error *error)
{
    dmm_sort_devices_share shares[MOST_DEVICES];
    cli_progress_call("sorting", keys->count);
    const dmm_status status = dmm_sort_devices_host(s->contexts, s->count, desc, keys->data,
        desc->value_bytes != 0 ? values->data : NULL, keys->count, shares);
    cli_session *teller = s->first;
    for (uint32_t i = 1; i < s->count && !teller->log; i++)
        teller = session_at(s, i);
    for (uint32_t i = 0; status == DMM_OK && cli_global.verbose && i < s->count; i++)
        fprintf(stderr, "dmm: %s: sorted %" PRIu64 " and merged %" PRIu64 " of %zu keys\n",
            dmm_context_device(s->contexts[i])->name, shares[i].sorted_items,
            shares[i].merged_items, keys->count);
    return cli_check(teller, status, NULL, error);
}

bool cli_sort_on_devices(const char *list, const dmm_sort_devices_desc *desc, cli_session *first,
    cli_array *keys, cli_array *values, cli_error *error)
{
    several s = {.first = first, .others = calloc(MOST_DEVICES, sizeof *s.others)};
    if (!s.others)
        return cli_fail_memory(error, "--devices", MOST_DEVICES * sizeof *s.others);
    const bool ok =
        (strcmp(list, "all") == 0 ? open_all(&s, error) : open_named(&s, list, error)) &&
        sort(&s, desc, keys, values, error);
    for (uint32_t i = 1; i < s.count; i++)
        cli_close_session(&s.others[i]);
    free(s.others);
    return ok;
}
