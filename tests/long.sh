#!/bin/sh
# SPDX-License-Identifier: MIT
# long.sh [--build FOLDER] [--table] [--share K/N] [WORD...]: runs the tests with the label `long`, all or those of the
# words, in slices of less than an hour: a test function, or one of its parts (the comment `30 parts` in the test's main,
# part_wanted of tests/support/rig.h). Skips slices that passed at this commit, so the same command continues a run that
# was stopped. --build: the folder of a finished build, default build/default. --share: of every N tests only the K-th,
# K from 1. Each slice's result is a line of build/long.txt; --table prints them in the form of docs/records/long.md, and runs
# nothing.
set -eu
cd "$(dirname "$0")/.."
build=build/default results=build/long.txt table='' words='' share=1/1
while [ $# -gt 0 ]; do
    case $1 in
        --build) build=$2; shift ;;
        --table) table=yes ;;
        --share) share=$2; shift ;;
        -*) sed -n '3,8s/^# //p' "$0" >&2; exit 1 ;;
        *) words="$words $1" ;;
    esac
    shift
done

if [ -n "$table" ]; then
    sed -n '1,/^|-/p' docs/records/long.md
    sort -k 1,1 "$results" | awk '{ printf "| `%s` | %s | %s s | %s | %s |\n", $1, $2, $3, $4, $5 }'
    exit
fi

commit=$(git rev-parse --short=10 HEAD 2>/dev/null || echo unknown)
touch "$results"
all=$(ctest --test-dir "$build" -N -L long | sed -n 's/^ *Test *#[0-9]*: //p')
[ -n "$all" ] || { echo "long.sh: no tests with the label long in $build" >&2; exit 1; }

# slices TEST: prints the slices of a test, those of a function in parts as NAME:K/N.
slices() {
    case $1 in promise_*_full) seq -f 'whole:%g/8' 8; return ;; esac
    sed -n 's/^ *cmocka_unit_test.*(\([a-z0-9_]*\)[,)],*\( .* \([0-9]*\) parts\)*.*/\1 \3/p' \
        tests/*/"test_${1%_full}.c" 2>/dev/null |
        awk '$2 == "" { print $1 } $2 != "" { for (k = 1; k <= $2; k++) print $1 ":" k "/" $2 }' | grep . || echo whole
}

# seconds: prints the processor time of all programs that the last `times` counted.
seconds() {
    awk 'NR == 2 { gsub(/[ms]/, " "); print int(60 * ($1 + $3) + $2 + $4) }' build/long.times
}

failed=0 at=0
for test in $all; do
    at=$((at + 1))
    [ $((at % ${share#*/})) = $((${share%/*} % ${share#*/})) ] || continue
    case " $words " in *" ${test%_full} "* | '  ') ;; *) continue ;; esac
    for function in $(slices "$test"); do
        slice=$test/$function
        grep -q "^$slice passed .* $commit\$" "$results" && continue
        times >build/long.times
        before=$(seconds) result=passed only=${function%:*} part=${function#"${function%:*}"}
        [ "$only" != whole ] || only='*'
        DMM_TEST_ONLY=$only DMM_TEST_PART=${part#:} ctest --test-dir "$build" -R "^$test\$" --timeout 3600 \
            --output-on-failure >build/long.log 2>&1 </dev/null || { result=FAILED failed=1; tail -n 40 build/long.log; }
        times >build/long.times
        grep -v "^$slice " "$results" >build/long.new || :
        echo "$slice $result $(($(seconds) - before)) $(date -u +%Y-%m-%d) $commit" >>build/long.new
        mv build/long.new "$results"
        tail -n 1 "$results"
    done
done
exit $failed
