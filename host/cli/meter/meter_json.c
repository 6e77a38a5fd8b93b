/* SPDX-License-Identifier: MIT */
/* The meter's readings as JSON. */
#include "meter.h"
#include "utf8.h"

#include <inttypes.h>
#include <string.h>

enum { ARRAY_BITS = 48 }; /* bits of an address below the number of its array */

/* Prints a text in quotation marks. Bytes that are no UTF-8 become the replacement character. */
static void print_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (size_t bytes; *text != '\0'; text += bytes != 0 ? bytes : 1) {
        bytes = cli_utf8_bytes(text);
        if (bytes == 0)
            fputs("\\ufffd", out);
        else if ((unsigned char)*text < 0x20)
            fprintf(out, "\\u%04x", (unsigned char)*text);
        else
            fprintf(out, *text == '"' || *text == '\\' ? "\\%.*s" : "%.*s", (int)bytes, text);
    }
    fputc('"', out);
}

static void print_tally(FILE *out, const dmm_model_tally *tally)
{
    fprintf(out,
        "\"steps\": %" PRIu64 ", \"passes\": %" PRIu64 ", \"needed\": %" PRIu64
        ", \"conflicts\": %" PRIu64 ", \"worst\": %" PRIu32,
        tally->steps, tally->passes, tally->needed, tally->conflicts, tally->worst);
}

/* Prints <lane>, <array>, <byte> of each access. A readings' address has the number of an array in
 * its upper bits; bytes count from a multiple of the width of all banks. */
static void print_accesses(FILE *out, const meter_step *step, const dmm_model_local *memory)
{
    const uint64_t row_bytes = (uint64_t)memory->banks * memory->word_bytes;
    for (uint32_t i = 0; i < step->count; i++) {
        const uint64_t address = step->accesses[i].address_bytes;
        const uint64_t array = address >> ARRAY_BITS, base = array << ARRAY_BITS;
        fprintf(out, "%s%" PRIu32 ",%" PRIu64 ",%" PRIu64, i ? "," : "", step->accesses[i].lane,
            array, address - base + base % row_bytes);
    }
}

typedef struct json_phases {
    FILE *out;
    const char *separator;
} json_phases;

static void print_phase(void *user, const uint16_t *words_of_bank, uint32_t banks)
{
    json_phases *phases = user;
    fprintf(phases->out, "%s[", phases->separator);
    for (uint32_t bank = 0; bank < banks; bank++)
        fprintf(phases->out, "%s%d", bank ? "," : "", words_of_bank[bank]);
    fputc(']', phases->out);
    phases->separator = ",";
}

/* Prints the steps of a line's costliest run: their accesses, and the words of each bank in each
 * phase. */
static void print_run(FILE *out, const meter_line *line, const dmm_model_local *memory)
{
    fputs(", \"run\": [", out);
    for (size_t i = 0; i < line->num_steps; i++) {
        const meter_step *step = &line->steps[i];
        json_phases phases = {out, ""};
        dmm_model_reading reading;
        fprintf(out, "%s{\"bytes\":%" PRIu32 ",\"accesses\":[", i ? "," : "",
            step->count ? step->accesses[0].size_bytes : 0);
        print_accesses(out, step, memory);
        fputs("],\"phases\":[", out);
        dmm_model_local_phases(
            &reading, memory, line->kind, step->accesses, step->count, print_phase, &phases);
        fputs("]}", out);
    }
    fputc(']', out);
}

/* Prints the text of a kernel by files: the number and the text of each line. */
static void print_source(FILE *out, const meter_readings *readings, size_t kernel)
{
    const meter_text *last = NULL;
    fputs(",\n     \"source\": [", out);
    for (size_t i = 0; i < readings->num_texts; i++) {
        const meter_text *text = &readings->texts[i];
        if (text->kernel != kernel)
            continue;
        const bool same = last && strcmp(last->file, text->file) == 0;
        if (same && last->number == text->number)
            continue; /* two programs of one process have a kernel of that name */
        if (!same) {
            fputs(last ? "]}, {\"file\": " : "{\"file\": ", out);
            print_string(out, text->file);
            fputs(", \"lines\": [", out);
        }
        fprintf(out, "%s[%" PRIu64 ",", same ? "," : "", text->number);
        print_string(out, text->text);
        fputc(']', out);
        last = text;
    }
    fputs(last ? "]}]" : "]", out);
}

static void print_json_line(
    FILE *out, const meter_line *line, const meter_machine *machine, bool whole)
{
    fprintf(out, "\n      {\"space\": \"%s\", \"kind\": \"%s\", \"file\": ",
        line->local ? "local" : "global", meter_kind_name(line->kind));
    print_string(out, line->file);
    fprintf(out, ", \"line\": %" PRIu64 ", ", line->number);
    print_tally(out, &line->tally);
    if (machine->translation.page_bytes && !line->local)
        meter_print_json_pages(out, &line->pages);
    if (whole && line->num_steps > 0)
        print_run(out, line, &machine->local);
    fputs(", \"calls\": ", out);
    print_string(out, line->calls);
    fputs(", \"text\": ", out);
    print_string(out, line->text);
    fputc('}', out);
}

static void print_json_kernel(FILE *out, const meter_run_result *run, size_t index, bool whole)
{
    const meter_readings *readings = run->readings;
    const meter_machine *machine = run->machine;
    const meter_kernel *kernel = &readings->kernels[index];
    fputs("\n    {\"name\": ", out);
    print_string(out, kernel->name);
    fprintf(out,
        ", \"launches\": %" PRIu64 ", \"finished\": %" PRIu64 ", \"group_items\": %" PRIu64
        ", \"built_banks\": %" PRIu64 ", \"unjudged\": %" PRIu64 ",\n     \"local\": {",
        kernel->launches, kernel->finished, kernel->group_items, kernel->built_banks,
        kernel->unjudged);
    print_tally(out, &kernel->local);
    fputs("}", out);
    if (kernel->sampled_of)
        fprintf(out, ", \"sampled_groups\": %" PRIu64 ", \"of_groups\": %" PRIu64, kernel->sampled,
            kernel->sampled_of);
    if (kernel->digest)
        fprintf(out, ", \"digest\": \"%016" PRIx64 "\"", kernel->digest);
    if (kernel->time_ns)
        fprintf(out, ", \"time_ns\": %" PRIu64 ", \"metered_ns\": %" PRIu64, kernel->time_ns,
            kernel->metered_ns);
    if (machine->translation.page_bytes)
        meter_print_json_pages(out, &kernel->pages);
    if (machine->latency)
        meter_print_json_costs(out, &kernel->costs);
    fputs(",\n     \"lines\": [", out);
    const char *separator = "";
    for (size_t i = 0; i < readings->num_lines; i++) {
        if (readings->lines[i].kernel != index)
            continue;
        fputs(separator, out);
        print_json_line(out, &readings->lines[i], machine, whole);
        separator = ",";
    }
    fputc(']', out);
    if (whole)
        print_source(out, readings, index);
    fputc('}', out);
}

void meter_print_json(FILE *out, const meter_run_result *run, bool whole)
{
    const meter_readings *readings = run->readings;
    const meter_machine *machine = run->machine;
    const dmm_model_local *local = &machine->local;
    fprintf(out,
        "{\"dmm_meter\": 1,\n \"machine\": {\"banks\": %" PRIu32 ", \"lanes\": %" PRIu32
        ", \"word_bytes\": %" PRIu32
        ", \"writes_conflict\": %s, \"reads_conflict\": %s, \"segment_bytes\": %" PRIu32,
        local->banks, local->lanes, local->word_bytes, local->writes_conflict ? "true" : "false",
        local->reads_conflict ? "true" : "false", machine->segment_bytes);
    meter_print_json_machine(out, machine);
    fputs("},\n \"program\": [", out);
    for (size_t i = 0; run->program[i]; i++) {
        fputs(i ? ", " : "", out);
        print_string(out, run->program[i]);
    }
    fprintf(
        out, "],\n \"exit_status\": %d, \"signal\": %d,\n", run->end.exit_status, run->end.signal);
    if (machine->latency)
        fprintf(out, " \"to_device_bytes\": %" PRIu64 ", \"from_device_bytes\": %" PRIu64 ",\n",
            readings->to_device, readings->from_device);
    fputs(" \"kernels\": [", out);
    const char *separator = "";
    for (size_t i = 0; i < readings->num_kernels; i++) {
        if (!readings->kernels[i].chosen)
            continue;
        fputs(separator, out);
        print_json_kernel(out, run, i, whole);
        separator = ",";
    }
    fputs("]}\n", out);
}
