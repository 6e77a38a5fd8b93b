#!/bin/sh
# SPDX-License-Identifier: MIT
# ctest: optimised
# dmm bench: what it runs, prints and writes, and its errors.
. "$(dirname "$0")/expect.sh"

benches=$(dirname "$dmm")/bench
refuses 'no program bench_nothing' bench nothing
refuses 'exclude each other' bench --quick --full
refuses 'too many operands' bench one two
DMM_BENCH=$PWD expect 1 "$dmm" bench nothing

# A program that fails runs again without peers; the others run all the same.
mkdir programs
cat >programs/bench_a <<'END'
#!/bin/sh
case "$*" in *--peers*) exit 2 ;; esac
echo 'a - u32 0 random 8 dmm a cpu 1 8 8 11 1.0 1.0 1.0 8.0 8.0 1.0 0.250 a 1.000 1.000 1.000 0 0'
END
printf '#!/bin/sh\nkill -SEGV $$\n' >programs/bench_b
sed 's/ a / c /; s/case.*//' programs/bench_a >programs/bench_c
chmod +x programs/bench_*
DMM_BENCH=$PWD/programs expect 2 "$dmm" bench --peers
complains 'a: runs again without peers'
complains 'bench_b: ended by signal 11'
complains 'programs that failed, as said above: 1'
[ "$(grep -c '^  dmm ' ../out)" = 2 ] || fail 'not two tables'
# The old rows stay until there are new ones.
echo old >rows.json
rm programs/bench_[ac]
DMM_BENCH=$PWD/programs expect 2 "$dmm" bench --json rows.json
[ "$(cat rows.json)" = old ] || fail 'a benchmark that fails loses the old rows'
refuses 'dmm: bench: --json: needs the name of a file' bench --json -
leaves programs rows.json
[ -x "$benches/bench_reduce" ] || exit 0

# One row of dmm with its share, and one row of the standard library with its ratio and range.
number='[0-9]+\.[0-9]+'
expect 0 "$dmm" bench reduce --quick --peers --json rows.json
grep -Eq '^reduce u32 sum random n=2\^18 ' ../out || fail 'no heading'
grep -Eq "^  dmm reduce +$number +$number +$number +$number\$" ../out || fail 'no row of dmm'
grep -Eq "^  std reduce +$number +$number +$number \($number to $number\)\$" ../out || fail 'no ratio'
if command -v python3 >/dev/null; then
    expect 0 python3 -c 'import json
rows = json.load(open("rows.json"))
assert all(row["word"] == "reduce" and row["runs"] > 0 and row["median_ms"] > 0 for row in rows)
print([row["runs"] for row in rows if row["who"] == "dmm"])'
    prints '[11]\n'
fi

# The floors of a sort, computed anew from memory and block; no sort is below them.
if command -v python3 >/dev/null && [ -x "$benches/bench_sort" ]; then
    expect 0 "$dmm" bench sort --quick --json rows.json
    grep -Eq '^worst case, between the global memory and a fast memory of [0-9]+ bytes in blocks of [0-9]+\.$' \
        ../out || fail 'no memory of the floors'
    grep -Eq "^  floor of sorts that compare +$number\$" ../out || fail 'no floor'
    expect 0 python3 -c 'import json, math
def log_choose(n, k):
    return sum(math.log((n - i) / (k - i)) for i in range(k))
for row in json.load(open("rows.json")):
    n, S = int(row["n"]), int(row["block_bytes"]) // 4
    M = row["memory_bytes"] / 4
    orders = sum(math.log(i) for i in range(2, n + 1)) - n / S * sum(math.log(i) for i in range(2, S + 1))
    for name, more in ("floor_bytes", math.log(2 * n / S)), ("floor_bytes_if_compares", 0):
        floor = 8 * max(1, orders / (log_choose(M, S) + more) * S / n)
        assert abs(row[name] - floor) < 1e-3 * floor, (name, row[name], floor)
    assert row["who"] != "dmm" or row["bytes_an_item"] >= row["floor_bytes"]'
fi

# Settings are passed to the programs, a second run is compared, and pictures are drawn if gnuplot is installed.
if command -v gnuplot >/dev/null; then
    expect 0 "$dmm" --set form=gpu bench reduce --quick --against form=cpu --plot pictures
    grep -q 'with form=cpu' ../out || fail 'no second run'
    grep -q '</svg>' pictures/reduce-sum-random.svg || fail 'no picture'
    refuses 'cannot create this folder' bench reduce --quick --plot rows.json
fi
expect 2 env PATH=/nowhere "$dmm" bench reduce --quick --plot pictures
complains 'gnuplot does not draw'
expect 2 "$dmm" --set form=none bench reduce --quick
