#!/bin/sh
# SPDX-License-Identifier: MIT
# ctest: optimised
# dmm selftest, which a user runs first on an untested driver.
. "$(dirname "$0")/expect.sh"

expect 0 "$dmm" selftest
grep -q '^PASS  scan, sums  *u32\.\.' ../out || fail 'does not show the scan'
for check in 'merge  *u32' 'sort by merge  *u32'; do
    grep -q "^PASS  $check" ../out || fail "does not show $check"
done
# The device may have less memory than that takes, or another test may be using it.
grep -qE '^(PASS|SKIP)  scan, beyond 2 GiB  *u64' ../out || fail 'does not show the scan beyond 2 GiB'
grep -q '^PASS  sort by radix  *i8\.\..* f64\.\.' ../out || fail 'does not show every type'
grep -qE '^PASS: ([0-9]+) of \1 checks passed in [0-9.]+ s' ../out || fail 'has no summary'
[ "$(sed -n 's/^PASS: [0-9]* of \([0-9]*\) .*/\1/p' ../out)" -ge 110 ] || fail 'makes too few checks'
is_silent

# Drivers that give wrong results only for large reads or launches of many groups, and one that crashes.
liar=${2-}
if [ -n "$liar" ]; then
    expect 3 env LD_PRELOAD="$liar" DMM_LIAR_READS=1000000 "$dmm" selftest permute
    grep -q '^FAIL  permute  .*3000017 items: item [0-9]* is wrong' ../out || fail 'does not detect wrong large reads'
    complains 'dmm: selftest: the device computes wrong results'
    expect 3 env LD_PRELOAD="$liar" DMM_LIAR_GROUPS=5000 "$dmm" selftest 'sort, wide'
    grep -q '^FAIL  sort, wide values .*3000017 items: item [0-9]* is wrong' ../out || fail 'misses a lost work-group'
    expect 3 env LD_PRELOAD="$liar" DMM_LIAR_CRASH='DMM_SCAN_OP=1' "$dmm" --cache '' selftest scan
    grep -q '^FAIL  scan, maxima  *i32, 1 items: the driver crashed: signal 6' ../out ||
        fail 'does not name the check that crashed'
    complains "dmm: selftest: the device's driver crashed"
fi

expect 0 "$dmm" selftest merge 'top k'
[ "$(sed -n 's/^PASS  \([a-z]*\).*/\1/p' ../out | sort -u | tr '\n' ' ')" = 'merge top ' ] ||
    fail 'does not make exactly the checks that were named'
# Parameters that a GPU would get: the radix sort has smaller tiles than the parts in which buckets are found.
expect 0 env DMM_SET=form=gpu "$dmm" selftest partition
refuses "dmm: selftest: no check's name begins like that" selftest extra
expect 2 "$dmm" --device 'no such device' selftest
[ -z "$(ls -A)" ] || fail "leaves files behind"
