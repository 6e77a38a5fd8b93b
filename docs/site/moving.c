/* SPDX-License-Identifier: MIT */
/*
 * Runs two merge sorts of one tile for moving.html, and records every access of one warp in one
 * round: the plain sort of the model (host/model/plain.c), and dmm's, by the index maps and block
 * search of its kernels (cl/map.clh, cl/sort/blocks.clh). Steps are judged by dmm_model_local_step.
 * Linked with --wrap for two functions of the model, so that the page sees each judged step.
 */
#include <dmm-model/plain_sort.h>
#include <dmm-model/step.h>
#include <dmm-model/tally.h>
#include <dmm-model/worst.h>

#include <stdlib.h>
#include <string.h>

#include "cl/map.clh"

enum {
    BANKS_MAX = 128,
    E_MAX = 32,
    GROUP_MAX = 4 * BANKS_MAX,
    TILE_MAX = GROUP_MAX * E_MAX,
    WORDS_MAX = 2 * TILE_MAX,
    PROBES_MAX = 32,
    STEPS_MAX = 4 * E_MAX + 4 * PROBES_MAX,
    ROUNDS_MAX = 10,
    NOWHERE = ~0u
};

enum { PLAIN, DMM };

/* One recorded step: at[lane] is a word of local memory, or NOWHERE. */
typedef struct moving_step {
    const char *label; /* search, gather or store */
    uint passes;
    uint at[BANKS_MAX];
} moving_step;

/* Round r, from 1, makes lists of 2^r work-items. Round ROUNDS_MAX: before and after all rounds. */
static struct recorded {
    uint steps;
    moving_step step[STEPS_MAX];
    dmm_model_tally rounds[ROUNDS_MAX + 1];
} recorded[2];

static struct {
    uint side, round, warp;     /* of the next step */
    uint want_round, want_warp; /* recorded */
    uint warps, stores;         /* of the plain sort: warps of a tile, steps that stored */
    uint at[BANKS_MAX];         /* of the last judged step */
} now;

static uint w, E, u, d;

/* ---- The recorder -------------------------------------------------------------------------- */

dmm_model_status __real_dmm_model_local_step(dmm_model_reading *out, const dmm_model_local *memory,
    dmm_model_access_kind kind, const dmm_model_access *accesses, uint32_t count);
void __real_dmm_model_tally_add(dmm_model_tally *tally, const dmm_model_reading *reading);

dmm_model_status __wrap_dmm_model_local_step(dmm_model_reading *out, const dmm_model_local *memory,
    dmm_model_access_kind kind, const dmm_model_access *accesses, uint32_t count)
{
    memset(now.at, 0xff, sizeof now.at);
    for (uint i = 0; i < count; i++)
        now.at[accesses[i].lane] = (uint)(accesses[i].address_bytes / 4);
    return __real_dmm_model_local_step(out, memory, kind, accesses, count);
}

void __wrap_dmm_model_tally_add(dmm_model_tally *tally, const dmm_model_reading *reading)
{
    struct recorded *side = &recorded[now.side];
    if (reading->passes == 0)
        return;
    __real_dmm_model_tally_add(tally, reading);
    __real_dmm_model_tally_add(&side->rounds[now.round], reading);
    if (now.round == now.want_round && now.warp == now.want_warp && side->steps < STEPS_MAX) {
        moving_step *step = &side->step[side->steps++];
        step->label = tally->label;
        step->passes = reading->passes;
        memcpy(step->at, now.at, sizeof step->at);
    }
    /* The plain sort takes warp after warp and round after round. A warp's last E steps store. */
    if (now.side == PLAIN && strcmp(tally->label, "store") == 0) {
        const uint warps_done = ++now.stores / E;
        now.warp = warps_done % now.warps;
        now.round = 1 + warps_done / now.warps;
    }
}

/* ---- dmm's sort of a tile, as cl/sort/sort.clh has it -------------------------------------- */

/* A tile in local memory, and what each lane of a warp has probed: words of A and of B. */
typedef struct host_tile {
    uint words[WORDS_MAX];
    uint lane, num_probes[BANKS_MAX];
    uint probes[BANKS_MAX][PROBES_MAX][2];
} host_tile;

typedef host_tile *dmm_tile;

static uint named(uint name)
{
    return dmm_named_address(name, w, E, d);
}

static uint dmm_unit_of(dmm_tile tile)
{
    (void)tile;
    return dmm_block_unit(w, E, d);
}

static int dmm_block_before(dmm_tile tile, uint p, uint q)
{
    uint *probe = tile->probes[tile->lane][tile->num_probes[tile->lane]++];
    probe[0] = named(p);
    probe[1] = named(q);
    return tile->words[probe[0]] <= tile->words[probe[1]];
}

#include "cl/sort/blocks.clh"

static host_tile tile;
static uint items[TILE_MAX]; /* in registers: E of each work-item */

/* Judges and records a step in which lane i accesses word at[i]. */
static void access(const char *label, dmm_model_access_kind kind, const uint at[])
{
    const dmm_model_local memory = {.banks = w, .lanes = w};
    dmm_model_access accesses[BANKS_MAX];
    dmm_model_reading reading = {0};
    dmm_model_tally tally = {.label = label};
    uint count = 0;
    for (uint lane = 0; lane < w; lane++)
        if (at[lane] != NOWHERE)
            accesses[count++] = (dmm_model_access){4ull * at[lane], 4, lane};
    dmm_model_local_step(&reading, &memory, kind, accesses, count);
    dmm_model_tally_add(&tally, &reading);
}

/* Stores item j, or E - 1 - j if reversed, of each lane in word j of its slot. */
static void store(const uint slot[], const uint reversed[])
{
    uint at[BANKS_MAX];
    for (uint j = 0; j < E; j++) {
        for (uint lane = 0; lane < w; lane++) {
            const uint t = now.warp * w + lane;
            at[lane] = slot[lane] + j;
            tile.words[at[lane]] = items[t * E + (reversed[lane] ? E - 1 - j : j)];
        }
        access("store", DMM_MODEL_WRITE, at);
    }
}

/* Records what the lanes have probed, probe after probe. */
static void access_probes(void)
{
    uint at[BANKS_MAX], probing = 1;
    for (uint i = 0; probing; i++) {
        probing = 0;
        for (uint list = 0; list < 2; list++) {
            for (uint lane = 0; lane < w; lane++) {
                const int probes = i < tile.num_probes[lane];
                at[lane] = probes ? tile.probes[lane][i][list] : NOWHERE;
                probing |= (uint)probes;
            }
            access("search", DMM_MODEL_READ, at);
        }
    }
}

/* Finds the three blocks of work-item t: their addresses, or those of limits. */
static void find_blocks(uint at[3], uint log, uint t)
{
    const dmm_merge_view m = dmm_round_view(t, log, w);
    const uint within = t & (m.g - 1);
    const dmm_three k = dmm_find_blocks(&tile, m, within, w);
    at[0] = named(k.a);
    at[1] = within == 0 ? dmm_limit_address(named(k.b), 0, u, w, E, d) : named(k.b);
    at[2] = within + 1 == m.g ? dmm_limit_address(named(k.next), 1, u, w, E, d) : named(k.next);
}

static int by_value(const void *left, const void *right)
{
    const uint a = *(const uint *)left, b = *(const uint *)right;
    return (a > b) - (a < b);
}

static void sort_registers(uint t)
{
    qsort(items + t * E, E, sizeof items[0], by_value);
}

/* Takes the middle one of words j of three blocks, for each lane of the warp. */
static void merge(uint log)
{
    uint block[BANKS_MAX][3], at[BANKS_MAX], words[3][BANKS_MAX];
    memset(tile.num_probes, 0, sizeof tile.num_probes);
    for (uint lane = 0; lane < w; lane++) {
        tile.lane = lane;
        find_blocks(block[lane], log, now.warp * w + lane);
    }
    access_probes();
    for (uint j = 0; j < E; j++) {
        for (uint b = 0; b < 3; b++) {
            for (uint lane = 0; lane < w; lane++) {
                at[lane] = block[lane][b] + j;
                words[b][lane] = tile.words[at[lane]];
            }
            access("gather", DMM_MODEL_READ, at);
        }
        for (uint lane = 0; lane < w; lane++)
            items[(now.warp * w + lane) * E + j] =
                min(max(words[0][lane], words[1][lane]), words[2][lane]);
    }
}

/* Keeps the lesser or the greater of two items in each step, for each lane of the warp: the first
 * round. */
static void keep_of_pair(void)
{
    uint at[BANKS_MAX];
    for (uint j = 0; j < E; j++) {
        for (uint lane = 0; lane < w; lane++) {
            const uint t = now.warp * w + lane;
            at[lane] = dmm_block_address(t ^ 1, w, E, d) + dmm_pair_word(j, E);
            uint *item = &items[t * E + j];
            const uint other = tile.words[at[lane]];
            *item = t & 1 ? max(*item, other) : min(*item, other);
        }
        access("gather", DMM_MODEL_READ, at);
    }
}

/* Executes a round as the kernel does between barriers: all warps store, then all warps read. */
static void sort_round(uint log)
{
    const uint lists = 1u << log;
    uint slot[BANKS_MAX], reversed[BANKS_MAX];
    now.round = log + 1;
    for (now.warp = 0; now.warp < u / w; now.warp++) {
        for (uint lane = 0; lane < w; lane++) {
            const uint t = now.warp * w + lane, within = t & (2 * lists - 1);
            const dmm_merge_view m = dmm_round_view(t, log, w);
            slot[lane] = dmm_block_address(
                log ? m.first + dmm_store_slot(within, lists, m.gap) : t, w, E, d);
            reversed[lane] = log ? dmm_store_reversed(t, lists) : 0;
        }
        store(slot, reversed);
    }
    for (now.warp = 0; now.warp < u / w; now.warp++) {
        if (log)
            merge(log);
        else
            keep_of_pair();
    }
    for (uint t = 0; t < u; t++)
        sort_registers(t);
}

static void store_limits(void)
{
    uint at[BANKS_MAX];
    for (uint i = 0; i < DMM_LIMIT_WORDS(w, E); i += u)
        for (now.warp = 0; now.warp < u / w; now.warp++)
            for (uint above = 0; above < 2; above++) {
                for (uint lane = 0; lane < w; lane++) {
                    const uint t = i + now.warp * w + lane;
                    at[lane] = NOWHERE;
                    if (t < DMM_LIMIT_WORDS(w, E)) {
                        at[lane] = dmm_limit_address(0, above, u, w, E, d) + t;
                        tile.words[at[lane]] = above ? ~0u : 0;
                    }
                }
                access("limit", DMM_MODEL_WRITE, at);
            }
}

/* Stores the sorted blocks and reads them in stripes. Returns 1 if the keys are sorted. */
static int drain(void)
{
    uint at[BANKS_MAX], sorted = 1;
    const uint none_reversed[BANKS_MAX] = {0};
    for (now.warp = 0; now.warp < u / w; now.warp++) {
        for (uint lane = 0; lane < w; lane++)
            at[lane] = dmm_block_address(now.warp * w + lane, w, E, d);
        store(at, none_reversed);
    }
    for (now.warp = 0; now.warp < u / w; now.warp++)
        for (uint i = 0; i < E; i++) {
            for (uint lane = 0; lane < w; lane++) {
                const uint x = now.warp * w + lane + i * u;
                at[lane] = dmm_address(x, w, E, d);
                sorted &= tile.words[at[lane]] == x;
            }
            access("drain", DMM_MODEL_READ, at);
        }
    return (int)sorted;
}

static int sort_by_dmm(const uint64_t *keys)
{
    now.side = DMM;
    now.round = ROUNDS_MAX;
    for (uint t = 0; t < u; t++) {
        for (uint j = 0; j < E; j++)
            items[t * E + j] = (uint)keys[t + j * u];
        sort_registers(t);
    }
    store_limits();
    for (uint log = 0; 1u << log < u; log++)
        sort_round(log);
    now.round = ROUNDS_MAX;
    return drain();
}

/* ---- What the page calls ------------------------------------------------------------------- */

static uint64_t keys[TILE_MAX];

/* Fills `keys` with 0 .. n-1: 0 shuffled, 1 sorted, 2 the worst order for the plain sort. */
static int fill(uint input, const dmm_model_merge_shape *shape)
{
    const uint n = u * E;
    uint64_t state = 1;
    if (input == 2)
        return dmm_model_worst_merge(keys, n, shape) == DMM_MODEL_OK;
    for (uint i = 0; i < n; i++)
        keys[i] = i;
    for (uint i = n - 1; input == 0 && i > 0; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const uint other = (uint)((state >> 33) % (i + 1));
        const uint64_t key = keys[i];
        keys[i] = keys[other];
        keys[other] = key;
    }
    return 1;
}

static uint gcd(uint a, uint b)
{
    return b ? gcd(b, a % b) : a;
}

/* Sorts a tile by both sorts, and records one warp in one round. Returns 0 if the page does not
 * offer this choice, or a sort failed. */
int moving_run(uint banks, uint per_item, uint group, uint input, uint round, uint warp)
{
    static dmm_model_plain_round plain[DMM_MODEL_PLAIN_ROUNDS_MAX];
    static uint64_t sorted[TILE_MAX];
    const dmm_model_merge_shape shape = {banks, group, per_item};
    uint32_t used;
    if (banks < 4 || banks > BANKS_MAX || group > 4 * banks || per_item < 2 || per_item > E_MAX ||
        per_item > banks)
        return 0;
    w = banks, E = per_item, u = group, d = gcd(w, E);
    memset(recorded, 0, sizeof recorded);
    memset(&now, 0, sizeof now);
    now.warps = u / w;
    now.round = 1;
    now.want_round = round;
    now.want_warp = warp;
    if (!fill(input, &shape))
        return 0;
    memcpy(sorted, keys, sizeof sorted);
    if (dmm_model_plain_sort(plain, &used, sorted, u * E, &shape) != DMM_MODEL_OK)
        return 0;
    for (uint i = 0; i < u * E; i++)
        if (sorted[i] != i)
            return 0;
    return sort_by_dmm(keys);
}

/* Returns the key at position i of the input. */
uint moving_key(uint i)
{
    return (uint)keys[i];
}

uint moving_steps(uint side)
{
    return recorded[side].steps;
}

const char *moving_label(uint side, uint step)
{
    return recorded[side].step[step].label;
}

uint moving_passes(uint side, uint step)
{
    return recorded[side].step[step].passes;
}

/* Returns the word that a lane accesses, or 2^32 - 1. */
uint moving_word(uint side, uint step, uint lane)
{
    return recorded[side].step[step].at[lane];
}

/* Returns steps, passes, conflicts or the highest cost of a round, or of all else (round
 * ROUNDS_MAX): field 0 to 3. */
uint moving_total(uint side, uint round, uint field)
{
    const dmm_model_tally *t = &recorded[side].rounds[round];
    return field == 0   ? (uint)t->steps
           : field == 1 ? (uint)t->passes
           : field == 2 ? (uint)t->conflicts
                        : t->worst;
}

/* Returns the words of local memory that a sort's tile spans, limits included. */
uint moving_words(uint side)
{
    return side == PLAIN ? u * E : DMM_TILE_WORDS(u, w, E, d);
}
