#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm paths on graphs of every format and on those that it makes, and its errors.
. "$(dirname "$0")/expect.sh"
LC_ALL=C
export LC_ALL

printf 'c roads\np sp 4 5\na 1 2 5\na 1 3 9\na 2 3 3\na 3 1 1\na 2 2 0\n' >roads.gr
expect 0 "$dmm" paths roads.gr --from 1 --check
prints '1 0 1\n2 5 1\n3 8 2\n'
is_silent
expect 0 "$dmm" paths roads.gr --from 2,4
prints '1 4 3\n2 0 2\n3 3 2\n4 0 4\n'
expect 0 "$dmm" paths roads.gr --from 1 --path-to 3 --check
prints '1 0\n2 5\n3 8\n'
printf '%%%%MatrixMarket matrix coordinate real symmetric\n%% comment\n3 3 3\n2 1 0.5\n3 2 0.25\n3 3 7\n' >m.mtx
expect 0 "$dmm" paths m.mtx --from 1 --check
prints '1 0 1\n2 0.5 1\n3 0.75 2\n'
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n' >p.mtx
expect 0 "$dmm" paths p.mtx --from 1
prints '1 0 1\n2 1 1\n'
printf '# from to weight\n0 1 2\n1,2,2\n0 2\n' | expect 0 "$dmm" paths - --from 0
prints '0 0 0\n1 2 0\n2 1 0\n'
expect 0 "$dmm" paths roads.gr --from 1 -t f32
prints '1 0 1\n2 5 1\n3 8 2\n'

# Graphs that it makes: the chain's distances are known; a file of one has the same paths.
expect 0 "$dmm" paths --generate chain --vertices 300 --edges 3000 --from 1 --check
awk '$2 != $1 - 1 || $3 != ($1 > 1 ? $1 - 1 : 1) { exit 1 } END { if (NR != 300) exit 1 }' ../out || fail 'chain'
for kind in grid rmat; do
    expect 0 "$dmm" paths --generate $kind --from 1 --check -o made.txt
    expect 0 "$dmm" paths --generate $kind -o $kind.gr
    expect 0 "$dmm" paths $kind.gr --from 1 --check
    cmp -s ../out made.txt || fail "$kind: the file has other paths"
done
expect 0 "$dmm" paths --generate grid --from 1 --path-to 1000 --svg grid.svg -o path.txt
grep -q ' of 1024 vertices reached' grid.svg || fail 'the picture does not count the vertices'
grep -q '<path' grid.svg || fail 'the picture has no path'

refuses '--from is missing' paths roads.gr
refuses 'give a GRAPH, or --generate' paths --from 1
refuses '5 is no vertex: they count from 1 to 4' paths roads.gr --from 5
refuses 'the graph has no vertex' paths /dev/null --from 0
refuses 'expected up to 64 vertices' paths roads.gr --from 1,x
refuses 'no path leads to 4' paths roads.gr --from 1 --path-to 4
refuses '--columns is missing' paths roads.gr --from 1 --svg x.svg
refuses 'a weight is no u32' paths m.mtx --from 1 -t u32
refuses 'no such graph' paths --generate rmat --vertices 1000
printf 'p sp 2 2\na 1 2 4294967294\na 2 1 4294967294\n' >far.gr
expect 0 "$dmm" paths far.gr --from 1
printf 'p sp 3 2\na 1 2 4294967294\na 2 3 9\n' >far.gr
refuses 'the distance of vertex 3 is too large for its type' paths far.gr --from 1
printf 'p sp 3 2\na 1 2 4\n' >few.gr
refuses 'few.gr: it has 1 edges, not 2 as its heading says' paths few.gr --from 1
printf 'p sp 3 1\na 1 4 4\n' >wide.gr
refuses 'line 2: expected vertices from 1 to their number' paths wide.gr --from 1
printf '0 1 -3\n' >negative.txt
refuses 'line 1: expected a weight of at least 0' paths negative.txt --from 0
printf '0 1 1e39\n' >huge.txt
refuses 'line 1: expected a weight below 2^128' paths huge.txt --from 0

# A file that is cut off, or longer than it says, is refused; the entries of a symmetric matrix count once.
banner='%%%%MatrixMarket matrix coordinate real'
printf "$banner general\n3 3 5\n1 2 1\n2 3 1\n" >cut.mtx
refuses 'dmm: paths: cut.mtx: it has 2 edges, not 5 as its heading says' paths cut.mtx --from 1
printf "$banner general\n3 3 1\n1 2 1\n2 3 1\n" >cut.mtx
refuses 'it has 2 edges, not 1 as its heading says' paths cut.mtx --from 1
printf "$banner symmetric\n3 3 3\n2 1 0.5\n3 2 0.25\n" >cut.mtx
refuses 'it has 2 edges, not 3 as its heading says' paths cut.mtx --from 1

# No NUL; a byte order mark, ends of lines of both kinds, and any gaps.
for line in '0 1 5\0 9 9\n1 2 1\n' '0 1 5\n\0\n1 2 1\n' '0 1 5\n1 2 1\0'; do
    printf "$line" >zero.txt
    refuses 'holds a NUL byte: it is no text' paths zero.txt --from 0
done
printf '\357\273\277# a list\r\n0 1 5\r\n\r\n1 2 1' >mark.txt
expect 0 "$dmm" paths mark.txt --from 0
prints '0 0 0\n1 5 0\n2 6 1\n'
printf 'p  sp\t3   2\r\na  1 2 4\na\t2 3 1\n' >gaps.gr
expect 0 "$dmm" paths gaps.gr --from 1
prints '1 0 1\n2 4 1\n3 5 2\n'
printf 'p sp 3 1\na1 2 4\n' >word.gr
refuses "line 2: expected 'a FROM TO WEIGHT'" paths word.gr --from 1
