#!/bin/sh
# SPDX-License-Identifier: MIT
# amalgamation.sh PYTHON SOURCE EMBEDDED WORK: makes dmm.c and dmm.h in WORK and compiles them with each of gcc, clang,
# mingw-w64 and musl's gcc that is there, without warnings. Runs a program of gcc's, and of mingw's where wine64 is.
set -eu
python=$1 source=$2 embedded=$3 work=$4
rm -rf "$work"
mkdir -p "$work/include"
"$python" "$source/cmake/amalgamate.py" "$source" "$embedded" "$work"
cd "$work"
# OpenCL's headers alone, for compilers of other systems.
printf '#include <CL/cl.h>\n' | cc -E -x c - | sed -n 's,^# [0-9]* "\(.*\)/CL/cl.h".*,\1/CL,p' | head -n 1 |
    xargs -I '{}' cp -r '{}' include/CL
cat >use.c <<'C'
#include "dmm.h"

#include <stdio.h>

int main(void)
{
    unsigned keys[] = {3, 1, 2};
    dmm_context *ctx = NULL;
    dmm_status status = dmm_context_create(&ctx, NULL);
    if (status == DMM_OK)
        status = dmm_sort_host(ctx, &(dmm_sort_desc){.order.type = DMM_U32}, keys, NULL, 3);
    printf("%u %u %u, %s\n", keys[0], keys[1], keys[2], dmm_status_string(status));
    dmm_context_free(ctx);
    return status != DMM_OK;
}
C

# compile NAME COMPILER OPTION...: compiles both, for program NAME.
compile() {
    name=$1
    shift
    command -v "$1" >/dev/null || { echo "$name: skipped: there is no $1"; return 0; }
    compiler=$1
    shift
    "$compiler" -std=c11 -Wall -Wextra -pedantic -Wshadow -Wconversion -Werror "$@" -I include -c dmm.c -o "$name.o"
    "$compiler" -std=c11 "$@" -I include use.c "$name.o" -o "$name" -lpthread
    echo "$name: compiled"
}
compile gcc gcc
# Functions of headers are unused as in any program; clang says so in the file itself.
compile clang "$(command -v clang clang-14 clang-16 clang-18 | head -n 1)" -Wno-unused-function
compile musl musl-gcc
compile mingw.exe x86_64-w64-mingw32-gcc -static -Wno-format
[ -e gcc ] && [ "$(./gcc)" = "1 2 3, success" ] && echo "gcc: sorts"
for wine in wine64 /usr/lib/wine/wine64 ''; do
    command -v "$wine" >/dev/null && break
done
if [ -e mingw.exe ] && [ -n "$wine" ]; then
    server=$(command -v wineserver || echo /usr/lib/wine/wineserver)
    export WINEPREFIX="$work/prefix" WINEDEBUG=-all
    trap '"$server" -k || :' EXIT
    "$wine" ./mingw.exe 2>"$work/wine.log" | tr -d '\r' | grep -qx '1 2 3, success' && echo "mingw.exe: sorts"
fi
