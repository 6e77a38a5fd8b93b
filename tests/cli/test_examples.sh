#!/bin/sh
# SPDX-License-Identifier: MIT
# The examples of every --help are run as they stand, on files of their names.
. "$(dirname "$0")/expect.sh"

mkdir bin && ln -s "$dmm" bin/dmm
PATH=$PWD/bin:$PATH
printf '3\n1\n2\n3\n0\n5\n' >numbers.txt
printf '1\n2\n3\n4\n5\n6\n' >matrix.txt
printf '25\n3\n70\n' >ages.txt
printf '1\n3\n3\n' >a.txt
printf '2\n3\n' >b.txt
printf 'id,price,region\n1,9.5,2\n2,3,1\n3,12.25,2\n4,7,1\n' >sales.csv
printf 'id,x\n1,a\n2,b\n' >a.csv
printf 'id,x\n2,c\n5,d\n' >b.csv
printf '0 0\n4 0\n1 1\n0 4\n' >points.csv
printf '0 1 5\n1 2 1\n0 2 9\n' >edges.txt
head -c 4000 "$dmm" >big.bin
{
    printf '\223NUMPY\1\0\166\0%-117s\n' "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 6), }"
    printf 'scores above'
} >scores.npy
dmm sort numbers.txt -o big.npy

examples=0
dmm --help >../help
for command in $(sed -n '/^Commands/,/^$/s/^  \([a-z]*\)  .*/\1/p' ../help); do
    dmm "$command" --help >../help
    sed -n '/^Examples:/,/^$/s/^  dmm /dmm /p' ../help >../examples
    while read -r line; do
        expect 0 sh -c "$line" </dev/null
        is_silent
        examples=$((examples + 1))
    done <../examples
done
[ $examples -ge 30 ] || fail "$examples examples only"
echo "$examples examples"
