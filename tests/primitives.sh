#!/bin/sh
# SPDX-License-Identifier: MIT
# primitives.sh SOURCE_DIR: checks that each primitive (a header with dmm_<word>_enqueue) is in all lists of primitives.
# tests/meter/promise.py checks the meter's list, which is of kernels.
set -eu
cd "$1"
status=0
# lists WHAT PATTERN FILE...: prints an error unless one of the files matches the pattern.
lists() {
    what=$1
    pattern=$2
    shift 2
    cat /dev/null "$@" 2>/dev/null | grep -q -- "$pattern" && return
    echo "dmm_$word: not in $what"
    status=1
}

# check_word: checks all lists for $word.
check_word() {
    lists 'include/dmm/dmm.h' "^#include <dmm/$word\\.h>" include/dmm/dmm.h
    lists 'the table of classes' "ROW([A-Z_]*, $word)\\|dmm_${word}_class;" host/primitives/classes.h
    lists 'the self-test' "dmm_${word}_host(" host/primitives/selftest/*.c
    lists 'the calls that fail (tests/test_faults*.c)' "dmm_${word}_\\(host\\|enqueue\\)(" tests/test_faults*.c
    lists 'the tests' "dmm_${word}_desc" "tests/test_$word.c" "tests/support/${word}_case.c" tests/support/segment_case.c \
        tests/support/topk_case.c
    lists 'the table of the README' "^| \\[\`dmm_$word\`\\](include/dmm/$word\\.h)" README.md
    # Nothing to warm or to measure for a plan: the host builds it from an index, and other primitives run its steps.
    [ "$word" = permutation_plan ] && return
    lists 'dmm_primitive (include/dmm/warm.h)' "DMM_PRIMITIVE_$(echo "$word" | tr a-z A-Z)\\b" include/dmm/warm.h
    lists 'the benchmarks' "dmm_${word}_desc" "bench/bench_$word.c" bench/sort_entrants.c
}

words=$(grep -l '^DMM_API dmm_status dmm_[a-z_]*_enqueue(' include/dmm/*.h | sed 's|.*/||; s|\.h$||')
[ "$(echo "$words" | wc -l)" -ge 16 ] || { echo 'primitives.sh: found too few primitives'; exit 1; }
for word in $words; do
    check_word
done
# Checks the check: a word that is no primitive must be missing from every list.
real=$status
word=nowhere
[ "$(check_word | wc -l)" = 8 ] || { echo 'primitives.sh: a primitive in no list would pass'; exit 1; }
exit "$real"
