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
refuses 'dmm: cache: kept: not all programs could be removed' --cache kept cache --clear
rmdir kept/0123456789abcdee.dmm
expect 0 "$dmm" --cache kept cache --clear
expect 0 "$dmm" --cache '' sort in.txt
leaves in.txt kept user
refuses 'give --cache FOLDER' --cache '' cache
refuses 'exclude each other' cache --info --clear
refuses 'cannot be read' --cache in.txt cache

# What killed calls left in folders: the unfinished, listed or removed; not what lives, is whole or is of other programs.
mkdir left
for name in .o.npy.dmm-0 .o.npy.dmm-17 .dmm-sort-0123456789abcdef .dmm-sort-0123456789abcdef.state .dmm-sort-77-0 \
    .dmm-sort-00000000000000aa.state .a.whole-12 .a.dmm- .dmm-5 a.dmm-5 .dmm-sort-notes .a.dmm-5x; do
    printf 12345 >left/$name
done
ln -s ../in.txt left/.b.dmm-0
mkfifo left/.c.dmm-0
mkdir left/.d.dmm-0
expect 0 "$dmm" cache left
sed 's/  */ /g' ../out >../list
mv ../list ../out
prints 'whole 5 left/.a.whole-12\njob 5 left/.dmm-sort-00000000000000aa.state\njob 5 left/.dmm-sort-0123456789abcdef\njob 5 left/.dmm-sort-0123456789abcdef.state
job 5 left/.dmm-sort-77-0\noutput 5 left/.o.npy.dmm-0\noutput 5 left/.o.npy.dmm-17\n'
if command -v flock >/dev/null; then
    expect 0 flock left/.o.npy.dmm-17 "$dmm" cache left
    grep -q 'npy.dmm-17' ../out && fail 'lists a file that a process has locked'
    expect 0 flock left/.dmm-sort-0123456789abcdef "$dmm" cache --clear left
    [ -e left/.dmm-sort-0123456789abcdef.state ] || fail 'removes the state of a job that a process has locked'
fi
expect 0 "$dmm" cache --clear left left
cd left || exit 1
leaves .a.dmm- .a.dmm-5x .a.whole-12 .b.dmm-0 .c.dmm-0 .d.dmm-0 .dmm-5 .dmm-sort-notes a.dmm-5
cd ..
refuses 'no-such-folder: this folder cannot be read' cache no-such-folder
rm -r left
# A program that a killed writer has not finished.
: >kept/0123456789abcdef.dmm.a1B2c3
expect 0 "$dmm" --cache kept cache --clear
[ -z "$(ls -A kept)" ] || fail 'an unfinished program is left'
