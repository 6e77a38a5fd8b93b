#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm sort --devices: the same files as on one device; errors.
. "$(dirname "$0")/expect.sh"
LC_ALL=C
export LC_ALL

# The same device several times: parts of 65536 keys.
awk 'BEGIN { srand(1); for (i = 0; i < 300000; i++) print int(rand() * 20000) - 10000 }' >i.txt
sort -n i.txt >sorted.txt
expect 0 "$dmm" sort --devices 0,0 --check -t i32 i.txt
cmp -s ../out sorted.txt || fail 'differs from sort -n'
is_silent
expect 0 "$dmm" sort --devices all --verbose -t i32 i.txt -o all.npy
grep -q 'sorted [1-9][0-9]* and merged [1-9][0-9]* of 300000 keys' ../err || fail 'tells no shares'
expect 0 "$dmm" sort -t i32 i.txt -o one.npy --argsort --values-out one_index.npy
cmp -s all.npy one.npy || fail '--devices all differs'
expect 0 "$dmm" sort -t i32 --devices 0,0,0 --check i.txt -o keys.npy --argsort --values-out index.npy
cmp -s keys.npy one.npy || fail '--argsort: keys differ'
cmp -s index.npy one_index.npy || fail '--argsort: indices differ'
expect 0 "$dmm" sort -r --less 'a % 7 < b % 7' -t i32 i.txt -o one.npy
expect 0 "$dmm" sort -r --less 'a % 7 < b % 7' --check -t i32 --devices 0,0 i.txt -o keys.npy
cmp -s keys.npy one.npy || fail '--less differs'
printf '2\n1\n' | expect 0 "$dmm" sort --devices 0,0 -t u8 -
prints '1\n2\n'

refuses "dmm: sort: --devices: '0,,0' is neither all nor a list of devices" sort --devices 0,,0 i.txt
expect 2 "$dmm" sort --devices 0,no_such_device i.txt
complains 'dmm: sort: --devices: '
expect 1 "$dmm" sort --devices all --memory 1M -t i32 i.txt
complains 'dmm: sort: --devices: is not offered with --memory, where the disk sets the rate: give --device'
refuses 'dmm: sort: --devices: is not offered with --method' sort --devices all --method radix i.txt
refuses 'dmm: sort: --devices: is not offered with --device' --device 0 sort --devices all i.txt
