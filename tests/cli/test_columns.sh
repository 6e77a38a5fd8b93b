#!/bin/sh
# SPDX-License-Identifier: MIT
# --key outside of sort: rows and columns of CSV compared with sort, uniq, comm and awk; rows of .npy; what is refused.
. "$(dirname "$0")/expect.sh"
LC_ALL=C
export LC_ALL

awk 'BEGIN { srand(7); for (i = 0; i < 3000; i++) printf "%d,%d,name %d,%.2f\n", i, rand() * 50, i % 7, rand() * 100 - 50 }' >b.csv
{ echo 'id,n,name,x'; cat b.csv; } >h.csv
rows() { tail -n +2 "$1"; }

# is FILE: fails unless the last command's output is the file, behind the heading.
is() {
    { echo 'id,n,name,x'; cat "$1"; } | cmp -s - ../out || fail "differs from $1"
}

expect 0 "$dmm" topk -k 20 --key x:r h.csv
sort -s -t, -k4,4nr b.csv | head -n 20 >wanted
is wanted
expect 0 "$dmm" topk -k 5 -K 4 --index b.csv
sort -s -t, -k4,4n b.csv | head -n 5 | cut -d, -f1 | cmp -s - ../out || fail 'indices of topk differ'
expect 0 "$dmm" select --key x --where 'x > 20 && i % 2 == 0' --check h.csv
awk -F, '$4 > 20 && $1 % 2 == 0' b.csv >wanted
is wanted
expect 0 "$dmm" sort --key n h.csv -o s.csv
expect 0 "$dmm" unique --key n s.csv
rows s.csv | awk -F, 'NR == 1 || $2 != last { print; last = $2 }' >wanted
is wanted
expect 0 "$dmm" unique --key n,1 s.csv -o u.csv
cmp -s u.csv s.csv || fail 'unique by two columns drops rows'
expect 0 "$dmm" count --key n s.csv
rows s.csv | cut -d, -f2 | uniq -c | cmp -s - ../out || fail 'differs from uniq -c'
expect 0 "$dmm" nth -k 100 --key x h.csv
[ "$(sort -t, -k4,4n b.csv | sed -n '100s/.*,//p' | sed 's/\.*0*$//')" = "$(cat ../out)" ] || fail 'nth differs'
expect 0 "$dmm" median --key 1 b.csv
prints '1499.5\n'
expect 0 "$dmm" histogram --key n h.csv
cut -d, -f2 b.csv | sort -n | uniq -c | awk '{ print $2, $1 }' | cmp -s - ../out || fail 'the histogram differs'
expect 0 "$dmm" reduce --key id --by n s.csv
rows s.csv | awk -F, '{ s[$2] += $1 } END { for (k = 0; k < 50; k++) print k, s[k] }' | cmp -s - ../out ||
    fail 'sums of keys differ'
expect 0 "$dmm" scan --key 1 b.csv
awk -F, '{ print s += $1 }' b.csv | cmp -s - ../out || fail 'the scan differs'

# Two tables.
awk 'NR % 3 == 0' b.csv | sort -s -t, -k2,2n >a1.csv
awk 'NR % 3 != 0' b.csv | sort -s -t, -k2,2n >a2.csv
sort -s -m -t, -k2,2n a1.csv a2.csv >wanted
expect 0 "$dmm" merge --key 2 --check a1.csv a2.csv
cmp -s ../out wanted || fail 'differs from sort -m'
expect 0 "$dmm" merge --key 2 a1.csv a2.csv a1.csv -o m.csv
sort -s -m -t, -k2,2n a1.csv a2.csv a1.csv | cmp -s - m.csv || fail 'a merge of three differs'
awk -F, '$1 % 5 < 3' b.csv >c1.csv
awk -F, '$1 % 5 > 1' b.csv >c2.csv
for what in union intersection difference symmetric; do
    expect 0 "$dmm" set --check --key 1 $what c1.csv c2.csv
    case $what in
    union*) cp b.csv wanted ;;
    inter*) awk -F, '$1 % 5 == 2' b.csv >wanted ;;
    diff*) awk -F, '$1 % 5 < 2' b.csv >wanted ;;
    *) awk -F, '$1 % 5 != 2' b.csv >wanted ;;
    esac
    cmp -s ../out wanted || fail "$what differs"
done
printf 'q\n3\n50\n' >q.csv
expect 0 "$dmm" search --key n,q s.csv q.csv
[ "$(tr '\n' ' ' <../out)" = "$(rows s.csv | awk -F, '$2 < 3 { n++ } END { print n, NR }') " ] || fail 'ranks differ'

# wrong MESSAGE ARGUMENT...: fails unless the call is refused with the message.
wrong() {
    message=$1
    shift
    refuses "$message" "$@"
}
wrong 'nth: --key: x:r belongs to commands that write rows' nth -k 1 --key x:r h.csv
wrong 'count: --key: give one column here, not 2' count --key n,x h.csv
wrong "h.csv: line 2: column name: 'name 0' is not a number" reduce --key id --by name h.csv
wrong 'unique: --key: is not offered with --memory' unique --key n --memory 1G h.csv
wrong 'set: --key: is not offered with --memory' set --key 1 --memory 1G union c1.csv c2.csv
wrong 'merge: --key: is not offered with --a-values' merge --key 1 c1.csv c2.csv --a-values a --b-values b --values-out c.npy
wrong 'select: --key: is not offered with --values' select --key 1 --where 1 b.csv --values v.npy --values-out w.npy
wrong 'topk: --key: is not offered with --values-out' topk -k 1 --key 1 --index b.csv --values-out w.npy
wrong 'merge: h.csv: its rows are not sorted: row ' merge --key x h.csv h.csv
wrong 'merge: q.csv: it has 1 columns, but c1.csv has 4' merge --key 1 --header c1.csv q.csv
wrong "has no column 'nam': did you mean" topk -k 2 --key nam h.csv
wrong 'count: --header: needs --key' count --header h.csv
wrong 'search: --key: expected one column, or that of KEYS and that of QUERIES' search --key n,q,x s.csv q.csv
wrong 'topk: o.npy: rows of text are written to .csv' topk -k 2 --key n h.csv -o o.npy

python=$(numpy)
[ -n "$python" ] || exit 0
"$python" - <<'END'
import numpy as np
a = np.random.default_rng(1).integers(-50, 50, (300, 3)).astype(np.int16)
np.save('a.npy', a)
np.save('s.npy', a[np.argsort(a[:, 0], kind='stable')])
END
expect 0 "$dmm" topk -k 9 --key 3:r a.npy -o t.npy
expect 0 "$dmm" unique --key 1 s.npy -o u.npy
expect 0 "$dmm" merge --key 1 s.npy s.npy -o m.npy
expect 0 "$dmm" reduce --key 2 a.npy -o r.npy
"$python" - <<'END' || fail 'differs from numpy'
import numpy as np
a, s = np.load('a.npy'), np.load('s.npy')
assert np.array_equal(np.load('t.npy'), a[np.argsort(-a[:, 2], kind='stable')[:9]]) and np.load('t.npy').dtype == a.dtype
assert np.array_equal(np.load('u.npy'), s[np.unique(s[:, 0], return_index=True)[1]])
two = np.concatenate((s, s))
assert np.array_equal(np.load('m.npy'), two[np.argsort(two[:, 0], kind='stable')])
assert np.load('r.npy')[0] == a[:, 1].sum()
END
expect 0 "$dmm" topk -k 9 --key 3:r a.npy
"$python" - <<'END' || fail 'rows of an .npy as text differ'
import numpy as np
assert np.array_equal(np.loadtxt('../out', delimiter=','), np.load('t.npy'))
END
exit 0
