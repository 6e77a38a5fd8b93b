#!/bin/sh
# SPDX-License-Identifier: MIT
# primitives.sh SOURCE_DIR: checks that each primitive (a header with dmm_<word>_enqueue) has a row in classes.h and one in
# docs/primitives.md, and a test beside its failing call, and that docs/errors.md has each status. A row that lacks anything
# else does not compile or link.
set -eu
cd "$1"
status=0
# fails TEXT: prints an error.
fails() {
    echo "primitives.sh: $1"
    status=1
}

words=$(grep -l '^DMM_API dmm_status dmm_[a-z_]*_enqueue(' include/dmm/*.h | sed 's|.*/||; s|\.h$||' | LC_ALL=C sort)
rows=$(sed -n 's/^    ROW([A-Z_]*, \([a-z_]*\)).*/\1/p' host/primitives/classes.h | LC_ALL=C sort)
[ "$(echo "$rows" | wc -l)" -ge 17 ] || fails 'found too few primitives'
[ "$words" = "$rows" ] || fails "headers of primitives: $(echo $words); rows of classes.h: $(echo $rows)"
# In dmm.hpp also the plan, which has a row of its own.
hpp=$(sed -n 's/^ *ROW(\([a-z_]*\)).*/\1/p' include/dmm/dmm.hpp | LC_ALL=C sort)
[ "$hpp" = "$rows" ] || fails "rows of dmm.hpp: $(echo $hpp); rows of classes.h: $(echo $rows)"
for word in $words; do
    grep -q "\[\`dmm_$word\`\](\.\./include/dmm/$word\.h)" docs/primitives.md || fails "dmm_$word: not in docs/primitives.md"
    grep -l "dmm_${word}_enqueue(" tests/*/test_*.c tests/support/*.c | grep -qv faults || fails "dmm_$word: no test"
done
for code in $(sed -n 's/^    \(DMM_[A-Z_]*\) = [1-9].*/\1/p' include/dmm/status.h); do
    grep -q "\`$code\`" docs/errors.md || fails "$code: not in docs/errors.md"
done
exit "$status"
