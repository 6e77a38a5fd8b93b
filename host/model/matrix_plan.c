/* SPDX-License-Identifier: MIT */
/*
 * Which phases sort a matrix: P. Afshani, N. Sitchinava, "Sorting and Permuting without Bank
 * Conflicts on GPUs", ESA 2015, section 2. docs/matrix.md says why they are right, and what
 * differs.
 *
 * All arguments are of zeros and ones. A row is dirty if it has both; a plan is a proof that none
 * is left. What it keeps track of is a window: rows in sequence outside of which all is in place.
 */
#include <stdbool.h>

#include "model/matrix_plan.h"

enum { NEVER = 1 << 20 }; /* more rounds than any plan takes */

bool dmm_phase_rests(const dmm_matrix_phase *phase, uint32_t i)
{
    const uint32_t within = phase->period != 0 ? i % phase->period : 0;
    return phase->period != 0 && (within < phase->shift || within >= phase->period - phase->shift);
}

bool dmm_phase_falls(const dmm_matrix_phase *phase, uint32_t i)
{
    uint32_t bits = dmm_phase_number(phase, i) & phase->falling;
    bool odd = false;
    for (; bits != 0; bits &= bits - 1)
        odd = !odd;
    return odd;
}

uint32_t dmm_matrix_columns(uint32_t w, uint32_t m)
{
    uint32_t columns = 1;
    while (columns < m && columns < w)
        columns *= 2;
    return columns < m ? (m + w - 1) / w * w : columns;
}

/* ---- Writing phases ------------------------------------------------------------------------ */

/* Writer of phases: to groups whose rows are `stride` apart; rows rest as its fields say. */
typedef struct writer {
    dmm_matrix_plan *plan;
    uint32_t stride, shift, period;
    dmm_turn turn; /* turn of the next phase */
    uint32_t turned;
} writer;

static void put(writer *to, uint32_t run, uint32_t height, uint32_t falling)
{
    dmm_matrix_plan *plan = to->plan;
    if (plan->count == DMM_PLAN_PHASES)
        plan->fits = false;
    if (plan->fits)
        plan->phases[plan->count++] = (dmm_matrix_phase){.turn = to->turn,
            .turned = to->turned,
            .run = run,
            .height = height,
            .falling = falling,
            .stride = to->stride,
            .shift = to->shift,
            .period = to->period};
    to->turn = DMM_TURN_NONE;
}

static void put_rows(writer *to, uint32_t falling)
{
    put(to, to->plan->m, 0, falling);
}

/* Records a turn for the next phase; a turn recorded before becomes a phase of its own. */
static void put_turn(writer *to, dmm_turn turn, uint32_t rows)
{
    if (to->turn != DMM_TURN_NONE)
        put(to, 1, 0, 0);
    to->turn = turn;
    to->turned = rows;
}

/* Sorts the columns of groups of g rows: in rows, if they fit. */
static void put_columns(writer *to, uint32_t g, uint32_t falling)
{
    if (g > to->plan->m || g < to->plan->shortest) {
        put(to, 0, g, falling);
        return;
    }
    put_turn(to, DMM_TURN_TO_ROWS, g);
    put(to, g, 0, falling);
    put_turn(to, DMM_TURN_TO_COLUMNS, g);
}

/* ---- Squares, and what is wider than high -------------------------------------------------- */

/*
 * Returns the number of rounds until two pieces, neighbours in opposite order, have become one, the
 * last round included. `dirty` pieces in sequence are dirty at first. A round makes of k dirty
 * pieces a window of k units, q of them per piece: it touches (k - 1 + q - 1) / q + 1 pieces.
 */
static uint32_t count_rounds(uint32_t dirty, uint32_t q)
{
    uint32_t rounds = dirty > 1;
    if (dirty > 2 && q < 2)
        return NEVER;
    for (; dirty > 2; rounds++)
        dirty = (dirty + q - 2) / q + 1;
    return rounds;
}

/* Applies lemma 1 to groups of g rows, g dividing m: as many rounds as necessary, two if g <= sqrt
 * m. */
static void put_lemma_1(writer *to, uint32_t g, uint32_t falling)
{
    for (uint32_t rounds = count_rounds(g, to->plan->m / g); rounds > 0; rounds--) {
        put_rows(to, falling | 1);
        put_turn(to, DMM_TURN_TO_COLUMNS, g);
        put_rows(to, falling);
        put_turn(to, DMM_TURN_TO_ROWS, g);
    }
    put_rows(to, falling);
}

static uint32_t count_lemma_1(uint32_t g, uint32_t m)
{
    return 2 * count_rounds(g, m / g) + 1;
}

/* Applies theorem 1 to groups of g rows, by super-rows of s < g rows. */
static void put_theorem_1(writer *to, uint32_t g, uint32_t s, uint32_t falling)
{
    for (uint32_t rounds = count_rounds(g / s, s); rounds > 0; rounds--) {
        put_lemma_1(to, s, rounds == 1 ? falling | s : falling);
        put_columns(to, g, falling);
    }
    put_rows(to, falling);
}

static uint32_t count_theorem_1(uint32_t g, uint32_t s, uint32_t m)
{
    const uint32_t rounds = count_rounds(g / s, s), each = count_lemma_1(s, m) + 1;
    return rounds >= NEVER || each >= NEVER ? NEVER : rounds * each + 1;
}

/* Returns the super-rows of the paper: the largest power of two that is at most sqrt m, and below
 * g. */
static uint32_t root_of(uint32_t g, uint32_t m)
{
    uint32_t s = 1;
    while (4 * s * s <= m && 2 * s < g)
        s *= 2;
    return s;
}

/* Returns the super-rows with fewest phases; g: none. */
static uint32_t best_of(uint32_t g, uint32_t m)
{
    uint32_t best = g, fewest = count_lemma_1(g, m);
    for (uint32_t s = 1; s < g; s *= 2)
        if (count_theorem_1(g, s, m) < fewest) {
            best = s;
            fewest = count_theorem_1(g, s, m);
        }
    return best;
}

/* Sorts groups of g <= m rows; s as of best_of. */
static void put_square(writer *to, uint32_t g, uint32_t s, uint32_t falling)
{
    if (s == g)
        put_lemma_1(to, g, falling);
    else
        put_theorem_1(to, g, s, falling);
}

/* ---- What is higher than wide -------------------------------------------------------------- */

/* Applies theorem 2, without its first row sort, which the argument does not need. */
static void put_theorem_2(writer *to)
{
    const uint32_t w = to->plan->w, m = to->plan->m;
    put_columns(to, w, 0);
    if (m == 1)
        return;
    put_turn(to, DMM_TURN_TO_ROWS, w);
    put_columns(to, w, 0);
    put_square(to, m, best_of(m, m), w > m ? m : 0);
    put_columns(to, w, 0);
    put_rows(to, 0);
}

/* Balances groups of `rows` rows: of every set of zeros each row gets the same number, up to the
 * number of rounds, which is returned. Rows ascend. */
static uint32_t put_balancing(writer *to, uint32_t rows)
{
    const uint32_t m = to->plan->m;
    uint32_t rounds = 0;
    if (to->turn != DMM_TURN_NONE)
        put(to, 1, 0, 0);
    for (uint32_t span = 1; span < rows; span *= m, rounds++) {
        const uint32_t g = rows / span < m ? rows / span : m;
        writer apart = {.plan = to->plan, .stride = span};
        put_square(&apart, g, best_of(g, m), 0);
        put_turn(&apart, DMM_TURN_TO_COLUMNS, g);
        put(&apart, 1, 0, 0);
    }
    return rounds;
}

/* Converts and divides, down to m rows; returns the number of dirty rows anywhere in a group of
 * `rows` rows. */
static uint32_t put_division(writer *to, uint32_t rows)
{
    const uint32_t m = to->plan->m;
    if (rows <= m) {
        put_square(to, rows, best_of(rows, m), 0);
        return 1;
    }
    const uint32_t dirty_columns = put_balancing(to, rows);
    uint32_t part = rows / m; /* rows of a group as high as the dirty columns, which touch two */
    while (part < dirty_columns * (rows / m))
        part *= 2;
    put_turn(to, DMM_TURN_TO_ROWS, rows);
    if (part >= rows || !to->plan->fits) {
        to->plan->fits = false;
        return 0;
    }
    return 2 * put_division(to, part);
}

/* Applies lemma 2 to groups of `rows` rows. */
static void put_lemma_2(writer *to, uint32_t rows)
{
    const uint32_t m = to->plan->m, dirty = put_division(to, rows);
    if (rows <= m)
        return;
    if (2 * dirty > m)
        to->plan->fits = false;
    if (!to->plan->fits)
        return;
    put_turn(to, DMM_TURN_TO_ROWS, rows);
    put_lemma_2(to, rows / m);
    put_turn(to, DMM_TURN_TO_COLUMNS, rows);
    put_square(to, m, best_of(m, m), 0);
    writer shifted = {.plan = to->plan, .stride = 1, .shift = m / 2, .period = rows};
    put_square(&shifted, m, best_of(m, m), 0);
}

/* ---- Shearsort, and the choice ------------------------------------------------------------- */

/* Shearsort: each round halves the dirty rows. */
static void put_shear(writer *to)
{
    for (uint32_t dirty = to->plan->w; dirty > 1; dirty /= 2) {
        put_rows(to, 1);
        put_columns(to, to->plan->w, 0);
    }
    put_rows(to, 0);
}

static void make(dmm_matrix_plan *plan, dmm_matrix_by method)
{
    const uint32_t w = plan->w, m = plan->m;
    writer to = {.plan = plan, .stride = 1};
    plan->count = 0;
    plan->fits = true;
    if (method == DMM_BY_LEMMA_1 && w <= m && count_lemma_1(w, m) < NEVER)
        put_lemma_1(&to, w, 0);
    else if (method == DMM_BY_THEOREM_1 && w <= m)
        put_theorem_1(&to, w, root_of(w, m), 0);
    else if (method == DMM_BY_SUPER_ROWS && w <= m)
        put_square(&to, w, best_of(w, m), 0);
    else if (method == DMM_BY_THEOREM_2 && w >= m)
        put_theorem_2(&to);
    else if (method == DMM_BY_LEMMA_2 && w > m && m > 1)
        put_lemma_2(&to, w);
    else if (method == DMM_BY_SHEAR)
        put_shear(&to);
    else
        plan->fits = false;
    if (to.turn != DMM_TURN_NONE)
        put(&to, 1, 0, 0);
}

/* Returns the approximate steps of a plan, for comparing methods. */
static uint64_t steps_of(const dmm_matrix_plan *plan, uint64_t row_steps)
{
    uint64_t steps = 0;
    for (uint32_t p = 0; p < plan->count; p++) {
        const dmm_matrix_phase *phase = &plan->phases[p];
        uint64_t log = 0;
        while ((uint64_t)1 << log < phase->height)
            log++;
        steps += phase->turn != DMM_TURN_NONE ? 6 * (uint64_t)plan->m : 0;
        steps += phase->run > 1 ? row_steps : phase->run == 0 ? plan->m * (log * (log + 1) + 1) : 0;
    }
    return steps;
}

static dmm_matrix_by method_for(dmm_matrix_plan *plan, uint64_t row_steps)
{
    if (plan->w <= plan->m)
        return DMM_BY_SUPER_ROWS;
    make(plan, DMM_BY_THEOREM_2);
    const uint64_t steps = steps_of(plan, row_steps);
    make(plan, DMM_BY_LEMMA_2);
    return plan->fits && steps_of(plan, row_steps) < steps ? DMM_BY_LEMMA_2 : DMM_BY_THEOREM_2;
}

void dmm_matrix_plan_make(dmm_matrix_plan *plan, uint32_t w, uint32_t m, uint32_t shortest,
    dmm_matrix_by *method, uint64_t row_steps)
{
    plan->w = w;
    plan->m = m;
    plan->shortest = shortest;
    if (*method == DMM_BY_AUTO)
        *method = method_for(plan, row_steps);
    make(plan, *method);
}
