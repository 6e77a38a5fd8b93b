#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh PROGRAM [ARGUMENT...]: runs a test program in Oclgrind with small sizes, the library of mend.c and, if LLVM 14
# is installed, the pass of promote.cpp; both are built beside the program. Fails if the program fails or if Oclgrind
# reports anything: Oclgrind itself exits with the program's status even then. Kernels are neither optimised nor
# inlined, because LLVM would generate code for structs that Oclgrind 21.10 does not support (24-bit integers, noalias
# scopes, freeze).
# One thread, so groups run one after another: with more, a chained scan in place may count a tile that its group is
# overwriting, and Oclgrind reports that as a race. Such a count is not used (docs/proofs.md, Chained passes). Other
# races between groups are reported all the same, as they do not depend on which group is first.
set -u
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
built=$(cd "$(dirname "$1")" && pwd)
options='-cl-opt-disable -D DMM_CALLS'
[ ! -f "$built/libdmm_oclgrind_promote.so" ] ||
    options="$options -disable-O0-optnone -fpass-plugin=$built/libdmm_oclgrind_promote.so"

# Every context reopens the log, which would truncate a file. A pipe keeps the reports of all contexts.
exec 4>&1
{
    DMM_TEST_SIZES=small oclgrind --num-threads 1 --log /dev/fd/3 --local-mem-size 65536 --data-races --uninitialized \
        --build-options "$options" sh -c 'LD_PRELOAD=$0:$LD_PRELOAD exec "$@"' \
        "$built/libdmm_oclgrind_mend.so" "$@" 3>&1 >&4
    echo $? >"$folder/status"
} | cat >"$folder/log"

if [ -s "$folder/log" ]; then
    echo "Oclgrind reports:"
    head -n 60 "$folder/log"
    exit 1
fi
exit "$(cat "$folder/status")"
