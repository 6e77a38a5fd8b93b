#!/bin/sh
# SPDX-License-Identifier: MIT
# Crashes of every command of dmm, with every option that names a file to write. A command of the table that is neither here
# nor known to write nothing fails this test, as does such an option. test_crash.sh has more of sort and of large inputs.
. "$(dirname "$0")/crash.sh"

mkdir before
awk 'BEGIN { srand(1); for (i = 0; i < 1000; i++) print int(rand() * 100) }' >k.txt
seq 0 999 >index.txt
"$dmm" shuffle k.txt -t u32 --seed 1 -o before/k.npy || fail 'no input'
"$dmm" sort k.txt -t u32 --argsort -o before/a.npy --values-out before/v.npy || fail 'no sorted input'
"$dmm" shuffle index.txt -t u32 --seed 3 -o before/p.npy || fail 'no permutation'
seq 100 140 >old.txt
"$dmm" sort old.txt -t u32 -o before/o.npy || fail 'no old output'
for file in w.npy o.csv t.index o.txt h.svg j.json; do cp before/o.npy before/$file; done
printf '0 0\n1 0\n0 1\n1 1\n.5 .5\n' >before/points.csv
printf '3,a\n1,b\n2,c\n' >before/rows.csv

case_of 1 o.npy w.npy -- sort k.npy --argsort -o o.npy --values-out w.npy
case_of 1 o.npy w.npy -- merge a.npy a.npy --a-values v.npy --b-values v.npy -o o.npy --values-out w.npy
case_of 1 o.csv -- sort --key 1 rows.csv -o o.csv
case_of 1 o.csv -- sort --key 1:u8 --memory 64K rows.csv -o o.csv
case_of 1 o.csv -- topk -k 2 --key 1 rows.csv -o o.csv
case_of 1 o.npy -- scan k.npy -o o.npy
case_of 1 o.npy w.npy -- reduce --by a.npy k.npy -o o.npy --keys-out w.npy
case_of 1 o.npy -- nth -k 5 k.npy -o o.npy
case_of 1 o.npy -- median k.npy -o o.npy
case_of 1 o.npy -- histogram k.npy -o o.npy
case_of 1 o.npy -- set union a.npy o.npy -o o.npy
case_of 1 o.npy w.npy -- unique a.npy --values v.npy -o o.npy --values-out w.npy
case_of 1 o.npy c.npy -- count a.npy -o o.npy --counts-out c.npy
case_of 1 o.npy w.npy -- shuffle --seed 1 k.npy --values v.npy -o o.npy --values-out w.npy
case_of 1 o.npy -- sample -k 10 --seed 1 k.npy -o o.npy
case_of 1 o.npy -- permute --index p.npy k.npy -o o.npy
case_of 1 o.npy -- transpose --shape 10,100 k.npy -o o.npy
case_of 1 t.index -- layout a.npy -o t.index
case_of 1 o.npy -- search a.npy k.npy -o o.npy
case_of 1 o.npy w.npy f.npy -- partition -K 3 --expr 'key % 3' k.npy -o o.npy --values v.npy --values-out w.npy --offsets f.npy
case_of 1 o.npy w.npy -- topk -k 10 --index k.npy -o o.npy --values-out w.npy
case_of 1 o.txt h.svg -- hull points.csv -o o.txt --svg h.svg
case_of 1 o.txt h.svg -- paths --generate grid --vertices 64 --from 1 --path-to 64 -o o.txt --svg h.svg
case_of 1 o.txt -- paths --generate grid --vertices 64 -o o.txt
case_of 1 o.npy -- worst --elements 3072 -o o.npy
case_of 1 o.npy w.npy -- select --where 'x > 50' k.npy --values v.npy -o o.npy --values-out w.npy
case_of 1 o.npy w.npy -- select --where 'x > 50' k.npy -o o.npy --rest w.npy

# Benchmarks are programs that add to the file.
mkdir programs
cat >programs/bench_a <<'END'
#!/bin/sh
case " $* " in *' --json '*)
    while [ "$1" != --json ]; do shift; done
    printf '[\n{"a": 1}\n]\n' >>"$2" ;;
esac
for n in 8 16; do
    echo "a - u32 0 random $n dmm a cpu 1 8 8 11 1.0 1.0 1.0 8.0 8.0 1.0 0.250 a 1.000 1.000 1.000 0 0"
done
END
cat >programs/gnuplot <<'END'
#!/bin/sh
[ "$1" = --version ] || { echo '<svg>' && cat "$1" && echo '</svg>'; }
END
chmod +x programs/bench_a programs/gnuplot
DMM_BENCH=$here/programs
export DMM_BENCH
case_of 1 j.json -- bench a --json j.json
mkdir before/pictures
for file in a-random.gp a-random.svg; do
    cp before/o.npy before/$file
    ln -s ../$file before/pictures
done
usual_path=$PATH
PATH=$here/programs:$PATH
case_of 1 a-random.gp a-random.svg -- bench a --plot pictures
PATH=$usual_path
grep -q '^plot' new/a-random.svg || fail 'no picture'

# A plan of the library.
cp before/o.npy before/p.plan
command=$dmm
dmm=$(dirname "$crash")/dmm_crash_plan
crashes 1 p.plan -- 1000 p.plan
dmm=$command

# These take seconds a call: some of the calls.
ways=kill
case_of $((every / 10 + 1)) h.svg -- demo -n 100 --svg h.svg
printf 'dmm tuning 1\ndevice  another one\ntune    permute 4 E=1\n' >before/own
without_times() { sed 's/[0-9.]*//g; /^tune/d; /^rate/d'; }
norm=without_times
case_of $((every / 3 + 1)) own -- tune --set form=cpu --word permute -n 2000 --save own
norm=
seq 9 >before/in.txt
if "$dmm" meter --banks 32 -- "$dmm" sort before/in.txt >../out 2>../err; then
    case_of 1 j.json -- meter --json j.json -- "$dmm" sort in.txt
    case_of 1 h.svg -- meter --svg h.svg -- "$dmm" sort in.txt
    case_of 1 h.html -- meter --html h.html -- "$dmm" sort in.txt
else
    complains 'dmm: meter: ' # it is not built
    tried="$tried meter meter/json meter/svg meter/html"
fi

nothing='devices doctor selftest cache group'
read='by compare segments values a-values b-values index labels splitters scratch from cache tuning'
must_have_tried
