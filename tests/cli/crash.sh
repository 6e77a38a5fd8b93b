# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034
# Sourced by tests that end commands which write files at each of their calls that change files (tests/crash/crash.c): by a
# kill before the call, in the middle of a write, or by a crash that loses what has not been synchronised: data, or changes
# of names, or all of them but the last. After each, the old outputs are there, or the new ones; then the same call ends
# right, and leaves nothing. The ways take turns; with DMM_TEST_CRASHES=1 each call ends in every way.
. "$(dirname "$0")/../cli/expect.sh"
LC_ALL=C
export LC_ALL

crash=${3-}
[ -n "$crash" ] || { echo 'skipped: sanitizers must be loaded first'; exit 0; }
every=${DMM_TEST_CRASHES:-30}
ways='kill lost early'
[ "$every" = 1 ] && ways='kill torn lost unnamed early'
here=$PWD
states=0
kept=0
turn=0

# setup: makes the folder s as it is before the call. Its files old, and those of the result in ../new, are what may be there.
setup() {
    rm -rf "$here/s" "$here/s.old"
    mkdir "$here/s.old"
    cp -a "$here/before" "$here/s"
}

# run HOW CALL: makes the call in the folder s; 137: it was ended. After that, $code.
run() {
    (cd s && DMM_CRASH_HOW=$1 DMM_CRASH_AT=$2 && export DMM_CRASH_HOW DMM_CRASH_AT && shift 2 &&
        exec env LD_PRELOAD="$crash" DMM_CRASH_FOLDER="$here/s" "$dmm" "$@") >"$here/../out" 2>"$here/../err"
    code=$?
}

# is_new FILE: true if the file in s is the new one. $norm: a filter without which two runs differ.
is_new() {
    cmp -s "s/$1" "new/$1" || { [ -n "${norm-}" ] && [ -e "s/$1" ] && $norm <"s/$1" >../a && $norm <"new/$1" | cmp -s - ../a; }
}

# judge FILES...: each is the old or the new one. If the process ended between two moves, the new one of a file that is old
# while another is new is there under the name that no process removes.
judge() {
    new=0
    old=0
    for file in "$@"; do
        if is_new "$file"; then
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
        now=$ways
        [ "$every" = 1 ] || now=$(echo "$ways" | cut -d' ' -f$((turn % 3 + 1)))
        turn=$((turn + 1))
        for how in $now; do
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

tried=
# case_of STEP FILES -- COMMAND ARGUMENT...: crashes, and notes the command and its options.
case_of() {
    noted=
    for word in "$@"; do
        case $noted:$word in
        :--) noted=-- ;;
        --:*) noted=$word; tried="$tried $word " ;;
        *:-o) tried="$tried $noted/output " ;;
        *:--) [ "$noted" = meter ] && break ;;
        *:--*) tried="$tried $noted/${word#--} " ;;
        esac
    done
    crashes "$@"
}

# must_have_tried: fails unless each command of the table was tried, but for $nothing, which write no files, and each of
# their options that names a file, but for $read, which are read.
must_have_tried() {
    "$dmm" --help >../help
    for command in $(sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p' ../help); do
        case " $nothing $tried " in *" $command "*) ;; *) fail "$command: add a case, or it writes no file" ;; esac
        "$dmm" "$command" --help >../help
        for option in $(sed -n '/^Options of every/q
            s/^  *\(-., \)*--\([a-z-]*\) \(OUTPUT\|FILE\|KEYS\|COUNTS\|FOLDER\)\( .*\|$\)/\2/p' ../help); do
            case " $read $tried " in
            *" $option "* | *" $command/$option "*) ;;
            *) fail "$command --$option: add a case, or it names no file to write" ;;
            esac
        done
    done
    echo "$states states, $kept outputs kept under another name"
}
