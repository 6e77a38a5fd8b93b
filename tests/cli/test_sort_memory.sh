#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm sort --memory: the same files as without it, in every format; errors, full disks, and kills at any moment.
. "$(dirname "$0")/expect.sh"
LC_ALL=C
export LC_ALL

awk 'BEGIN { srand(1); for (i = 0; i < 60000; i++) print int(rand() * 2000000) - 1000000 }' >i.txt
sort -n i.txt >sorted.txt
sort -rn i.txt >reversed.txt

# 800000 bytes: several runs. Text, raw items and .npy; a pipe; in place.
small='--memory 800K'
expect 0 "$dmm" sort $small --check -t i64 i.txt
cmp -s ../out sorted.txt || fail 'differs from sort -n'
is_silent
expect 0 "$dmm" sort $small -r -t i64 - <i.txt
cmp -s ../out reversed.txt || fail 'differs from sort -rn'
expect 0 "$dmm" sort -t i64 i.txt -o whole.npy
expect 0 "$dmm" sort $small --check -t i64 i.txt -o o.npy
cmp -s o.npy whole.npy || fail 'the .npy differs'
expect 0 "$dmm" sort $small -r o.npy -o o.bin
expect 0 "$dmm" sort $small --check --scratch . -t i64 o.bin -o o.csv
cmp -s o.csv sorted.txt || fail 'by way of .npy and .bin differs'
expect 0 "$dmm" sort $small --check -t i64 o.bin -o o.bin
tail -c 480000 whole.npy | cmp -s - o.bin || fail 'the sort in place differs'
leaves i.txt o.bin o.csv o.npy reversed.txt sorted.txt whole.npy

# Values move with their keys, and equal keys keep their order.
awk '{ print $1 % 100 }' i.txt >k.txt
expect 0 "$dmm" sort -t i32 k.txt -o keys.npy --argsort --values-out index.npy
expect 0 "$dmm" sort -t i32 --less '(void)a, (void)b, 0' k.txt -o k.npy
seq 0 59999 | "$dmm" sort -t u32 - -o number.npy
expect 0 "$dmm" sort $small --check k.npy -o keys2.npy --values number.npy --values-out index2.npy
cmp -s keys.npy keys2.npy || fail 'keys with values differ'
cmp -s index.npy index2.npy || fail 'values differ'
expect 0 "$dmm" sort k.npy -r --less 'a % 7 < b % 7' -o less.npy
expect 0 "$dmm" sort $small k.npy -r --less 'a % 7 < b % 7' -o less2.npy
cmp -s less.npy less2.npy || fail '--less differs'

# Small inputs.
for n in 0 1 2 33; do
    head -n $n i.txt | expect 0 "$dmm" sort $small --check -t i64 -
    head -n $n i.txt | sort -n | cmp -s - ../out || fail "$n keys differ"
done
printf '3\r\n\r\n-1.5\r\nnan\r\ninf\r\n1e-7' | expect 0 "$dmm" sort $small -t f64 -
prints '-1.5\n1e-7\n3\ninf\nnan\n'
: >empty.bin
expect 0 "$dmm" sort $small -t u32 empty.bin -o empty.npy
expect 0 "$dmm" sort empty.npy -o empty2.npy
cmp -s empty.npy empty2.npy || fail 'an empty .npy differs'

# More memory than there is: no more is taken than the items need, by any command.
head -n 1000 i.txt | sort -n >t.txt
for memory in 16G 100G 18446744073709551615; do
    expect 0 "$dmm" sort --memory $memory --check -t i64 i.txt
    cmp -s ../out sorted.txt || fail "--memory $memory differs"
    expect 0 "$dmm" sort --memory $memory --check o.npy -o o2.npy
    expect 0 "$dmm" sort o.npy -o o3.npy
    cmp -s o2.npy o3.npy || fail "--memory $memory of an .npy differs"
    expect 0 "$dmm" merge --memory $memory --check o2.npy o3.npy -o o4.npy
    expect 0 "$dmm" merge o2.npy o3.npy -o o5.npy
    cmp -s o4.npy o5.npy || fail "merge --memory $memory differs"
    expect 0 "$dmm" partition --memory $memory -K 2 --expr 'key < 0' -t i64 t.txt -o o4.npy
    expect 0 "$dmm" partition -K 2 --expr 'key < 0' -t i64 t.txt -o o5.npy
    cmp -s o4.npy o5.npy || fail "partition --memory $memory differs"
    expect 0 "$dmm" set --memory $memory -t i64 difference t.txt t.txt
    prints ''
    expect 0 "$dmm" unique --memory $memory -t i64 t.txt
    uniq t.txt | cmp -s - ../out || fail "unique --memory $memory differs"
done
rm o2.npy o3.npy o4.npy o5.npy t.txt

# Errors leave the old file and nothing else.
cp sorted.txt old.txt
refuses "dmm: sort: --memory: '1X' is not a size: bytes, or a number with K, M, G or T" sort --memory 1X i.txt
expect 1 "$dmm" sort --memory 99999999999T i.txt
refuses "dmm: sort: --memory: '0' is not a size" sort --memory 0 i.txt
for command in sort 'partition -K 2 --bits 0:1'; do
    refuses "--scratch: '' is no folder" $command $small --scratch '' -t i64 i.txt
done
refuses 'dmm: sort: i.txt: give -t TYPE: with --memory, text is read once' sort $small i.txt
refuses 'dmm: sort: --memory: is too small for such items' sort --memory 1K -t i64 i.txt
expect 1 "$dmm" sort $small --scratch nowhere -t i64 o.bin -o old.txt
complains 'dmm: sort: nowhere: cannot create a scratch file: No such file or directory'
refuses 'dmm: sort: --scratch: needs --memory SIZE' sort --scratch . i.txt
refuses 'dmm: sort: --argsort: is not offered with --memory' sort $small --argsort -t i64 i.txt
refuses 'dmm: sort: --resume: needs .npy or .bin files' sort $small --resume -t i64 i.txt
expect 1 "$dmm" sort $small -t i64 -o old.txt - <<END
1
2 3
END
complains "dmm: sort: standard input: line 2: '2 3' is more than one number"
(cat i.txt && echo x) | expect 1 "$dmm" sort $small -t i64 -o old.txt -
complains "dmm: sort: standard input: line 60001: 'x' is not a number"
head -c 1001 o.bin >cut.bin
refuses 'dmm: sort: cut.bin: its 1001 bytes are not whole items of 8 bytes' sort $small -t i64 cut.bin -o old.txt
expect 1 "$dmm" sort $small k.npy -o old.txt --values o.npy --value-bytes 4 --values-out v.npy
complains 'dmm: sort: o.npy: its items have 8 bytes, --value-bytes says 4'
head -c 800 o.bin >short.bin
expect 1 "$dmm" sort $small k.npy -o old.txt --values short.bin --value-bytes 8 --values-out v.npy
complains 'dmm: sort: short.bin: it holds 100 values for 60000 keys'
# Free space is checked before the first read: a file of 4 TiB without blocks. Without the check, the limit ends the call.
space() {
    (ulimit -f 100000 && expect 1 "$dmm" "$@") || exit 1
    complains ' GiB are free, but the '
}
if truncate -s 4T huge.bin 2>/dev/null; then
    space sort --memory 1G -t u64 huge.bin -o old.txt
    space sort --memory 1G -t u64 huge.bin -o - --scratch .
    space partition --memory 1G -K 2 --bits 0:1 -t u64 huge.bin -o old.txt
    space merge --memory 1G -t u64 huge.bin huge.bin -o old.txt
    rm huge.bin
fi
# A limit on the size of files stands for a full disk of the scratch file. It is above what the driver's cache writes.
head -c 8000000 /dev/urandom >in.bin
expect 0 "$dmm" sort -t u64 in.bin -o out.bin
some='--memory 8M'
for limit in 6000 12000; do
    (ulimit -f $limit && expect 1 "$dmm" sort $some -t u64 in.bin -o old.txt) || exit 1
    complains 'dmm: sort: .: cannot write the scratch file: File too large'
done
ln -s /dev/full full.bin
refuses 'dmm: sort: full.bin: cannot write: No space left on device' sort $some -t u64 in.bin -o full.bin
cmp -s old.txt sorted.txt || fail 'a failure changed the old file'
[ ! -e v.npy ] || fail 'writes values'
[ -z "$(find . -name '.*' -type f)" ] || fail "a failure leaves files: $(ls -A)"

# An input that changes while it is read is no input: noticed by its time, at the end.
changed() {
    "$dmm" "$@" $some --check -o s.npy 2>../err &
    pid=$!
    until [ -e .s.npy.dmm-0 ]; do kill -0 $pid 2>/dev/null || fail 'ended before its output existed'; done
    kill -STOP $pid
    touch in.npy
    kill -CONT $pid
    wait $pid
    [ $? = 1 ] || fail "takes an input that has changed: $*"
    complains 'in.npy: has changed while it was read: call again'
    [ ! -e s.npy ] || fail 'writes the result of an input that has changed'
}
{ printf '\223NUMPY\002\000\000\000\040\000' # a header of 2 MiB
    printf '%-2097151s\n' "{'descr': '<u8', 'fortran_order': False, 'shape': (1000000,), }"
    cat out.bin; } >in.npy
changed sort in.npy
changed merge in.npy
expect 0 "$dmm" sort $some in.npy -o s.bin
cmp -s s.bin out.bin || fail 'an .npy with a header of 2 MiB differs'
rm in.npy s.bin

# Killed at any moment, a call leaves the old file as it was; with --resume the same call then goes on, and ends with
# nothing left but its output. By turns: soon after the first record of sorted runs; at a random moment of the whole call;
# the same without --resume.
kills=${DMM_TEST_KILLS:-4}
killed=0
resumed=0
i=0
start=$(date +%s%N)
expect 0 "$dmm" sort $some -t u64 in.bin -o whole.bin
lasts=$((($(date +%s%N) - start) / 1000000 + 1))
cmp -s whole.bin out.bin || fail 'beyond memory differs'
while [ $i -lt "$kills" ]; do
    i=$((i + 1))
    mkdir s
    cp old.txt s/out.bin
    resume=--resume
    [ $((i % 4)) = 0 ] && resume=
    "$dmm" sort $some $resume --scratch s -t u64 in.bin -o s/out.bin >/dev/null 2>&1 &
    pid=$!
    if [ $((i % 2)) = 1 ]; then
        while kill -0 $pid 2>/dev/null && ! grep -qs '^part ' s/.dmm-sort-*.state; do sleep 0.01; done
        sleep "0.0$((i * 7 % 10))"
    else
        moment=$(($(od -An -N4 -tu4 /dev/urandom) % lasts))
        sleep "$((moment / 1000)).$(printf %03d $((moment % 1000)))"
    fi
    kill -9 $pid 2>/dev/null && killed=$((killed + 1))
    wait $pid 2>/dev/null
    cmp -s s/out.bin old.txt || cmp -s s/out.bin out.bin || fail "kill $i changed the old file"
    [ -n "$resume" ] || [ "$(ls -A s | grep -v '^.out.bin.dmm-0$')" = out.bin ] ||
        fail "kill $i without --resume leaves $(ls -A s)"
    expect 0 "$dmm" sort $some --resume --scratch s -t u64 in.bin -o s/out.bin
    grep -q 'goes on behind' ../err && resumed=$((resumed + 1))
    cmp -s s/out.bin out.bin || fail "the call after kill $i differs"
    [ "$(ls -A s)" = out.bin ] || fail "the call after kill $i leaves $(ls -A s)"
    rm -r s
done
echo "of $kills calls of $lasts ms, $killed were killed; after that, $resumed went on"
[ $killed -gt 0 ] && [ $resumed -gt 0 ] || fail "$killed calls were killed, $resumed went on"

# Another input under the same name is another job.
mkdir s
cp in.bin s/in.bin
(ulimit -f 12000 && expect 1 "$dmm" sort $some --resume --scratch s -t u64 s/in.bin -o s/out.bin) || exit 1
ls s/.dmm-sort-*.state >/dev/null 2>&1 || fail 'a failure drops what --resume keeps'
"$dmm" sort -r -t u64 in.bin -o s/in.bin || fail 'sort -r'
expect 0 "$dmm" sort $some --resume --scratch s -t u64 s/in.bin -o s/out.bin
grep -q 'goes on' ../err && fail 'goes on with another input'
cmp -s s/out.bin out.bin || fail 'the changed input is sorted wrongly'
rm -r s

# Nothing is resumed that the scratch file does not hold: it may be gone, cut off, empty in the middle, or changed, as may
# be the state. --check judges the keys of the earlier call, too.
cut_short() {
    rm -rf s
    mkdir s
    (ulimit -f 12000 && expect 1 "$dmm" sort $some "$@" --resume --scratch s -t u64 in.bin -o s/out.bin) || exit 1
    state=$(ls s/.dmm-sort-*.state) || fail 'no state to resume'
    scratch=${state%.state}
}
ends_right() {
    expect 0 "$dmm" sort $some --check --resume --scratch s -t u64 in.bin -o s/out.bin
    cmp -s s/out.bin out.bin || fail "$1: the resumed output differs"
    [ "$(ls -A s)" = out.bin ] || fail "$1 leaves $(ls -A s)"
}
cut_short
ends_right 'nothing changed'
grep -q 'goes on behind' ../err || fail '--check with --resume begins anew'
behind=$(sed -n 's/.*goes on behind \([0-9]*\).*/\1/p' ../err)
cut_short --check
rm "$scratch"
ends_right 'the scratch file is gone'
grep -q 'goes on behind' ../err && fail 'goes on behind a file that is gone'
complains "$scratch: has changed or been cut off"
cut_short
truncate -s 1000000 "$scratch"
ends_right 'the scratch file is cut off'
cut_short
truncate -s 1000000 "$scratch" && truncate -s 6000000 "$scratch"
ends_right 'the scratch file has a hole'
cut_short
bytes=$(wc -c <"$scratch")
printf 'x' | dd of="$scratch" bs=1 seek=$((bytes / 5)) conv=notrunc 2>/dev/null
ends_right 'a byte of the scratch file differs'
cut_short
sed '$s/part \([0-9]\)/part 1\1/' "$state" >state && cat state >"$state"
ends_right 'the state has another number'
[ "$(sed -n 's/.*goes on behind \([0-9]*\).*/\1/p' ../err)" -lt "$behind" ] || fail 'believes a changed state'
cut_short
head -c -10 "$state" >state && cat state >"$state"
ends_right 'the state is torn'
rm state

# Only regular files of one's own with one name, without following links or waiting; the message says which to remove.
foreign() {
    expect 1 timeout 60 "$dmm" sort $some --resume --scratch s -t u64 in.bin -o s/out.bin
    complains "$1: "
    complains 'remove it, or name another folder with --scratch'
    [ ! -e s/out.bin ] || fail "writes beside $1"
}
for file in scratch state; do
    cut_short
    eval "path=\$$file"
    rm "$path"
    mkfifo "$path"
    foreign "$path"
    rm "$path"
    : >target
    ln -s ../target "$path"
    foreign "$path"
    rm "$path"
    ln target "$path"
    foreign "$path"
    rm "$path"
    mkdir "$path"
    foreign "$path"
    rmdir "$path"
    if [ "$(id -u)" = 0 ]; then
        : >"$path"
        chown 65534 "$path"
        foreign "$path"
    fi
    [ ! -s target ] || fail 'writes through a link'
    rm -f "$path" target
    ends_right "$file removed"
done

# Another job of the same output takes over the files of the one before.
cut_short
expect 0 "$dmm" sort $some -r --resume --scratch s -t u64 in.bin -o s/out.bin
grep -q 'goes on' ../err && fail 'goes on with another order'
[ "$(ls -A s)" = out.bin ] || fail "another job leaves $(ls -A s)"
rm -r s
