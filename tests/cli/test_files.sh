#!/bin/sh
# SPDX-License-Identifier: MIT
# ctest: default
# A failure leaves the old output unchanged and no other file behind: full disks, signals, folders.
. "$(dirname "$0")/expect.sh"

awk 'BEGIN { for (i = 0; i < 1500000; i++) print 1500000 - i }' >i.txt
echo old >o.txt

# Simulates a full disk by a limit on file size. The limit is large enough for the driver's files; o.txt
# would have 11 MB.
# shellcheck disable=SC2317 # reached by way of expect
limited() {
    (ulimit -f 8192 && "$@")
}
expect 1 limited "$dmm" sort i.txt -o o.txt
complains 'dmm: sort: o.txt: cannot write: File too large'
[ "$(cat o.txt)" = old ] || fail 'a full disk changes the old file'
leaves i.txt o.txt
expect 1 limited "$dmm" sort i.txt -o i.txt
[ "$(wc -l <i.txt)" = 1500000 ] || fail 'a full disk changes the input'
expect 1 limited "$dmm" sort -t i32 i.txt -o o.txt --argsort --values-out new.txt
[ "$(cat o.txt)" = old ] || fail 'a full disk changes the old file'
leaves i.txt o.txt

# Signals remove the new file. Each is sent as soon as the file exists, before the keys are sorted.
# A shell starts background processes with SIGINT and SIGQUIT ignored, and dmm keeps them ignored.
for signal in TERM HUP ALRM ABRT INT QUIT QUIT QUIT; do
    default=''
    case $signal in
    INT | QUIT)
        default="env --default-signal=$signal"
        $default true 2>/dev/null || break
        ;;
    esac
    $default "$dmm" sort i.txt -o o.txt 2>../err &
    process=$!
    until [ "$(echo .o.txt.*)" != '.o.txt.*' ]; do
        kill -0 $process 2>/dev/null || fail 'ended before its new file existed'
    done
    kill -$signal $process
    wait $process
    code=$?
    [ $code -gt 128 ] || fail "SIG$signal gives exit code $code"
    [ "$(cat o.txt)" = old ] || fail "SIG$signal changes the old file"
    leaves i.txt o.txt
done

# SIGKILL leaves the new file; the next call for the output removes it, unless its process lives.
"$dmm" sort i.txt -o o.txt 2>../err &
process=$!
trap 'kill -KILL $process 2>/dev/null' EXIT # a stopped process would keep ctest waiting
until grep -qs ":$(stat -c %i .o.txt.dmm-0 2>/dev/null || echo none) " /proc/locks; do # it exists and is locked
    kill -0 $process 2>/dev/null || fail 'ended before its new file was locked'
done
kill -STOP $process
cp o.txt old.txt
expect 0 "$dmm" sort i.txt -o o.txt
[ -e .o.txt.dmm-0 ] || fail 'removes the file of a process that lives'
kill -KILL $process
wait $process
trap - EXIT
leaves .o.txt.dmm-0 i.txt o.txt old.txt
expect 0 "$dmm" sort i.txt -o o.txt
leaves i.txt o.txt old.txt
: >.o.txt.dmm-0
: >.o.txt.dmm-2
: >.o.txt.dmm-99
: >.i.txt.dmm-0
ln -s i.txt .o.txt.dmm-1
expect 0 "$dmm" sort i.txt -o o.txt
leaves .i.txt.dmm-0 .o.txt.dmm-1 i.txt o.txt old.txt
rm .o.txt.dmm-1 .i.txt.dmm-0
mv old.txt o.txt

# SIGQUIT and SIGABRT also end the command during the driver's work, although its compiler handles them.
if env --default-signal=QUIT true 2>/dev/null; then
    for wait in 0.3 0.5 0.7; do
        for signal in QUIT ABRT; do
            env --default-signal=$signal "$dmm" --cache '' sort i.txt -o o.txt 2>../err &
            process=$!
            sleep $wait
            kill -$signal $process 2>/dev/null
            wait $process
            code=$?
            [ $code = 131 ] || [ $code = 134 ] || [ $code = 0 ] || fail "SIG$signal gives exit code $code"
            echo old >o.txt
            leaves i.txt o.txt
        done
    done
fi

# Permissions are kept, links stay links, and other kinds of files are written directly.
chmod 640 o.txt
ln -s o.txt l.txt
expect 0 "$dmm" sort i.txt -o l.txt
[ -L l.txt ] || fail 'a link was replaced'
[ -n "$(find o.txt -perm 640)" ] || fail 'permissions changed'
[ "$(head -n 1 o.txt)" = 1 ] || fail 'the output did not go through the link'
ln -s new.txt dangling.txt
expect 0 "$dmm" sort o.txt -o dangling.txt
[ -L dangling.txt ] || fail 'a dangling link was replaced'
cmp -s o.txt new.txt || fail 'the new file is not at the target of the link'
ln -s loop.txt loop.txt
refuses 'dmm: sort: loop.txt: cannot write: Too many levels of symbolic links' sort o.txt -o loop.txt
rm new.txt dangling.txt loop.txt
ln o.txt hard.txt
expect 0 "$dmm" sort --reverse i.txt -o hard.txt
[ "$(stat -c %h o.txt)" = 2 ] || fail 'a hard link is no longer one'
[ "$(head -n 1 o.txt)" = 1500000 ] || fail 'the output did not go through the hard link'
seq 3 >few.txt
expect 0 "$dmm" sort few.txt -o o.txt
cmp -s few.txt hard.txt || fail 'the end of the old file is left'
expect 0 "$dmm" sort --reverse hard.txt -o o.txt
[ "$(tr '\n' ' ' <hard.txt)" = '3 2 1 ' ] || fail 'an input that is a hard link to the output is lost'
expect 1 limited "$dmm" sort i.txt -o o.txt
[ "$(tr '\n' ' ' <hard.txt)" = '3 2 1 ' ] || fail 'a full disk changes the old file'
rm hard.txt few.txt
expect 0 "$dmm" sort i.txt -o o.txt
mkfifo p.txt
cat p.txt >q.txt &
expect 0 "$dmm" sort o.txt -o p.txt
wait
cmp -s o.txt q.txt || fail 'a pipe gets other data'
leaves i.txt l.txt o.txt p.txt q.txt

mkdir folder.txt
refuses 'dmm: sort: folder.txt: ' sort i.txt -o folder.txt
refuses 'dmm: sort: no/such/o.txt: ' sort i.txt -o no/such/o.txt
refuses 'dmm: sort: folder.txt: ' sort folder.txt
if [ "$(id -u)" != 0 ]; then
    chmod 440 o.txt
    refuses 'dmm: sort: o.txt: cannot write: Permission denied' sort i.txt -o o.txt
    mkdir locked
    echo old >locked/o.txt
    chmod 555 locked
    expect 1 "$dmm" sort i.txt -o locked/o.txt
    complains 'dmm: sort: locked/o.txt: cannot create a file in its folder: Permission denied'
    chmod 755 locked
fi

# Two outputs must be different files, under any paths and whether they exist or not.
rm -rf ./*
seq 9 >a.txt
ln -s . self
for other in s.txt ./s.txt self/s.txt "$PWD/s.txt"; do
    expect 1 "$dmm" sort a.txt -o s.txt --argsort --values-out "$other"
    complains "dmm: sort: $other: each output needs a file of its own"
    expect 1 "$dmm" topk -k 3 --index a.txt -o s.txt --values-out "$other"
    complains "dmm: topk: $other: each output needs a file of its own"
    expect 1 "$dmm" partition -K 3 --expr 'key % 3' a.txt -o s.txt --offsets "$other"
    complains "dmm: partition: $other: each output needs a file of its own"
    leaves a.txt self
done
ln -s new.txt link.txt
refuses 'each output needs a file of its own' sort a.txt -o new.txt --argsort --values-out link.txt
refuses 'dmm: sort: standard output: each output needs a file of its own' sort a.txt --argsort --values-out -
expect 0 "$dmm" sort a.txt -o s.txt --argsort --values-out t.txt
rm link.txt t.txt

# No file may get the descriptor of a closed standard stream.
# shellcheck disable=SC2317 # reached by way of expect
without() {
    stream=$1
    shift
    case $stream in
    0) "$@" <&- ;;
    1) "$@" >&- ;;
    2) "$@" 2>&- ;;
    esac
}
expect 0 without 2 "$dmm" --verbose sort a.txt -r -o a.txt
[ "$(head -n 1 a.txt)" = 9 ] || fail 'the log went into the output'
[ "$(wc -l <a.txt)" = 9 ] || fail 'the log went into the output'
expect 1 without 1 "$dmm" sort a.txt --argsort --values-out s.txt
expect 1 without 1 "$dmm" --help
expect 0 without 1 "$dmm" sort a.txt -o s.txt
cmp -s s.txt - <<END || fail 'other text went into the output'
$(seq 9)
END
expect 1 without 0 "$dmm" sort - -o s.txt
complains 'dmm: sort: standard input: cannot read'
seq 1500000 -1 1 >i.txt

# If the reader of a pipe ends, the command ends without a message.
"$dmm" sort i.txt 2>../err | head -n 1 >../out
prints '1\n'
is_silent
refuses 'dmm: meter: --svg: is the file of --json' meter --json one.svg --svg ./one.svg true
[ ! -e one.svg ] || fail 'meter writes a refused file'
exit 0
