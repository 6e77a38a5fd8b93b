#!/bin/sh
# SPDX-License-Identifier: MIT
# ctest: optimised
# dmm demo, the first command of a new user, and dmm worst, the worst inputs of a merge sort.
. "$(dirname "$0")/expect.sh"

expect 0 "$dmm" demo -n 100000
grep -q '^device      ' ../out || fail 'prints no device'
grep -q '^keys        100000 random ' ../out || fail 'prints no keys'
grep -qE '^warm call +[0-9.]+ ms  [0-9.]+ million keys a second' ../out || fail 'prints no rate'
grep -q '^checked     every key is there, and in order$' ../out || fail 'does not check the order'
grep -q "^checked     every edge has all points on one side\$" ../out || fail "does not check the hull"
is_silent

expect 0 "$dmm" worst --elements 1000 -E 5 -u 16 -w 8 -o -
sort -n ../out >worst.txt
awk '$1 != NR - 1 { exit 1 }' worst.txt || fail 'is no permutation of 0 to 999'
is_silent
for type in u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64; do
    expect 0 "$dmm" worst -n 200 -E 5 -u 16 -w 8 -t $type -o w.txt
    is_silent
    [ "$(sort -u w.txt | wc -l)" = 200 ] || fail "$type keys are not distinct"
done
# Draws of a seed are the same each time, others than the input without one, and permutations as well.
for options in '--seed 1' '--seed 2' '--share 30' '--seed 1 --share 0'; do
    expect 0 "$dmm" worst -n 1000 -E 5 -u 16 -w 8 $options -o -
    cp ../out drawn.txt
    expect 0 "$dmm" worst -n 1000 -E 5 -u 16 -w 8 $options -o -
    cmp -s ../out drawn.txt || fail "worst $options differs from run to run"
    sort -n drawn.txt | cmp -s - worst.txt || fail "worst $options is no permutation"
    rm drawn.txt
done
expect 1 "$dmm" worst -n 1000 --share 101 -o -
complains 'dmm: worst: --share: is a percentage, 0 to 100'
expect 0 "$dmm" worst -n 1000 -E 5 -u 16 -w 8 -o w.npy
expect 0 "$dmm" sort --check w.npy -o w.npy
expect 0 "$dmm" worst -n 500 -E 5 -u 16 -w 8 -t u8 -o w.npy
complains 'some keys are equal'
refuses 'dmm: worst: --elements: give how many keys' worst -o w.npy
expect 0 "$dmm" worst -n 5
for shape in '-E 33' '-E 1' '-u 100' '-u 16' '-w 3' '-w 512' '-E 99999999999' '-u 131072'; do
    # shellcheck disable=SC2086 # words
    refuses 'dmm: worst: E is 2 to w, u and w are powers of two' worst -n 100 $shape -o w.npy
done
leaves w.npy w.txt worst.txt
