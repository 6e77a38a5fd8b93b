/* SPDX-License-Identifier: MIT */
/*
 * Prints what the readers of files say, for agree.py: of each line `KIND PATH` of standard
 * input a line: what is in the file, or `refused`.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/csv.h"
#include "cli/graph/graph.h"
#include "cli/index_file.h"
#include "cli/input.h"
#include "cli/large/job.h"
#include "cli/meter/meter.h"
#include "cli/npy.h"
#include "cli/parallel.h"
#include "cli/points.h"
#include "core/tuning_rows.h"
#include "lab/cli/network/network.h"
#include "primitives/permute/permutation_plan.h"

static void print_graph(const char *path)
{
    cli_graph g = {0};
    cli_error error = {0};
    uint64_t sum = 0;
    if (!cli_read_graph(&g, path, DMM_ITEM, &error)) {
        puts("refused");
    } else {
        for (uint64_t v = 0; v < g.vertices; v++)
            for (uint64_t e = g.offsets[v]; e < g.offsets[v + 1]; e++) {
                uint32_t weight = 0;
                memcpy(&weight, (const char *)g.weights + e * sizeof weight, sizeof weight);
                sum = (sum * 31 + v * 7 + g.targets[e]) * 31 + weight;
            }
        printf("%" PRIu64 " %" PRIu64 " %s %" PRIu64 "\n", g.vertices, g.edges,
            g.type == DMM_U32 ? "u32" : "f32", sum);
    }
    cli_free_graph(&g);
}

static void print_network(const char *path)
{
    dmm_model_network *network = NULL;
    cli_error error = {0};
    dmm_model_network_step step;
    uint64_t sum = 0;
    if (!network_read(&network, path, &error)) {
        puts("refused");
    } else {
        while (dmm_model_network_next(&step, network)) {
            for (uint64_t i = 0; i < step.count; i++)
                sum = (sum * 31 + step.pairs[i].low) * 31 + step.pairs[i].high;
            sum = sum * 31 + 1;
        }
        printf("%" PRIu32 " %" PRIu64 "\n", dmm_model_network_wires(network), sum);
    }
    dmm_model_network_free(network);
}

static void print_points(const char *path)
{
    cli_array points = {0};
    cli_error error = {0};
    uint64_t sum = 0;
    if (!cli_read_points(&points, path, &error)) {
        puts("refused");
    } else {
        for (size_t i = 0; i < points.count; i++) {
            uint64_t bits = 0;
            memcpy(&bits, (const char *)points.data + i * sizeof bits, sizeof bits);
            sum = sum * 31 + bits;
        }
        printf("%zu %" PRIu64 "\n", points.count, sum);
    }
    cli_free_array(&points);
}

static void print_numbers(const char *path)
{
    cli_array numbers = {0};
    cli_error error = {0};
    uint64_t sum = 0;
    if (!cli_read_keys(&numbers, path, DMM_ITEM, &error)) {
        puts("refused");
    } else {
        for (size_t i = 0; i < numbers.count; i++) {
            uint64_t bits = 0;
            memcpy(&bits, (const char *)numbers.data + i * sizeof bits, sizeof bits);
            sum = sum * 31 + bits;
        }
        printf("%zu %s %" PRIu64 "\n", numbers.count, dmm_type_name(numbers.type), sum);
    }
    cli_free_array(&numbers);
}

static void print_hash(const void *items, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        memcpy(&bits, (const char *)items + i * sizeof bits, sizeof bits);
        sum = sum * 31 + bits;
    }
    printf(" %" PRIu64, sum);
}

/* Two columns, and where rows begin. */
static void print_columns(const char *path, const char *wanted)
{
    char *file = NULL;
    size_t bytes = 0, num_keys = 0;
    cli_error error = {0};
    cli_csv csv = {0};
    cli_csv_key keys[CLI_MOST_KEYS] = {0};
    if (!cli_read_file(&file, &bytes, path, &error) ||
        !cli_csv_open(&csv, path, file, bytes, ',', false, wanted, keys, &num_keys, &error) ||
        !cli_csv_read(&csv, keys, num_keys, &error)) {
        puts("refused");
    } else {
        printf("%zu", csv.rows);
        for (size_t i = 0; i < 2; i++) {
            printf(" %s", dmm_type_name(keys[i].type));
            print_hash(keys[i].numbers.data, csv.rows);
        }
        print_hash(csv.starts, csv.rows);
        printf("\n");
    }
    cli_free_array(&keys[0].numbers);
    cli_free_array(&keys[1].numbers);
    cli_csv_close(&csv);
    free(file);
}

static void print_csv(const char *path)
{
    print_columns(path, "1,2");
}

static void print_named(const char *path)
{
    print_columns(path, "price,a b");
}

static void print_rows(const char *path)
{
    cli_error error = {0};
    cli_array rows = {0};
    if (!cli_read_rows(&rows, path, &error))
        puts("refused");
    else
        printf("%s %s %zu %zu\n", dmm_type_name(rows.type), rows.descr[0] ? rows.descr : "-",
            rows.count, rows.columns);
    cli_free_array(&rows);
}

static void print_npy(const char *path)
{
    char *file = NULL;
    size_t bytes = 0;
    cli_error error = {0};
    cli_npy npy;
    if (!cli_read_file(&file, &bytes, path, &error) ||
        !cli_parse_npy(&npy, file, bytes, path, &error))
        puts("refused");
    else
        printf("%s %s %u %d %zu %zu\n", npy.descr, dmm_type_name(npy.type),
            (unsigned)npy.item_bytes, npy.big_endian, npy.count, npy.data_bytes_at);
    free(file);
}

static void print_index(const char *path)
{
    cli_array keys = {0};
    cli_layout layout = {0};
    bool descending = false;
    cli_error error = {0};
    if (!cli_read_index(&keys, &layout, &descending, path, &error))
        puts("refused");
    else
        printf("%u %u %s %d %zu\n", (unsigned)layout.kind, (unsigned)layout.B,
            dmm_type_name(keys.type), descending, keys.count);
    cli_free_array(&keys);
}

static const dmm_log no_log = {NULL, NULL};

static void print_plan(const char *path)
{
    dmm_plan_moves m = {0};
    if (dmm_plan_file_read(&m, path, &no_log) != DMM_OK)
        puts("refused");
    else
        printf("%" PRIu64 " %u %u %u %u %" PRIu64 " %u\n", m.n, m.tile, m.banks, m.u, m.E, m.padded,
            m.num_moves);
    dmm_plan_moves_free(&m);
}

/* On a GPU of this name and vendor, of 32 banks. No file is refused: all rows that are taken. */
static void print_tuning(const char *path)
{
    char *text = NULL;
    size_t bytes = 0;
    cli_error error = {0};
    dmm_tuning_rows rows = {0};
    dmm_device device = {.kind = DMM_KIND_GPU,
        .name = "card 1",
        .vendor = "the maker",
        .driver = "3.1",
        .banks = {32, DMM_SOURCE_QUERY},
        .bank_bytes = {4, DMM_SOURCE_QUERY},
        .lanes = {32, DMM_SOURCE_QUERY},
        .local_bytes = {65536, DMM_SOURCE_QUERY},
        .max_group = {1024, DMM_SOURCE_QUERY}};
    if (cli_read_file(&text, &bytes, path, &error) &&
        dmm_tuning_rows_read(&rows, text, path, &device, &no_log) == DMM_OK) {
        printf("%d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, (int)rows.form,
            device.banks.value, device.bank_bytes.value, device.lanes.value,
            device.local_bytes.value, device.max_group.value);
        for (size_t i = 0; i < rows.count; i++) {
            const dmm_tuning_row *const r = &rows.rows[i];
            printf(" %s/%u/%d/%d/%u/%u/%u/%d/%u/%" PRIu64, r->word, r->item_bytes, (int)r->section,
                (int)r->tuning.form, r->tuning.u, r->tuning.E, r->tuning.tile,
                (int)r->tuning.search, r->digit, r->from);
        }
        putchar('\n');
    } else {
        puts("refused");
    }
    dmm_tuning_rows_destroy(&rows);
    free(text);
}

static void write_file(const char *path, const void *data, size_t bytes)
{
    FILE *const file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0)
        abort();
}

/* Prints how much of the state and of a scratch file of known bytes is kept: strict_state.py. */
static void print_state(const char *path)
{
    static unsigned char scratch[4096];
    char *state = NULL, *files[2];
    size_t bytes = 0;
    cli_error error = {0};
    cli_job job = CLI_JOB_INIT;
    struct stat kept[2];
    int fd = -1;
    for (size_t i = 0; i < sizeof scratch; i++)
        scratch[i] = (unsigned char)(i * 7 + i / 251 + 1);
    job.text = "a job\nof two lines\n";
    if (!cli_job_open(&job, ".", "agree", &fd, &error) ||
        !cli_read_file(&state, &bytes, path, &error))
        abort();
    files[0] = strdup(job.path);
    files[1] = strdup(job.state);
    write_file(files[0], scratch, sizeof scratch);
    write_file(files[1], state, bytes);
    close(fd);
    cli_job_close(&job, 0);
    job.text = "a job\nof two lines\n";
    if (!cli_job_open(&job, ".", "agree", &fd, &error) || stat(files[0], &kept[0]) != 0 ||
        stat(files[1], &kept[1]) != 0)
        puts("refused");
    else
        printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %lld %lld\n", job.items, job.sum.a, job.sum.b,
            (long long)kept[1].st_size, (long long)kept[0].st_size);
    close(fd);
    cli_job_close(&job, 1);
    remove(files[0]);
    remove(files[1]);
    free(files[0]);
    free(files[1]);
    free(state);
}

static uint64_t hash_text(uint64_t sum, const char *text)
{
    for (; *text != '\0'; text++)
        sum = sum * 31 + (unsigned char)*text;
    return sum;
}

static uint64_t hash_tally(uint64_t sum, const dmm_model_tally *tally)
{
    const uint64_t words[] = {
        tally->steps, tally->passes, tally->needed, tally->conflicts, tally->worst};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        sum = sum * 31 + words[i];
    return sum;
}

/* Prints what is read, and compares the run with itself: every kernel has its pair. */
static void print_readings(const char *path)
{
    meter_old old = {0};
    cli_error error = {0};
    const meter_readings *const r = &old.readings;
    uint64_t sum = 0;
    if (!meter_read_old(&old, path, &error)) {
        puts("refused");
        meter_free_old(&old);
        return;
    }
    for (size_t k = 0, i = 0; k < r->num_kernels; k++) {
        sum = hash_text(sum, r->kernels[k].name) * 31 + r->kernels[k].launches;
        sum = hash_tally(hash_tally(sum, &r->kernels[k].local), &r->kernels[k].global);
        for (; i < r->num_lines && r->lines[i].kernel == k; i++) {
            const meter_line *const line = &r->lines[i];
            sum = sum * 31 + line->local;
            sum = (sum * 31 + (uint64_t)line->kind) * 31 + line->number;
            sum = hash_text(hash_text(hash_text(sum, line->file), line->calls), line->text);
        }
    }
    printf("%u %u %u %u %zu %zu %" PRIu64 "\n", old.machine.local.banks, old.machine.local.lanes,
        old.machine.local.word_bytes, old.machine.segment_bytes, old.json_bytes, r->num_kernels,
        sum);
    FILE *const nothing = fopen("/dev/null", "w");
    if (nothing == NULL || !meter_compare(&old, r, &error))
        abort();
    for (size_t k = 0; k < r->num_kernels; k++)
        if (old.kernels[k] == METER_NONE)
            abort();
    meter_print_comparison(nothing, &old, r, &old.machine);
    fclose(nothing);
    meter_free_old(&old);
}

static const struct {
    const char *kind;
    void (*print)(const char *path);
} readers[] = {{"network", print_network}, {"points", print_points}, {"numbers", print_numbers},
    {"npy", print_npy}, {"rows", print_rows}, {"csv", print_csv}, {"named", print_named},
    {"index", print_index}, {"plan", print_plan}, {"state", print_state}, {"tuning", print_tuning},
    {"list", print_graph}, {"graph", print_graph}, {"readings", print_readings}};

int main(void)
{
    char kind[16], path[1024];
    cli_part_bytes = 5; /* so that small files have several parts */
    while (scanf("%15s %1023s", kind, path) == 2) {
        for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
            if (strcmp(kind, readers[i].kind) == 0)
                readers[i].print(path);
        fflush(stdout);
    }
    return 0;
}
