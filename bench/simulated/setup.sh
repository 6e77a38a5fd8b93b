#!/bin/sh
# SPDX-License-Identifier: MIT
# setup.sh [ROOT]: makes the programs of simulate.py and sass.py in ROOT (default ~/.cache/dmm-simulated). Keeps the
# downloads if they are already there. Takes a simulator that you have built: $GPGPUSIM is its folder.
#   toolkit                programs that the simulator calls: ptxas, and stand-ins for the rest
#   simulator              a link to $GPGPUSIM
#   record.so, pretend.so  built from record.c and pretend.c
#   replay                 built from replay.cpp
#   cub, cub-predicated    CUB's merge sort, as a program and as PTX
#   cub-radix              CUB's radix sort
#   headers                CUB's, which primitives.py builds the other primitives with
# Needs the Debian packages build-essential clang-15 libclc-15 ocl-icd-opencl-dev libcub-dev libthrust-dev unzip, pip, and
# nvcc of CUDA 11 to 13 ($NVCC). Without nvcc, leaves CUB out. Takes a few minutes.
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

built() { find "$1/lib/" -name libcudart.so 2>/dev/null | grep -q .; }
if [ -n "${GPGPUSIM:-}" ]; then
    built "$GPGPUSIM" || { echo "setup.sh: GPGPUSIM=$GPGPUSIM: no libcudart.so below its lib: build it first" >&2; exit 1; }
    ln -sfn "$(cd "$GPGPUSIM" && pwd)" "$root/simulator"
fi
if ! built "$root/simulator"; then
    cat >&2 <<END
setup.sh: the simulator is missing. Build GPGPU-Sim 4.2 (https://github.com/accel-sim/gpgpu-sim_distribution, commit 667834cf)
as its README says, for the toolkit that is here now, then call this again with its folder in \$GPGPUSIM:
    export CUDA_INSTALL_PATH=$root/toolkit PATH=$bin:\$PATH
END
    exit 1
fi

for name in record pretend; do
    cc -O1 -shared -fPIC -o "$root/$name.so" "$here/$name.c" -ldl
done
c++ -std=c++11 -O1 -o "$root/replay" "$here/replay.cpp" "$cudart"

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
"$here/cub.sh" "$root" cub headers cub.cu
"$here/cub.sh" "$root" cub-predicated headers-predicated cub.cu
"$here/cub.sh" "$root" cub-radix headers cub.cu -DRADIX
python3 "$here/simulable.py" "$root/cub-radix/cub.sm_70.ptx"
echo "ready: $root"
