#!/bin/sh
# SPDX-License-Identifier: MIT
# A failure leaves the old output as it was and no other file behind: full disks, signals, folders.
. "$(dirname "$0")/expect.sh"

awk 'BEGIN { for (i = 0; i < 1500000; i++) print 1500000 - i }' >i.txt
echo old >o.txt

# A file that grows beyond the limit stands for a full disk. The limit leaves room for what the
# driver writes, and o.txt would have 11 MB.
# shellcheck disable=SC2317 # reached by way of expect
limited() {
    (ulimit -f 8192 && "$@")
}
expect 1 limited "$dmm" sort i.txt -o o.txt
complains 'dmm: sort: o.txt: cannot write: File too large'
[ "$(cat o.txt)" = old ] || fail 'a full disk harms the old file'
leaves i.txt o.txt
expect 1 limited "$dmm" sort i.txt -o i.txt
[ "$(wc -l <i.txt)" = 1500000 ] || fail 'a full disk harms the input'
expect 1 limited "$dmm" sort -t i32 i.txt -o o.txt --argsort --values-out new.txt
[ "$(cat o.txt)" = old ] || fail 'a full disk harms the old file'
leaves i.txt o.txt

# Signals remove the new file. Each is sent as soon as that is seen, before the keys are sorted.
# A shell's background processes begin with SIGINT ignored, and then it stays so.
for signal in TERM HUP INT; do
    [ $signal = INT ] && ! env --default-signal=INT true 2>/dev/null && break
    default=''
    [ $signal = INT ] && default='env --default-signal=INT'
    $default "$dmm" sort i.txt -o o.txt 2>../err &
    process=$!
    until [ "$(echo .o.txt.*)" != '.o.txt.*' ]; do
        kill -0 $process 2>/dev/null || fail 'ended before its new file was seen'
    done
    kill -$signal $process
    wait $process
    code=$?
    [ $code -gt 128 ] || fail "SIG$signal gives exit code $code"
    [ "$(cat o.txt)" = old ] || fail "SIG$signal harms the old file"
    leaves i.txt o.txt
done

# Permissions stay, links stay links, and other kinds of files are written straight.
chmod 640 o.txt
ln -s o.txt l.txt
expect 0 "$dmm" sort i.txt -o l.txt
[ -L l.txt ] || fail 'a link was replaced'
[ -n "$(find o.txt -perm 640)" ] || fail 'permissions changed'
[ "$(head -n 1 o.txt)" = 1 ] || fail 'the link led elsewhere'
mkfifo p.txt
cat p.txt >q.txt &
expect 0 "$dmm" sort o.txt -o p.txt
wait
cmp -s o.txt q.txt || fail 'a pipe got something else'
leaves i.txt l.txt o.txt p.txt q.txt

mkdir folder.txt
expect 1 "$dmm" sort i.txt -o folder.txt
complains 'dmm: sort: folder.txt: '
expect 1 "$dmm" sort i.txt -o no/such/o.txt
complains 'dmm: sort: no/such/o.txt: '
expect 1 "$dmm" sort folder.txt
complains 'dmm: sort: folder.txt: '
if [ "$(id -u)" != 0 ]; then
    chmod 440 o.txt
    expect 1 "$dmm" sort i.txt -o o.txt
    complains 'dmm: sort: o.txt: cannot write: Permission denied'
    mkdir locked
    echo old >locked/o.txt
    chmod 555 locked
    expect 1 "$dmm" sort i.txt -o locked/o.txt
    complains 'dmm: sort: locked/o.txt: cannot create a file in its folder: Permission denied'
    chmod 755 locked
fi

# A reader that goes away ends the command quietly.
"$dmm" sort i.txt 2>../err | head -n 1 >../out
prints '1\n'
is_silent
exit 0
