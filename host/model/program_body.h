/* SPDX-License-Identifier: MIT */
/*
 * The seven programs of <dmm-model/programs.h>, compiled twice: to run and to trace. The file that
 * includes this defines NAME(word), the name of a function; TRACE and PASS, what every function
 * takes first; and AT(i), the word A[i], whose access it may note.
 */
#include <dmm-model/programs.h>

static uint64_t NAME(sequential_scan)(TRACE, uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += AT(i);
    return sum;
}

static uint64_t NAME(random_scan)(TRACE, uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t at = AT(n + i);
        sum += AT(at);
    }
    return sum;
}

static uint64_t NAME(permute)(TRACE, uint64_t n, uint64_t seed)
{
    for (uint64_t j = n; j-- > 0;) {
        const uint64_t i = program_below(&seed, j + 1);
        const uint64_t old = AT(i);
        const uint64_t moved = AT(j);
        AT(i) = moved;
        AT(j) = old;
    }
    return seed;
}

static uint64_t NAME(binary_search)(TRACE, uint64_t n, uint64_t seed)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t wanted = program_below(&seed, n) * PROGRAM_KEY_STRIDE;
        uint64_t low = 0, high = n;
        while (low < high) {
            const uint64_t middle = low + (high - low) / 2;
            if (AT(middle) < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        sum += low;
    }
    return sum;
}

/* Sinks `item` from place i of a heap of n items that begins at `base`, largest first. */
static void NAME(sink)(TRACE, uint64_t base, uint64_t n, uint64_t i, uint64_t item)
{
    for (uint64_t child; (child = 2 * i + 1) < n; i = child) {
        uint64_t larger = AT(base + child);
        if (child + 1 < n) {
            const uint64_t right = AT(base + child + 1);
            if (right > larger) {
                larger = right;
                child++;
            }
        }
        if (larger <= item)
            break;
        AT(base + i) = larger;
    }
    AT(base + i) = item;
}

static void NAME(heapify)(TRACE, uint64_t base, uint64_t n)
{
    for (uint64_t i = n / 2; i-- > 0;) {
        const uint64_t item = AT(base + i);
        NAME(sink)(PASS, base, n, i, item);
    }
}

static void NAME(heapsort)(TRACE, uint64_t base, uint64_t n)
{
    NAME(heapify)(PASS, base, n);
    for (uint64_t last = n; last-- > 1;) {
        const uint64_t item = AT(base + last);
        AT(base + last) = AT(base);
        NAME(sink)(PASS, base, last, 0, item);
    }
}

static void NAME(insertion_sort)(TRACE, uint64_t base, uint64_t n)
{
    for (uint64_t i = 1; i < n; i++) {
        const uint64_t item = AT(base + i);
        uint64_t j = i;
        for (; j > 0; j--) {
            const uint64_t before = AT(base + j - 1);
            if (before <= item)
                break;
            AT(base + j) = before;
        }
        AT(base + j) = item;
    }
}

/* Returns the first place of the right part, 1..n-1, after Hoare; the pivot is the median of the
 * first, the middle and the last item. */
static uint64_t NAME(partition)(TRACE, uint64_t base, uint64_t n)
{
    const uint64_t a = AT(base), b = AT(base + (n - 1) / 2), c = AT(base + n - 1);
    const uint64_t pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
    uint64_t left = 0, right = n - 1;
    for (;; left++, right--) {
        uint64_t low, high;
        while ((low = AT(base + left)) < pivot)
            left++;
        while ((high = AT(base + right)) > pivot)
            right--;
        if (left >= right)
            return left == right && left + 1 < n ? left + 1 : left;
        AT(base + left) = high;
        AT(base + right) = low;
    }
}

static void NAME(introsort)(TRACE, uint64_t base, uint64_t n, uint32_t levels)
{
    enum { SHORT = 16 };
    while (n > SHORT) {
        if (levels-- == 0) {
            NAME(heapsort)(PASS, base, n);
            return;
        }
        const uint64_t split = NAME(partition)(PASS, base, n);
        NAME(introsort)(PASS, base + split, n - split, levels);
        n = split;
    }
    NAME(insertion_sort)(PASS, base, n);
}

static uint64_t NAME(run)(TRACE, dmm_model_program program, uint64_t n, uint64_t seed)
{
    uint32_t levels = 0;
    switch (program) {
    case DMM_MODEL_SEQUENTIAL_SCAN:
        return NAME(sequential_scan)(PASS, n);
    case DMM_MODEL_RANDOM_SCAN:
        return NAME(random_scan)(PASS, n);
    case DMM_MODEL_PERMUTE:
        return NAME(permute)(PASS, n, seed);
    case DMM_MODEL_BINARY_SEARCH:
        return NAME(binary_search)(PASS, n, seed);
    case DMM_MODEL_HEAPIFY:
        NAME(heapify)(PASS, 0, n);
        return 0;
    case DMM_MODEL_HEAPSORT:
        NAME(heapsort)(PASS, 0, n);
        return 0;
    default:
        for (uint64_t rest = n; rest > 1; rest /= 2)
            levels += 2;
        NAME(introsort)(PASS, 0, n, levels);
        return 0;
    }
}

#undef NAME
#undef TRACE
#undef PASS
#undef AT
