# SPDX-License-Identifier: MIT
"""passes.py DMM NAME: counts the memory accesses of dmm's merge sort with the bank meter, over the number of items.

Writes NAME.txt and draws NAME.svg: lock-steps in local memory and conflicts per item, for the conflict-free and the
plain search, on random keys and on the worst keys of the plain search; and bytes of global memory per item, beside the
model's (2 * 4 for each pass). Needs Oclgrind and gnuplot, but no device. Parameters: w = 32 banks, u = 64 work-items
per group, E = 16 items per work-item.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

W, U, E, SIZES = 32, 64, 16, (2**11, 2**12, 2**13, 2**14)
KEY_BYTES = 4

PLOT = """set terminal svg size 960,420 font 'sans-serif,14' background '#ffffff'
set output '%s.svg'
set multiplot layout 1,2 title "{/:Bold merge sort of u32 by the bank meter: w = 32, u = 64, E = 16}"
set logscale x 2
set format x '2^{%%L}'
set xlabel 'items'
set grid lc rgb '#dddddd'
set border 3
set tics nomirror
set key top left Left reverse samplen 2
set yrange [0:3]
set title 'local memory'
set ylabel 'an item'
plot '%s.txt' using 1:2 with linespoints lc rgb '#0072B2' lw 3 pt 7 ps 0.6 title 'steps, conflict-free search', \\
     '' using 1:5 with linespoints lc rgb '#999999' lw 2 pt 6 ps 0.6 title 'steps, plain search', \\
     '' using 1:6 with linespoints lc rgb '#E69F00' lw 2 pt 8 ps 0.8 title 'conflicts, plain, random', \\
     '' using 1:7 with linespoints lc rgb '#D55E00' lw 2 pt 10 ps 0.8 title 'conflicts, plain, worst', \\
     '' using 1:4 with linespoints lc rgb '#009E73' lw 3 pt 7 ps 0.6 title 'conflicts, conflict-free'
set title 'global memory'
set yrange [0:*]
set ylabel 'bytes an item'
plot '%s.txt' using 1:8 with linespoints lc rgb '#0072B2' lw 3 pt 7 ps 0.6 title 'transactions, 32 bytes each', \\
     '' using 1:9 with linespoints lc rgb '#000000' lw 2 dt 3 pt 0 title 'the model'
"""


def meter(dmm, keys, search, folder):
    out, readings = os.path.join(folder, "out.npy"), os.path.join(folder, "readings.json")
    settings = "form=gpu,u=%d,E=%d,search=%s" % (U, E, search)
    subprocess.run([dmm, "meter", "--json", readings, "--banks", str(W), "--lanes", str(W), "--", dmm, "--set", settings,
                    "sort", keys, "-o", out], check=True, stdout=subprocess.DEVNULL)
    with open(readings, encoding="utf-8") as file:
        page = json.load(file)
    local = [kernel["local"] for kernel in page["kernels"]]
    moves = [line for kernel in page["kernels"] for line in kernel["lines"] if line["space"] == "global"]
    return (sum(tally["steps"] for tally in local), sum(tally["conflicts"] for tally in local),
            sum(line["passes"] for line in moves) * page["machine"]["segment_bytes"])


def write_keys(dmm, n, folder):
    shuffled, worst = os.path.join(folder, "random.txt"), os.path.join(folder, "worst.npy")
    keys = list(range(n))
    random.Random(n).shuffle(keys)
    with open(shuffled, "w", encoding="utf-8") as file:
        file.writelines("%d\n" % key for key in keys)
    plain = os.path.join(folder, "random.npy")
    subprocess.run([dmm, "shuffle", "-t", "u32", shuffled, "-o", plain], check=True)
    subprocess.run([dmm, "worst", "--elements", str(n), "-E", str(E), "-u", str(U), "-w", str(W), "-o", worst], check=True)
    return plain, worst


def main():
    dmm, name = sys.argv[1:]
    lines = ["# n, an item: steps cf, on random; conflicts cf on random, on worst; steps plain, conflicts plain on random, "
             "on worst; bytes of global memory, by the model"]
    with tempfile.TemporaryDirectory() as folder:
        for n in SIZES:
            shuffled, worst = write_keys(dmm, n, folder)
            steps, conflicts, moved = meter(dmm, shuffled, "cf", folder)
            worst_conflicts = meter(dmm, worst, "cf", folder)[1]
            plain_steps, plain_conflicts, _ = meter(dmm, shuffled, "plain", folder)
            plain_worst = meter(dmm, worst, "plain", folder)[1]
            passes = 1 + max(0, (n - 1).bit_length() - (U * E - 1).bit_length())
            counts = (steps, conflicts, worst_conflicts, plain_steps, plain_conflicts, plain_worst, moved)
            lines.append(" ".join(["%d" % n] + ["%.4f" % (count / n) for count in counts] +
                                  ["%d" % (2 * KEY_BYTES * passes)]))
            print(lines[-1], flush=True)
    with open(name + ".txt", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    subprocess.run(["gnuplot"], input=PLOT % (name, name, name), text=True, check=True)


if __name__ == "__main__":
    main()
