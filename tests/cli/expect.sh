# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034,SC2012
# Sourced by the tests of the command. Each runs in an empty folder, with the path of the command in $dmm.
set -u
dmm=$1
DMM_TUNING= # tuning would change results
DMM_TUNING_FOLDER=
export DMM_TUNING DMM_TUNING_FOLDER
rm -rf scratch && mkdir scratch && cd scratch || exit 1

fail() {
    echo "FAILED: $*"
    echo "--- standard output"; head -c 2000 ../out 2>/dev/null
    echo "--- standard error"; head -c 2000 ../err 2>/dev/null
    exit 1
}

# expect CODE COMMAND...: fails unless COMMAND exits with CODE. Its outputs are in ../out and ../err.
expect() {
    code=$1
    shift
    "$@" >../out 2>../err
    got=$?
    [ "$got" = "$code" ] || fail "exit code $got, not $code, of: $*"
}

# prints TEXT: fails unless the last command's standard output is exactly TEXT.
# complains PART: fails unless its standard error contains PART.
prints() {
    printf '%b' "$1" | cmp -s - ../out || fail "does not print '$1'"
}
complains() {
    grep -qF -e "$1" ../err || fail "standard error does not contain '$1'"
}
# refuses PART ARGUMENT...: fails unless the command exits with 1 and complains with PART.
refuses() {
    part=$1
    shift
    expect 1 "$dmm" "$@"
    complains "$part"
}
is_silent() {
    [ ! -s ../err ] || fail "writes to standard error"
}

# leaves FILES...: fails unless the folder contains exactly these files, including hidden ones.
leaves() {
    there=$(ls -A | sort | tr '\n' ' ')
    wanted=$(printf '%s\n' "$@" | sort | tr '\n' ' ')
    [ "$there" = "$wanted" ] || fail "the folder contains '$there', not '$wanted'"
}

# numpy: prints a Python that has NumPy, or nothing.
numpy() {
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import numpy' 2>/dev/null && echo "$python" && return
    done
}
