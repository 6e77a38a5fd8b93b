#!/bin/sh
# SPDX-License-Identifier: MIT
# spdx.sh SOURCE_DIR: checks that every file that can contain a comment names its licence in the first three lines. The
# other files, prose and generated files, are also under LICENSE.
set -eu
cd "$1"

# unmarked: reads a list of files from standard input and prints those that name no licence.
unmarked() {
    while read -r file; do
        case $file in
            LICENSE | *.md | *.json | *.svg | *.readings | bench/results/*) continue ;;
            tests/*abi.txt | tests/*symbols.txt | tests/fuzz/corpus/*) continue ;;
        esac
        head -n 3 "$file" | grep -q 'SPDX-License-Identifier: MIT$\|SPDX-License-Identifier: MIT \*/$' || echo "$file"
    done
}

files=$(find . -name build -prune -o -name .git -prune -o -type f -print | sed 's|^\./||')
[ "$(echo "$files" | wc -l)" -gt 100 ] || { echo "spdx.sh: found too few sources in $1"; exit 1; }
wrong=$(echo "$files" | unmarked)
[ -z "$wrong" ] || { printf 'no "SPDX-License-Identifier: MIT" in\n%s\n' "$wrong"; exit 1; }
[ "$(echo /dev/null | unmarked)" = /dev/null ] || { echo 'spdx.sh: a file without a licence would pass'; exit 1; }
