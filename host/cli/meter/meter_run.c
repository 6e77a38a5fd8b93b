/* SPDX-License-Identifier: MIT */
/*
 * Runs a program under Oclgrind with the meter's plugin, or on its device with the meter's layer.
 * Both are configured through the environment (host/meter/settings.h) and write into a temporary
 * file, which is read here. A program that uses dmm gets the same banks and lanes, through
 * DMM_METER_SET.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leftover.h"
#include "meter.h"
#include "option.h"
#include "session.h"

#define PLUGIN        "libdmm_meter.so"
#define LAYER         "libdmm_meter_layer.so"
#define SIMULATOR     "oclgrind"
#define LOCAL_BYTES   "65536" /* Oclgrind's default of 32 KiB is less than devices have */
#define READINGS_NAME "dmm-meter-XXXXXX"

enum { PATH_BYTES = METER_PATH_BYTES, EXIT_NOT_RUN = 127 };

#ifndef DMM_METER_FOLDER
#define DMM_METER_FOLDER "../lib/dmm" /* an installed plugin's, from the command's folder */
#endif

/* Folders of the plugin relative to the command's: installed, or in the build. */
static const char *const plugin_folders[] = {DMM_METER_FOLDER, "host/meter", "."};

bool meter_find_program(char out[METER_PATH_BYTES], const char *name)
{
    const char *path = strchr(name, '/') ? "" : getenv("PATH");
    while (path) {
        size_t bytes = strcspn(path, ":");
        const char *slash = bytes && path[bytes - 1] != '/' ? "/" : "";
        int written = snprintf(out, PATH_BYTES, "%.*s%s%s", (int)bytes, path, slash, name);
        struct stat found;
        if (written < PATH_BYTES && stat(out, &found) == 0 && S_ISREG(found.st_mode) &&
            access(out, X_OK) == 0)
            return true;
        path = path[bytes] ? path + bytes + 1 : NULL;
    }
    return false;
}

/* Finds a file of the meter: named by the environment, or in a folder of the meter. */
static bool find_part(char *out, const char *part, const char *variable, cli_error *error)
{
    const char *given = getenv(variable);
    if (given && *given) {
        snprintf(out, PATH_BYTES, "%s", given);
        if (access(out, R_OK) == 0)
            return true;
        return cli_fail(error, CLI_DEVICE, given, "%s names no file", variable);
    }
    char self[CLI_PATH_BYTES];
    cli_own_folder(self);
    for (size_t i = 0; i < sizeof plugin_folders / sizeof plugin_folders[0]; i++) {
        int written = snprintf(out, PATH_BYTES, "%s/%s/%s", self, plugin_folders[i], part);
        if (written < PATH_BYTES && access(out, R_OK) == 0)
            return true;
    }
    return cli_fail(error, CLI_DEVICE, part,
        "not found: install the package dmm-meter, or name the file in %s; dmm meter --check says "
        "what is missing",
        variable);
}

bool meter_find_engine(char out[METER_PATH_BYTES], meter_engine engine, cli_error *error)
{
    return engine == METER_DRIVER ? find_part(out, LAYER, "DMM_METER_LAYER", error)
                                  : find_part(out, PLUGIN, "DMM_METER_PLUGIN", error);
}

static void set_number(const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    setenv(name, text, 1);
}

/* Sets DMM_METER_SET, which the library reads: DMM_SET, then --set, then the meter's facts; later
 * settings take precedence. */
static bool set_facts(const dmm_model_local *machine)
{
    enum { OURS_BYTES = 80 };
    const char *inherited = getenv("DMM_SET") ? getenv("DMM_SET") : "";
    const char *given = cli_global.set ? cli_global.set : "";
    size_t space = strlen(inherited) + strlen(given) + OURS_BYTES;
    char *text = malloc(space);
    if (!text)
        return false;
    int used = snprintf(text, space, "%s,%s,banks=%" PRIu32 ",lanes=%" PRIu32, inherited, given,
        machine->banks, machine->lanes);
    if (machine->word_bytes != 4)
        snprintf(text + used, space - (size_t)used, ",bank_bytes=%" PRIu32, machine->word_bytes);
    unsetenv("DMM_SET"); /* else it would come again, and last, in the command */
    bool set = setenv("DMM_METER_SET", text, 1) == 0;
    free(text);
    return set;
}

static bool set_environment(const meter_order *order, const char *readings)
{
    const dmm_model_local *local = &order->machine.local;
    setenv("DMM_METER_READINGS", readings, 1);
    set_number("DMM_METER_BANKS", local->banks);
    set_number("DMM_METER_LANES", local->lanes);
    set_number("DMM_METER_WORD", local->word_bytes);
    set_number("DMM_METER_WRITES_CONFLICT", local->writes_conflict != 0);
    set_number("DMM_METER_READS_CONFLICT", local->reads_conflict != 0);
    set_number("DMM_METER_SEGMENT", order->machine.segment_bytes);
    set_number("DMM_METER_PAGE", order->machine.translation.page_bytes);
    set_number("DMM_METER_TLB", order->machine.translation.nodes);
    set_number("DMM_METER_POLICY", order->machine.translation.eviction);
    set_number("DMM_METER_RESIDENT", order->machine.resident);
    set_number("DMM_METER_LATENCY", order->machine.latency);
    set_number("DMM_METER_CALLS", order->calls);
    set_number("DMM_METER_DIGEST", order->digest);
    set_number("DMM_METER_RUNS", order->runs);
    set_number("DMM_METER_GROUPS", order->groups);
    if (order->pattern)
        setenv("DMM_METER_KERNEL", order->pattern, 1);
    else
        unsetenv("DMM_METER_KERNEL");
    setenv("PYOPENCL_NO_CACHE", "1", 1); /* else it makes programs from binaries, without text */
    if (cli_global.device)
        setenv("DMM_DEVICE", cli_global.device, 1);
    if (cli_global.verbose)
        setenv("DMM_METER_VERBOSE", "1", 1);
    return set_facts(local);
}

/* Puts a file before those that a variable lists. */
static bool put_before(const char *variable, const char *file)
{
    const char *others = getenv(variable);
    size_t space = strlen(file) + (others ? strlen(others) : 0) + 2;
    char *text = malloc(space);
    if (!text)
        return false;
    snprintf(text, space, "%s%s%s", file, others && *others ? ":" : "", others ? others : "");
    bool set = setenv(variable, text, 1) == 0;
    free(text);
    return set;
}

/* In the child: runs the program with the layer before those that the caller set. */
static void become_metered(
    const char *layer, bool preload, const char *executable, char *const *program)
{
    if (preload)
        setenv("DMM_METER_PRELOAD", "1", 1);
    if (put_before(preload ? "LD_PRELOAD" : "OPENCL_LAYERS", layer))
        execv(executable, program);
    _exit(EXIT_NOT_RUN);
}

/* In the child: does not return. */
static void become(const char *simulator, const char *plugin, char *const *program)
{
    size_t count = 0;
    while (program[count])
        count++;
    const char *const options[] = {SIMULATOR, "--local-mem-size", LOCAL_BYTES, "--plugins", plugin};
    const size_t num_options = sizeof options / sizeof options[0];
    const char **words = calloc(num_options + count + 1, sizeof *words);
    if (words) {
        memcpy(words, options, sizeof options);
        memcpy(words + num_options, program, count * sizeof *words);
        execv(simulator, (char *const *)words);
    }
    _exit(EXIT_NOT_RUN);
}

/* Waits, ignoring ^C: it ends the program, and what was read so far is shown. */
static bool await(meter_end *end, pid_t child)
{
    struct sigaction deaf = {.sa_handler = SIG_IGN}, before;
    int status = 0;
    sigemptyset(&deaf.sa_mask);
    sigaction(SIGINT, &deaf, &before);
    pid_t ended;
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        continue;
    sigaction(SIGINT, &before, NULL);
    end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return ended == child;
}

/* As host/meter/settings.h numbers them. */
enum { TIMES_NONE, TIMES_TOO, TIMES_ALONE };

/* `executable` is the simulator, or the program itself. */
static bool run_child(meter_end *end, const meter_order *order, const char *executable,
    const char *engine, const char *readings, int times, cli_error *error)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        return cli_fail_errno(error, order->program[0], "cannot start a process");
    if (child == 0) {
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* it must not continue without us */
#endif
        if (!set_environment(order, readings) ||
            (times == TIMES_ALONE && !freopen("/dev/null", "w", stdout)))
            _exit(EXIT_NOT_RUN);
        set_number("DMM_METER_TIME", (uint64_t)times);
        if (order->engine == METER_DRIVER)
            become_metered(engine, order->preload, executable, order->program);
        become(executable, engine, order->program);
        _exit(EXIT_NOT_RUN);
    }
    if (!await(end, child))
        return cli_fail_errno(error, order->program[0], "cannot wait for it");
    return true;
}

/* Creates an empty file for the plugin to append to; `name` is on the list of leftovers. */
static bool create_readings(char *name, int *slot, FILE **file, cli_error *error)
{
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder)
        folder = "/tmp";
    if (snprintf(name, PATH_BYTES, "%s/" READINGS_NAME, folder) >= PATH_BYTES)
        return cli_fail(error, CLI_MISTAKE, "TMPDIR", "too long");
    int fd = mkstemp(name);
    if (fd < 0)
        return cli_fail_errno(error, folder, "cannot create a file");
    *slot = cli_leftover_add(name);
    *file = fdopen(fd, "r");
    if (*file)
        return true;
    close(fd);
    return cli_fail_memory(error, name, BUFSIZ);
}

/* Runs the program in a file of readings of its own, and reads them. */
static bool run_once(meter_readings *readings, meter_end *end, const meter_order *order,
    const char *executable, const char *engine, int times, cli_error *error)
{
    char name[PATH_BYTES];
    FILE *file = NULL;
    int slot = -1;
    bool done = create_readings(name, &slot, &file, error) &&
                run_child(end, order, executable, engine, name, times, error);
    if (done) {
        done = meter_read(readings, file, order->pattern) || end->signal != 0;
        if (!done)
            cli_fail(error, CLI_DEVICE, name, "the readings are damaged, or of another version");
    }
    if (slot >= 0)
        unlink(name);
    cli_leftover_drop(slot);
    if (file)
        fclose(file);
    return done;
}

/* Runs the program without records, for the times of its kernels. How it ends is seen again when it
 * is metered. */
static bool run_for_times(meter_readings *timed, const meter_order *order, const char *executable,
    const char *engine, cli_error *error)
{
    meter_end end = {0};
    if (order->engine != METER_DRIVER)
        return cli_fail(error, CLI_MISTAKE, "--time", "needs --engine driver");
    return run_once(timed, &end, order, executable, engine, TIMES_ALONE, error);
}

/* Gives the times to the kernels of the same names. */
static void add_times(meter_readings *readings, const meter_readings *timed)
{
    for (size_t i = 0; i < readings->num_kernels; i++)
        for (size_t k = 0; k < timed->num_kernels; k++)
            if (strcmp(readings->kernels[i].name, timed->kernels[k].name) == 0)
                readings->kernels[i].time_ns = timed->kernels[k].metered_ns;
}

bool meter_run(meter_readings *readings, meter_end *end, const meter_order *order, cli_error *error)
{
    char simulator[PATH_BYTES], engine[PATH_BYTES], program[PATH_BYTES];
    const bool simulated = order->engine == METER_OCLGRIND;
    meter_readings timed = {0};
    if (cli_global.set && (strstr(cli_global.set, "banks=") || strstr(cli_global.set, "lanes=")))
        return cli_fail(error, CLI_MISTAKE, "--set", "to the meter say --banks and --lanes");
    if (simulated && !meter_find_program(simulator, SIMULATOR))
        return cli_fail(error, CLI_DEVICE, SIMULATOR,
            "not found: install the package oclgrind, or say --engine driver");
    if (!meter_find_program(program, order->program[0]))
        return cli_fail(error, CLI_MISTAKE, order->program[0], "no such program");
    if (!meter_find_engine(engine, order->engine, error))
        return false;
    if (cli_global.verbose)
        fprintf(stderr, "dmm: meter: %s runs %s with %s\n", simulated ? simulator : "the driver",
            program, engine);
    const char *executable = simulated ? simulator : program;
    const bool done = (!order->time || run_for_times(&timed, order, executable, engine, error)) &&
                      run_once(readings, end, order, executable, engine,
                          order->time ? TIMES_TOO : TIMES_NONE, error);
    add_times(readings, &timed);
    meter_readings_free(&timed);
    return done;
}
