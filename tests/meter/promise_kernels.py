# SPDX-License-Identifier: MIT
"""Reads the kernels of cl/: marks and proofs from the comment of each kernel, models and host tests from
docs/proofs.md, and the calls that launch it from docs/promise.md."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Marks. SPLIT: measured, but conflict-free in calls under `guarantee` and in calls by matrix. Kernels by ballots
# (cl/lanes.clh) do not run in Oclgrind, which reads those by columns.
FREE, NONE, MEASURED, SPLIT = ("conflict-free", "no local memory", "measured",
                               "measured; conflict-free under `guarantee`")
# The comment of a kernel that declares local memory ends in its mark, with sections of docs/proofs.md if it promises
# something. A kernel without local memory needs no mark.
MARKS = re.compile(
    r"\b(Conflict-free|Measured|Measured; conflict-free under guarantee|No local memory)(?:: ([^.:]+))?\.\s*$")
# Models of docs/proofs.md.
EREW, BROADCAST = "EREW", "broadcast"
# Words of calls under `guarantee` or by matrix, and of partitions into two, in which SPLIT kernels must have no conflicts.
GUARANTEED = {"split", "split-alone", "partition-split", "partition-two", "partition-matrix", "partition-alone",
              "permute randomized"}


@dataclass
class Kernel:
    mark: str
    proofs: tuple  # sections of docs/proofs.md
    files: tuple  # where it is defined
    words: frozenset = frozenset()  # words of promise_cases.py whose every run launches it
    model: str = ""  # the strictest model in which it is conflict-free
    tests: tuple = ()  # tests of the index maps


# ---- Sources -----------------------------------------------------------------------------------


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def sources():
    folder = ROOT / "cl"
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted((*folder.rglob("*.cl"), *folder.rglob("*.clh")))}


def body_of(text):
    """Returns the text from the first brace to its closing brace. If both branches of an #if open the same brace, it is
    counted twice, and the body extends too far: never too short."""
    depth, start = 0, text.index("{")
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[start:at + 1]
    return text[start:]


def definitions():
    """Yields (file, kernel, True if it declares local memory, comment before it). A kernel declares local memory in its
    own body (OpenCL C 1.2, section 6.5.2), here also by macros, or as an argument."""
    texts = sources()
    macros = [name for text in texts.values()
              for name, body in re.findall(r"#define (\w+)\([^)]*\)((?:[^\n]*\\\n)*[^\n]*)",
                                           without_comments(text))
              if re.search(r"^\s*local ", body.replace("\\\n", "\n"), re.M)]
    declares = re.compile(r"^\s*local |[(,]\s*local |\b(?:" + "|".join(macros + ["no_macro"]) + r")\(", re.M)
    kernel = re.compile(r"(?:/\*((?:(?!\*/).)*)\*/\s*)?"
                        r"^(?:DMM_KERNEL(?:_\w+)?\([^)]*\)|\b(?:__)?kernel\b[^;{]*?)\s*void\s+(\w+)", re.M | re.S)
    for path, text in texts.items():
        for found in kernel.finditer(text):
            header, rest = without_comments(text[found.start(2):]).split("{", 1)
            local = bool(declares.search(header + body_of("{" + rest)))
            yield path, found.group(2), local, re.sub(r"\s*\n \*\s*", " ", found.group(1) or "")


def kernels_of_sources():
    """Yields (file, kernel, True if it declares local memory)."""
    for path, name, local, _ in definitions():
        yield path, name, local


def mark_of(path, name, local, comment):
    """Returns (mark, proofs) of a definition."""
    found = MARKS.search(comment)
    if not local:
        if found:
            raise SystemExit(f"{path}: {name} has a mark, but declares no local memory")
        return NONE, ()
    if not found or (found.group(2) is None) != (found.group(1) == "Measured"):
        raise SystemExit(f"{path}: {name} declares local memory: its comment must end in `Conflict-free: ` and sections "
                         "of docs/proofs.md, or in `Measured.`")
    words = {"Conflict-free": FREE, "Measured": MEASURED, "No local memory": NONE}
    mark = words.get(found.group(1), SPLIT)
    return mark, tuple((found.group(2) or "").split(", ")) if mark in (FREE, SPLIT) else ()


def sections():
    """Returns the text of each section of docs/proofs.md."""
    parts = re.split(r"^## (.*)$", (ROOT / "docs/proofs.md").read_text(encoding="utf-8"), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def calls_of_page():
    """Returns the words of each kernel in docs/promise.md: every run of theirs launches it."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")]
            for line in (ROOT / "docs/promise.md").read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    at = rows[0].index("calls")
    return {row[0].strip("`"): frozenset(filter(None, row[at].split(", "))) for row in rows[2:]}


def all_kernels():
    """Returns the kernels by name. Definitions with local memory must agree in their mark."""
    kernels, proved, calls = {}, sections(), calls_of_page()
    for path, name, local, comment in definitions():
        mark, proofs = mark_of(path, name, local, comment)
        other = kernels.get(name)
        if other and NONE not in (mark, other.mark) and (mark, proofs) != (other.mark, other.proofs):
            raise SystemExit(f"{path}: {name} has another mark than in {other.files[0]}")
        if other and mark == NONE:
            mark, proofs = other.mark, other.proofs
        texts = [proved.get(proof, "") for proof in proofs]
        model = "" if not proofs else BROADCAST if any("broadcast" in text.lower() for text in texts) else EREW
        tests = dict.fromkeys(test for text in texts for test in re.findall(r"\btest_\w+", text))
        files = (*(other.files if other else ()), path)
        kernels[name] = Kernel(mark, proofs, tuple(dict.fromkeys(files)), calls.get(name, frozenset()), model,
                               tuple(tests))
    return kernels


KERNELS = all_kernels()


def may_conflict(name, word):
    mark = KERNELS[name].mark
    return mark == MEASURED or (mark == SPLIT and word not in GUARANTEED)
