#!/bin/sh
# SPDX-License-Identifier: MIT
# dmm hull on files of every format, and its errors.
. "$(dirname "$0")/expect.sh"
LC_ALL=C
export LC_ALL

printf 'x,y\n0,0\n4,0\n4,3\n0,3\n2,1\n2,0\n0,0\n' >p.csv
expect 0 "$dmm" hull p.csv
prints '0\n1\n2\n3\n'
is_silent
expect 0 "$dmm" hull --collinear p.csv
prints '0\n5\n1\n2\n3\n'
expect 0 "$dmm" hull --points p.csv
prints '0,0\n4,0\n4,3\n0,3\n'
expect 0 "$dmm" hull --part lower p.csv
prints '0\n1\n2\n'
expect 0 "$dmm" hull --part upper --points - <p.csv
prints '4,3\n0,3\n0,0\n'
printf '# no numbers\n\n 1 2\n3\t4\r\n5;6.5' >p.txt
expect 0 "$dmm" hull p.txt
prints '0\n1\n2\n'
printf '' | expect 0 "$dmm" hull -
prints ''

# A point that only doubles distinguish from the line, and one that rounds to the line.
printf '0 0\n1e300 1e300\n5e-324 0\n3 3\n' >p.txt
expect 0 "$dmm" hull p.txt
prints '0\n2\n1\n'

# Pictures and files.
expect 0 "$dmm" hull p.csv --svg p.svg -o h.npy
prints ''
grep -q '>4 vertices<' p.svg || fail 'the picture does not count the vertices'
leaves h.npy p.csv p.svg p.txt
python=$(numpy)
if [ -n "$python" ]; then
    "$python" - <<'END' || fail 'NumPy'
import numpy as np
assert np.load("h.npy").tolist() == [0, 1, 2, 3]
rng = np.random.default_rng(1)
for dtype in ("f4", ">f8", "u8", "f2"):
    np.save(f"{dtype.strip('<>')}.npy", (rng.random((500, 2)) * 100).astype(dtype))
np.save("columns.npy", np.asfortranarray(np.ones((3, 2))))
np.save("three.npy", np.ones((2, 3)))
np.save("flat.npy", np.ones(4))
np.save("wide.npy", np.array([[2**53 + 1, 0]], dtype="u8"))
END
    for type in f4 f8 u8 f2; do
        expect 0 "$dmm" hull $type.npy --points -o $type.csv
        expect 0 "$dmm" hull $type.npy --points -o corners.npy
        "$python" - $type <<'END' || fail "$type"
import sys
import numpy as np
corners = np.load("corners.npy")
assert corners.shape[1] == 2
assert (np.loadtxt(f"{sys.argv[1]}.csv", delimiter=",").astype(corners.dtype) == corners).all()
x, y = (np.roll(corners, -1, 0) - corners).astype(float).T
assert (x * np.roll(y, -1) - y * np.roll(x, -1) > 0).all()
END
    done
    refuses 'stored by columns' hull columns.npy
    refuses 'its shape is not (n, 2)' hull three.npy
    refuses 'its shape is not (n, 2)' hull flat.npy
    refuses 'a number of row 0 does not fit f64' hull wide.npy
fi

# The first line is a heading if it does not begin with a number. A text holds no NUL.
for heading in x,y '# no numbers' info,x '-'; do
    printf '%s\n0,0\n1,0\n0,1\n' "$heading" >n.csv
    expect 0 "$dmm" hull n.csv
    prints '0\n1\n2\n'
done
for line in 1e400,2 1,2,3 '5;5 oops' 1st,2nd nan 7; do
    printf '\n%s\n0,0\n1,0\n0,1\n' "$line" >n.csv
    refuses "dmm: hull: n.csv: line 2: '$line' is not two numbers" hull n.csv
done
printf '\000\000\n0,0\n1,0\n0,1\n' >n.csv
refuses 'dmm: hull: n.csv: line 1 holds a NUL byte: it is no text' hull n.csv
printf '0,0\n0,1\000garbage\n1,0\n' >n.csv
refuses 'dmm: hull: n.csv: line 2 holds a NUL byte: it is no text' hull n.csv

# Errors.
printf '1,2\n3,4\nnan,5\n' >n.csv
refuses 'dmm: hull: n.csv: point 2 (from 0) is not finite' hull n.csv -o h.txt
[ ! -e h.txt ] || fail 'a failure leaves an output'
printf '1,2\n3\n' >n.csv
refuses "line 2: '3' is not two numbers" hull n.csv
refuses 'points are read from .npy, .txt or .csv' hull n.bin
refuses 'its name must end in' hull p.csv -o h.bin
refuses "'left' is none of whole|lower|upper" hull --part left p.csv
