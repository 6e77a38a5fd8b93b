/* SPDX-License-Identifier: MIT */
/*
 * The order that a seed gives is a promise: the same in every version. Its values here were
 * computed by a second implementation, in integers without bound, from the description in
 * cl/shuffle.clh.
 */
#include "support/require.h"

#include <dmm/shuffle.h>

static void orders_of_a_few_items_are_pinned(void **state)
{
    static const uint64_t ten[] = {7, 4, 5, 9, 3, 6, 0, 1, 2, 8};
    static const uint64_t cards[] = {38, 14, 6, 37, 29, 7, 44, 47, 21, 40, 33, 22, 11, 15, 28, 46,
        3, 30, 48, 24, 41, 27, 17, 10, 45, 50, 18, 43, 12, 36, 49, 1, 8, 4, 32, 16, 25, 5, 34, 51,
        2, 13, 35, 23, 39, 0, 31, 26, 42, 9, 20, 19};
    (void)state;
    test_note("whole orders");
    for (uint64_t i = 0; i < 10; i++)
        REQUIRE(dmm_shuffle_index(1, 10, i) == ten[i] && dmm_shuffle_place(1, 10, ten[i]) == i);
    for (uint64_t i = 0; i < 52; i++)
        REQUIRE(dmm_shuffle_index(2026, 52, i) == cards[i] &&
                dmm_shuffle_place(2026, 52, cards[i]) == i);
}

/* The first item, the middle one and the last. */
static void items_of_all_sizes_are_pinned(void **state)
{
    static const struct {
        uint64_t seed, n, from[3];
    } pinned[] = {
        {0x0u, 2u, {1u, 0u, 0u}},
        {0x0u, 10u, {3u, 6u, 8u}},
        {0x0u, 1024u, {357u, 542u, 155u}},
        {0x0u, 65536u, {48325u, 46554u, 26246u}},
        {0x0u, 1000003u, {257574u, 848657u, 941855u}},
        {0x0u, 4294967296u, {2620015313u, 651561616u, 2497385658u}},
        {0x0u, 9223372036854775808u,
            {4560073886352598718u, 7693645423523189636u, 2920343426413157086u}},
        {0x1u, 2u, {0u, 1u, 1u}},
        {0x1u, 10u, {7u, 6u, 8u}},
        {0x1u, 1024u, {617u, 431u, 608u}},
        {0x1u, 65536u, {29546u, 53129u, 28552u}},
        {0x1u, 1000003u, {222952u, 775557u, 364724u}},
        {0x1u, 4294967296u, {1649608173u, 1223647420u, 1915803126u}},
        {0x1u, 9223372036854775808u,
            {6773923743302157191u, 148478953434725865u, 5113571909458835444u}},
        {0x123456789abcdefu, 2u, {0u, 1u, 1u}},
        {0x123456789abcdefu, 10u, {3u, 7u, 0u}},
        {0x123456789abcdefu, 1024u, {988u, 303u, 843u}},
        {0x123456789abcdefu, 65536u, {20951u, 2783u, 48408u}},
        {0x123456789abcdefu, 1000003u, {676503u, 152718u, 398596u}},
        {0x123456789abcdefu, 4294967296u, {1722094343u, 205532429u, 2344220341u}},
        {0x123456789abcdefu, 9223372036854775808u,
            {7921354669782929677u, 7670031981144332580u, 7140182937041948745u}},
        {0xffffffffffffffffu, 2u, {0u, 1u, 1u}},
        {0xffffffffffffffffu, 3u, {1u, 2u, 0u}},
        {0xffffffffffffffffu, 10u, {7u, 3u, 2u}},
        {0xffffffffffffffffu, 52u, {19u, 29u, 51u}},
        {0xffffffffffffffffu, 1024u, {569u, 80u, 383u}},
        {0xffffffffffffffffu, 1025u, {703u, 867u, 533u}},
        {0xffffffffffffffffu, 65536u, {24521u, 4502u, 33210u}},
        {0xffffffffffffffffu, 65537u, {50746u, 40585u, 5899u}},
        {0xffffffffffffffffu, 1000003u, {964216u, 618714u, 286613u}},
        {0xffffffffffffffffu, 4294967295u, {3933954681u, 437361748u, 558509584u}},
        {0xffffffffffffffffu, 4294967296u, {4258014640u, 45691131u, 3924777938u}},
        {0xffffffffffffffffu, 4294967297u, {62097547u, 560857597u, 4153741522u}},
        {0xffffffffffffffffu, 9223372036854775808u,
            {5439087893162013407u, 8377679217267047059u, 8528915092947970443u}},
        {0xffffffffffffffffu, 18446744073709551615u,
            {4420145442688476065u, 14311640024998994387u, 12256146439833886692u}},
    };
    (void)state;
    for (size_t k = 0; k < sizeof pinned / sizeof pinned[0]; k++) {
        const uint64_t seed = pinned[k].seed, n = pinned[k].n, at[] = {0, n / 2, n - 1};
        test_note("seed %llu, n = %llu", (unsigned long long)seed, (unsigned long long)n);
        for (int i = 0; i < 3; i++) {
            REQUIRE(dmm_shuffle_index(seed, n, at[i]) == pinned[k].from[i]);
            REQUIRE(dmm_shuffle_place(seed, n, pinned[k].from[i]) == at[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_of_a_few_items_are_pinned),
        cmocka_unit_test(items_of_all_sizes_are_pinned),
    };
    return cmocka_run_group_tests_name("shuffle_vectors", tests, NULL, NULL);
}
