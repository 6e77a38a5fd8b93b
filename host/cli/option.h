/* SPDX-License-Identifier: MIT */
/*
 * Options as tables: parsing and --help follow from a command's list. Every command also accepts
 * the global options, before or after its name.
 */
#ifndef DMM_CLI_OPTION_H
#define DMM_CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dmm/types.h>

#include "error.h"

typedef enum cli_option_kind {
    CLI_FLAG,  /* bool: set to true */
    CLI_TEXT,  /* const char * */
    CLI_INPUT, /* the same: a file that is read; - is standard input */
    CLI_SVG,   /* the same: a picture to write; its name ends in .svg */
    CLI_COUNT, /* uint64_t, decimal */
    CLI_BYTES, /* uint64_t, decimal, perhaps with K, M, G or T: 2^10, 2^20, ... */
    CLI_TYPE,  /* dmm_type, by name or by NumPy's */
    CLI_CHOICE /* unsigned: which of the words of `argument`, from 0 */
} cli_option_kind;

typedef struct cli_option {
    char letter;      /* 0: none */
    const char *name; /* without the dashes */
    cli_option_kind kind;
    void *target;         /* keeps its value if the option is not given */
    const char *argument; /* its name in --help; "one|two|three" for a choice; NULL for a flag.
                             The completion knows FILE, OUTPUT, FOLDER, DEVICE and TYPE */
    const char *help;     /* may have several lines */
} cli_option;

/* Options of several commands, as rows of their tables; `what`: a plural. */
#define CLI_TYPE_OPTION(type, what)                                 \
    {                                                               \
        't', "type", CLI_TYPE, type, "TYPE",                        \
            "type of the " what ", if the file does not contain it" \
    }
#define CLI_GUARANTEE_OPTION(guarantee)                                                      \
    {                                                                                        \
        0, "guarantee", CLI_FLAG, guarantee, NULL, "use only kernels without bank conflicts" \
    }
#define CLI_VALUE_OPTIONS(values, value_bytes, values_out, help)                                  \
    {0, "values", CLI_INPUT, values, "FILE", help},                                               \
        {0, "value-bytes", CLI_COUNT, value_bytes, "N", "bytes of a value in a .bin (1 to 256)"}, \
    {                                                                                             \
        0, "values-out", CLI_TEXT, values_out, "FILE", "file for the values"                      \
    }

#define CLI_SCRATCH_OPTION(scratch)                                              \
    {                                                                            \
        0, "scratch", CLI_TEXT, scratch, "FOLDER",                               \
            "folder of the scratch file, as large as the items (default: that\n" \
            "of OUTPUT; for standard output $TMPDIR or /tmp)"                    \
    }

/* A section of --help and of the manual page. Lines that begin with blanks are a table. */
typedef struct cli_section {
    const char *title; /* NULL ends a list of sections */
    const char *text;
} cli_section;

typedef struct cli_syntax {
    const char *synopsis; /* what follows the command's name */
    const char *about;
    const char *examples; /* commands, each a line; NULL: none */
    const cli_option *options;
    size_t num_options;
    int min_operands;
    int max_operands;
    bool command_follows; /* the first operand ends the options */
    const struct cli_command
        *commands;               /* commands that may follow; the last has no name. NULL: none */
    const cli_section *epilogue; /* NULL: nothing */
} cli_syntax;

/* Values of the global options; NULL: not given. */
typedef struct cli_settings {
    const char *program; /* its name, for messages */
    const char *command; /* its name, for messages; NULL before it is known */
    const char *device;
    unsigned format; /* a cli_format, of files whose names do not say; 0: not given */
    const char *set;
    const char *cache;  /* "": none */
    const char *tuning; /* "": none */
    bool verbose;
    bool is_silent;                        /* errors are not printed: another process does */
    void (*show_help)(const cli_syntax *); /* what --help does */
} cli_settings;

extern cli_settings cli_global;

/*
 * Parses argv (argv[0] is skipped) and leaves the operands in `operands`. Refuses standard input
 * that is given twice, by operands and options. After --help, which is printed here, returns false
 * with error->exit_code CLI_OK.
 */
bool cli_parse(const cli_syntax *syntax, int argc, char **argv, char ***operands, int *num_operands,
    cli_error *error);

/* As cli_parse, for a command with exactly `count` operands, possibly none. */
bool cli_parse_some(const cli_syntax *syntax, int argc, char **argv, const char **operands,
    int count, cli_error *error);
/* As above, for one operand. */
bool cli_parse_one(
    const cli_syntax *syntax, int argc, char **argv, const char **operand, cli_error *error);

enum { CLI_NUM_GLOBAL = 7 };

/* --device, --format, --set, --cache, --tuning, --verbose, --help. */
extern const cli_option cli_global_options[CLI_NUM_GLOBAL];

/* Parses the name of a type. */
bool cli_parse_type(dmm_type *out, const char *text, cli_error *error);

void cli_print_help(const cli_syntax *syntax);

/* Epilogue of commands that read arrays: the file formats. */
extern const cli_section cli_file_formats[];
/* The same with index files. */
extern const cli_section cli_index_formats[];

#endif
