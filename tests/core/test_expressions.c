/* SPDX-License-Identifier: MIT */
/*
 * Expressions that are drawn, in dmm_select and as an operator's `combine` in dmm_reduce, against
 * the same expression on the host; and hostile texts, which build or do not, and break nothing
 * else.
 */
#include "support/require.h"

#include <dmm/reduce.h>
#include <dmm/select.h>

#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/random.h"
#include "support/rig.h"

enum { DEPTH = 4, MOST_TEXT = 4096, MOST_NODES = 1 << (DEPTH + 2), N = 777 };

/* A node of an expression over x and i, numbers of 32 and 64 bits, which are computed in 64. */
typedef struct node {
    char op; /* x, i, 9: a number; else an operator of two */
    uint64_t number;
    int left, right;
} node;

typedef struct expression {
    node nodes[MOST_NODES];
    int count;
    char text[MOST_TEXT];
} expression;

static const char operators[] = "+-*&|^<=?";

/* Draws a tree of at most `depth` levels; returns its root. */
static int draw(expression *e, random_source *random, int depth)
{
    const int at = e->count++;
    node made = {.op = "xi9"[random_below(random, 3)], .number = random_below(random, 50)};
    if (depth > 0 && random_below(random, 5) != 0) {
        made.op = operators[random_below(random, sizeof operators - 1)];
        made.left = draw(e, random, depth - 1);
        made.right = draw(e, random, depth - 1);
    }
    e->nodes[at] = made;
    return at;
}

static void append(expression *e, const char *text)
{
    REQUIRE(strlen(e->text) + strlen(text) < sizeof e->text);
    strcat(e->text, text);
}

/* Appends the text of a tree. */
static void print(expression *e, int at)
{
    const node one = e->nodes[at];
    char text[32] = "";
    if (one.op == 'x')
        append(e, "(ulong)x");
    else if (one.op == 'i')
        append(e, "i");
    else if (one.op == '9') {
        snprintf(text, sizeof text, "%lluul", (unsigned long long)one.number);
        append(e, text);
    } else {
        append(e, "(");
        print(e, one.left);
        snprintf(text, sizeof text, one.op == '=' ? " ==\n" : " %c ", one.op);
        append(e, text);
        print(e, one.right);
        append(e, one.op == '?' ? " : 3ul)" : ")");
    }
}

static uint64_t value_of(const expression *e, int at, uint64_t x, uint64_t i)
{
    const node one = e->nodes[at];
    if (one.op == 'x' || one.op == 'i' || one.op == '9')
        return one.op == 'x' ? x : one.op == 'i' ? i : one.number;
    const uint64_t a = value_of(e, one.left, x, i), b = value_of(e, one.right, x, i);
    switch (one.op) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '&':
        return a & b;
    case '|':
        return a | b;
    case '^':
        return a ^ b;
    case '<':
        return a < b;
    case '=':
        return a == b;
    default:
        return a != 0 ? b : 3;
    }
}

static void conditions_that_are_drawn_select_the_same(void **state)
{
    static const dmm_tuning forms[] = {CPU_BY(4, 64), GPU(16, 4)};
    static expression e;
    static rig r;
    static uint32_t items[N], selected[N];
    random_source random = {11};
    (void)state;
    rig_open(&r, "banks=16");
    random_bytes(&random, items, sizeof items);
    for (size_t i = 0; i < N; i += 2)
        items[i] %= 64;
    for (uint64_t k = 0; k < by_size(2, 40, 400); k++) {
        const dmm_select_desc desc = {.where = e.text, .tuning = forms[k % 2]};
        const dmm_select_host_args args = {.items = items, .items_out = selected};
        size_t found = 0, expected = 0;
        e.count = 0;
        e.text[0] = '\0';
        const int root = draw(&e, &random, DEPTH);
        print(&e, root);
        test_note("%s", e.text);
        REQUIRE_OK(dmm_select_host(r.ctx, &desc, &args, N, &found));
        for (uint64_t i = 0; i < N; i++)
            if (value_of(&e, root, items[i], i) != 0)
                REQUIRE(expected < found && selected[expected++] == items[i]);
        REQUIRE(expected == found);
    }
    rig_close(&r);
}

/* Texts that end what encloses them, or do not end, or are empty; one builds. */
static const char *const hostile[] = {"", ")", "}", "1); } int dmm_pack_keeps(", "/*", "*/", "\"",
    "'", "1 //", "1 \\", "x\n#error no", "#include \"none\"", "1;", "(", "%s%n", "\xff\xfe",
    "x ? 1", "dmm_select_where(x, i) +", "__LINE__ - __LINE__", "1 /* \n\n */"};

static void hostile_texts_build_or_fail(void **state)
{
    static rig r;
    static uint32_t items[N];
    uint32_t total = 0;
    (void)state;
    rig_open(&r, NULL);
    for (size_t k = 0; k < sizeof hostile / sizeof *hostile; k++) {
        const dmm_select_desc by = {.where = hostile[k]};
        const dmm_operator own = {.combine = hostile[k], .identity = "0"};
        const dmm_reduce_desc of = {.own = &own};
        dmm_select *select = NULL;
        dmm_reduce *reduce = NULL;
        test_note("text %zu", k);
        const dmm_status one = dmm_select_create(&select, r.ctx, &by);
        const dmm_status two = dmm_reduce_create(&reduce, r.ctx, &of);
        REQUIRE((one == DMM_OK) == (select != NULL) && (two == DMM_OK) == (reduce != NULL));
        REQUIRE(one == DMM_OK || one == DMM_BUILD_FAILED);
        REQUIRE(two == DMM_OK || two == DMM_BUILD_FAILED);
        dmm_select_free(select);
        dmm_reduce_free(reduce);
    }
    const dmm_operator sum = {.combine = "a + b", .identity = "0"};
    for (uint32_t i = 0; i < N; i++)
        items[i] = i;
    REQUIRE_OK(dmm_reduce_host(r.ctx, &(dmm_reduce_desc){.own = &sum}, items, N, &total));
    REQUIRE(total == N * (N - 1) / 2);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_that_are_drawn_select_the_same),
        cmocka_unit_test(hostile_texts_build_or_fail),
    };
    return cmocka_run_group_tests_name("expressions", tests, NULL, NULL);
}
