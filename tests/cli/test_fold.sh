#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm scan, reduce, nth, median and histogram compared with awk, sort and numpy, and their errors.
. "$(dirname "$0")/expect.sh"

awk 'BEGIN { srand(7); for (i = 0; i < 30000; i++) print int(rand() * 2000) - 500 }' >i.txt
awk 'BEGIN { srand(8); for (i = 0; i < 30000; i++) { if (rand() < .01) k++; print k + 0 } }' >k.txt

# scan and reduce
awk '{ s += $1; print s }' i.txt >wanted.txt
expect 0 "$dmm" scan i.txt
cmp -s ../out wanted.txt || fail 'sums differ from those of awk'
is_silent
awk '{ print s + 0; s += $1 }' i.txt >wanted.txt
expect 0 "$dmm" scan --exclusive - <i.txt
cmp -s ../out wanted.txt || fail 'exclusive sums differ'
awk 'NR == 1 || $1 > m { m = $1 } { print m }' i.txt >wanted.txt
expect 0 "$dmm" scan --op max i.txt
cmp -s ../out wanted.txt || fail 'maxima differ'
paste k.txt i.txt | awk '$1 != k { s = 0; k = $1 } { s += $2; print s }' >wanted.txt
expect 0 "$dmm" scan --by k.txt i.txt
cmp -s ../out wanted.txt || fail 'sums of runs differ'
expect 0 "$dmm" reduce i.txt
prints "$(awk '{ s += $1 } END { print s }' i.txt)\n"
expect 0 "$dmm" reduce --op min i.txt
prints "$(sort -n i.txt | head -n 1)\n"
paste k.txt i.txt | awk '$1 != k { print k + 0, s; s = 0; k = $1 } { s += $2 } END { print k, s }' >wanted.txt
expect 0 "$dmm" reduce --by k.txt i.txt
cmp -s ../out wanted.txt || fail 'a sum a key differs'
expect 0 "$dmm" reduce --by k.txt i.txt -o s.txt --keys-out d.txt
paste -d ' ' d.txt s.txt | cmp -s - wanted.txt || fail 'files of keys and sums differ'
seq 20 >few.txt
expect 0 "$dmm" reduce --op 'a * b' --identity 1 few.txt
prints '2432902008176640000\n'
expect 0 "$dmm" scan --op 'a > b ? a : b' --identity -1000 i.txt
expect 0 "$dmm" scan --op max i.txt -o max.txt
"$dmm" scan --op 'a > b ? a : b' --identity -1000 i.txt | cmp -s - max.txt || fail 'an own maximum differs'
# matrices
expect 0 "$dmm" reduce --shape 4,5 few.txt
prints '34\n38\n42\n46\n50\n'
expect 0 "$dmm" reduce --shape 4,5 --axis rows --op max few.txt
prints '5\n10\n15\n20\n'
expect 0 "$dmm" scan --shape 10,2 --op 'a * b' --identity 1 few.txt -o columns.txt
[ "$(sed -n '5p;6p' columns.txt | tr '\n' ' ')" = '15 48 ' ] || fail 'products of columns differ'
expect 0 "$dmm" scan --shape 10,2 --axis rows --exclusive few.txt -o rows.txt
[ "$(sed -n '5p;6p' rows.txt | tr '\n' ' ')" = '0 5 ' ] || fail 'sums of rows differ'
expect 1 "$dmm" reduce --shape 3,5 few.txt
complains 'it holds 20 items, not 3 x 5'
expect 1 "$dmm" reduce --shape 20 few.txt
complains "'20' is not ROWS,COLUMNS"
expect 1 "$dmm" reduce --axis rows few.txt
complains 'needs --shape'
: >none.txt
expect 0 "$dmm" reduce none.txt
prints '0\n'
expect 0 "$dmm" scan none.txt
prints ''
seq 200 255 >u.txt
expect 0 "$dmm" sort -t u8 u.txt -o u.npy
expect 0 "$dmm" reduce u.npy # a sum of bytes has 64 bits
prints "$(awk '{ s += $1 } END { print s }' u.txt)\n"

# ranks
expect 0 "$dmm" nth -k 100 i.txt
prints "$(sort -n i.txt | sed -n 100p)\n"
expect 0 "$dmm" nth -r -k 1 i.txt
prints "$(sort -n i.txt | tail -n 1)\n"
expect 0 "$dmm" nth -q 0,.25,1 i.txt
prints "$(sort -n i.txt | sed -n '1p;7500p;30000p' | sed 's/$/\\n/' | tr -d '\n')"
expect 0 "$dmm" nth -k 5 --index few.txt
prints '4\n'
expect 0 "$dmm" median few.txt
prints '10.5\n'
printf '3\n1\n2\n' >few.txt
expect 0 "$dmm" median few.txt
prints '2\n'
printf '5\n1\n5\n5\n' >few.txt
expect 0 "$dmm" median few.txt
prints '5\n'

# bins
awk '{ print $1 + 500 }' i.txt >h.txt
awk '{ n[$1]++; m = $1 > m ? $1 : m } END { for (i = 0; i <= m; i++) print i, n[i] + 0 }' h.txt >wanted.txt
expect 0 "$dmm" histogram h.txt
cmp -s ../out wanted.txt || fail 'counts differ from those of awk'
expect 0 "$dmm" histogram --bins 2 --range 0,2000 h.txt
prints "0 $(awk '$1 < 1000' h.txt | wc -l)\n1000 $(awk '$1 >= 1000' h.txt | wc -l)\n"
python=$(numpy)
if [ -n "$python" ]; then
    expect 0 "$dmm" histogram --bins 37 i.txt -o c.npy
    expect 0 "$dmm" histogram --bins 10 i.txt
    "$python" - <<'END' || fail 'differs from numpy'
import numpy as np
x = np.loadtxt('i.txt')
counts, edges = np.histogram(x, 37)
assert np.array_equal(np.load('c.npy'), counts)
lines = [line.split() for line in open('../out')]
counts, edges = np.histogram(x, 10)
assert [int(c) for _, c in lines] == list(counts)
assert np.allclose([float(e) for e, _ in lines], edges[:-1])
np.save('f.npy', np.array([1, 2.5, -3], np.float16))
np.save('b.npy', np.arange(256, dtype=np.uint8))
END
    expect 0 "$dmm" reduce f.npy
    prints '0.5\n'
    expect 0 "$dmm" histogram --bins 2 f.npy
    prints '-3 1\n-0.25 2\n'
    # ranges within the type, to its end, and beyond it
    expect 0 "$dmm" histogram --bins 2 b.npy
    prints '0 128\n127.5 128\n'
    expect 0 "$dmm" histogram --bins 4 --range -100,300 b.npy
    prints '-100 0\n0 100\n100 100\n200 56\n'
    expect 0 "$dmm" histogram --bins 2 --range 254.5,300 b.npy
    prints '254.5 1\n277.25 0\n'
fi

# Given edges: the last one counts; whole numbers between edges that are not whole.
printf '5\n-1\n0\n1\n2\n3\n3\n7\n' >e.txt
expect 0 "$dmm" histogram --edges 0,2,3,7 e.txt
prints '0 2\n2 1\n3 4\n'
expect 0 "$dmm" histogram --edges -0.5,0.25,0.5,2.5 e.txt
prints '-0.5 1\n0.25 0\n0.5 2\n'
printf '0\n1\n255\n' >h8.txt
expect 0 "$dmm" histogram -t u8 --edges -3,1,300,1000 h8.txt
prints '-3 1\n1 2\n300 0\n'
for bad in 1 1, ,1 2,1 1,1 0,nan -inf,0 0,inf 0,1,x; do
    refuses 'dmm: histogram: --edges: expected E0,E1,...' histogram --edges "$bad" e.txt
done
refuses 'dmm: histogram: --edges: does not go with --bins' histogram --edges 0,1 --bins 2 e.txt

# Operators that are given: positions, both ends, and differences.
printf '3\n-5\n8\n-5\n8\n' >ends.txt
for case in 'argmin 1' 'argmax 2' 'minmax -5\n8'; do
    expect 0 "$dmm" reduce --op "${case%% *}" ends.txt
    prints "${case#* }\n"
done
expect 0 "$dmm" scan --op difference ends.txt
prints '3\n-8\n13\n-13\n13\n'
printf 'nan\n0.5\n-0\nnan\n' >nans.txt
for type in f16 f32 f64; do
    expect 0 "$dmm" reduce -t $type --op argmin nans.txt
    prints '2\n'
    expect 0 "$dmm" reduce -t $type --op minmax nans.txt
    prints '-0\n0.5\n'
done
expect 0 "$dmm" scan -t f16 --op difference nans.txt
prints 'nan\nnan\n-0.5\nnan\n'
echo nan >nan.txt
refuses 'dmm: reduce: nan.txt: it holds no number but nan' reduce --op argmax -t f32 nan.txt
refuses 'dmm: reduce: none.txt: it holds no number' reduce --op argmax none.txt
refuses 'dmm: reduce: --by: is not offered with --op argmin' reduce --op argmin --by k.txt i.txt
refuses 'dmm: scan: --shape: is not offered with --op difference' scan --op difference --shape 2,2 few.txt
refuses 'dmm: scan: --exclusive: is not offered with --op difference' scan --exclusive --op difference i.txt
refuses "dmm: scan: --op: 'minmax' is none of sum, max, min and difference" scan --op minmax i.txt
refuses 'dmm: reduce: --identity: belongs to an own operator' reduce --op argmin --identity 0 i.txt

expect 1 "$dmm" reduce --op 'a * b' i.txt
complains "dmm: reduce: --op: 'a * b' is none of sum, max, min, argmin, argmax and minmax; an own operator over a and b needs --identity"
refuses "dmm: reduce: --identity: belongs to an own operator" reduce --identity 1 i.txt
expect 1 "$dmm" scan --op 'a * c' --identity 1 i.txt
complains 'dmm: scan: --op: or --identity is not OpenCL C over a and b, of type i64: see above'
refuses 'dmm: scan: --by: is not offered with an own operator' scan --op 'a * b' --identity 1 --by k.txt i.txt
refuses 'dmm: scan: few.txt: it holds 4 keys for 30000 numbers' scan --by few.txt i.txt
refuses 'needs --keys-out with --by' reduce --by k.txt i.txt -o s.txt
refuses 'dmm: nth: give one of -k K (1 is the smallest) and -q Q' nth i.txt
refuses 'dmm: nth: -k: 30001 is beyond the 30000 numbers of i.txt' nth -k 30001 i.txt
for bad in 1.1 -0.5 nan x '' .5, ,; do
    expect 1 "$dmm" nth -q "$bad" i.txt
done
refuses 'dmm: median: none.txt: it holds no number' median none.txt
refuses 'is not from 0 to 65535: give --bins N' histogram i.txt
refuses 'dmm: histogram: --range: needs --bins N' histogram --range 0,1 h.txt
refuses 'dmm: histogram: --bins: from 1 to 65536' histogram --bins 0 h.txt
for bad in 1e17 '0\n1e-323'; do # numpy: too many bins for the data's range
    printf "$bad\n" >close.txt
    refuses 'dmm: histogram: --bins: f64 has no 8 different edges from' histogram --bins 8 close.txt
done
# The least of dates is a date, their sum is none.
{ printf '\223NUMPY\1\0v\0%-117s\n' "{'descr': '<M8[s]', 'fortran_order': False, 'shape': (2,), }"
    printf '\7\0\0\0\0\0\0\0\5\0\0\0\0\0\0\0'; } >dates.npy
for op in min sum; do
    expect 0 "$dmm" reduce --op $op dates.npy -o $op.npy
done
head -c 64 min.npy | grep -q "'<M8.s.'" || fail 'the least of dates is no date'
head -c 64 sum.npy | grep -q "'<i8'" || fail 'a sum of dates is a date'
for op in max min; do
    refuses 'dmm: reduce: none.txt: it holds no number' reduce --op $op none.txt
done
for bad in 1,0 1 1, ,1 nan,1 0,inf -1e308,1e308; do
    refuses 'dmm: histogram: --range: expected LOW,HIGH' histogram --bins 3 --range "$bad" h.txt
done
