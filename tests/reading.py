# SPDX-License-Identifier: MIT
"""reading.py [--without EXPRESSION] FILE...: what one reads from these files on: the files that they include, and the
.c file of each header. Prints their lines, then how many files and lines are kernels, of the host and of the tests.
Leaves out files that the regular expression matches.

reading.py --ceremony: how many lines of host/primitives, without the self-test, every primitive has alike: its public
functions, its row, its ports, its check of arguments and its destruction.

reading.py --circles: groups of files that call each other in a circle.

reading.py --write FILE, --check FILE: writes the numbers of the source into a table of FILE, or compares them with it:
fails if one is worse than the recorded one by more than 2 %, or better, since the table is then out of date."""
import argparse
import functools
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What a reader of a walk does not open.
AROUND = re.compile(r"core/(program|tuning|context|cache|device|log|options|temp|size|os|opencl|refuse|trace)|classes")
SORT = "host/primitives/sort/"
WALKS = {"merge sort": [SORT + "sort.c", SORT + "sort_merge.c", "host/core/call.c", "cl/sort/sort.cl"],
         "radix sort by ballots": [SORT + "sort.c", SORT + "sort_radix.c", SORT + "radix.c", SORT + "radix_call.c",
                                   "host/core/call.c", "cl/radix/radix_ballot.cl"],
         "test_sort.c": ["tests/sort/test_sort.c"]}
ALLOWED = 0.02
PARTS = {"kernels": "cl/", "host": "host/", "tests": "tests/"}
SOURCES = {".c", ".h", ".cl", ".clh", ".cpp"}


@functools.cache
def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def count_lines(names):
    return sum(len(text(name).splitlines()) for name in names)


def files_from(files, without):
    """Returns every file on the way, sorted."""
    seen, ahead = set(), list(files)
    while ahead:
        name = ahead.pop()
        if name in seen or without.search(name) or not (ROOT / name).is_file():
            continue
        seen.add(name)
        if name.endswith(".h"):
            ahead.append(name[:-1] + "c")
        for included in re.findall(r'#include "([^"]+)"', text(name)):
            if included.startswith("cl/"):
                ahead.append(included)
            elif name.startswith("tests/"):
                ahead.append("tests/" + included)
            else:
                ahead.append("host/" + included)
    return sorted(seen)


def walk(files, without):
    """Returns the files of a walk, and {part: names}."""
    missing = [name for name in files if not (ROOT / name).is_file()]
    if missing:
        sys.exit(f"reading.py: {missing[0]}: no such file; correct WALKS in tests/reading.py")
    names = files_from(files, without)
    return {part: [name for name in names if name.startswith(folder)] for part, folder in PARTS.items()}


# By kind, the names of functions that every primitive has.
CEREMONY = {"create": r"dmm_\w+_create", "temp_bytes": r"dmm_\w+_temp_bytes", "enqueue": r"dmm_\w+_enqueue(_from)?",
            "free": r"dmm_\w+_free|\w+_destroy", "_host": r"dmm_\w+_host", "ports": r"\w+_ports",
            "check": r"(?!dmm_)(\w+_)?check(_desc|_by|_bits|_sizes)?", "rows": r"dmm_\w+_class"}
FUNCTION = re.compile(r"^(static )?(?:[a-z][\w *]*?\b(\w+)\([^;{}]*\)\n\{|const dmm_class (\w+) = \{)\n.*?^\};?$",
                      re.M | re.S)


def ceremony():
    """Returns {kind: lines}, and all lines."""
    names = [str(path.relative_to(ROOT)) for path in (ROOT / "host/primitives").rglob("*.c")
             if "selftest" not in path.parts]
    counts = dict.fromkeys(CEREMONY, 0)
    for found in (found for name in names for found in FUNCTION.finditer(text(name))):
        for kind, pattern in CEREMONY.items():
            if re.fullmatch(pattern, found.group(2) or found.group(3)):
                counts[kind] += found.group(0).count("\n") + 1
    return counts, count_lines(names)


def tracked():
    """Returns the names of all files but results of benchmarks: those of git, or of a tree without it."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"],
                            capture_output=True, text=True, check=False)
    names = listed.stdout.splitlines() if listed.returncode == 0 else [
        str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file()]
    return [name for name in names if (ROOT / name).is_file()
            and not name.startswith(("bench/results/", "build/", "shared/", "."))]


def circles():
    """Returns groups of files of the host each of which calls, directly or not, a function of each other one."""
    bodies, owner = {}, {}
    for name in tracked():
        path = pathlib.PurePath(name)
        if name.startswith("host/") and path.suffix in {".c", ".cpp"}:
            # Without comments and strings.
            bodies[name] = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', " ", text(name), flags=re.S)
            for found in FUNCTION.finditer(text(name)):
                if not found.group(1):
                    owner.setdefault(found.group(2) or found.group(3), set()).add(name)
    calls = {name: {next(iter(owner[word])) for word in re.findall(r"\b\w+(?=\()", body)
                    if len(owner.get(word, ())) == 1} - {name} for name, body in bodies.items()}

    def reach(name):
        seen, ahead = set(), [name]
        while ahead:
            new = calls[ahead.pop()] - seen
            seen |= new
            ahead += new
        return seen
    reached = {name: reach(name) for name in calls}
    groups = {frozenset(b for b in reached[a] if a in reached[b]) for a in calls}
    return sorted(sorted(group) for group in groups if len(group) > 1)


def switches(names):
    """Returns the number of #if and #elif, without those that end in an #error."""
    every = re.findall(r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b(?:.*\\\n)*.*\n\s*(#\s*error)?",
                       "".join(map(text, names)), re.M)
    return len([error for error in every if not error])


def numbers():
    """Returns {what: number}; less is better."""
    found = {}
    for what, files in WALKS.items():
        parts = walk(files, AROUND)
        for part, names in parts.items():
            if names and not what.startswith("test_"):
                found[f"{what}: files of the {part}"] = len(names)
                found[f"{what}: lines of the {part}"] = count_lines(names)
        every = sum(parts.values(), [])
        found[f"{what}: files"], found[f"{what}: lines"] = len(every), count_lines(every)
    kernels = [name for name in tracked() if name.startswith("cl/")]
    found["`#if` and `#elif` in cl without checks by `#error`"] = switches(kernels)
    found["the same in reach of merge.cl"] = switches(files_from(["cl/sort/merge.cl"], re.compile("$^")))
    found["circles of calls between files of the host"] = len(circles())
    counts, every = ceremony()
    found["lines of host/primitives that every primitive has alike"] = sum(counts.values())
    found["lines of host/primitives"] = every
    tests = [name for name in tracked() if name.startswith("tests/") and pathlib.PurePath(name).suffix in SOURCES]
    found["files of tests in C"], found["lines of tests in C"] = len(tests), count_lines(tests)
    names = tracked()
    found["all files without bench/results"] = len(names)
    found["all lines without bench/results"] = sum((ROOT / name).read_bytes().count(b"\n") for name in names)
    return found


TABLE = re.compile(r"(^\| number \| today \|\n\|---\|--:\|\n)((?:\|.*\|\n)+)", re.M)


def table_in(page):
    """Returns the rows of the page's table, as text."""
    table = TABLE.search(page.read_text(encoding="utf-8"))
    if not table:
        sys.exit(f"reading.py: {page}: has no table that begins '| number | today |'")
    return table.group(2)


def write(page):
    table_in(page)
    rows = "".join(f"| {what} | {count:,} |\n" for what, count in numbers().items())
    page.write_text(TABLE.sub(lambda table: table.group(1) + rows, page.read_text(encoding="utf-8")), encoding="utf-8")


def check(page):
    """Prints what differs; returns the number of differences."""
    rows = re.findall(r"^\| (.*?) \| ([\d,]+) \|$", table_in(page), re.M)
    recorded, now = {what: int(count.replace(",", "")) for what, count in rows}, numbers()
    said = [f"the table lacks or has a row too many: {what}" for what in sorted(recorded.keys() ^ now.keys())]
    for what in recorded.keys() & now.keys():
        difference, allowed = now[what] - recorded[what], round(ALLOWED * recorded[what])
        if abs(difference) > allowed:
            todo = "worse; shorten it, or say why not" if difference > 0 else "better; the table is out of date"
            said.append(f"{what}: {now[what]:,}, recorded {recorded[what]:,}: {todo}")
    for line in said:
        print(f"{page}: {line}")
    if said:
        print(f"To record the numbers of today: python3 tests/reading.py --write {page}")
    return len(said)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ceremony", action="store_true")
    parser.add_argument("--circles", action="store_true")
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--check", type=pathlib.Path)
    parser.add_argument("--without", type=re.compile, default=re.compile("$^"))
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    if args.ceremony:
        counts, every = ceremony()
        for kind, count in counts.items():
            print(f"{count:6} {kind}")
        print(f"{sum(counts.values()):6} of {every} lines, {100 * sum(counts.values()) / every:.1f} %")
    elif args.circles:
        for group in circles():
            print(*group)
    elif args.write:
        write(args.write)
    elif args.check:
        sys.exit(check(args.check) > 0)
    else:
        parts = walk(args.files, args.without)
        for name in sorted(sum(parts.values(), [])):
            print(f"{count_lines([name]):6} {name}")
        for part, names in parts.items():
            print(f"{part}: {len(names)} files, {count_lines(names)} lines")


main()
