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

# Within little memory: the same, run by run, from text, .npy, .bin and pipes.
small='--memory 96K --scratch . -t u16'
plain 10 '$1 % 10'
expect 0 "$dmm" partition $small -K 10 --labels l.txt i.txt --offsets at.txt
same 'labels within 96 KiB'
is_silent
plain 4 'int($1 / 1024)'
expect 0 "$dmm" partition $small -K 4 --bits 10:12 - --offsets at.txt <i.txt
same 'bits within 96 KiB'
expect 0 "$dmm" partition $small -K 4 --splitters s.txt i.txt --offsets at.txt
same 'splitters within 96 KiB'
plain 1000 '(NR - 1) % 777'
expect 0 "$dmm" partition --memory 400K -t u64 -K 1000 --expr 'i % 777' i.txt --offsets at.txt
same 'position within 400 KiB'
seq 0 4999 | "$dmm" sort -t u32 - -o number.npy
expect 0 "$dmm" partition i.txt -t u16 -K 1 --expr 0 -o items.npy
expect 0 "$dmm" partition items.npy -K 10 --expr 'key % 10' -o whole.npy --values number.npy \
    --values-out whole_values.npy
expect 0 "$dmm" partition --memory 200K items.npy -K 10 --expr 'key % 10' -o items.npy \
    --values number.npy --values-out values.npy --offsets at.npy
cmp -s items.npy whole.npy || fail 'the .npy within 200 KiB differs'
cmp -s values.npy whole_values.npy || fail 'values within 200 KiB differ'
: >none.txt
expect 0 "$dmm" partition $small -K 2 --expr 0 none.txt --offsets at.txt
prints ''
printf '0\n0\n0\n' | cmp -s - at.txt || fail 'wrong offsets without items within 96 KiB'
rm at.txt
expect 1 "$dmm" partition $small -K 9 --labels l.txt i.txt --offsets at.txt
complains "dmm: partition: l.txt: item $(($(grep -n 9 l.txt | head -n 1 | cut -d: -f1) - 1)) (from 0) has no bucket: K is 9"
prints ''
[ ! -e at.txt ] || fail 'a rejected call within 96 KiB writes offsets'
head -n 4000 l.txt >few.txt
refuses 'few.txt: it holds fewer labels than there are items' partition $small -K 10 --labels few.txt i.txt
(cat l.txt && echo 1) >many.txt
refuses 'many.txt: it holds more labels than there are items' partition $small -K 10 --labels many.txt i.txt
refuses '--memory: is too small for such items' partition --memory 100 -t u16 -K 2 --expr 0 i.txt
refuses 'i.txt: give -t TYPE' partition --memory 96K -K 2 --expr 0 i.txt
refuses '--scratch: needs --memory SIZE' partition --scratch . -K 2 --expr 0 i.txt
refuses 'o.txt: each output needs a file of its own' partition $small -K 2 --expr 0 i.txt -o o.txt --offsets o.txt
refuses 'nowhere: cannot create a scratch file' partition --memory 96K --scratch nowhere -t u16 -K 2 --bits 0:1 i.txt
[ -z "$(find . -name '.*' -type f)" ] || fail "a failure leaves files: $(ls -A)"

# No items.
: >none.txt
expect 0 "$dmm" partition -K 2 --expr 0 none.txt --offsets at.txt
prints ''
printf '0\n0\n0\n' | cmp -s - at.txt || fail 'wrong offsets without items'

# Errors: nothing is written.
rm at.txt
refuses 'dmm: partition: l.txt: item ' partition -K 9 --labels l.txt i.txt --offsets at.txt
complains 'has no bucket: K is 9'
prints ''
[ ! -e at.txt ] || fail 'a rejected call writes offsets'
refuses 'item 0 (from 0) has no bucket' partition -K 9 --expr 'key - 4096' i.txt
refuses 'dmm: partition: -K: give the number of buckets' partition i.txt --expr 0
refuses 'give the number of buckets, 1 to 65536' partition -K 65537 i.txt --expr 0
refuses 'give one of --labels, --splitters, --bits and --expr' partition -K 2 i.txt
refuses 'give one of --labels, --splitters, --bits and --expr' partition -K 2 i.txt --expr 0 --bits 0:1
refuses "--bits: '3:1' is not B:E" partition -K 2 -t u16 i.txt --bits 3:1
refuses 's.txt: there are 3 splitters, not K - 1 = 2' partition -K 3 i.txt --splitters s.txt
refuses 'l.txt: there are 5000 labels for 3 items' partition -K 3 k.txt --labels l.txt
refuses '--expr: is not OpenCL C over key, i and value' partition -K 3 i.txt --expr 'key +'
refuses 'o.txt: each output needs a file of its own' partition -K 3 i.txt --expr 0 -o o.txt --offsets o.txt
expect 0 "$dmm" partition -K 3 i.npy --expr 0
printf '1.5\n-2\n' >h.txt
refuses '--expr: key is a half' partition -K 2 -t f16 --expr 'key > 1' h.txt
refuses '--expr: key is a half' partition -K 2 -t f16 --expr 'key > 1' h.txt --memory 1M
expect 0 "$dmm" partition -K 2 -t f16 --expr 'dmm_from_half(key) > 1' h.txt
