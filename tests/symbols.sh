#!/bin/sh
# SPDX-License-Identifier: MIT
# symbols.sh exported LIBRARY [EXPECTED]   what the shared library exports
# symbols.sh called LIBRARY [EXPECTED]     what the static library calls that can fail: OpenCL, malloc
# Prints the list, or compares it with the file EXPECTED.
set -eu

list() {
    case "$1" in
        exported) nm -D --defined-only "$2" | sed -n 's/.* [BDRT] //p' | sed 's/@.*//' ;;
        called) nm -u "$2" | sed -n 's/^ *U \(cl[A-Z].*\)$/\1/p'; printf 'calloc\nmalloc\nrealloc\n' ;;
    esac | LC_ALL=C sort -u
}

if [ $# -lt 3 ]; then
    list "$1" "$2"
elif ! list "$1" "$2" | diff -u "$3" -; then
    echo "If the change is meant: tests/symbols.sh $1 $2 >$3"
    exit 1
elif [ "$1" = exported ] && grep -v '^dmm_' "$3"; then
    echo "An exported name must begin with dmm_."
    exit 1
fi
