#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm count compared with uniq -c, and its errors.
. "$(dirname "$0")/expect.sh"
LC_ALL=C
export LC_ALL

awk 'BEGIN { srand(3); for (i = 0; i < 20000; i++) print int(rand() * rand() * 300) - 20 }' | sort -n >sorted.txt
uniq -c sorted.txt >counted.txt
expect 0 "$dmm" count --check sorted.txt
cmp -s ../out counted.txt || fail 'differs from uniq -c'
is_silent
expect 0 "$dmm" count -t i16 - <sorted.txt
cmp -s ../out counted.txt || fail 'differs from uniq -c in a pipe'
expect 0 "$dmm" sort sorted.txt -t i32 -o sorted.npy
expect 0 "$dmm" count --check sorted.npy -o keys.npy --counts-out counts.npy
expect 0 "$dmm" sort keys.npy -o keys.txt
uniq sorted.txt | cmp -s - keys.txt || fail 'keys differ from uniq'
expect 0 "$dmm" count sorted.txt -o keys.txt --counts-out counts.txt
awk '{ print $1 }' counted.txt | cmp -s - counts.txt || fail 'counts differ from uniq -c'
: >none.txt
expect 0 "$dmm" count --check none.txt
prints ''
printf '7\n7\n-3\n7\n' >few.txt
expect 0 "$dmm" count few.txt
prints '      2 7\n      1 -3\n      1 7\n'

refuses '--output and --counts-out need each other' count few.txt -o keys.txt
refuses 'each output needs a file of its own' count few.txt -o same.txt --counts-out same.txt
refuses 'missing.txt' count missing.txt

# A group has whole warps, also of 128 lanes.
seq 300 | expect 0 "$dmm" --set banks=128,form=gpu count -
awk '$1 != 1 || $2 != NR { exit 1 } END { exit NR != 300 }' ../out || fail 'counts wrongly on 128 banks'
