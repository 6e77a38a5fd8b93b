/* SPDX-License-Identifier: MIT */
/* Opens the library's context and turns its statuses into errors of the command. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session.h"
#include "option.h"
#include "progress.h"
#include "system/system.h"

enum { LOG_BYTES_MAX = 1 << 16 };

static void keep_line(cli_session *session, const char *line)
{
    size_t bytes = strlen(line);
    if (session->log_bytes + bytes + 2 > LOG_BYTES_MAX)
        return;
    char *longer = realloc(session->log, session->log_bytes + bytes + 2);
    if (!longer)
        return;
    memcpy(longer + session->log_bytes, line, bytes);
    session->log = longer;
    session->log_bytes += bytes + 1;
    longer[session->log_bytes - 1] = '\n';
    longer[session->log_bytes] = '\0';
}

static void take_line(void *user, const char *line)
{
    cli_session *session = user;
    pthread_mutex_lock(&session->lock);
    if (cli_global.verbose)
        fprintf(stderr, "dmm: %s\n", line);
    else
        keep_line(session, line);
    pthread_mutex_unlock(&session->lock);
}

/* Returns the exit code: mistakes of the call, or failures of the device. */
static int exit_code_of(dmm_status status)
{
    switch (status) {
    case DMM_BAD_VALUE:
    case DMM_BAD_SETTING:
    case DMM_BAD_PARAMETERS:
    case DMM_UNSUPPORTED:
        return CLI_MISTAKE;
    default:
        return CLI_DEVICE;
    }
}

bool cli_check(cli_session *session, dmm_status status, const char *subject, cli_error *error)
{
    if (status == DMM_OK)
        return true;
    cli_progress_end();
    if (session->log)
        fputs(session->log, stderr);
    /* The library's texts refer to its log, which the user has just seen. */
    const char *reason = status == DMM_BUILD_FAILED  ? "a kernel did not compile: see above"
                         : status == DMM_BAD_SETTING ? "unknown name or bad value: see above"
                                                     : dmm_status_string(status);
    return cli_fail(error, exit_code_of(status), subject, "%s", reason);
}

/* Returns the option or variable that chose the device or its settings; NULL: none. */
static const char *culprit(dmm_status status, const char *device_text)
{
    if (status == DMM_NO_DEVICE && device_text != cli_global.device)
        return "--devices";
    if (status == DMM_NO_DEVICE)
        return cli_global.device ? "--device" : getenv("DMM_DEVICE") ? "DMM_DEVICE" : NULL;
    if (status == DMM_BAD_SETTING)
        return cli_global.set ? "--set" : "DMM_SET";
    return NULL;
}

/* True if the file is one for tuning, by its first line. The library leaves a wrong file out; here
 * the user has asked for this one. */
static bool check_tuning_file(const char *path, cli_error *error)
{
    static const char expected[] = "dmm tuning ";
    char line[sizeof expected - 1] = "";
    struct stat info;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return cli_fail_errno(error, path, "cannot read this tuning file");
    const bool ok = fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
                    read(file, line, sizeof line) == (ssize_t)sizeof line &&
                    memcmp(line, expected, sizeof line) == 0;
    close(file);
    return ok || cli_fail(error, CLI_MISTAKE, path,
                     "is not a tuning file: its first line must be 'dmm tuning 1'");
}

/* Joins DMM_SET and --set, which takes precedence. */
static bool join_settings(cli_session *session, cli_error *error)
{
    const char *const variable = getenv("DMM_SET") ? getenv("DMM_SET") : "";
    const char *const given = cli_global.set ? cli_global.set : "";
    const size_t bytes = strlen(variable) + strlen(given) + 2;
    free(session->set);
    session->set = malloc(bytes);
    if (!session->set)
        return cli_fail(error, CLI_DEVICE, NULL, "out of memory");
    snprintf(session->set, bytes, "%s,%s", variable, given);
    return true;
}

bool cli_describe_session(cli_session *session, dmm_context_desc *desc, cli_error *error)
{
    if (!join_settings(session, error))
        return false;
    desc->set = session->set;
    desc->cache = cli_cache_folder();
    desc->cache_always = cli_global.cache != NULL;
    desc->tuning = cli_global.tuning;
    desc->log = take_line;
    desc->log_user = session;
    desc->progress = cli_progress_shows() ? cli_progress_part : NULL;
    return desc->tuning == NULL || desc->tuning[0] == '\0' ||
           check_tuning_file(desc->tuning, error);
}

bool cli_check_session(cli_session *session, dmm_status status, cli_error *error)
{
    return cli_check(session, status, culprit(status, cli_global.device), error);
}

static bool open_session(cli_session *session, const dmm_context_desc *device, cli_error *error)
{
    dmm_context_desc desc = *device;
    if (!cli_describe_session(session, &desc, error))
        return false;
    const dmm_status status = dmm_context_create(&session->context, &desc);
    return cli_check(session, status, culprit(status, device->device_text), error);
}

bool cli_open_session(cli_session *session, cli_error *error)
{
    return open_session(session, &(dmm_context_desc){.device_text = cli_global.device}, error);
}

bool cli_open_session_on(cli_session *session, cl_device_id device, cli_error *error)
{
    return open_session(session, &(dmm_context_desc){.device = device}, error);
}

bool cli_open_session_named(cli_session *session, const char *text, cli_error *error)
{
    return open_session(session, &(dmm_context_desc){.device_text = text}, error);
}

void cli_close_session(cli_session *session)
{
    dmm_context_free(session->context);
    free(session->log);
    free(session->set);
    session->context = NULL;
    session->log = NULL;
    session->set = NULL;
}

void cli_own_folder(char out[CLI_PATH_BYTES])
{
    cli_own_program(out, CLI_PATH_BYTES);
    const char *const slash = cli_last_slash(out);
    if (slash)
        out[slash - out] = '\0';
}

const char *cli_cache_folder(void)
{
    static char path[4000];
    if (cli_global.cache != NULL)
        return cli_global.cache[0] != '\0' ? cli_global.cache : NULL;
    if (!cli_user_cache(path, sizeof path - sizeof "/dmm"))
        return NULL;
    return strcat(path, "/dmm");
}
