#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh build CMAKE SOURCE WORK   builds the library for Windows, its archive, and the programs of tests that run quickly
# run.sh archive CMAKE SOURCE WORK   builds a program with CMake against the unpacked archive, and runs the self-test
# run.sh tests CMAKE SOURCE WORK   runs the tests
# Needs mingw-w64 and, but for `build`, wine, which gets a folder of its own: WORK/prefix.
set -eu
do=$1 cmake=$2 source=$3 work=$4
export WINEPREFIX="$work/prefix" WINEDEBUG=-all
toolchain=$source/cmake/mingw.cmake

case $do in
build)
    # Little optimisation: nearly all the time of the tests is PoCL's.
    "$cmake" -S "$source" -B "$work/build" -G Ninja --toolchain "$toolchain" -D CMAKE_BUILD_TYPE=Debug \
        -D CMAKE_C_FLAGS_DEBUG=-O1 -D DMM_WERROR=ON -D DMM_BENCH=OFF >"$work/configure.log"
    "$cmake" --build "$work/build" --target all windows_quick package >"$work/build.log" ||
        { tail -n 30 "$work/build.log"; exit 1; }
    names=$(x86_64-w64-mingw32-objdump -p "$work/build/libdmm.dll" | sed -n 's/^.*\] \(dmm_[a-z0-9_]*\)$/\1/p')
    echo "$names" | LC_ALL=C sort | diff -u "$source/tests/symbols.txt" - ||
        { echo "libdmm.dll does not export what tests/symbols.txt lists"; exit 1; }
    ! x86_64-w64-mingw32-objdump -p "$work/build/libdmm.dll" | sed -n 's/.*DLL Name: //p' |
        grep -vix 'kernel32.dll\|advapi32.dll\|msvcrt.dll' ||
        { echo "libdmm.dll needs this library, which Windows does not have"; exit 1; }
    ;;
archive)
    rm -rf "$work/archive" "$work/consumer"
    mkdir "$work/archive"
    (cd "$work/archive" && "$cmake" -E tar xf "$work/build"/dmm-*.zip)
    prefix=$(echo "$work/archive"/dmm-*)
    "$cmake" -S "$source/tests/windows/consumer" -B "$work/consumer" --toolchain "$toolchain" \
        -D dmm_DIR="$prefix/lib/cmake/dmm" -D OpenCL_INCLUDE_DIR="$work/build/opencl/include" \
        -D OpenCL_LIBRARY="$work/build/opencl/libOpenCL.dll.a" >"$work/consumer.log"
    "$cmake" --build "$work/consumer" >>"$work/consumer.log" || { tail -n 30 "$work/consumer.log"; exit 1; }
    cp "$prefix/bin/libdmm.dll" "$work/consumer"
    wine=$(sed -n 's/^DMM_WINE:.*=//p' "$work/consumer/CMakeCache.txt")
    cd "$work/consumer"
    rm -rf "$work/prefix/drive_c/dmm test"
    "$wine" ./selftest.exe form=cpu 'C:\dmm test\cache'
    # The folder is made along backslashes, and its programs are of this user alone.
    [ "$(find "$work/prefix/drive_c/dmm test/cache" -name '*.dmm' | wc -l)" -gt 10 ]
    ;;
tests)
    # One server for all tests, because it takes seconds to start; its services must not hold the pipe of the first test.
    server=$(command -v wineserver || echo /usr/lib/wine/wineserver)
    trap '"$server" -k' EXIT
    "$server" -p
    "$(sed -n 's/^DMM_WINE:.*=//p' "$work/build/CMakeCache.txt")" wineboot --init >"$work/wineboot.log" 2>&1 </dev/null
    ctest --test-dir "$work/build" -j 2 -L quick --output-on-failure --no-tests=error
    ;;
esac
