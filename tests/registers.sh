#!/bin/sh
# SPDX-License-Identifier: MIT
# registers.sh CLANG CL_FOLDER: the tile kernels keep their items in registers. Compiles them for a GPU target and
# fails if an array is left in memory, where each access would cost as much as a trip to global memory.
set -eu
clang=$1
cl=$2
failed=0

# check E TIES VALUE_BYTES PLANE_BYTES
check() {
    out=$(cat "$cl/common.clh" "$cl/map.clh" "$cl/order.clh" "$cl/registers.clh" "$cl/values.clh" \
        "$cl/tile.clh" "$cl/merge_path.cl" "$cl/merge.cl" "$cl/sort.cl" |
        "$clang" -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -target nvptx64-- -O3 -S -emit-llvm \
            -DDMM_U=256 -DDMM_E="$1" -DDMM_TILE=$((256 * $1)) -DDMM_W=32 -DDMM_BANK_BYTES=4 \
            -DDMM_KEY_KIND=0 -DDMM_KEY_BYTES="$4" -DDMM_DESCENDING=0 -DDMM_ZERO_EQUAL=0 -DDMM_TIES="$2" \
            -DDMM_PLANE_BYTES="$4" -DDMM_PLANES=1 -DDMM_VALUE_BYTES="$3" -DDMM_INDEX_BYTES=4 \
            -DDMM_SORT_POSITIONS=0 -DDMM_MERGE_POSITIONS=0 -DDMM_PLAIN_SEARCH=0 -DDMM_PARTITION_U=64 \
            -o - -)
    kernels=$(printf '%s\n' "$out" | grep -c '^define .*@dmm_[a-z]*_tile(')
    arrays=$(printf '%s\n' "$out" | grep -c alloca || true)
    echo "E=$1 ties=$2 values=$3 keys=$4: $kernels tile kernels, $arrays arrays in memory"
    [ "$kernels" = 2 ] && [ "$arrays" = 0 ] || failed=1
}

check 16 0 0 4
check 16 1 4 4
check 15 0 0 4
check 17 1 4 4
check 8 1 8 8
exit $failed
