#!/bin/sh
# SPDX-License-Identifier: MIT
# style.sh CLANG_FORMAT SOURCE_DIR: checks that clang-format would not change any C or C++ file, no line has more than
# 100 columns, no file has more than 500 lines, and no two kernel files have the same name.
set -eu
cd "$2"
folders='cl include host tests bench examples'
# shellcheck disable=SC2086 # lists of names without blanks
kernels=$(find $folders -name '*.cl' -o -name '*.clh')
# shellcheck disable=SC2086
sources=$(find $folders -name '*.[ch]' -o -name '*.cpp' -o -name '*.hpp')
status=0
# shellcheck disable=SC2086
awk 'length > 100 { print "over 100 columns: " FILENAME ":" FNR; long = 1 } END { exit long }' \
    $kernels $sources || status=1
# shellcheck disable=SC2086
"$1" --dry-run -Werror $sources || status=1
for file in $kernels $sources; do
    [ "$(wc -l <"$file")" -le 500 ] || { echo "over 500 lines: $file"; status=1; }
done
# Kernel files are found by their base names, regardless of the folder.
# shellcheck disable=SC2086
twice=$(printf '%s\n' $kernels | sed 's,.*/,,' | sort | uniq -d)
[ -z "$twice" ] || { echo "two kernel files have the same name: $twice"; status=1; }
exit $status
