/* SPDX-License-Identifier: MIT */
/*
 * What the command uses of the operating system where POSIX and Windows differ in kind: posix*.c
 * and windows*.c. The other files of the command call POSIX's functions for files; on Windows
 * windows_posix.h has those.
 */
#ifndef DMM_CLI_SYSTEM_H
#define DMM_CLI_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Opens each closed standard stream on the null device, so that no file gets its descriptor. POSIX:
 * describes a machine without /sys to PoCL; Windows: files and streams are not translated. The
 * first call of a program, before a file is opened, OpenCL is called or a thread is started. */
void cli_system_start(void);

/* Calls `clean` before the process is ended from outside or by a crash, on any thread at any time.
 * Signals that the caller ignores (nohup) stay ignored. Before other threads are started. */
void cli_system_watch(void (*clean)(void));

/* Returns the slash before the last name of a path; NULL: it has none. Windows: or the backslash,
 * or the colon of a drive. */
const char *cli_last_slash(const char *path);
/* Makes changes of names in the folder of a path last through a power failure, if the file system
 * can; false, with errno: writing failed. */
bool cli_sync_names(const char *path);
/* Returns the folder of temporary files. */
const char *cli_temporary_folder(void);
/* Writes the folder of the user's cache; false: there is none. */
bool cli_user_cache(char *path, size_t bytes);
/* Writes the path of the running program; "" if unknown. */
void cli_own_program(char *path, size_t bytes);

/* Writes the system's name and release, and the processor's kind. */
void cli_system_name(char *text, size_t bytes);
/* Returns the bytes of the machine's memory; 0: unknown. */
uint64_t cli_memory_bytes(void);

typedef struct cli_space {
    uint64_t bytes;       /* bytes that this user may still write */
    uint64_t file_system; /* a number of the file system */
} cli_space;

/* True if the system says how much space is left in a folder. */
bool cli_space_left(const char *folder, cli_space *space);

/* Opens a file in memory, whose text cli_close_memory returns (free it); NULL: no memory. */
FILE *cli_open_memory(char **text, size_t *bytes);
/* True if the text is whole. */
bool cli_close_memory(FILE *file, char **text, size_t *bytes);

/* Returns zeroed memory that a child process shares with its parent; NULL: there is none. */
void *cli_new_shared(size_t bytes);
void cli_free_shared(void *shared, size_t bytes);

/* What the number of a crash is, for printf. */
#ifdef _WIN32
#define CLI_CRASH "exception %08lx"
#else
#define CLI_CRASH "signal %ld"
#endif

typedef enum cli_apart {
    CLI_APART_HERE,   /* this is the child: go on, and return */
    CLI_APART_ENDED,  /* the child has ended */
    CLI_APART_FAILED, /* there is no child; errno says why */
} cli_apart;

/* Goes on in a child process, for what may crash; the parent waits for its end, which `exit_code`
 * is: the child's own, or what `crashed` returns, called with the number of the signal or, on
 * Windows, of the exception. Windows: there is no child; a crash calls `crashed` and ends the
 * process with that exit code. */
cli_apart cli_go_apart(int (*crashed)(void *user, long number), void *user, int *exit_code);

typedef enum cli_run_end {
    CLI_RUN_EXITED,
    CLI_RUN_CRASHED,
    CLI_RUN_HUNG,
    CLI_RUN_NONE
} cli_run_end;

typedef struct cli_self {
    const char *const *words; /* arguments after the name; the last one is NULL */
    unsigned seconds;         /* the process is ended after so many */
    bool is_quiet;            /* standard error is dropped */
    char *text;               /* receives the beginning of standard output, with a 0 */
    size_t capacity;          /* bytes of text */
} cli_self;

/* Runs this program again and waits for it. CLI_RUN_EXITED: with *exit_code; CLI_RUN_NONE: it could
 * not be started. */
cli_run_end cli_run_self(const cli_self *self, size_t *bytes, int *exit_code);

#endif
