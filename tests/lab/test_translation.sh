#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm-lab translation: a small run prints a row for each program and size and the growth of each, and draws two pictures.
. "$(dirname "$0")/../cli/expect.sh"

expect 0 "$dmm" translation --least 500 -n 900 --repeats 1 --svg times.svg --svg-pages pages.svg
is_silent
for program in 'sequential scan' 'random scan' permute heapify introsort 'binary search' heapsort; do
    [ "$(grep -c "^$program .* [0-9.]* .*%" ../out)" = 2 ] || fail "$program does not have two sizes"
    grep -q "^$program .* ns .* ns " ../out || fail "no growth of $program"
    grep -q ">$program<" times.svg || fail "times.svg lacks $program"
    grep -q ">$program<" pages.svg || fail "pages.svg lacks $program"
done
grep -q '^permute  *700 ' ../out || fail 'n does not grow by 1.4'
grep -qE 'In pages of 2 MiB, by the system|does not say which' ../out || fail 'prints nothing about pages'
[ "$(grep -c '<polyline' times.svg)" = 14 ] || fail 'not one curve for each program and page size'
[ "$(grep -c '<polyline' pages.svg)" = 7 ] || fail 'not one curve for each program'
! grep -Ew 'nan|inf' times.svg pages.svg || fail 'a picture contains nan or inf'
cp ../out table.txt
expect 0 "$dmm" translation --from table.txt --svg again.svg
prints ''
sed 's/points="[^"]*"//' times.svg | grep '<poly' >shapes.txt
sed 's/points="[^"]*"//' again.svg | grep '<poly' | cmp -s - shapes.txt || fail 'the picture from a table differs'
refuses 'holds no row' translation --from times.svg
refuses 'holds no row' translation --from /dev/null
# Files without an end.
expect 1 timeout 20 "$dmm" translation --from /dev/zero
complains 'line 1 is too long for a table of dmm-lab translation, or is not text'
yes | expect 1 timeout 20 "$dmm" translation --from /dev/stdin
complains 'has more than 65536 lines'
refuses 'cannot open' translation --from nowhere.txt
expect 0 "$dmm" translation --least 4 -n 4 --repeats 1 --seconds 0 --svg small.svg
! grep -Ew 'nan|inf' small.svg || fail 'the picture of one size contains nan or inf'
refuses 'dmm-lab: translation: --elements: must be at least --least' translation -n 100
refuses 'the nodes of one path' translation --tlb 4
refuses '/nowhere/times.svg' translation --svg /nowhere/times.svg --least 4 -n 4 --repeats 1
expect 1 "$dmm" translation --from table.txt --svg one.svg --svg-pages ./one.svg
complains 'dmm-lab: translation: --svg-pages: is the file of --svg'
[ ! -e one.svg ] || fail 'writes a refused picture'
for number in -1e308 1e308 inf nan 0.00; do
    sed "s/^\(permute  *[0-9]*  *[0-9.]*  *\)[0-9.]*/\1$number/" table.txt >wrong.txt
    refuses 'a count or a time is out of range' translation --from wrong.txt --svg wrong.svg
    [ ! -e wrong.svg ] || fail "draws a table of $number"
done
