#!/bin/sh
# SPDX-License-Identifier: MIT
# Crashes of sort, merge, unique, set and partition: resumable jobs, in place, with values, beyond memory. test_crash_commands.sh
# has the other commands. DMM_TEST_CRASHES: every so many of the calls of a resumable job; 1: all, and torn writes.
. "$(dirname "$0")/crash.sh"

# A resumable job, to another output, with values, and in place.
mkdir before
awk 'BEGIN { srand(1); for (i = 0; i < 30000; i++) print int(rand() * 100000) }' >k.txt
"$dmm" sort k.txt -t u32 --less '(void)a, (void)b, 0' -o before/k.npy || fail 'no input'
"$dmm" sort k.txt -t u32 --argsort --values-out before/v.npy -o before/o.npy || fail 'no values'
"$dmm" sort before/o.npy -o before/a.npy || fail 'no sorted input'
seq 100 400 >old.txt
"$dmm" sort old.txt -t u32 -o before/o.npy || fail 'no old output'
cp before/o.npy before/w.npy
job='sort --memory 150K --resume --check'
crashes "$every" o.npy w.npy -- $job k.npy -o o.npy --values v.npy --values-out w.npy
crashes "$every" n.npy -- $job k.npy -o n.npy
input=1 crashes "$every" k.npy v.npy -- $job k.npy -o k.npy --values v.npy --values-out v.npy
input=1 crashes 1 k.npy -- sort k.npy -o k.npy
crashes 1 o.npy -- sort k.npy -r -o o.npy
ln before/o.npy before/hard.npy
crashes 1 o.npy -- sort k.npy -r -o o.npy
rm before/hard.npy
crashes 1 o.npy w.npy -- sort k.npy --argsort -o o.npy --values-out w.npy
crashes 1 o.npy -- merge --memory 1M a.npy a.npy -o o.npy
input=1 crashes 1 a.npy -- unique a.npy -o a.npy
crashes 1 o.npy w.npy -- select --where 'x & 1' k.npy -o o.npy --values v.npy --values-out w.npy
crashes 1 o.npy -- set --memory 1M union a.npy w.npy -o o.npy
crashes 1 o.npy w.npy f.npy -- partition --memory 1M -K 3 --expr 'key % 3' k.npy -o o.npy --values v.npy --values-out w.npy \
    --offsets f.npy
echo "$states states, $kept outputs kept under another name"
