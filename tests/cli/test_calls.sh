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
refuses "dmm: no command 'srot': did you mean 'sort'?" srot
refuses "did you mean 'reduce'?" sum
refuses "did you mean 'histogram'?" histo
refuses 'a.parquet: .parquet files are read in Python' sort a.parquet
refuses "dmm: no command 'no-such-thing-at-all': see dmm --help" no-such-thing-at-all
refuses "did you mean 'sort'?" help srot
expect 0 "$dmm" -V
grep -q '^dmm [0-9]' ../out || fail '-V prints no version'
for call in 'help sort' 'sort -h' '-h sort' 'help' '-h' 'help -h'; do
    # shellcheck disable=SC2086 # words
    expect 0 "$dmm" $call
    grep -q '^Usage: dmm ' ../out || fail "dmm $call prints no help"
    is_silent
done
refuses 'dmm: sort: --ouput is not an option here: did you mean --output? See dmm sort --help' sort --ouput a.txt
refuses 'dmm: sort: --me is ambiguous: --method, --memory' sort --me a.txt
refuses 'dmm: --no-such-option is not an option here' --no-such-option sort
refuses 'dmm: sort: -Q is not an option here; see dmm sort --help' sort -Q a.txt
refuses 'dmm: sort: -k is not an option here: did you mean -K or --key? See dmm sort --help' sort -k 2 a.csv
refuses 'dmm: sort: -o needs an argument: see dmm sort --help' sort a.txt -o
refuses 'dmm: sort: too few operands: usage: dmm sort ' sort
refuses 'dmm: sort: too many operands: usage: dmm sort ' sort a.txt b.txt
refuses "dmm: sort: --type: 'u33' is not a type: u8 i8 " sort -t u33 a.txt
refuses "dmm: demo: --keys: '-5' is not a count" demo -n -5
refuses 'is not a count' demo -n 99999999999999999999
refuses 'at least one key' demo -n 0
refuses "dmm: demo: --keys: '0x10' is not a count: counts are decimal" demo -n 0x10
printf '1\n' >one.txt
for type in uint8 int16 float32 float64; do
    expect 0 "$dmm" sort -t $type one.txt
    prints '1\n'
done
for type in float int u int3 uint floats float99 i; do
    refuses "'$type' is not a type: u8 i8 u16" sort -t $type one.txt
done
printf '7\n0x10\n' >one.txt
refuses "dmm: sort: standard input: line 2: '0x10' is hexadecimal: numbers are decimal" sort - <one.txt
printf '3\n1,2\n' >one.txt
refuses "line 2: '1,2' is more than one number (one a line; dmm sort --key has columns)" sort - <one.txt
refuses "dmm: hull: --svg: 'h.png' must end in .svg" hull --svg h.png one.txt
rm one.txt

printf '2\n1\n' >a.txt
refuses "dmm: sort: --method: 'slow' is none of auto|merge|radix|network" sort --method slow a.txt
expect 1 "$dmm" sort --argsort --values v.bin a.txt
complains 'dmm: sort: --values: --argsort writes indices as values: give one of the two'
refuses 'dmm: sort: --values: needs --values-out FILE' sort --values v.bin a.txt
refuses 'dmm: sort: --values-out: needs --values FILE or --argsort' sort --values-out v.bin a.txt
refuses 'dmm: sort: a.dat: its name must end in .npy' sort -o a.dat a.txt
refuses 'dmm: sort: no.txt: cannot open: No such file or directory' sort no.txt
expect 0 "$dmm" sort a.txt -o /dev/stdout
prints '1\n2\n'
"$dmm" sort a.txt -o /dev/stdout >>../out || fail 'cannot append to a file'
prints '1\n2\n1\n2\n'
refuses 'dmm: sort: /dev/full: cannot write: No space left on device' sort a.txt -o /dev/full

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
refuses 'dmm: merge: too few operands' merge
refuses 'dmm: merge: --a-values, --b-values and --values-out come together' merge --a-values v.bin a.txt a.txt
leaves a.txt

# Global options can come before or after the command. A wrong setting is the user's error (exit code 1), a
# missing device is not (2).
refuses 'dmm: sort: --set: unknown name or bad value: see above' --set banks=7 sort a.txt
complains 'banks=7'
refuses 'no_such_fact' sort --set no_such_fact=7 a.txt
expect 1 env DMM_SET=banks=7 "$dmm" sort a.txt
complains 'dmm: sort: DMM_SET: unknown name or bad value: see above'
mkdir folder
mkfifo fifo
for file in a.txt folder fifo /dev/zero; do
    expect 1 timeout 60 "$dmm" --tuning $file sort a.txt
    complains "dmm: sort: $file: is not a tuning file: its first line must be 'dmm tuning 1'"
done
refuses 'dmm: sort: no-such-file: cannot read this tuning file: No such file' --tuning no-such-file sort a.txt
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
