/* SPDX-License-Identifier: MIT */
/*
 * What one lock-step costs on the DMM (banked local memory) and on the UMM (global memory).
 *
 * Both index the accesses by lane first, which finds bad and repeated lanes and lets a phase of
 * neighbouring lanes be a slice of that index. The DMM then keeps, for each bank, a list of the
 * words accessed in the current phase; its length is the degree of the bank. Without conflicts
 * every list has one word, so the common case costs one step a word.
 */
#include <dmm-model/step.h>

#include <stdbool.h>
#include <string.h>

enum {
    PART_BYTES_MAX = 16,                      /* an access of more is split */
    PHASE_WORDS_MAX = 2 * DMM_MODEL_LANES_MAX /* one a bank, plus one a lane if unaligned */
};

typedef const dmm_model_access *lane_index[DMM_MODEL_LANES_MAX];

/* Fills in the index and the widest access; inactive lanes are NULL. */
static dmm_model_status index_lanes(lane_index of_lane, uint32_t *widest_bytes, uint32_t lanes,
    const dmm_model_access *accesses, uint32_t count)
{
    if (count > 0 && !accesses)
        return DMM_MODEL_NULL_ARGUMENT;
    if (count > lanes)
        return DMM_MODEL_TOO_LARGE;
    memset(of_lane, 0, sizeof(lane_index));
    *widest_bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        const dmm_model_access *at = &accesses[i];
        if (at->size_bytes > DMM_MODEL_ACCESS_BYTES_MAX)
            return DMM_MODEL_TOO_LARGE;
        if (at->size_bytes == 0 || at->lane >= lanes || of_lane[at->lane] ||
            at->address_bytes > UINT64_MAX - at->size_bytes)
            return DMM_MODEL_BAD_VALUE;
        of_lane[at->lane] = at;
        if (at->size_bytes > *widest_bytes)
            *widest_bytes = at->size_bytes;
    }
    return DMM_MODEL_OK;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* ---- DMM ----------------------------------------------------------------------------------- */

/* Words that one phase accesses, in a list for each bank. Node 0 ends a list. */
typedef struct bank_lists {
    uint32_t nodes;
    uint32_t longest;
    uint16_t first[DMM_MODEL_LANES_MAX];
    uint16_t length[DMM_MODEL_LANES_MAX];
    uint16_t next[PHASE_WORDS_MAX + 1];
    uint64_t word[PHASE_WORDS_MAX + 1];
} bank_lists;

static void empty_lists(bank_lists *lists, uint32_t banks)
{
    lists->nodes = 0;
    lists->longest = 0;
    memset(lists->first, 0, banks * sizeof lists->first[0]);
    memset(lists->length, 0, banks * sizeof lists->length[0]);
}

/* Adds a word to its bank's list; if words merge, a word that is there already is not added. */
static void add_word(bank_lists *lists, uint64_t word, uint32_t banks, bool merge)
{
    const uint32_t bank = (uint32_t)(word % banks);
    if (merge)
        for (uint32_t node = lists->first[bank]; node; node = lists->next[node])
            if (lists->word[node] == word)
                return;
    const uint32_t node = ++lists->nodes;
    lists->word[node] = word;
    lists->next[node] = lists->first[bank];
    lists->first[bank] = (uint16_t)node;
    lists->length[bank]++;
    if (lists->length[bank] > lists->longest)
        lists->longest = lists->length[bank];
}

/* Bytes from..to-1, counted from the start of every access. */
typedef struct part {
    uint32_t from, to;
} part;

/* Fills the lists of one phase, `lanes` neighbouring lanes. */
static void judge_phase(bank_lists *lists, const dmm_model_access *const *of_lane, uint32_t lanes,
    part bytes, const dmm_model_local *machine, bool merge)
{
    empty_lists(lists, machine->banks);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        const dmm_model_access *at = of_lane[lane];
        if (!at || at->size_bytes <= bytes.from)
            continue;
        const uint64_t begin = at->address_bytes + bytes.from;
        const uint64_t end = at->address_bytes + smaller(at->size_bytes, bytes.to);
        const uint64_t last_word = (end - 1) / machine->word_bytes;
        for (uint64_t word = begin / machine->word_bytes; word <= last_word; word++)
            add_word(lists, word, machine->banks, merge);
    }
}

/* Observer of each phase; `visit` may be NULL. */
typedef struct onlooker {
    dmm_model_phase_visit *visit;
    void *user;
} onlooker;

/* Adds the phases of one part of every access, which has at most as many words as there are
 * banks. */
static void judge_part(dmm_model_reading *sum, const lane_index of_lane, part bytes,
    const dmm_model_local *machine, bool merge, const onlooker *watcher)
{
    bank_lists lists;
    const uint32_t words = (bytes.to - bytes.from + machine->word_bytes - 1) / machine->word_bytes;
    const uint32_t phase_lanes = smaller(machine->lanes, machine->banks / words);
    for (uint32_t first = 0; first < machine->lanes; first += phase_lanes) {
        const uint32_t lanes = smaller(phase_lanes, machine->lanes - first);
        judge_phase(&lists, of_lane + first, lanes, bytes, machine, merge);
        const uint32_t degree = lists.longest;
        if (degree > 0 && watcher->visit)
            watcher->visit(watcher->user, lists.length, machine->banks);
        sum->passes += degree;
        sum->needed += degree > 0;
        if (degree > sum->worst)
            sum->worst = degree;
    }
}

/* Returns the machine with its defaults filled in. */
static dmm_model_local completed(const dmm_model_local *machine)
{
    dmm_model_local full = *machine;
    full.banks = full.banks ? full.banks : 32;
    full.lanes = full.lanes ? full.lanes : 32;
    full.word_bytes = full.word_bytes ? full.word_bytes : 4;
    return full;
}

static bool machine_is_valid(const dmm_model_local *machine)
{
    const uint32_t bytes = machine->word_bytes;
    return machine->banks <= DMM_MODEL_LANES_MAX && machine->lanes <= DMM_MODEL_LANES_MAX &&
           bytes <= PART_BYTES_MAX && (bytes & (bytes - 1)) == 0;
}

dmm_model_status dmm_model_local_step(dmm_model_reading *out, const dmm_model_local *machine,
    dmm_model_access_kind kind, const dmm_model_access *accesses, uint32_t count)
{
    return dmm_model_local_phases(out, machine, kind, accesses, count, NULL, NULL);
}

dmm_model_status dmm_model_local_phases(dmm_model_reading *out, const dmm_model_local *machine,
    dmm_model_access_kind kind, const dmm_model_access *accesses, uint32_t count,
    dmm_model_phase_visit *visit, void *user)
{
    if (!out || !machine)
        return DMM_MODEL_NULL_ARGUMENT;
    const dmm_model_local full = completed(machine);
    if (!machine_is_valid(&full) || (uint32_t)kind > DMM_MODEL_ATOMIC)
        return DMM_MODEL_BAD_VALUE;
    lane_index of_lane;
    uint32_t widest_bytes;
    const dmm_model_status status =
        index_lanes(of_lane, &widest_bytes, full.lanes, accesses, count);
    if (status)
        return status;

    const bool merge = (kind == DMM_MODEL_READ && !full.reads_conflict) ||
                       (kind == DMM_MODEL_WRITE && !full.writes_conflict);
    const uint32_t part_bytes = smaller(PART_BYTES_MAX, full.banks * full.word_bytes);
    dmm_model_reading sum = {0};
    for (uint32_t from = 0; from < widest_bytes; from += part_bytes) {
        const part bytes = {from, smaller(from + part_bytes, widest_bytes)};
        judge_part(&sum, of_lane, bytes, &full, merge, &(onlooker){visit, user});
    }
    sum.conflicts = sum.passes - sum.needed;
    *out = sum;
    return DMM_MODEL_OK;
}

/* ---- UMM ----------------------------------------------------------------------------------- */

/* Bytes begin..end-1 of memory. */
typedef struct interval {
    uint64_t begin, end;
} interval;

/* Collects the active lanes' bytes in order of address. Insertion: most steps come in order. */
static uint32_t sort_by_address(interval *sorted, const lane_index of_lane)
{
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < DMM_MODEL_LANES_MAX; lane++) {
        const dmm_model_access *at = of_lane[lane];
        if (!at)
            continue;
        uint32_t hole = count++;
        for (; hole > 0 && sorted[hole - 1].begin > at->address_bytes; hole--)
            sorted[hole] = sorted[hole - 1];
        sorted[hole] = (interval){at->address_bytes, at->address_bytes + at->size_bytes};
    }
    return count;
}

dmm_model_status dmm_model_global_step(dmm_model_reading *out, uint32_t segment_bytes,
    const dmm_model_access *accesses, uint32_t count)
{
    if (!out)
        return DMM_MODEL_NULL_ARGUMENT;
    if (segment_bytes & (segment_bytes - 1))
        return DMM_MODEL_BAD_VALUE;
    lane_index of_lane;
    uint32_t widest_bytes;
    const dmm_model_status status =
        index_lanes(of_lane, &widest_bytes, DMM_MODEL_LANES_MAX, accesses, count);
    if (status)
        return status;

    const uint64_t segment = segment_bytes ? segment_bytes : 32;
    interval sorted[DMM_MODEL_LANES_MAX];
    const uint32_t active = sort_by_address(sorted, of_lane);
    uint64_t transactions = 0, distinct_bytes = 0;
    uint64_t next_byte = 0, next_segment = 0; /* all before them are counted */
    for (uint32_t i = 0; i < active; i++) {
        const uint64_t begin = sorted[i].begin > next_byte ? sorted[i].begin : next_byte;
        if (begin >= sorted[i].end)
            continue;
        const uint64_t first = begin / segment, end = (sorted[i].end - 1) / segment + 1;
        distinct_bytes += sorted[i].end - begin;
        transactions += end - (first > next_segment ? first : next_segment);
        next_byte = sorted[i].end;
        next_segment = end;
    }
    out->passes = (uint32_t)transactions;
    out->needed = (uint32_t)((distinct_bytes + segment - 1) / segment);
    out->conflicts = out->passes - out->needed;
    out->worst = out->passes;
    return DMM_MODEL_OK;
}
