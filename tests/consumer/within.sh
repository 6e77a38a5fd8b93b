#!/bin/sh
# SPDX-License-Identifier: MIT
# within.sh CMAKE SOURCE WORK_DIR CC: builds and installs programs that have dmm as a part of their project: by
# add_subdirectory, with the shared library that the linker finds OpenCL for, and by FetchContent, as a user would.
# Only the library that is used is built, and only the program is installed.
set -eu
cmake=$1 source=$2 work=$3 cc=$4
rm -rf "$work"
mkdir -p "$work"

for way in add_subdirectory FetchContent; do
    options=''
    [ $way = FetchContent ] || options='-DBUILD_SHARED_LIBS=ON -DDMM_OPENCL=link'
    # shellcheck disable=SC2086 # a list of words
    "$cmake" -S "$source/tests/consumer/within" -B "$work/$way" -G Ninja -DCMAKE_C_COMPILER="$cc" -DDMM="$source" \
        -DWAY=$way $options -DCMAKE_INSTALL_PREFIX="$work/$way.prefix" >"$work/$way.log"
    "$cmake" --build "$work/$way" >>"$work/$way.log"
    steps=$(sed -n 's,^\[[0-9]*/\([0-9]*\)\].*,\1,p' "$work/$way.log" | tail -n 1)
    "$work/$way/application"
    "$cmake" --install "$work/$way" >>"$work/$way.log"
    installed=$(cd "$work/$way.prefix" && find . -type f | LC_ALL=C sort | tr '\n' ' ')
    echo "$way: $steps steps; installed: $installed"
    [ "$installed" = './bin/application ' ]
    if find "$work/$way" -name '*.o' | grep '/cli/\|/model/\|/meter/'; then exit 1; fi
    if grep -i 'warning\|pragma message' "$work/$way.log"; then exit 1; fi
done
