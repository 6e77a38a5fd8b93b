#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm-lab network: counts, proofs, pictures and files of networks, and refusals.
. "$(dirname "$0")/../cli/expect.sh"

expect 0 "$dmm" network best -n 16 --info --prove --save best.txt --svg best.svg --heat heat.svg
is_silent
prints 'wires        16\nsteps        10   2.5 log2 n\ncomparators  60   0.94 n log2 n\nsorts every input\n'
[ "$(head -n 1 best.txt)" = 'wires 16' ] || fail 'no first line'
[ "$(wc -l <best.txt)" = 11 ] || fail 'not a line a step'
[ "$(grep -o ':' best.txt | wc -l)" = 60 ] || fail 'not 60 comparators'
[ "$(grep -c '^<path d="M[0-9]* [0-9]*V' best.svg)" = 60 ] || fail 'not a line a comparator'
grep -q '60 comparators, 10 steps' heat.svg || fail 'the heat map has no title'
expect 0 "$dmm" network best.txt --prove --save again.txt
prints 'sorts every input\n'
cmp -s best.txt again.txt || fail 'a file does not survive reading'

grep -v '^1:3 2:4' best.txt | sed '$d' >less.txt
expect 3 "$dmm" network less.txt --prove
complains 'does not sort'

expect 0 "$dmm" network aks -n 300 --perfect --seed 5 --heat aks.svg --info
grep -q '^wires        4096$' ../out || fail 'aks does not round up'
grep -q '^comparators  6274742 ' ../out || fail 'aks of 4096 wires has another size'
! grep -Ew 'nan|inf' aks.svg heat.svg || fail 'a picture contains nan or inf'
expect 0 "$dmm" network aks -n 256 --perfect --tries 20
grep -q '^sorted       20 of 20 random inputs' ../out || fail 'aks of 256 wires does not sort'
expect 3 "$dmm" network halver -n 64 --matchings 3 --tries 2
complains 'leaves inputs unsorted'
expect 0 "$dmm" network aks --exponent 800 --perfect
prints 'wires        2^800\nsteps        1699438   2124.3 log2 n\ncomparators  2^816.376   106.31 n log2 n\n'
expect 0 "$dmm" network aks --exponent 12 --perfect
grep -q '^comparators  6274742 ' ../out || fail 'a count without making differs from one by making'
expect 0 "$dmm" network separator -n 126 --fringe 6 --matchings 3 --svg separator.svg
expect 0 "$dmm" network bitonic -n 1 --info --svg one.svg --heat one-heat.svg

printf 'wires 3\n0:1\n1:1\n' >twice.txt
printf 'wires 3\n0:1 x\n' >letter.txt
printf 'wires 3\n0:3\n' >beyond.txt
printf '0:1\n' >headless.txt
refuses 'a wire twice' network twice.txt
refuses 'letter.txt: line 2: expected comparators' network letter.txt
refuses 'beyond wire 2' network beyond.txt
refuses "expected 'wires N'" network headless.txt
printf 'wires 4\n0:1\0 2:3\n' >nul.txt
refuses 'dmm-lab: network: nul.txt: line 2 holds a NUL byte: it is no text' network nul.txt --info
printf 'wires 4\r\n0:1 2:3\r\n\r\n1:2' >dos.txt
expect 0 "$dmm" network dos.txt --info
prints 'wires        4\nsteps        2   1.0 log2 n\ncomparators  3   0.38 n log2 n\n'
refuses 'nowhere.txt' network nowhere.txt
refuses 'give the number of wires' network bitonic
refuses 'best goes to 32' network best -n 33
refuses '--perfect for separators and aks' network bitonic -n 8 --perfect
refuses '--heat draws any network' network bitonic -n 4096 --svg large.svg
refuses 'dmm-lab: network: --save: is the file of --svg' network best -n 4 --save two.svg --svg ./two.svg
[ ! -e two.svg ] || fail 'writes a refused file'
refuses 'more than 32 wires' network bitonic -n 64 --prove
refuses 'multiples of 4' network aks --exponent 10

# On the device: rows, padding, orders, and what does not sort.
seq 1000 | awk '{ print $1 * 7919 % 1009 }' >keys.txt
sort -n keys.txt >sorted.txt
expect 0 "$dmm" network odd-even --run keys.txt -t u16 --check
cmp -s ../out sorted.txt || fail 'odd-even does not sort'
expect 0 "$dmm" network aks --perfect --run keys.txt -t f32 -r --check -o down.txt --info
grep -q '^wires        4096$' ../out || fail 'aks does not round up'
grep -q '^launches     [1-9]' ../out || fail 'no launches'
sort -rn keys.txt | cmp -s - down.txt || fail 'aks does not sort downwards'
expect 0 "$dmm" network best.txt --run keys.txt -t i32 --check -o rows.txt
[ "$(head -n 16 rows.txt)" = "$(head -n 16 keys.txt | sort -n)" ] || fail 'rows of 16 are not sorted'
[ "$(tail -n 8 rows.txt)" = "$(tail -n 8 keys.txt | sort -n)" ] || fail 'the last row is not sorted'
expect 3 "$dmm" network halver --matchings 2 --run keys.txt -t u16 --check -o none.txt
[ ! -e none.txt ] || fail 'writes what is not sorted'
expect 0 "$dmm" network halver --matchings 2 --run keys.txt -t u16 -o halved.txt
sort -n halved.txt | cmp -s - sorted.txt || fail 'a halver loses keys'
printf '3\n2\n' >two.txt
printf 'wires 3\n2:0\n' >turned.txt
expect 3 "$dmm" network turned.txt --run two.txt -t i8
complains 'greatest keys'
: >empty.txt
expect 0 "$dmm" network bitonic --run empty.txt -t u32
is_silent
refuses '--check: is for --run' network bitonic -n 8 --check
refuses 'give -o OUTPUT' network bitonic --run keys.txt -t u32 --info
