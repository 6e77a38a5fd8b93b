/* SPDX-License-Identifier: MIT */
/*
 * What the library uses of the operating system: threads, random numbers and files. os_posix.c has
 * it for POSIX, os_windows.c for Windows; of the other files only opencl.c depends on the system.
 */
#ifndef DMM_CORE_OS_H
#define DMM_CORE_OS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if !defined(_WIN32)
#include <pthread.h>
#endif

/* Files of plans and programs, kernels and the host exchange numbers as they are in memory. */
#if defined(__BYTE_ORDER__)
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "dmm needs a little-endian processor");
#endif

#if defined(_WIN32)
typedef struct dmm_mutex {
    void *lock; /* an SRWLOCK */
} dmm_mutex;
typedef struct dmm_condition {
    void *variable; /* a CONDITION_VARIABLE */
} dmm_condition;
typedef void *dmm_thread_id; /* a HANDLE */
typedef struct dmm_once {
    void *once; /* an INIT_ONCE */
} dmm_once;
/* clang-format off */
#define DMM_ONCE_INIT {NULL}
/* clang-format on */
#else
typedef pthread_mutex_t dmm_mutex;
typedef pthread_cond_t dmm_condition;
typedef pthread_t dmm_thread_id;
typedef pthread_once_t dmm_once;
#define DMM_ONCE_INIT PTHREAD_ONCE_INIT
#endif

/* True if the system had the memory. */
int dmm_mutex_init(dmm_mutex *mutex);
void dmm_mutex_destroy(dmm_mutex *mutex);
void dmm_mutex_lock(dmm_mutex *mutex);
void dmm_mutex_unlock(dmm_mutex *mutex);

/* True if the system had the memory. */
int dmm_condition_init(dmm_condition *condition);
void dmm_condition_destroy(dmm_condition *condition);
/* Unlocks the mutex, waits, and locks it again; may return without a cause. */
void dmm_condition_wait(dmm_condition *condition, dmm_mutex *mutex);
void dmm_condition_broadcast(dmm_condition *condition);

/* Runs the function if no thread has, and waits until it has run. */
void dmm_once_run(dmm_once *once, void (*function)(void));

/* A thread; stays where it is until it has been joined. */
typedef struct dmm_thread {
    dmm_thread_id id;
    void (*run)(void *user);
    void *user;
} dmm_thread;

/* True if a thread was started, which must be joined. */
int dmm_thread_start(dmm_thread *thread, void (*run)(void *user), void *user);
void dmm_thread_join(dmm_thread *thread);

/* Returns the number of processors, at least 1. */
unsigned dmm_os_processors(void);
/* Returns a number that a forked child does not share with its parent. */
long dmm_os_process(void);
/* True if the system filled the bytes with random ones. */
int dmm_os_random(void *bytes, size_t count);

/* Paths have at most so many bytes. */
enum { DMM_PATH_BYTES = 4096 };

/* Writes the path of a file of the user's settings, such as "tuning", and returns it; NULL if the
 * user has no folder for settings. POSIX: $XDG_CONFIG_HOME or ~/.config; Windows: %APPDATA%. */
const char *dmm_os_settings_file(char path[DMM_PATH_BYTES], const char *name);

typedef enum dmm_file_result {
    DMM_FILE_READ,
    DMM_FILE_ABSENT,
    DMM_FILE_REFUSED, /* it cannot be read, is not a regular file, is too large or not private */
    DMM_FILE_NO_MEMORY
} dmm_file_result;

/* Whose files are read and replaced. */
typedef enum dmm_file_trust {
    DMM_FILE_ANY,
    DMM_FILE_PRIVATE /* nobody but this user and the administrator can write it; no link */
} dmm_file_trust;

/* Reads a file of at most `most` bytes into new memory, with a 0 after the last byte. Does not
 * block on a FIFO. */
dmm_file_result dmm_file_read(
    const char *path, size_t most, dmm_file_trust trust, char **data, size_t *bytes);

typedef struct dmm_file_part {
    const void *data;
    size_t bytes;
} dmm_file_part;

/* Writes a file that this user alone can write, under a temporary name, and renames it: readers see
 * all of it, or the old file. DMM_FILE_PRIVATE: it takes the place of whatever is there. Otherwise
 * links are followed, an old file keeps its rights and is replaced by what is on the disk, and what
 * is no regular file is refused. The name is PATH.dmm-TRY, which the next call takes after a kill;
 * on Windows PATH.XXXXXX. Returns NULL, or why not, in `why`. */
enum { DMM_FILE_WHY_BYTES = 256 };
const char *dmm_file_replace(const char *path, dmm_file_trust trust, const dmm_file_part *parts,
    size_t count, char why[DMM_FILE_WHY_BYTES]);

/* Sets the time of the last change to now. */
void dmm_file_touch(const char *path);
/* True if the file is gone. */
int dmm_file_remove(const char *path);
/* Returns the bytes of an open regular file; 0 for another kind of file. */
uint64_t dmm_file_bytes(FILE *file);

/* Creates a folder and its parents, for this user alone. Errors show up later, when a file is
 * opened. */
void dmm_folder_make(const char *path);

typedef struct dmm_folder_entry {
    const char *name;
    uint64_t bytes;
    int64_t changed; /* when it last changed: seconds since 1970 */
} dmm_folder_entry;

/* Calls `each` for the entries of a folder until it returns another value than 0, and returns that.
 * A folder that does not exist is empty; -1: it cannot be read. */
int dmm_folder_list(
    const char *path, int (*each)(void *user, const dmm_folder_entry *entry), void *user);

#endif
