#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm shuffle and dmm sample: each number occurs once; seeds, formats, and their errors.
. "$(dirname "$0")/expect.sh"
LC_ALL=C
export LC_ALL

seq 1 5000 >i.txt
expect 0 "$dmm" shuffle --check --seed 7 i.txt
is_silent
cp ../out a.txt
sort -n a.txt | cmp -s - i.txt || fail 'not every number occurs once'
cmp -s a.txt i.txt && fail 'nothing was shuffled'
expect 0 "$dmm" shuffle --seed 7 - <i.txt
cmp -s ../out a.txt || fail 'the same seed gives another order'
expect 0 "$dmm" --set form=gpu shuffle --check --seed 7 i.txt
cmp -s ../out a.txt || fail 'the GPU form gives another order'
expect 0 "$dmm" shuffle --seed 8 i.txt
cmp -s ../out a.txt && fail 'another seed gives the same order'
expect 0 "$dmm" shuffle --check -s 7 -t f32 i.txt -o o.npy
expect 0 "$dmm" shuffle --check -s 3 o.npy -o o.npy
expect 0 "$dmm" sort o.npy -o o.txt
cmp -s o.txt i.txt || fail 'numbers are lost through .npy'

printf 'aaabbbcccddd' >v.bin
printf '1\n2\n3\n4\n' >k.txt
expect 0 "$dmm" shuffle --check -s 2 k.txt -o k.out.txt --values v.bin --value-bytes 3 --values-out w.bin
[ "$(tr 1234 abcd <k.out.txt | sed 's/./&&&/' | tr -d '\n')" = "$(cat w.bin)" ] || fail 'values and keys differ'

# A sample is the start of the shuffled order.
expect 0 "$dmm" sample -k 100 --seed 7 i.txt
head -n 100 a.txt | cmp -s - ../out || fail 'the sample is not the start of the shuffled order'
expect 0 "$dmm" sample -k 0 i.txt
prints ''
expect 0 "$dmm" sample -k 5000 -s 7 i.txt -o all.txt
cmp -s all.txt a.txt || fail 'a sample of all is not the shuffled order'

refuses 'dmm: sample: -k: there are 5000 items only' sample -k 5001 i.txt
expect 0 "$dmm" shuffle o.npy
refuses 'dmm: shuffle: --values: and --values-out need each other' shuffle k.txt --values v.bin
refuses 'dmm: shuffle: none.txt: cannot open' shuffle none.txt
leaves a.txt all.txt i.txt k.out.txt k.txt o.npy o.txt v.bin w.bin
