#!/bin/sh
# SPDX-License-Identifier: MIT
# ctest: default
# Every command once, as a first user would call it.
. "$(dirname "$0")/expect.sh"

# try COMMAND ARGUMENT...: fails unless dmm COMMAND exits with 0. Its output is in ../out.
tried=''
try() {
    expect 0 "$dmm" "$@"
    tried="$tried $1"
}
# one_line TEXT: fails unless the words of the last command's output are those of TEXT.
one_line() {
    [ "$(tr '\n' ' ' <../out | tr -s ' ')" = "$1 " ] || fail "does not print '$1'"
}

printf '3\n1\n2\n3\n1\n' >five.txt
try sort five.txt
one_line '1 1 2 3 3'
cp ../out sorted.txt
try merge sorted.txt sorted.txt
one_line '1 1 1 1 2 2 3 3 3 3'
try set union sorted.txt sorted.txt
one_line '1 1 2 3 3'
try unique -t u32 sorted.txt
one_line '1 2 3'
try count sorted.txt
one_line ' 2 1 1 2 2 3'
try select --where 'x > 1' five.txt
one_line '3 2 3'
try topk -k 2 --largest five.txt
one_line '3 3'
try nth -k 2 five.txt
one_line '1'
try median five.txt
one_line '2'
try reduce five.txt
one_line '10'
try scan five.txt
one_line '3 4 6 9 10'
try histogram five.txt
one_line '0 0 1 2 2 1 3 2'
try partition -K 2 --expr 'key % 2' five.txt
one_line '2 3 1 3 1'
try search sorted.txt five.txt
one_line '3 0 2 3 0'
try layout sorted.txt -t u32 -o tree.index
try search tree.index five.txt
one_line '3 0 2 3 0'
try shuffle --seed 1 five.txt
sort ../out | cmp -s - sorted.txt || fail 'shuffle loses or changes numbers'
try sample -k 2 --seed 1 five.txt
[ "$(wc -l <../out)" = 2 ] || fail 'sample does not print two numbers'
printf '4\n3\n2\n1\n0\n' >order.txt
try permute --index order.txt five.txt
one_line '1 3 2 1 3'
printf '1\n2\n3\n4\n5\n6\n' >matrix.txt
try transpose --shape 2,3 matrix.txt
one_line '1 4 2 5 3 6'
printf '0 0\n4 0\n1 1\n0 4\n' >points.txt
try hull points.txt
[ "$(wc -l <../out)" = 3 ] || fail 'hull does not print three points'
printf '0 1 5\n1 2 1\n0 2 9\n' >edges.txt
try paths edges.txt --from 0
one_line '0 0 0 1 5 0 2 6 1'
try group sort --name row -t f32 --descending
grep -q 'void row_sort(row_item r' ../out || fail 'group does not print row_sort'
! grep -q 'dmm_' ../out || fail 'group leaves a name of the library'
try group count --name bins --bins 16
grep -q 'void bins_bins_add(' ../out || fail 'group does not print bins_bins_add'
try group lanes --name wave -u 64 --combine 'a + b' --identity 0
grep -q 'wave_item wave_reduce(' ../out || fail 'group does not print wave_reduce'
expect 1 "$dmm" group lanes -u 128
complains 'u: DMM_GROUP_LANES needs'
expect 1 "$dmm" group scan
complains 'the kinds are items, sort, radix, count and lanes'
expect 1 "$dmm" group count
complains 'bins: DMM_GROUP_COUNT needs 1 to 256'
expect 1 "$dmm" group items --combine 'a + b'
complains 'own.identity: is NULL'
expect 1 "$dmm" group items --columns 48
complains 'columns: must divide'
expect 1 "$dmm" group radix --bins 12
complains 'bins: values of a digit'
expect 1 "$dmm" group sort -u 48
complains 'u: must be a power of two'
try worst -n 4096 -E 16 -u 32 -w 32 -o worst.npy
try demo --keys 10000
grep -q '^checked  *every key is there, and in order' ../out || fail 'demo does not check'
try devices
try selftest merge
try selftest --quick scan
try cache
try tune --probe
expect 0 "$dmm" tune --share
grep -qx 'dmm tuning 1' ../out || fail 'tune --share prints no tuning file'
try doctor
grep -q '^PASS: ' ../out || fail 'doctor checks nothing'
# With tests of their own in this tier: meter_*, bench_*.
try meter --help
try bench --help

# A command that is missing above is an error here.
expect 0 "$dmm" --help
for command in $(sed -n '/^Commands/,/^$/s/^  \([a-z]*\)  .*/\1/p' ../out); do
    case " $tried " in
    *" $command "*) ;;
    *) fail "no call of dmm $command above" ;;
    esac
done
