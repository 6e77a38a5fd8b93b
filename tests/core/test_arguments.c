/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * Wrong arguments of every primitive (primitives/classes.h), made from the ports of its class: a
 * call in which everything is wrong is put right step by step, in the order of the checks; each
 * refused call returns the expected status and no event, and none touches a byte. What a class does
 * not say, the tests of the primitive do.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/size.h"
#include "support/right_calls.h"
#include "support/shared.h"
#include "support/zone.h"

enum { TEMP_ALIGN = 256, MOST_ARGS = 1024 };

static size_t refused_calls;
static dmm_context *without_device; /* has the facts of the rig's device */

/* A span of a call, and its place in the arena while the call is right. */
typedef struct part {
    dmm_port port;
    uint64_t bytes, offset_bytes;
} part;

typedef struct call {
    const right_call *row;
    void *object;
    cl_command_queue queue;
    cl_uint num_wait;
    dmm_sizes sizes;
    _Alignas(16) unsigned char args[MOST_ARGS];
    int has_args;
    part parts[DMM_MAX_PORTS + 1]; /* those that the call has; the first is temp */
    size_t num_parts;
    uint64_t most_bytes; /* more than the bytes of the largest */
    zone arena;          /* holds all of them */
} call;

static dmm_status enqueue(const call *c, cl_event *event)
{
    return c->row->public->enqueue(
        c->object, c->queue, c->has_args ? c->args : NULL, c->sizes, c->num_wait, event);
}

__attribute__((format(printf, 3, 4))) static void require_refused(
    const call *c, dmm_status expected, const char *format, ...)
{
    char what[128];
    cl_event event = NULL;
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    test_note("%s: %s", c->row->word, what);
    REQUIRE_REFUSED(expected, &event, enqueue(c, &event));
    refused_calls++;
}

/* Requires that the text of the call that was refused last names the span. */
static void require_named(const call *c, const part *p, dmm_status status)
{
    char begin[128];
    snprintf(begin, sizeof begin, "dmm_%s: %s: ", c->row->word, p->port.name);
    if (strncmp(dmm_error_text(status), begin, strlen(begin)) != 0)
        fail_msg("'%s' does not begin with '%s'", dmm_error_text(status), begin);
}

static void set_span(call *c, const part *p, cl_mem buffer, uint64_t offset_bytes)
{
    const dmm_span span = {buffer, offset_bytes};
    memcpy(c->args + p->port.at, &span, sizeof span);
}

static void set_right(call *c, const part *p)
{
    set_span(c, p, c->arena.buffer, p->offset_bytes);
}

static dmm_span span_of(const call *c, const part *p)
{
    dmm_span span;
    memcpy(&span, c->args + p->port.at, sizeof span);
    return span;
}

/* Places the spans one behind the other, `gap` bytes apart; returns where the last one ends. */
static uint64_t place_parts(call *c, uint64_t gap)
{
    uint64_t end = 0;
    for (size_t i = 0; i < c->num_parts; i++) {
        part *const p = &c->parts[i];
        p->offset_bytes = dmm_size_div_up(end, p->port.item_bytes) * p->port.item_bytes;
        end =
            p->offset_bytes + p->port.n * p->port.item_bytes + gap; /* end of temp, for any call */
    }
    return end;
}

/* Checks the spans against the table, which is from the headers. */
static void check_parts(const call *c)
{
    char spans[4 * DMM_MAX_PORTS + 1] = "";
    for (size_t i = 1; i < c->num_parts; i++) {
        const part *const p = &c->parts[i];
        const char *const letters = p->port.access == DMM_READ ? "Rr" : "Ww";
        char *const end = spans + strlen(spans);
        snprintf(end, 4, p->port.pair != 0 ? "%c%d" : "%c", letters[p->port.optional != 0],
            p->port.pair);
        test_note("%s: span %zu", c->row->word, p->port.at);
        REQUIRE(p->bytes == c->row->bytes[i - 1]);
    }
    REQUIRE(c->row->bytes[c->num_parts - 1] == 0);
    REQUIRE(strcmp(spans, c->row->spans) == 0);
}

/* Lists the spans of the call, and makes the arena. */
static void list_parts(call *c)
{
    dmm_port ports[DMM_MAX_PORTS];
    const dmm_class *const class = c->row->class;
    const size_t count = class->ports(c->object, c->args, &c->sizes, ports);
    dmm_port temp = {
        .name = "temp", .at = class->temp_at, .access = DMM_WRITE, .item_bytes = 1, .optional = 1};
    REQUIRE_OK(c->row->public->temp_bytes(&temp.n, c->object, c->sizes));
    c->parts[c->num_parts++].port = temp;
    for (size_t i = 0; i < count; i++)
        if (ports[i].item_bytes != 0 && ports[i].n != 0)
            c->parts[c->num_parts++].port = ports[i];
    for (size_t i = 0; i < c->num_parts; i++) {
        c->parts[i].bytes = c->parts[i].port.n * c->parts[i].port.item_bytes;
        c->most_bytes = c->parts[i].bytes > c->most_bytes ? c->parts[i].bytes : c->most_bytes;
    }
    check_parts(c);
    c->most_bytes += TEMP_ALIGN;
    c->arena = zone_create(&shared, NULL, place_parts(c, c->most_bytes), 0);
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static void check_creation(const right_call *r)
{
    const dmm_class *const class = r->class;
    unsigned char desc[MOST_ARGS];
    uint64_t bytes = 17;
    void *object = NULL;
    REQUIRE(r->desc_bytes <= sizeof desc && class->args_bytes <= MOST_ARGS);
    test_note("%s: missing pointers", r->word);
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, r->public->create(NULL, shared.ctx, r->desc));
    REQUIRE_REFUSED(DMM_NULL_ARGUMENT, &object, r->public->create(&object, NULL, r->desc));
    REQUIRE_REFUSED(DMM_NULL_ARGUMENT, &object, r->public->create(&object, shared.ctx, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, r->public->temp_bytes(&bytes, NULL, r->sizes));
    REQUIRE(bytes == 17);
    r->public->free(NULL);
    for (size_t word = 0; word < DMM_RESERVED_WORDS - class->desc_taken; word++) {
        test_note("%s: reserved word %zu from the end of the description", r->word, word);
        memcpy(desc, r->desc, r->desc_bytes);
        desc[r->desc_bytes - 8 * (word + 1)] = 1;
        REQUIRE_REFUSED(DMM_UNSUPPORTED, &object, r->public->create(&object, shared.ctx, desc));
    }
}

static void check_before_spans(call *c)
{
    static rig other;
    const right_call *const r = c->row;
    void *const object = c->object;
    uint64_t bytes = 0;
    rig_open(&other, NULL);
    *c = (call){.row = r, .num_wait = 1, .sizes = r->too_large[0]};
    require_refused(c, DMM_NULL_ARGUMENT, "no object");
    c->object = object;
    require_refused(c, DMM_NULL_ARGUMENT, "no queue");
    c->queue = other.queue;
    require_refused(c, DMM_WRONG_QUEUE, "a queue of another context");
    c->queue = shared.queue;
    require_refused(c, DMM_NULL_ARGUMENT, "no args");
    c->has_args = 1;
    if (r->args != NULL)
        memcpy(c->args, r->args, r->class->args_bytes);
    for (size_t i = 0; i < MOST_TOO_LARGE && r->too_large[i].n != 0; i++) {
        c->sizes = r->too_large[i];
        require_refused(c, DMM_TOO_LARGE, "too large, %zu", i);
    }
    if (r->too_large[0].n != 0)
        REQUIRE_STATUS(DMM_TOO_LARGE, r->public->temp_bytes(&bytes, object, r->too_large[0]));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, r->public->temp_bytes(NULL, object, r->sizes));
    c->sizes = r->sizes;
    require_refused(c, CL_INVALID_EVENT_WAIT_LIST, "a wait list without events");
    c->num_wait = 0;
    for (size_t word = 0; word < DMM_RESERVED_WORDS - r->class->args_taken; word++) {
        unsigned char *const reserved = c->args + r->class->args_bytes - 8 * (word + 1);
        *reserved = 1;
        require_refused(c, DMM_UNSUPPORTED, "reserved word %zu from the end", word);
        *reserved = 0;
    }
    rig_close(&other);
}

/* A buffer that is one byte too small, or one of so few bytes that there is no such buffer. */
static void check_small_buffer(call *c, const part *p, dmm_status too_small)
{
    cl_int failed = CL_SUCCESS;
    if (p->bytes < 2)
        return;
    const cl_mem buffer =
        clCreateBuffer(shared.cl, CL_MEM_READ_WRITE, (size_t)p->bytes - 1, NULL, &failed);
    REQUIRE_OK(failed);
    set_span(c, p, buffer, 0);
    require_refused(c, too_small, "span %zu, one byte too small", p->port.at);
    require_named(c, p, too_small);
    REQUIRE_OK(clReleaseMemObject(buffer));
}

/* Puts one span right, after it was wrong in every way. */
static void check_span(call *c, const part *p, uint64_t align_bytes, dmm_status too_small)
{
    const uint64_t total = c->arena.total_bytes, huge = UINT64_MAX / align_bytes * align_bytes;
    const uint64_t behind = (total - p->bytes) / align_bytes * align_bytes + align_bytes;
    if (!p->port.optional) {
        require_refused(c, DMM_NULL_ARGUMENT, "span %zu missing", p->port.at);
        require_named(c, p, DMM_NULL_ARGUMENT);
    }
    if (align_bytes > 1) {
        set_span(c, p, c->arena.buffer, p->offset_bytes + align_bytes / 2);
        require_refused(c, DMM_MISALIGNED, "span %zu misaligned", p->port.at);
        require_named(c, p, DMM_MISALIGNED);
    }
    set_span(c, p, c->arena.buffer, behind);
    require_refused(c, too_small, "span %zu ends behind its buffer", p->port.at);
    require_named(c, p, too_small);
    set_span(c, p, c->arena.buffer, huge);
    require_refused(c, too_small, "span %zu begins at 2^64", p->port.at);
    require_named(c, p, too_small);
    check_small_buffer(c, p, too_small);
    set_right(c, p);
}

/* Moves b so that it shares bytes with a: its last, all, its first. */
static void check_overlap(call *c, const part *a, const part *b)
{
    const uint64_t item = b->port.item_bytes, last = a->offset_bytes + a->bytes - 1;
    const uint64_t before = a->offset_bytes + 1 > b->bytes ? a->offset_bytes + 1 - b->bytes : 0;
    const uint64_t places[] = {
        last / item * item, a->offset_bytes / item * item, dmm_size_div_up(before, item) * item};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        set_span(c, b, c->arena.buffer, places[i]);
        const int in_place = a->port.pair != 0 && a->port.pair == b->port.pair &&
                             dmm_spans_equal(span_of(c, a), span_of(c, b));
        if (!in_place)
            require_refused(c, DMM_OVERLAP, "span %zu over %zu", b->port.at, a->port.at);
    }
    set_right(c, b);
}

static void check_overlaps(call *c)
{
    for (size_t i = 0; i < c->num_parts; i++)
        for (size_t j = 0; j < c->num_parts; j++) {
            const part *const a = &c->parts[i], *const b = &c->parts[j];
            if (i != j && a->bytes != 0 && b->bytes != 0 &&
                (a->port.access == DMM_WRITE || b->port.access == DMM_WRITE))
                check_overlap(c, a, b);
        }
}

static void require_runs(const call *c, const char *what)
{
    cl_event event = NULL;
    test_note("%s: %s", c->row->word, what);
    REQUIRE_OK(enqueue(c, &event));
    REQUIRE(event != NULL);
    REQUIRE_OK(clWaitForEvents(1, &event));
    clReleaseEvent(event);
    REQUIRE_OK(enqueue(c, NULL));
    REQUIRE_OK(clFinish(shared.queue));
}

/* Neighbours are no overlap. */
static void check_right(call *c)
{
    unsigned char *const zeros = calloc((size_t)c->arena.bytes, 1);
    REQUIRE(zeros != NULL);
    zone_write(&shared, &c->arena, zeros);
    place_parts(c, 0);
    for (size_t i = 0; i < c->num_parts; i++)
        set_right(c, &c->parts[i]);
    require_runs(c, "right");
    free(zeros);
}

/* Nor is a span that is written and its pair at one place, or two that are read. */
static void check_shared_places(call *c)
{
    for (size_t i = 0; i < c->num_parts; i++)
        for (size_t j = 0; j < i; j++) {
            const part *const b = &c->parts[i], *const a = &c->parts[j];
            const int both_read = a->port.access == DMM_READ && b->port.access == DMM_READ;
            const int pair = a->port.pair != 0 && a->port.pair == b->port.pair;
            if ((!both_read && !pair) || a->offset_bytes % b->port.item_bytes != 0)
                continue;
            set_span(c, b, c->arena.buffer, a->offset_bytes);
            test_note("%s: span %zu at that of %zu", c->row->word, b->port.at, a->port.at);
            REQUIRE_OK(enqueue(c, NULL));
            REQUIRE_OK(clFinish(shared.queue));
            set_right(c, b);
        }
}

/* A call of no items needs only the spans whose size does not depend on them. */
static void check_nothing(call *c)
{
    dmm_port ports[DMM_MAX_PORTS];
    const dmm_class *const class = c->row->class;
    c->sizes = c->row->nothing;
    const size_t count = class->ports(c->object, c->args, &c->sizes, ports);
    for (size_t i = 0; i < count; i++) {
        const part p = {.port = ports[i]};
        const dmm_span span = span_of(c, &p);
        set_span(c, &p, NULL, 0);
        if (p.port.n == 0 || p.port.item_bytes == 0 || p.port.optional)
            continue;
        require_refused(c, DMM_NULL_ARGUMENT, "no items, span %zu missing", p.port.at);
        set_span(c, &p, span.buffer, span.offset_bytes);
    }
    require_runs(c, "no items");
}

/* Returns the bytes of temp of this call: other arguments may need more, up to `most`. */
static uint64_t temp_bytes_of(const call *c, uint64_t most)
{
    dmm_call laid_out = {.args = c->args, .sizes = c->sizes};
    c->row->class->lay_out(c->object, &laid_out);
    REQUIRE(laid_out.temp.bytes <= most);
    return laid_out.temp.bytes;
}

/* A context of this device's recorded facts gives the same bytes, and runs nothing. */
static void check_without_device(const call *c)
{
    const right_call *const r = c->row;
    uint64_t online = 0, offline = 1;
    void *object = NULL;
    cl_event event = NULL;
    test_note("%s: facts in place of a device", r->word);
    REQUIRE_OK(r->public->create(&object, without_device, r->desc));
    REQUIRE_OK(r->public->temp_bytes(&online, c->object, r->sizes));
    REQUIRE_OK(r->public->temp_bytes(&offline, object, r->sizes));
    REQUIRE(online == offline);
    REQUIRE_REFUSED(DMM_UNSUPPORTED, &event,
        r->public->enqueue(object, shared.queue, c->args, r->sizes, 0, &event));
    REQUIRE(strstr(dmm_error_text(DMM_UNSUPPORTED), "no device") != NULL);
    r->public->free(object);
}

static void check_row(const right_call *r)
{
    call c = {.row = r};
    check_creation(r);
    test_note("%s: create", r->word);
    REQUIRE_OK(r->public->create(&c.object, shared.ctx, r->desc));
    check_before_spans(&c);
    check_without_device(&c);
    list_parts(&c);
    for (size_t i = 1; i < c.num_parts; i++)
        check_span(&c, &c.parts[i], c.parts[i].port.item_bytes, DMM_SPAN_TOO_SMALL);
    part *const temp = &c.parts[0];
    temp->bytes = temp_bytes_of(&c, temp->bytes);
    if (temp->bytes != 0)
        check_span(&c, temp, TEMP_ALIGN, DMM_TEMP_TOO_SMALL);
    check_overlaps(&c);
    REQUIRE(zone_untouched(&shared, &c.arena));
    if (r->runs != NEVER && sizes_wanted() != SIZES_SMALL) { /* kernels: other tests' in Oclgrind */
        check_right(&c);
        check_shared_places(&c);
        if (r->runs == ALSO_WITHOUT)
            check_nothing(&c);
    }
    zone_free(&c.arena);
    r->public->free(c.object);
}

static void wrong_arguments_are_refused_in_order_and_touch_nothing(void **state)
{
    (void)state;
    REQUIRE_OK(dmm_context_create(
        &without_device, &(dmm_context_desc){.facts = dmm_context_device(shared.ctx)}));
    for (size_t i = 0; i < num_right_calls; i++)
        check_row(&right_calls[i]);
    dmm_context_free(without_device);
    print_message("%zu calls were refused\n", refused_calls);
}

static void every_primitive_has_a_row(void **state)
{
#define LISTED(number, word) {#word, &dmm_##word##_class},
    static const struct {
        const char *word;
        const dmm_class *class;
    } all[] = {DMM_PRIMITIVES_AND_PLANS(LISTED)};
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        size_t k = 0;
        while (k < num_right_calls && right_calls[k].class != all[i].class)
            k++;
        test_note("%s", all[i].word);
        REQUIRE(k < num_right_calls);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_primitive_has_a_row),
        cmocka_unit_test(wrong_arguments_are_refused_in_order_and_touch_nothing),
    };
    return RUN_WITH_RIG("arguments", "banks=16,sync_width=1,units=4", tests);
}
