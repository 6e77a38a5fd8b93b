#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs all benchmarks on the device named by DMM_DEVICE, or the best one, and writes bench/results/DATE-NAME.json, .txt
# and pictures, docs/records/speed.md and README.md. Takes about fifteen minutes on two idle cores.
# Without gnuplot (package gnuplot-nox) there are no pictures, and fewer sizes; those of the bank meter also need Oclgrind.
# A program that fails does not stop the others: it runs again without peers, and the exit status is 1.
#
# bench/results.sh [NAME [SIZE [WORD...]]]   NAME: device in the tables, default pocl; SIZE --quick, --usual or --full
# (default); WORD: measures again only what `dmm bench WORD` measures, and keeps the newest results of the other words;
# `skewed`: the table of skewed inputs, DATE-skewed-NAME.json.
# Uses the build in build/default, or in $DMM_BUILD.
set -eu
cd "$(dirname "$0")/.."
name=${1:-pocl} size=${2:---full} build=${DMM_BUILD:-build/default}
words=''
case "$name" in -*) size=no ;; esac
if [ $# -gt 2 ]; then
    shift 2
    words=$*
fi
case "$size" in
    --quick) n=2^18 points=10^5 ;;
    --usual) n=2^22 points=10^5,10^6 ;;
    --full) n=2^24 points=10^5,10^6,10^7 ;;
    *) sed -n '3,13s/^# \{0,1\}//p' "$0" >&2; exit 1 ;;
esac
pictures=$(mktemp -d)
trap 'rm -rf "$pictures"' EXIT
failed=$pictures/failed

# Records failures in a file, because the exit status of the pipe is that of tee.
measure() {
    "$@" || echo "failed: $*" >>"$failed"
}

# bench [WORD] --json JSON: rows and pictures of `dmm bench`.
bench() {
    set -- "$build/dmm" bench "$@" --peers
    [ "$size" = --usual ] || set -- "$@" "$size"
    ! command -v gnuplot >/dev/null || set -- "$@" --plot "$pictures"
    measure "$@"
}

# more WORD JSON: rows that `dmm bench WORD` does not make.
more() {
    case $1 in
        sort)
            measure "$build/bench/bench_sort" --n 2^10,2^12,2^14,2^16,2^18 --peers --json "$2"
            measure "$build/bench/bench_sort" --n $n --values 4 --peers --json "$2"
            measure "$build/bench/bench_sort" --n $n --type u64 --peers --json "$2"
            ;;
        hull)
            measure "$build/bench/bench_hull" --input square,ring --n $points --peers --json "$2"
            measure "$build/bench/bench_hull" --input circle --peers --json "$2"
            ;;
    esac
}

# skewed: all primitives whose work may depend on the keys, on keys of every kind.
skewed() {
    rm -f bench/results/????-??-??-skewed-"$name".json
    json=bench/results/$(date -u +%Y-%m-%d)-skewed-$name.json
    for word in sort merge merge_many topk nth histogram unique run_length reduce reduce_by_key scan scan_by_key search set \
        partition sort_segmented heap; do
        case $size$word in --quick* | *heap) items=2^18 ;; *) items=2^22 ;; esac
        measure "$build/bench/bench_$word" --n $items --input random,sorted,organ,equal,few,zipf,worst --json "$json"
    done
    python3 bench/renew.py --own "$json"
}

if [ -z "$words" ]; then
    results=bench/results/$(date -u +%Y-%m-%d)-$name
    drawn='sort-random sort-random-worst scan-sum-random partition-K-32-random shuffle-random hull-disc'
    rm -f "$results".*
    for picture in $drawn passes; do # another NAME may begin with this one
        rm -f "$results-$picture.svg"
    done
    {
        bench --json "$results.json"
        echo
        more sort "$results.json"
        more hull "$results.json"
    } | tee "$results.txt"
    for picture in $drawn; do
        [ ! -f "$pictures/$picture.svg" ] || cp "$pictures/$picture.svg" "$results-$picture.svg"
    done
    if command -v gnuplot >/dev/null && command -v oclgrind >/dev/null; then
        python3 bench/passes.py "$build/dmm" "$results-passes"
    fi
    skewed
else
    results=$(find bench/results -name "????-??-??-$name.json" | sort | tail -n 1)
    results=${results%.json}
    [ -n "$results" ] || { echo "results.sh: no results of $name to renew: measure all words first" >&2; exit 1; }
    for word in $words; do
        if [ "$word" = skewed ]; then
            skewed
            continue
        fi
        new=$pictures/$word
        {
            bench "$word" --json "$new.json"
            more "$word" "$new.json"
        } | tee "$new.txt"
        [ ! -e "$failed" ] || break
        python3 bench/renew.py "$results" "$new" "$word"
        for picture in "$new"-*.svg; do
            [ ! -e "$results-${picture##*/}" ] || cp "$picture" "$results-${picture##*/}"
        done
    done
fi
python3 bench/report.py
if [ -e "$failed" ]; then
    cat "$failed" >&2
    exit 1
fi
