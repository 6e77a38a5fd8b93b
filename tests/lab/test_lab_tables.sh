#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm-lab table: lists the tables, prints the points of those that are counted, and draws them.
. "$(dirname "$0")/../cli/expect.sh"

# row HEAD CELLS: fails unless the last table has a row that begins with HEAD and whose cells are CELLS.
row() {
    grep -F "| $1 " ../out | tr -s ' |' ' ' | sed "s/^ //; s/ $//" | grep -qxF "$1 $2" ||
        fail "no row '$1' of '$2': $(grep -F "| $1 " ../out)"
}

expect 0 "$dmm" table
cp ../out names.txt
grep -q '^berney-4.5 .*model ' names.txt || fail 'lists no berney-4.5'
[ "$(cut -d ' ' -f 1 names.txt | sort -u | wc -l)" = "$(wc -l <names.txt)" ] || fail 'a name comes twice'

# Theorem 30 on the two warps of the figure, which is drawn with a cell for each word.
expect 0 "$dmm" table berney-4.1 --svg warps.svg
row 'w = 12, E = 5' '25 25 25'
row 'w = 12, E = 9' '72 72 72'
[ "$(grep -c '<rect' warps.svg)" = $((1 + 12 * 5 + 12 * 9)) ] || fail 'not a cell for each word'
[ "$(grep -c D55E00 warps.svg)" = $((25 + 72)) ] || fail 'aligned words are not red'

# Counts that docs/networks.md has, and that dmm-lab network prints.
expect 0 "$dmm" table fischer-4.9 --svg curves.svg
row '2^20' '34444 2228 105 24668 3143 210 140542 21658'
[ "$(grep -c 'stroke-dasharray' curves.svg)" = 2 ] || fail 'not two curves of the paper'
[ "$(grep -c 'stroke-width' curves.svg)" = 8 ] || fail 'not a curve for each column'
! grep -Ew 'nan|inf' curves.svg || fail 'a picture contains nan or inf'

# Half the matchings leave as many errors as half the steps: a matching that comes again does nothing.
expect 0 "$dmm" table fischer-4.10
new=$(sed -n 's/^| 50  *| *\([0-9.]*\) .*/\1/p' ../out)
half=$(sed -n 's/^| 100  *| *[0-9.]* *| *\([0-9.]*\) .*/\1/p' ../out)
[ -n "$new" ] && [ "$new" = "$half" ] || fail "a repeated matching has an effect: $new, $half"

expect 0 "$dmm" table fischer-4.6
grep -q '^| 0.00243 .* 140542 ' ../out || fail 'the sweep of epsilon misses the default'
expect 0 "$dmm" table fischer-table-4.1
grep -q 'are left out: --full' ../out || fail 'does not say that sizes are left out'

expect 1 "$dmm" table berney-9.9
complains 'dmm-lab: table: berney-9.9: is no table'
expect 1 "$dmm" table --full
complains 'need the NAME of a table'
expect 1 "$dmm" table berney-4.1 --svg /nowhere/a.svg
complains '/nowhere/a.svg'
expect 1 "$dmm" table berney-4.1 fischer-4.9

# What a second translation costs, theorem 2.32, and what a table of the device says of itself.
expect 0 "$dmm" table jurkiewicz-2.32
awk -F '|' '/^\| (scan|rec|sea|ran)/ { n++; if ($4 > $6) exit 1 } END { exit n != 5 }' ../out ||
    fail 'the best cache has more faults than layers'
expect 0 "$dmm" table jurkiewicz-3.6 --svg levels.svg
grep -q 'timed on .*(' ../out || fail 'does not name the device'
! grep -Ew 'nan|inf' levels.svg || fail 'a picture contains nan or inf'

# The exact expectation: w = 4, E = 2 has 70 orders with 232 passes.
expect 0 "$dmm" table berney-expected
grep -q '^| w = 4, E = 2 .* 3.314286 ' ../out || fail 'the expectation of w = 4, E = 2 is wrong'

# The thesis' heap: 5/4 rounds a call, and nothing beyond the bounds of lemma 22 and theorem 20.
expect 0 "$dmm" table berney-table-3.1
row 'n/d = 4^6' '215.8 30.8 153.6 0.33 1.00 2.00 1.250 39.0'
awk -F '|' '/^\| (n\/d|4\^)/ { if (/ - /) next
    n++; if ($6 > 1 || $7 > 1 || $8 < 1 || $9 > 1.25) bad = 1 } END { exit bad || n != 12 }' ../out ||
    fail 'a bound of chapter 3 does not hold'

# All errors that epsilon allows, and sorted.
expect 0 "$dmm" table fischer-errors
row '2^16, 0.00243' '2256 34424 0 0'
row '2^12, 0.0077' '142 34668 0 0'

# Transposition and batches of columns put all items where the gather wants them, or the table fails.
expect 0 "$dmm" table berney-2.5.2
row '127, 8' '13.23 1.17 4.22 3.24'
