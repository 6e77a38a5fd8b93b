#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds dmm on a machine with a GPU and its driver, but without network or OpenCL packages, runs all
# tests and benchmarks on the GPU, and writes what it saw to a dated text file.
#
# tests/gpu/run.sh [--opencl FOLDER] [--vendor-library FILE] [--build FOLDER] [--results FOLDER]
#   --opencl           OpenCL loader and headers, and cmocka; without it, what the system has. Elsewhere:
#                      apt-get download ocl-icd-libopencl1 ocl-icd-opencl-dev opencl-c-headers \
#                          libcmocka0 libcmocka-dev clinfo
#                      for deb in *.deb; do dpkg -x "$deb" FOLDER; done
#   --vendor-library   the driver's OpenCL library; without it, NVIDIA's is looked for
#   --build            default build/gpu
#   --results          where the text file goes; default: the build folder
# DMM_DEVICE picks among the driver's devices. The exit status is that of the tests.
set -eu
cd "$(dirname "$0")/../.."
opencl=${DMM_OPENCL_ROOT:-} vendor='' build=build/gpu results=''

fail() {
    echo "run.sh: $*" >&2
    exit 1
}

while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || fail "$1: a value is missing"
    case "$1" in
        --opencl) opencl=$2 ;;
        --vendor-library) vendor=$2 ;;
        --build) build=$2 ;;
        --results) results=$2 ;;
        *) fail "$1: unknown option; see the head of this file" ;;
    esac
    shift 2
done
results=${results:-$build}

find_vendor() {
    for file in $(ldconfig -p | sed -n 's/.*libnvidia-opencl\.so\.1 .*=> //p') \
        /usr/local/nvidia/lib64/libnvidia-opencl.so.1 /usr/lib/x86_64-linux-gnu/libnvidia-opencl.so.1 \
        /usr/lib64/libnvidia-opencl.so.1; do
        [ -e "$file" ] && echo "$file" && return
    done
    echo "no libnvidia-opencl.so.1; NVIDIA libraries that are here:" >&2
    find / -xdev -name 'libnvidia*' -o -xdev -name 'libcuda.so*' 2>/dev/null | head -n 20 >&2
    fail "give the driver's OpenCL library with --vendor-library FILE"
}

# The first file of that name in the unpacked packages.
unpacked() {
    path=$(find "$opencl" -name "$1" | head -n 1)
    [ -n "$path" ] || fail "$opencl holds no $1"
    echo "$path"
}

report() {
    echo "date: $(date -u '+%Y-%m-%d %H:%M UTC')"
    echo "driver: $vendor"
    "$build/dmm" devices
    status=0
    ctest --test-dir "$build" --output-on-failure --no-tests=error -LE 'long|oclgrind|package|style' ||
        status=$?
    for bench in "$build"/bench/bench_*; do
        [ -f "$bench" ] || continue
        echo "== ${bench##*/}"
        "$bench" || status=1
    done
    echo "$status" >"$build/status"
}

[ -n "$vendor" ] || vendor=$(find_vendor)
[ -f "$vendor" ] || fail "$vendor: no such file"
vendor=$(realpath "$vendor")
libraries=$(dirname "$vendor")
mkdir -p "$build" "$results"

set -- -DCMAKE_BUILD_TYPE=RelWithDebInfo -DDMM_TESTS=ON -DDMM_METER=OFF
if command -v ninja >/dev/null; then
    set -- "$@" -G Ninja
fi
if [ -n "$opencl" ]; then
    opencl=$(cd "$opencl" && pwd)
    opencl_h=$(unpacked opencl.h) loader=$(unpacked libOpenCL.so)
    cmocka_h=$(unpacked cmocka.h) cmocka=$(unpacked libcmocka.so)
    set -- "$@" -DOpenCL_INCLUDE_DIR="${opencl_h%/CL/*}" -DOpenCL_LIBRARY="$loader" \
        -DCMOCKA_INCLUDE_DIR="${cmocka_h%/*}" -DCMOCKA_LIBRARY="$cmocka"
    libraries=$(dirname "$loader"):$libraries
fi

# Both loaders take a folder with one .icd file: so only this driver is seen.
vendors=$(mktemp -d)
trap 'rm -rf "$vendors"' EXIT
echo "$vendor" >"$vendors/only.icd"
export OCL_ICD_VENDORS="$vendors" OPENCL_VENDOR_PATH="$vendors"
export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

{ cmake -S . -B "$build" "$@" && cmake --build "$build" --parallel; } >"$build/build.log" 2>&1 || {
    cat "$build/build.log"
    fail "the build failed"
}
file=$results/gpu-$(date -u +%Y-%m-%d).txt
echo 1 >"$build/status"
report 2>&1 | tee "$file"
echo "written: $file"
exit "$(cat "$build/status")"
