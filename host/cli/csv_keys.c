/* SPDX-License-Identifier: MIT */
/* Understands --key and --delimiter, and finds columns by their names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "csv_row.h"
#include "lines.h"
#include "nearest.h"
#include "option.h"

/* Takes a suffix :r or :TYPE off a key's name; false if the last one is neither. */
static bool take_suffix(cli_csv_key *key, char *colon)
{
    cli_error unknown = {0};
    if (strcmp(colon + 1, "r") == 0)
        key->descending = true;
    else if (!cli_parse_type(&key->type, colon + 1, &unknown))
        return false;
    *colon = '\0';
    return true;
}

bool cli_parse_keys(const char *text, cli_csv_key *keys, size_t *num_keys, cli_find_column *find,
    void *user, cli_error *error)
{
    *num_keys = 0;
    for (bool more = true; more; (*num_keys)++) {
        const size_t length = strcspn(text, ",");
        if (*num_keys == CLI_MOST_KEYS)
            return cli_fail(error, CLI_MISTAKE, "--key", "at most %d keys", CLI_MOST_KEYS);
        cli_csv_key *const key = &keys[*num_keys];
        *key = (cli_csv_key){.type = DMM_ITEM};
        if (length == 0 || length >= sizeof key->name)
            return cli_fail(error, CLI_MISTAKE, "--key",
                "expected KEY[:r][:TYPE],...: numbers of columns, from 1, or names");
        memcpy(key->name, text, length);
        char *colon = strrchr(key->name, ':');
        while (colon && take_suffix(key, colon))
            colon = strrchr(key->name, ':');
        if (!find(user, key->name, &key->column, error))
            return false;
        more = text[length] == ',';
        text += length + more;
    }
    return true;
}

/* Returns the number, from 1, that a name is; 0: none. */
static size_t number_of(const char *name)
{
    char *end = NULL;
    const unsigned long long value = strtoull(name, &end, 10);
    return name[0] >= '1' && name[0] <= '9' && *end == '\0' && value < SIZE_MAX ? (size_t)value : 0;
}

/* True if a field, without its quotes, is the name. */
static bool is_name(const csv_field *field, const char *name)
{
    const char *at = field->begin;
    for (; at < field->end && *name != '\0'; at++, name++) {
        if (*at != *name)
            return false;
        at += *at == '"' && field->is_quoted; /* two are one */
    }
    return at == field->end && *name == '\0';
}

typedef struct search {
    const cli_csv *csv;
    const csv_field *head; /* fields of the first row */
    bool has_names;        /* a key was a name, or --header */
} search;

static bool check_twice(const search *s, const char *name, size_t first, cli_error *error)
{
    for (size_t i = first + 1; i < s->csv->columns; i++)
        if (is_name(&s->head[i], name))
            return cli_fail(error, CLI_MISTAKE, "--key",
                "columns %zu and %zu of %s are both '%s': give a number", first + 1, i + 1,
                s->csv->path, name);
    return true;
}

static bool find_column(void *user, const char *name, size_t *column, cli_error *error)
{
    search *const s = user;
    const size_t number = number_of(name), columns = s->csv->columns;
    *column = number - 1;
    if (name[strspn(name, "0123456789")] == '\0')
        return (number > 0 && number <= columns) ||
               cli_fail(error, CLI_MISTAKE, "--key", "%s is none of the columns 1 to %zu of %s",
                   name, columns, s->csv->path);
    cli_nearest best = cli_nearest_to(name, strlen(name));
    char names[512] = "", nearest[64] = "";
    s->has_names = true;
    for (size_t i = 0; i < columns; i++) {
        char own[64];
        if (is_name(&s->head[i], name)) {
            *column = i;
            return check_twice(s, name, i, error);
        }
        const int length = (int)(s->head[i].end - s->head[i].begin);
        snprintf(own, sizeof own, "%.*s", length < 63 ? length : 63, s->head[i].begin);
        const size_t before = best.distance;
        cli_nearest_try(&best, own);
        if (best.distance < before)
            snprintf(nearest, sizeof nearest, "%s", own);
        if (strlen(names) + strlen(own) + 4 < sizeof names)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i > 0 ? ", " : "",
                own);
    }
    return nearest[0]
               ? cli_fail(error, CLI_MISTAKE, "--key", "%s has no column '%s': did you mean '%s'?",
                     s->csv->path, name, nearest)
               : cli_fail(error, CLI_MISTAKE, "--key", "%s has no column '%s', but %s",
                     s->csv->path, name, names);
}

bool cli_csv_open(cli_csv *csv, const char *path, char *text, size_t bytes, char delimiter,
    bool header, const char *keys_text, cli_csv_key *keys, size_t *num_keys, cli_error *error)
{
    const char *begin = text;
    size_t left = bytes;
    *csv = (cli_csv){.path = path, .text = text, .bytes = bytes, .delimiter = delimiter};
    if (!cli_begin_text(&begin, &left, path, error))
        return false;
    csv->head_bytes = (size_t)(begin - text);
    if (left == 0)
        return cli_fail(error, CLI_MISTAKE, path, "it is empty: it has no columns");
    csv_row row = {.at = begin, .end = text + bytes, .delimiter = delimiter};
    csv_field field;
    csv_field *head = NULL;
    size_t capacity = 0;
    bool ok = true;
    for (bool more = true; ok && more; csv->columns++) {
        if (csv->columns == capacity) {
            csv_field *const larger = realloc(head, (2 * capacity + 16) * sizeof *head);
            if (!larger)
                ok = cli_fail_memory(error, path, capacity * sizeof *head);
            else
                head = larger;
            capacity = 2 * capacity + 16;
        }
        more = ok && csv_next_field(&row, &field);
        if (ok && row.fault)
            ok = csv_refuse(csv, row.fault_at, row.fault, error);
        if (ok)
            head[csv->columns] = field;
    }
    search s = {csv, head, header};
    ok = ok && cli_parse_keys(keys_text, keys, num_keys, find_column, &s, error);
    if (ok && s.has_names)
        csv->head_bytes = (size_t)(row.at - text);
    free(head);
    return ok;
}
