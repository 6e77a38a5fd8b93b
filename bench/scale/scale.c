/* SPDX-License-Identifier: MIT */
/*
 * scale RANKS ITEMS_A_RANK random|equal|sorted|reversed: sorts u64 keys by libdmm-mpi's own files
 * over ranks that are threads, checks the result, and prints what the ranks have sent: one line of
 * NAME=NUMBER, numbers of all ranks, or of the rank that has most (most_...).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm-mpi/sort.h>

#include "cl/hash.clh"
#include "scale.h"

typedef struct job {
    uint64_t n; /* items of a rank */
    const char *pattern;
    uint64_t **keys; /* each rank's keys, in the end sorted */
} job;

static uint64_t key_at(const job *j, int ranks, uint64_t at)
{
    switch (j->pattern[0]) {
    case 'e':
        return 77;
    case 's':
        return at;
    case 'r':
        return j->pattern[1] == 'e' ? (uint64_t)ranks * j->n - at : dmm_mix(at + 1);
    default:
        abort();
    }
}

static void sort_share(void *user)
{
    const job *const j = user;
    const dmm_sort_desc desc = {.order.type = DMM_U64};
    dmm_mpi *mpi = NULL;
    if (dmm_mpi_create(&mpi, NULL, MPI_COMM_WORLD, NULL) != DMM_OK)
        abort();
    const int rank = dmm_mpi_rank(mpi), ranks = dmm_mpi_ranks(mpi);
    uint64_t *const keys = malloc(j->n * sizeof *keys + 1);
    for (uint64_t i = 0; keys && i < j->n; i++)
        keys[i] = key_at(j, ranks, (uint64_t)rank * j->n + i);
    const dmm_mpi_sort_args args = {.keys = keys, .n = j->n, .keys_out = keys, .n_out = j->n};
    if (dmm_mpi_sort(mpi, &desc, &args) != DMM_OK)
        abort();
    j->keys[rank] = keys;
    dmm_mpi_free(mpi);
}

/* Ordered, and of the same sum as the input. */
static int is_right(const job *j, int ranks)
{
    uint64_t before = 0, sum = 0;
    for (int rank = 0; rank < ranks; rank++)
        for (uint64_t i = 0; i < j->n; i++) {
            if (j->keys[rank][i] < before)
                return 0;
            before = j->keys[rank][i];
            sum += dmm_mix(before) - dmm_mix(key_at(j, ranks, (uint64_t)rank * j->n + i));
        }
    return sum == 0;
}

int main(int argc, char **argv)
{
    const int ranks = argc == 4 ? atoi(argv[1]) : 0;
    job j = {.n = argc == 4 ? strtoull(argv[2], NULL, 10) : 0};
    if (ranks < 1 || !strchr("ers", argv[3][0])) {
        fprintf(stderr, "usage: scale RANKS ITEMS_A_RANK random|equal|sorted|reversed\n");
        return 1;
    }
    j.pattern = argv[3];
    j.keys = calloc((size_t)ranks, sizeof *j.keys);
    scale_counts *const counts = j.keys ? scale_run(ranks, sort_share, &j) : NULL;
    if (!counts || !is_right(&j, ranks)) {
        fprintf(stderr, "scale: wrong result\n");
        return 1;
    }
    uint64_t messages = 0, bytes = 0, most = 0, longest = 0;
    for (int rank = 0; rank < ranks; rank++) {
        messages += counts[rank].messages;
        bytes += counts[rank].message_bytes;
        most = counts[rank].messages > most ? counts[rank].messages : most;
        longest = counts[rank].longest > longest ? counts[rank].longest : longest;
        free(j.keys[rank]);
    }
    printf("sums=%llu sum_bytes=%llu gathers=%llu gather_bytes=%llu prefixes=%llu "
           "prefix_bytes=%llu transposes=%llu transpose_bytes=%llu messages=%llu "
           "message_bytes=%llu most_messages=%llu longest=%llu\n",
        (unsigned long long)counts->sums, (unsigned long long)counts->sum_bytes,
        (unsigned long long)counts->gathers, (unsigned long long)counts->gather_bytes,
        (unsigned long long)counts->prefixes, (unsigned long long)counts->prefix_bytes,
        (unsigned long long)counts->transposes, (unsigned long long)counts->transpose_bytes,
        (unsigned long long)messages, (unsigned long long)bytes, (unsigned long long)most,
        (unsigned long long)longest);
    free(counts);
    free(j.keys);
    return 0;
}
