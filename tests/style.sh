#!/bin/sh
# SPDX-License-Identifier: MIT
# style.sh CLANG_FORMAT SOURCE_DIR: every C and C++ file is as clang-format would write it, no line has more than
# 100 columns, no file has more than 400 lines, and kernel files have names of their own.
set -eu
cd "$2"
folders='cl include host tests bench examples'
# shellcheck disable=SC2086 # lists of names without blanks
kernels=$(find $folders -name '*.cl' -o -name '*.clh')
# shellcheck disable=SC2086
sources=$(find $folders -name '*.[ch]' -o -name '*.cpp')
status=0
# shellcheck disable=SC2086
awk 'length > 100 { print "over 100 columns: " FILENAME ":" FNR; long = 1 } END { exit long }' \
    $kernels $sources || status=1
# shellcheck disable=SC2086
"$1" --dry-run -Werror $sources || status=1
for file in $kernels $sources; do
    [ "$(wc -l <"$file")" -le 400 ] || { echo "over 400 lines: $file"; status=1; }
done
# Kernel files are found by their base names, whatever the folder.
# shellcheck disable=SC2086
twice=$(printf '%s\n' $kernels | sed 's,.*/,,' | sort | uniq -d)
[ -z "$twice" ] || { echo "two kernel files have one name: $twice"; status=1; }
exit $status
