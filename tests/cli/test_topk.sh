#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm topk compared with sort(1) and head(1), and its errors.
. "$(dirname "$0")/expect.sh"
LC_ALL=C
export LC_ALL

awk 'BEGIN { srand(5); for (i = 0; i < 20000; i++) print int(rand() * 3000) - 1000 }' >i.txt
sort -n i.txt >sorted.txt
sort -rn i.txt >reversed.txt
for k in 0 1 100 20000 20001; do
    head -n $k sorted.txt >first.txt
    expect 0 "$dmm" topk -k $k i.txt
    cmp -s ../out first.txt || fail "-k $k differs from sort -n"
    is_silent
done
head -n 777 reversed.txt >first.txt
expect 0 "$dmm" --set form=gpu topk -k 777 --largest - <i.txt
cmp -s ../out first.txt || fail '--largest differs from sort -rn'

# Indices: of equal keys the first ones, in input order.
awk '{ print $1 "\t" NR - 1 }' i.txt | sort -k1,1n -k2,2n | head -n 100 >both.txt
cut -f2 both.txt >where.txt
expect 0 "$dmm" topk -k 100 --index i.txt
cmp -s ../out where.txt || fail 'indices differ'
sort -n where.txt >rising.txt
expect 0 "$dmm" topk -k 100 --index --unsorted i.txt
cmp -s ../out rising.txt || fail 'indices in input order differ'
cut -f1 both.txt >keys.txt
expect 0 "$dmm" topk -k 100 --index -t i16 i.txt -o k.csv --values-out w.csv
{ cmp -s k.csv keys.txt && cmp -s w.csv where.txt; } || fail 'keys and indices differ'

# Values, formats, a custom order, in place.
printf '3\n1\n2\n1\n' >k.txt
printf 'aaabbbcccddd' >v.bin
expect 0 "$dmm" topk -k 3 k.txt -o k.npy --values v.bin --value-bytes 3 --values-out w.bin
[ "$(cat w.bin)" = bbbdddccc ] || fail "values are $(cat w.bin)"
expect 0 "$dmm" topk -k 2 --less 'a % 3 < b % 3' k.txt
prints '3\n1\n'
expect 0 "$dmm" topk -k 2 k.txt -o k.txt
[ "$(cat k.txt)" = '1
1' ] || fail 'the result in place differs'
printf 'nan\n1\n-inf\n0\n' >f.txt
expect 0 "$dmm" topk -k 3 -r -t f32 f.txt
prints '1\n0\n-inf\n'

# Rows: the first of each, with their columns.
if python3 -c 'import numpy' 2>/dev/null; then
    python3 -c 'import numpy as np; np.save("m.npy", np.array([[3, 9, 1, 9], [4, 4, 8, 0], [7, 5, 6, 5]], "f4"))'
    expect 0 "$dmm" topk -k 2 -r --rows m.npy -o best.npy --index --values-out columns.npy
    python3 -c '
import numpy as np
assert (np.load("best.npy") == [[9, 9], [8, 4], [7, 6]]).all()
assert (np.load("columns.npy") == [[1, 3], [2, 0], [0, 2]]).all()' || fail 'the first of the rows differ'
    expect 0 "$dmm" topk -k 4 --rows --index m.npy
    prints '2,0,1,3\n3,0,1,2\n1,3,2,0\n'
    refuses 'dmm: topk: -k: is 5, and rows of m.npy have 4 numbers' topk -k 5 --rows m.npy
    refuses 'dmm: topk: -k: is 0, and rows' topk -k 0 --rows m.npy
fi
refuses 'dmm: topk: --rows: does not go with --unsorted' topk -k 1 --rows --unsorted k.txt

refuses 'dmm: topk: -k: is missing: give how many keys, as in -k 10' topk k.txt
expect 1 "$dmm" topk -k -1 k.txt
expect 0 "$dmm" topk -k 1 k.npy
refuses '--index writes indices as values: give one of the two' topk -k 1 --index --values v.bin k.txt
refuses 'does not go with --less' topk -k 1 --unsorted --less 'a < b' k.txt
refuses 'is not OpenCL C over a and b' topk -k 1 --less 'a <' k.txt
printf '1.5\n-2\n' >h.txt
refuses '--less: a is a half' topk -k 1 -t f16 --less 'a < b' h.txt
expect 0 "$dmm" topk -k 1 -t f16 --less 'dmm_from_half(a) < dmm_from_half(b)' h.txt
