#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh DMM LIBDMM FAKE FOLDER: programs find the OpenCL that they should, or say what is missing. FAKE is a library
# whose platform is "Liar"; FOLDER has the programs.
set -eu
dmm=$1 libdmm=$2 fake=$3 folder=$4
unset DMM_OPENCL_LIBRARY LD_PRELOAD
none=$folder/loading_calls_none some=$folder/loading_calls_some

# expect WHAT PATTERN COMMAND...: the command prints a line that the pattern matches.
expect() {
    what=$1 pattern=$2
    shift 2
    printed=$("$@" 2>&1) || true
    echo "$printed" | grep -q -e "$pattern" || {
        echo "$what: no line matches '$pattern':"
        echo "$printed"
        exit 1
    }
    echo "$what: as expected"
}

needs_opencl() {
    LC_ALL=C readelf -d "$1" | grep 'NEEDED.*libOpenCL' >/dev/null
}
for file in "$dmm" "$libdmm" "$none"; do
    readelf -d "$file" | grep NEEDED >/dev/null
    ! needs_opencl "$file" || { echo "$file needs libOpenCL"; exit 1; }
done
needs_opencl "$some"


system=$("$none" | head -n 1)
case $system in
    Liar | "no OpenCL"*) echo "the system's loader: $system"; exit 1 ;;
esac
expect "the variable, a program" '^Liar$' env DMM_OPENCL_LIBRARY="$fake" "$none"
expect "the variable, the command" 'platform Liar,' env DMM_OPENCL_LIBRARY="$fake" "$dmm" devices
expect "a preloaded library, a program" '^Liar$' env LD_PRELOAD="$fake" "$none"
expect "a preloaded library, the command" 'platform Liar,' env LD_PRELOAD="$fake" "$dmm" devices
expect "a loader that a module has brought" '^Liar$' "$none" "$fake"
expect "two loaders in the process" ': 1 2 3$' "$some" "$fake"

missing='DMM_OPENCL_LIBRARY=/nonexistent cannot be loaded: .*: give the path of an OpenCL library'
expect "a wrong variable, a program's log" "^log: dmm_context_create: $missing" env DMM_OPENCL_LIBRARY=/nonexistent "$none"
expect "a wrong variable, a program" '^no OpenCL platform: install' env DMM_OPENCL_LIBRARY=/nonexistent "$none"
expect "a wrong variable, the command" "^$missing" env DMM_OPENCL_LIBRARY=/nonexistent "$dmm" devices
expect "a library of another kind" '=libm.so.6 has no clBuildProgram, a function of OpenCL 1.2' \
    env DMM_OPENCL_LIBRARY=libm.so.6 "$none"
expect "help without OpenCL" '^Usage: dmm' env DMM_OPENCL_LIBRARY=/nonexistent "$dmm" --help

# Hides the system's loader: an empty file lies over each of its files.
hide() {
    unshare -rm sh -c 'for file in $(ldconfig -p | sed -n "s/.*libOpenCL.* => //p"); do
        mount --bind "$0" "$file" || exit 1; done; exec "$@"' "$empty" "$@"
}
empty=$(mktemp)
trap 'rm "$empty"' EXIT
if ! PATH=$PATH:/sbin hide true 2>/dev/null; then
    echo "not tested: without a loader, since this system permits no mounts in a namespace"
    exit 0
fi
PATH=$PATH:/sbin
expect "no loader, a program's log" '^log: dmm_context_create: OpenCL is not installed: libOpenCL.so.1 was not found: install' hide "$none"
expect "no loader, a program" '^no OpenCL platform: install' hide "$none"
expect "no loader, the command" '^OpenCL is not installed: .*ocl-icd-libopencl1' hide "$dmm" devices
expect "no loader, help" '^Usage: dmm' hide "$dmm" --help
expect "no loader of the system, but one of a module" '^Liar$' hide "$none" "$fake"
expect "no loader, a program that is linked with it" 'libOpenCL.so.1: file too short' hide "$some"
