#!/bin/sh
# SPDX-License-Identifier: MIT
# changes.sh SOURCE_DIR DMM: checks that CHANGELOG.md begins with the version of the headers and of the command, and that
# a version not yet released has at most 30 lines.
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
    "$version, not yet released")
        lines=$(awk '/^## / { sections++ } sections == 1' CHANGELOG.md | wc -l)
        [ "$lines" -le 30 ] || complain "$lines lines for a version not yet released: at most 30"
        ;;
    "$version, "20[0-9][0-9]-[0-1][0-9]-[0-3][0-9]) ;;
    *) complain "the first section is '$first', not '$version, not yet released' or '$version, DATE'" ;;
esac
exit $status
