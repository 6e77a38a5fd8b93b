# SPDX-License-Identifier: MIT
"""reading.py [--without EXPRESSION] FILE...: what one reads from these files on: the files that they include, and the
.c file of each header. Prints their lines, then how many files and lines are kernels and how many are of the host.
Leaves out files that the regular expression matches. For the table of docs/house.md."""
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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without", type=re.compile, default=re.compile("$^"))
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    lines = {name: len((ROOT / name).read_text(encoding="utf-8").splitlines())
             for name in files_from(args.files, args.without)}
    for name, count in lines.items():
        print(f"{count:6} {name}")
    for part, folder in (("kernel", "cl/"), ("host", "host/")):
        own = [count for name, count in lines.items() if name.startswith(folder)]
        print(f"{part}: {len(own)} files, {sum(own)} lines")


main()
