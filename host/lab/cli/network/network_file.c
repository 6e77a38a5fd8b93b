/* SPDX-License-Identifier: MIT */
#include "network.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "lines.h"

/* Steps as they are read. */
typedef struct steps {
    dmm_model_comparator *pairs;
    uint64_t *ends;
    uint64_t count, lines;
} steps;

/* Reads a decimal number and moves *at past it. */
static bool read_number(const char **at, uint32_t *out)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    const unsigned long long number = strtoull(*at, &end, 10);
    *at = end;
    *out = number <= UINT32_MAX ? (uint32_t)number : UINT32_MAX;
    return true;
}

/* Reads the comparators of a line; false at anything else. */
static bool read_line(steps *s, const char *at)
{
    for (;; s->count++) {
        at += strspn(at, " \t\r");
        if (*at == '\0')
            return true;
        dmm_model_comparator *pair = &s->pairs[s->count];
        if (!read_number(&at, &pair->low) || *at++ != ':' || !read_number(&at, &pair->high))
            return false;
    }
}

static bool read_steps(
    steps *s, uint32_t *wires, cli_lines *lines, const char *path, cli_error *error)
{
    static const char heading[] = "wires ";
    const char *line = cli_next_line(lines);
    const size_t skipped = sizeof heading - 1;
    const char *number = line && strncmp(line, heading, skipped) == 0 ? line + skipped : "";
    if (!read_number(&number, wires) || *number != '\0')
        return cli_fail(error, CLI_MISTAKE, path, "line 1: expected 'wires N'");
    while ((line = cli_next_line(lines))) {
        const uint64_t before = s->count;
        if (!read_line(s, line))
            return cli_fail(
                error, CLI_MISTAKE, path, "line %zu: expected comparators LOW:HIGH", lines->line);
        if (s->count > before)
            s->ends[s->lines++] = s->count;
    }
    return true;
}

static uint64_t count_of(const cli_lines *lines, char letter)
{
    uint64_t count = 0;
    for (const char *at = lines->at; at < lines->end; at++)
        count += *at == letter;
    return count;
}

static bool read_text(
    dmm_model_network **out, char *text, size_t bytes, const char *path, cli_error *error)
{
    steps s = {0};
    uint32_t wires = 0;
    cli_lines lines;
    bool read = false;
    if (!cli_open_lines(&lines, text, bytes, path, error))
        return false;
    const uint64_t most = count_of(&lines, ':') + 1;
    s.pairs = malloc((size_t)most * sizeof *s.pairs);
    s.ends = malloc((size_t)(count_of(&lines, '\n') + 1) * sizeof *s.ends);
    if (!s.pairs || !s.ends) {
        cli_fail_memory(error, path, most * sizeof *s.pairs);
    } else if (read_steps(&s, &wires, &lines, path, error)) {
        const dmm_model_status status =
            dmm_model_network_create_of(out, wires, s.pairs, s.ends, s.lines);
        read = status == DMM_MODEL_OK;
        if (status == DMM_MODEL_BAD_DATA)
            cli_fail(error, CLI_MISTAKE, path,
                "a step has a wire twice, or one beyond wire %" PRIu32, wires - 1);
        else if (!read)
            cli_fail(error, CLI_MISTAKE, path, "%s", dmm_model_status_string(status));
    }
    free(s.pairs);
    free(s.ends);
    return read;
}

bool network_read(dmm_model_network **out, const char *path, cli_error *error)
{
    char *text = NULL;
    size_t bytes = 0;
    *out = NULL;
    const bool read =
        cli_read_file(&text, &bytes, path, error) && read_text(out, text, bytes, path, error);
    free(text);
    return read;
}

void network_write(FILE *out, dmm_model_network *network)
{
    dmm_model_network_step step;
    fprintf(out, "wires %" PRIu32 "\n", dmm_model_network_wires(network));
    dmm_model_network_rewind(network);
    while (dmm_model_network_next(&step, network))
        for (uint64_t i = 0; i < step.count; i++)
            fprintf(out, "%" PRIu32 ":%" PRIu32 "%c", step.pairs[i].low, step.pairs[i].high,
                i + 1 < step.count ? ' ' : '\n');
    dmm_model_network_rewind(network);
}
