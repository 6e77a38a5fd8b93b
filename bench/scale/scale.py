# SPDX-License-Identifier: MIT
"""scale.py PROGRAM [--check]: writes the tables of docs/scale.md.

The first table compares what the sort of libdmm-mpi sends, by the formulas below, with what PROGRAM (bench/scale/scale.c)
counts in the library's own code, with threads as ranks. The second is a model of time up to 10^4 ranks and 10^13 keys.
--check writes nothing: it counts with up to 64 ranks, and exits with 1 if a formula is wrong or the second table of the
page differs.
"""
import math
import os
import re
import subprocess
import sys

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/scale.md")
KEY = 8  # bytes: u64

# Published constants; docs/scale.md has their sources.
ALPHA = 1.2e-6          # seconds for a message of 8 bytes
BETA = 1 / 25e9         # seconds for a byte: a port of 200 Gb/s
LINK = 1 / 64e9         # seconds for a byte between host and device: PCIe 5.0, 16 lanes, one direction
SORT = (KEY / 4) ** 2 / 19.0e9  # seconds for a key: CUB's on an H200, u32 keys; u64: twice the digits of twice the bytes
COPY = 1 / 4.3e12       # seconds for a byte read or written in a copy on an H200


def digit_bits(ranks):
    """As dmm_split_digit_bits."""
    bits = 1
    while bits < 8 and (ranks - 1) * (2 ** (bits + 1) - 1) <= 2 ** 13:
        bits += 1
    return bits


def counts(ranks):
    """Returns the counts of each sum of the splitting."""
    bits, left = digit_bits(ranks), 8 * KEY
    sums = []
    while ranks > 1 and left > 0:
        sums.append((ranks - 1) * (2 ** min(bits, left) - 1))
        left -= bits
    return sums


def predict(ranks):
    """Returns what each rank passes to collective calls: names and numbers of scale.c."""
    agreements = 4  # of the devices, of memory, of the local sort, of the merge; 8 bytes each
    return {
        "sums": agreements + len(counts(ranks)), "sum_bytes": 8 * agreements + 8 * sum(counts(ranks)),
        "gathers": 1, "gather_bytes": 32, "prefixes": int(ranks > 1), "prefix_bytes": 8 * (ranks - 1),
        "transposes": 1, "transpose_bytes": 8,
    }


def exchanged(ranks, share, pattern):
    """Returns the least and the most messages and bytes that all ranks send to others."""
    items = ranks * share
    if pattern in ("equal", "sorted"):
        return (0, 0), (0, 0)
    if pattern == "reversed":
        others = ranks - ranks % 2  # the middle rank keeps its items
        return (others, others), (others * share * KEY,) * 2
    # Random: the part of one of the other ranks in a share has a binomial distribution.
    pairs = ranks * (ranks - 1)
    filled = pairs * (1 - (1 - 1 / ranks) ** share)
    moved = items * KEY * (1 - 1 / ranks)
    return (0.98 * filled - 4, filled * 1.02 + 4), (0.95 * moved, 1.05 * moved)


def count(program, ranks, share, pattern):
    """Runs the simulation, and compares it with the formulas."""
    run = subprocess.run([program, str(ranks), str(share), pattern], capture_output=True, text=True, check=True)
    found = {name: int(number) for name, number in (word.split("=") for word in run.stdout.split())}
    wrong = ["%d ranks, %s: %s is %d, not %d" % (ranks, pattern, name, found[name], number)
             for name, number in predict(ranks).items() if found[name] != number]
    messages, moved = exchanged(ranks, share, pattern)
    for name, (least, most) in (("messages", messages), ("message_bytes", moved)):
        if not least <= found[name] <= most:
            wrong.append("%d ranks, %s: %s is %d, not %d to %d" % (ranks, pattern, name, found[name], least, most))
    return found, wrong


def counted(program, all_ranks):
    """Returns the first table, and what is wrong."""
    rows, wrong = [], []
    for ranks in all_ranks:
        share = 2000
        for pattern in ("random", "reversed", "equal") if ranks < 1024 else ("random",):
            found, more = count(program, ranks, share, pattern)
            wrong += more
            rows.append("| %d | %s | %d | %d | %s | %s | %s | %d |" % (
                ranks, pattern, digit_bits(ranks), len(counts(ranks)), number(found["sum_bytes"]),
                number(found["messages"]), number(found["message_bytes"]), found["most_messages"]))
    head = ("| ranks | keys | d | sums | bytes summed, a rank | messages, all | bytes sent, all | messages, most of a rank |"
            "\n|--:|---|--:|--:|--:|--:|--:|--:|\n")
    return head + "\n".join(rows) + "\n", wrong


def number(x):
    return "{:,}".format(x)


def times(ranks, share):
    """Returns the seconds of each part for a rank."""
    steps, bytes_of_share = math.ceil(math.log2(ranks)), share * KEY
    agreements = 3 * steps * (ALPHA + 8 * BETA)
    # A sum is a reduce-scatter and an allgather: Thakur, Rabenseifner, Gropp, 2005, section 4.
    sums = sum(2 * steps * ALPHA + 2 * 8 * each * BETA for each in counts(ranks))
    gather = steps * ALPHA + 32 * ranks * BETA
    prefix = steps * (ALPHA + 8 * (ranks - 1) * BETA)
    transpose = steps * (ALPHA + 8 * ranks / 2 * BETA)
    return {
        "device sort": share * SORT,
        "merge": steps * 2 * bytes_of_share * COPY,
        "host link": 4 * bytes_of_share * LINK,
        "splitting": agreements + sums + gather + prefix + transpose,
        "messages": (ranks - 1) * ALPHA,
        "bytes": bytes_of_share * (1 - 1 / ranks) * BETA,
    }


def power(x):
    digits = round(math.log10(x))
    return "10^%d" % digits if 10 ** digits == x else number(x)


def modelled():
    """Returns the second table."""
    rows = []
    for ranks, share in ((4, 10 ** 9), (64, 10 ** 9), (1024, 10 ** 9), (10 ** 4, 10 ** 9), (10 ** 4, 10 ** 8),
                         (10 ** 4, 10 ** 7), (10 ** 4, 10 ** 6), (10 ** 4, 10 ** 5)):
        part = times(ranks, share)
        most = max(part, key=part.get)
        rows.append("| %s | %s | %s | %s | %s | %.1f |" % (
            power(ranks), power(share), number(share * KEY // ranks), " | ".join(
                ("**%.1f**" if name == most else "%.1f") % (1e3 * seconds) for name, seconds in part.items()),
            most, 1e3 * sum(part.values())))
    names = list(times(4, 1))
    return ("| ranks | keys a rank | bytes of a message | %s | most | all |\n|--:|--:|--:|%s---|--:|\n" %
            (" | ".join(names), "--:|" * len(names)) + "\n".join(rows) + "\n")


def replace(text, name, table):
    pattern = r"(<!-- %s by bench/scale/scale.py -->\n).*?(<!-- end -->)" % name
    assert re.search(pattern, text, re.S), "docs/scale.md has no place for the table " + name
    return re.sub(pattern, lambda found: found[1] + table + found[2], text, flags=re.S)


def main():
    program, checks = sys.argv[1], sys.argv[2:] == ["--check"]
    table, wrong = counted(program, (1, 2, 5, 64) if checks else (4, 64, 256, 1024))
    text = open(PAGE, encoding="utf-8").read()
    written = replace(text, "model", modelled())
    if not checks and not wrong:
        with open(PAGE, "w", encoding="utf-8") as page:
            page.write(replace(written, "counts", table))
    elif checks and written != text:
        wrong.append("docs/scale.md differs from the model: run bench/scale/scale.py")
    print("\n".join(wrong) or "the formulas agree with the counts")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
