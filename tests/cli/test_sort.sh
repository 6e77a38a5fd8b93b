#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm sort compared with sort(1) and NumPy, in every format, and its errors.
. "$(dirname "$0")/expect.sh"
LC_ALL=C
export LC_ALL

awk 'BEGIN { srand(1); for (i = 0; i < 20000; i++) print int(rand() * 2000000) - 1000000 }' >i.txt
sort -n i.txt >sorted.txt
sort -rn i.txt >reversed.txt
expect 0 "$dmm" sort --check i.txt
cmp -s ../out sorted.txt || fail 'differs from sort -n'
is_silent
expect 0 "$dmm" sort -r -t i32 --check - <i.txt
cmp -s ../out reversed.txt || fail 'differs from sort -rn'

# Through every format and back.
for type in i64 f32; do
    expect 0 "$dmm" sort --check -t $type i.txt -o o.npy
    expect 0 "$dmm" sort --check -r o.npy -o o.bin
    expect 0 "$dmm" sort --check -t $type o.bin -o o.csv
    cmp -s o.csv sorted.txt || fail "$type by way of .npy and .bin differs"
done
refuses 'is out of the range of u8' sort -t u8 i.txt -o o.npy
refuses 'dmm: sort: o.bin: raw items need their type: give -t TYPE' sort o.bin -o o.bin

# Input and output are the same file; no other file is left.
cp i.txt same.txt
expect 0 "$dmm" sort same.txt -o same.txt
cmp -s same.txt sorted.txt || fail 'the sort in place differs'
leaves i.txt o.bin o.csv o.npy reversed.txt same.txt sorted.txt
rm -f ./*.npy ./*.bin ./*.csv same.txt

# Small inputs, and text of every kind.
for n in 0 1 2 3 31 32 33; do
    head -n $n i.txt >n.txt
    sort -n n.txt >n.sorted
    expect 0 "$dmm" sort --check n.txt
    cmp -s ../out n.sorted || fail "$n keys differ"
done
printf '3\r\n\r\n-1.5\r\nnan\r\ninf\r\n1e-7' >n.txt
expect 0 "$dmm" sort n.txt
prints '-1.5\n1e-7\n3\ninf\nnan\n'
expect 0 "$dmm" sort -r n.txt
prints 'inf\n3\n1e-7\n-1.5\nnan\n'
printf '1\n2\nthree\n' >n.txt
refuses "dmm: sort: n.txt: line 3: 'three' is not a number" sort n.txt
prints ''
printf '1\n2 3\n' | expect 1 "$dmm" sort -
complains "dmm: sort: standard input: line 2: '2 3' is more than one number"
printf '18446744073709551615\n0\n' >n.txt
expect 0 "$dmm" sort n.txt
prints '0\n18446744073709551615\n'

# Values and indices.
printf '3\n1\n2\n1\n' >k.txt
printf 'aaabbbcccddd' >v.bin
expect 0 "$dmm" sort --check k.txt -o k.npy --values v.bin --value-bytes 3 --values-out w.bin
[ "$(cat w.bin)" = bbbdddcccaaa ] || fail "values are $(cat w.bin)"
expect 0 "$dmm" sort --check --argsort k.txt
prints '1\n3\n2\n0\n'
expect 0 "$dmm" sort --check --argsort -r k.txt
prints '0\n2\n1\n3\n'
expect 0 "$dmm" sort --check --argsort k.txt --values-out w.txt
prints '1\n1\n2\n3\n'
printf '1\n3\n2\n0\n' | cmp -s - w.txt || fail 'indices differ'
expect 1 "$dmm" sort k.txt -o w.bin --values v.bin --value-bytes 5 --values-out w.bin
complains 'dmm: sort: v.bin: its 12 bytes are not whole items of 5 bytes'
refuses 'dmm: sort: v.bin: it holds 6 values for 4 keys' sort k.txt --values v.bin --value-bytes 2 --values-out w.bin
expect 1 "$dmm" sort k.txt -t u8 -o w.bin --values v.bin --value-bytes 3 --values-out ./w.bin
complains 'each output needs a file of its own'
[ "$(cat w.bin)" = bbbdddcccaaa ] || fail 'a failure changed w.bin'

# A custom order. Text that does not compile is shown and is the user's error (exit code 1).
expect 0 "$dmm" sort --less '(a % 10) < (b % 10)' - <<END
19
22
11
2
END
prints '11\n22\n2\n19\n'
# --check by a custom order, and floats that the order does not cover.
seq 3000 >q.txt
printf '1.5\n-2\n' >h.txt
refuses '--less: a is a half' sort -t f16 --less 'a < b' h.txt
refuses '--less: a is a half' sort -t f16 --less 'a < b' h.txt --memory 1M -o h.npy
expect 0 "$dmm" sort -t f16 --less 'dmm_from_half(a) < dmm_from_half(b)' h.txt
prints '-2\n1.5\n'
rm h.txt
expect 0 "$dmm" sort --less 'a % 10 < b % 10' --check q.txt
is_silent
expect 0 "$dmm" sort --less 'a % 10 < b % 10' --check -r --argsort q.txt
expect 0 "$dmm" sort --less 'a < b' --check -t f64 q.txt
expect 3 "$dmm" sort --less 'a <= b' --check -t u64 - -o r.npy <<END
2
2
END
complains 'dmm: sort: --check: key 1 (from 0) is less than the one before it'
[ ! -e r.npy ] || fail 'writes a result that --check rejects'
printf '2\nnan\n1\n' >r.txt
expect 0 "$dmm" sort --less 'a < b' -t f32 r.txt
complains 'dmm: sort: --less: 1 of 3 keys are NaN: unless it orders them'
expect 0 "$dmm" sort --less 'isnan(b) ? !isnan(a) : a < b' --check -t f64 r.txt
prints '1\n2\nnan\n'
expect 0 "$dmm" topk -k 1 --less 'isnan(b) ? !isnan(a) : a < b' -t f32 r.txt
complains 'dmm: topk: --less: 1 of 3 keys are NaN'
rm q.txt r.txt
refuses 'dmm: sort: --less: is not OpenCL C over a and b: see above' sort --less 'a <' k.txt
grep -q 'error' ../err || fail 'the build log is not shown'

python=$(numpy)
[ -n "$python" ] || { echo 'NumPy not found: not compared with NumPy'; exit 0; }
"$python" - <<'END' || fail 'NumPy could not write the inputs'
import numpy as np
r = np.random.default_rng(1)
n = 5000
for t in 'u1 i1 u2 i2 f2 u4 i4 f4 u8 i8 f8'.split():
    k = r.integers(0, 256, n * np.dtype(t).itemsize, np.uint8).view(t)
    np.save(f'{t}.npy', k.astype('<' + t))
    np.save(f'{t}.be.npy', k.astype('>' + t))
np.save('values.npy', np.arange(n).astype('M8[s]'))
END
# Not all combinations, because each one builds a program.
for type in u1 i1 u2 i2 f2 u4 i4 f4 u8 i8 f8; do
    expect 0 "$dmm" sort --check $type.npy -o $type.up.npy
    expect 0 "$dmm" sort $type.npy -o $type.txt
done
for type in i1 f8; do
    expect 0 "$dmm" sort --check -r $type.be.npy -o $type.down.npy
done
for type in u1 f4; do
    expect 0 "$dmm" sort --check --argsort $type.npy -o $type.index.npy
    expect 0 "$dmm" sort --check $type.npy -o $type.keys.npy --values values.npy \
        --values-out $type.values.npy
done
"$python" - <<'END' >../out 2>../err || fail 'differs from NumPy'
import numpy as np

def load(name):
    return np.load(name + '.npy')

def same_bits(a, b):
    bits = f'u{a.itemsize}'
    return np.array_equal(a.view(bits), b.view(bits))

# For NumPy, -0 equals 0 and all NaNs are equal. The library orders them, so bits are compared as sets.
for t in 'u1 i1 u2 i2 f2 u4 i4 f4 u8 i8 f8'.split():
    k, up, is_float = load(t), load(t + '.up'), t[0] == 'f'
    bits = f'u{k.itemsize}'
    assert up.dtype == k.dtype, t
    assert np.array_equal(up, np.sort(k), equal_nan=is_float), t
    assert np.array_equal(np.sort(up.view(bits)), np.sort(k.view(bits))), t
    assert np.array_equal(np.loadtxt(t + '.txt', dtype=k.dtype), up, equal_nan=is_float), t
for t in 'i1 f8'.split():
    down = load(t + '.down')
    numbers = down[~np.isnan(down)]
    assert np.array_equal(numbers, np.sort(numbers)[::-1]), t
    assert np.isnan(down[len(numbers):]).all(), t
for t in 'u1 f4'.split():
    k, index, values = load(t), load(t + '.index'), load(t + '.values')
    assert index.dtype == 'u4' and values.dtype == 'M8[s]', t
    assert same_bits(k[index], load(t + '.up')) and same_bits(k[index], load(t + '.keys')), t
    assert np.array_equal(values.astype('i8'), index.astype('i8')), t
    if t != 'f4':
        assert np.array_equal(index, np.argsort(k, kind='stable')), t
END
