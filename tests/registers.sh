#!/bin/sh
# SPDX-License-Identifier: MIT
# registers.sh CLANG SOURCE_DIR: the tile kernels keep their items in registers. Compiles them for a GPU target and
# fails if an array is left in memory, where each access would cost as much as a trip to global memory.
set -eu
clang=$1
source=$2
failed=0

# check PROGRAM E TIES VALUE_BYTES PLANE_BYTES
check() {
    matrix=$([ "$1" = sort_matrix ] && echo 1 || echo 0)
    out=$("$clang" -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target nvptx64-- -O3 -S -emit-llvm \
        -I"$source" -DDMM_U=256 -DDMM_E="$2" -DDMM_TILE=$((256 * $2)) -DDMM_W=32 -DDMM_BANK_BYTES=4 \
        -DDMM_KEY_KIND=0 -DDMM_KEY_BYTES="$5" -DDMM_DESCENDING=0 -DDMM_ZERO_EQUAL=0 -DDMM_TIES="$3" \
        -DDMM_PLANE_BYTES="$5" -DDMM_PLANES=1 -DDMM_VALUE_BYTES="$4" -DDMM_WORD_BYTES=4 -DDMM_WORDS=1 \
        -DDMM_INDEX_BYTES=4 -DDMM_SORT_POSITIONS=0 -DDMM_MERGE_POSITIONS=0 \
        -DDMM_PLAIN_SEARCH=0 -DDMM_MATRIX="$matrix" -DDMM_PLAN=769,139264 \
        -o - "$source/cl/sort/$1.cl")
    kernels=$(printf '%s\n' "$out" | grep -c '^define .*@dmm_[a-z]*_\(tile\|matrix\)(')
    arrays=$(printf '%s\n' "$out" | grep -c alloca || true)
    echo "$1 E=$2 ties=$3 values=$4 keys=$5: $kernels tile kernels, $arrays arrays in memory"
    [ "$kernels" = 2 ] && [ "$arrays" = 0 ] || failed=1
}

check sort 16 0 0 4
check sort 16 1 4 4
check sort 15 0 0 4
check sort 17 1 4 4
check sort 8 1 8 8
check sort_matrix 16 0 0 4
check sort_matrix 8 1 8 8
exit $failed
