#!/bin/sh
# SPDX-License-Identifier: MIT
# Sorts files beyond memory: dmm sort --memory beside a plain external sort (bench/peers/external_sort.cpp) on u64 keys,
# beside dmm sort of all keys in memory, where a sixth of the memory holds them, and beside sort -n on text; and dmm
# partition --memory. Prints wall and processor seconds, MiB/s of the input, the share of the rate at which the
# same file is copied to the disk in the same run, and the peak of memory, the OpenCL driver included. The input is
# dropped from the file cache before each row. Outputs are compared. Needs GNU time.
#
# bench/external.sh [MIB [MEMORY_MIB [FOLDER [TEXT_MIB]]]]   default 1024, 128, a folder in $TMPDIR or /tmp, MIB / 8
# Uses the build in build/default, or in $DMM_BUILD. Takes four times MIB, or TEXT_MIB, of the folder.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
mib=${1:-1024} memory=${2:-128} text=${4:-$((${1:-1024} / 8))} build=${DMM_BUILD:-$here/build/default}
folder=$(mktemp -d "${3:-${TMPDIR:-/tmp}}/external.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
folder=$(pwd)
LC_ALL=C TMPDIR=$folder
export LC_ALL TMPDIR

# measure NAME MIB INPUT COMMAND...: prints a row. The first one of an input is the copy.
measure() {
    name=$1 size=$2 input=$3
    shift 3
    sync
    dd if="$input" iflag=nocache count=0 status=none
    command time -o time.txt -f '%e %U %S %M' "$@"
    read -r seconds user system peak <time.txt
    [ -n "$copy" ] || copy=$seconds
    echo "$name $size $seconds $user $system $peak $copy" | awk '{ printf "| %s | %d | %.1f | %.1f | %.0f | %.2f | %.0f |\n",
        $1, $2, $3, $4 + $5, $2 / $3, $7 / $3, $6 / 1024 }'
}

echo "$mib MiB of random u64 keys, about $text MiB of text, $memory MiB allowed, $(nproc) cores," \
    "$(awk '/^MemTotal/ { printf "%d MiB of memory", $2 / 1024 }' /proc/meminfo), $(date -u +%Y-%m-%d)"
head -c "${mib}M" /dev/urandom >in.bin
copy=
echo '| | MiB | seconds | CPU seconds | MiB/s | of the copy | peak MiB |'
echo '|---|--:|--:|--:|--:|--:|--:|'
measure copy "$mib" in.bin dd if=in.bin of=copy.bin bs=16M conv=fdatasync status=none
rm copy.bin
measure dmm-sort "$mib" in.bin "$build/dmm" sort --memory "${memory}M" --scratch . -t u64 in.bin -o dmm.bin
measure external_sort "$mib" in.bin "$build/bench/peers/external_sort" $((memory << 20)) in.bin peer.bin scratch
cmp dmm.bin peer.bin
rm peer.bin
measure dmm-partition "$mib" in.bin "$build/dmm" partition --memory "${memory}M" --scratch . -t u64 -K 256 --bits 56:64 \
    in.bin -o parts.bin
if [ $((mib * 6 << 10)) -lt "$(awk '/^MemTotal/ { print $2 }' /proc/meminfo)" ]; then
    measure dmm-sort-in-memory "$mib" in.bin "$build/dmm" sort -t u64 in.bin -o whole.bin
    cmp dmm.bin whole.bin
    measure dmm-partition-in-memory "$mib" in.bin "$build/dmm" partition -t u64 -K 256 --bits 56:64 in.bin -o whole.bin
    cmp parts.bin whole.bin
    rm whole.bin
fi
rm dmm.bin parts.bin

# Text: random numbers below 2^32, one a line, of 10.7 bytes on average.
head -c $((text * 24405 * 16)) in.bin | od -An -v -w4 -tu4 | tr -d ' ' >in.txt
rm in.bin
size=$(($(wc -c <in.txt) >> 20))
copy=
measure copy-text "$size" in.txt dd if=in.txt of=copy.txt bs=16M conv=fdatasync status=none
rm copy.txt
measure dmm-sort-text "$size" in.txt "$build/dmm" sort --memory "${memory}M" --scratch . -t u32 in.txt -o dmm.txt
measure sort-n-text "$size" in.txt sort -n --parallel=2 -S "${memory}M" -T . -o peer.txt in.txt
cmp dmm.txt peer.txt
