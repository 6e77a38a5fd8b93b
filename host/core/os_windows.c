/* SPDX-License-Identifier: MIT */
/*
 * Windows 7 or later, without a library beside kernel32, advapi32 and the C library. Paths are in
 * the encoding of fopen, the process's code page.
 */
#if defined(_WIN32)
#define _CRT_RAND_S /* rand_s */
#include <stdlib.h>
#endif
#include "core/os.h"

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <aclapi.h>
#include <io.h>
#include <process.h>
#include <sddl.h>
#include <string.h>
#include <sys/stat.h>

_Static_assert(sizeof(dmm_mutex) == sizeof(SRWLOCK), "dmm_mutex");
_Static_assert(sizeof(dmm_condition) == sizeof(CONDITION_VARIABLE), "dmm_condition");
_Static_assert(sizeof(dmm_once) == sizeof(INIT_ONCE), "dmm_once");

int dmm_mutex_init(dmm_mutex *mutex)
{
    InitializeSRWLock((SRWLOCK *)mutex);
    return 1;
}

void dmm_mutex_destroy(dmm_mutex *mutex)
{
    (void)mutex;
}

void dmm_mutex_lock(dmm_mutex *mutex)
{
    AcquireSRWLockExclusive((SRWLOCK *)mutex);
}

void dmm_mutex_unlock(dmm_mutex *mutex)
{
    ReleaseSRWLockExclusive((SRWLOCK *)mutex);
}

int dmm_condition_init(dmm_condition *condition)
{
    InitializeConditionVariable((CONDITION_VARIABLE *)condition);
    return 1;
}

void dmm_condition_destroy(dmm_condition *condition)
{
    (void)condition;
}

void dmm_condition_wait(dmm_condition *condition, dmm_mutex *mutex)
{
    SleepConditionVariableSRW((CONDITION_VARIABLE *)condition, (SRWLOCK *)mutex, INFINITE, 0);
}

void dmm_condition_broadcast(dmm_condition *condition)
{
    WakeAllConditionVariable((CONDITION_VARIABLE *)condition);
}

static BOOL CALLBACK run_once(INIT_ONCE *once, void *function, void **unused)
{
    (void)once;
    (void)unused;
    (*(void (**)(void))function)();
    return TRUE;
}

void dmm_once_run(dmm_once *once, void (*function)(void))
{
    InitOnceExecuteOnce((INIT_ONCE *)once, run_once, (void *)&function, NULL);
}

static unsigned __stdcall run(void *user)
{
    dmm_thread *const thread = user;
    thread->run(thread->user);
    return 0;
}

int dmm_thread_start(dmm_thread *thread, void (*function)(void *user), void *user)
{
    thread->run = function;
    thread->user = user;
    thread->id = (void *)_beginthreadex(NULL, 0, run, thread, 0, NULL);
    return thread->id != NULL;
}

void dmm_thread_join(dmm_thread *thread)
{
    WaitForSingleObject(thread->id, INFINITE);
    CloseHandle(thread->id);
}

unsigned dmm_os_processors(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors > 0 ? (unsigned)info.dwNumberOfProcessors : 1;
}

long dmm_os_process(void)
{
    return (long)GetCurrentProcessId();
}

int dmm_os_random(void *bytes, size_t count)
{
    unsigned word = 0;
    for (size_t i = 0; i < count; i++, word >>= 8) {
        if (i % sizeof word == 0 && rand_s(&word) != 0)
            return 0;
        ((unsigned char *)bytes)[i] = (unsigned char)word;
    }
    return 1;
}

const char *dmm_os_settings_file(char path[DMM_PATH_BYTES], const char *name)
{
    const char *const base = getenv("APPDATA");
    if (base == NULL || base[0] == '\0')
        return NULL;
    snprintf(path, DMM_PATH_BYTES, "%s\\dmm\\%s", base, name);
    return path;
}

/* Returns the token's user, to be freed; NULL if the system does not say. */
static TOKEN_USER *new_user(void)
{
    HANDLE token = NULL;
    DWORD bytes = 0;
    TOKEN_USER *user = NULL;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
        return NULL;
    GetTokenInformation(token, TokenUser, NULL, 0, &bytes);
    if (bytes != 0)
        user = malloc(bytes);
    if (user != NULL && !GetTokenInformation(token, TokenUser, user, bytes, &bytes)) {
        free(user);
        user = NULL;
    }
    CloseHandle(token);
    return user;
}

/* True if the account is this user, an administrator, the system, or whoever owns the file. */
static int is_trusted(PSID account, const TOKEN_USER *user)
{
    return EqualSid(account, user->User.Sid) ||
           IsWellKnownSid(account, WinBuiltinAdministratorsSid) ||
           IsWellKnownSid(account, WinLocalSystemSid) ||
           IsWellKnownSid(account, WinCreatorOwnerRightsSid);
}

/* True if an entry of a list lets no account write but trusted ones. */
static int is_harmless(const ACE_HEADER *entry, const TOKEN_USER *user)
{
    const DWORD writes = FILE_WRITE_DATA | FILE_APPEND_DATA | DELETE | WRITE_DAC | WRITE_OWNER |
                         GENERIC_WRITE | GENERIC_ALL;
    const ACCESS_ALLOWED_ACE *const allowed = (const ACCESS_ALLOWED_ACE *)entry;
    if (entry->AceType == ACCESS_DENIED_ACE_TYPE || (entry->AceFlags & INHERIT_ONLY_ACE) != 0)
        return 1;
    return entry->AceType == ACCESS_ALLOWED_ACE_TYPE &&
           ((allowed->Mask & writes) == 0 || is_trusted((PSID)&allowed->SidStart, user));
}

/*
 * True if nobody but this user, administrators and the system can have written the file. A program
 * of someone else would run with this user's rights, and the checksum does not stop a forger.
 */
static int is_private(HANDLE file)
{
    PSECURITY_DESCRIPTOR about = NULL;
    PSID owner = NULL;
    ACL *list = NULL;
    TOKEN_USER *const user = new_user();
    int private = user != NULL &&
                  GetSecurityInfo(file, SE_FILE_OBJECT,
                      OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION, &owner, NULL, &list,
                      NULL, &about) == ERROR_SUCCESS &&
                  owner != NULL && list != NULL && is_trusted(owner, user);
    for (DWORD i = 0; private && i < list->AceCount; i++) {
        void *entry = NULL;
        private = GetAce(list, i, &entry) && is_harmless(entry, user);
    }
    LocalFree(about);
    free(user);
    return private;
}

static dmm_file_result read_open(HANDLE file, size_t size, char **data, size_t *bytes)
{
    size_t at = 0;
    DWORD got = 0;
    if ((*data = malloc(size + 1)) == NULL)
        return DMM_FILE_NO_MEMORY;
    while (at < size && ReadFile(file, *data + at, (DWORD)(size - at), &got, NULL) && got > 0)
        at += got; /* the file may have become shorter */
    (*data)[at] = '\0';
    *bytes = at;
    return DMM_FILE_READ;
}

dmm_file_result dmm_file_read(
    const char *path, size_t most, dmm_file_trust trust, char **data, size_t *bytes)
{
    BY_HANDLE_FILE_INFORMATION about;
    dmm_file_result result = DMM_FILE_REFUSED;
    const DWORD no_link = trust == DMM_FILE_PRIVATE ? FILE_FLAG_OPEN_REPARSE_POINT : 0;
    const DWORD odd = FILE_ATTRIBUTE_DIRECTORY | (no_link != 0 ? FILE_ATTRIBUTE_REPARSE_POINT : 0);
    const HANDLE file = CreateFileA(path, GENERIC_READ,
        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING, no_link, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return GetLastError() == ERROR_FILE_NOT_FOUND || GetLastError() == ERROR_PATH_NOT_FOUND
                   ? DMM_FILE_ABSENT
                   : DMM_FILE_REFUSED;
    if (GetFileType(file) == FILE_TYPE_DISK && GetFileInformationByHandle(file, &about) &&
        (about.dwFileAttributes & odd) == 0 && about.nFileSizeHigh == 0 &&
        about.nFileSizeLow <= most && (trust == DMM_FILE_ANY || is_private(file)))
        result = read_open(file, about.nFileSizeLow, data, bytes);
    CloseHandle(file);
    return result;
}

/* Fills what a new file or folder needs to be this user's alone; the descriptor is freed with
 * LocalFree. Where that fails, a file gets the rights of its folder; is_private then decides. */
static SECURITY_ATTRIBUTES *own_rights(SECURITY_ATTRIBUTES *rights, int is_folder)
{
    char text[512];
    char *sid = NULL;
    TOKEN_USER *const user = new_user();
    const char *const inherit = is_folder ? "OICI" : "";
    *rights = (SECURITY_ATTRIBUTES){.nLength = sizeof *rights};
    if (user != NULL && ConvertSidToStringSidA(user->User.Sid, &sid)) {
        snprintf(text, sizeof text, "D:P(A;%s;FA;;;SY)(A;%s;FA;;;BA)(A;%s;FA;;;%s)", inherit,
            inherit, inherit, sid);
        ConvertStringSecurityDescriptorToSecurityDescriptorA(
            text, SDDL_REVISION_1, &rights->lpSecurityDescriptor, NULL);
        LocalFree(sid);
    }
    free(user);
    return rights;
}

/* Creates PATH.XXXXXX, writes its name to `own`, and opens it. */
static HANDLE create_own(const char *path, char own[DMM_PATH_BYTES + 8])
{
    SECURITY_ATTRIBUTES rights;
    HANDLE file = INVALID_HANDLE_VALUE;
    own_rights(&rights, 0);
    for (int try = 0; try < 100 && file == INVALID_HANDLE_VALUE; try++) {
        unsigned random = 0;
        rand_s(&random);
        snprintf(own, DMM_PATH_BYTES + 8, "%s.%06x", path, random & 0xffffff);
        file = CreateFileA(own, GENERIC_WRITE, 0, &rights, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
        if (file == INVALID_HANDLE_VALUE && GetLastError() != ERROR_FILE_EXISTS)
            break;
    }
    const DWORD error = GetLastError();
    LocalFree(rights.lpSecurityDescriptor);
    SetLastError(error);
    return file;
}

static int write_all(HANDLE file, const dmm_file_part *part)
{
    DWORD done = 0;
    for (size_t at = 0; at < part->bytes; at += done) {
        const size_t left = part->bytes - at;
        if (!WriteFile(file, (const char *)part->data + at,
                left < 1u << 30 ? (DWORD)left : 1u << 30, &done, NULL) ||
            done == 0)
            return 0;
    }
    return 1;
}

const char *dmm_file_replace(const char *path, dmm_file_trust trust, const dmm_file_part *parts,
    size_t count, char why[DMM_FILE_WHY_BYTES])
{
    char own[DMM_PATH_BYTES + 8];
    const HANDLE file = create_own(path, own);
    int written = file != INVALID_HANDLE_VALUE;
    for (size_t i = 0; i < count; i++)
        written = written && write_all(file, &parts[i]);
    written = written && (trust == DMM_FILE_PRIVATE || FlushFileBuffers(file));
    const DWORD error = GetLastError();
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    SetLastError(error);
    if (written && MoveFileExA(own, path, MOVEFILE_REPLACE_EXISTING))
        return NULL;
    const DWORD code = GetLastError();
    if (FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, code, 0,
            why, DMM_FILE_WHY_BYTES, NULL) == 0)
        snprintf(why, DMM_FILE_WHY_BYTES, "error %lu of Windows", (unsigned long)code);
    why[strcspn(why, "\r\n")] = '\0';
    if (file != INVALID_HANDLE_VALUE)
        DeleteFileA(own);
    return why;
}

void dmm_file_touch(const char *path)
{
    FILETIME now;
    const HANDLE file = CreateFileA(path, FILE_WRITE_ATTRIBUTES,
        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
        FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return;
    GetSystemTimeAsFileTime(&now);
    SetFileTime(file, NULL, NULL, &now);
    CloseHandle(file);
}

int dmm_file_remove(const char *path)
{
    return DeleteFileA(path) || GetLastError() == ERROR_FILE_NOT_FOUND ||
           GetLastError() == ERROR_PATH_NOT_FOUND;
}

uint64_t dmm_file_bytes(FILE *file)
{
    struct _stat64 about;
    return _fstat64(_fileno(file), &about) == 0 && (about.st_mode & _S_IFMT) == _S_IFREG
               ? (uint64_t)about.st_size
               : 0;
}

void dmm_folder_make(const char *folder)
{
    char path[DMM_PATH_BYTES];
    SECURITY_ATTRIBUTES rights;
    own_rights(&rights, 1);
    snprintf(path, sizeof path, "%s", folder);
    for (char *at = path; *at != '\0'; at++)
        if ((*at == '/' || *at == '\\') && at != path && at[-1] != ':') {
            const char slash = *at;
            *at = '\0';
            CreateDirectoryA(path, &rights);
            *at = slash;
        }
    CreateDirectoryA(path, &rights);
    LocalFree(rights.lpSecurityDescriptor);
}

/* Converts 100 ns since 1601 to seconds since 1970. */
static int64_t seconds_of(FILETIME time)
{
    const uint64_t ticks = (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime;
    return (int64_t)(ticks / 10000000u) - 11644473600;
}

int dmm_folder_list(
    const char *folder, int (*each)(void *user, const dmm_folder_entry *entry), void *user)
{
    char pattern[DMM_PATH_BYTES + 4];
    WIN32_FIND_DATAA found;
    int result = 0;
    snprintf(pattern, sizeof pattern, "%s\\*", folder);
    const HANDLE search = FindFirstFileA(pattern, &found);
    if (search == INVALID_HANDLE_VALUE)
        return GetLastError() == ERROR_FILE_NOT_FOUND || GetLastError() == ERROR_PATH_NOT_FOUND
                   ? 0
                   : -1;
    do {
        const dmm_folder_entry entry = {found.cFileName,
            (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow,
            seconds_of(found.ftLastWriteTime)};
        result = each(user, &entry);
    } while (result == 0 && FindNextFileA(search, &found));
    FindClose(search);
    return result;
}

#endif
