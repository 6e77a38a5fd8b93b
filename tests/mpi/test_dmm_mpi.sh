#!/bin/sh
# SPDX-License-Identifier: MIT
# test_dmm_mpi.sh DMM DMM_MPI MPIEXEC: dmm-mpi sort writes what dmm sort writes; a rank that fails harms no file.
. "$(dirname "$0")/../cli/expect.sh"
mpi=$2 mpirun=$3
LC_ALL=C
export LC_ALL

# sorts RANKS ARGUMENT...: runs dmm-mpi sort.
sorts() {
    ranks=$1
    shift
    expect 0 "$mpirun" -n "$ranks" "$mpi" sort "$@"
    is_silent
}
# fails_with CODE RANKS ARGUMENT...: the same, and it ends with CODE.
fails_with() {
    code=$1 ranks=$2
    shift 2
    expect "$code" "$mpirun" -n "$ranks" "$mpi" sort "$@"
}

awk 'BEGIN { srand(1); for (i = 0; i < 5003; i++) print int(rand() * 2000) }' >i.txt
"$dmm" sort -t u32 --less '(void)a, (void)b, 0' i.txt -o i.npy
"$dmm" sort -t u32 i.txt -o sorted.npy --argsort --values-out index.npy
"$dmm" sort -t u32 -r i.txt -o reversed.bin
seq 0 5002 | "$dmm" sort -t u32 - -o number.npy

sorts 3 i.npy -o o.npy --values number.npy --values-out values.npy
cmp -s o.npy sorted.npy || fail 'the keys differ from those of dmm sort'
cmp -s values.npy index.npy || fail 'the values differ from those of dmm sort'
sorts 2 -r o.npy -o o.bin
cmp -s o.bin reversed.bin || fail 'the .bin differs'
cp o.bin old.bin
sorts 3 -t u32 o.bin -o o.bin
tail -c 20012 sorted.npy | cmp -s - o.bin || fail 'the sort in place differs'

# Fewer keys than ranks, and none.
head -c 8 old.bin >two.bin
: >none.bin
for name in two none; do
    sorts 3 -t u32 $name.bin -o o.npy
    "$dmm" sort -t u32 $name.bin -o expected.npy
    cmp -s o.npy expected.npy || fail "$name: differs"
done

# Mistakes are those of one rank, or of rank 0 for all; old files stay.
cp sorted.npy old.npy
expect 0 "$mpi" --version
expect 0 "$mpi" sort --help
grep -q '^Usage: dmm-mpi sort' ../out || fail 'no help'
fails_with 1 2 i.npy
complains 'dmm-mpi: sort: --output: is missing'
[ "$(grep -c 'dmm-mpi: sort' ../err)" = 1 ] || fail 'a mistake is not shown once'
fails_with 1 2 i.txt -o old.npy
fails_with 1 2 -t f32 i.npy -o old.npy
complains 'dmm-mpi: sort: rank 0: i.npy: it holds u32, but -t says f32'
fails_with 1 2 i.npy -o nowhere/o.npy
fails_with 1 2 two.bin -t u32 -o old.npy --values old.bin --value-bytes 4 --values-out v.bin
complains 'old.bin: it holds 5003 values for 2 keys'
# The last rank has no device, no file or no process.
expect 2 "$mpirun" -n 2 "$mpi" sort i.npy -o old.npy : -n 1 "$mpi" --device nothing sort i.npy -o old.npy
complains 'dmm-mpi: sort: rank 2: --device: no OpenCL device fits the request'
expect 1 "$mpirun" -n 2 "$mpi" sort i.npy -o old.npy : -n 1 "$mpi" sort missing.npy -o old.npy
complains 'dmm-mpi: sort: rank 2: missing.npy: cannot open'
expect 1 "$mpirun" -n 2 "$mpi" sort i.npy -o old.npy : -n 1 "$mpi" sort -t u32 two.bin -o old.npy
complains 'dmm-mpi: sort: rank 2: two.bin: it has 2 items here, and 5003 on rank 0'
"$mpirun" -n 2 "$mpi" sort i.npy -o old.npy : -n 1 false >../out 2>../err && fail 'a dead rank is not noticed'
cmp -s sorted.npy old.npy || fail 'an error changed the old file'

is_running() {
    state=$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -c 1)
    [ -n "$state" ] && [ "$state" != Z ]
}

# ends_within TENTHS PROCESS
ends_within() {
    tries=0
    while is_running "$2"; do
        tries=$((tries + 1))
        [ $tries -lt "$1" ] || return 1
        sleep 0.1
    done
}

# A rank that is killed at a random moment ends all of them; the old file stays, or the new one is complete. mpiexec of
# Open MPI 4.1.4 may wait for itself then (in PMIx_server_finalize).
kills=${DMM_TEST_KILLS:-2}
i=0
failed=0
stuck=0
start=$(date +%s%N)
sorts 3 i.npy -o killed.npy
lasts=$((($(date +%s%N) - start) / 1000000 + 1))
while [ $i -lt "$kills" ]; do
    i=$((i + 1))
    cp i.npy killed.npy
    "$mpirun" -n 3 "$mpi" sort killed.npy -o killed.npy >../out 2>../err &
    pid=$!
    moment=$(($(od -An -N4 -tu4 /dev/urandom) % lasts))
    sleep "$((moment / 1000)).$(printf %03d $((moment % 1000)))"
    ranks=$(awk -v parent=$pid '$4 == parent { print $1 }' /proc/[0-9]*/stat 2>/dev/null)
    number=$(echo "$ranks" | sed -n "$((i % 3 + 1))p")
    [ -n "$number" ] && kill -9 $number 2>/dev/null
    ends_within 600 $pid || { kill -9 $pid; stuck=$((stuck + 1)); }
    wait $pid || failed=$((failed + 1))
    cmp -s killed.npy i.npy || cmp -s killed.npy sorted.npy || fail "kill $i changed the old file"
    for number in $ranks; do
        ends_within 100 "$number" || fail "10 s after kill $i, process $number runs"
    done
    rm -f .killed.npy.* # of rank 0
done
rm killed.npy
echo "of $kills calls of $lasts ms, $failed ended with an error; mpiexec had to be stopped after $stuck"
leaves expected.npy i.npy i.txt index.npy none.bin number.npy o.bin o.npy old.bin old.npy reversed.bin sorted.npy \
    two.bin values.npy
