/* SPDX-License-Identifier: MIT */
/* Descriptions that dmm_search refuses. */
#include "support/require.h"

#include <dmm/search.h>

#include "support/shared.h"
#include "support/forms.h"

static void wrong_descriptions_are_refused(void **state)
{
    static const dmm_search_desc wrong[] = {{.rank_bytes = 3}, {.result = (dmm_rank)4},
        {.max_n = (uint64_t)1 << 32}, {.layout = (dmm_layout_kind)5}, {.B = 65536},
        {.method = (dmm_search_method)4}, {.team = 1}, {.team = 24},
        {.method = DMM_SEARCH_TEAMS, .layout = DMM_LAYOUT_BST},
        {.method = DMM_SEARCH_MERGE, .layout = DMM_LAYOUT_BTREE}, {.order = {.type = DMM_ITEM}}};
    static const dmm_search_desc unsupported[] = {{.method = DMM_SEARCH_TEAMS, .tuning = CPU(64)},
        {.method = DMM_SEARCH_TEAMS, .guarantee = 1, .tuning = GPU(64, 1)},
        {.method = DMM_SEARCH_MERGE, .guarantee = 1, .tuning = GPU(64, 1)}};
    dmm_search *search = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REQUIRE_REFUSED(DMM_BAD_VALUE, &search, dmm_search_create(&search, shared.ctx, &wrong[i]));
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        REQUIRE_REFUSED(
            DMM_UNSUPPORTED, &search, dmm_search_create(&search, shared.ctx, &unsupported[i]));
    REQUIRE_REFUSED(DMM_BAD_PARAMETERS, &search,
        dmm_search_create(&search, shared.ctx,
            &(dmm_search_desc){.method = DMM_SEARCH_TEAMS, .team = 128, .tuning = GPU(64, 1)}));
}

/* Searches need no temp. */
static void temp_has_no_bytes(void **state)
{
    static const dmm_search_desc desc = {.result = DMM_RANK_RANGE};
    dmm_search *search = NULL;
    uint64_t bytes = 1;
    (void)state;
    REQUIRE_OK(dmm_search_create(&search, shared.ctx, &desc));
    REQUIRE_OK(dmm_search_temp_bytes(&bytes, search, 3, 2));
    REQUIRE(bytes == 0);
    dmm_search_free(search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_descriptions_are_refused),
        cmocka_unit_test(temp_has_no_bytes),
    };
    return RUN_WITH_RIG("search_arguments", NULL, tests);
}
