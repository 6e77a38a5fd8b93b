/* SPDX-License-Identifier: MIT */
/*
 * Parses the options of every benchmark.
 */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_RUNS = 11, MAX_RUNS = 1000000, MAX_VALUE_BYTES = 256, MAX_EXPONENT = 62 };

static const char usage[] =
    "  --type NAME              u32 (default), i32, f32, u64, ...\n"
    "  --values BYTES           a value of so many bytes with each key\n"
    "  --input NAME,...         random, sorted, reversed, equal, few, organ, zipf, worst, "
    "worst-U-E\n"
    "                           (for groups of U, E items each); points: disc, square, ring, "
    "circle, parabola\n"
    "  --n ITEMS,...            also 2^K or 10^K\n"
    "  --runs COUNT             11 by default, after one to warm up\n"
    "  --peers                  also the other libraries that were built in\n"
    "  --skip WHO,...           leaves out some of these: std, c, boost, ...\n"
    "  --set NAME=VALUE,...     facts and parameters, as of the command dmm\n"
    "  --json FILE              adds the rows to the list in FILE\n"
    "  --smoke                  a very short run with peers, for tests\n";

/* "123", "2^24" or "10^6", from 1 to most. */
static int parse_number(size_t *out, const char *text, size_t most)
{
    char *end = NULL;
    unsigned long long number = strtoull(text, &end, 10);
    if (end == text || text[0] == '-')
        return 0;
    if (*end == '^' && (number == 2 || number == 10)) {
        const unsigned long long base = number;
        const char *const exponent = end + 1;
        unsigned long long left = strtoull(exponent, &end, 10);
        if (end == exponent || left > (base == 2 ? MAX_EXPONENT : 18))
            return 0;
        for (number = 1; left > 0; left--)
            number *= base;
    }
    *out = (size_t)number;
    return *end == '\0' && number >= 1 && number <= most;
}

/* Calls take(o, item, i) for what stands between commas; 0 where it is refused or too much. */
static int parse_list(bench_options *o, const char *text, size_t *count,
    int (*take)(bench_options *o, const char *item, size_t i))
{
    char item[BENCH_NAME_BYTES];
    for (*count = 0; *count < BENCH_LIST_ITEMS; text++) {
        const size_t bytes = strcspn(text, ",");
        if (bytes == 0 || bytes >= sizeof item)
            return 0;
        memcpy(item, text, bytes);
        item[bytes] = '\0';
        if (!take(o, item, (*count)++))
            return 0;
        text += bytes;
        if (*text == '\0')
            return 1;
    }
    return 0;
}

static int take_size(bench_options *o, const char *item, size_t i)
{
    return parse_number(&o->sizes[i], item, SIZE_MAX / (2 * MAX_VALUE_BYTES));
}

static int take_input(bench_options *o, const char *item, size_t i)
{
    strcpy(o->inputs[i], item);
    return 1;
}

static int take_skipped(bench_options *o, const char *item, size_t i)
{
    strcpy(o->skipped[i], item);
    return 1;
}

static int parse_type(dmm_type *out, const char *name)
{
    for (int type = 0; type < DMM_ITEM; type++)
        if (strcmp(dmm_type_name((dmm_type)type), name) == 0) {
            *out = (dmm_type)type;
            return 1;
        }
    return 0;
}

static int parse_one(bench_options *o, const char *name, const char *value)
{
    size_t number = 0;
    if (strcmp(name, "--type") == 0)
        return parse_type(&o->type, value);
    if (strcmp(name, "--input") == 0)
        return parse_list(o, value, &o->num_inputs, take_input);
    if (strcmp(name, "--skip") == 0)
        return parse_list(o, value, &o->num_skipped, take_skipped);
    if (strcmp(name, "--n") == 0)
        return parse_list(o, value, &o->num_sizes, take_size);
    if (strcmp(name, "--runs") == 0)
        return parse_number(&o->runs, value, MAX_RUNS);
    if (strcmp(name, "--set") == 0)
        o->set = value;
    else if (strcmp(name, "--json") == 0)
        o->json = value;
    else if (strcmp(name, "--values") == 0 && parse_number(&number, value, MAX_VALUE_BYTES))
        o->value_bytes = (uint32_t)number;
    else
        return 0;
    return 1;
}

bench_options bench_parse(int argc, char **argv, const char *inputs, const char *sizes)
{
    bench_options o = {.type = DMM_U32, .runs = DEFAULT_RUNS};
    parse_list(&o, inputs, &o.num_inputs, take_input);
    parse_list(&o, sizes, &o.num_sizes, take_size);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--peers") == 0) {
            o.peers = 1;
        } else if (strcmp(argv[i], "--smoke") == 0) {
            parse_list(&o, "10000", &o.num_sizes, take_size);
            o.runs = 2;
            o.peers = 1;
        } else if (i + 1 < argc && parse_one(&o, argv[i], argv[i + 1])) {
            i++;
        } else {
            const int helps = strcmp(argv[i], "--help") == 0;
            fprintf(helps ? stdout : stderr, "%s: %s\nOptions:\n%s", argv[0], argv[i], usage);
            exit(!helps);
        }
    }
    return o;
}
