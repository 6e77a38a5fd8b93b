/* SPDX-License-Identifier: MIT */
/* What libdmm-mpi computes without MPI: keys as numbers, exact cuts, pieces of an exchange. */
#include <stdlib.h>
#include <string.h>

#include "mpi/exchange.h"
#include "mpi/split.h"
#include "support/random.h"
#include "support/require.h"

/* True if x comes before y, by the rules of <dmm/types.h>. */
static int half_before(uint16_t x, uint16_t y, int descending)
{
    const int nan_x = (x & 0x7fff) > 0x7c00, nan_y = (y & 0x7fff) > 0x7c00;
    if (nan_x != nan_y)
        return nan_y;
    if (descending) {
        const uint16_t swap = x;
        x = y;
        y = swap;
    }
    const int negative_x = x >> 15, negative_y = y >> 15;
    if (nan_x)
        return negative_x != negative_y ? negative_y : negative_x ? x > y : x < y;
    return negative_x != negative_y ? negative_x : negative_x ? x > y : x < y;
}

static void halves_are_ordered_as_the_header_says(void **state)
{
    (void)state;
    static const uint16_t others[] = {
        0, 1, 0x3c00, 0x7bff, 0x7c00, 0x7c01, 0x7fff, 0x8000, 0x8001, 0xfc00, 0xfc01, 0xffff};
    for (int descending = 0; descending < 2; descending++) {
        const dmm_order order = {.type = DMM_F16, .descending = descending};
        const dmm_key_code code = dmm_key_code_of(&order);
        for (uint32_t x = 0; x < 65536; x++)
            for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
                const uint16_t pair[] = {(uint16_t)x, others[i]};
                const uint64_t a = dmm_key_code_at(&code, pair, 0);
                const uint64_t b = dmm_key_code_at(&code, pair, 1);
                test_note("%04x %04x descending=%d", x, others[i], descending);
                REQUIRE((a < b) == half_before(pair[0], pair[1], descending));
                REQUIRE((b < a) == half_before(pair[1], pair[0], descending));
            }
    }
}

static void numbers_of_each_type_keep_their_order(void **state)
{
    (void)state;
    const struct {
        dmm_type type;
        uint64_t less, more;
    } pairs[] = {{DMM_U8, 1, 255}, {DMM_I8, 0x80, 0x7f}, {DMM_U16, 1, 65535}, {DMM_I16, 0xffff, 0},
        {DMM_U32, 5, 0xffffffff}, {DMM_I32, 0x80000000, 5}, {DMM_U64, 1, UINT64_MAX},
        {DMM_I64, UINT64_MAX, 0}, {DMM_F32, 0x80000000, 0}, {DMM_F32, 0xff800000, 0x7f800000},
        {DMM_F64, 1ull << 63, 0}, {DMM_F64, 0x7ff0000000000000, 0xfff0000000000001}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const dmm_key_code code = dmm_key_code_of(&(dmm_order){.type = pairs[i].type});
        test_note("pair %zu", i);
        REQUIRE(
            dmm_key_code_at(&code, &pairs[i].less, 0) < dmm_key_code_at(&code, &pairs[i].more, 0));
    }
    const dmm_key_code tie = dmm_key_code_of(&(dmm_order){.type = DMM_F32, .zero_equal = 1});
    const uint32_t zeros[] = {0, 0x80000000};
    REQUIRE(dmm_key_code_at(&tie, zeros, 0) == dmm_key_code_at(&tie, zeros, 1));
}

enum { MOST_LISTS = 7, MOST_ITEMS = 200 };

typedef struct lists {
    size_t count, goals;
    uint16_t keys[MOST_LISTS][MOST_ITEMS];
    uint64_t n[MOST_LISTS];
    uint64_t positions[MOST_LISTS];
    uint64_t cuts[MOST_LISTS][MOST_LISTS];
} lists;

static int by_number(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* Finds all cuts as dmm_mpi_sort does, with loops in the place of MPI. */
static void cut(lists *l)
{
    static uint64_t counts[MOST_LISTS][DMM_SPLIT_COUNTS], sums[DMM_SPLIT_COUNTS];
    dmm_goal goals[MOST_LISTS][MOST_LISTS];
    dmm_split splits[MOST_LISTS];
    uint64_t before[MOST_LISTS] = {0}, ties[MOST_LISTS];
    for (size_t r = 0; r < l->count; r++) {
        splits[r] = (dmm_split){.code = dmm_key_code_of(&(dmm_order){.type = DMM_U16}),
            .keys = l->keys[r],
            .n = l->n[r],
            .num_goals = l->goals,
            .goals = goals[r]};
        for (size_t g = 0; g < l->goals; g++)
            goals[r][g].position = l->positions[g];
        dmm_split_begin(&splits[r]);
    }
    for (size_t count = 1; count != 0;) {
        memset(sums, 0, sizeof sums);
        for (size_t r = 0; r < l->count; r++) {
            count = dmm_split_count(&splits[r], counts[r]);
            REQUIRE(count <= dmm_split_most_counts(l->goals));
            for (size_t i = 0; i < count; i++)
                sums[i] += counts[r][i];
        }
        for (size_t r = 0; r < l->count && count != 0; r++)
            dmm_split_take(&splits[r], counts[r], sums);
    }
    for (size_t r = 0; r < l->count; r++) {
        dmm_split_ties(&splits[r], ties);
        for (size_t g = 0; g < l->goals; g++) {
            l->cuts[r][g] = dmm_split_cut(&splits[r], g, before[g]);
            before[g] += ties[g];
        }
    }
}

/* Takes the items of all lists in order, one by one, and stops at each goal. */
static void judge(const lists *l)
{
    uint64_t at[MOST_LISTS] = {0}, taken = 0;
    for (size_t g = 0; g < l->goals; g++) {
        for (; taken < l->positions[g]; taken++) {
            size_t least = l->count;
            for (size_t r = 0; r < l->count; r++)
                if (at[r] < l->n[r] &&
                    (least == l->count || l->keys[r][at[r]] < l->keys[least][at[least]]))
                    least = r;
            at[least]++;
        }
        for (size_t r = 0; r < l->count; r++)
            REQUIRE(l->cuts[r][g] == at[r]);
    }
}

static void cuts_are_those_of_a_merge(void **state)
{
    (void)state;
    static lists l;
    random_source random = {1};
    for (int run = 0; run < 300; run++) {
        uint64_t total = 0;
        const uint64_t range = (const uint64_t[]){1, 3, 300, 65536}[run % 4];
        l.count = 1 + random_below(&random, MOST_LISTS);
        l.goals = run % 5 == 0 ? 0 : l.count - 1;
        test_note("run %d: %zu lists, keys below %d", run, l.count, (int)range);
        for (size_t r = 0; r < l.count; r++) {
            l.n[r] = random_below(&random, 4) == 0 ? 0 : random_below(&random, MOST_ITEMS);
            total += l.n[r];
            for (uint64_t i = 0; i < l.n[r]; i++)
                l.keys[r][i] = (uint16_t)(65535 - random_below(&random, range));
            qsort(l.keys[r], (size_t)l.n[r], sizeof l.keys[r][0], by_number);
        }
        for (size_t g = 0; g < l.goals; g++)
            l.positions[g] = (g + 1) * total / (g % 3 == 2 ? l.goals : l.goals + 1);
        for (size_t g = 1; g < l.goals; g++)
            if (l.positions[g] < l.positions[g - 1])
                l.positions[g] = l.positions[g - 1];
        cut(&l);
        judge(&l);
    }
}

static void digits_fill_the_counts(void **state)
{
    (void)state;
    REQUIRE(dmm_split_digit_bits(0) == 8);
    REQUIRE(dmm_split_digit_bits(1) == 8 && dmm_split_most_counts(1) == 255);
    REQUIRE(dmm_split_digit_bits(1023) == 3 && dmm_split_most_counts(1023) == 7 * 1023);
    REQUIRE(dmm_split_digit_bits(65535) == 1 && dmm_split_most_counts(65535) == 65535);
}

static void pieces_cover_both_directions(void **state)
{
    (void)state;
    for (uint64_t send = 0; send < 40; send++)
        for (uint64_t receive = 0; receive < 40; receive++) {
            uint64_t sent = 0, received = 0;
            dmm_exchange_piece piece = {0};
            test_note("%d and %d", (int)send, (int)receive);
            while (dmm_exchange_next(&piece, send, receive, 7)) {
                REQUIRE(piece.send_bytes <= 7 && piece.receive_bytes <= 7);
                REQUIRE(piece.send_bytes == 0 || piece.at_bytes == sent);
                REQUIRE(piece.receive_bytes == 0 || piece.at_bytes == received);
                sent += piece.send_bytes;
                received += piece.receive_bytes;
            }
            REQUIRE(sent == send && received == receive);
        }
    for (int ranks = 1; ranks < 9; ranks++)
        for (int rank = 0; rank < ranks; rank++)
            for (int step = 1; step < ranks; step++) {
                const int next = dmm_exchange_peer(rank, step, ranks);
                REQUIRE(next != rank && dmm_exchange_peer(next, ranks - step, ranks) == rank);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_are_ordered_as_the_header_says),
        cmocka_unit_test(numbers_of_each_type_keep_their_order),
        cmocka_unit_test(cuts_are_those_of_a_merge),
        cmocka_unit_test(digits_fill_the_counts),
        cmocka_unit_test(pieces_cover_both_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
