# SPDX-License-Identifier: MIT
"""picture.py --record DMM TEXTBOOK: meters dmm's merge sort and a plain one, on random keys and on the worst ones, and
writes bench/results/DATE-simulated-conflicts.json. report.py draws docs/why.svg from it and from the simulated V100.

TEXTBOOK is the program promise_textbook of tests/meter: a merge sort at plain addresses (GPU Merge Path, 2012).
"""
import datetime
import json
import os
import subprocess
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/meter"), str(ROOT / "bench/simulated")]
import tables as simulated # noqa: E402, needs the path above

# Items per work-item and work-items per group: those of Thrust's sort, whose worst input is the worst known.
E, U = 15, 512
PROGRAMS = [("textbook", "plain merge sort"), ("sort", "dmm")]
KINDS = ["random", "worst"]
COLOURS = ["#b2182b", "#ef8a62", "#fddbc7", "#92c5de", "#4393c3"]


def record(dmm, textbook):
    from promise_run import NVIDIA, Programs, Run, read  # only here: drawing needs no meter
    programs = Programs(Path(dmm).resolve(), None, None, textbook=Path(textbook).resolve())
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    rows = []
    for word, name in PROGRAMS:
        for kind in KINDS:
            reading = read(Run(word, NVIDIA, U, E, 4 * U * E, "u32", kind), programs)
            lines = [{"kernel": kernel["name"], **{key: line[key] for key in (
                "file", "line", "text", "kind", "steps", "passes", "conflicts", "worst") if key in line}}
                for kernel in reading["kernels"] for line in kernel["lines"] if line["space"] == "local"]
            rows.append({"program": name, "keys": kind, "n": 4 * U * E, "u": U, "E": E, "lanes": 32, "banks": 32,
                         "commit": commit.stdout.strip(), "lines": lines})
    path = ROOT / ("bench/results/%s-simulated-conflicts.json" % datetime.date.today())
    path.write_text("[\n%s\n]\n" % ",\n".join(map(json.dumps, rows)), encoding="utf-8")
    print("written: %s" % path)


def conflicts_by_line(row):
    """Returns {(line, text): conflicts} of the lines that have some; kernels that share a line are added up."""
    found = {}
    for line in row["lines"]:
        if line["conflicts"]:
            key = (line["line"], line["text"].split("/*")[0].strip())
            found[key] = found.get(key, 0) + line["conflicts"]
    return found


def text(x, y, words, anchor="start", size=13, colour="#222", more=""):
    return '<text x="%g" y="%g" text-anchor="%s" font-size="%d" fill="%s"%s>%s</text>\n' % (
        x, y, anchor, size, colour, more, escape(words))


def bar(y, label, parts, scale, total):
    """Draws one bar: its label, its parts as (colour, number), and the total."""
    drawn, x = text(220, y + 15, label, "end"), 230
    for colour, number in parts:
        drawn += '<rect x="%g" y="%g" width="%.1f" height="20" fill="%s"/>\n' % (x, y, number * scale, colour)
        x += number * scale
    return drawn + text(x + 6, y + 15, total)


def draw(folder):
    """Returns the picture as SVG, or None without readings."""
    metered, timed = simulated.newest(folder, "conflicts"), simulated.newest(folder)
    if not metered or not timed:
        return None
    body, y = text(20, 30, "Bank conflicts while sorting {:,} keys, by source line".format(metered[1][0]["n"]), size=15,
                   more=' font-weight="bold"'), 46
    by_row = [conflicts_by_line(row) for row in metered[1]]
    lines = sorted({key for found in by_row for key in found},
                   key=lambda key: -max(found.get(key, 0) for found in by_row))
    scale = 450 / max(sum(found.values()) for found in by_row)
    for row, found in zip(metered[1], by_row):
        parts = [(COLOURS[i % len(COLOURS)], found.get(key, 0)) for i, key in enumerate(lines)]
        body += bar(y, "%s, %s keys" % (row["program"], row["keys"]), parts, scale, "{:,}".format(sum(found.values())))
        y += 26
    for i, (number, words) in enumerate(lines):
        body += '<rect x="230" y="%d" width="12" height="12" fill="%s"/>\n' % (y + 6, COLOURS[i % len(COLOURS)])
        body += text(248, y + 16, "line %d of it: %s" % (number, words), size=11, more=' font-family="monospace"')
        y += 18
    y += 36
    body += text(20, y, "Cycles of a multiprocessor per key, merge sorts of 2^17 keys on a simulated V100", size=15, more=' font-weight="bold"')
    y += 16
    merges = [row for row in timed[1] if not row.get("method")]
    # CUB without branches, as ptxas compiles it: the quicker of the two that are simulated.
    rows = [(name, kind, simulated.find(merges, who, kind, 17))
            for who, name in (("cub-predicated", "CUB"), ("dmm", "dmm")) for kind in KINDS]
    cycles = [simulated.whole(row, False) * row["sms"] for _, _, row in rows]
    for (name, kind, _), number in zip(rows, cycles):
        body += bar(y, "%s, %s keys" % (name, kind), [("#4393c3" if name == "dmm" else "#b2182b", number)],
                    450 / max(cycles), "%.1f" % number)
        y += 26
    head = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 %d" width="760" font-family="sans-serif">\n'
            '<title>Bank conflicts and cycles of a plain merge sort and of dmm</title>\n'
            '<rect width="760" height="%d" rx="8" fill="#fff"/>\n' % (y + 12, y + 12))
    return head + body + "</svg>\n"


if __name__ == "__main__":
    if sys.argv[1:2] != ["--record"] or len(sys.argv) != 4:
        sys.exit(__doc__)
    record(*sys.argv[2:])
