#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm sort --key: rows of CSV compared with GNU sort, quotes, headings, errors by line; rows of .npy; --segments, --by and
# --rows compared with numpy.
. "$(dirname "$0")/expect.sh"

awk 'BEGIN { srand(3); for (i = 0; i < 20000; i++) printf "%d,%d,name %d,%.3f\n", i, rand() * 100, i % 7, rand() * 1000 - 500 }' >b.csv
LC_ALL=C sort -s -t, -k2,2n b.csv >wanted.csv
expect 0 "$dmm" sort --key 2 --check b.csv
cmp -s ../out wanted.csv || fail 'differs from sort -t, -k2,2n'
is_silent
LC_ALL=C sort -s -t, -k2,2nr -k4,4n b.csv >wanted.csv
expect 0 "$dmm" sort --key 2:r,4 --check - <b.csv
cmp -s ../out wanted.csv || fail 'differs from sort -t, -k2,2nr -k4,4n'
{ echo 'id,n,name,x'; cat b.csv; } >h.csv
{ echo 'id,n,name,x'; cat wanted.csv; } >w.csv
expect 0 "$dmm" sort --key n:r:u8,x:f64 h.csv -o h.csv
cmp -s h.csv w.csv || fail 'names in place differ'
expect 0 "$dmm" sort --header --key 2:r,4 w.csv
cmp -s ../out w.csv || fail '--header differs'
tr , '\t' <b.csv >b.txt
LC_ALL=C sort -s -t"$(printf '\t')" -k4,4n b.txt >wanted.txt
expect 0 "$dmm" sort -d tab -K 4 b.txt
cmp -s ../out wanted.txt || fail 'fields between tabs differ'
expect 0 "$dmm" sort -d tab -K 4 b.txt --argsort -o a.npy
expect 0 "$dmm" sort -K 1 -r b.csv
LC_ALL=C sort -s -t, -k1,1nr b.csv | cmp -s - ../out || fail '--reverse differs'

# Quotes, newlines within them, CR LF, a byte order mark, blanks, no newline at the end: rows move whole.
printf '\357\273\277"k ""1""",t\r\n3,"a\nb"\r\n" 1 ","c,""d"""\r\n2,e' >q.csv
expect 0 "$dmm" sort --key 'k "1"' q.csv
prints '\0357\0273\0277"k ""1""",t\r\n" 1 ","c,""d"""\r\n2,e\n3,"a\nb"\r\n'
printf 'a,b\n1,\n2,5\n3,-1\n' >e.csv
expect 0 "$dmm" sort --key b:f64 e.csv
prints 'a,b\n3,-1\n2,5\n1,\n'
printf 'a,b\n' >e.csv
expect 0 "$dmm" sort --key b e.csv
prints 'a,b\n'
printf 'x,18446744073709551615\ny,0\nz,.5\n' >e.csv
expect 0 "$dmm" sort --key 2 e.csv
prints 'y,0\nz,.5\nx,18446744073709551615\n'
# A row that spans parts of the text: more than a MiB within quotes.
{ printf '9,"'; head -c 3000000 /dev/zero | tr '\0' '\n'; printf '"\n5,x\n7,"y"\n'; } >l.csv
expect 0 "$dmm" sort --key 1 l.csv -o s.csv
[ "$(head -n 2 s.csv | tr '\n' ' ')" = '5,x 7,"y" ' ] || fail 'rows after a long one differ'
[ "$(wc -c <s.csv)" = "$(wc -c <l.csv)" ] || fail 'a long row is not whole'

# Beyond memory: the same, by way of a scratch file and many batches.
expect 0 "$dmm" sort --key n:u8:r,x:f32 --check --memory 256K h.csv -o m.csv
expect 0 "$dmm" sort --key n:u8:r,x:f32 h.csv
cmp -s ../out m.csv || fail 'rows within memory differ'
head -c -1 b.csv >last.csv
expect 0 "$dmm" sort --key 4 -t f64 -r --memory 128K - <last.csv
LC_ALL=C sort -s -t, -k4,4nr b.csv | cmp -s - ../out || fail 'the last row without its newline differs'
expect 0 "$dmm" sort --key 'k "1":u8' --memory 64K q.csv
prints '\0357\0273\0277"k ""1""",t\r\n" 1 ","c,""d"""\r\n2,e\n3,"a\nb"\r\n'
expect 0 "$dmm" sort --key 1:u8 --memory 32M l.csv -o m.csv
cmp -s s.csv m.csv || fail 'a long row within memory differs'
expect 1 "$dmm" sort --key 1:u8 --memory 1M l.csv
complains 'dmm: sort: l.csv: line 1: a row has more than 131072 bytes: give a larger --memory'
refuses 'dmm: sort: --key: 2: give its type, as in --key 2:f64, or -t TYPE' sort --key 2 --memory 1M b.csv
cat b.csv | expect 1 "$dmm" sort --key 2:u8 --memory 1M -
complains 'rows are read twice with --key and --memory: give a file in place of a pipe'
refuses 'dmm: sort: --memory: is too small for rows: give 64K or more' sort --key 2:u8 --memory 1K b.csv
refuses 'dmm: sort: --key: is not offered with --memory and --resume' sort --key 2:u8 --memory 1M --resume b.csv
expect 1 "$dmm" sort --key 3:u8 --memory 256K b.csv
complains "dmm: sort: b.csv: line 1: column 3: 'name 0' is not a number: give --header if this is a heading"

# wrong TEXT MESSAGE [OPTION...]: fails unless the table is refused with the message.
wrong() {
    printf '%b' "$1" >w.csv
    message=$2
    shift 2
    refuses "dmm: sort: $message" sort --key "${1:-1}" w.csv
}
wrong '1,2\n3\n' 'w.csv: line 2: it has other fields than the first row'
wrong '1,2\n\n3,4\n' 'w.csv: line 2: column 1 is empty; --key 1:f64 reads that as nan'
wrong '1,2\nx,4\n' "w.csv: line 2: column 1: 'x' is not a number"
wrong 'k,2\nx,4\n' "w.csv: line 1: column 1: 'k' is not a number: give --header if this is a heading"
wrong '1,"a\nb"c\n2,d\n' 'w.csv: line 1: more follows the closing quote of a field'
wrong '1,a"b\n' 'w.csv: line 1: a quote within a field that does not begin with one'
wrong '1,a\n2,"b\n' 'w.csv: line 2: a quoted field does not end'
wrong '1,a\n300,b\n' "w.csv: line 2: column 1: '300' is out of the range of its type" 1:u8
wrong '1,a\n2.5,b\n' "w.csv: line 2: column 1: '2.5' is not a whole number" 1:i32
wrong '-1\n18446744073709551615\n' 'w.csv: column 1 fits no type of 64 bits; --key 1:f64'
wrong '1,2\n' '--key: 3 is none of the columns 1 to 2 of w.csv' 3
wrong 'price,id\n1,2\n' "--key: w.csv has no column 'prise': did you mean 'price'?" prise
wrong 'id,price,id\n1,2,3\n' "--key: columns 1 and 3 of w.csv are both 'id': give a number" id
wrong '' 'w.csv: it is empty: it has no columns'
wrong '1\0,2\n' 'w.csv: line 1 holds a NUL byte: it is no text'
for bad in '' , 1, 1,,2 0; do
    expect 1 "$dmm" sort --key "$bad" b.csv
done
for bad in '' ab . 1 a '"' -; do
    refuses 'dmm: sort: --delimiter: ' sort --key 1 --delimiter "$bad" b.csv
done
refuses 'dmm: sort: --header: needs --key' sort --header b.csv
refuses 'give one of --key, --segments, --by and --rows' sort --key 1 --by b.csv b.csv
refuses 'dmm: sort: o.npy: rows of text are written to .csv or .txt, or to -' sort --key 1 b.csv -o o.npy

# Parts of a list.
printf '3\n1\n2\n9\n8\n7\n6\n' >p.txt
printf '0\n3\n3\n7\n' >o.txt
expect 0 "$dmm" sort --segments o.txt --check p.txt
[ "$(tr '\n' ' ' <../out)" = '1 2 3 6 7 8 9 ' ] || fail 'segments differ'
printf '5\n5\n4\n4\n4\n5\n5\n' >k.txt
expect 0 "$dmm" sort --by k.txt -r --check p.txt
[ "$(tr '\n' ' ' <../out)" = '3 1 9 8 2 7 6 ' ] || fail 'runs of keys differ'
expect 0 "$dmm" sort --by k.txt --argsort --check p.txt
[ "$(tr '\n' ' ' <../out)" = '1 0 2 4 3 6 5 ' ] || fail 'indices of runs differ'
printf '0\n3\n' >o.txt
refuses 'dmm: sort: o.txt: the last offset is 3, not the number of keys, 7' sort --segments o.txt p.txt
printf '0\n4\n3\n7\n' >o.txt
expect 1 "$dmm" sort --segments o.txt p.txt
complains 'dmm: sort: o.txt: offset 3, 3, is wrong: they ascend from 0 to the number of keys, 7'
refuses 'dmm: sort: o.txt: it holds 4 keys for 7 numbers' sort --by o.txt p.txt

python=$(numpy)
[ -n "$python" ] || exit 0
"$python" - <<'END'
import numpy as np
rng = np.random.default_rng(1)
a = rng.integers(-50, 50, (300, 7)).astype(np.int16)
np.save('a.npy', a)
np.save('big.npy', a.astype('>f8'))
np.save('fortran.npy', np.asfortranarray(a))
np.save('bool.npy', a[:, 0] > 0)
np.save('date.npy', a[:, 1].astype('M8[D]'))
np.save('span.npy', a[:, 1].astype('>m8[s]'))
END
expect 0 "$dmm" sort --rows --check a.npy -o rows.npy
expect 0 "$dmm" sort --key 3:r,1 --check a.npy -o keys.npy
expect 0 "$dmm" sort --key 2 --format npy - -o big_keys.npy <big.npy
for kind in bool date span; do
    expect 0 "$dmm" sort $kind.npy -o $kind.sorted.npy
    expect 0 "$dmm" unique $kind.sorted.npy -o $kind.unique.npy
done
"$python" - <<'END' || fail 'differs from numpy'
import numpy as np
a = np.load('a.npy')
assert np.array_equal(np.load('rows.npy'), np.sort(a, axis=1)) and np.load('rows.npy').dtype == a.dtype
assert np.array_equal(np.load('keys.npy'), a[np.lexsort((a[:, 0], -a[:, 2]))])
assert np.array_equal(np.load('big_keys.npy'), a[np.argsort(a[:, 1], kind='stable')])
for kind in 'bool', 'date', 'span':
    x, y = np.load(kind + '.npy'), np.load(kind + '.sorted.npy')
    assert np.array_equal(y, np.sort(x)) and y.dtype == x.dtype.newbyteorder('='), (x.dtype, y.dtype)
    assert np.array_equal(np.load(kind + '.unique.npy'), np.unique(x))
END
refuses 'it has 2 dimensions, not one: save array.ravel(), or one row; dmm sort --rows and --key sort two' sort a.npy
refuses 'it is stored by columns' sort --rows fortran.npy
refuses 'it has no rows' sort --rows bool.npy
refuses "dmm: sort: --key: '8' is none of the columns 1 to 7 of a.npy" sort --key 8 a.npy -o o.npy
expect 0 "$dmm" sort --key 3:r,1 a.npy
cp ../out keys.csv
expect 0 "$dmm" sort --rows a.npy
cp ../out rows.csv
"$python" - <<'END' || fail 'rows of an .npy as text differ'
import numpy as np
for name in 'keys', 'rows':
    assert np.array_equal(np.loadtxt(name + '.csv', delimiter=','), np.load(name + '.npy'))
END
exit 0
