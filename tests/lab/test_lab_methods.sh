#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm-lab sort and partition by each method against sort and awk; selftest; and refusals.
. "$(dirname "$0")/../cli/expect.sh"

seq 3000 | awk '{ print $1 * 7919 % 1009 }' >i.txt
sort -n i.txt >sorted.txt
sort -rn i.txt >down.txt
for method in matrix shear quick gather; do
    expect 0 "$dmm" sort --method $method --check i.txt
    cmp -s ../out sorted.txt || fail "does not sort by $method"
    expect 0 "$dmm" sort --method $method -r --check -t u16 i.txt -o out.txt --argsort --values-out at.txt
    cmp -s out.txt down.txt || fail "does not sort downwards by $method"
done
awk '{ print $1 % 10, NR, $1 }' i.txt | sort -n -k 1,1 -k 2,2 | cut -d ' ' -f 3 >parts.txt
for method in matrix blocks; do
    expect 0 "$dmm" partition -K 10 --method $method --expr 'key % 10' i.txt --offsets at.txt
    cmp -s ../out parts.txt || fail "does not partition by $method"
    [ "$(wc -l <at.txt)" = 11 ] || fail 'not 11 offsets'
done
expect 0 "$dmm" selftest 'sort by matrix'
grep -q '^PASS: 3 of 3 checks passed' ../out || fail 'the self-test does not pass'

refuses "dmm-lab: sort: --method: 'merge' is none of matrix|shear|quick|gather" sort --method merge i.txt
refuses 'dmm-lab: sort' sort --method gather --guarantee i.txt
refuses 'memory' sort --memory 1G i.txt
refuses 'scratch' partition -K 2 --labels i.txt --scratch . i.txt
refuses 'dmm-lab selftest prints the names of all' selftest nothing
refuses "'slow' is none of matrix|shear|quick|gather" --set form=cpu sort --method slow i.txt
