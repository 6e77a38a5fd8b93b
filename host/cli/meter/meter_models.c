/* SPDX-License-Identifier: MIT */
/*
 * The parts of the meter's report that other models bring: translations of pages (Jurkiewicz's VAT)
 * under each kernel, and one table of costs with latency, of ATGPU and of PEM.
 */
#include "meter.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_COLUMNS = 32, TEXT_COLUMNS = 48, PLACE_BYTES = 4096 };

static const char *const policies[] = {"LRU", "ISLRU", "MIN", "ISMIN"};

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static void print_pages_row(
    FILE *out, const char *place, const meter_pages *pages, uint64_t transactions, const char *text)
{
    fprintf(out, "    %-*s %12" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10.3f %10.3f", NAME_COLUMNS,
        place, pages->translations, pages->walks, pages->insertions,
        ratio(pages->translations, transactions), ratio(pages->insertions, transactions));
    if (*text)
        fprintf(out, "   %.*s", TEXT_COLUMNS, text);
    fputc('\n', out);
}

void meter_print_pages(
    FILE *out, const meter_readings *readings, size_t kernel, const meter_machine *machine)
{
    const dmm_model_translation *vat = &machine->translation;
    const meter_kernel *chosen = &readings->kernels[kernel];
    char place[PLACE_BYTES];
    if (chosen->pages.translations == 0)
        return;
    fprintf(out,
        "  pages of %" PRIu64 " KiB, %" PRIu32 " nodes, %s, %" PRIu32 " group%s at once\n"
        "    %-*s %12s %10s %10s %21s\n",
        vat->page_bytes / 1024, vat->nodes, policies[vat->eviction], machine->resident,
        machine->resident == 1 ? "" : "s", NAME_COLUMNS, "", "translations", "walks", "insertions",
        "per transaction");
    for (size_t i = 0; i < readings->num_lines; i++) {
        const meter_line *line = &readings->lines[i];
        if (line->kernel != kernel || line->pages.translations == 0)
            continue;
        int used = meter_format_place(place, sizeof place, line);
        snprintf(place + used, sizeof place - (size_t)used, " %s", meter_kind_name(line->kind));
        print_pages_row(out, place, &line->pages, line->tally.passes, line->text);
    }
    print_pages_row(out, "together", &chosen->pages, chosen->global.passes, "");
}

static void add_costs(meter_costs *sum, const meter_costs *more)
{
    sum->dmm_time += more->dmm_time;
    sum->umm_time += more->umm_time;
    sum->operations += more->operations;
    sum->blocks += more->blocks;
    sum->pem_transfers += more->pem_transfers;
}

static void print_costs_row(
    FILE *out, const char *name, uint64_t launches, const meter_costs *costs, uint64_t latency)
{
    fprintf(out,
        "  %-*s %8" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %14" PRIu64
        " %12" PRIu64 "\n",
        NAME_COLUMNS, name, launches, costs->dmm_time, costs->umm_time, costs->operations,
        costs->blocks, costs->operations + latency * costs->blocks, costs->pem_transfers);
}

void meter_print_costs(FILE *out, const meter_readings *readings, const meter_machine *machine)
{
    const uint64_t latency = machine->latency;
    meter_costs sum = {0};
    uint64_t launches = 0;
    fprintf(out,
        "\nIn other models, latency %" PRIu64 ":\n  %-*s %8s %12s %12s %12s %12s %14s %12s\n",
        latency, NAME_COLUMNS, "", "launches", "DMM time", "UMM time", "ATGPU t", "ATGPU q",
        "ATGPU t + lq", "PEM blocks");
    for (size_t i = 0; i < readings->num_kernels; i++) {
        const meter_kernel *kernel = &readings->kernels[i];
        if (!kernel->chosen)
            continue;
        print_costs_row(out, kernel->name, kernel->launches, &kernel->costs, latency);
        add_costs(&sum, &kernel->costs);
        launches += kernel->launches;
    }
    print_costs_row(out, "together", launches, &sum, latency);
    fprintf(out,
        "  ATGPU: %" PRIu64 " words to the device in %" PRIu64 " transfer%s, %" PRIu64
        " from it in %" PRIu64 ", %" PRIu64 " rounds\n",
        readings->to_device / 4, readings->transfers_to, readings->transfers_to == 1 ? "" : "s",
        readings->from_device / 4, readings->transfers_from, launches);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

void meter_print_json_pages(FILE *out, const meter_pages *pages)
{
    fprintf(out,
        ", \"translations\": %" PRIu64 ", \"walks\": %" PRIu64 ", \"insertions\": %" PRIu64,
        pages->translations, pages->walks, pages->insertions);
}

void meter_print_json_costs(FILE *out, const meter_costs *costs)
{
    fprintf(out,
        ", \"dmm_time\": %" PRIu64 ", \"umm_time\": %" PRIu64 ", \"atgpu_operations\": %" PRIu64
        ", \"atgpu_blocks\": %" PRIu64 ", \"pem_blocks\": %" PRIu64,
        costs->dmm_time, costs->umm_time, costs->operations, costs->blocks, costs->pem_transfers);
}

void meter_print_json_machine(FILE *out, const meter_machine *machine)
{
    const dmm_model_translation *vat = &machine->translation;
    if (vat->page_bytes)
        fprintf(out,
            ", \"page_bytes\": %" PRIu64 ", \"nodes\": %" PRIu32 ", \"policy\": \"%s\", "
            "\"resident\": %" PRIu32,
            vat->page_bytes, vat->nodes, policies[vat->eviction], machine->resident);
    if (machine->latency)
        fprintf(out, ", \"latency\": %" PRIu64, machine->latency);
}
