#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds dmm on a machine with a GPU and its driver, which may lack a network and OpenCL packages, and, if nvcc
# is installed, CUB and Thrust as peers. Runs all tests and benchmarks on the GPU, except those of the meter,
# which need a simulator. Writes the output to a dated text file and the measurements to a JSON file beside it.
#
# tests/gpu/run.sh [--only tests|bench] [--size --quick|--usual|--full] [--opencl FOLDER]
#                  [--vendor-library FILE] [--build FOLDER] [--results FOLDER]
#   --only             runs one part; bench/gpu.sh calls this script with --only bench
#   --size             size of the benchmarks, default --full: up to 2^28 items
#   --opencl           folder with the OpenCL loader and headers, and cmocka; default: those of the system. To make
#                      the folder on another machine:
#                      apt-get download ocl-icd-libopencl1 ocl-icd-opencl-dev opencl-c-headers \
#                          libcmocka0 libcmocka-dev clinfo
#                      for deb in *.deb; do dpkg -x "$deb" FOLDER; done
#   --vendor-library   the driver's OpenCL library; default: searches for NVIDIA's
#   --build            build folder, default build/gpu
#   --results          folder for the two files, default: the build folder
# DMM_DEVICE selects one of the driver's devices. The exit status is 0 if everything passed.
set -eu
cd "$(dirname "$0")/../.."
opencl=${DMM_OPENCL_ROOT:-} vendor='' build=build/gpu results='' only='' size=--full

fail() {
    echo "run.sh: $*" >&2
    exit 1
}

while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || fail "$1: missing value"
    case "$1" in
        --only) only=$2 ;;
        --size) size=$2 ;;
        --opencl) opencl=$2 ;;
        --vendor-library) vendor=$2 ;;
        --build) build=$2 ;;
        --results) results=$2 ;;
        *) fail "$1: unknown option; see the head of this file" ;;
    esac
    shift 2
done
results=${results:-$build}
case "$only" in '' | tests | bench) ;; *) fail "--only $only: expected tests or bench" ;; esac
case "$size" in
    --quick) n=2^18 points=10^5 ;;
    --usual) n=2^22 points=10^6 ;;
    --full) n=2^28 points=10^7 ;;
    *) fail "--size $size: see the head of this file" ;;
esac

find_vendor() {
    for file in $(ldconfig -p | sed -n 's/.*libnvidia-opencl\.so\.1 .*=> //p') \
        /usr/local/nvidia/lib64/libnvidia-opencl.so.1 /usr/lib/x86_64-linux-gnu/libnvidia-opencl.so.1 \
        /usr/lib64/libnvidia-opencl.so.1; do
        [ -e "$file" ] && echo "$file" && return
    done
    echo "run.sh: libnvidia-opencl.so.1 not found; NVIDIA libraries of this system:" >&2
    find / -xdev -name 'libnvidia*' -o -xdev -name 'libcuda.so*' 2>/dev/null | head -n 20 >&2
    fail "name the driver's OpenCL library with --vendor-library FILE"
}

# unpacked NAME: prints the first file of that name in the unpacked packages.
unpacked() {
    path=$(find "$opencl" -name "$1" | head -n 1)
    [ -n "$path" ] || fail "$opencl: $1 not found"
    echo "$path"
}

run_tests() {
    ctest --test-dir "$build" --output-on-failure --no-tests=error \
        -LE 'long|oclgrind|package|style|bench|meter'
}

# bench WORD OPTION...: runs a program of bench/ with more items than `dmm bench`. Skips the peers on the host, which
# would take minutes. A failure does not stop the other programs.
bench() {
    word=$1
    shift
    echo "== bench_$word $*"
    "$build/bench/bench_$word" "$@" --peers --skip c,std,vqsort,cgal,qconvex,boost --json "$json" || failed=1
}

# worst-256-17 is the worst input of CUB's merge sort, which has 256 threads per block and 17 items of 4 bytes per
# thread: Policy600 of cub/device/dispatch/tuning/tuning_merge_sort.cuh, CCCL 3.0.
run_benches() {
    failed=0
    set -- --peers --json "$json"
    [ "$size" = --usual ] || set -- "$@" "$size"
    if command -v gnuplot >/dev/null; then
        set -- "$@" --plot "$results/pictures"
    fi
    "$build/dmm" bench "$@" || failed=1
    bench sort --n $n --input random,worst,worst-256-17
    bench sort --n $n --type i32 --input random,worst
    bench sort --n $n --values 4 --input random,worst-256-17
    bench sort --n $n --type u64
    bench merge --n $n
    bench scan --n $n
    bench partition --n $n
    bench shuffle --n $n
    bench hull --n $points --input disc,square,ring,circle
    return $failed
}

report() {
    status=0
    echo "date: $(date -u '+%Y-%m-%d %H:%M UTC')"
    echo "driver: $vendor"
    nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem --format=csv,noheader 2>/dev/null || :
    "$build/dmm" devices
    [ "$only" = bench ] || run_tests || status=1
    [ "$only" = tests ] || run_benches || status=1
    echo "$status" >"$build/status"
}

[ -n "$vendor" ] || vendor=$(find_vendor)
[ -f "$vendor" ] || fail "$vendor: no such file"
vendor=$(realpath "$vendor")
libraries=$(dirname "$vendor")
mkdir -p "$build" "$results"

tests=ON
[ "$only" != bench ] || tests=OFF
cuda=AUTO
[ ! -e "$libraries/libcuda.so.1" ] || cuda=ON
set -- -DCMAKE_BUILD_TYPE=RelWithDebInfo -DDMM_METER=OFF -DDMM_TESTS=$tests -DDMM_CUDA=$cuda
if command -v ninja >/dev/null; then
    set -- "$@" -G Ninja
fi
if [ -n "$opencl" ]; then
    opencl=$(cd "$opencl" && pwd)
    opencl_h=$(unpacked opencl.h) loader=$(unpacked libOpenCL.so)
    set -- "$@" -DOpenCL_INCLUDE_DIR="${opencl_h%/CL/*}" -DOpenCL_LIBRARY="$loader"
    if [ "$only" != bench ]; then
        cmocka_h=$(unpacked cmocka.h) cmocka=$(unpacked libcmocka.so)
        set -- "$@" -DCMOCKA_INCLUDE_DIR="${cmocka_h%/*}" -DCMOCKA_LIBRARY="$cmocka"
    fi
    libraries=$(dirname "$loader"):$libraries
fi

# Both OpenCL loaders accept a folder of .icd files. With one file in it, they load only this driver.
vendors=$(mktemp -d)
trap 'rm -rf "$vendors"' EXIT
echo "$vendor" >"$vendors/only.icd"
export OCL_ICD_VENDORS="$vendors" OPENCL_VENDOR_PATH="$vendors"
export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

{ cmake -S . -B "$build" "$@" && cmake --build "$build" --parallel; } >"$build/build.log" 2>&1 || {
    cat "$build/build.log"
    fail "the build failed"
}
file=$results/gpu-$(date -u +%Y-%m-%d).txt json=$results/gpu-$(date -u +%Y-%m-%d).json
echo 1 >"$build/status"
report 2>&1 | tee "$file"
echo "written: $file $json"
exit "$(cat "$build/status")"
