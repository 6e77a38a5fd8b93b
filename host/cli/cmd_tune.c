/* SPDX-License-Identifier: MIT */
/* dmm tune: measures a device, searches for the parameters that are fast on it, and writes them
 * to a tuning file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/tuning.h>
#include <dmm/version.h>

#include "commands.h"
#include "core/os.h"
#include "leftover.h"
#include "option.h"
#include "progress.h"
#include "system/system.h"
#include "tune/tune.h"

enum { PATH_BYTES = 4000, PROBE_SECONDS = 30, QUICK_SECONDS = 105, TRIAL_OPERANDS = 6 };

typedef struct request {
    bool quick, thorough, probe, share;
    const char *word, *save;
    uint64_t items; /* 0: by the device */
    char path[PATH_BYTES], candidate[PATH_BYTES + 16];
} request;

static const cli_section sections[] = {
    {"How it works",
        "Probes the device, then tries parameters of each primitive, one after the other. Each "
        "trial\n"
        "runs in a process of its own and its results are checked, so that what crashes, hangs or\n"
        "computes wrong is left out. A winner must beat the default in six more runs. If it\n"
        "is stopped, or --quick runs out of time, the same command continues from FILE.part."},
    {NULL, NULL},
};

static bool parse(request *o, int argc, char **argv, char ***operands, int *count, cli_error *error)
{
    const cli_option options[] = {
        {0, "quick", CLI_FLAG, &o->quick, NULL,
            "few values, keys of 4 bytes, at most two minutes (default)"},
        {0, "thorough", CLI_FLAG, &o->thorough, NULL,
            "more values, keys of 8 and 16 bytes too, no time limit"},
        {0, "probe", CLI_FLAG, &o->probe, NULL, "probe the device only, and write nothing"},
        {0, "share", CLI_FLAG, &o->share, NULL,
            "tune nothing: print the device's facts and the rows that apply\n"
            "to it, as a tuning file to paste into a report or into tuning.d"},
        {0, "word", CLI_TEXT, &o->word, "WORD",
            "one primitive only: sort, sort.merge, partition, scan, topk, ...\n"
            "as they are called in tuning files"},
        {'n', "items", CLI_COUNT, &o->items, "N",
            "items of a trial, at least 1024 (default: by the device)"},
        {0, "save", CLI_TEXT, &o->save, "FILE",
            "tuning file to write (default: the user's own, which the\n"
            "library reads). Rows for other devices and primitives are kept"},
    };
    const cli_syntax syntax = {.synopsis = "[--quick|--thorough] [--word WORD] [--save FILE]",
        .about =
            "Finds the parameters that are fast on the device, and writes them to a tuning file.",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .max_operands = TRIAL_OPERANDS,
        .epilogue = sections};
    return cli_parse(&syntax, argc, argv, operands, count, error);
}

/* Writes the path of the user's own file (<dmm/tuning.h>), and creates its folders. */
static bool users_file(char path[PATH_BYTES], cli_error *error)
{
    char own[DMM_PATH_BYTES];
    if (!dmm_os_settings_file(own, "tuning") || strlen(own) >= PATH_BYTES)
        return cli_fail(error, CLI_MISTAKE, "--save", "there is no home folder: give --save FILE");
    memcpy(path, own, strlen(own) + 1);
    own[cli_last_slash(own) - own] = '\0';
    dmm_folder_make(own);
    return true;
}

static bool check_options(request *o, cli_error *error)
{
    if (o->quick && o->thorough)
        return cli_fail(error, CLI_MISTAKE, NULL, "--quick and --thorough exclude each other");
    if (o->items != 0 && (o->items < 1024 || o->items > (uint64_t)1 << 31))
        return cli_fail(error, CLI_MISTAKE, "--items", "at least 1024, and at most 2^31");
    if (o->word != NULL && !tune_has_word(o->word))
        return cli_fail(error, CLI_MISTAKE, "--word", "no primitive '%.40s' is tuned", o->word);
    if (o->save == NULL && !o->probe && !users_file(o->path, error))
        return false;
    if (o->save != NULL && strlen(o->save) >= PATH_BYTES)
        return cli_fail(error, CLI_MISTAKE, "--save", "this name is too long");
    if (o->save != NULL)
        strcpy(o->path, o->save);
    snprintf(o->candidate, sizeof o->candidate, "%s.candidate", o->path);
    return true;
}

static bool describe_device(dmm_device *out, cli_error *error)
{
    cli_session session = CLI_SESSION_INIT;
    const bool ok = cli_open_session(&session, error);
    if (ok)
        *out = *dmm_context_device(session.context);
    cli_close_session(&session);
    return ok;
}

/* Prints facts and rows as a tuning file. */
static bool share(const request *o, cli_error *error)
{
    cli_session session = CLI_SESSION_INIT;
    if (o->quick || o->thorough || o->probe || o->word || o->save || o->items)
        return cli_fail(error, CLI_MISTAKE, "--share", "takes no other option of dmm tune");
    const bool ok = cli_open_session(&session, error);
    if (ok) {
        const dmm_device *const device = dmm_context_device(session.context);
        const char *name;
        const dmm_fact *fact;
        dmm_tuned row;
        size_t own = 0;
        printf("dmm tuning 1\n# dmm %s, %s, %s, %s\ndevice %s\ndriver %s\n# facts:", DMM_VERSION,
            device->platform_name, device->version, dmm_device_kind_name(device->kind),
            device->name, device->driver);
        for (size_t i = 0; (fact = dmm_device_fact(device, i, &name)); i++)
            printf(" %s=%" PRIu64, name, fact->value);
        printf("\n");
        for (size_t i = 0; dmm_context_tuned(&row, session.context, i) == DMM_OK; i++) {
            const bool is_own = row.source == DMM_SOURCE_FILE;
            char bytes[16] = "*";
            if (row.item_bytes != UINT32_MAX)
                snprintf(bytes, sizeof bytes, "%u", (unsigned)row.item_bytes);
            printf(
                "%stune %s %s %s\n", is_own ? "" : "# built in: ", row.word, bytes, row.settings);
            own += is_own;
        }
        if (own == 0)
            printf("# no row of its own yet: dmm tune makes them\n");
    }
    cli_close_session(&session);
    return ok;
}

/* True if the CPU form is tuned: the device's form, or that of --set or DMM_SET. */
static bool is_cpu(const dmm_device *device)
{
    const char *const set = cli_global.set != NULL ? cli_global.set : getenv("DMM_SET");
    if (set != NULL && strstr(set, "form=") != NULL)
        return strstr(set, "form=cpu") != NULL;
    return device->kind == DMM_KIND_CPU;
}

static uint64_t default_items(const dmm_device *device, bool thorough)
{
    if (device->kind == DMM_KIND_SIMULATOR)
        return 2048;
    const uint64_t items = device->kind == DMM_KIND_CPU ? 1 << 19 : 1 << 22;
    return thorough ? 8 * items : items;
}

/* Runs the probe in its own process, because limits are found by trying. */
static void run_probe(tune_output *facts)
{
    const char *const operands[] = {"probe", NULL};
    const tune_outcome outcome = tune_child("", operands, PROBE_SECONDS, facts);
    if (outcome != TUNE_OK)
        printf("# the probe did not end well: %s\n", tune_outcome_name(outcome));
    /* removes a line that was cut by a crash */
    while (facts->bytes != 0 && facts->text[facts->bytes - 1] != '\n')
        facts->bytes--;
    facts->text[facts->bytes] = '\0';
    fputs(facts->text, stdout);
}

static void print_one(const tune_found *f)
{
    printf("%-15s %3u bytes ", f->word, (unsigned)f->item_bytes);
    if (f->outcome != TUNE_OK)
        printf(" %s\n", tune_outcome_name(f->outcome));
    else if (f->best_ns == 0)
        printf(" radix %s\n",
            f->settings[0] != '\0' ? f->settings : " from as many items as by default");
    else
        printf("%9.1f M items/s  %5.2f of the default %s%s\n",
            1e3 * (double)f->items / (double)f->best_ns, (double)f->default_ns / (double)f->best_ns,
            f->settings,
            f->is_cut                ? " (not all was tried)"
            : f->settings[0] != '\0' ? ""
                                     : " (nothing is better)");
    if (f->failed != 0)
        printf("    %u of %u trials crashed, hung or were wrong\n", f->failed, f->trials);
}

static bool search(tune_search *s, const request *o, const char *facts, cli_error *error)
{
    char head[512];
    snprintf(head, sizeof head, "trials of dmm %s, %s, driver %s, %s, set %s", DMM_VERSION,
        s->device->name, s->device->driver, s->thorough ? "thorough" : "quick",
        cli_global.set != NULL ? cli_global.set : "");
    if (!tune_check_file(o->path, error) || !tune_record_open(&s->record, o->path, head, error))
        return false;
    if (s->record.known != 0)
        printf("goes on: %zu trials are known\n", s->record.known);
    fflush(stdout);
    if (!tune_find(s, error))
        return false;
    cli_progress_end();
    for (size_t i = 0; i < s->num_found; i++)
        print_one(&s->found[i]);
    if (!tune_save(o->path, s, facts, error))
        return false;
    printf("written to %s\n", o->path);
    if (s->ended_early)
        printf("The time was up before all was tried: the same call goes on.\n");
    return true;
}

static bool run(const request *o, cli_error *error)
{
    dmm_device device;
    tune_output facts = {.bytes = 0};
    if (!describe_device(&device, error))
        return false;
    tune_search *const s = calloc(1, sizeof *s);
    if (s == NULL)
        return cli_fail_memory(error, NULL, sizeof *s);
    const uint64_t start = tune_now_ns();
    s->device = &device;
    s->cpu = is_cpu(&device);
    s->thorough = o->thorough;
    s->word = o->word != NULL ? o->word : "";
    s->items = o->items != 0 ? o->items : default_items(&device, o->thorough);
    s->deadline_ns = o->thorough ? 0 : start + QUICK_SECONDS * (uint64_t)1000000000u;
    s->candidate = o->candidate;
    printf("%s (%s), driver %s\n", device.name, dmm_device_kind_name(device.kind), device.driver);
    fflush(stdout);
    run_probe(&facts);
    const int slot = cli_leftover_add(o->candidate);
    const bool ok = o->probe || search(s, o, facts.text, error);
    remove(o->candidate);
    cli_leftover_drop(slot);
    tune_record_close(&s->record, !ok || s->ended_early);
    free(s);
    return ok;
}

int dmm_cli_tune(int argc, char **argv)
{
    cli_error error = {0};
    cli_session session = CLI_SESSION_INIT;
    request o = {.quick = false};
    char **operands = NULL;
    int count = 0;
    if (!parse(&o, argc, argv, &operands, &count, &error))
        return cli_finish(&error);
    if (count == TRIAL_OPERANDS && strcmp(operands[0], "trial") == 0)
        trial_main(&session, operands, &error);
    else if (count == 1 && strcmp(operands[0], "probe") == 0)
        probe_main(&session, &error);
    else if (count != 0)
        cli_fail(&error, CLI_MISTAKE, NULL, "too many operands: see dmm tune --help");
    else if (o.share)
        share(&o, &error);
    else if (check_options(&o, &error))
        run(&o, &error);
    cli_close_session(&session);
    return cli_finish(&error);
}
