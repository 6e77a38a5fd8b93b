/* SPDX-License-Identifier: MIT */
/* ctest: full wrap=all */
/*
 * A soak: one process calls every primitive and stream again and again, in both forms, with other
 * sizes and data each time, and in a long run other types. Results are right; and once all programs
 * are built, memory, file descriptors and OpenCL objects stay as many as they are. Objects are
 * created and freed for each call, programs stay in the context; test_fuzz with DMM_FUZZ_ROUND also
 * frees contexts.
 * An argument: the minutes that it takes (full sizes: 55; otherwise a few rounds).
 */
#include "support/require.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <dmm/sort_devices.h>

#include "primitives/selftest/selftest.h"
#include "support/faults.h"
#include "support/memory.h"
#include "support/merge_stream_case.h"
#include "support/partition_stream_case.h"
#include "support/random.h"
#include "support/rig.h"
#include "support/set_stream_case.h"
#include "support/stream_case.h"

/* WARM: rounds after which all programs are built, of few rounds and of many; LATE_PROGRAMS: those
 * of rare sizes. What the driver takes from the heap is compared over the rounds that neither build
 * a program nor map a shared object: PoCL makes one of a kernel for each group size and class of
 * grid, and keeps it, with what LLVM made for it, as long as the program. In 100,165 calls of such
 * rounds the heap grew by 53,024 bytes. */
enum {
    MOST_ITEMS = 20000,
    LARGE_EVERY = 50,
    MOST_LARGE = 200000,
    FEW_ROUNDS = 4,
    WARM_OF_FEW = 2,
    WARM_OF_MANY = 30,
    LATE_PROGRAMS = 20,
    PROGRAM_BLOCKS = 2,      /* of a program in a context */
    MOST_GROWTH = 256 << 10, /* bytes of the heap, in all those rounds; and */
    MOST_A_CALL = 8
};

static const char *const forms[] = {"form=cpu", "form=gpu,banks=32"};
enum { NUM_FORMS = sizeof forms / sizeof *forms };

static long minutes;
static rig rigs[NUM_FORMS];
static uint64_t items[3][MOST_LARGE];
static uint32_t indices[3][MOST_LARGE];
static random_source source = {1};
static uint64_t calls;

static uint64_t below(uint64_t bound)
{
    return random_below(&source, bound);
}

static uint64_t a_size(void)
{
    return 1 + below(below(LARGE_EVERY) == 0 ? MOST_LARGE : below(4) == 0 ? MOST_ITEMS : 2000);
}

/* What the process holds. */
typedef struct holding {
    uint64_t kib, heap; /* resident; bytes that malloc has handed out */
    uint64_t objects_mapped;
    int descriptors;
    fault_ledger objects;
} holding;

static holding now(void)
{
    holding h = {.kib = memory_kib("/proc/self/status", "VmRSS:"),
        .heap = memory_heap(),
        .objects_mapped = memory_objects(),
        .objects = faults_ledger()};
    DIR *const folder = opendir("/proc/self/fd");
    while (folder != NULL && readdir(folder) != NULL)
        h.descriptors++;
    if (folder != NULL)
        closedir(folder);
    return h;
}

/* True but for a few programs, which rare sizes build later. */
static int is_same(const fault_ledger *a, const fault_ledger *b)
{
    return a->contexts == b->contexts && a->queues == b->queues && a->buffers == b->buffers &&
           a->events == b->events && a->kernels == b->kernels &&
           a->programs <= b->programs + LATE_PROGRAMS &&
           a->blocks - b->blocks == PROGRAM_BLOCKS * (a->programs - b->programs);
}

/* Growth of the heap over rounds that built and mapped nothing. */
typedef struct growth {
    uint64_t rounds, calls;
    int64_t bytes;
} growth;

/* Adds a round of so many calls, unless it built or mapped something. */
static void add_round(growth *g, const holding *before, const holding *after, uint64_t round_calls)
{
    if (before->objects_mapped != after->objects_mapped ||
        before->objects.programs != after->objects.programs)
        return;
    g->rounds++;
    g->calls += round_calls;
    g->bytes += (int64_t)after->heap - (int64_t)before->heap;
}

static int is_steady(const growth *g)
{
    return g->bytes <= MOST_GROWTH + (int64_t)g->calls * MOST_A_CALL;
}

/* A check of the self-test on random items of one of its types. */
static void call_check(const rig *r, const dmm_check *check)
{
    dmm_trial t = {.ctx = r->ctx,
        .n = a_size(),
        .input = (unsigned char *)items[0],
        .expected = (unsigned char *)items[1],
        .answer = (unsigned char *)items[2],
        .expected_from = indices[0],
        .answer_from = indices[1],
        .spare = indices[2]};
    while ((check->types & DMM_CHECKS(t.type)) == 0 || (minutes != 0 && below(3) == 0))
        t.type = (dmm_type)((t.type + 1) % DMM_ITEM);
    t.bytes = dmm_type_bytes(t.type);
    t.places = t.n;
    test_note("%s of %s, n=%llu", check->primitive, dmm_type_name(t.type), (unsigned long long)t.n);
    random_bytes(&source, t.input, (size_t)(t.n * t.bytes));
    memset(t.answer, 0xa5, (size_t)(t.n * t.bytes));
    memset(t.answer_from, 0xa5, (size_t)t.n * sizeof *t.answer_from);
    const dmm_status status = check->run(&t);
    calls++;
    if (status == DMM_UNSUPPORTED)
        return;
    REQUIRE_OK(status);
    REQUIRE(memcmp(t.answer, t.expected, (size_t)(t.places * t.bytes)) == 0);
    REQUIRE(memcmp(t.answer_from, t.expected_from, (size_t)t.places * sizeof *t.answer_from) == 0);
}

static void call_sort_stream(const rig *r)
{
    stream_case c = {.k = kind_named("i64"),
        .value_bytes = 4,
        .n = below(3000),
        .desc = {.run_items = 300 + below(300), .block_items = 8, .window_items = 200}};
    test_note("sort stream, n=%llu", (unsigned long long)c.n);
    stream_open(&c, r, (shape)below(SHAPE_COUNT), random_next(&source));
    REQUIRE_OK(stream_run(&c, r, 0));
    stream_check(&c);
    stream_close(&c);
}

static void call_merge_stream(const rig *r)
{
    merge_stream_case c = {
        .k = kind_named("u32"), .value_bytes = 8, .desc = {.block_items = 4, .window_items = 500}};
    merge_stream_open(&c, below(20), (shape)below(SHAPE_COUNT), random_next(&source), 1);
    test_note("merge stream of %llu lists", (unsigned long long)c.lists);
    REQUIRE_OK(merge_stream_run(&c, r));
    merge_stream_check(&c);
    merge_stream_close(&c);
}

/* Unique: of one list. */
static void call_set_stream(const rig *r, int is_unique)
{
    set_stream_case c = {
        .k = kind_named("u32"), .value_bytes = 4, .n = {below(1500), is_unique ? 0 : below(1500)}};
    const dmm_tuning usual = {.form = DMM_FORM_DEFAULT};
    uint64_t count = 0;
    test_note("set stream, unique %d", is_unique);
    set_stream_open(&c, (shape)below(SHAPE_COUNT), below(200), 1);
    if (is_unique)
        unique_stream_want(&c);
    else
        set_stream_want(&c);
    REQUIRE_OK(is_unique ? unique_stream_run(&c, r, usual, 1 + below(400), &count)
                         : set_stream_run(&c, r, usual, 1 + below(400), &count));
    set_stream_judge(&c, count);
    set_stream_close(&c);
}

static void call_partition_stream(const rig *r)
{
    partition_stream_case c = {.k = kind_named("u32"),
        .value_bytes = 4,
        .n = below(2000),
        .desc = {.partition = {.ways = 9, .by = DMM_PARTITION_BY_LABELS, .label_bytes = 2},
            .run_items = 100 + below(500),
            .window_items = 1 + below(500)}};
    test_note("partition stream, n=%llu", (unsigned long long)c.n);
    partition_stream_open(&c, r, (shape)below(SHAPE_COUNT), random_next(&source));
    REQUIRE_OK(partition_stream_run(&c, r));
    partition_stream_check(&c);
    partition_stream_close(&c);
}

static void call_devices(void)
{
    dmm_context *const contexts[] = {rigs[0].ctx, rigs[1].ctx};
    const uint64_t n = a_size();
    uint32_t *const keys = indices[0];
    const dmm_sort_devices_desc desc = {.part_items = 1 + n / (1 + below(9))};
    uint64_t sum = 0;
    test_note("devices, n=%llu", (unsigned long long)n);
    for (uint64_t i = 0; i < n; i++)
        sum += keys[i] = (uint32_t)random_next(&source);
    REQUIRE_OK(dmm_sort_devices_host(contexts, NUM_FORMS, &desc, keys, NULL, (size_t)n, NULL));
    for (uint64_t i = 0; i < n; i++) {
        REQUIRE(i == 0 || keys[i - 1] <= keys[i]);
        sum -= keys[i];
    }
    REQUIRE(sum == 0);
}

#define CHECKS(N, word) dmm_##word##_checks,

/* Calls all of them once in each form. */
static void call_all(void)
{
    static const dmm_check *const tables[] = {DMM_PRIMITIVES_AND_PLANS(CHECKS)};
    for (size_t f = 0; f < NUM_FORMS; f++) {
        for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
            for (const dmm_check *check = tables[i]; check->primitive != NULL; check++)
                call_check(&rigs[f], check);
        call_sort_stream(&rigs[f]);
        call_merge_stream(&rigs[f]);
        call_set_stream(&rigs[f], 0);
        call_set_stream(&rigs[f], 1);
        call_partition_stream(&rigs[f]);
        calls += 5;
    }
    call_devices();
    calls++;
}

static void a_process_stays_as_it_is(void **state)
{
    const time_t end = time(NULL) + 60 * minutes;
    const uint64_t warms = minutes != 0 ? WARM_OF_MANY : WARM_OF_FEW;
    holding warm = {0}, h = {0};
    growth g = {0};
    uint64_t round = 0;
    (void)state;
    for (size_t f = 0; f < NUM_FORMS; f++)
        rig_open(&rigs[f], forms[f]);
    while (round < FEW_ROUNDS || time(NULL) < end) {
        const holding last = h;
        const uint64_t last_calls = calls;
        call_all();
        h = now();
        if (++round == warms)
            warm = h;
        if (round <= warms)
            continue;
        add_round(&g, &last, &h, calls - last_calls);
        test_note("round %llu: the heap grew by %lld bytes in %llu calls that built nothing",
            (unsigned long long)round, (long long)g.bytes, (unsigned long long)g.calls);
        REQUIRE(h.descriptors == warm.descriptors);
        REQUIRE(is_same(&h.objects, &warm.objects));
        REQUIRE(is_steady(&g));
    }
    print_message("the heap grew by %lld bytes in %llu calls of %llu rounds that built nothing\n",
        (long long)g.bytes, (unsigned long long)g.calls, (unsigned long long)g.rounds);
    print_message("%llu calls in %llu rounds; %llu KiB, after the first rounds %llu KiB; %d "
                  "descriptors; %ld programs, %llu shared objects, %ld blocks\n",
        (unsigned long long)calls, (unsigned long long)round, (unsigned long long)h.kib,
        (unsigned long long)warm.kib, h.descriptors - 3, h.objects.programs,
        (unsigned long long)h.objects_mapped, h.objects.blocks);
    for (size_t f = 0; f < NUM_FORMS; f++)
        rig_close(&rigs[f]);
}

/* 64 bytes that each of 5,000 calls leaves behind, which is less than an hour's, are seen in the
 * heap, and one block of the program's own in the ledger. */
static void a_leak_is_seen(void **state)
{
    enum { LEAKS = 5000, LEAK_BYTES = 64 };
    static void *leaks[LEAKS];
    growth g = {0};
    const holding before = now();
    (void)state;
    test_note("a planted leak");
    for (size_t i = 0; i < LEAKS; i++) {
        leaks[i] = malloc(LEAK_BYTES);
        REQUIRE(leaks[i] != NULL);
        const holding after = {.objects = faults_ledger()};
        REQUIRE(!is_same(&after.objects, &before.objects));
    }
    const holding after = now();
    add_round(&g, &before, &after, LEAKS);
    REQUIRE(memory_heap() == 0 || !is_steady(&g));
    for (size_t i = 0; i < LEAKS; i++)
        free(leaks[i]);
    const holding end = now();
    REQUIRE(is_same(&end.objects, &before.objects));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_stays_as_it_is),
        cmocka_unit_test(a_leak_is_seen),
        cmocka_unit_test(faults_leave_nothing_behind),
    };
    minutes = argc > 1 ? atol(argv[1]) : (long)by_size(0, 0, 55);
    return cmocka_run_group_tests_name("steady", tests, NULL, NULL);
}
