#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh CMAKE PREFIX WORK_DIR CC: builds and runs programs against the installation in PREFIX, with CMake and with
# pkg-config, shared and static.
set -eu
cmake=$1 prefix=$2 work=$3 cc=$4
source=$(cd "$(dirname "$0")" && pwd)
libdir=$(dirname "$(find "$prefix" -name libdmm.a)")
rm -rf "$work"
mkdir -p "$work"

for shared in ON OFF; do
    echo "find_package, BUILD_SHARED_LIBS=$shared"
    "$cmake" -S "$source" -B "$work/cmake-$shared" -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_C_COMPILER="$cc" -DBUILD_SHARED_LIBS=$shared >"$work/cmake-$shared.log"
    "$cmake" --build "$work/cmake-$shared" >>"$work/cmake-$shared.log"
    if grep -i 'warning\|pragma message' "$work/cmake-$shared.log"; then exit 1; fi
    "$work/cmake-$shared/consumer"
    "$work/cmake-$shared/model_consumer"
    [ -z "$(find "$prefix" -name libdmm-mpi.a)" ] || "$work/cmake-$shared/mpi_consumer"
    [ -z "$(find "$prefix" -name libdmm-lab.a)" ] || "$work/cmake-$shared/lab_consumer"
done

command -v pkg-config >/dev/null || exit 0
export PKG_CONFIG_PATH="$libdir/pkgconfig"
cflags=$(pkg-config --cflags dmm)

echo "pkg-config, shared"
# shellcheck disable=SC2046,SC2086 # lists of words
"$cc" -Werror $cflags "$source/main.c" -o "$work/shared" $(pkg-config --libs dmm) -Wl,-rpath,"$libdir" 2>"$work/shared.log"
cat "$work/shared.log"
[ ! -s "$work/shared.log" ]
"$work/shared"
# shellcheck disable=SC2046
"$cc" -std=c11 $(pkg-config --cflags dmm-model) "$source/model.c" -o "$work/model" $(pkg-config --libs dmm-model) \
    -Wl,-rpath,"$libdir"
"$work/model"

if [ -e "$libdir/libdmm-mpi.a" ] && command -v mpicc >/dev/null; then
    # shellcheck disable=SC2046
    OMPI_CC=$cc mpicc $(pkg-config --cflags dmm-mpi) "$source/mpi.c" -o "$work/mpi" $(pkg-config --libs dmm-mpi) \
        -Wl,-rpath,"$libdir"
    "$work/mpi"
fi

echo "pkg-config, static"
libs=$(pkg-config --static --libs dmm | sed 's/-ldmm/-l:libdmm.a/')
# shellcheck disable=SC2086
"$cc" $cflags "$source/main.c" -o "$work/static" $libs
"$work/static"
libs=$(pkg-config --static --libs dmm-model | sed 's/-ldmm-model/-l:libdmm-model.a/')
# shellcheck disable=SC2046,SC2086
"$cc" -std=c11 $(pkg-config --cflags dmm-model) "$source/model.c" -o "$work/model-static" $libs
"$work/model-static"

if [ -e "$libdir/libdmm-lab.a" ]; then
    # shellcheck disable=SC2046
    "$cc" $(pkg-config --cflags dmm-lab) "$source/lab.c" -o "$work/lab" $(pkg-config --libs dmm-lab)
    "$work/lab"
fi

echo "the installed command, its manual and its completion"
LD_LIBRARY_PATH=$libdir "$prefix/bin/dmm" --version
files='man/man1/dmm.1 man/man1/dmm-sort.1 bash-completion/completions/dmm zsh/site-functions/_dmm fish/vendor_completions.d/dmm.fish dmm/tuning.d/README dmm/group/sort.clh'
if [ -e "$libdir/libdmm-mpi.a" ]; then
    LD_LIBRARY_PATH=$libdir "$prefix/bin/dmm-mpi" --version
    files="$files man/man1/dmm-mpi.1 man/man1/dmm-mpi-sort.1 bash-completion/completions/dmm-mpi"
fi
if [ -e "$libdir/libdmm-lab.a" ]; then
    LD_LIBRARY_PATH=$libdir "$prefix/bin/dmm-lab" --version
    files="$files man/man1/dmm-lab.1 man/man1/dmm-lab-sort.1 bash-completion/completions/dmm-lab"
fi
for file in $files; do
    [ -s "$prefix/share/$file" ] || [ -s "$prefix/share/$file.gz" ]
done
