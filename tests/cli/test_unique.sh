#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm unique compared with uniq, within little memory, in every format, and its errors.
. "$(dirname "$0")/expect.sh"
LC_ALL=C
export LC_ALL

awk 'BEGIN { srand(5); for (i = 0; i < 40000; i++) print int(i / 700 + rand() * 2) }' >i.txt
uniq i.txt >wanted.txt
expect 0 "$dmm" unique -t u16 i.txt
cmp -s ../out wanted.txt || fail 'differs from uniq'
is_silent
expect 0 "$dmm" unique -t u16 --memory 64K - <i.txt
cmp -s ../out wanted.txt || fail 'differs from uniq in little memory'
sort -n i.txt | uniq >sorted.txt
"$dmm" sort -t u16 i.txt | expect 0 "$dmm" unique -t u16 --memory 64K -
cmp -s ../out sorted.txt || fail 'differs from sort -n | uniq'

# The number of items in the header of an .npy is known at the end alone.
expect 0 "$dmm" sort -t i32 sorted.txt -o wanted.npy
expect 0 "$dmm" sort -t i32 i.txt -o i.npy
expect 0 "$dmm" unique --memory 64K i.npy -o o.npy
cmp -s o.npy wanted.npy || fail 'the .npy differs'
expect 0 "$dmm" unique i.npy -o i.npy
cmp -s i.npy wanted.npy || fail 'the filter in place differs'
printf '5\n5\n5\n7\n5\n' >k.txt
printf 'aAbBcCdDeE' >v.bin
expect 0 "$dmm" unique -t u8 k.txt --values v.bin --value-bytes 2 --values-out w.npy
prints '5\n7\n5\n'
[ "$(tail -c 6 w.npy)" = aAdDeE ] || fail 'values differ'
printf '%s' 'abc' >v.bin
expect 1 "$dmm" unique -t u8 k.txt --values v.bin --value-bytes 1 --values-out w2.bin
complains 'v.bin: it holds fewer values than there are keys'
[ ! -e w2.bin ] || fail 'writes values after an error'
: >none.bin
expect 0 "$dmm" unique -t u32 none.bin -o none.npy
expect 0 "$dmm" sort none.npy -o none.txt
[ ! -s none.txt ] || fail 'makes items of none'

refuses 'dmm: unique: i.txt: give -t TYPE' unique i.txt
refuses 'dmm: unique: --memory: is too small for such items' unique -t u16 --memory 100 i.txt
expect 0 "$dmm" unique i.npy
refuses 'dmm: unique: --values: and --values-out need each other' unique -t u16 i.txt --values v.bin

# From and to pipes: the header is known from the first bytes, and written last.
expect 0 "$dmm" sort -t u16 i.txt -o s.npy
expect 0 "$dmm" unique s.npy -o o.npy
cat s.npy | expect 0 "$dmm" unique -
"$dmm" sort o.npy | cmp -s - ../out || fail 'an .npy from a pipe differs'
cat s.npy | "$dmm" unique --format npy --memory 64K - | cat >p.npy
cmp -s p.npy o.npy || fail 'an .npy between pipes differs'
mkfifo pipe.npy
cat pipe.npy >p.npy &
expect 0 "$dmm" unique s.npy -o pipe.npy
wait
cmp -s p.npy o.npy || fail 'an .npy to a named pipe differs'
"$dmm" shuffle --seed 1 s.npy -o m.npy
cat m.npy | "$dmm" sort --memory 64K --format npy - | cat >p.npy
cmp -s p.npy s.npy || fail 'a sort within memory between pipes differs'
"$dmm" set union --memory 64K --format npy s.npy s.npy | cat >p.npy
cmp -s p.npy s.npy || fail 'a set to a pipe differs'
{ cat s.npy; echo; } | expect 1 "$dmm" unique -
complains 'standard input: more bytes follow its 40000 items of 2 bytes'
head -c 5000 s.npy | expect 1 "$dmm" unique -
complains 'standard input: it ends early, in or before item '
head -c 100 s.npy | expect 1 "$dmm" unique -
complains 'standard input: its NumPy header is cut off or of a new version'
