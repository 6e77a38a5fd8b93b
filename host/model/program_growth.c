/* SPDX-License-Identifier: MIT */
#include <dmm-model/programs.h>

/* The machine as the formulas have it. */
typedef struct shape {
    double n, P, p, K, k, W, d;
} shape;

/* Logarithm to base 2 of x > 0, to 2^-40: the library needs no libm. */
static double log_2(double x)
{
    double whole = 0, part = 1;
    for (; x >= 2; x /= 2)
        whole++;
    for (; x < 1; x *= 2)
        whole--;
    for (int bit = 0; bit < 40; bit++) {
        part /= 2;
        x *= x;
        if (x >= 2) {
            x /= 2;
            whole += part;
        }
    }
    return whole;
}

static double at_least(double least, double x)
{
    return x > least ? x : least;
}

static double round_up(double x)
{
    const double down = (double)(uint64_t)x;
    return x > down ? down + 1 : down;
}

static shape shape_of(uint64_t n, uint64_t words, const dmm_model_translation *machine)
{
    shape s = {.n = (double)n,
        .P = (double)machine->page_bytes / sizeof(uint64_t),
        .K = machine->fanout,
        .W = machine->nodes};
    s.p = log_2(s.P);
    s.k = log_2(s.K);
    s.d = at_least(1, round_up(log_2(at_least(1, (double)words / s.P)) / s.k));
    return s;
}

double dmm_model_program_operations(dmm_model_program program, uint64_t n)
{
    if ((unsigned)program >= DMM_MODEL_PROGRAMS)
        return 0;
    if (program < DMM_MODEL_INTROSORT)
        return (double)n;
    return n > 1 ? (double)n * log_2((double)n) : (double)n;
}

static dmm_model_growth sequential(const shape *s)
{
    const double pages = s->n / s->P;
    return (dmm_model_growth){pages, 2 * s->d + 2 + s->K / (s->K - 1) * pages};
}

/* `less` is what a range that shrinks from n to 0 saves on average. */
static dmm_model_growth random_access(const shape *s, double less)
{
    const double leaves = at_least(0, log_2(s->n / (s->P * s->W)) - less);
    const dmm_model_growth scan = sequential(s);
    return (dmm_model_growth){s->n / s->k * leaves + scan.lower,
        s->n / s->k * (1 + at_least(0, log_2(2 * s->n / s->P))) + s->d + scan.upper};
}

static dmm_model_growth heapify(const shape *s)
{
    const double levels = at_least(1, log_2(s->n));
    const double path = at_least(1, round_up(at_least(0, log_2(s->n / s->P)) / s->k));
    double z = at_least(0, (s->W - 2 * s->d - 1) / path - 1);
    double upper = 2 * s->d + 1, power = 1;
    z = z < levels ? (double)(uint64_t)z : levels;
    for (double i = 0; i < z; i++, power *= 2) {
        const double layers = round_up(at_least(0, i - s->p) / s->k);
        upper += i <= s->p ? 2 * s->n / s->P : s->n / power * (layers + 2);
    }
    if (z < levels)
        upper += s->n * levels * s->d / power;
    return (dmm_model_growth){s->W < s->n / (2 * s->P) ? s->p * s->n / (2 * s->P) : 0, upper};
}

static dmm_model_growth introsort(const shape *s)
{
    double sum = 2 * (s->d + 1), pages = s->n / s->P;
    for (double layer = 0; layer <= s->d; layer++, pages /= s->K)
        sum += pages > 1 ? pages * (1 + log_2(pages)) : 1;
    return (dmm_model_growth){0, 2 * sum};
}

static dmm_model_growth binary_search(const shape *s)
{
    const double deep = at_least(0, log_2(s->n / (4 * s->P * s->W)));
    return (dmm_model_growth){
        s->n / (4 * s->k) * deep * deep, s->d + 1 +
                                             s->n / s->k * (1 + at_least(0, log_2(s->n / s->P))) *
                                                 at_least(1, log_2(2 * s->n * s->d / s->W))};
}

static dmm_model_growth heapsort(const shape *s)
{
    dmm_model_growth sum = binary_search(s);
    const dmm_model_growth first = heapify(s);
    sum.lower += first.lower;
    sum.upper += first.upper;
    return sum;
}

dmm_model_growth dmm_model_program_growth(
    dmm_model_program program, uint64_t n, const dmm_model_translation *machine)
{
    dmm_model_translation checked;
    if (n == 0 || (unsigned)program >= DMM_MODEL_PROGRAMS ||
        dmm_model_translation_check(&checked, machine) != DMM_MODEL_OK)
        return (dmm_model_growth){0, 0};
    const shape s = shape_of(n, dmm_model_program_words(program, n), &checked);
    switch (program) {
    case DMM_MODEL_SEQUENTIAL_SCAN:
        return sequential(&s);
    case DMM_MODEL_RANDOM_SCAN:
        return random_access(&s, 0);
    case DMM_MODEL_PERMUTE:
        return random_access(&s, 1.4427);
    case DMM_MODEL_HEAPIFY:
        return heapify(&s);
    case DMM_MODEL_INTROSORT:
        return introsort(&s);
    case DMM_MODEL_BINARY_SEARCH:
        return binary_search(&s);
    default:
        return heapsort(&s);
    }
}
