#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the tables of docs/promise.md, one row per kernel, and of docs/records/conflicts.md from the readings of the tests of
the promise (promise.py --readings).

promise_pages.py --write READINGS DOCS writes the tables. --check READINGS DOCS fails if the pages differ from the list
of kernels, marks, proofs, tests or files, or if a number is zero only on the page or only in the readings."""

import json
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
from promise_cases import MACHINES  # noqa: E402
from promise_kernels import KERNELS, NONE, ROOT, SPLIT, sections  # noqa: E402
from promise_plant import PLANTS  # noqa: E402


def markdown(header, rows):
    """Returns a Markdown table. Right-aligns all columns except the first and those whose header ends in a space."""
    rule = ["---" if i == 0 or name.endswith(" ") else "--:" for i, name in enumerate(header)]
    lines = [[name.strip() for name in header], rule, *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def grouped(number):
    """Formats a number as in 12 345 678."""
    return f"{number:,}".replace(",", " ")


def readings_in(folder):
    rows = [row | {"word": path.stem.replace("_", " ")} for path in sorted(folder.glob("*.json"))
            for row in json.loads(path.read_text(encoding="utf-8"))]
    if not rows:
        sys.exit(f"{folder} contains no readings: run the tests promise_* first")
    return rows


def split_rows(rows):
    """Yields (title, readings). A kernel that only some calls measure has two rows."""
    for name, kernel in KERNELS.items():
        mine = [row for row in rows if row["kernel"] == name]
        free = [row for row in mine if row["free"]]
        if free:
            yield f"`{name}`" + (" under `guarantee`" if kernel.mark == SPLIT else ""), free
        if len(free) < len(mine):
            yield f"`{name}` (measured)", [row for row in mine if not row["free"]]


def over_least(rows):
    least = sum(row["least"] for row in rows)
    return f"{sum(row['transactions'] for row in rows) / least:.2f}" if least else ""


def conflicts_table(rows, _calls=None):
    lines = [(title, len(mine),
              *(grouped(sum(row["steps"] for row in mine if row["machine"] == str(machine))) for machine in MACHINES),
              grouped(sum(row["conflicts"] for row in mine)),
              grouped(sum(row["transactions"] for row in mine)), over_least(mine))
             for title, mine in split_rows(rows)]
    unseen = sorted(set(KERNELS) - {row["kernel"] for row in rows})
    table = markdown(("kernel", "runs", *map(str, MACHINES), "conflicts", "global transactions", "over least"), lines)
    names = ", ".join(f"`{name}`" for name in unseen)
    return (f"{table}\n\nNot in these runs, and without local memory, as their sources say (most are of the CPU form): "
            f"{names}.")


def link(heading):
    anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    return f"[{heading}](proofs.md#{anchor})"


def claim(kernel):
    return kernel.mark + (f" ({kernel.model})" if kernel.model else "")


def calls_of(rows):
    """Returns the words of each kernel: those whose every run launches it, and reads local steps of it if it can have
    some."""
    runs, by_kernel = {}, {}
    for row in rows:
        runs.setdefault(row["word"], set()).add(row["run"])
        if row["steps"] or KERNELS[row["kernel"]].mark == NONE:
            by_kernel.setdefault(row["kernel"], {}).setdefault(row["word"], set()).add(row["run"])
    return {name: [word for word, mine in words.items() if mine == runs[word]] for name, words in by_kernel.items()}


def promise_table(rows, calls):
    lines = []
    for name, kernel in KERNELS.items():
        mine = [row for row in rows if row["kernel"] == name]
        free = [row for row in mine if row["free"]]
        lines.append((f"`{name}`", claim(kernel), ", ".join(map(link, kernel.proofs)),
                      ", ".join(f"`{test}`" for test in kernel.tests), ", ".join(sorted(calls.get(name, ()))), len(mine),
                      grouped(sum(row["steps"] for row in mine)),
                      grouped(sum(row["conflicts"] for row in free)) if free else "",
                      ", ".join(f"`{path}`" for path in kernel.files)))
    return markdown(("kernel", "claim ", "proof ", "host test ", "calls ", "runs", "local steps", "conflicts", "where "), lines)


def made():
    def git(*words):
        return subprocess.run(["git", "-C", ROOT, *words], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    dirty = ", with changes" if git("status", "--porcelain", "--", "cl", "host", "tests/meter") else ""
    header = (ROOT / "include/dmm/version.h").read_text(encoding="utf-8")
    version = ".".join(re.findall(r"#define DMM_VERSION_(?:MAJOR|MINOR|PATCH) +(\d+)", header))
    oclgrind = subprocess.run(["oclgrind", "--version"], check=True, stdout=subprocess.PIPE,
                              text=True).stdout.strip().splitlines()[0]
    return f"Read from dmm {version}, commit {git('rev-parse', '--short=10', 'HEAD')}{dirty}, in {oclgrind}."


TABLES = (("promise.md", "promise", promise_table), ("records/conflicts.md", "kernels", conflicts_table))


def pattern_of(name):
    return re.compile(rf"(<!-- table: {name} -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def put(text, name, table):
    pattern = pattern_of(name)
    if not pattern.search(text):
        sys.exit(f"the page has no table {name}")
    return pattern.sub(lambda match: f"{match.group(1)}{table}\n{match.group(3)}", text)


def write(rows, docs):
    for page, name, table in TABLES:
        text = put((docs / page).read_text(encoding="utf-8"), name, table(rows, calls_of(rows)))
        (docs / page).write_text(put(text, "made", made()), encoding="utf-8")


def comparable(line):
    """Returns a row in which every number is replaced by whether it is zero."""
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    return [re.sub(r"[\d .]+", lambda match: "0" if match.group(0).strip(" .0") == "" else "1", cell)
            if re.fullmatch(r"[\d .]+", cell) else cell for cell in cells]


def differences(page_text, name, table):
    found = pattern_of(name).search(page_text)
    if not found:
        yield f"has no table {name}"
        return
    old, new = ({row[0]: row for row in map(comparable, text.splitlines()) if row and row[0].startswith("`")}
                for text in (found.group(2), table))
    for kernel in sorted(set(old) | set(new)):
        if old.get(kernel) != new.get(kernel):
            yield f"has the row\n  {old.get(kernel)}\nbut the readings give\n  {new.get(kernel)}"


def check(rows, docs):
    calls = {name: kernel.words for name, kernel in KERNELS.items()}  # promise.py checks the page's words
    wrong = [f"{page}: {what}" for page, name, table in TABLES
             for what in differences((docs / page).read_text(encoding="utf-8"), name, table(rows, calls))]
    headings = sections()
    planted = frozenset().union(*(plant.kernels for plant in PLANTS.values()))
    for name, kernel in KERNELS.items():
        wrong += [f"proofs.md has no section '{proof}' for {name}" for proof in kernel.proofs if proof not in headings]
        wrong += [f"tests/{test}.c, a test of {name}, does not exist" for test in kernel.tests
                  if not any((ROOT / "tests").rglob(f"{test}.c"))]
        if kernel.mark not in (NONE, "measured") and not (kernel.proofs and kernel.tests and kernel.model):
            wrong.append(f"{name} is marked `{kernel.mark}` without a proof, a test or a model")
        if kernel.proofs and name not in planted:
            wrong.append(f"{name} is marked `{kernel.mark}`, but no planted error is in it")
        if kernel.mark != NONE and not any(row["steps"] for row in rows if row["kernel"] == name):
            wrong.append(f"{name} is marked `{kernel.mark}`, but no run reads it")
    return wrong


def lies_are_found(rows):
    """Checks the check: it must reject pages with errors."""
    table = "<!-- table: kernels -->\n" + conflicts_table(rows) + "\n<!-- end -->"
    renamed = table.replace("`dmm_scan_alone`", "`dmm_scan_lonely`")
    zero = re.sub(r"(\| `dmm_scan_alone` \| \d+ \|) [\d ]+ \|", r"\1 0 |", table)
    return ([*differences(table, "kernels", conflicts_table(rows))] == []
            and all([*differences(lie, "kernels", conflicts_table(rows))] for lie in (renamed, zero)))


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("--write", "--check"):
        sys.exit(__doc__)
    rows, docs = readings_in(Path(sys.argv[2])), Path(sys.argv[3])
    if sys.argv[1] == "--write":
        write(rows, docs)
        return 0
    wrong = check(rows, docs)
    if not lies_are_found(rows):
        wrong.append("a page that lies would pass")
    print("\n".join(wrong) or "the pages agree with the readings")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
