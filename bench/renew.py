#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replaces the rows of a word, and their paragraphs of text, by those of a new run of `dmm bench WORD`.

renew.py RESULTS NEW WORD   RESULTS and NEW: names without .json and .txt
renew.py --own JSON         leaves only dmm's rows, and of these what the table of skewed inputs needs
"""
import json
import re
import sys


def without(word, text):
    """Leaves out the word's lines, and the indented lines that follow them."""
    kept, skips = [], False
    for line in text.splitlines():
        skips = line.startswith(word + " ") or skips and line.startswith(" ")
        if not skips and (line or kept and kept[-1]):
            kept.append(line)
    return "\n".join(kept).strip()


def write(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write("[\n%s\n]\n" % ",\n".join(map(json.dumps, rows)))


def own(path):
    with open(path, encoding="utf-8") as file:
        rows = [row for row in json.load(file) if row["who"] == "dmm"]
    left = ("word", "case", "input", "n", "who", "method", "form", "runs", "median_ms", "min_ms", "device", "platform",
            "driver", "dmm", "date", "load")
    write(path, [{name: row[name] for name in left} for row in rows])


def main(results, new, word):
    with open(results + ".json", encoding="utf-8") as file:
        rows = json.load(file)
    with open(new + ".json", encoding="utf-8") as file:
        rows = [row for row in rows if row["word"] != word] + json.load(file)
    for row in rows: # not into which file
        row["command"] = re.sub(r" --json \S+", "", row["command"])
    write(results + ".json", rows)
    with open(results + ".txt", encoding="utf-8") as old, open(new + ".txt", encoding="utf-8") as added:
        text = without(word, old.read()) + "\n\n" + added.read().strip()
    with open(results + ".txt", "w", encoding="utf-8") as file:
        file.write(text + "\n")


if sys.argv[1] == "--own":
    own(sys.argv[2])
else:
    main(*sys.argv[1:])
