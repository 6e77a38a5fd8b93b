/* SPDX-License-Identifier: MIT */
/* Windows: streams, folders, memory, crashes. */
#include <errno.h>
#include <signal.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "session.h"
#include "system.h"

/* Set once, before there is a second thread. */
static void (*clean)(void);
static int (*report)(void *user, long number);
static void *report_user;

void cli_system_start(void)
{
    static const DWORD names[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    _fmode = _O_BINARY; /* mode of fopen */
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        const HANDLE handle = GetStdHandle(names[stream]);
        if (handle == NULL || handle == INVALID_HANDLE_VALUE) {
            const int null = _open("NUL", stream == STDIN_FILENO ? _O_WRONLY : _O_RDONLY);
            if (null < 0 || (null != stream && _dup2(null, stream) != 0))
                _exit(1); /* a file would get the descriptor */
            if (null > STDERR_FILENO)
                close(null);
        }
        _setmode(stream, _O_BINARY);
    }
    setvbuf(stderr, NULL, _IONBF, 0);
    SetErrorMode(
        SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); /* no window when a driver crashes */
}

static BOOL WINAPI end_by_console(DWORD event)
{
    (void)event;
    clean();
    return FALSE; /* the next handler ends the process */
}

static LONG WINAPI end_by_crash(EXCEPTION_POINTERS *about)
{
    if (clean)
        clean();
    if (report)
        _exit(report(report_user, (long)about->ExceptionRecord->ExceptionCode));
    return EXCEPTION_CONTINUE_SEARCH;
}

static void end_by_abort(int number)
{
    clean();
    if (report)
        _exit(report(report_user, number));
    signal(number, SIG_DFL);
    raise(number);
}

void cli_system_watch(void (*clean_files)(void))
{
    clean = clean_files;
    SetConsoleCtrlHandler(end_by_console, TRUE);
    SetUnhandledExceptionFilter(end_by_crash);
    signal(SIGABRT, end_by_abort);
}

const char *cli_last_slash(const char *path)
{
    const char *last = NULL;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\' || (*at == ':' && at == path + 1))
            last = at;
    return last;
}

const char *cli_temporary_folder(void)
{
    const char *const folder = getenv("TEMP");
    return folder && folder[0] ? folder : ".";
}

bool cli_user_cache(char *path, size_t bytes)
{
    const char *const base = getenv("LOCALAPPDATA");
    if (base == NULL || base[0] == '\0')
        return false;
    snprintf(path, bytes, "%s", base);
    return true;
}

void cli_own_program(char *path, size_t bytes)
{
    const DWORD length = GetModuleFileNameA(NULL, path, (DWORD)bytes);
    path[length < bytes ? length : 0] = '\0';
}

bool cli_space_left(const char *folder, cli_space *space)
{
    ULARGE_INTEGER left;
    struct stat info;
    if (!GetDiskFreeSpaceExA(folder, &left, NULL, NULL) || stat(folder, &info) != 0)
        return false;
    *space = (cli_space){left.QuadPart, info.st_dev};
    return true;
}

FILE *cli_open_memory(char **text, size_t *bytes)
{
    const int file = open(cli_temporary_folder(), O_TMPFILE | O_RDWR);
    FILE *const opened = file >= 0 ? _fdopen(file, "w+b") : NULL;
    *text = NULL;
    *bytes = 0;
    if (!opened && file >= 0)
        close(file);
    return opened;
}

bool cli_close_memory(FILE *file, char **text, size_t *bytes)
{
    const bool whole = fflush(file) == 0 && !ferror(file);
    const int64_t size = _ftelli64(file);
    if (whole && size >= 0)
        *text = malloc((size_t)size + 1);
    rewind(file);
    const bool is_read = *text && fread(*text, 1, (size_t)size, file) == (size_t)size;
    *bytes = is_read ? (size_t)size : 0;
    if (is_read)
        (*text)[size] = '\0';
    fclose(file);
    return is_read;
}

void *cli_new_shared(size_t bytes)
{
    return calloc(1, bytes);
}

void cli_free_shared(void *shared, size_t bytes)
{
    (void)bytes;
    report = NULL; /* it uses the memory */
    free(shared);
}

cli_apart cli_go_apart(int (*crashed)(void *user, long number), void *user, int *exit_code)
{
    (void)exit_code;
    report_user = user;
    report = crashed;
    return CLI_APART_HERE;
}
