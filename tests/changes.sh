#!/bin/sh
# SPDX-License-Identifier: MIT
# changes.sh SOURCE_DIR DMM: checks that CHANGELOG.md begins with the version of the headers and names each primitive,
# by the name of its header, and each command.
set -eu
dmm=$2
cd "$1"
status=0
complain() {
    echo "CHANGELOG.md: $*"
    status=1
}

# version PART: prints a number of version.h
version() {
    sed -n "s/^#define DMM_VERSION_$1 *//p" include/dmm/version.h
}
version="$(version MAJOR).$(version MINOR).$(version PATCH)"
[ "$("$dmm" --version)" = "dmm $version" ] || complain "dmm --version does not print $version"
first=$(sed -n 's/^## //p' CHANGELOG.md | head -n 1)
case $first in
    "$version, not yet released" | "$version, "20[0-9][0-9]-[0-1][0-9]-[0-3][0-9]) ;;
    *) complain "the first section is '$first', not '$version, not yet released' or '$version, DATE'" ;;
esac

for header in include/dmm/*.h; do
    word=$(basename "$header" .h)
    grep -q "^DMM_API dmm_status dmm_${word}_enqueue(" "$header" || continue
    grep -q "\`dmm_$word\`" CHANGELOG.md || complain "dmm_$word is missing"
done
for command in $("$dmm" --help | sed -nE 's/^  ([a-z]+) {2,}[a-z].*/\1/p'); do
    grep -q "\`$command\`\|\`dmm $command\`" CHANGELOG.md || complain "the command $command is missing"
done
exit $status
