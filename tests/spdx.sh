#!/bin/sh
# SPDX-License-Identifier: MIT
# spdx.sh SOURCE_DIR: every file that can hold a comment names its licence in its first three lines. The rest, prose and
# what programs wrote, is under LICENSE as well.
set -eu
cd "$1"

# unmarked: the files of the list on standard input that name no licence.
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
[ "$(echo "$files" | wc -l)" -gt 100 ] || { echo "no sources in $1"; exit 1; }
wrong=$(echo "$files" | unmarked)
[ -z "$wrong" ] || { printf 'no "SPDX-License-Identifier: MIT" in\n%s\n' "$wrong"; exit 1; }
[ "$(echo /dev/null | unmarked)" = /dev/null ] || { echo 'an unmarked file would pass'; exit 1; }
