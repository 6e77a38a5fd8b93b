/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind full */
/*
 * dmm_heap beside a sequential heap, over orders of priorities and of calls; after a call, a judge
 * reads the device's memory (support/heap_pair.h).
 */
#include "support/require.h"

#include <dmm/heap.h>

#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/heap_pair.h"
#include "support/items.h"
#include "support/random.h"

/* Orders of priorities and of calls. */
typedef enum order { MIXED, RISING, FALLING, EQUAL, FILL_AND_EMPTY, AGAIN, NUM_ORDERS } order;

/* Draws n items and codes. */
static void draw(heap_pair *p, order o, uint64_t n, random_source *random, uint64_t call_number)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t at = call_number * p->bulk + i;
        p->items[i] = (uint32_t)(o == RISING || o == FALLING ? at % p->s.items
                                 : o == AGAIN                ? random_below(random, 3 * p->bulk)
                                                             : random_next(random));
        p->items[i] %= p->s.items;
        p->codes[i] = o == RISING    ? at & UINT32_MAX
                      : o == FALLING ? ~at & UINT32_MAX
                      : o == EQUAL   ? 7 + random_below(random, 2)
                                     : random_next(random) & UINT32_MAX;
    }
}

/* Chooses a call by a number of 0 .. 99. Filling and emptying go on for some calls. */
static dmm_heap_op choose(order o, uint64_t number, uint64_t call_number)
{
    if (o == FILL_AND_EMPTY)
        return call_number / 37 % 2 == 0 ? DMM_HEAP_UPDATE
               : number < 30             ? DMM_HEAP_DELETE
                                         : DMM_HEAP_EXTRACT;
    return number < 45   ? DMM_HEAP_UPDATE
           : number < 60 ? DMM_HEAP_DELETE
           : number < 92 ? DMM_HEAP_EXTRACT
           : number < 97 ? DMM_HEAP_PEEK
                         : DMM_HEAP_SIZE;
}

/* Runs calls until `operations` items were handled; judges the memory after every `every` calls,
 * and from call 10,000 on after every 16. */
static void run(heap_pair *p, order o, uint64_t operations, uint64_t every, uint64_t seed)
{
    random_source random = {seed};
    uint64_t done = 0;
    pair_clear(p);
    for (uint64_t k = 0; done < operations; k++) {
        const dmm_heap_op op = choose(o, random_below(&random, 100), k);
        uint64_t n = random_below(&random, 4) != 0 ? p->bulk : random_below(&random, p->bulk + 1);
        test_note("seed %llu, order %d, bulk %llu, call %llu: op %d, n=%llu",
            (unsigned long long)seed, (int)o, (unsigned long long)p->bulk, (unsigned long long)k,
            (int)op, (unsigned long long)n);
        draw(p, o, n, &random, k);
        if (op == DMM_HEAP_UPDATE)
            pair_update(p, n);
        else if (op == DMM_HEAP_DELETE)
            pair_delete(p, n);
        else if (op == DMM_HEAP_SIZE)
            REQUIRE(pair_call(p, op, 0) == p->s.size);
        else
            pair_take(p, op, n);
        if (k % (k < 10000 ? every : 16) == 0)
            pair_check(p);
        done += n + 1;
    }
    while (p->s.size > 0)
        pair_take(p, DMM_HEAP_EXTRACT, p->bulk);
    pair_check(p);
}

/* One object. */
typedef struct row {
    uint32_t key_bytes;
    dmm_type type;
    uint64_t bulk;
    int guarantee;
    const char *set;
    dmm_tuning tuning;
} row;

static const row table[] = {
    {.key_bytes = 4, .type = DMM_U32, .bulk = 31, .set = "banks=16", .tuning = GPU(16, 4)},
    {.key_bytes = 8, .type = DMM_U64, .bulk = 2, .set = "", .tuning = CPU(64)},
    {.key_bytes = 4, .type = DMM_F32, .bulk = 256, .set = "", .tuning = CPU(64)},
    {.key_bytes = 4, .type = DMM_U32, .bulk = 1, .set = "", .tuning = CPU(64)},
    {.key_bytes = 8,
        .type = DMM_I64,
        .bulk = 4096,
        .guarantee = 1,
        .set = "banks=32",
        .tuning = GPU(32, 4)},
};
enum { NUM_ROWS = sizeof table / sizeof table[0] };

static void calls_are_those_of_a_sequential_heap(void **state)
{
    static rig r;
    (void)state;
    for (size_t i = 0; i < by_size(1, NUM_ROWS - 1, NUM_ROWS); i++) {
        const row *const one = &table[i];
        const uint64_t operations = by_size(100, one->bulk < 8 ? 800 : 2500, 170000);
        const uint32_t items = (uint32_t)by_size(100, one->bulk < 8 ? 600 : 3000, 50000);
        const dmm_heap_desc desc = {.key_bytes = one->key_bytes,
            .priority = one->type,
            .bulk = one->bulk,
            .capacity = items,
            .guarantee = one->guarantee,
            .tuning = one->tuning};
        rig_open(&r, one->set);
        heap_pair p = pair_create(&r, &desc, items);
        for (int o = 0; o < (int)by_size(1, NUM_ORDERS, NUM_ORDERS); o++)
            if (part_wanted(i * NUM_ORDERS + (uint64_t)o))
                run(&p, (order)o, operations, by_size(4, 1, 1), 10 * i + (size_t)o);
        pair_free(&p);
        rig_close(&r);
    }
}

static const dmm_tuning forms[] = {GPU(16, 4), CPU(64)};
enum { GPU_FORM, CPU_FORM, NUM_FORMS };

static heap_pair small_pair(
    const rig *r, int form, uint64_t bulk, uint64_t capacity, uint32_t items)
{
    const dmm_heap_desc desc = {.bulk = bulk, .capacity = capacity, .tuning = forms[form]};
    return pair_create(r, &desc, items);
}

/* Sets the call's items to first .. first + n - 1, with this code. */
static void set_items(heap_pair *p, uint32_t first, uint64_t n, uint64_t code)
{
    for (uint32_t i = 0; i < n; i++) {
        p->items[i] = first + i;
        p->codes[i] = code;
    }
}

/* Inserts items until the device refuses; returns their number. */
static uint32_t fill(heap_pair *p)
{
    uint32_t inserted = 0;
    for (;;) {
        set_items(p, inserted, p->bulk, inserted * 7919u % 1000);
        pair_send(p, p->bulk);
        pair_call(p, DMM_HEAP_UPDATE, p->bulk);
        if (p->report.code != DMM_OK)
            break;
        for (uint64_t i = 0; i < p->bulk; i++)
            sequential_update(&p->s, p->items[i], p->codes[i]);
        inserted += (uint32_t)p->bulk;
        REQUIRE(inserted + p->bulk <= p->s.items);
    }
    pair_check(p); /* without the items of the refused call */
    REQUIRE(p->report.code == DMM_TOO_LARGE && p->report.position == 0);
    return inserted;
}

/* With `capacity` items, no update of them is refused, however many; one call beyond all slots is,
 * before anything is lost. */
static void a_full_heap_refuses_and_loses_nothing(void **state)
{
    static const struct {
        uint64_t bulk, capacity;
    } sizes[] = {{4, 4}, {4, 32}, {4, 33}, {1, 138}};
    static rig r;
    (void)state;
    rig_open(&r, "banks=16");
    for (size_t k = 0; k < NUM_FORMS * by_size(2, 4, 4); k++) {
        const size_t i = k / NUM_FORMS;
        test_note("form %zu, bulk %llu, capacity %llu", k % NUM_FORMS,
            (unsigned long long)sizes[i].bulk, (unsigned long long)sizes[i].capacity);
        heap_pair p = small_pair(&r, (int)(k % NUM_FORMS), sizes[i].bulk, sizes[i].capacity, 2000);
        pair_clear(&p);
        for (uint32_t done = 0; done < sizes[i].capacity; done += (uint32_t)p.bulk) {
            const uint64_t left = sizes[i].capacity - done;
            set_items(&p, done, left < p.bulk ? left : p.bulk, 900);
            pair_update(&p, left < p.bulk ? left : p.bulk);
        }
        for (uint32_t j = 0; j < by_size(20, 150, 150); j++) { /* each is there already */
            set_items(&p, j * 31 % (uint32_t)(sizes[i].capacity - p.bulk + 1), p.bulk, 899 - j);
            pair_update(&p, p.bulk);
            pair_check(&p);
        }
        pair_clear(&p);
        REQUIRE(fill(&p) >= sizes[i].capacity);
        while (p.s.size > 0)
            pair_take(&p, DMM_HEAP_EXTRACT, p.bulk);
        pair_check(&p);
        pair_free(&p);
    }
    rig_close(&r);
}

/* Sizes let updates use what deletes have freed. */
static void a_size_counts_exactly(void **state)
{
    static rig r;
    (void)state;
    rig_open(&r, "banks=16");
    for (int form = 0; form < NUM_FORMS; form++) {
        test_note("deletes after filling, form %d", form);
        heap_pair p = small_pair(&r, form, 4, 32, 2000);
        pair_clear(&p);
        const uint32_t inserted = fill(&p);
        for (uint32_t done = 0; done + 4 <= inserted; done += 4) {
            set_items(&p, done, 4, 0);
            pair_delete(&p, 4);
        }
        REQUIRE(pair_call(&p, DMM_HEAP_SIZE, 0) == p.s.size && p.s.size == inserted % 4);
        pair_check(&p);
        REQUIRE(fill(&p) >= 32);
        pair_free(&p);
    }
    rig_close(&r);
}

static void wrong_calls_change_nothing(const rig *r, int form)
{
    test_note("memory that is no heap, and wrong turns, form %d", form);
    heap_pair p = small_pair(r, form, 4, 32, 100);
    zone_write(r, &p.z[HEAP], p.state); /* zeros */
    for (int op = DMM_HEAP_UPDATE; op <= DMM_HEAP_SIZE; op++) {
        p.turn = 0;
        REQUIRE(pair_call(&p, (dmm_heap_op)op, 4) == 0 || op < DMM_HEAP_EXTRACT);
        REQUIRE(p.report.code == DMM_BAD_DATA);
        REQUIRE(zone_holds(r, &p.z[HEAP], p.state));
    }
    pair_clear(&p);
    for (uint32_t i = 0; i < 3; i++) {
        set_items(&p, 4 * i, 4, i);
        pair_update(&p, 4);
    }
    zone_read(r, &p.z[HEAP], p.state);
    for (uint64_t wrong = 0; wrong < 8; wrong++)
        for (int op = DMM_HEAP_UPDATE; op <= DMM_HEAP_SIZE && wrong != 3; op++) {
            p.turn = wrong;
            pair_call(&p, (dmm_heap_op)op, 4);
            REQUIRE(p.report.code == DMM_BAD_VALUE && p.report.detail == 3);
            REQUIRE(zone_holds(r, &p.z[HEAP], p.state));
        }
    p.turn = 3;
    pair_check(&p);
    pair_free(&p);
}

static void wrong_turns_and_memory_change_nothing(void **state)
{
    static rig r;
    (void)state;
    rig_open(&r, "banks=16");
    for (int form = 0; form < NUM_FORMS; form++)
        wrong_calls_change_nothing(&r, form);
    rig_close(&r);
}

/* A heap is none to an object of another capacity, also where both need as many levels. */
static void another_capacity_is_another_heap(void **state)
{
    static rig r;
    (void)state;
    rig_open(&r, "banks=16");
    for (int form = 0; form < NUM_FORMS; form++) {
        test_note("another capacity, form %d", form);
        heap_pair p = small_pair(&r, form, 8, 33, 100), other = small_pair(&r, form, 8, 37, 100);
        REQUIRE(p.shape.levels == other.shape.levels && p.shape.bytes <= other.shape.bytes);
        pair_clear(&p);
        set_items(&p, 0, 8, 5);
        pair_update(&p, 8);
        zone_read(&r, &p.z[HEAP], p.state);
        memcpy(other.state, p.state, p.shape.bytes);
        zone_write(&r, &other.z[HEAP], other.state);
        other.turn = p.turn;
        REQUIRE(pair_call(&other, DMM_HEAP_PEEK, 8) == 0 && other.report.code == DMM_BAD_DATA);
        REQUIRE(zone_holds(&r, &other.z[HEAP], other.state));
        pair_free(&p);
        pair_free(&other);
    }
    rig_close(&r);
}

/* The CPU form's calls end and leave other memory as it is (pair_free), whatever follows the mark
 * and the turn in a heap's memory. */
static void damaged_memory_leads_nowhere(void **state)
{
    static rig r;
    random_source random = {3};
    (void)state;
    rig_open(&r, "");
    heap_pair p = small_pair(&r, CPU_FORM, 4, 32, 100);
    for (uint32_t k = 0; k < by_size(12, 240, 2400); k++) {
        const dmm_heap_op op = (dmm_heap_op)(DMM_HEAP_UPDATE + k % DMM_HEAP_SIZE);
        test_note("damaged memory, call %u: op %d", k, (int)op);
        pair_clear(&p);
        zone_read(&r, &p.z[HEAP], p.state);
        for (uint64_t x = offsetof(dmm_heap_head, held); x < p.shape.bytes; x += 8) {
            const uint64_t word = k / 6 % 3 == 0   ? UINT64_MAX
                                  : k / 6 % 3 == 1 ? random_below(&random, 9)
                                                   : random_next(&random);
            memcpy(p.state + x, &word, sizeof word);
        }
        zone_write(&r, &p.z[HEAP], p.state);
        set_items(&p, 0, 4, k);
        pair_send(&p, 4);
        const uint64_t count = pair_call(&p, op, 4);
        REQUIRE(count <= 4 || op == DMM_HEAP_SIZE || op < DMM_HEAP_EXTRACT);
    }
    pair_free(&p);
    rig_close(&r);
}

/* A heap in host memory: what its calls return is what the device's would. */
static void the_host_form_keeps_the_heap(void **state)
{
    enum { N = 10 };
    static rig r;
    static const float priorities[N] = {3, -1, 4, 1, -5, 9, 2, -6, 5, 0};
    static const float sorted[N] = {-6, -5, -1, 0, 1, 2, 3, 4, 5, 9};
    const dmm_heap_desc desc = {
        .key_bytes = 8, .priority = DMM_F32, .bulk = N, .capacity = 20, .tuning = usual_tuning()};
    uint64_t keys[N], keys_out[N], count = 0, bytes = 0;
    float out[N];
    (void)state;
    rig_open(&r, NULL);
    test_note("host form");
    for (uint64_t i = 0; i < N; i++)
        keys[i] = i << 40;
    REQUIRE_OK(dmm_heap_bytes(&bytes, &desc));
    dmm_heap_host_args args = {.heap = allocate(bytes),
        .keys_in = keys,
        .priorities_in = priorities,
        .keys_out = keys_out,
        .priorities_out = out,
        .count_out = &count};
    args.op = DMM_HEAP_UPDATE;
    REQUIRE_STATUS(DMM_BAD_DATA, dmm_heap_host(r.ctx, &desc, &args, N));
    args.op = DMM_HEAP_CLEAR;
    REQUIRE_OK(dmm_heap_host(r.ctx, &desc, &args, 0));
    args.op = DMM_HEAP_UPDATE;
    REQUIRE_OK(dmm_heap_host(r.ctx, &desc, &args, N));
    args.op = DMM_HEAP_SIZE;
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_heap_host(r.ctx, &desc, &args, 0));
    args.turn = 1;
    REQUIRE_OK(dmm_heap_host(r.ctx, &desc, &args, 0));
    REQUIRE(count == N);
    args.op = DMM_HEAP_PEEK;
    REQUIRE_OK(dmm_heap_host(r.ctx, &desc, &args, 3));
    REQUIRE(count == 3 && memcmp(out, sorted, 3 * sizeof *out) == 0);
    args.op = DMM_HEAP_EXTRACT;
    REQUIRE_OK(dmm_heap_host(r.ctx, &desc, &args, N));
    REQUIRE(count == N && memcmp(out, sorted, sizeof out) == 0);
    for (size_t i = 0; i < N; i++)
        REQUIRE(priorities[keys_out[i] >> 40] == out[i]);
    free(args.heap);
    rig_close(&r);
}

/* True if the judge finds fault with the memory after one word of 4 bytes was changed. */
static int judge_sees(heap_pair *p, uint64_t at, uint32_t change)
{
    uint32_t word;
    memcpy(&word, p->state + at, sizeof word);
    word ^= change;
    memcpy(p->state + at, &word, sizeof word);
    const int sees = pair_judge(p) != NULL;
    word ^= change;
    memcpy(p->state + at, &word, sizeof word);
    return sees;
}

static void the_judge_of_levels_sees_each_change(void **state)
{
    static rig r;
    (void)state;
    rig_open(&r, "banks=16");
    heap_pair p = small_pair(&r, GPU_FORM, 4, 33, 100);
    test_note("the judge");
    pair_clear(&p);
    for (uint32_t i = 0; i < 12; i++) {
        set_items(&p, 4 * i, 4, 1000 * (i + 1));
        pair_update(&p, 4);
    }
    pair_check(&p);
    const dmm_heap_shape *const s = &p.shape;
    dmm_heap_levels l;
    memcpy(&l, p.state, sizeof l);
    REQUIRE(l.bucket[0] == 8 && l.bucket[1] == 32 && l.signals[2] == 8);
    REQUIRE(judge_sees(&p, offsetof(dmm_heap_head, turn), 1));
    REQUIRE(judge_sees(&p, offsetof(dmm_heap_head, held), 16));
    REQUIRE(judge_sees(&p, offsetof(dmm_heap_levels, bucket), 1));
    REQUIRE(judge_sees(&p, offsetof(dmm_heap_levels, bucket), 64));
    REQUIRE(judge_sees(&p, offsetof(dmm_heap_levels, signals) + 2 * 8, 1));
    REQUIRE(judge_sees(&p, offsetof(dmm_heap_levels, is_open) + 8, 1));
    REQUIRE(judge_sees(&p, offsetof(dmm_heap_levels, limit), 1024));
    for (uint64_t i = 0; i < l.bucket[0]; i++) {
        REQUIRE(judge_sees(&p, s->bucket_keys + 4 * i, 1));
        REQUIRE(judge_sees(&p, s->bucket_priorities + 4 * i, 1));
    }
    REQUIRE(judge_sees(&p, s->signal_keys + 4 * DMM_HEAP_SIGNALS(s->bulk, 2), 2));
    REQUIRE(judge_sees(&p, s->signal_priorities + 4 * DMM_HEAP_SIGNALS(s->bulk, 2), 4));
    pair_free(&p);
    rig_close(&r);
}

static void the_judge_of_runs_sees_each_change(void **state)
{
    static rig r;
    (void)state;
    rig_open(&r, "");
    heap_pair p = small_pair(&r, CPU_FORM, 4, 33, 100);
    test_note("the judge");
    pair_clear(&p);
    for (uint32_t i = 0; i < 3; i++) {
        set_items(&p, 4 * i, 4, 1000 * (i + 1));
        pair_update(&p, 4);
    }
    pair_check(&p);
    const dmm_heap_shape *const s = &p.shape;
    REQUIRE(judge_sees(&p, offsetof(dmm_heap_head, turn), 1));
    REQUIRE(judge_sees(&p, offsetof(dmm_heap_head, held), 1));
    REQUIRE(judge_sees(&p, offsetof(dmm_heap_runs, count), 1));
    REQUIRE(judge_sees(&p, offsetof(dmm_heap_runs, run) + 8, 1));
    for (uint64_t x = 0; x < DMM_HEAP_SLOTS(s->room); x++) {
        const uint64_t at = DMM_HEAP_TABLE_AT + x * s->entry_bytes;
        const int is_free = pair_word(p.state, at / 4, 4) == UINT32_MAX;
        REQUIRE(judge_sees(&p, at, 1));
        REQUIRE(is_free || judge_sees(&p, at + 4, 1));
    }
    for (uint64_t x = 0; x < 12; x++) {
        REQUIRE(judge_sees(&p, s->entries + x * s->entry_bytes, 1));
        REQUIRE(judge_sees(&p, s->entries + x * s->entry_bytes + 4, 1));
    }
    pair_free(&p);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_those_of_a_sequential_heap), /* 30 parts */
        cmocka_unit_test(a_full_heap_refuses_and_loses_nothing),
        cmocka_unit_test(a_size_counts_exactly),
        cmocka_unit_test(wrong_turns_and_memory_change_nothing),
        cmocka_unit_test(the_host_form_keeps_the_heap),
        cmocka_unit_test(another_capacity_is_another_heap),
        cmocka_unit_test(damaged_memory_leads_nowhere),
        cmocka_unit_test(the_judge_of_levels_sees_each_change),
        cmocka_unit_test(the_judge_of_runs_sees_each_change),
    };
    const struct CMUnitTest few[] = {tests[0], tests[4]};
    /* These launch all kernels; in simulators the others take minutes. */
    return by_size(1, 0, 0) != 0 ? cmocka_run_group_tests_name("heap", few, NULL, NULL)
                                 : cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
