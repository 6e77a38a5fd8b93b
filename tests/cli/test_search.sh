#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm layout and dmm search: layouts there and back, ranks compared with awk, and their errors.
. "$(dirname "$0")/expect.sh"

awk 'BEGIN { for (i = 0; i < 1000; i++) print 3 * int(i / 2) }' >k.txt
awk 'BEGIN { for (i = 0; i < 400; i++) print (i * 37) % 1600 - 20 }' >q.txt
awk 'NR == FNR { k[NR] = $1; n = NR; next } { c = 0; for (i = 1; i <= n; i++) c += k[i] < $1; print c }' k.txt q.txt >ranks.txt
awk 'NR == FNR { k[$1] = 1; next } { print ($1 in k) + 0 }' k.txt q.txt >among.txt
expect 0 "$dmm" search k.txt q.txt
cmp -s ../out ranks.txt || fail 'a rank is wrong'
expect 0 "$dmm" search --result contains k.txt q.txt
cmp -s ../out among.txt || fail 'contains is wrong'
for kind in bst btree veb mveb; do
    expect 0 "$dmm" layout -k $kind k.txt -o t.txt
    cmp -s t.txt k.txt && fail "$kind changed nothing"
    expect 0 "$dmm" search -k $kind t.txt q.txt
    cmp -s ../out ranks.txt || fail "a rank in $kind is wrong"
    expect 0 "$dmm" layout --back -k $kind t.txt
    cmp -s ../out k.txt || fail "the way back from $kind is wrong"
done
expect 0 "$dmm" layout -k btree -b 5 -t i32 k.txt -o t.npy
expect 0 "$dmm" search -k btree -b 5 -t i32 t.npy q.txt -o r.npy
expect 1 "$dmm" search -k btree -b 6 t.npy q.txt
complains 'dmm: search: t.npy: it is not in this layout: key '
expect 1 "$dmm" search t.txt q.txt
complains 'dmm: search: t.txt: it is not sorted: key '
expect 1 "$dmm" layout t.txt
complains 'dmm: layout: t.txt: it is not sorted: key '
expect 1 "$dmm" layout -b 0 k.txt
complains 'dmm: layout: --node: must be from 1 to 65535'
expect 1 "$dmm" search t.npy k.txt -o r.npy -t u8
complains 'dmm: search: t.npy: it holds i32, but -t says u8'
leaves among.txt k.txt q.txt r.npy ranks.txt t.npy t.txt
