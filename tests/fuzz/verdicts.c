/* SPDX-License-Identifier: MIT */
/*
 * Prints what the readers of text files say, for agree.py: of each line `KIND PATH` of standard
 * input a line: what is in the file, or `refused`.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/graph/graph.h"
#include "cli/points.h"
#include "lab/cli/network/network.h"

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

int main(void)
{
    char kind[16], path[1024];
    while (scanf("%15s %1023s", kind, path) == 2) {
        if (strcmp(kind, "network") == 0)
            print_network(path);
        else if (strcmp(kind, "points") == 0)
            print_points(path);
        else if (strcmp(kind, "numbers") == 0)
            print_numbers(path);
        else
            print_graph(path);
        fflush(stdout);
    }
    return 0;
}
