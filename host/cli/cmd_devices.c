/* SPDX-License-Identifier: MIT */
/* dmm devices: lists OpenCL devices and their facts, and explains why there is none. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <dmm/device.h>
#include <dmm/tuning.h>

#include "choice.h"
#include "commands.h"
#include "core/opencl.h"
#include "icd.h"
#include "option.h"
#include "session.h"

static void print_facts(const dmm_device *device)
{
    const char *name;
    const dmm_fact *fact;
    for (size_t i = 0; (fact = dmm_device_fact(device, i, &name)); i++)
        printf("    %-12s %12" PRIu64 "  %s\n", name, fact->value, dmm_source_name(fact->source));
}

static void print_rows(const dmm_context *context)
{
    const char *const file = dmm_context_tuning_file(context);
    dmm_tuned row;
    printf("    tuning file  %s\n", file ? file : "none");
    for (size_t i = 0; dmm_context_tuned(&row, context, i) == DMM_OK; i++) {
        char bytes[16] = "*";
        if (row.item_bytes != UINT32_MAX)
            snprintf(bytes, sizeof bytes, "%u", (unsigned)row.item_bytes);
        printf("    tune %-16s %4s  %s  %s, line %u\n", row.word, bytes, row.settings,
            row.source == DMM_SOURCE_FILE ? "file" : "built in", (unsigned)row.line);
    }
}

static void print_device(const dmm_device *device, const dmm_context *context, size_t index)
{
    printf("%zu: %s (%s)\n", index, device->name, dmm_device_kind_name(device->kind));
    printf("    platform %s, %s\n", device->platform_name, device->version);
    printf("    vendor   %s, driver %s\n", device->vendor, device->driver);
    print_facts(device);
    print_rows(context);
}

static void print_json_text(const char *name, const char *text)
{
    printf("      \"%s\": \"", name);
    for (const char *p = text; *p; p++) {
        if (*p == '"' || *p == '\\')
            printf("\\%c", *p);
        else if ((unsigned char)*p < ' ')
            printf("\\u%04x", (unsigned)*p);
        else
            putchar(*p);
    }
    printf("\",\n");
}

static void print_json_rows(const dmm_context *context)
{
    const char *const file = dmm_context_tuning_file(context);
    dmm_tuned row;
    print_json_text("tuning_file", file ? file : "");
    printf("      \"tuning\": [");
    for (size_t i = 0; dmm_context_tuned(&row, context, i) == DMM_OK; i++)
        printf("%s\n        {\"word\": \"%s\", \"item_bytes\": %u, \"settings\": \"%s\", "
               "\"source\": \"%s\", \"line\": %u}",
            i > 0 ? "," : "", row.word, (unsigned)row.item_bytes, row.settings,
            dmm_source_name(row.source), (unsigned)row.line);
    printf("\n      ],\n");
}

static void print_json_device(const dmm_device *device, const dmm_context *context, size_t index)
{
    const char *name;
    const dmm_fact *fact;
    printf("\n    {\n      \"index\": %zu,\n", index);
    print_json_text("kind", dmm_device_kind_name(device->kind));
    print_json_text("name", device->name);
    print_json_text("vendor", device->vendor);
    print_json_text("driver", device->driver);
    print_json_text("version", device->version);
    print_json_text("platform", device->platform_name);
    print_json_rows(context);
    printf("      \"facts\": {");
    for (size_t i = 0; (fact = dmm_device_fact(device, i, &name)); i++)
        printf("%s\n        \"%s\": {\"value\": %" PRIu64 ", \"source\": \"%s\"}", i > 0 ? "," : "",
            name, fact->value, dmm_source_name(fact->source));
    printf("\n      }\n    }");
}

/* Prints a device with the facts after a tuning file, --set and DMM_SET. A device that does not
 * work is listed without them. */
static bool print_one(dmm_device *device, size_t index, bool json, cli_error *error)
{
    cli_session session = CLI_SESSION_INIT;
    bool ok = cli_open_session_on(&session, device->id, error);
    if (ok)
        *device = *dmm_context_device(session.context);
    else if (error->exit_code == CLI_DEVICE) {
        *error = (cli_error){0};
        ok = true;
    }
    if (ok && json)
        print_json_device(device, session.context, index);
    else if (ok)
        print_device(device, session.context, index);
    cli_close_session(&session);
    return ok;
}

/* True if a tuning file, rather than the built-in rows, has parameters for the device. */
static bool has_own_rows(const dmm_context *context)
{
    dmm_tuned row;
    for (size_t i = 0; dmm_context_tuned(&row, context, i) == DMM_OK; i++)
        if (row.source == DMM_SOURCE_FILE)
            return true;
    return false;
}

bool cli_print_choice(cli_error *error)
{
    cli_session session = CLI_SESSION_INIT;
    dmm_device *devices = NULL;
    dmm_tuned row;
    size_t count = 0, index = 0;
    const bool ok = cli_open_session(&session, error);
    if (ok && dmm_device_list(&devices, &count) == DMM_OK) {
        const dmm_device *const device = dmm_context_device(session.context);
        while (index < count && devices[index].id != device->id)
            index++;
        printf("dmm uses device %zu, %s (%s)%s\n", index, device->name,
            dmm_device_kind_name(device->kind),
            cli_global.device      ? ", as --device says"
            : getenv("DMM_DEVICE") ? ", as DMM_DEVICE says"
                                   : ": the best; --device takes another one");
        printf("It is supported, and %s\n",
            has_own_rows(session.context) ? "tuned by your tuning file"
            : dmm_context_tuned(&row, session.context, 0) == DMM_OK
                ? "tuned by rows that are built in; dmm tune may find faster ones"
                : "not tuned: dmm tune --quick finds faster parameters in two minutes");
    } else if (!ok) {
        printf("dmm cannot use the device that it would take: %s\n", error->text);
    }
    dmm_device_list_free(devices);
    cli_close_session(&session);
    return ok;
}

/* `only`: one device, or NULL for all. */
static bool print_all(
    dmm_device *devices, size_t count, cl_device_id only, bool json, cli_error *error)
{
    bool ok = true;
    size_t printed = 0;
    if (json)
        printf("{\n  \"devices\": [");
    for (size_t i = 0; i < count && ok; i++) {
        if (only && devices[i].id != only)
            continue;
        if (json && printed > 0)
            printf(",");
        ok = print_one(&devices[i], i, json, error);
        printed++;
    }
    if (json)
        printf("%s]\n}\n", count > 0 ? "\n  " : "");
    return ok;
}

/* Prints platforms without devices in the list: mostly drivers without their hardware. */
static void print_empty_platforms(const dmm_device *devices, size_t count)
{
    enum { MAX_PLATFORMS = 64 };
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint num_platforms = 0;
    if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &num_platforms) != CL_SUCCESS)
        return;
    for (cl_uint i = 0; i < num_platforms && i < MAX_PLATFORMS; i++) {
        char name[256] = "";
        bool used = false;
        for (size_t j = 0; j < count; j++)
            used = used || devices[j].platform == platforms[i];
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
        if (!used)
            printf("platform %s has no device\n", name);
    }
}

static bool run(bool json, cli_error *error)
{
    dmm_device *devices = NULL;
    size_t count = 0;
    dmm_status status = dmm_device_list(&devices, &count);
    bool none = status == DMM_NO_PLATFORM || status == DMM_NO_DEVICE;
    bool ok = true;
    if (status != DMM_OK && !none)
        return cli_fail(error, CLI_DEVICE, NULL, "%s", dmm_status_string(status));
    dmm_device chosen = {.id = NULL};
    if (!none && cli_global.device) {
        status = dmm_device_find(&chosen, cli_global.device);
        ok = status == DMM_OK ||
             cli_fail(error, CLI_DEVICE, "--device", "%s", dmm_status_string(status));
    }
    if (ok && !json && !none) {
        cli_error unused = {0};
        cli_print_choice(&unused);
    }
    if (ok && (json || !none))
        ok = print_all(devices, count, chosen.id, json, error);
    if (!json && ok && !chosen.id)
        print_empty_platforms(devices, count);
    if (none)
        cli_explain_no_device(stderr);
    else
        cli_explain_missing_drivers(stderr);
    if (none)
        ok = cli_fail(error, CLI_DEVICE, NULL, "no OpenCL device");
    dmm_device_list_free(devices);
    return ok;
}

int dmm_cli_devices(int argc, char **argv)
{
    cli_error error = {0};
    bool json = false;
    const cli_option options[] = {
        {0, "json", CLI_FLAG, &json, NULL, "the same as JSON, for programs"},
    };
    const cli_syntax syntax = {.synopsis = "[--json]",
        .about =
            "Lists the OpenCL devices of this machine, best first, with the facts that parameters\n"
            "are chosen by, and where each comes from: override (--set), file (of `dmm tune`), "
            "query\n"
            "(of the driver), probe (measured), table (known of the vendor), default (assumed).\n"
            "`tune` lines: parameters measured to be fast. With --device, that device alone.",
        .options = options,
        .num_options = sizeof options / sizeof options[0]};
    if (cli_parse_some(&syntax, argc, argv, NULL, 0, &error))
        run(json, &error);
    return cli_finish(&error);
}
