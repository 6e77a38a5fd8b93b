#!/bin/sh
# SPDX-License-Identifier: MIT
# ctest: default optimised
# dmm devices: the list as text and JSON, and the diagnosis of installations without a device.
. "$(dirname "$0")/expect.sh"

expect 0 "$dmm" devices
grep -q '^0: ' ../out || fail 'lists no device'
grep -qE '^    banks +[0-9]+  (default|table|query)$' ../out || fail 'lists no banks'
expect 0 "$dmm" --set banks=16,lanes=8 devices
grep -qE '^    banks +16  override$' ../out || fail 'does not show what --set overrides'
expect 0 env DMM_SET=banks=16 "$dmm" devices
grep -qE '^    banks +16  override$' ../out || fail 'does not show what DMM_SET overrides'
expect 1 "$dmm" --set banks=5 devices
expect 0 "$dmm" --device 0 devices
[ "$(grep -c '^[0-9]*: ' ../out)" = 1 ] || fail 'lists more than the device that --device names'
expect 2 "$dmm" --device 99 devices
complains 'dmm: devices: --device: no OpenCL device fits the request'
[ ! -s ../out ] || fail 'lists devices that --device does not name'
expect 0 "$dmm" devices --json
python=$(command -v python3)
if [ -n "$python" ]; then
    "$python" -c 'import json, sys
all = json.load(sys.stdin)["devices"]
assert all[0]["index"] == 0 and all[0]["facts"]["banks"]["value"] > 0' <../out 2>../err ||
        fail 'prints no valid JSON of devices'
fi

# Loaders that read OCL_ICD_VENDORS find an empty folder; others still find their devices.
mkdir vendors
OCL_ICD_VENDORS=$PWD/vendors
OPENCL_VENDOR_PATH=$PWD/vendors
export OCL_ICD_VENDORS OPENCL_VENDOR_PATH
"$dmm" devices >../out 2>../err
code=$?
[ $code != 0 ] || exit 0
expect 2 "$dmm" devices
complains "OCL_ICD_VENDORS=$PWD/vendors"
complains 'no .icd file: no OpenCL driver is installed there'
complains 'apt install pocl-opencl-icd'
complains 'dmm: devices: no OpenCL device'
expect 2 "$dmm" devices --json
prints '{\n  "devices": []\n}\n'
expect 2 "$dmm" sort - </dev/null
complains 'dmm: sort: no OpenCL platform: install an ICD'
echo libno-such-driver.so.1 >vendors/gone.icd
: >vendors/empty.icd
expect 2 "$dmm" devices
complains 'gone.icd  names libno-such-driver.so.1, which was not found: reinstall that driver'
complains 'empty.icd  cannot be read, or is empty'

# A container with the driver's library, but without its .icd file.
mkdir lib
: >lib/libnvidia-opencl.so.1
expect 2 env LD_LIBRARY_PATH="$PWD/lib" "$dmm" devices
complains 'libnvidia-opencl.so.1'
complains 'but no .icd file names it'
complains '/etc/OpenCL/vendors/nvidia.icd'
echo libnvidia-opencl.so.1 >vendors/nvidia.icd
expect 2 env LD_LIBRARY_PATH="$PWD/lib" "$dmm" devices
complains 'nvidia.icd  names libnvidia-opencl.so.1'
grep -q 'but no .icd file names it' ../err && fail 'suggests a step that is already done'
exit 0
