/* SPDX-License-Identifier: MIT */
/*
 * The meter's page: host/cli/meter/page with the readings in it, as JSON. There `<` is escaped, so
 * that no text ends the element.
 */
#include "meter.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

#define MARK "@READINGS@"

/* Prints JSON. Bytes that are no UTF-8 become the replacement character. */
static void print_safely(FILE *out, const char *json, size_t count)
{
    for (size_t i = 0, bytes; i < count; i += bytes ? bytes : 1) {
        bytes = cli_utf8_bytes(json + i);
        if (json[i] == '<')
            fputs("\\u003c", out);
        else if (bytes == 0)
            fputs("\\ufffd", out);
        else
            fwrite(json + i, 1, bytes, out);
    }
}

/* Prints, for each line of the new run, the number of its line in the old one. */
static void print_pairs(FILE *out, const meter_old *old, const meter_readings *readings)
{
    const char *separator = "";
    for (size_t i = 0; i < readings->num_lines; i++) {
        if (!readings->kernels[readings->lines[i].kernel].chosen)
            continue;
        if (old->lines[i] == METER_NONE)
            fprintf(out, "%snull", separator);
        else
            fprintf(out, "%s%zu", separator, old->lines[i]);
        separator = ",";
    }
}

static bool print_run(FILE *out, const meter_run_result *run)
{
    char *json = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&json, &bytes);
    if (!memory)
        return false;
    meter_print_json(memory, run, true);
    const bool whole = fclose(memory) == 0;
    if (whole)
        print_safely(out, json, bytes);
    free(json);
    return whole;
}

bool meter_print_html(FILE *out, const meter_run_result *run, const meter_old *old)
{
    const char *mark = strstr(meter_page, MARK);
    fwrite(meter_page, 1, (size_t)(mark - meter_page), out);
    fputs("{\"now\": ", out);
    if (!print_run(out, run))
        return false;
    if (old) {
        fputs(", \"old\": ", out);
        print_safely(out, old->json, old->json_bytes);
        fputs(", \"pairs\": [", out);
        print_pairs(out, old, run->readings);
        fputc(']', out);
    }
    fprintf(out, "}%s", mark + strlen(MARK));
    return true;
}
