/* SPDX-License-Identifier: MIT */
/* The tests of libdmm-mpi: started by mpirun, with any number of ranks. */
#include "ranks.h"

char ranks_note[200] = "the beginning";

uint64_t spread_begin(spread how, uint64_t n, int ranks, int rank)
{
    if (rank == ranks)
        return n;
    switch (how) {
    case ALL_ON_LAST:
        return 0;
    case ODD_RANKS_EMPTY: /* rank 1 begins where rank 2 does */
        return n * (uint64_t)((rank + 1) / 2) / (uint64_t)((ranks + 1) / 2);
    case ROUGH:
        return n * (uint64_t)(rank * rank) / (uint64_t)(ranks * ranks);
    default:
        return dmm_mpi_share(n, ranks, rank);
    }
}

void *ranks_allocate(uint64_t bytes)
{
    void *const made = calloc(1, (size_t)bytes + 1);
    CHECK(made != NULL);
    return made;
}

static void test_shares(void)
{
    for (int ranks = 1; ranks < 9; ranks++)
        for (uint64_t n = 0; n < 30; n++)
            for (int rank = 0; rank < ranks; rank++) {
                const uint64_t share =
                    dmm_mpi_share(n, ranks, rank + 1) - dmm_mpi_share(n, ranks, rank);
                CHECK(share == n / (uint64_t)ranks || share == n / (uint64_t)ranks + 1);
                CHECK(rank > 0 || dmm_mpi_share(n, ranks, rank) == 0);
            }
    CHECK(dmm_mpi_share(UINT64_MAX, 65536, 65536) == UINT64_MAX);
}

/* The last rank finds no device: nobody gets an object, and all know why. */
static void test_create_failures(int rank, int ranks)
{
    int failed = -2;
    dmm_mpi *mpi = (dmm_mpi *)(uintptr_t)1;
    const dmm_context_desc none = {.device_text = "no such device"};
    const dmm_context_desc *const desc = rank == ranks - 1 ? &none : NULL;
    CHECK(dmm_mpi_create(&mpi, &failed, MPI_COMM_WORLD, desc) == DMM_NO_DEVICE);
    CHECK(mpi == NULL && failed == ranks - 1);
    CHECK(dmm_mpi_create(rank == 0 ? NULL : &mpi, &failed, MPI_COMM_WORLD, NULL) ==
          DMM_NULL_ARGUMENT);
    CHECK(failed == 0);
}

static void test_agreement(dmm_mpi *mpi)
{
    const int rank = dmm_mpi_rank(mpi), last = dmm_mpi_ranks(mpi) - 1;
    CHECK_OK(mpi, dmm_mpi_agree(mpi, DMM_OK));
    CHECK_FAILS(CL_OUT_OF_RESOURCES, last, mpi,
        dmm_mpi_agree(mpi, rank == last ? CL_OUT_OF_RESOURCES : DMM_OK));
    CHECK_FAILS(DMM_OUT_OF_MEMORY, 0, mpi,
        dmm_mpi_agree(mpi, rank == 0 ? DMM_OUT_OF_MEMORY : CL_OUT_OF_RESOURCES));
    CHECK_OK(mpi, dmm_mpi_agree(mpi, DMM_OK));
    CHECK(dmm_mpi_agree(NULL, DMM_OK) == DMM_NULL_ARGUMENT);
}

int main(int argc, char **argv)
{
    int rank = 0, ranks = 0, failed = -2;
    dmm_mpi *mpi = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    test_shares();
    test_create_failures(rank, ranks);
    CHECK(dmm_mpi_create(&mpi, &failed, MPI_COMM_WORLD, NULL) == DMM_OK && failed == -1);
    CHECK(dmm_mpi_rank(mpi) == rank && dmm_mpi_ranks(mpi) == ranks && dmm_mpi_context(mpi));
    test_agreement(mpi);
    test_sorts(mpi);
    test_sort_failures(mpi);
    test_moves(mpi);
    test_results(mpi);
    dmm_mpi_free(mpi);
    dmm_mpi_free(NULL);
    MPI_Finalize();
    if (rank == 0)
        puts("all tests passed");
    return 0;
}
