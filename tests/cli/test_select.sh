#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm select compared with awk, positions, values, formats, and its errors.
. "$(dirname "$0")/expect.sh"

awk 'BEGIN { srand(5); for (i = 0; i < 40000; i++) print int(rand() * 60000) }' >i.txt
awk '$1 % 3 == 1 && NR % 2 == 1' i.txt >wanted.txt
expect 0 "$dmm" select -t u16 --where 'x % 3 == 1 && i % 2 == 0' i.txt
cmp -s ../out wanted.txt || fail 'differs from awk'
is_silent
awk '$1 > 59000 { print NR - 1 }' i.txt >wanted.txt
expect 0 "$dmm" select -t f32 --where 'x > 59000.0f' --index - <i.txt
cmp -s ../out wanted.txt || fail 'positions differ from those of awk'

expect 0 "$dmm" sort -t i32 i.txt -o i.npy
expect 0 "$dmm" select --where 'x < 0' i.npy -o none.npy
expect 0 "$dmm" sort none.npy -o none.txt
[ ! -s none.txt ] || fail 'makes items of none'
expect 0 "$dmm" select --where 'i < 2' i.npy -o i.npy
expect 0 "$dmm" sort i.npy -o o.txt
sort -n i.txt | head -n 2 | cmp -s - o.txt || fail 'the selection in place differs'
printf '5\n9\n7\n' >k.txt
printf 'aAbBcC' >v.bin
expect 0 "$dmm" select --where 'x != 9' k.txt --values v.bin --value-bytes 2 --values-out w.npy
prints '5\n7\n'
[ "$(tail -c 4 w.npy)" = aAcC ] || fail 'values differ'

expect 0 "$dmm" select --check -t u16 --where 'x % 3 == 1' i.txt -o some.txt --rest others.txt
awk '$1 % 3 == 1' i.txt | cmp -s - some.txt || fail 'differs from awk'
awk '$1 % 3 != 1' i.txt | cmp -s - others.txt || fail 'the rest differs from that of awk'
refuses 'dmm: select: --rest: is not offered with --values, --index and --key' select --where x --index --rest o.txt k.txt
refuses "dmm: select: --where: give a condition, such as 'x > 9'" select k.txt
refuses 'select.where:1:5' select --where 'x > limit' k.txt
complains 'dmm: select: --where: is not OpenCL C over x and i: see above'
expect 0 "$dmm" select --where x i.npy
refuses 'dmm: select: --values: and --values-out need each other' select --where x k.txt --values v.bin

# Halves: the text gets their bits.
printf '1.5\n-2\n0.25\n' >k.txt
expect 0 "$dmm" sort -t f16 --less 0 k.txt -o h.npy
refuses '--where: x is a half' select --where 'x > 0.5f' h.npy
expect 0 "$dmm" select --where 'dmm_from_half(x) > 0.5f || i == 1' h.npy
prints '1.5\n-2\n'
refuses 'standard output: each output needs a file of its own' select --where 1 k.txt --rest -
