#!/bin/sh
# SPDX-License-Identifier: MIT
# ctest: optimised
# dmm tune: probes, searches in child processes that may fail in any way, continues after it was stopped,
# writes a file that the library reads, and keeps the rows of others in that file.
. "$(dirname "$0")/expect.sh"

# A shared file, installed: its rows apply, stronger than built-in ones and weaker than the user's; its facts do not.
mkdir installed
{ "$dmm" tune --share; echo 'tune permute 4 tile=4096'; echo 'fact banks=8'; echo 'tune no-such-word 4'; } >installed/a.tuning
echo 'not a tuning file' >installed/b.tuning
echo 'not read' >installed/c.txt
expect 0 env DMM_TUNING_FOLDER=installed "$dmm" --verbose devices
grep -q 'tune permute  *4  .*tile=4096  built in' ../out || fail 'the installed row is not read'
grep -q 'banks  *8 ' ../out && fail 'a fact of an installed file counts'
complains 'installed/a.tuning:'
complains 'installed/b.tuning:1: '
printf 'dmm tuning 1\nany\ntune permute 4 tile=2048\n' >user
expect 0 env DMM_TUNING_FOLDER=installed "$dmm" --tuning user tune --share
grep -q '^tune permute 4 .*tile=2048' ../out || fail 'the row of the user is not shared'
rm -r installed user
refuses '--share: takes no other option of dmm tune' tune --share --save shared
liar=${2-}

refuses "dmm: tune: --word: no primitive 'nope' is tuned" --device 99 tune --word nope # the word is checked first
[ ! -s ../out ] || fail 'probes before it rejects the word'

expect 0 "$dmm" tune --probe
grep -qE '^(probe   banks|fact    banks)' ../out || fail 'prints nothing about banks'
grep -qE '^(rate    launch=|probe .*a simulator)' ../out || fail 'does not time launches'
grep -qE '^(probe   groups of|fact    max_group)' ../out || fail 'does not try groups'
[ -z "$(ls -A)" ] || fail 'leaves files'

expect 0 "$dmm" --set form=cpu tune --word permute -n 2000 --save own
leaves own
grep -qx 'dmm tuning 1' own || fail 'writes no tuning file'
grep -q '^device  ' own && grep -q '^driver  ' own && grep -q '^date    20' own || fail 'writes no header'
grep -qE '^permute +4 bytes' ../out || fail 'prints nothing about 4 bytes'
expect 0 "$dmm" --tuning own devices
grep -q 'tuning file  own' ../out || fail 'does not use its own file'
expect 0 "$dmm" --tuning own --verbose sort - </dev/null
grep -q 'skipped' ../err && fail 'writes rows that it cannot read'

# Keeps rows of other devices and comments; replaces rows that are measured again.
device=$(sed -n 's/^device  //p' own)
cat >own <<END
dmm tuning 1
device  another one
tune    permute 4 E=1
device  $device
date    1999-12-31
# by hand
tune    scan 4 form=cpu E=2
tune    permute 4 E=1 # old
END
expect 0 "$dmm" --set form=cpu tune --word permute -n 2000 --save own
[ "$(grep -c '^device' own)" = 2 ] || fail 'loses or duplicates a device'
grep -qx 'tune    permute 4 E=1' own || fail "loses another device's row"
grep -qx '# by hand' own && grep -q 'scan 4 form=cpu E=2' own || fail 'loses a line'
grep -qE '1999|old' own && fail 'keeps a row that was measured again'
echo 'a letter' >letter
refuses 'this is not a tuning file' --set form=cpu tune --word transpose -n 2000 --save letter
[ "$(cat letter)" = 'a letter' ] || fail 'overwrites a file that is not a tuning file'
[ ! -e letter.part ] || fail 'searches before it refuses the file'
refuses 'is no regular file' --set form=cpu tune --word transpose -n 2000 --save .
mkfifo fifo
refuses 'is no regular file' --set form=cpu tune --word transpose -n 2000 --save fifo
rm fifo
printf 'dmm tuning 1\ndevice  a\n# \0\ntune scan 4 E=2\n' >letter
refuses 'letter: line 3 holds a NUL byte: it is no text' --set form=cpu tune --word transpose -n 2000 --save letter
{ echo 'dmm tuning 1'; yes '# a long file' | head -c 1050000; } >letter
refuses 'or has more than 1 MiB' --set form=cpu tune --word transpose -n 2000 --save letter
rm letter

# Sections as the library reads them: blanks before and behind, a comment, no newline at the end.
printf 'dmm tuning 1\n  device  %s # mine\n date 1999-12-31\n tune permute 4 E=1\n device b\ntune scan 4 E=2' "$device" >mine
expect 0 "$dmm" --set form=cpu tune --word permute -n 2000 --save mine
[ "$(grep -c '^ *device' mine)" = 2 ] && grep -qx 'tune scan 4 E=2' mine && grep -qx "device  $device" mine ||
    fail 'loses a row or a section'
grep -qE '1999|E=1' mine && fail 'keeps a row of an indented section'
rm mine

# If a driver fails for some parameters, only these are lost.
if [ -n "$liar" ]; then
    expect 0 env LD_PRELOAD="$liar" DMM_LIAR_CRASH='DMM_TILE=2048 ' DMM_LIAR_HANG='DMM_TILE=8192 ' \
        DMM_LIAR_WRONG='DMM_TILE=131072 ' "$dmm" --set form=cpu tune --word permute -n 2000 --save own
    grep -qx '    3 of 5 trials crashed, hung or were wrong' ../out || fail 'detects no failure'
    grep -E '^tune +permute 4 ' own | grep -qE 'tile=(2048|8192|131072)( |$)' && fail 'chooses parameters that failed'
    grep -q '^permute  *4 bytes.*default' ../out || fail 'stops after a failure'
    leaves own
    expect 0 env LD_PRELOAD="$liar" DMM_LIAR_WRONG='DMM_E=' \
        "$dmm" --set form=cpu tune --word scan -n 2000 --save own
    grep -qE '^scan +4 bytes +wrong' ../out || fail 'does not report that the default is wrong'
    grep -q 'scan 4 form=cpu E=2' own || fail 'loses a row that it could not measure'
fi

# Continues after it was stopped.
rm -f own
"$dmm" --set form=cpu tune --word permute -n 2000 --save own >../out 2>../err &
tuning=$!
for _ in $(seq 600); do
    [ "$(wc -l 2>/dev/null <own.part)" -gt 3 ] 2>/dev/null && break
    sleep 0.1
done
kill -TERM $tuning
wait $tuning
leaves own.part
known=$(($(wc -l <own.part) - 1))
expect 0 "$dmm" --set form=cpu tune --word permute -n 2000 --save own
grep -q "goes on: $known trials are known" ../out || fail "does not continue from $known trials"
leaves own
echo 'trials of something else' >own.part
expect 0 "$dmm" --set form=cpu tune --word transpose -n 2000 --save own
grep -q 'goes on' ../out && fail 'continues from trials of another search'

refuses "no primitive 'nonsense' is tuned" tune --word nonsense --save own
refuses 'exclude each other' tune --quick --thorough
refuses 'at least 1024' tune -n 5 --save own
refuses 'too many operands' tune trial
refuses 'cannot read this tuning file' --tuning nowhere devices
exit 0
