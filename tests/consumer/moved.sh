#!/bin/sh
# SPDX-License-Identifier: MIT
# moved.sh CMAKE BUILD_DIR WORK_DIR CC: installs a build, moves the installed tree, and uses it from its new place.
set -eu
rm -rf "$3"
mkdir -p "$3"
"$1" --install "$2" --prefix "$3/first" >"$3/install.log"
mv "$3/first" "$3/prefix"
"$3/prefix/bin/dmm" --version >"$3/version"
"$(dirname "$0")/run.sh" "$1" "$3/prefix" "$3/work" "$4"
