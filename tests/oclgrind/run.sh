#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh PROGRAM [ARGUMENT...]: runs a test program in Oclgrind, with small sizes. Fails if the program
# fails, or if Oclgrind has anything to report: it exits with the program's status even then. Kernels are neither
# optimised nor inlined: Oclgrind 21.10 lacks what LLVM makes of structs (24-bit integers, noalias scopes, freeze).
set -u
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

DMM_TEST_SIZES=small oclgrind --log "$log" --local-mem-size 65536 --data-races --uninitialized \
    --build-options "-cl-opt-disable -D DMM_CALLS" "$@"
status=$?

if [ -s "$log" ]; then
    echo "Oclgrind reports:"
    head -n 60 "$log"
    exit 1
fi
exit $status
