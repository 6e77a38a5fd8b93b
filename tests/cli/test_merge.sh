#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm merge compared with sort -m, with values, and its errors.
. "$(dirname "$0")/expect.sh"
LC_ALL=C
export LC_ALL

awk 'BEGIN { srand(2); for (i = 0; i < 20000; i++) print int(rand() * 30000) - 15000 }' >i.txt
head -n 12345 i.txt | sort -n >a.txt
tail -n +12346 i.txt | sort -n >b.txt
sort -n -m a.txt b.txt >sorted.txt
expect 0 "$dmm" merge --check a.txt b.txt
cmp -s ../out sorted.txt || fail 'differs from sort -m'
is_silent
expect 0 "$dmm" merge --check - b.txt -t i16 -o o.npy <a.txt
expect 0 "$dmm" sort o.npy -o o.txt
cmp -s o.txt sorted.txt || fail '.npy differs'

# Many files, one of them empty and one from a pipe.
: >empty.txt
head -n 7 i.txt | sort -n >c.txt
sort -n -m a.txt b.txt c.txt b.txt >many.txt
expect 0 "$dmm" merge --check a.txt empty.txt b.txt - b.txt <c.txt
cmp -s ../out many.txt || fail 'of many differs from sort -m'
is_silent
expect 1 "$dmm" merge a.txt b.txt i.txt
complains 'dmm: merge: i.txt: it is not sorted'
printf '1.5\n' >f.txt
expect 1 "$dmm" merge a.txt b.txt f.txt
complains 'dmm: merge: f.txt: it holds f64, the first file i64'
expect 1 "$dmm" merge a.txt b.txt c.txt --a-values a.txt --b-values b.txt --values-out v.txt
complains 'dmm: merge: values are merged from two files only'

# Largest first, with an input as output.
sort -rn a.txt >ra.txt
sort -rn b.txt >rb.txt
expect 0 "$dmm" merge --check -r ra.txt rb.txt -o ra.txt
sort -rn i.txt | cmp -s - ra.txt || fail 'largest first differs'

# One input is empty.
: >none.txt
expect 0 "$dmm" merge --check none.txt none.txt
prints ''
expect 0 "$dmm" merge --check a.txt none.txt
cmp -s ../out a.txt || fail 'differs with an empty B'
expect 0 "$dmm" merge --check none.txt b.txt
cmp -s ../out b.txt || fail 'differs with an empty A'

# Values: equal keys of A come first.
printf '1\n2\n2\n5\n' >a.txt
printf '0\n2\n5\n' >b.txt
printf 'aAbBcCdD' >a.bin
printf 'xXyYzZ' >b.bin
expect 0 "$dmm" merge --check a.txt b.txt --a-values a.bin --b-values b.bin --value-bytes 2 \
    --values-out o.bin
prints '0\n1\n2\n2\n2\n5\n5\n'
[ "$(cat o.bin)" = xXaAbBcCyYdDzZ ] || fail "values are $(cat o.bin)"

expect 1 "$dmm" merge b.txt i.txt
complains 'dmm: merge: i.txt: it is not sorted'
expect 1 "$dmm" merge -r a.txt b.txt
complains 'dmm: merge: a.txt: it is not sorted'
printf '1.5\n' >f.txt
expect 1 "$dmm" merge a.txt f.txt
complains 'dmm: merge: f.txt: it holds f64, the other file i64'
expect 0 "$dmm" merge -t f64 a.txt f.txt
prints '1\n1.5\n2\n2\n5\n'
expect 1 "$dmm" merge a.txt o.npy
complains 'dmm: merge: give -o OUTPUT'
