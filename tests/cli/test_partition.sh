#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm partition compared with awk, by every option that chooses buckets, and its errors.
. "$(dirname "$0")/expect.sh"
LC_ALL=C
export LC_ALL

# plain K COMMAND: partitions i.txt with awk by the bucket that COMMAND computes from $1, into by_awk and at_awk.
plain() {
    awk -v K="$1" "{ b = $2; line[b] = line[b] \$1 \"\\n\"; count[b]++ }
        END { at = 0; print at >\"at_awk\"
              for (b = 0; b < K; b++) { printf \"%s\", line[b]; at += count[b]; print at >\"at_awk\" } }" i.txt >by_awk
}
same() {
    cmp -s ../out by_awk || fail "$1: the items differ"
    cmp -s at.txt at_awk || fail "$1: the offsets differ"
}

awk 'BEGIN { srand(3); for (i = 0; i < 5000; i++) print int(rand() * 4096) }' >i.txt

plain 10 '$1 % 10'
expect 0 "$dmm" partition -K 10 --expr 'key % 10' i.txt --offsets at.txt
same --expr
is_silent
expect 0 "$dmm" --set form=gpu partition -K 10 --guarantee --expr 'key % 10' i.txt --offsets at.txt
same --guarantee
expect 0 "$dmm" partition -K 10 --method matrix --expr 'key % 10' i.txt --offsets at.txt
same '--method matrix'
awk '{ print $1 % 10 }' i.txt >l.txt
expect 0 "$dmm" partition -K 10 --labels l.txt i.txt --offsets at.txt
same --labels
plain 4 'int($1 / 1024)'
expect 0 "$dmm" partition -K 4 -t u16 --bits 10:12 i.txt --offsets at.txt
same --bits
printf '1024\n2048\n3072\n' >s.txt
expect 0 "$dmm" partition -K 4 --splitters s.txt i.txt --offsets at.txt
same --splitters
plain 1000 '(NR - 1) % 777'
expect 0 "$dmm" partition -K 1000 --expr 'i % 777' i.txt --offsets at.txt
same position

# In place, with values, through .npy and .bin.
expect 0 "$dmm" sort -t u32 i.txt -o i.npy
expect 0 "$dmm" partition -K 2 --expr 'key & 1' i.npy -o i.npy --offsets at.npy
expect 0 "$dmm" partition -K 1 --expr 0 i.npy -o o.txt
sort -n i.txt | awk '$1 % 2 == 0 { print } $1 % 2 { odd = odd $1 "\n" } END { printf "%s", odd }' |
    cmp -s - o.txt || fail 'the partition in place differs'
printf '5\n6\n7\n' >k.txt
printf 'aAbBcC' >v.bin
expect 0 "$dmm" partition -K 2 --expr 'key & 1 ? 0 : 1' k.txt --values v.bin --value-bytes 2 \
    --values-out w.bin
prints '5\n7\n6\n'
[ "$(cat w.bin)" = aAcCbB ] || fail "values are $(cat w.bin)"

# No items.
: >none.txt
expect 0 "$dmm" partition -K 2 --expr 0 none.txt --offsets at.txt
prints ''
printf '0\n0\n0\n' | cmp -s - at.txt || fail 'wrong offsets without items'

# Errors: nothing is written.
rm at.txt
expect 1 "$dmm" partition -K 9 --labels l.txt i.txt --offsets at.txt
complains 'dmm: partition: l.txt: item '
complains 'has no bucket: K is 9'
prints ''
[ ! -e at.txt ] || fail 'a rejected call writes offsets'
expect 1 "$dmm" partition -K 9 --expr 'key - 4096' i.txt
complains 'item 0 (from 0) has no bucket'
expect 1 "$dmm" partition i.txt --expr 0
complains 'dmm: partition: -K: give the number of buckets'
expect 1 "$dmm" partition -K 65537 i.txt --expr 0
complains 'give the number of buckets, 1 to 65536'
expect 1 "$dmm" partition -K 2 i.txt
complains 'give one of --labels, --splitters, --bits and --expr'
expect 1 "$dmm" partition -K 2 i.txt --expr 0 --bits 0:1
complains 'give one of --labels, --splitters, --bits and --expr'
expect 1 "$dmm" partition -K 2 -t u16 i.txt --bits 3:1
complains "--bits: '3:1' is not B:E"
expect 1 "$dmm" partition -K 3 i.txt --splitters s.txt
complains 's.txt: there are 3 splitters, not K - 1 = 2'
expect 1 "$dmm" partition -K 3 k.txt --labels l.txt
complains 'l.txt: there are 5000 labels for 3 items'
expect 1 "$dmm" partition -K 3 i.txt --expr 'key +'
complains '--expr: is not OpenCL C over key, i and value'
expect 1 "$dmm" partition -K 3 i.txt --expr 0 -o o.txt --offsets o.txt
complains 'o.txt: each output needs a file of its own'
expect 1 "$dmm" partition -K 3 i.npy --expr 0
complains 'dmm: partition: i.npy: give -o OUTPUT'
