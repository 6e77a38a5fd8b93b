#!/bin/sh
# SPDX-License-Identifier: MIT
# ctest: default optimised
# Messages and exit codes of valid and invalid calls.
. "$(dirname "$0")/expect.sh"

expect 0 "$dmm" --version
grep -qE '^dmm [0-9]+\.[0-9]+\.[0-9]+$' ../out || fail 'prints no version'
expect 0 "$dmm" --help
# shellcheck disable=SC2013 # names without spaces
for command in $(sed -n 's/^  \([a-z]*\)  .*/\1/p' ../out); do
    expect 0 "$dmm" "$command" --help
    grep -qE "^Usage: dmm $command( |\$)" ../out || fail "$command --help has no usage line"
    is_silent
    awk 'length > 100 { exit 1 }' ../out || fail "$command --help has lines over 100 columns"
done

expect 1 "$dmm"
complains 'dmm: a command is missing: one of those above'
grep -q '^  sort  *sort the numbers of a file' ../out || fail 'dmm alone does not list its commands'
expect 1 "$dmm" srot
complains "dmm: no command 'srot': did you mean 'sort'?"
expect 1 "$dmm" sum
complains "did you mean 'reduce'?"
expect 1 "$dmm" histo
complains "did you mean 'histogram'?"
expect 1 "$dmm" sort a.parquet
complains 'a.parquet: .parquet files are read in Python'
expect 1 "$dmm" no-such-thing-at-all
complains "dmm: no command 'no-such-thing-at-all': see dmm --help"
expect 1 "$dmm" help srot
complains "did you mean 'sort'?"
expect 0 "$dmm" -V
grep -q '^dmm [0-9]' ../out || fail '-V prints no version'
for call in 'help sort' 'sort -h' '-h sort' 'help' '-h' 'help -h'; do
    # shellcheck disable=SC2086 # words
    expect 0 "$dmm" $call
    grep -q '^Usage: dmm ' ../out || fail "dmm $call prints no help"
    is_silent
done
expect 1 "$dmm" sort --ouput a.txt
complains 'dmm: sort: --ouput is not an option here: did you mean --output? See dmm sort --help'
expect 1 "$dmm" sort --me a.txt
complains 'dmm: sort: --me is ambiguous: --method, --memory'
expect 1 "$dmm" --no-such-option sort
complains 'dmm: --no-such-option is not an option here'
expect 1 "$dmm" sort -Q a.txt
complains 'dmm: sort: -Q is not an option here; see dmm sort --help'
expect 1 "$dmm" sort -k 2 a.csv
complains 'dmm: sort: -k is not an option here: did you mean -K or --key? See dmm sort --help'
expect 1 "$dmm" sort a.txt -o
complains 'dmm: sort: -o needs an argument: see dmm sort --help'
expect 1 "$dmm" sort
complains 'dmm: sort: too few operands: usage: dmm sort '
expect 1 "$dmm" sort a.txt b.txt
complains 'dmm: sort: too many operands: usage: dmm sort '
expect 1 "$dmm" sort -t u33 a.txt
complains "dmm: sort: --type: 'u33' is not a type: u8 i8 "
expect 1 "$dmm" demo -n -5
complains "dmm: demo: --keys: '-5' is not a count"
expect 1 "$dmm" demo -n 99999999999999999999
complains 'is not a count'
expect 1 "$dmm" demo -n 0
complains 'at least one key'
expect 1 "$dmm" demo -n 0x10
complains "dmm: demo: --keys: '0x10' is not a count: counts are decimal"
printf '1\n' >one.txt
for type in uint8 int16 float32 float64; do
    expect 0 "$dmm" sort -t $type one.txt
    prints '1\n'
done
for type in float int u int3 uint floats float99 i; do
    expect 1 "$dmm" sort -t $type one.txt
    complains "'$type' is not a type: u8 i8 u16"
done
printf '7\n0x10\n' >one.txt
expect 1 "$dmm" sort - <one.txt
complains "dmm: sort: standard input: line 2: '0x10' is hexadecimal: numbers are decimal"
printf '3\n1,2\n' >one.txt
expect 1 "$dmm" sort - <one.txt
complains "line 2: '1,2' is more than one number (one a line; dmm sort --key has columns)"
expect 1 "$dmm" hull --svg h.png one.txt
complains "dmm: hull: --svg: 'h.png' must end in .svg"
rm one.txt

printf '2\n1\n' >a.txt
expect 1 "$dmm" sort --method slow a.txt
complains "dmm: sort: --method: 'slow' is none of auto|merge|radix|network"
expect 1 "$dmm" sort --argsort --values v.bin a.txt
complains 'dmm: sort: --values: --argsort writes indices as values: give one of the two'
expect 1 "$dmm" sort --values v.bin a.txt
complains 'dmm: sort: --values: needs --values-out FILE'
expect 1 "$dmm" sort --values-out v.bin a.txt
complains 'dmm: sort: --values-out: needs --values FILE or --argsort'
expect 1 "$dmm" sort -o a.dat a.txt
complains 'dmm: sort: a.dat: its name must end in .npy'
expect 1 "$dmm" sort no.txt
complains 'dmm: sort: no.txt: cannot open: No such file or directory'
expect 0 "$dmm" sort a.txt -o /dev/stdout
prints '1\n2\n'
"$dmm" sort a.txt -o /dev/stdout >>../out || fail 'cannot append to a file'
prints '1\n2\n1\n2\n'
expect 1 "$dmm" sort a.txt -o /dev/full
complains 'dmm: sort: /dev/full: cannot write: No space left on device'

# Formats of what has no name: an .npy on a pipe is known by its magic, other formats are named.
expect 0 "$dmm" sort a.txt -t u16 -o a.npy
expect 0 "$dmm" sort --reverse a.npy
prints '2\n1\n'
expect 0 "$dmm" sort --reverse - <a.npy
prints '2\n1\n'
# shellcheck disable=SC2002 # a pipe is wanted
[ "$(cat a.npy | "$dmm" sort --reverse /dev/stdin | tr '\n' ' ')" = '2 1 ' ] || fail 'an .npy on a pipe'
[ "$(printf 'dcba' | "$dmm" sort --format bin -t u8 -)" = abcd ] || fail 'raw items on a pipe'
expect 0 "$dmm" sort --format npy - <a.npy
cmp -s ../out a.npy || fail 'no .npy on standard output'
cp a.txt a.dat
expect 0 "$dmm" sort --format text a.dat
prints '1\n2\n'
rm a.npy a.dat
expect 1 "$dmm" merge
complains 'dmm: merge: too few operands'
expect 1 "$dmm" merge --a-values v.bin a.txt a.txt
complains 'dmm: merge: --a-values, --b-values and --values-out come together'
leaves a.txt

# Global options can come before or after the command. A wrong setting is the user's error (exit code 1), a
# missing device is not (2).
expect 1 "$dmm" --set banks=7 sort a.txt
complains 'dmm: sort: --set: unknown name or bad value: see above'
complains 'banks=7'
expect 1 "$dmm" sort --set no_such_fact=7 a.txt
complains 'no_such_fact'
expect 1 env DMM_SET=banks=7 "$dmm" sort a.txt
complains 'dmm: sort: DMM_SET: unknown name or bad value: see above'
mkdir folder
mkfifo fifo
for file in a.txt folder fifo /dev/zero; do
    expect 1 timeout 60 "$dmm" --tuning $file sort a.txt
    complains "dmm: sort: $file: is not a tuning file: its first line must be 'dmm tuning 1'"
done
expect 1 "$dmm" --tuning no-such-file sort a.txt
complains 'dmm: sort: no-such-file: cannot read this tuning file: No such file'
rm -r folder fifo
expect 2 "$dmm" --device no-such-device sort a.txt
complains 'dmm: sort: --device: no OpenCL device fits the request'
expect 2 env DMM_DEVICE=no-such-device "$dmm" sort a.txt
complains 'dmm: sort: DMM_DEVICE: no OpenCL device fits the request'
expect 0 "$dmm" --device 0 --verbose sort a.txt
prints '1\n2\n'
complains 'dmm: device: '
expect 0 "$dmm" sort --device 0 a.txt
prints '1\n2\n'
is_silent

# A failed write to standard output is an error in every command.
if [ -w /dev/full ]; then
    for call in '--help' '--version' 'sort --help' 'devices' 'sort a.txt'; do
        # shellcheck disable=SC2086 # words
        "$dmm" $call >/dev/full 2>../err
        [ $? = 1 ] || fail "dmm $call to a full disk does not exit with 1"
        complains 'standard output: cannot write: No space left on device'
    done
fi
