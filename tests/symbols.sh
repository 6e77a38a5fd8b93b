#!/bin/sh
# SPDX-License-Identifier: MIT
# symbols.sh exported LIBRARY [EXPECTED]   lists the exported symbols of the shared library
# symbols.sh called LIBRARY [EXPECTED]     lists the calls that tests wrap: of OpenCL, and of memory
# symbols.sh alone LIBRARY                 fails if the shared library needs OpenCL, threads or libdmm
# Prints the list or, with EXPECTED, compares it with that file.
set -eu

list() {
    case "$1" in
        exported) nm -D --defined-only "$2" | sed -n 's/.* [BDRT] //p' | sed 's/@.*//' ;;
        called) nm -u "$2" | sed -n 's/^ *[Uw] \(cl[A-Z].*\)$/\1/p'; printf 'calloc\nfree\nmalloc\nrealloc\nrealpath\n' ;;
    esac | LC_ALL=C sort -u
}

if [ "$1" = alone ]; then
    nm -D -u "$2" | sed -n 's/.* U //p' | grep malloc >/dev/null || { echo "cannot read $2"; exit 1; }
    ! { nm -D -u "$2" | sed -n 's/.* U //p'; readelf -d "$2" | grep NEEDED; } |
        grep '^cl[A-Z]\|^pthread_\|^dmm_\|libOpenCL\|libpthread\|libdmm'
elif [ $# -lt 3 ]; then
    list "$1" "$2"
elif ! list "$1" "$2" | diff -u "$3" -; then
    echo "If this is intended, record it: tests/symbols.sh $1 $2 >$3"
    exit 1
elif [ "$1" = exported ] && grep -v '^dmm_' "$3"; then
    echo "An exported name must begin with dmm_."
    exit 1
fi
