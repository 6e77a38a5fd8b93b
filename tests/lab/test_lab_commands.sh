#!/bin/sh
# SPDX-License-Identifier: MIT
# ctest: default
# Every command of dmm-lab once, as a first user would call it.
. "$(dirname "$0")/../cli/expect.sh"

# try COMMAND ARGUMENT...: fails unless dmm-lab COMMAND exits with 0. Its output is in ../out.
tried=''
try() {
    expect 0 "$dmm" "$@"
    tried="$tried $1"
}
# one_line TEXT: fails unless the words of the last command's output are those of TEXT.
one_line() {
    [ "$(tr '\n' ' ' <../out | tr -s ' ')" = "$1 " ] || fail "does not print '$1'"
}

printf '3\n1\n2\n3\n1\n' >five.txt
try sort --check five.txt
one_line '1 1 2 3 3'
try partition -K 2 --expr 'key % 2' five.txt
one_line '2 3 1 3 1'
case $("$dmm" sort five.txt --verbose 2>&1) in
*'driver 6.0'*) # which cannot compile its kernel (docs/records/drivers.md)
    try heap --help
    ;;
*)
    try heap -n 100 --bulk 4 --take
    one_line '100 items in order: 50 calls, 65 resolves in 62 launches of up to 2 levels'
    ;;
esac
try network bitonic -n 8 --prove
try table
try translation -n 8192 --seconds 0 --repeats 1
# With a call that runs its checks in test_lab_methods.sh.
try selftest --help

# A command that is missing above is an error here.
expect 0 "$dmm" --help
for command in $(sed -n '/^Commands/,/^$/s/^  \([a-z]*\)  .*/\1/p' ../out); do
    case " $tried " in
    *" $command "*) ;;
    *) fail "no call of dmm-lab $command above" ;;
    esac
done
