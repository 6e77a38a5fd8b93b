#!/bin/sh
# SPDX-License-Identifier: MIT
# compilers.sh SOURCE_DIR CXX...: compiles the test of <dmm/dmm.hpp> by each compiler as C++17, 20 and 23.
set -eu
source=$1
shift
for compiler in "$@"; do
    for standard in 17 20 2b; do
        echo "$compiler -std=c++$standard"
        "$compiler" -std=c++$standard -Wall -Wextra -pedantic -Wshadow -Wconversion -Werror -fsyntax-only \
            -I "$source/include" "$source/tests/hpp/hpp.cpp"
    done
done
