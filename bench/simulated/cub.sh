#!/bin/sh
# SPDX-License-Identifier: MIT
# cub.sh ROOT FOLDER HEADERS SOURCE [OPTION...]: builds ROOT/FOLDER/cub and its PTX from a CUDA file of this folder, after setup.sh.
# Compiles the device code with nvcc ($NVCC) to PTX, relabelled with a version that ptxas 11.8 and the simulator read, and the
# host code with clang against the headers of CUDA 11.8, linked with its runtime.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$1
folder=$1/$2
headers=$1/$3
source=$here/$4
shift 4
nvcc=${NVCC:-$(command -v nvcc || true)}
cudart=$(find "$root/cuda/nvidia" -path "*cuda_runtime/lib/libcudart.so.11.0" | head -n 1)
mkdir -p "$folder"
set -- "$@" -I"$headers" -DCUB_IGNORE_DEPRECATED_CPP_DIALECT -DTHRUST_IGNORE_DEPRECATED_CPP_DIALECT \
    -DTHRUST_IGNORE_CUB_VERSION_CHECK "$source"
arch=70 # CUDA 13 lacks it. CUB's kernel names contain it, so host and device code need the same
"$nvcc" -arch=compute_70 -std=c++17 -O3 -w -ptx -o "$folder/cub.ptx" "$@" 2>/dev/null || {
    arch=75
    "$nvcc" -arch=compute_75 -std=c++17 -O3 -w -ptx -o "$folder/cub.ptx" "$@" 2>"$folder/nvcc.log" || {
        cat "$folder/nvcc.log" >&2
        exit 1
    }
}
sed -e 's/^\.version .*/.version 7.5/; s/^\.target .*/.target sm_70/; /used_bytes_mask/d' "$folder/cub.ptx" \
    >"$folder/cub.sm_70.ptx"
: >"$folder/empty"
clang++-15 -x cuda --cuda-host-only --cuda-gpu-arch=sm_70 --cuda-path="$root/clang" -I"$root/toolkit/include" -D__CUDA_ARCH_LIST__=${arch}0 \
    -std=c++14 -O2 -w -Xclang -fcuda-include-gpubinary -Xclang "$folder/empty" -c -o "$folder/cub.o" "$@"
c++ -o "$folder/cub" "$folder/cub.o" "$cudart"
