#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm selftest: what a user runs first on a driver that nobody has tried.
. "$(dirname "$0")/expect.sh"

expect 0 "$dmm" selftest
grep -q '^PASS  scan, sums  *u32\.\.' ../out || fail 'does not show the scan'
grep -q '^PASS  sort by radix  *i8\.\..* f64\.\.' ../out || fail 'does not show every type'
grep -qE '^PASS: ([0-9]+) of \1 checks passed in [0-9.]+ s' ../out || fail 'has no summary'
is_silent
expect 1 "$dmm" selftest extra
complains 'dmm: selftest'
expect 2 "$dmm" --device 'no such device' selftest
[ -z "$(ls -A)" ] || fail "leaves files behind"
