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
refuses 'dmm: search: t.npy: it is not in this layout: key ' search -k btree -b 6 t.npy q.txt
refuses 'dmm: search: t.txt: it is not sorted: key ' search t.txt q.txt
refuses 'dmm: layout: t.txt: it is not sorted: key ' layout t.txt
refuses 'dmm: layout: --node: must be from 1 to 65535' layout -b 0 k.txt
refuses 'dmm: search: t.npy: it holds i32, but -t says u8' search t.npy k.txt -o r.npy -t u8

# Index files: the header names the layout.
seq 1 3 3001 >k3.txt
expect 0 "$dmm" search k3.txt q.txt
cp ../out ranks3.txt
for kind in sorted bst btree veb mveb; do
    expect 0 "$dmm" layout -k $kind -b 5 -t u16 k3.txt -o i.index
    sed 's/^-.*/0/' q.txt >q3.txt
    expect 0 "$dmm" search -t u16 i.index q3.txt
    cmp -s ../out ranks3.txt || fail "a rank in an index of $kind is wrong"
    expect 0 "$dmm" layout --back i.index -o s.txt
    cmp -s s.txt k3.txt || fail "the way back from an index of $kind is wrong"
done
expect 0 "$dmm" layout --back i.index -o i.index
expect 0 "$dmm" search --method merge i.index k3.txt
refuses "dmm: search: q.txt: line 1: '-20' is out of the range of u16" search --method merge i.index q.txt
refuses 'dmm: search: q.txt: it is not sorted: key ' search --method merge k.txt q.txt
expect 0 "$dmm" layout -k btree -b 5 -t u16 k3.txt -o i.index
refuses 'dmm: search: i.index: its header says layout btree, not veb' search -k veb i.index q.txt
refuses 'dmm: search: i.index: its header says nodes of 5 keys, not 6' search -b 6 i.index q.txt
refuses 'dmm: search: i.index: its header says smallest first' search -r i.index q.txt
refuses 'dmm: search: i.index: it holds u16, but -t says u32' search -t u32 i.index q.txt
refuses 'dmm: layout: i.index: its header says layout btree, not sorted' layout i.index -o j.index

# damaged NAME BYTE COMPLAINT: a copy of the index with another byte is refused.
damaged() {
    { head -c "$1" i.index; printf '\377'; tail -c +"$(($1 + 2))" i.index; } >d.index
    refuses "dmm: search: d.index: $2" search d.index q.txt
}
damaged 0 'not an index file'
damaged 8 'its index header is of version 255'
damaged 12 'its index header is damaged'
damaged 32 'its index header is damaged'
damaged 63 'its index header is damaged'
damaged 64 'its keys are damaged'
head -c 40 i.index >d.index
refuses 'dmm: search: d.index: its index header is cut off' search d.index q.txt
head -c 100 i.index >d.index
refuses 'dmm: search: d.index: its index header says 2002 bytes of keys, 36 bytes follow' search d.index q.txt
: >d.index
refuses 'dmm: search: d.index: not an index file' search d.index q.txt
leaves among.txt d.index i.index k.txt k3.txt q.txt q3.txt r.npy ranks.txt ranks3.txt s.txt t.npy t.txt
