/* SPDX-License-Identifier: MIT */
/* Reads JSON: see json.h. */
#include "json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, LOW_SURROGATE = 0xdc00 };

static void skip_blanks(json_reader *in)
{
    in->at += strspn(in->at, " \t\r\n");
}

/* Moves past a character, after blanks. False: another one comes. */
static bool take(json_reader *in, char character)
{
    skip_blanks(in);
    if (*in->at != character)
        return false;
    in->at++;
    return true;
}

/* Reads four hexadecimal digits. */
static bool read_unit(json_reader *in, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++, in->at++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *found = *in->at ? strchr(digits, *in->at) : NULL;
        if (!found)
            return false;
        *out = *out << 4 | ((uint32_t)(found - digits) & 15);
    }
    return true;
}

static char *put_utf8(char *to, uint32_t point)
{
    if (point < 0x80) { /* control characters would command a terminal, a NUL end the text */
        *to++ = (char)(point < 0x20 || point == 0x7f ? ' ' : point);
        return to;
    }
    const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned char heads[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(heads[more] | point >> (6 * more));
    for (int i = more - 1; i >= 0; i--)
        *to++ = (char)(0x80 | (point >> (6 * i) & 0x3f));
    return to;
}

/* Reads what follows a backslash and u: one unit, or two of a character beyond 16 bits. */
static bool read_point(json_reader *in, char **to)
{
    uint32_t unit, low;
    if (!read_unit(in, &unit))
        return false;
    if (unit >> 10 == 0xd800 >> 10) {
        if (in->at[0] != '\\' || in->at[1] != 'u')
            return false;
        in->at += 2;
        if (!read_unit(in, &low) || low >> 10 != LOW_SURROGATE >> 10)
            return false;
        unit = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
    } else if (unit >> 10 == LOW_SURROGATE >> 10) {
        return false;
    }
    *to = put_utf8(*to, unit);
    return true;
}

bool json_text(json_reader *in, const char **out)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/     ";
    if (!take(in, '"'))
        return false;
    char *to = in->at;
    *out = to;
    while (*in->at != '"') {
        if ((unsigned char)*in->at < 0x20)
            return false;
        if (*in->at != '\\') {
            *to++ = *in->at++;
            continue;
        }
        const char escape = *++in->at;
        const char *found = escape ? strchr(names, escape) : NULL;
        if (!found && escape != 'u')
            return false;
        in->at++;
        if (found)
            *to++ = values[found - names];
        else if (!read_point(in, &to))
            return false;
    }
    in->at++;
    *to = '\0'; /* at the quotation mark, or before it */
    return true;
}

bool json_number(json_reader *in, uint64_t *out)
{
    skip_blanks(in);
    const char *const first = in->at;
    if (*first < '0' || *first > '9')
        return false;
    errno = 0;
    *out = strtoull(first, &in->at, 10);
    return errno == 0 && (*first != '0' || in->at == first + 1) && *in->at != '.' &&
           (*in->at | 0x20) != 'e';
}

static bool skip_member(json_reader *in, const char *name, void *user)
{
    (void)name, (void)user;
    return json_skip(in);
}

static bool skip_item(json_reader *in, void *user)
{
    (void)user;
    return json_skip(in);
}

static bool skip_digits(json_reader *in)
{
    const size_t digits = strspn(in->at, "0123456789");
    in->at += digits;
    return digits > 0;
}

/* Skips a number of any kind. */
static bool skip_number(json_reader *in)
{
    in->at += *in->at == '-';
    const bool zero = *in->at == '0';
    const char *const whole = in->at;
    if (!skip_digits(in) || (zero && in->at > whole + 1))
        return false;
    if (*in->at == '.' && (in->at++, !skip_digits(in)))
        return false;
    if (*in->at != 'e' && *in->at != 'E')
        return true;
    in->at++;
    in->at += *in->at == '+' || *in->at == '-';
    return skip_digits(in);
}

bool json_skip(json_reader *in)
{
    static const char *const words[] = {"true", "false", "null"};
    const char *text;
    skip_blanks(in);
    if (*in->at == '{')
        return json_object(in, skip_member, NULL);
    if (*in->at == '[')
        return json_array(in, skip_item, NULL);
    if (*in->at == '"')
        return json_text(in, &text);
    for (int i = 0; i < 3; i++) {
        if (strncmp(in->at, words[i], strlen(words[i])) == 0) {
            in->at += strlen(words[i]);
            return true;
        }
    }
    return skip_number(in);
}

bool json_object(
    json_reader *in, bool (*member)(json_reader *, const char *key, void *), void *user)
{
    if (!take(in, '{') || ++in->depth > DEPTH_MAX)
        return false;
    for (bool first = true; !take(in, '}'); first = false) {
        const char *name;
        if ((!first && !take(in, ',')) || !json_text(in, &name) || !take(in, ':') ||
            !member(in, name, user))
            return false;
    }
    in->depth--;
    return true;
}

bool json_array(json_reader *in, bool (*item)(json_reader *, void *), void *user)
{
    if (!take(in, '[') || ++in->depth > DEPTH_MAX)
        return false;
    for (bool first = true; !take(in, ']'); first = false)
        if ((!first && !take(in, ',')) || !item(in, user))
            return false;
    in->depth--;
    return true;
}
