#!/bin/sh
# SPDX-License-Identifier: MIT
# setup.sh [ROOT]: makes the programs of simulate.py and sass.py in ROOT (default ~/.cache/dmm-simulated). Keeps the
# downloads and the simulator if they are already there.
#   simulator              GPGPU-Sim, cloned and built
#   toolkit                programs that the simulator calls: ptxas, and stand-ins for the rest
#   record.so, replay      built from record.c and replay.cpp
#   cub, cub-predicated    CUB's merge sort, as a program and as PTX
#   cub-radix              CUB's radix sort
# Needs the Debian packages build-essential bison flex xutils-dev zlib1g-dev libglu1-mesa-dev clang-15 libclc-15
# ocl-icd-opencl-dev libcub-dev libthrust-dev git unzip, pip, and nvcc of CUDA 11 to 13 ($NVCC). Without nvcc, leaves
# CUB out. Takes ten minutes on two cores.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=${1:-$HOME/.cache/dmm-simulated}
nvcc=${NVCC:-$(command -v nvcc || true)}
mkdir -p "$root"
root=$(cd "$root" && pwd)

# The parts of CUDA 11.8 that PyPI has: ptxas, the headers, and a runtime to link with.
if [ ! -d "$root/cuda" ]; then
    mkdir -p "$root/wheels"
    pip download -q --no-deps -d "$root/wheels" \
        nvidia-cuda-nvcc-cu11==11.8.89 nvidia-cuda-runtime-cu11==11.8.89 nvidia-cuda-nvdisasm
    for wheel in "$root"/wheels/*.whl; do unzip -qo "$wheel" -d "$root/cuda"; done
fi
part() { find "$root/cuda/nvidia" -path "*$1" | sort | head -n 1; }

# The simulator asks nvcc for its version, ptxas for register counts and cuobjdump for the PTX to run: here $DMM_PTX.
bin=$root/toolkit/bin
mkdir -p "$bin" "$root/toolkit/include"
cp -r "$(part cuda_runtime/include)/." "$(part cuda_nvcc/include)/." "$root/toolkit/include"
cat >"$bin/nvcc" <<'END'
#!/bin/sh
echo 'Cuda compilation tools, release 11.8, V11.8.89'
END
cat >"$bin/cuobjdump" <<'END'
#!/bin/sh
case $1 in
    -lptx) echo "PTX file 1: $(basename "$DMM_PTX")" ;;
    -xptx) [ -e "./$2" ] || cp "$DMM_PTX" "./$2" ;;
esac
END
chmod +x "$bin/nvcc" "$bin/cuobjdump"
chmod +x "$(part cuda_nvcc/bin/ptxas)"
ln -sf "$(part cuda_nvcc/bin/ptxas)" "$bin/ptxas"
cudart=$(part cuda_runtime/lib/libcudart.so.11.0)

if [ ! -d "$root/simulator" ]; then
    git clone -q https://github.com/accel-sim/gpgpu-sim_distribution "$root/simulator"
    git -C "$root/simulator" checkout -q 667834cf
fi
if ! find "$root/simulator/lib/" -name libcudart.so 2>/dev/null | grep -q .; then
    # the simulator's setup_environment needs bash
    CUDA_INSTALL_PATH=$root/toolkit PATH=$bin:$PATH bash -c "cd '$root/simulator' && source ./setup_environment && make -j2" \
        >"$root/simulator.log" 2>&1 || { tail "$root/simulator.log"; exit 1; }
fi

cc -O1 -shared -fPIC -o "$root/record.so" "$here/record.c" -ldl
c++ -std=c++11 -O1 -o "$root/replay" "$here/replay.cpp" "$cudart"

# cub FOLDER HEADERS [OPTION...]: compiles the device code with nvcc to PTX, relabelled with a version that ptxas 11.8 and the
# simulator read, and the host code with clang against the headers of CUDA 11.8, linked with its runtime.
cub() {
    folder=$root/$1
    headers=$2
    mkdir -p "$folder"
    shift 2
    set -- "$@" -I"$headers" -DCUB_IGNORE_DEPRECATED_CPP_DIALECT -DTHRUST_IGNORE_DEPRECATED_CPP_DIALECT \
        -DTHRUST_IGNORE_CUB_VERSION_CHECK "$here/cub.cu"
    arch=70 # CUDA 13 lacks it. CUB's kernel names contain it, so host and device code need the same
    "$nvcc" -arch=compute_70 -std=c++17 -O3 -ptx -o "$folder/cub.ptx" "$@" 2>/dev/null || {
        arch=75
        "$nvcc" -arch=compute_75 -std=c++17 -O3 -ptx -o "$folder/cub.ptx" "$@" 2>"$folder/nvcc.log"
    }
    sed -e 's/^\.version .*/.version 7.5/; s/^\.target .*/.target sm_70/; /used_bytes_mask/d' "$folder/cub.ptx" \
        >"$folder/cub.sm_70.ptx"
    : >"$folder/empty"
    clang++-15 -x cuda --cuda-host-only --cuda-gpu-arch=sm_70 --cuda-path="$root/clang" -I"$root/toolkit/include" -D__CUDA_ARCH_LIST__=${arch}0 \
        -std=c++14 -O2 -w -Xclang -fcuda-include-gpubinary -Xclang "$folder/empty" -c -o "$folder/cub.o" "$@"
    c++ -o "$folder/cub" "$folder/cub.o" "$cudart"
}
if [ -z "$nvcc" ]; then
    echo 'setup.sh: nvcc not found: only dmm can be simulated'
    exit 0
fi
# clang needs a toolkit with this layout, and its headers in another folder: it drops an -I of its own toolkit
mkdir -p "$root/clang/bin" "$root/clang/lib64" "$root/clang/nvvm"
cp -r "$root/toolkit/include" "$root/clang"
cp -r "$(part cuda_nvcc/nvvm/libdevice)" "$root/clang/nvvm"
echo 'CUDA Version 11.8.89' >"$root/clang/version.txt"
for folder in headers headers-predicated; do # copies, because compilers search /usr/include last
    rm -rf "${root:?}/$folder"
    mkdir "$root/$folder"
    cp -r /usr/include/cub /usr/include/thrust "$root/$folder"
done
python3 "$here/predicated.py" "$root/headers-predicated/cub/block/block_merge_sort.cuh"
cub cub "$root/headers"
cub cub-predicated "$root/headers-predicated"
cub cub-radix "$root/headers" -DRADIX
python3 "$here/simulable.py" "$root/cub-radix/cub.sm_70.ptx"
echo "ready: $root"
