#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh CMAKE BUILD_DIR WORK_DIR CC: installs a build to a fresh prefix, moves it (an installed tree may
# be moved), and builds and runs a program against it by CMake and by pkg-config, shared and static.
set -eu
cmake=$1 build=$2 work=$3 cc=$4
source=$(cd "$(dirname "$0")" && pwd)

rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/first" >"$work/install.log"
prefix=$work/prefix
mv "$work/first" "$prefix"
libdir=$(dirname "$(find "$prefix" -name libdmm.a)")

for shared in ON OFF; do
    echo "find_package, BUILD_SHARED_LIBS=$shared"
    "$cmake" -S "$source" -B "$work/cmake-$shared" -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_C_COMPILER="$cc" -DBUILD_SHARED_LIBS=$shared >"$work/cmake-$shared.log"
    "$cmake" --build "$work/cmake-$shared" >>"$work/cmake-$shared.log"
    "$work/cmake-$shared/consumer"
done

command -v pkg-config >/dev/null || exit 0
export PKG_CONFIG_PATH="$libdir/pkgconfig"
cflags=$(pkg-config --cflags dmm)

echo "pkg-config, shared"
# shellcheck disable=SC2046,SC2086 # lists of words
"$cc" $cflags "$source/main.c" -o "$work/shared" $(pkg-config --libs dmm) -Wl,-rpath,"$libdir"
"$work/shared"

echo "pkg-config, static"
libs=$(pkg-config --static --libs dmm | sed 's/-ldmm/-l:libdmm.a/')
# shellcheck disable=SC2086
"$cc" $cflags "$source/main.c" -o "$work/static" $libs
"$work/static"

echo "the installed command"
"$prefix/bin/dmm" --version
