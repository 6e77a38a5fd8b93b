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
refuses 'dmm: merge: i.txt: it is not sorted' merge a.txt b.txt i.txt
printf '1.5\n' >f.txt
refuses 'dmm: merge: f.txt: it holds f64, the first file i64' merge a.txt b.txt f.txt
expect 1 "$dmm" merge a.txt b.txt c.txt --a-values a.txt --b-values b.txt --values-out v.txt
complains 'dmm: merge: values are merged from two files only'

# One file is checked and copied.
expect 0 "$dmm" merge --check a.txt
cmp -s ../out a.txt || fail 'of one file differs'
refuses 'dmm: merge: i.txt: it is not sorted' merge i.txt
expect 1 "$dmm" merge a.txt --a-values a.txt --b-values b.txt --values-out v.txt
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

refuses 'dmm: merge: i.txt: it is not sorted' merge b.txt i.txt
refuses 'dmm: merge: a.txt: it is not sorted' merge -r a.txt b.txt
printf '1.5\n' >f.txt
refuses 'dmm: merge: f.txt: it holds f64, the other file i64' merge a.txt f.txt
expect 0 "$dmm" merge -t f64 a.txt f.txt
prints '1\n1.5\n2\n2\n5\n'
expect 0 "$dmm" merge -t i16 a.txt o.npy

# Within some memory: from .npy and .bin files, many of which are in the window.
for i in 1 2 3 4; do
    awk -v seed=$i 'BEGIN { srand(seed); for (i = 0; i < 30000; i++) print int(rand() * 5000) }' >$i.txt
    expect 0 "$dmm" sort -t u32 $i.txt -o $i.npy --argsort --values-out $i.values.npy
    expect 0 "$dmm" sort -t u32 $i.txt -o $i.npy
done
for files in '1.npy 2.npy' '1.npy 2.npy 3.npy 4.npy'; do
    expect 0 "$dmm" merge $files -o whole.npy
    expect 0 "$dmm" merge --memory 700K --check $files -o large.npy
    is_silent
    cmp -s whole.npy large.npy || fail "differs within some memory: $files"
done
expect 0 "$dmm" merge --memory 700K --check 2.npy -o large.npy
cmp -s 2.npy large.npy || fail 'a copy within some memory differs'
expect 0 "$dmm" merge --memory 700K 1.npy 2.npy 3.npy 4.npy -o 1.npy
cmp -s whole.npy 1.npy || fail 'differs in place'
expect 0 "$dmm" merge 2.npy 3.npy -o whole.npy --a-values 2.values.npy --b-values 3.values.npy --values-out whole.bin
expect 0 "$dmm" merge --memory 700K --check 2.npy 3.npy -o large.npy --a-values 2.values.npy \
    --b-values 3.values.npy --values-out large.bin
cmp -s whole.npy large.npy && cmp -s whole.bin large.bin || fail 'values differ within some memory'
cp large.npy old.npy
refuses '.npy: it is not sorted: key ' merge --memory 700K -r 2.npy 3.npy -o large.npy
refuses 'dmm: merge: a.txt: give -t TYPE' merge --memory 700K a.txt b.txt -o large.npy
expect 1 "$dmm" merge --memory 700K -t i64 a.txt b.txt -o large.npy
complains 'dmm: merge: a.txt: with --memory, only .npy and .bin files are merged'
refuses 'dmm: merge: --memory: is too small for 2 such files' merge --memory 1K 2.npy 3.npy -o large.npy
cmp -s large.npy old.npy || fail 'a failure changed the old file'

# Standard input can be read once: the second list would be empty, or both would get parts of it.
twice() {
    seq 6 | expect 1 "$dmm" "$@"
    complains "dmm: $1: standard input: - is given twice, but can be read only once: give a file for one"
    [ ! -s ../out ] || fail "writes the result of: $*"
}
expect 0 "$dmm" merge - /dev/stdin --format text <a.txt # files are read from their beginning
seq 6 | expect 1 "$dmm" merge - /dev/stdin --format text
complains 'dmm: merge: /dev/stdin: this pipe is given twice, but can be read only once: give a file for one'
mkfifo pipe
refuses 'dmm: merge: ./pipe: this pipe is given twice' merge pipe a.txt ./pipe --format text
rm pipe
twice merge - -
twice merge a.txt - b.txt -
twice merge - - --memory 1M -t u32
twice set difference - -
twice set union - - --memory 1M -t u32
twice search - -
twice partition -K 2 - --labels -
twice partition -K 2 - --splitters -
twice permute --index - -
twice sort - --values - --values-out v.npy

# More files than can be open at once.
for i in $(seq 90); do cp $((1 + i % 4)).npy "f$i.npy"; done
expect 0 "$dmm" merge $(seq -f 'f%.0f.npy' 90) -o whole.npy
if [ -n "${WINEPREFIX-}" ]; then limit=unlimited; else limit=80; fi # wine's limit is another one
(ulimit -n $limit 2>/dev/null
    expect 0 "$dmm" merge --memory 8M --check $(seq -f 'f%.0f.npy' 90) -o large.npy) || exit 1
cmp -s whole.npy large.npy || fail 'differs for more files than can be open at once'
