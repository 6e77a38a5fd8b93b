#!/bin/sh
# SPDX-License-Identifier: MIT
# ctest: optimised
# dmm cache, and --cache: compiled programs are kept, used, shown and removed.
. "$(dirname "$0")/expect.sh"

XDG_CACHE_HOME=$PWD/user
export XDG_CACHE_HOME
mkdir user # PoCL creates it, too, unless POCL_CACHE_DIR names another folder
expect 0 "$dmm" cache
prints "folder    $XDG_CACHE_HOME/dmm\nprograms  0\nbytes     0\n"
printf '3\n1\n2\n' >in.txt
expect 0 "$dmm" --cache kept sort in.txt
prints '1\n2\n3\n'
expect 0 "$dmm" --cache kept cache --info
grep -q '^programs  [1-9]' ../out || fail 'the cache is empty'
expect 0 "$dmm" --cache kept sort in.txt
prints '1\n2\n3\n'
is_silent
for file in kept/*; do echo garbage >"$file"; done
expect 0 "$dmm" --cache kept --verbose sort in.txt
prints '1\n2\n3\n'
complains 'not a sound program of this device: built anew'
expect 0 "$dmm" --cache kept cache --clear
leaves in.txt kept user
expect 0 "$dmm" --cache kept cache
prints 'folder    kept\nprograms  0\nbytes     0\n'
mkfifo kept/0123456789abcdef.dmm
expect 0 timeout 60 "$dmm" --cache kept sort in.txt
for file in kept/*; do rm "$file" && mkfifo "$file"; done
expect 0 timeout 60 "$dmm" --cache kept --verbose sort in.txt
prints '1\n2\n3\n'
complains 'not a file that this user alone can write: skipped'
mkdir kept/0123456789abcdee.dmm
expect 1 "$dmm" --cache kept cache --clear
complains 'dmm: cache: kept: not all programs could be removed'
rmdir kept/0123456789abcdee.dmm
expect 0 "$dmm" --cache kept cache --clear
expect 0 "$dmm" --cache '' sort in.txt
leaves in.txt kept user
expect 1 "$dmm" --cache '' cache
complains 'give --cache FOLDER'
expect 1 "$dmm" cache --info --clear
complains 'exclude each other'
expect 1 "$dmm" --cache in.txt cache
complains 'cannot be read'
