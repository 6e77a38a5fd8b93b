/* SPDX-License-Identifier: MIT */
/* Parses tables of options with getopt_long. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nearest.h"
#include "option.h"

enum {
    MAX_OPTIONS = 48,
    SUGGESTION_CHARS = 400,
    FIRST_CODE = 256 /* getopt's code of option i is FIRST_CODE + i, distinct from letters */
};

cli_settings cli_global = {.program = "dmm", .show_help = cli_print_help};

static bool help_wanted;
static unsigned format_chosen;

const cli_option cli_global_options[CLI_NUM_GLOBAL] = {
    {0, "device", CLI_TEXT, &cli_global.device, "DEVICE",
        "the OpenCL device: its number in `dmm devices`, or a part of\n"
        "its name or its platform's (default: $DMM_DEVICE, or the best)"},
    {0, "format", CLI_CHOICE, &format_chosen, "npy|bin|text",
        "format of files whose names do not tell, and of -"},
    {0, "set", CLI_TEXT, &cli_global.set, "NAME=VALUE,...",
        "override facts and parameters, e.g. banks=16,form=gpu,u=128\n"
        "(takes precedence over $DMM_SET)"},
    {0, "cache", CLI_TEXT, &cli_global.cache, "FOLDER",
        "cache compiled programs there, even if the driver caches them; '':\n"
        "no cache (default: see `dmm cache`)"},
    {0, "tuning", CLI_TEXT, &cli_global.tuning, "FILE",
        "read tuned parameters from this file of `dmm tune`;\n"
        "'': none (default: $DMM_TUNING, or the user's)"},
    {0, "verbose", CLI_FLAG, &cli_global.verbose, NULL, "print the chosen device and parameters"},
    {'h', "help", CLI_FLAG, &help_wanted, NULL, "print this text"},
};

/* Returns option i: the command's options, then the global ones. */
static const cli_option *option_at(const cli_syntax *syntax, size_t i)
{
    return i < syntax->num_options ? &syntax->options[i]
                                   : &cli_global_options[i - syntax->num_options];
}

/* True if the text begins as a hexadecimal number, for the reason of a refusal. */
static bool is_hexadecimal(const char *text)
{
    return text[0] == '0' && (text[1] | 0x20) == 'x';
}

static bool parse_count(uint64_t *out, const char *text, const char *name, cli_error *error)
{
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
        return cli_fail(error, CLI_MISTAKE, NULL, "--%s: '%.40s' is not a count%s", name, text,
            is_hexadecimal(text) ? ": counts are decimal"
            : errno == ERANGE    ? ": at most 18446744073709551615"
                                 : ": a whole number in decimal digits");
    *out = value;
    return true;
}

static bool parse_bytes(uint64_t *out, const char *text, const char *name, cli_error *error)
{
    static const char letters[] = "KMGT";
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    const char *const letter = *end != '\0' ? strchr(letters, *end) : NULL;
    const unsigned shift = letter ? 10 * (unsigned)(letter - letters + 1) : 0;
    if (text[0] < '0' || text[0] > '9' || errno != 0 || end[letter != NULL] != '\0' ||
        value > UINT64_MAX >> shift || value == 0)
        return cli_fail(error, CLI_MISTAKE, NULL,
            "--%s: '%.40s' is not a size: bytes, or a number with K, M, G or T", name, text);
    *out = (uint64_t)value << shift;
    return true;
}

bool cli_parse_type(dmm_type *out, const char *text, cli_error *error)
{
    char own[8];
    static const struct {
        const char *numpy, *own;
    } words[] = {{"uint", "u"}, {"int", "i"}, {"float", "f"}};
    snprintf(own, sizeof own, "%s", text);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t length = strlen(words[i].numpy);
        if (strncmp(text, words[i].numpy, length) == 0 && strlen(text) <= length + 2)
            snprintf(own, sizeof own, "%s%s", words[i].own, text + length);
    }
    for (dmm_type type = DMM_U32; type < DMM_ITEM; type++) {
        if (strcmp(dmm_type_name(type), own) == 0 && strlen(text) >= strlen(own)) {
            *out = type;
            return true;
        }
    }
    return cli_fail(error, CLI_MISTAKE, "--type",
        "'%.40s' is not a type: u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64, or NumPy's names, such "
        "as uint8 and float64",
        text);
}

static bool parse_choice(const cli_option *option, const char *text, cli_error *error)
{
    const char *word = option->argument;
    const size_t length = strlen(text);
    for (unsigned i = 0; word; i++) {
        if (strcspn(word, "|") == length && strncmp(word, text, length) == 0) {
            *(unsigned *)option->target = i;
            return true;
        }
        word = strchr(word, '|');
        word = word ? word + 1 : NULL;
    }
    return cli_fail(error, CLI_MISTAKE, NULL, "--%s: '%.40s' is none of %s", option->name, text,
        option->argument);
}

/* Refuses a name of another kind of picture, which would get text. */
static bool take_svg(const cli_option *option, const char *argument, cli_error *error)
{
    const char *const dot = strrchr(argument, '.');
    *(const char **)option->target = argument;
    return strcmp(argument, "-") == 0 || strncmp(argument, "/dev/", 5) == 0 ||
           (dot && strcasecmp(dot, ".svg") == 0) ||
           cli_fail(error, CLI_MISTAKE, NULL,
               "--%s: '%.200s' must end in .svg: pictures are written as SVG, which browsers show "
               "and rsvg-convert or Inkscape turn into PNG",
               option->name, argument);
}

static bool take(const cli_option *option, const char *argument, cli_error *error)
{
    switch (option->kind) {
    case CLI_FLAG:
        *(bool *)option->target = true;
        return true;
    case CLI_TEXT:
    case CLI_INPUT:
        *(const char **)option->target = argument;
        return true;
    case CLI_SVG:
        return take_svg(option, argument, error);
    case CLI_COUNT:
        return parse_count(option->target, argument, option->name, error);
    case CLI_BYTES:
        return parse_bytes(option->target, argument, option->name, error);
    case CLI_TYPE:
        return cli_parse_type(option->target, argument, error);
    case CLI_CHOICE:
        return parse_choice(option, argument, error);
    }
    return false;
}

/* Fills getopt's two tables from ours. */
static size_t fill_tables(const cli_syntax *syntax, struct option *longs, char *letters)
{
    size_t count = syntax->num_options + CLI_NUM_GLOBAL;
    char *at = letters;
    assert(count <= MAX_OPTIONS);
    *at++ = syntax->command_follows ? '+' : ':';
    if (syntax->command_follows)
        *at++ = ':';
    for (size_t i = 0; i < count; i++) {
        const cli_option *option = option_at(syntax, i);
        int has_argument = option->kind == CLI_FLAG ? no_argument : required_argument;
        longs[i] = (struct option){option->name, has_argument, NULL, FIRST_CODE + (int)i};
        if (option->letter) {
            *at++ = option->letter;
            if (has_argument)
                *at++ = ':';
        }
    }
    *at = '\0';
    longs[count] = (struct option){NULL, 0, NULL, 0};
    return count;
}

static const cli_option *find(const cli_syntax *syntax, size_t count, int code)
{
    if (code >= FIRST_CODE)
        return option_at(syntax, (size_t)(code - FIRST_CODE));
    for (size_t i = 0; i < count; i++)
        if (option_at(syntax, i)->letter == code)
            return option_at(syntax, i);
    return NULL;
}

/* Writes the long options that `given` may mean: those that begin with it, or the nearest one. */
static void suggest(
    char out[SUGGESTION_CHARS], const cli_syntax *syntax, size_t count, const char *given)
{
    const size_t length = strcspn(given, "=");
    cli_nearest best = cli_nearest_to(given, length);
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const char *const name = option_at(syntax, i)->name;
        if (strncmp(name, given, length) == 0 && length > 0 &&
            used + strlen(name) + 20 < SUGGESTION_CHARS)
            used += (size_t)sprintf(out + used, "%s--%s", used == 0 ? "" : ", ", name);
        cli_nearest_try(&best, name);
    }
    if (used == 0 && best.word)
        snprintf(out, SUGGESTION_CHARS, "--%.60s", best.word);
}

/* Writes the long option of the same letter in the other case, or that begins with it. */
static void suggest_letter(
    char out[SUGGESTION_CHARS], const cli_syntax *syntax, size_t count, char letter)
{
    for (size_t i = 0; i < count; i++) {
        const cli_option *const option = option_at(syntax, i);
        if (tolower((unsigned char)option->letter) == tolower((unsigned char)letter)) {
            snprintf(out, SUGGESTION_CHARS, "-%c or --%.60s", option->letter, option->name);
            return;
        }
        if (out[0] == '\0' && option->name[0] == letter)
            snprintf(out, SUGGESTION_CHARS, "--%.60s", option->name);
    }
}

/* Reports an option that getopt does not know, or whose argument is missing. */
static bool refuse(const cli_syntax *syntax, size_t count, int code, char **argv, cli_error *error)
{
    const char *const name = cli_global.command ? cli_global.command : "";
    const char *const given = argv[optind - 1], *const program = cli_global.program;
    const char *const blank = name[0] ? " " : "";
    const bool is_long = given[0] == '-' && given[1] == '-';
    const char letter[3] = {'-', (char)optopt, '\0'};
    char meant[SUGGESTION_CHARS] = "";
    if (code == ':')
        return cli_fail(error, CLI_MISTAKE, NULL, "%.60s needs an argument: see %s %s%s--help",
            is_long ? given : letter, program, name, blank);
    if (is_long)
        suggest(meant, syntax, count, given + 2);
    else
        suggest_letter(meant, syntax, count, (char)optopt);
    if (strchr(meant, ','))
        return cli_fail(error, CLI_MISTAKE, NULL, "%.60s is ambiguous: %s", given, meant);
    return cli_fail(error, CLI_MISTAKE, NULL, "%.60s is not an option here%s%s%s %s %s%s--help",
        is_long ? given : letter, meant[0] ? ": did you mean " : "", meant,
        meant[0] ? "? See" : "; see", program, name, blank);
}

static bool check_operands(const cli_syntax *syntax, int given, cli_error *error)
{
    if (given >= syntax->min_operands && given <= syntax->max_operands)
        return true;
    const char *name = cli_global.command ? cli_global.command : "COMMAND";
    return cli_fail(error, CLI_MISTAKE, NULL, "%s: usage: %s %s %s",
        given < syntax->min_operands ? "too few operands" : "too many operands", cli_global.program,
        name, syntax->synopsis);
}

/* What an operand or option names. */
typedef struct named {
    const char *name; /* NULL: not given */
    bool is_standard, is_read_once;
    struct stat info;
} named;

static named look_at(const cli_syntax *syntax, char **operands, size_t count, size_t i)
{
    named n = {.name = i < count ? operands[i] : NULL};
    if (i >= count && syntax->options[i - count].kind == CLI_INPUT)
        n.name = *(const char **)syntax->options[i - count].target;
    n.is_standard = n.name && strcmp(n.name, "-") == 0;
    const bool is_there =
        n.name && (n.is_standard ? fstat(STDIN_FILENO, &n.info) : stat(n.name, &n.info)) == 0;
    n.is_read_once = n.is_standard || (is_there && S_ISFIFO(n.info.st_mode) && n.info.st_ino != 0);
    return n;
}

static bool are_same(const named *a, const named *b)
{
    return (a->is_standard && b->is_standard) ||
           (a->is_read_once && b->is_read_once && a->info.st_dev == b->info.st_dev &&
               a->info.st_ino == b->info.st_ino);
}

/* Refuses - twice, and a pipe by two names: a second reader would get a part of it or nothing. */
static bool check_pipes(const cli_syntax *syntax, char **operands, int given, cli_error *error)
{
    const size_t count = syntax->command_follows ? 0 : (size_t)given;
    for (size_t i = 0; i < count + syntax->num_options; i++) {
        const named now = look_at(syntax, operands, count, i);
        for (size_t k = 0; k < i && now.is_read_once; k++) {
            const named before = look_at(syntax, operands, count, k);
            if (are_same(&now, &before))
                return cli_fail(error, CLI_MISTAKE, now.name,
                    "%s is given twice, but can be read only once: give a file for one",
                    now.is_standard ? "-" : "this pipe");
        }
    }
    return true;
}

bool cli_parse(const cli_syntax *syntax, int argc, char **argv, char ***operands, int *num_operands,
    cli_error *error)
{
    struct option longs[MAX_OPTIONS + 1];
    char letters[2 * MAX_OPTIONS + 3];
    size_t count = fill_tables(syntax, longs, letters);
    int code;
    opterr = 0;
    optind = 0; /* restart: main has parsed before */
    while ((code = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        const cli_option *option = find(syntax, count, code);
        if (code == '?' || code == ':' || !option)
            return refuse(syntax, count, code, argv, error);
        if (!take(option, optarg, error))
            return false;
        if (option->target == &format_chosen)
            cli_global.format = format_chosen + 1;
        if (help_wanted) {
            cli_global.show_help(syntax);
            return false;
        }
    }
    *operands = argv + optind;
    *num_operands = argc - optind;
    return check_operands(syntax, *num_operands, error) &&
           check_pipes(syntax, *operands, *num_operands, error);
}

bool cli_parse_some(const cli_syntax *syntax, int argc, char **argv, const char **operands,
    int count, cli_error *error)
{
    cli_syntax exact = *syntax;
    char **found = NULL;
    int num_found = 0;
    exact.min_operands = exact.max_operands = count;
    if (!cli_parse(&exact, argc, argv, &found, &num_found, error))
        return false;
    for (int i = 0; i < count; i++)
        operands[i] = found[i];
    return true;
}

bool cli_parse_one(
    const cli_syntax *syntax, int argc, char **argv, const char **operand, cli_error *error)
{
    return cli_parse_some(syntax, argc, argv, operand, 1, error);
}
