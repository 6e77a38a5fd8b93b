#!/bin/sh
# SPDX-License-Identifier: MIT
# test_kills.sh DMM DMM_MPI MPIEXEC KILL: each rank of dmm-mpi sort is killed before each of its messages (kill.c): all ranks
# end, the old file is there or the new one, and the next call ends right and leaves nothing. DMM_TEST_KILLS: every so many
# of the messages (default: 12; 1: all). DMM_TEST_RANKS: numbers of ranks (default: 3). DMM_TEST_SECONDS: then sorts again
# and again for so long (default: 0).
. "$(dirname "$0")/../cli/expect.sh"
mpi=$2 mpirun=$3 kill=$4
LC_ALL=C
export LC_ALL

awk 'BEGIN { srand(1); for (i = 0; i < 5003; i++) print int(rand() * 2000) }' >i.txt
"$dmm" sort -t u32 --less '(void)a, (void)b, 0' i.txt -o i.npy
"$dmm" sort -t u32 i.txt -o sorted.npy --argsort --values-out index.npy
seq 0 5002 | "$dmm" sort -t u32 - -o number.npy

# sort_with RANK MESSAGE: sorts keys and values in place; $code. mpiexec of Open MPI 4.1.4 may wait for itself after a kill.
stuck=0
sort_with() {
    begin=$(date +%s)
    timeout -k 1 60 "$mpirun" -n "$ranks" env LD_PRELOAD="$kill" DMM_KILL_RANK="$1" DMM_KILL_AT="$2" \
        "$mpi" sort k.npy -o k.npy --values v.npy --values-out v.npy >../out 2>../err
    code=$?
    [ $(($(date +%s) - begin)) -lt 60 ] || stuck=$((stuck + 1))
}

# judge: the files are old, or new; $is_new.
judge() {
    is_new=0
    kept=$(ls -A | grep '^\.v\.npy\.whole-' | head -n 1)
    if cmp -s k.npy sorted.npy; then
        is_new=1
        cmp -s v.npy index.npy || { [ -n "$kept" ] && cmp -s "$kept" index.npy; } || fail "$what: the keys are new, the values old"
    else
        cmp -s k.npy i.npy || fail "$what: the old keys are lost"
        cmp -s v.npy number.npy || fail "$what: the keys are old, the values are not"
    fi
    rm -f .v.npy.whole-*
}

# kill_at_each RANK: kills it before each of its messages, and counts $states.
kill_at_each() {
    rank=$1
    at=1
    while :; do
        what="rank $rank of $ranks, message $at"
        cp i.npy k.npy
        cp number.npy v.npy
        sort_with "$rank" "$at"
        judge
        [ $code != 0 ] || break
        states=$((states + 1))
        processes=$(pgrep -f "$mpi sort k.npy" | wc -l)
        [ "$processes" = 0 ] || sleep 10
        [ "$(pgrep -f "$mpi sort k.npy" | wc -l)" = 0 ] || fail "$what: a rank still runs"
        if [ "$rank" = 0 ]; then
            cp i.npy k.npy
            cp number.npy v.npy
            sort_with 0 0
            [ $code = 0 ] || fail "$what: then exit code $code"
            judge
            [ $is_new = 1 ] || fail "$what: the next call does not sort"
            leaves i.npy i.txt index.npy k.npy number.npy sorted.npy v.npy
        fi
        rm -f .k.npy.dmm-* .v.npy.dmm-* # of rank 0
        at=$((at + ${DMM_TEST_KILLS:-12}))
    done
    [ $is_new = 1 ] || fail "rank $rank of $ranks: a call that ends well does not sort"
    echo "rank $rank of $ranks: messages to $((at - 1))"
}

states=0
for ranks in ${DMM_TEST_RANKS:-3}; do
    rank=0
    while [ $rank -lt "$ranks" ]; do
        kill_at_each $rank
        rank=$((rank + 1))
    done
done
echo "$states kills; mpiexec had to be stopped after $stuck"

calls=0
end=$(($(date +%s) + ${DMM_TEST_SECONDS:-0}))
while [ "$(date +%s)" -lt $end ]; do
    calls=$((calls + 1))
    cp i.npy k.npy
    cp number.npy v.npy
    sort_with 0 0
    what="call $calls of the soak"
    judge
    [ $code = 0 ] && [ $is_new = 1 ] || fail "$what: exit code $code"
done
[ $calls = 0 ] || echo "$calls calls of the soak"
