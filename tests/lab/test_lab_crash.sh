#!/bin/sh
# SPDX-License-Identifier: MIT
# Crashes of every command of dmm-lab, as cli/test_crash_commands.sh has those of dmm.
. "$(dirname "$0")/../cli/crash.sh"

mkdir before
awk 'BEGIN { srand(1); for (i = 0; i < 1000; i++) print int(rand() * 100) }' >k.txt
seq 100 140 >old.txt
"$dmm" sort k.txt -t u32 -o before/k.npy || fail 'no input'
"$dmm" sort old.txt -t u32 -o before/o.npy || fail 'no old output'
for file in w.npy o.txt h.svg; do cp before/o.npy before/$file; done

case_of 1 o.npy w.npy -- sort k.npy -r --argsort -o o.npy --values-out w.npy
case_of 1 o.npy w.npy f.npy -- partition -K 3 --expr 'key % 3' k.npy -o o.npy --values k.npy --values-out w.npy --offsets f.npy
case_of 1 h.svg -- network best -n 8 --svg h.svg
case_of 1 h.svg -- network best -n 8 --heat h.svg
case_of 1 o.txt -- network best -n 8 --save o.txt
case_of 1 o.npy -- network best -n 8 --run k.npy -o o.npy
case_of 1 h.svg -- table berney-4.1 --svg h.svg
"$dmm" translation --least 500 -n 900 --repeats 1 >before/table || fail 'no table'
case_of 1 h.svg p.svg -- translation --from table --svg h.svg --svg-pages p.svg

nothing='heap selftest'
read='by segments values labels splitters scratch from cache tuning'
must_have_tried
