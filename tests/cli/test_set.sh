#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm set compared with comm, and its errors. comm needs lines in the order of their bytes: numbers of five digits.
. "$(dirname "$0")/expect.sh"
LC_ALL=C
export LC_ALL

numbers() { awk -v seed="$1" 'BEGIN { srand(seed); for (i = 0; i < 9000; i++) print 10000 + int(rand() * 6000) }' | sort; }
numbers 3 >a.txt
numbers 4 >b.txt
comm -12 a.txt b.txt >intersection
comm -23 a.txt b.txt >difference
comm -3 a.txt b.txt | tr -d '\t' >symmetric
comm a.txt b.txt | tr -d '\t' >union
for operation in union intersection difference symmetric; do
    expect 0 "$dmm" set --check "$operation" a.txt b.txt
    cmp -s ../out "$operation" || fail "$operation differs from comm"
    is_silent
done
expect 0 "$dmm" set -t u16 union - b.txt <a.txt
cmp -s ../out union || fail 'differs from comm in a pipe'
expect 0 "$dmm" sort a.txt -t i32 -o a.npy
expect 0 "$dmm" sort b.txt -t i32 -o b.npy
expect 0 "$dmm" set --check difference a.npy b.npy -o c.npy
expect 0 "$dmm" sort c.npy -o c.txt
cmp -s c.txt difference || fail 'difference of .npy differs from comm'
expect 0 "$dmm" set difference a.npy b.npy -o a.npy
cmp -s a.npy c.npy || fail 'the output cannot be an input'
printf '7\n2\n2\n-3\n' >down.txt
printf '2\n' >two.txt
: >none.txt
expect 0 "$dmm" set --check -r symmetric down.txt two.txt
prints '7\n2\n-3\n'
expect 0 "$dmm" set --check -t f32 union down.txt none.txt -r
prints '7\n2\n2\n-3\n'
expect 0 "$dmm" set --check intersection none.txt none.txt
prints ''

# Within little memory: the same, piece by piece.
for operation in union intersection difference symmetric; do
    expect 0 "$dmm" set --memory 128K -t u16 "$operation" a.txt b.txt
    cmp -s ../out "$operation" || fail "$operation within 128 KiB differs from comm"
    is_silent
done
expect 0 "$dmm" sort a.txt -t i32 -o a.npy
expect 0 "$dmm" set --memory 256K difference a.npy b.npy -o a.npy
cmp -s a.npy c.npy || fail 'difference of .npy within 256 KiB differs'
expect 0 "$dmm" set --memory 128K -t i8 -r symmetric down.txt two.txt
prints '7\n2\n-3\n'
expect 0 "$dmm" set --memory 128K -t i8 intersection none.txt none.txt
prints ''
refuses 'down.txt: it is not sorted: key 1 (from 0) is out of order' set --memory 128K -t i8 union down.txt two.txt
refuses 'a.txt: give -t TYPE' set --memory 128K union a.txt b.txt
refuses '--check: is not offered with --memory' set --memory 128K --check -t u16 union a.txt b.txt
refuses '--memory: is too small for such items' set --memory 100 -t u16 union a.txt b.txt

refuses "'unite' is none of union, intersection, difference, symmetric" set unite a.txt b.txt
refuses 'operand' set union a.txt
refuses 'it is not sorted' set union down.txt two.txt
expect 0 "$dmm" set union c.npy b.npy
refuses 'missing.txt' set union missing.txt b.txt
