#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm permute and dmm transpose compared with sort(1) and awk, and their errors.
. "$(dirname "$0")/expect.sh"
LC_ALL=C
export LC_ALL

seq 1 999 >i.txt
seq 0 998 >n.txt
expect 0 "$dmm" shuffle --seed 3 n.txt -o p.txt
expect 0 "$dmm" permute --index p.txt i.txt
is_silent
paste p.txt i.txt | sort -n | cut -f 2 | cmp -s - ../out || fail 'an item is at the wrong position'
cp ../out o.txt
expect 0 "$dmm" permute --inverse --index p.txt o.txt
cmp -s ../out i.txt || fail '--inverse does not restore the input'
expect 0 "$dmm" --set form=gpu permute --index p.txt i.txt
cmp -s ../out o.txt || fail 'the GPU form differs'
expect 0 "$dmm" sort --argsort o.txt -o index.npy
expect 0 "$dmm" permute -t f32 --inverse --index index.npy o.txt -o s.npy
expect 0 "$dmm" permute --index n.txt s.npy -o s.npy
expect 0 "$dmm" shuffle -t f32 --seed 0 s.npy -o s.npy

sed '500s/.*/7/' p.txt >twice.txt
seven=$(grep -nx 7 twice.txt | sed -n 2p | cut -d : -f 1)
expect 1 "$dmm" permute --index twice.txt i.txt
complains "dmm: permute: twice.txt: number $((seven - 1)) (from 0) is not below 999, or was there before"
prints ''
sed '500s/.*/999/' p.txt >far.txt
refuses 'number 499 (from 0) is not below 999' permute --index far.txt i.txt
head -n 9 p.txt >few.txt
refuses 'dmm: permute: few.txt: it holds 9 positions for 999 items' permute --index few.txt i.txt
refuses 'dmm: permute: --index: must be given' permute i.txt
refuses 'dmm: permute: s.npy: positions must be u32, u64, i32 or i64' permute --index s.npy i.txt

expect 0 "$dmm" transpose --shape 27,37 i.txt
awk '{ a[NR] = $1 } END { for (c = 1; c <= 37; c++) for (r = 0; r < 27; r++) print a[r * 37 + c] }' i.txt |
    cmp -s - ../out || fail 'the transpose is wrong'
cp ../out t.txt
expect 0 "$dmm" transpose --shape 37,27 t.txt -o t.txt
cmp -s t.txt i.txt || fail 'transposing twice does not restore the matrix'
refuses 'dmm: transpose: i.txt: it holds 999 items, not 10 x 10' transpose --shape 10,10 i.txt
for shape in 10 10, ,10 10,10x x,1; do
    refuses "dmm: transpose: --shape: '$shape' is not ROWS,COLUMNS" transpose --shape "$shape" i.txt
done
refuses 'dmm: transpose: --shape: must be given' transpose i.txt
leaves far.txt few.txt i.txt index.npy n.txt o.txt p.txt s.npy t.txt twice.txt
