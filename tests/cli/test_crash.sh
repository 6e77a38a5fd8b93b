#!/bin/sh
# SPDX-License-Identifier: MIT
# Commands that write files, ended at each of their calls that change files (tests/crash/crash.c): by a kill before the
# call, in the middle of a write, or by a crash that loses what has not been synchronised. After each, the old outputs are
# there, or the new ones; then the same call ends right, and leaves nothing. DMM_TEST_CRASHES: every so many of the calls
# of a resumable job; 1: all, and torn writes.
. "$(dirname "$0")/expect.sh"
LC_ALL=C
export LC_ALL

crash=${3-}
[ -n "$crash" ] || { echo 'skipped: sanitizers must be loaded first'; exit 0; }
every=${DMM_TEST_CRASHES:-30}
ways='kill lost'
[ "$every" = 1 ] && ways='kill torn lost'
here=$PWD
states=0
kept=0

# setup: makes the folder s as it is before the call. Its files old, and those of the result in ../new, are what may be there.
setup() {
    rm -rf "$here/s"
    cp -a "$here/before" "$here/s"
}

# run HOW CALL: makes the call in the folder s; 137: it was ended. After that, $code.
run() {
    (cd s && DMM_CRASH_HOW=$1 DMM_CRASH_AT=$2 && export DMM_CRASH_HOW DMM_CRASH_AT && shift 2 &&
        exec env LD_PRELOAD="$crash" DMM_CRASH_FOLDER="$here/s" "$dmm" "$@") >"$here/../out" 2>"$here/../err"
    code=$?
}

# judge FILES...: each is the old or the new one. If the process ended between two moves, the new one of a file that is old
# while another is new is there under the name that no process removes.
judge() {
    new=0
    old=0
    for file in "$@"; do
        if cmp -s "s/$file" "new/$file"; then
            new=1
        elif { [ ! -e "before/$file" ] && [ ! -e "s/$file" ]; } || cmp -s "s/$file" "before/$file"; then
            whole=$(ls -A s | grep "^\.$file\.whole-" | head -n 1)
            if [ -n "$whole" ] && cmp -s "s/$whole" "new/$file"; then kept=$((kept + 1)); else old=1; fi
        else
            whole=$(ls -A s | grep "^\.$file\.whole-" | head -n 1)
            [ -n "$whole" ] && cmp -s "s/$whole" "new/$file" || fail "$what: $file is neither the old one nor the new one"
            kept=$((kept + 1))
        fi
    done
    [ $new = 0 ] || [ $old = 0 ] || fail "$what: some outputs are old, some new"
}

# crashes STEP FILES -- ARGUMENTS...: every STEP-th call of dmm ARGUMENTS, which writes FILES into the folder s.
crashes() {
    step=$1
    shift
    files=
    while [ "$1" != -- ]; do files="$files $1"; shift; done
    shift
    rm -rf new
    setup
    run kill 0 "$@"
    [ $code = 0 ] || fail "exit code $code of: $*"
    cp -a s new
    at=1
    while :; do
        for how in $ways; do
            setup
            run $how $at "$@"
            [ $code = 137 ] || [ $code = 0 ] || fail "exit code $code at call $at ($how) of: $*"
            [ $code = 137 ] || break 2
            what="call $at ($how) of: $*"
            states=$((states + 1))
            judge $files
            in_place=$new
            [ "$in_place" = 1 ] && [ -n "${input-}" ] && continue # the input is the sorted one now
            rm -f s/.*.whole-*
            run kill 0 "$@"
            [ $code = 0 ] || fail "$what: then exit code $code"
            judge $files
            [ $old = 0 ] || fail "$what: the next call does not write all"
            [ "$(ls -A s)" = "$(ls -A new)" ] || fail "$what: the next call leaves $(ls -A s)"
        done
        at=$((at + step))
    done
    echo "$((at - 1)) calls: dmm $*"
}

# A resumable job, to another output, with values, and in place.
mkdir before
awk 'BEGIN { srand(1); for (i = 0; i < 30000; i++) print int(rand() * 100000) }' >k.txt
"$dmm" sort k.txt -t u32 --less '(void)a, (void)b, 0' -o before/k.npy || fail 'no input'
"$dmm" sort k.txt -t u32 --argsort --values-out before/v.npy -o before/o.npy || fail 'no values'
"$dmm" sort before/o.npy -o before/a.npy || fail 'no sorted input'
seq 100 400 >old.txt
"$dmm" sort old.txt -t u32 -o before/o.npy || fail 'no old output'
cp before/o.npy before/w.npy
job='sort --memory 150K --resume --check'
crashes "$every" o.npy w.npy -- $job k.npy -o o.npy --values v.npy --values-out w.npy
crashes "$every" n.npy -- $job k.npy -o n.npy
input=1 crashes "$every" k.npy v.npy -- $job k.npy -o k.npy --values v.npy --values-out v.npy
input=1 crashes 1 k.npy -- sort k.npy -o k.npy
crashes 1 o.npy -- sort k.npy -r -o o.npy
ln before/o.npy before/hard.npy
crashes 1 o.npy -- sort k.npy -r -o o.npy
rm before/hard.npy
crashes 1 o.npy w.npy -- sort k.npy --argsort -o o.npy --values-out w.npy
crashes 1 o.npy -- merge --memory 1M a.npy a.npy -o o.npy
input=1 crashes 1 a.npy -- unique a.npy -o a.npy
crashes 1 o.npy w.npy -- select --where 'x & 1' k.npy -o o.npy --values v.npy --values-out w.npy
crashes 1 o.npy -- set --memory 1M union a.npy w.npy -o o.npy
crashes 1 o.npy w.npy f.npy -- partition --memory 1M -K 3 --expr 'key % 3' k.npy -o o.npy --values v.npy --values-out w.npy \
    --offsets f.npy
echo "$states states, $kept outputs kept under another name"
