#!/bin/sh
# SPDX-License-Identifier: MIT
# style.sh CLANG_FORMAT SOURCE_DIR: every C and C++ file is as clang-format would write it.
set -eu
cd "$2"
find include host tests bench examples \( -name '*.[ch]' -o -name '*.cpp' \) | {
    status=0
    while read -r file; do
        "$1" "$file" | cmp -s - "$file" || { echo "not formatted: $file"; status=1; }
    done
    exit $status
}
