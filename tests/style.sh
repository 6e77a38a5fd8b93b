#!/bin/sh
# SPDX-License-Identifier: MIT
# style.sh CLANG_FORMAT SOURCE_DIR: every C and C++ file is as clang-format would write it, kernels have lines of at
# most 100 columns, and no file has more than 400 lines.
set -eu
cd "$2"
find cl include host tests bench examples \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.cl' -o -name '*.clh' \) | {
    status=0
    while read -r file; do
        case $file in
            *.cl | *.clh) awk -v file="$file" 'length > 100 { print "over 100 columns: " file ":" FNR; long = 1 }
                END { exit long }' "$file" || status=1 ;;
            *) "$1" "$file" | cmp -s - "$file" || { echo "not formatted: $file"; status=1; } ;;
        esac
        [ "$(wc -l <"$file")" -le 400 ] || { echo "over 400 lines: $file"; status=1; }
    done
    exit $status
}
