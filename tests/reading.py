# SPDX-License-Identifier: MIT
"""reading.py [--without EXPRESSION] FILE...: what one reads from these files on: the files that they include, and the
.c file of each header. Prints their lines, then how many files and lines are kernels and how many are of the host.
Leaves out files that the regular expression matches.

reading.py --ceremony: how many lines of host/primitives, without the self-test, every primitive has alike: its public
functions, its row, its ports, its check of arguments and its destruction. docs/decisions.md has both counts."""
import argparse
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent


def files_from(files, without):
    """Returns every file on the way, sorted."""
    seen, ahead = set(), list(files)
    while ahead:
        name = ahead.pop()
        path = ROOT / name
        if name in seen or without.search(name) or not path.exists():
            continue
        seen.add(name)
        if name.startswith("host/") and name.endswith(".h"):
            ahead.append(name[:-1] + "c")
        for included in re.findall(r'#include "([^"]+)"', path.read_text(encoding="utf-8")):
            ahead.append(included if included.startswith("cl/") else "host/" + included)
    return sorted(seen)


# By kind, the names of functions that every primitive has.
CEREMONY = {"create": r"dmm_\w+_create", "temp_bytes": r"dmm_\w+_temp_bytes", "enqueue": r"dmm_\w+_enqueue(_from)?",
            "free": r"dmm_\w+_free|\w+_destroy", "_host": r"dmm_\w+_host", "ports": r"\w+_ports",
            "check": r"(?!dmm_)(\w+_)?check(_desc|_by|_bits|_sizes)?", "rows": r"dmm_\w+_class"}
DEFINITION = re.compile(r"^(?:[a-z][\w *]*?\b(\w+)\([^;{}]*\)\n\{|const dmm_class (\w+) = \{)\n.*?^\};?$", re.M | re.S)


def count_ceremony():
    """Prints the lines of each kind, and their share of all lines."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "host/primitives").rglob("*.c")
             if "selftest" not in path.parts]
    counts = dict.fromkeys(CEREMONY, 0)
    for found in (found for text in texts for found in DEFINITION.finditer(text)):
        for kind, names in CEREMONY.items():
            if re.fullmatch(names, found.group(1) or found.group(2)):
                counts[kind] += found.group(0).count("\n") + 1
    every, mine = sum(text.count("\n") for text in texts), sum(counts.values())
    for kind, count in counts.items():
        print(f"{count:6} {kind}")
    print(f"{mine:6} of {every} lines, {100 * mine / every:.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ceremony", action="store_true")
    parser.add_argument("--without", type=re.compile, default=re.compile("$^"))
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    if args.ceremony:
        count_ceremony()
        return
    lines = {name: len((ROOT / name).read_text(encoding="utf-8").splitlines())
             for name in files_from(args.files, args.without)}
    for name, count in lines.items():
        print(f"{count:6} {name}")
    for part, folder in (("kernel", "cl/"), ("host", "host/")):
        own = [count for name, count in lines.items() if name.startswith(folder)]
        print(f"{part}: {len(own)} files, {sum(own)} lines")


main()
