#!/bin/sh
# SPDX-License-Identifier: MIT
# source_tree.sh SOURCE_DIR BUILD_DIR [BEFORE]: lists the files of the source folder with sizes and times, except those
# of builds and of git. With BEFORE, an earlier list: fails if a file was added, removed or changed since. Tests may
# write only to the build folder.
set -eu
list() {
    find "$1" \( -path "$1/build" -o -path "$2" -o -name .git \) -prune -o -type f -printf '%P %s bytes %T+\n' | LC_ALL=C sort
}
[ $# = 3 ] || { list "$1" "$2"; exit; }
list "$1" "$2" | diff "$3" - || { echo "the source folder changed while the tests ran"; exit 1; }
