/* SPDX-License-Identifier: MIT */
/*
 * Expressions that are drawn, in dmm_select and as a map in dmm_reduce, against the same expression
 * on the host; and hostile texts, in all places, which build or do not, and break nothing else.
 */
#include "support/require.h"

#include <dmm/reduce.h>
#include <dmm/select.h>

#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/random.h"
#include "support/rig.h"
#include "support/zone.h"

enum { DEPTH = 4, MOST_TEXT = 4096, MOST_NODES = 1 << (DEPTH + 2), N = 777 };

/* A node of an expression over x, i and further inputs, all of which are computed in 64 bits. */
typedef struct node {
    char op; /* x, i, y, z, w; 9: a number; else an operator of two */
    uint64_t number;
    int left, right;
} node;

typedef struct expression {
    node nodes[MOST_NODES];
    int count;
    const char *leaves, *item; /* leaves that are drawn; the text of x */
    char text[MOST_TEXT];
} expression;

static const char operators[] = "+-*&|^<=?";

static int is_leaf(char op)
{
    return op == '9' || (op >= 'a' && op <= 'z');
}

/* Draws a tree of at most `depth` levels; returns its root. */
static int draw(expression *e, random_source *random, int depth)
{
    const int at = e->count++;
    node made = {.op = e->leaves[random_below(random, strlen(e->leaves))],
        .number = random_below(random, 50)};
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
        append(e, e->item);
    else if (one.op != '9' && is_leaf(one.op)) {
        snprintf(text, sizeof text, "(ulong)%c", one.op);
        append(e, text);
    } else if (one.op == '9') {
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

/* Items at a position of all inputs. */
typedef struct row {
    uint64_t x, i, y, z, w;
} row;

static uint64_t value_of(const expression *e, int at, const row *v)
{
    const node one = e->nodes[at];
    if (is_leaf(one.op))
        return one.op == 'x'   ? v->x
               : one.op == 'i' ? v->i
               : one.op == 'y' ? v->y
               : one.op == 'z' ? v->z
               : one.op == 'w' ? v->w
                               : one.number;
    const uint64_t a = value_of(e, one.left, v), b = value_of(e, one.right, v);
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

/* Draws an expression and its text; returns its root. */
static int draw_text(expression *e, random_source *random, const char *leaves, const char *item)
{
    e->count = 0;
    e->text[0] = '\0';
    e->leaves = leaves;
    e->item = item;
    const int root = draw(e, random, DEPTH);
    print(e, root);
    return root;
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
    for (uint64_t k = 0; k < by_size(2, 24, 400); k++) {
        const dmm_select_desc desc = {.where = e.text, .tuning = forms[k % 2]};
        const dmm_select_host_args args = {.items = items, .items_out = selected};
        size_t found = 0, expected = 0;
        const int root = draw_text(&e, &random, "xi9", "(ulong)x");
        test_note("%s", e.text);
        REQUIRE_OK(dmm_select_host(r.ctx, &desc, &args, N, &found));
        for (uint64_t i = 0; i < N; i++)
            if (value_of(&e, root, &(row){.x = items[i], .i = i}) != 0)
                REQUIRE(expected < found && selected[expected++] == items[i]);
        REQUIRE(expected == found);
    }
    rig_close(&r);
}

/* The inputs of a map, on the host and on the device. */
typedef struct inputs {
    uint32_t x[N];
    uint16_t y[N];
    uint64_t z[N];
    uint8_t w[N];
    zone zones[4];
    dmm_span further[3];
} inputs;

static row row_at(const inputs *in, uint64_t i)
{
    return (row){in->x[i], i, in->y[i], in->z[i], in->w[i]};
}

static void upload(const rig *r, inputs *in, random_source *random)
{
    random_bytes(random, in->x, sizeof in->x);
    random_bytes(random, in->y, sizeof in->y);
    random_bytes(random, in->z, sizeof in->z);
    random_bytes(random, in->w, sizeof in->w);
    in->zones[0] = zone_create(r, in->x, sizeof in->x, 8);
    in->zones[1] = zone_create(r, in->y, sizeof in->y, 6);
    in->zones[2] = zone_create(r, in->z, sizeof in->z, 16);
    in->zones[3] = zone_create(r, in->w, sizeof in->w, 3);
    for (size_t k = 0; k < 3; k++)
        in->further[k] = zone_span(&in->zones[k + 1]);
}

/* The sum of a map, and the items that a condition over its result and the further inputs selects,
 * both drawn. */
static void maps_that_are_drawn_give_the_same(void **state)
{
    static const dmm_tuning forms[] = {CPU_BY(4, 64), GPU(16, 4)};
    static expression made, where;
    static inputs in;
    static rig r;
    static uint64_t expected[N];
    random_source random = {12};
    dmm_map map = {.item = {DMM_U32, 0},
        .y = {DMM_U16, 0},
        .z = {DMM_U64, 0},
        .w = {DMM_U8, 0},
        .further = 3,
        .expression = made.text};
    (void)state;
    rig_open(&r, "banks=16");
    upload(&r, &in, &random);
    for (uint64_t k = 0; k < by_size(1, 8, 200); k++) {
        const int root = draw_text(&made, &random, "xiyzw9", "(ulong)item");
        const int of_where = draw_text(&where, &random, "xiyzw9", "(ulong)x");
        const dmm_reduce_desc sum = {.type = DMM_U64, .tuning = forms[k % 2], .map = &map};
        const dmm_select_desc some = {
            .type = DMM_U64, .where = where.text, .tuning = forms[k % 2], .map = &map};
        dmm_reduce *reduce = NULL;
        dmm_select *select = NULL;
        uint64_t total = 0, count = 0;
        test_note("map %s, where %s", made.text, where.text);
        for (uint64_t i = 0; i < N; i++) {
            row v = row_at(&in, i);
            total += v.x = value_of(&made, root, &v);
            if (value_of(&where, of_where, &v) != 0)
                expected[count++] = v.x;
        }
        REQUIRE_OK(dmm_reduce_create(&reduce, r.ctx, &sum));
        REQUIRE_OK(dmm_select_create(&select, r.ctx, &some));
        zone out = zone_create(&r, NULL, sizeof total, 8), found = zone_create(&r, NULL, 8, 8);
        zone items = zone_create(&r, NULL, sizeof expected, 8);
        const dmm_reduce_args of_all = {
            .in = zone_span(&in.zones[0]), .out = zone_span(&out), .further = in.further};
        const dmm_select_args of_some = {.items_in = zone_span(&in.zones[0]),
            .items_out = zone_span(&items),
            .selected_out = zone_span(&found),
            .further = in.further};
        REQUIRE_OK(dmm_reduce_enqueue(reduce, r.queue, &of_all, N, 0, NULL, NULL));
        REQUIRE_OK(dmm_select_enqueue(select, r.queue, &of_some, N, 0, NULL, NULL));
        REQUIRE_OK(clFinish(r.queue));
        REQUIRE(zone_holds(&r, &out, &total) && zone_holds(&r, &found, &count));
        REQUIRE(zone_intact(&r, &items));
        zone selected = items;
        selected.bytes = count * 8;
        static uint64_t got[N];
        zone_read(&r, &selected, got);
        REQUIRE(memcmp(got, expected, count * 8) == 0);
        zone_free(&out);
        zone_free(&found);
        zone_free(&items);
        dmm_reduce_free(reduce);
        dmm_select_free(select);
    }
    for (size_t k = 0; k < 4; k++)
        zone_free(&in.zones[k]);
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
        const dmm_map map = {.expression = hostile[k]}, declared = {.declares = hostile[k]};
        const dmm_reduce_desc of = {.own = &own}, mapped = {.map = k % 2 ? &map : &declared};
        dmm_select *select = NULL;
        dmm_reduce *reduce = NULL;
        test_note("text %zu", k);
        const dmm_status one = dmm_select_create(&select, r.ctx, &by);
        const dmm_status two = dmm_reduce_create(&reduce, r.ctx, &of);
        dmm_reduce *of_map = NULL;
        const dmm_status three = dmm_reduce_create(&of_map, r.ctx, &mapped);
        REQUIRE((three == DMM_OK) == (of_map != NULL));
        REQUIRE(three == DMM_OK || three == DMM_BUILD_FAILED);
        dmm_reduce_free(of_map);
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
        cmocka_unit_test(maps_that_are_drawn_give_the_same),
        cmocka_unit_test(hostile_texts_build_or_fail),
    };
    return cmocka_run_group_tests_name("expressions", tests, NULL, NULL);
}
