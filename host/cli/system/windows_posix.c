/* SPDX-License-Identifier: MIT */
/* POSIX's functions for files, by those of Windows. */
#include <errno.h>
#include <stdarg.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

enum { MOST_TRIES = 100, MOST_AT_ONCE = 1 << 24, MOST_TO_CONSOLE = 1 << 13, BLOCK = 512 };

/* Sets errno by the last error, and returns -1. */
static int fail(void)
{
    static const struct {
        DWORD error;
        int number;
    } rows[] = {{ERROR_FILE_NOT_FOUND, ENOENT}, {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT}, {ERROR_BAD_NETPATH, ENOENT}, {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_FILE_EXISTS, EEXIST}, {ERROR_ALREADY_EXISTS, EEXIST}, {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC}, {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE}, {ERROR_INVALID_HANDLE, EBADF},
        {ERROR_BROKEN_PIPE, EPIPE}, {ERROR_NO_DATA, EPIPE}, {ERROR_LOCK_VIOLATION, EWOULDBLOCK},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG}, {ERROR_NOT_SAME_DEVICE, EXDEV},
        {ERROR_WRITE_PROTECT, EROFS}, {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EACCES}};
    const DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].error == error)
            errno = rows[i].number;
    return -1;
}

static HANDLE handle_of(int file)
{
    return (HANDLE)_get_osfhandle(file);
}

static int refuse(HANDLE file, int number)
{
    CloseHandle(file);
    errno = number;
    return -1;
}

/* Opens a file that others may read, write, rename and remove meanwhile. */
static HANDLE open_handle(const char *path, int flags)
{
    static const DWORD access[] = {
        GENERIC_READ, GENERIC_WRITE, GENERIC_READ | GENERIC_WRITE, GENERIC_READ | GENERIC_WRITE};
    const DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const DWORD creation = (flags & O_CREAT) == 0 ? OPEN_EXISTING
                           : (flags & O_EXCL)     ? CREATE_NEW
                                                  : OPEN_ALWAYS;
    const DWORD attributes = ((flags & O_NOFOLLOW) ? FILE_FLAG_OPEN_REPARSE_POINT : 0u) |
                             ((flags & O_TMPFILE) ? FILE_FLAG_DELETE_ON_CLOSE : 0u) |
                             FILE_ATTRIBUTE_NORMAL;
    return CreateFileA(path, access[flags & 3], shared, NULL, creation, attributes, NULL);
}

static HANDLE open_nameless(const char *folder, int flags)
{
    char path[MAX_PATH * 4];
    HANDLE file = INVALID_HANDLE_VALUE;
    for (int try = 0; try < MOST_TRIES && file == INVALID_HANDLE_VALUE; try++) {
        snprintf(path, sizeof path, "%s/.dmm-sort-%lu-%d", folder,
            (unsigned long)GetCurrentProcessId(), try);
        file = open_handle(path, flags | O_CREAT | O_EXCL);
        if (file == INVALID_HANDLE_VALUE && GetLastError() != ERROR_FILE_EXISTS)
            break;
    }
    return file;
}

int win_open(const char *path, int flags, ...)
{
    const HANDLE file = flags & O_TMPFILE ? open_nameless(path, flags) : open_handle(path, flags);
    BY_HANDLE_FILE_INFORMATION info;
    if (file == INVALID_HANDLE_VALUE)
        return fail();
    if ((flags & O_NOFOLLOW) && GetFileInformationByHandle(file, &info) &&
        (info.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT))
        return refuse(file, EACCES);
    const int descriptor =
        _open_osfhandle((intptr_t)file, O_BINARY | O_NOINHERIT | (flags & (O_RDONLY | O_APPEND)));
    return descriptor >= 0 ? descriptor : refuse(file, EMFILE);
}

static int describe(HANDLE file, struct win_stat *info)
{
    BY_HANDLE_FILE_INFORMATION about;
    const DWORD type = GetFileType(file);
    *info = (struct win_stat){.st_nlink = 1};
    if (type != FILE_TYPE_DISK) {
        info->st_mode = type == FILE_TYPE_PIPE ? S_IFIFO : S_IFCHR;
        return type != FILE_TYPE_UNKNOWN || GetLastError() == NO_ERROR ? 0 : fail();
    }
    if (!GetFileInformationByHandle(file, &about))
        return fail();
    const uint64_t ticks =
        (uint64_t)about.ftLastWriteTime.dwHighDateTime << 32 | about.ftLastWriteTime.dwLowDateTime;
    info->st_dev = about.dwVolumeSerialNumber;
    info->st_ino = (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow;
    info->st_size = (int64_t)((uint64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow);
    info->st_blocks = (info->st_size + BLOCK - 1) / BLOCK;
    info->st_mtim.tv_sec = (time_t)(ticks / 10000000u) - 11644473600;
    info->st_mtim.tv_nsec = (long)(ticks % 10000000u) * 100;
    info->st_nlink = about.nNumberOfLinks;
    info->st_mode = about.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT ? S_IFLNK
                    : about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY   ? S_IFDIR
                                                                          : S_IFREG;
    return 0;
}

static int describe_path(const char *path, DWORD link, struct win_stat *info)
{
    const HANDLE file = CreateFileA(path, FILE_READ_ATTRIBUTES,
        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
        FILE_FLAG_BACKUP_SEMANTICS | link, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return fail();
    const int result = describe(file, info);
    CloseHandle(file);
    return result;
}

int win_stat(const char *path, struct win_stat *info)
{
    return describe_path(path, 0, info);
}

int win_lstat(const char *path, struct win_stat *info)
{
    return describe_path(path, FILE_FLAG_OPEN_REPARSE_POINT, info);
}

int win_fstat(int file, struct win_stat *info)
{
    const HANDLE handle = handle_of(file);
    const int result = describe(handle, info);
    if (result == 0 || handle == INVALID_HANDLE_VALUE || GetFileType(handle) != FILE_TYPE_DISK)
        return result;
    info->st_mode = S_IFIFO; /* wine describes no file that a shell has opened: it is only read */
    return 0;
}

int64_t win_lseek(int file, int64_t offset, int from)
{
    if (GetFileType(handle_of(file)) == FILE_TYPE_DISK)
        return _lseeki64(file, offset, from);
    errno = ESPIPE;
    return -1;
}

ssize_t win_read(int file, void *to, size_t bytes)
{
    return _read(file, to, bytes < MOST_AT_ONCE ? (unsigned)bytes : MOST_AT_ONCE);
}

ssize_t win_write(int file, const void *from, size_t bytes)
{
    const size_t most = _isatty(file) ? MOST_TO_CONSOLE : MOST_AT_ONCE;
    return _write(file, from, (unsigned)(bytes < most ? bytes : most));
}

static OVERLAPPED place(int64_t at)
{
    return (OVERLAPPED){.Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32)};
}

/* Returns the place of the next read() or write(), which ReadFile and WriteFile move. */
static LARGE_INTEGER place_of(HANDLE handle)
{
    const LARGE_INTEGER here = {.QuadPart = 0};
    LARGE_INTEGER place = here;
    SetFilePointerEx(handle, here, &place, FILE_CURRENT);
    return place;
}

ssize_t win_pread(int file, void *to, size_t bytes, int64_t at)
{
    const HANDLE handle = handle_of(file);
    const LARGE_INTEGER next = place_of(handle);
    OVERLAPPED where = place(at);
    DWORD done = 0;
    const int ok =
        ReadFile(handle, to, (DWORD)(bytes < MOST_AT_ONCE ? bytes : MOST_AT_ONCE), &done, &where) ||
        GetLastError() == ERROR_HANDLE_EOF;
    const ssize_t result = ok ? (ssize_t)done : fail();
    SetFilePointerEx(handle, next, NULL, FILE_BEGIN);
    return result;
}

ssize_t win_pwrite(int file, const void *from, size_t bytes, int64_t at)
{
    const HANDLE handle = handle_of(file);
    const LARGE_INTEGER next = place_of(handle);
    OVERLAPPED where = place(at);
    DWORD done = 0;
    const int ok = WriteFile(
        handle, from, (DWORD)(bytes < MOST_AT_ONCE ? bytes : MOST_AT_ONCE), &done, &where);
    const ssize_t result = ok ? (ssize_t)done : fail();
    SetFilePointerEx(handle, next, NULL, FILE_BEGIN);
    return result;
}

int win_rename(const char *from, const char *to)
{
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) ? 0 : fail();
}

int win_link(const char *from, const char *to)
{
    return CreateHardLinkA(to, from, NULL) ? 0 : fail();
}

int win_unlink(const char *path)
{
    return DeleteFileA(path) ? 0 : fail();
}

/* Locks a byte behind the end of every file: Windows keeps others from reading what is locked. */
int win_flock(int file, int operation)
{
    OVERLAPPED where = {.Offset = 0xfffffff0u, .OffsetHigh = 0x7fffffffu};
    const DWORD flags =
        LOCKFILE_EXCLUSIVE_LOCK | (operation & LOCK_NB ? LOCKFILE_FAIL_IMMEDIATELY : 0u);
    return LockFileEx(handle_of(file), flags, 0, 1, 0, &where) ? 0 : fail();
}

int win_duplicate(int file)
{
    HANDLE copy = NULL;
    const HANDLE self = GetCurrentProcess();
    if (!DuplicateHandle(self, handle_of(file), self, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS))
        return fail();
    const int descriptor = _open_osfhandle((intptr_t)copy, O_BINARY | O_NOINHERIT);
    return descriptor >= 0 ? descriptor : refuse(copy, EMFILE);
}

char *win_realpath(const char *path)
{
    static const char mark[] = "\\\\?\\";
    char text[MAX_PATH * 4];
    const HANDLE file = CreateFileA(path, FILE_READ_ATTRIBUTES,
        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
        FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        fail();
        return NULL;
    }
    const DWORD length = GetFinalPathNameByHandleA(file, text, sizeof text, VOLUME_NAME_DOS);
    CloseHandle(file);
    if (length == 0 || length >= sizeof text || strncmp(text, "\\\\?\\UNC\\", 8) == 0)
        return _fullpath(NULL, path, 0); /* a path of another computer */
    return strdup(strncmp(text, mark, sizeof mark - 1) == 0 ? text + sizeof mark - 1 : text);
}

char *win_strndup(const char *text, size_t most)
{
    const size_t length = strnlen(text, most);
    char *const copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

static int compare(const void *a, const void *b)
{
    const struct dirent *const *const x = a, *const *const y = b;
    return strcmp((*x)->d_name, (*y)->d_name);
}

int win_scandir(
    const char *folder, struct dirent ***entries, int (*takes)(const struct dirent *entry))
{
    size_t count = 0;
    struct dirent **all = NULL;
    DIR *const open_folder = opendir(folder);
    if (!open_folder)
        return -1;
    for (struct dirent *entry; (entry = readdir(open_folder));) {
        struct dirent **const more = takes(entry) ? realloc(all, (count + 1) * sizeof *all) : NULL;
        all = more ? more : all;
        if (more && (all[count] = malloc(sizeof *entry)))
            *all[count++] = *entry;
    }
    closedir(open_folder);
    if (count > 0)
        qsort(all, count, sizeof *all, compare);
    *entries = all;
    return (int)count;
}

ssize_t win_readlink(const char *path, char *text, size_t bytes)
{
    (void)path;
    memset(text, 0, bytes);
    errno = ENOSYS;
    return -1;
}
