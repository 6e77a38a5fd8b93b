#!/bin/sh
# SPDX-License-Identifier: MIT
# Crashes of every command of dmm-lab, with every option that names a file to write, as test_crash_commands.sh for dmm.
. "$(dirname "$0")/../cli/crash.sh"

mkdir before
awk 'BEGIN { srand(1); for (i = 0; i < 1000; i++) print int(rand() * 100) }' >k.txt
"$dmm" sort k.txt -t u32 --argsort -o before/k.npy --values-out before/v.npy || fail 'no input'
seq 100 140 >old.txt
"$dmm" sort old.txt -t u32 -o before/o.npy || fail 'no old output'
for file in w.npy o.txt h.svg; do cp before/o.npy before/$file; done

case_of $((every / 10 + 1)) o.npy w.npy -- sort k.npy -r --argsort -o o.npy --values-out w.npy
case_of $((every / 10 + 1)) o.npy w.npy f.npy -- partition -K 3 --expr 'key % 3' k.npy -o o.npy --values v.npy \
    --values-out w.npy --offsets f.npy
case_of 1 h.svg -- network best -n 8 --svg h.svg
case_of 1 h.svg -- network best -n 8 --heat h.svg
case_of 1 o.txt -- network best -n 8 --save o.txt
case_of 1 o.npy -- network best -n 8 --run k.npy -o o.npy
"$dmm" translation --least 500 -n 900 --repeats 1 >before/table || fail 'no table'
case_of 1 h.svg p.svg -- translation --from table --svg h.svg --svg-pages p.svg

every_command_has_a_case selftest 'values labels splitters from cache tuning'
echo "$states states, $kept outputs kept under another name"
