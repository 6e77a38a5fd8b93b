/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * Several threads on the driver of liar/driver.h, which orders none of their accesses, for
 * ThreadSanitizer (preset tsan): a context each, one context for all, warming it meanwhile, one
 * folder of compiled programs that one of them clears.
 */
#include "support/require.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dmm/dmm.h>

#include "liar/driver.h"
#include "liar/every_class.h"

enum { THREADS = 4, BUILD_NS = 1000000 };

/* What a thread works on. */
typedef struct worker {
    pthread_t thread;
    unsigned number;
    dmm_context *ctx;  /* everyone's; NULL: one of its own */
    const char *cache; /* a folder; NULL: none */
} worker;

/* The arrays of a _host call are zeros. */
typedef struct arrays {
    unsigned char *bytes[DMM_MAX_PORTS];
    dmm_host_array list[DMM_MAX_PORTS];
} arrays;

static void lay_out(arrays *out, const dmm_class *class, const void *object)
{
    dmm_port ports[DMM_MAX_PORTS] = {{0}};
    uint64_t args[128] = {0};
    const size_t count = class->ports(object, args, &every_sizes, ports);
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < count; i++) {
        REQUIRE((out->bytes[i] = calloc(1, ports[i].n * ports[i].item_bytes + 1)) != NULL);
        if (ports[i].access == DMM_READ)
            out->list[i].from = out->bytes[i];
        else
            out->list[i].to = out->bytes[i];
    }
}

/* Creates an object, enqueues a call of no items, makes a _host call, and frees it. */
static void use(dmm_context *ctx, every_case one)
{
    dmm_object *object = NULL;
    uint64_t temp_bytes = 0, args[128] = {0};
    arrays host;
    REQUIRE_OK(dmm_object_create(&object, ctx, one.class, one.desc));
    REQUIRE_OK(dmm_object_temp_bytes(&temp_bytes, object, every_sizes));
    lay_out(&host, one.class, object);
    const dmm_status status =
        dmm_object_host(ctx, one.class, one.desc, args, every_sizes, host.list);
    /* no kernel runs, which a search notices */
    REQUIRE_STATUS(one.class == &dmm_paths_class ? DMM_WRONG_RESULT : DMM_OK, status);
    for (size_t i = 0; i < DMM_MAX_PORTS; i++)
        free(host.bytes[i]);
    dmm_object_free(object);
}

static size_t count_cases(void)
{
    size_t count = 0;
    while (every_case_at((int)count).class != NULL)
        count++;
    return count;
}

/* Each thread begins with another primitive. */
static void *use_all(void *user)
{
    const worker *const w = user;
    const size_t count = count_cases();
    dmm_context *own = NULL;
    const dmm_context_desc desc = {.set = w->number % 2 ? "form=gpu" : "form=cpu",
        .cache = w->cache,
        .cache_always = w->cache != NULL,
        .ignore_environment = 1};
    if (w->ctx == NULL)
        REQUIRE_OK(dmm_context_create(&own, &desc));
    for (size_t i = 0; i < count; i++)
        use(w->ctx != NULL ? w->ctx : own, every_case_at((int)((i + w->number * 7) % count)));
    if (w->cache != NULL && w->number == 0)
        REQUIRE(dmm_cache_clear(w->cache) != DMM_NULL_ARGUMENT);
    dmm_context_free(own);
    return NULL;
}

static void *warm(void *user)
{
    static const uint64_t zeros[64];
    const worker *const w = user;
    const dmm_warm_item items[] = {{DMM_PRIMITIVE_SORT, zeros}, {DMM_PRIMITIVE_SCAN, zeros},
        {DMM_PRIMITIVE_MERGE, zeros}, {DMM_PRIMITIVE_SORT, zeros}};
    REQUIRE_OK(dmm_context_warm(w->ctx, items, sizeof items / sizeof *items, THREADS));
    return NULL;
}

static void run(dmm_context *ctx, const char *cache)
{
    worker workers[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (worker){.number = i, .ctx = ctx, .cache = cache};
        void *(*const work)(void *) = i == THREADS - 1 && ctx != NULL ? warm : use_all;
        REQUIRE(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
}

static void require_clean(void)
{
    const char *const misuse = driver.misuse;
    if (misuse != NULL)
        fail_msg("misuse: %s\n  in: %s", misuse, test_note_text());
    REQUIRE(driver.live == 0);
}

static void each_thread_may_have_a_context(void **state)
{
    (void)state;
    test_note("a context each");
    run(NULL, NULL);
    require_clean();
}

static void threads_may_share_a_context(void **state)
{
    static const char *const forms[] = {"form=cpu", "form=gpu"};
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        dmm_context *ctx = NULL;
        test_note("one context, %s", forms[i]);
        driver.lies.build_ns = BUILD_NS; /* threads wait for each other's programs */
        REQUIRE_OK(dmm_context_create(
            &ctx, &(dmm_context_desc){.set = forms[i], .ignore_environment = 1}));
        run(ctx, NULL);
        dmm_context_free(ctx);
        require_clean();
    }
    driver.lies.build_ns = 0;
}

static void threads_may_share_a_cache(void **state)
{
    char folder[] = "threads-XXXXXX";
    (void)state;
    test_note("one cache");
    REQUIRE(mkdtemp(folder) != NULL);
    run(NULL, folder);
    REQUIRE_OK(dmm_cache_clear(folder));
    REQUIRE(rmdir(folder) == 0);
    require_clean();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_thread_may_have_a_context),
        cmocka_unit_test(threads_may_share_a_context),
        cmocka_unit_test(threads_may_share_a_cache),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
