/* SPDX-License-Identifier: MIT */
/*
 * Writes rows.
 */
#include "row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <dmm/version.h>

enum { LINE_BYTES = 64 }; /* line of a cache, where the device names none */

/* Systems without it say nothing. */
static void read_load(char *out, size_t bytes)
{
    FILE *const file = fopen("/proc/loadavg", "r");
    out[0] = '\0';
    if (file == NULL)
        return;
    if (fgets(out, (int)bytes, file) != NULL)
        out[strcspn(out, " \n")] = '\0';
    fclose(file);
}

/* Returns a number of the device; 0 if it is not known. */
static double query(const dmm_device *device, cl_device_info what, size_t bytes)
{
    cl_ulong large = 0;
    cl_uint small = 0;
    void *const to = bytes == sizeof large ? (void *)&large : (void *)&small;
    return clGetDeviceInfo(device->id, what, bytes, to, NULL) == CL_SUCCESS
               ? (double)(bytes == sizeof large ? large : small)
               : 0;
}

static void find_memory(bench_origin *o)
{
    const dmm_device *const device = o->device;
    const double line = query(device, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, sizeof(cl_uint));
    const double cache = query(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof(cl_ulong));
    o->block_bytes = line > 0 ? line : LINE_BYTES;
    o->memory_bytes = device->kind == DMM_KIND_CPU && cache > 0
                          ? cache / (double)device->units.value
                          : (double)device->local_bytes.value;
}

bench_origin bench_origin_of(int argc, char **argv, const dmm_context *ctx)
{
    bench_origin o = {.device = dmm_context_device(ctx)};
    const time_t now = time(NULL);
    const char *const slash = strrchr(argv[0], '/');
    size_t used = 0;
    strftime(o.date, sizeof o.date, "%Y-%m-%d %H:%M UTC", gmtime(&now));
    read_load(o.load, sizeof o.load);
    for (int i = 0; i < argc && used < sizeof o.command; i++)
        used += (size_t)snprintf(o.command + used, sizeof o.command - used, "%s%s",
            i == 0 ? "" : " ", i == 0 && slash != NULL ? slash + 1 : argv[i]);
    find_memory(&o);
    return o;
}

void bench_print_origin(const bench_origin *o)
{
    printf(
        "# dmm %s, %s%s%s\n", DMM_VERSION, o->date, o->load[0] != '\0' ? ", load " : "", o->load);
    printf("# command: %s\n", o->command);
    printf("# device: %s (%s), driver %s\n", o->device->name, o->device->platform_name,
        o->device->driver);
    printf("# floors: memory of %.0f bytes in blocks of %.0f\n", o->memory_bytes, o->block_bytes);
}

void bench_print_header(void)
{
    printf("# word case type values input n who method form u E tile runs median_ms min_ms "
           "event_ms Mitems/s bytes/item GB/s share beside ratio ratio_min ratio_max floor "
           "floor_compares\n");
}

static const char *or_dash(const char *text)
{
    return text[0] != '\0' ? text : "-";
}

static double million_a_second(const bench_row *r)
{
    return 1e-3 * (double)r->n / r->wall.median;
}

void bench_print_row(const bench_row *r)
{
    printf(
        "%s %s %s %u %s %zu %s %s %s %u %u %u %zu %.4f %.4f %.4f %.1f %.1f %.2f %.3f %s %.3f %.3f "
        "%.3f %.2f %.2f\n",
        r->word, or_dash(r->title), r->type, r->value_bytes, r->input, r->n, r->who,
        or_dash(r->method), or_dash(r->with.form), r->with.u, r->with.E, r->with.tile, r->runs,
        r->wall.median, r->wall.least, r->event_ms, million_a_second(r), r->item_bytes,
        r->gigabytes_a_s, r->share, or_dash(r->beside), r->ratio.median, r->ratio.least,
        r->ratio.most, r->floors.any, r->floors.compares);
    fflush(stdout);
}

/* "name": "text"; what would end the text, or is no character, is left out. */
static void put_text(FILE *file, const char *name, const char *text)
{
    fprintf(file, "\"%s\": \"", name);
    for (; *text != '\0'; text++)
        if (*text != '"' && *text != '\\' && (unsigned char)*text >= ' ')
            fputc(*text, file);
    fputs("\", ", file);
}

static void put_number(FILE *file, const char *name, double number)
{
    fprintf(file, "\"%s\": %.10g, ", name, number);
}

static void put_origin(FILE *file, const bench_origin *o)
{
    put_text(file, "dmm", DMM_VERSION);
    put_text(file, "date", o->date);
    put_text(file, "load", o->load);
    put_text(file, "device", o->device->name);
    put_text(file, "platform", o->device->platform_name);
    put_text(file, "driver", o->device->driver);
    put_number(file, "memory_bytes", o->memory_bytes);
    put_number(file, "block_bytes", o->block_bytes);
    put_text(file, "command", o->command);
}

static void put_row(FILE *file, const bench_row *r, const bench_origin *origin)
{
    fputs("{", file);
    put_text(file, "word", r->word);
    put_text(file, "case", r->title);
    put_text(file, "type", r->type);
    put_number(file, "values", r->value_bytes);
    put_text(file, "input", r->input);
    put_number(file, "n", (double)r->n);
    put_text(file, "who", r->who);
    put_text(file, "method", r->method);
    put_text(file, "form", r->with.form);
    put_number(file, "u", r->with.u);
    put_number(file, "E", r->with.E);
    put_number(file, "tile", r->with.tile);
    put_number(file, "runs", (double)r->runs);
    put_number(file, "median_ms", r->wall.median);
    put_number(file, "min_ms", r->wall.least);
    put_number(file, "event_ms", r->event_ms);
    put_number(file, "command_ms", r->command_ms);
    put_number(file, "bytes_an_item", r->item_bytes);
    put_number(file, "GB_a_second", r->gigabytes_a_s);
    put_number(file, "share", r->share);
    put_number(file, "floor_bytes", r->floors.any);
    put_number(file, "floor_bytes_if_compares", r->floors.compares);
    put_text(file, "beside", r->beside);
    put_number(file, "ratio", r->ratio.median);
    put_number(file, "ratio_min", r->ratio.least);
    put_number(file, "ratio_max", r->ratio.most);
    put_origin(file, origin);
    fprintf(file, "\"Mitems_a_second\": %.6g}\n]\n", million_a_second(r));
}

void bench_save_row(const char *name, const bench_row *row, const bench_origin *origin)
{
    FILE *file = fopen(name, "r+");
    /* An array that is there ends with "\n]\n", which the new row and a new end replace. */
    const int goes_on = file != NULL && fseek(file, -3, SEEK_END) == 0;
    if (file == NULL)
        file = fopen(name, "w");
    if (file == NULL) {
        fprintf(stderr, "%s: cannot be written\n", name);
        exit(2);
    }
    fputs(goes_on ? ",\n" : "[\n", file);
    put_row(file, row, origin);
    if (fclose(file) != 0) {
        fprintf(stderr, "%s: cannot be written\n", name);
        exit(2);
    }
}
