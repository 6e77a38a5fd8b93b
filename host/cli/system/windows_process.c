/* SPDX-License-Identifier: MIT */
/* Windows: child processes. */
#include <process.h>
#include <stdbool.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "session.h"
#include "system.h"

enum { LINE_BYTES = 32768, HUNG_CODE = 0x64 };

/* Appends a word as CommandLineToArgvW splits it; false: no room. */
static bool add_word(char line[LINE_BYTES], size_t *used, const char *word)
{
    size_t backslashes = 0;
    if (*used + 2 * strlen(word) + 4 > LINE_BYTES)
        return false;
    if (*used > 0)
        line[(*used)++] = ' ';
    line[(*used)++] = '"';
    for (; *word; word++) {
        backslashes = *word == '\\' ? backslashes + 1 : 0;
        if (*word == '"')
            for (size_t i = *used; i > 0 && line[i - 1] == '\\'; i--)
                line[(*used)++] = '\\';
        if (*word == '"')
            line[(*used)++] = '\\';
        line[(*used)++] = *word;
    }
    for (; backslashes > 0; backslashes--)
        line[(*used)++] = '\\';
    line[(*used)++] = '"';
    line[*used] = '\0';
    return true;
}

static bool start(const cli_self *self, HANDLE output, PROCESS_INFORMATION *child)
{
    static char line[LINE_BYTES];
    char program[CLI_PATH_BYTES];
    size_t used = 0;
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    cli_own_program(program, sizeof program);
    bool fits = add_word(line, &used, "dmm");
    for (const char *const *word = self->words; fits && *word; word++)
        fits = add_word(line, &used, *word);
    if (!fits)
        return false;
    const HANDLE nowhere = CreateFileA("NUL", GENERIC_READ | GENERIC_WRITE,
        FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, OPEN_EXISTING, 0, NULL);
    STARTUPINFOA streams = {.cb = sizeof streams,
        .dwFlags = STARTF_USESTDHANDLES,
        .hStdInput = nowhere,
        .hStdOutput = output,
        .hStdError = self->is_quiet ? nowhere : GetStdHandle(STD_ERROR_HANDLE)};
    const bool started =
        CreateProcessA(program, line, NULL, NULL, TRUE, 0, NULL, NULL, &streams, child);
    CloseHandle(nowhere);
    return started;
}

/* What the thread that ends a child needs. */
typedef struct watch {
    HANDLE child;
    DWORD milliseconds;
    bool has_ended_it;
} watch;

static unsigned __stdcall end_when_late(void *user)
{
    watch *const w = user;
    if (WaitForSingleObject(w->child, w->milliseconds) == WAIT_TIMEOUT)
        w->has_ended_it = TerminateProcess(w->child, HUNG_CODE);
    return 0;
}

/* Reads until the child closes its end. Keeps the beginning. */
static void read_all(HANDLE from, const cli_self *self, size_t *bytes)
{
    char part[1024];
    DWORD got = 0;
    while (ReadFile(from, part, sizeof part, &got, NULL) && got > 0) {
        const size_t space = self->capacity - 1 - *bytes, some = got < space ? got : space;
        memcpy(self->text + *bytes, part, some);
        *bytes += some;
    }
    self->text[*bytes] = '\0';
}

cli_run_end cli_run_self(const cli_self *self, size_t *bytes, int *exit_code)
{
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    HANDLE from = NULL, to = NULL;
    PROCESS_INFORMATION child;
    DWORD code = 0;
    *bytes = 0;
    self->text[0] = '\0';
    if (!CreatePipe(&from, &to, &inherited, 0))
        return CLI_RUN_NONE;
    SetHandleInformation(from, HANDLE_FLAG_INHERIT, 0);
    const bool started = start(self, to, &child);
    CloseHandle(to);
    if (!started) {
        CloseHandle(from);
        return CLI_RUN_NONE;
    }
    watch late = {child.hProcess, self->seconds * 1000, false};
    const HANDLE thread = (HANDLE)_beginthreadex(NULL, 0, end_when_late, &late, 0, NULL);
    read_all(from, self, bytes);
    CloseHandle(from);
    WaitForSingleObject(child.hProcess, INFINITE);
    if (thread) {
        WaitForSingleObject(thread, INFINITE);
        CloseHandle(thread);
    }
    GetExitCodeProcess(child.hProcess, &code);
    CloseHandle(child.hThread);
    CloseHandle(child.hProcess);
    *exit_code = (int)code;
    if (late.has_ended_it)
        return CLI_RUN_HUNG;
    /* the codes of exceptions begin with 0xC, the code of abort() is 3 as that of a failed check */
    return code >= 0x80000000u ? CLI_RUN_CRASHED : CLI_RUN_EXITED;
}
