/* SPDX-License-Identifier: MIT */
/*
 * The library's context with the global options. Its log is shown at once with --verbose, otherwise
 * only after a failure.
 */
#ifndef DMM_CLI_SESSION_H
#define DMM_CLI_SESSION_H

#include <pthread.h>
#include <stddef.h>

#include <dmm/context.h>

#include "error.h"

typedef struct cli_session {
    dmm_context *context;
    pthread_mutex_t lock; /* the library may log from several threads */
    char *log;
    size_t log_bytes;
    char *set; /* DMM_SET and --set; owned */
} cli_session;

#define CLI_SESSION_INIT                               \
    {                                                  \
        NULL, PTHREAD_MUTEX_INITIALIZER, NULL, 0, NULL \
    }

bool cli_open_session(cli_session *session, cli_error *error);
/* As above, on that device regardless of --device. */
bool cli_open_session_on(cli_session *session, cl_device_id device, cli_error *error);
/* As above, on the device that `text` names, by --devices. */
bool cli_open_session_named(cli_session *session, const char *text, cli_error *error);
/* Sets the fields of `desc` that the global options and the session determine, but for the device,
 * for a context that another library creates; its log goes to the session. */
bool cli_describe_session(cli_session *session, dmm_context_desc *desc, cli_error *error);
/* As cli_check, for the status of creating a context. */
bool cli_check_session(cli_session *session, dmm_status status, cli_error *error);
/* CLI_SESSION_INIT is fine. */
void cli_close_session(cli_session *session);

/* True for DMM_OK. Otherwise shows the log and fills the error, with the exit code that fits. */
bool cli_check(cli_session *session, dmm_status status, const char *subject, cli_error *error);

enum { CLI_PATH_BYTES = 4096 };

/* Returns the folder of the running command; "" if unknown. */
void cli_own_folder(char out[CLI_PATH_BYTES]);

/* Returns the folder of compiled programs: --cache, or dmm in $XDG_CACHE_HOME or ~/.cache; NULL if
 * there is none, or for --cache ''. Valid until the next call. */
const char *cli_cache_folder(void);

#endif
