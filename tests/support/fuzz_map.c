/* SPDX-License-Identifier: MIT */
/* Random expressions, as OpenCL C and as trees that the host evaluates. */
#include "support/fuzz_map.h"

#include <stdlib.h>
#include <string.h>

#include "primitives/order.h"
#include "support/fuzz_integers.h"
#include "support/items.h"

enum { STRUCT_BYTES = 12, DEPTH = 3 };

static const dmm_type integers[] = {
    DMM_U8, DMM_I8, DMM_U16, DMM_I16, DMM_U32, DMM_I32, DMM_U64, DMM_I64};
static const char *const names[FUZZ_MOST_INPUTS] = {"item", "y", "z", "w"};

/* Returns an integer of the type, widened as C does. */
static uint64_t widen(dmm_type type, const unsigned char *bits)
{
    const uint32_t bytes = dmm_type_bytes(type);
    uint64_t number = 0;
    memcpy(&number, bits, bytes);
    if (dmm_is_signed(type) && bytes < 8 && number >> (8 * bytes - 1))
        number |= UINT64_MAX << 8 * bytes;
    return number;
}

static const dmm_map_type *input_type(const dmm_map *map, uint32_t k)
{
    const dmm_map_type *const types[] = {&map->item, &map->y, &map->z, &map->w};
    return types[k];
}

static uint32_t add_node(fuzz_expression *e, fuzz_node n)
{
    REQUIRE(e->count < FUZZ_MOST_NODES);
    e->nodes[e->count] = n;
    return e->count++;
}

/* Appends a random expression over the inputs of the map, the position and, for `out`, the total. */
static uint32_t grow(fuzz_expression *e, const dmm_map *map, int has_total, int depth)
{
    fuzz_node n = {.is = depth == 0 ? (fuzz_node_kind)fuzz_below(NUMBER + 1)
                                    : (fuzz_node_kind)(PLUS + fuzz_below(CALL - PLUS + 1))};
    if (n.is == TOTAL && !has_total)
        n.is = INPUT;
    if (n.is == INPUT)
        n.number = fuzz_below(map->further + 1);
    else if (n.is == NUMBER)
        n.number = fuzz_coin() ? fuzz_below(300) : random_next(&fuzz.random);
    else if (n.is == SHIFT)
        n.number = fuzz_below(64);
    else if (n.is == MODULO)
        n.number = 1 + fuzz_below(fuzz_coin() ? 300 : UINT32_MAX);
    if (n.is < PLUS)
        return add_node(e, n);
    n.a = grow(e, map, has_total, fuzz_coin() ? depth - 1 : 0);
    if (n.is != SHIFT && n.is != MODULO)
        n.b = grow(e, map, has_total, fuzz_coin() ? depth - 1 : 0);
    if (n.is == CHOICE)
        n.c = grow(e, map, has_total, 0);
    return add_node(e, n);
}

static uint64_t value_of(
    const fuzz_expression *e, uint32_t at, const fuzz_mapped *m, uint64_t i, uint64_t total)
{
    const fuzz_node *const n = &e->nodes[at];
    const uint64_t a = n->is < PLUS ? 0 : value_of(e, n->a, m, i, total);
    const uint64_t b =
        n->is < PLUS || n->is == SHIFT || n->is == MODULO ? 0 : value_of(e, n->b, m, i, total);
    switch (n->is) {
    case INPUT: {
        const dmm_type type = input_type(&m->map, (uint32_t)n->number)->type;
        const unsigned char *const bits = m->in[n->number] + i * m->bytes[n->number];
        return type == DMM_ITEM ? widen(DMM_I32, bits + 4) : widen(type, bits);
    }
    case POSITION:
        return i;
    case TOTAL:
        return total;
    case NUMBER:
        return n->number;
    case PLUS:
        return a + b;
    case MINUS:
        return a - b;
    case TIMES:
        return a * b;
    case XOR:
        return a ^ b;
    case LEAST:
        return a < b ? a : b;
    case CHOICE:
        return a & 1 ? b : value_of(e, n->c, m, i, total);
    case SHIFT:
        return a >> n->number;
    case MODULO:
        return a % n->number;
    case CALL:
        return a * 31 + b;
    }
    return 0;
}

/* Appends the OpenCL C of a node. */
static void print(fuzz_expression *e, uint32_t at, const fuzz_mapped *m)
{
    static const char *const begins[] = {[PLUS] = "(",
        [MINUS] = "(",
        [TIMES] = "(",
        [XOR] = "(",
        [LEAST] = "min(",
        [CHOICE] = "((",
        [SHIFT] = "(",
        [MODULO] = "(",
        [CALL] = "twist("};
    static const char *const middles[] = {[PLUS] = " + ",
        [MINUS] = " - ",
        [TIMES] = "\n* ",
        [XOR] = " ^ ",
        [LEAST] = ", ",
        [CHOICE] = " & 1) ? ",
        [CALL] = ", /* , */ "};
    const fuzz_node *const n = &e->nodes[at];
    const dmm_type type = n->is == INPUT ? input_type(&m->map, (uint32_t)n->number)->type : DMM_U8;
    const size_t used = strlen(e->text), space = sizeof e->text - used;
    char *const to = e->text + used;
    REQUIRE(space > 128);
    if (n->is == INPUT)
        snprintf(to, space, type == DMM_F32 ? "(ulong)as_uint(%s)" : "(ulong)%s%s",
            names[n->number], type == DMM_ITEM ? ".b" : "");
    else if (n->is == NUMBER)
        snprintf(to, space, "%lluul", (unsigned long long)n->number);
    else if (n->is < PLUS)
        snprintf(to, space, "%s", n->is == POSITION ? "i" : "(ulong)total");
    if (n->is < PLUS)
        return;
    strcat(to, begins[n->is]);
    print(e, n->a, m);
    char *const end = e->text + strlen(e->text);
    if (n->is == SHIFT || n->is == MODULO) {
        snprintf(end, 64, " %s %lluul", n->is == SHIFT ? ">>" : "%", (unsigned long long)n->number);
    } else {
        strcat(end, middles[n->is]);
        print(e, n->b, m);
    }
    if (n->is == CHOICE) {
        strcat(e->text, " : ");
        print(e, n->c, m);
    }
    strcat(e->text, ")");
}

static void write_expression(fuzz_expression *e, const fuzz_mapped *m, int has_total)
{
    static const char *const ends[] = {"", "\n", " // item", " /* y */"};
    e->count = 0;
    e->text[0] = '\0';
    print(e, grow(e, &m->map, has_total, DEPTH), m);
    strcat(e->text, FUZZ_ONE_OF(ends));
}

fuzz_mapped *fuzz_map_make(dmm_type type, uint64_t modulo)
{
    fuzz_mapped *const m = allocate(sizeof *m);
    dmm_map_type *const types[] = {&m->map.item, &m->map.y, &m->map.z, &m->map.w};
    m->type = type;
    m->made_bytes = dmm_type_bytes(type);
    m->map.further = (uint32_t)fuzz_below(FUZZ_MOST_INPUTS);
    strcpy(m->declares, "static ulong twist(ulong a, ulong b) { return a * 31 + b; }\n");
    for (uint32_t k = 0; k <= m->map.further; k++) {
        const uint64_t way = fuzz_below(10);
        types[k]->type = way < 8 ? integers[way] : way == 8 ? DMM_F32 : DMM_ITEM;
        m->bytes[k] = way == 9 ? STRUCT_BYTES : dmm_type_bytes(types[k]->type);
        types[k]->item_bytes = way == 9 ? STRUCT_BYTES : 0;
        if (way == 9)
            snprintf(m->declares + strlen(m->declares), 128,
                "typedef struct { uint a; int b; uchar c[4]; } dmm_map_%s;\n", names[k]);
    }
    m->map.declares = m->declares;
    write_expression(&m->key, m, 0);
    if (modulo != 0) {
        char text[FUZZ_TEXT_BYTES];
        const fuzz_node n = {.is = MODULO, .a = m->key.count - 1, .number = modulo};
        strcpy(text, m->key.text);
        REQUIRE((size_t)snprintf(m->key.text, FUZZ_TEXT_BYTES, "(%s\n) %% %lluul", text,
                    (unsigned long long)modulo) < FUZZ_TEXT_BYTES);
        add_node(&m->key, n);
    }
    m->map.expression = m->key.text;
    return m;
}

void fuzz_map_fill(fuzz_mapped *m, uint64_t n)
{
    m->n = n;
    for (uint32_t k = 0; k <= m->map.further; k++) {
        m->in[k] = allocate(n * m->bytes[k]);
        random_bytes(&fuzz.random, m->in[k], n * m->bytes[k]);
        for (uint64_t i = 0; fuzz_coin() && i < n; i++) /* runs of equal items */
            if (i > 0 && fuzz_below(4) != 0)
                memcpy(m->in[k] + i * m->bytes[k], m->in[k] + (i - 1) * m->bytes[k], m->bytes[k]);
    }
    m->made = allocate(n * m->made_bytes);
    for (uint64_t i = 0; i < n; i++)
        integer_put(m->made, i, m->made_bytes, value_of(&m->key, m->key.count - 1, m, i, 0));
}

void fuzz_map_drain(fuzz_mapped *m)
{
    for (uint32_t k = 0; k <= m->map.further; k++)
        free(m->in[k]);
    free(m->made);
}

void fuzz_map_note(const char *word, const fuzz_mapped *m, uint64_t used)
{
    test_note("%s of %s by a map, n=%llu of %llu: %s", word, dmm_type_name(m->type),
        (unsigned long long)used, (unsigned long long)m->n, m->map.expression);
}

void fuzz_map_give(fuzz_call *c, const fuzz_mapped *m, dmm_span further[FUZZ_MOST_INPUTS - 1])
{
    for (uint32_t k = 1; k <= m->map.further; k++)
        further[k - 1] = fuzz_in(c, m->in[k], m->n, m->bytes[k]);
}

void fuzz_map_emit(fuzz_mapped *m)
{
    m->map.result.type = FUZZ_ONE_OF(integers);
    write_expression(&m->out, m, 1);
    m->map.out = m->out.text;
}

uint64_t fuzz_map_out(const fuzz_mapped *m, uint64_t i, uint64_t total)
{
    const uint64_t wide = widen(m->type, (const unsigned char *)&total);
    return value_of(&m->out, m->out.count - 1, m, i, wide);
}

dmm_type fuzz_map_type(void)
{
    return FUZZ_ONE_OF(integers);
}
