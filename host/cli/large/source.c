/* SPDX-License-Identifier: MIT */
/* Inputs that are read piece by piece. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "npy.h"
#include "source.h"
#include "text.h"

enum { PIECE_BYTES = 1 << 20, MOST_A_READ = 1 << 24, MOST_HEAD = 1 << 24 };

/* Reads until `bytes` bytes are there or the input ends: first those that are held. */
static bool read_bytes(cli_source *s, void *to, uint64_t bytes, uint64_t *got, cli_error *error)
{
    *got = bytes < s->held_bytes ? bytes : s->held_bytes;
    if (*got > 0) {
        memcpy(to, s->held, (size_t)*got);
        s->held += *got;
        s->held_bytes -= (size_t)*got;
    }
    while (*got < bytes) {
        const uint64_t left = bytes - *got;
        const ssize_t part =
            read(s->fd, (char *)to + *got, (size_t)(left < MOST_A_READ ? left : MOST_A_READ));
        if (part < 0 && errno == EINTR)
            continue;
        if (part < 0)
            return cli_fail_errno(error, s->path, "cannot read");
        if (part == 0)
            break;
        *got += (uint64_t)part;
    }
    return true;
}

bool cli_open_file(cli_source *s, const char *path, cli_error *error)
{
    *s = (cli_source)CLI_SOURCE_INIT;
    s->path = path;
    s->format = cli_format_of(path);
    s->fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (s->fd < 0)
        return cli_fail_errno(error, path, "cannot open");
    return fstat(s->fd, &s->info) == 0 || cli_fail_errno(error, path, "cannot open");
}

static bool is_file(const cli_source *s)
{
    return S_ISREG(s->info.st_mode);
}

/* Reads the header of an .npy file; keys have a type. */
static bool open_npy(cli_source *s, bool is_values, cli_error *error)
{
    cli_npy npy;
    uint64_t got = 0;
    char first[CLI_NPY_FIRST_BYTES];
    if (!read_bytes(s, first, sizeof first, &got, error))
        return false;
    const uint64_t size = is_file(s) ? (uint64_t)s->info.st_size : CLI_NPY_NO_SIZE;
    const uint64_t whole = cli_npy_head_bytes(first, (size_t)got);
    const uint64_t bytes = whole < size ? whole : size;
    if (bytes > MOST_HEAD)
        return cli_fail(error, CLI_MISTAKE, s->path, "its NumPy header is damaged");
    char *const head = malloc((size_t)bytes + sizeof first);
    if (!head)
        return cli_fail_memory(error, s->path, bytes);
    memcpy(head, first, (size_t)got);
    uint64_t more = 0;
    const bool ok =
        read_bytes(s, head + got, bytes > got ? bytes - got : 0, &more, error) &&
        cli_parse_npy_head(&npy, head, (size_t)(got + more), (size_t)size, s->path, error);
    free(head);
    if (!ok)
        return false;
    if (!is_values && npy.type == DMM_ITEM)
        return cli_fail(error, CLI_MISTAKE, s->path,
            "its type %s is not one of u1 to u8, i1 to i8, f2 to f8, b1, M8 and m8", npy.descr);
    s->like = (cli_array){
        .type = is_values ? DMM_ITEM : npy.type, .item_bytes = npy.item_bytes, .count = npy.count};
    if (is_values)
        memcpy(s->like.descr, npy.descr, sizeof npy.descr);
    else
        cli_keep_descr(&s->like, &npy);
    s->is_counted = true;
    s->swaps = npy.big_endian && !is_values;
    s->first_at = npy.data_bytes_at;
    return !is_file(s) || cli_source_skip(s, 0, error);
}

static bool open_raw(cli_source *s, dmm_type type, uint32_t item_bytes, cli_error *error)
{
    s->like = (cli_array){.type = type, .item_bytes = item_bytes};
    if (!is_file(s))
        return true;
    if ((uint64_t)s->info.st_size % item_bytes != 0)
        return cli_fail(error, CLI_MISTAKE, s->path,
            "its %llu bytes are not whole items of %u bytes", (unsigned long long)s->info.st_size,
            item_bytes);
    s->is_counted = true;
    s->like.count = (size_t)((uint64_t)s->info.st_size / item_bytes);
    return true;
}

/* Reads on behind what is left of a line; leaves whole lines, which end with NUL. */
static bool read_lines(cli_source *s, cli_error *error)
{
    uint64_t got = 0;
    if (!read_bytes(s, s->text + s->text_bytes, PIECE_BYTES - s->text_bytes, &got, error))
        return false;
    s->text_bytes += (size_t)got;
    s->has_ended = s->text_bytes < PIECE_BYTES;
    return true;
}

static bool open_text(cli_source *s, dmm_type type, cli_error *error)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    s->text = malloc(PIECE_BYTES + 1);
    if (!s->text)
        return cli_fail_memory(error, s->path, PIECE_BYTES);
    if (!read_lines(s, error))
        return false;
    if (cli_is_npy(s->text, s->text_bytes)) {
        s->format = CLI_NPY;
        s->held = s->text;
        s->held_bytes = s->text_bytes;
        return open_npy(s, false, error);
    }
    if (type == DMM_ITEM)
        return cli_fail(error, CLI_MISTAKE, s->path,
            "give -t TYPE: with --memory, text is read once, without a look ahead");
    if (!cli_make_array(&s->numbers, type, 0, PIECE_BYTES / 2 + 1, error))
        return false;
    s->like = (cli_array){.type = type, .item_bytes = dmm_type_bytes(type)};
    s->numbers.count = 0;
    size_t lines = 1;
    for (size_t i = 0; i < s->text_bytes; i++)
        lines += s->text[i] == '\n';
    if (is_file(s) && s->text_bytes > 0)
        s->estimate = (uint64_t)((double)s->info.st_size / (double)s->text_bytes * (double)lines);
    if (s->text_bytes >= 3 && memcmp(s->text, byte_order_mark, 3) == 0)
        memset(s->text, ' ', 3);
    return true;
}

bool cli_open_keys(cli_source *s, const char *path, dmm_type type, cli_error *error)
{
    bool ok = cli_open_file(s, path, error);
    char first[8];
    if (!ok)
        return false;
    if (s->format == CLI_TEXT_LINES && is_file(s) &&
        cli_is_npy(
            first, (size_t)(pread(s->fd, first, sizeof first, 0) == sizeof first) * sizeof first))
        s->format = CLI_NPY;
    if (s->format == CLI_NO_FORMAT)
        return cli_fail(error, CLI_MISTAKE, path,
            "its name must end in .npy, .bin, .txt or .csv; or give --format, or - for text");
    if (s->format == CLI_BIN && type == DMM_ITEM)
        return cli_fail(error, CLI_MISTAKE, path, "raw items need their type: give -t TYPE");
    ok = s->format == CLI_TEXT_LINES ? open_text(s, type, error)
         : s->format == CLI_NPY      ? open_npy(s, false, error)
                                     : open_raw(s, type, dmm_type_bytes(type), error);
    if (ok && type != DMM_ITEM && type != s->like.type)
        return cli_fail(error, CLI_MISTAKE, path, "it holds %s, but -t says %s",
            dmm_type_name(s->like.type), dmm_type_name(type));
    if (s->is_counted)
        s->estimate = s->like.count;
    return ok;
}

bool cli_open_values(cli_source *s, const char *path, uint64_t value_bytes, cli_error *error)
{
    const cli_format format = cli_format_of(path);
    const bool is_open = strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0;
    if (format != CLI_NPY && format != CLI_BIN && !is_open)
        return cli_fail(error, CLI_MISTAKE, path, "values are read from .npy or .bin files");
    if (value_bytes > CLI_VALUE_BYTES_MAX || (format == CLI_BIN && value_bytes == 0))
        return cli_fail(error, CLI_MISTAKE, path, "values need their size: --value-bytes 1 to %d",
            CLI_VALUE_BYTES_MAX);
    if (!cli_open_file(s, path, error))
        return false;
    s->format = format == CLI_BIN ? CLI_BIN : CLI_NPY;
    if (format == CLI_BIN)
        return open_raw(s, DMM_ITEM, (uint32_t)value_bytes, error);
    return open_npy(s, true, error) &&
           (value_bytes == 0 || value_bytes == s->like.item_bytes ||
               cli_fail(error, CLI_MISTAKE, path,
                   "its items have %u bytes, --value-bytes says %llu", s->like.item_bytes,
                   (unsigned long long)value_bytes));
}

/* Parses the whole lines of the piece, and moves the rest to its beginning. */
static bool parse_piece(cli_source *s, cli_error *error)
{
    size_t whole = s->text_bytes;
    while (!s->has_ended && whole > 0 && s->text[whole - 1] != '\n')
        whole--;
    if (whole == 0 && s->text_bytes == PIECE_BYTES)
        return cli_fail(error, CLI_MISTAKE, s->path, "line %zu has more than %d bytes",
            s->lines + 1, PIECE_BYTES - 1);
    const char after = s->text[whole];
    s->text[whole] = '\0';
    if (!cli_parse_lines(&s->numbers, s->text, whole, &s->lines, s->path, error))
        return false;
    s->text[whole] = after;
    s->taken = 0;
    memmove(s->text, s->text + whole, s->text_bytes - whole);
    s->text_bytes -= whole;
    return s->has_ended || read_lines(s, error);
}

static bool read_text(cli_source *s, void *items, uint64_t most, uint64_t *count, cli_error *error)
{
    while (s->taken == s->numbers.count && (s->text_bytes > 0 || !s->has_ended))
        if (!parse_piece(s, error))
            return false;
    const uint64_t left = s->numbers.count - s->taken, bytes = s->like.item_bytes;
    *count = left < most ? left : most;
    memcpy(items, (const char *)s->numbers.data + s->taken * bytes, *count * bytes);
    s->taken += (size_t)*count;
    return true;
}

/* Fails if more follows the items of an .npy from a pipe. */
static bool has_ended(cli_source *s, cli_error *error)
{
    char more;
    uint64_t got = 0;
    return read_bytes(s, &more, 1, &got, error) &&
           (got == 0 ||
               cli_fail(error, CLI_MISTAKE, s->path, "more bytes follow its %zu items of %u bytes",
                   s->like.count, s->like.item_bytes));
}

bool cli_source_read(cli_source *s, void *items, uint64_t most, uint64_t *count, cli_error *error)
{
    const uint64_t bytes = s->like.item_bytes;
    uint64_t got = 0;
    if (s->format == CLI_TEXT_LINES)
        return read_text(s, items, most, count, error);
    if (s->is_counted && most > s->like.count - s->read)
        most = s->like.count - s->read;
    if (!read_bytes(s, items, most * bytes, &got, error))
        return false;
    if (got % bytes != 0 || (s->is_counted && got != most * bytes))
        return cli_fail(error, CLI_MISTAKE, s->path, "it ends early, in or before item %llu",
            (unsigned long long)(s->read + got / bytes));
    *count = got / bytes;
    s->read += *count;
    if (*count == 0 && s->format == CLI_NPY && !is_file(s) && !has_ended(s, error))
        return false;
    cli_array piece = {.item_bytes = (uint32_t)bytes, .count = (size_t)*count, .data = items};
    if (s->swaps)
        cli_swap_bytes(&piece);
    return true;
}

bool cli_source_skips(const cli_source *s)
{
    return is_file(s) && s->format != CLI_TEXT_LINES;
}

static bool has_changed(const cli_source *s, const struct stat *now)
{
    return now->st_dev != s->info.st_dev || now->st_ino != s->info.st_ino ||
           now->st_size != s->info.st_size || now->st_mtim.tv_sec != s->info.st_mtim.tv_sec ||
           now->st_mtim.tv_nsec != s->info.st_mtim.tv_nsec;
}

/* Fails if a file has changed since it was opened. */
static bool is_unchanged(const cli_source *s, cli_error *error)
{
    struct stat now;
    if (!s->path || !is_file(s))
        return true;
    if ((s->fd >= 0 ? fstat(s->fd, &now) : stat(s->path, &now)) != 0)
        return cli_fail_errno(error, s->path, "cannot read");
    return !has_changed(s, &now) ||
           cli_fail(error, CLI_MISTAKE, s->path, "has changed while it was read: call again");
}

static void close_file(cli_source *s)
{
    if (s->fd >= 0 && s->fd != STDIN_FILENO)
        close(s->fd);
    s->fd = s->fd == STDIN_FILENO ? STDIN_FILENO : -1;
}

bool cli_source_end(cli_source *s, cli_error *error)
{
    const bool ok = is_unchanged(s, error);
    close_file(s);
    return ok;
}

void cli_source_rest(cli_source *s)
{
    close_file(s);
    s->rests = s->fd < 0;
}

static bool wake(cli_source *s, cli_error *error)
{
    s->rests = false;
    s->fd = open(s->path, O_RDONLY | O_CLOEXEC);
    return s->fd >= 0 ? is_unchanged(s, error) : cli_fail_errno(error, s->path, "cannot open");
}

bool cli_source_skip(cli_source *s, uint64_t items, cli_error *error)
{
    if (s->rests && !wake(s, error))
        return false;
    s->read = items;
    return lseek(s->fd, (off_t)(s->first_at + items * s->like.item_bytes), SEEK_SET) >= 0 ||
           cli_fail_errno(error, s->path, "cannot read");
}

void cli_close_source(cli_source *s)
{
    close_file(s);
    free(s->text);
    cli_free_array(&s->numbers);
    *s = (cli_source)CLI_SOURCE_INIT;
}
