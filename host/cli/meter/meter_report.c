/* SPDX-License-Identifier: MIT */
/*
 * The meter's table, one part a kernel, a row for each source line and kind of access.
 * Rows with conflicts have a mark at the left.
 */
#include "meter.h"

#include <inttypes.h>
#include <string.h>

enum { TEXT_COLUMNS = 56, NS_PER_MS = 1000000 };

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static int place_columns(const meter_readings *readings)
{
    int widest = 0;
    for (size_t i = 0; i < readings->num_lines; i++) {
        int columns = meter_format_place(NULL, 0, &readings->lines[i]);
        if (columns > widest)
            widest = columns;
    }
    return widest;
}

static void print_heading(FILE *out, bool local, int columns)
{
    fprintf(out, "  %-*s  %9s %13s %11s %10s %6s\n", columns + 10,
        local ? "local memory" : "global memory", "steps", local ? "passes" : "transactions",
        local ? "needed" : "least", local ? "conflicts" : "excess", "worst");
}

static void print_row(FILE *out, const meter_line *line, int columns)
{
    char place[4096];
    const dmm_model_tally *tally = &line->tally;
    meter_format_place(place, sizeof place, line);
    fprintf(out, "  %c %-*s %-6s  %9" PRIu64 " %13" PRIu64 " %11" PRIu64 " %10" PRIu64 " %6" PRIu32,
        line->local && tally->conflicts ? '!' : ' ', columns, place, meter_kind_name(line->kind),
        tally->steps, tally->passes, tally->needed, tally->conflicts, tally->worst);
    bool long_text = strlen(line->text) > TEXT_COLUMNS;
    if (line->text[0] != '\0')
        fprintf(out, "   %.*s%s", long_text ? TEXT_COLUMNS - 3 : TEXT_COLUMNS, line->text,
            long_text ? "..." : "");
    if (line->calls[0] != '\0')
        fprintf(out, "\n      from %s", line->calls);
    fputc('\n', out);
}

/* Prints the limitations of a kernel's numbers. */
static void print_doubts(FILE *out, const meter_kernel *kernel, const meter_machine *machine)
{
    if (kernel->built_banks && kernel->built_banks != machine->local.banks)
        fprintf(out, "  note: it was built for %" PRIu64 " banks, and is read on %" PRIu32 "\n",
            kernel->built_banks, machine->local.banks);
    if (kernel->group_items == 1)
        fprintf(out, "  note: its groups have one item, which cannot conflict with another\n");
    if (kernel->unjudged)
        fprintf(out,
            "  note: %" PRIu64 " accesses are not counted: more between two barriers "
            "than the meter holds (DMM_METER_TRACE_MB)\n",
            kernel->unjudged);
    if (kernel->sampled_of)
        fprintf(out,
            "  note: %" PRIu64 " of its %" PRIu64 " work-groups are metered, the others are not "
            "counted (--groups, DMM_METER_TRACE_MB)\n",
            kernel->sampled, kernel->sampled_of);
    if (kernel->finished < kernel->launches)
        fprintf(out, "  note: the program ended in it; what that launch cost is not counted\n");
}

static void print_kernel(FILE *out, const meter_readings *readings, size_t index, int columns,
    const meter_machine *machine)
{
    const meter_kernel *kernel = &readings->kernels[index];
    const dmm_model_tally *local = &kernel->local;
    fprintf(out,
        "\n%s: %" PRIu64 " launch%s, groups of %" PRIu64 ": %" PRIu64 " conflict%s in %" PRIu64
        " local step%s\n",
        kernel->name, kernel->launches, kernel->launches == 1 ? "" : "es", kernel->group_items,
        local->conflicts, plural(local->conflicts), local->steps, plural(local->steps));
    print_doubts(out, kernel, machine);
    if (kernel->digest)
        fprintf(out, "  digest of its accesses: %016" PRIx64 "\n", kernel->digest);
    if (kernel->time_ns)
        fprintf(out, "  time: %.3f ms, %.3f ms with records\n", (double)kernel->time_ns / NS_PER_MS,
            (double)kernel->metered_ns / NS_PER_MS);
    const meter_line *last = NULL;
    for (size_t i = 0; i < readings->num_lines; i++) {
        const meter_line *line = &readings->lines[i];
        if (line->kernel != index)
            continue;
        if (!last || last->local != line->local)
            print_heading(out, line->local, columns);
        print_row(out, line, columns);
        last = line;
    }
    if (machine->translation.page_bytes)
        meter_print_pages(out, readings, index, machine);
}

void meter_print_table(FILE *out, const meter_readings *readings, const meter_machine *machine)
{
    const dmm_model_local *local = &machine->local;
    int columns = place_columns(readings);
    uint64_t conflicts = 0, steps = 0, kernels = 0;
    fprintf(out,
        "%" PRIu32 " banks of %" PRIu32 " bytes, %" PRIu32
        " lanes%s; global memory in segments of %" PRIu32 " bytes\n",
        local->banks, local->word_bytes, local->lanes,
        local->reads_conflict    ? ", one lane a bank (EREW)"
        : local->writes_conflict ? ", writes to one word conflict"
                                 : "",
        machine->segment_bytes);
    for (size_t i = 0; i < readings->num_kernels; i++) {
        if (!readings->kernels[i].chosen)
            continue;
        print_kernel(out, readings, i, columns, machine);
        conflicts += readings->kernels[i].local.conflicts;
        steps += readings->kernels[i].local.steps;
        kernels++;
    }
    fprintf(out,
        "\nTogether: %" PRIu64 " conflict%s in %" PRIu64 " local step%s of %" PRIu64 " kernel%s\n",
        conflicts, plural(conflicts), steps, plural(steps), kernels, plural(kernels));
    if (machine->latency)
        meter_print_costs(out, readings, machine);
}
