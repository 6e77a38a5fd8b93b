#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds generated pages that are older than the kernels which they measure.

Such a page has a line `<!-- kernels: HASH -->`: the hash of the texts of exactly the programs whose kernels it measures,
flattened as cmake/embed.cmake does it, without comments, so that words in a comment leave a page valid. docs/decisions.md
says why some pages only warn.

stale.py --check            names the pages whose kernels have changed, and the commands that make them again. Exits with 1
                            if one of them is an error; with 77 (skipped: a warning) if none is
stale.py --record PAGE [COMMIT]  writes the hash of today's kernels, or of those of a commit, into the page
stale.py --make BUILD [PAGE...]  makes stale pages again, in a build folder, and records them
"""
import hashlib
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MARK = re.compile(r"<!-- kernels: ([0-9a-f]*) -->")
INCLUDE = re.compile(r'^#include "([^"]*)"\n', re.M)
SKIPPED = 77


@dataclass(frozen=True)
class Page:
    programs: str  # expression of the paths of the .cl files whose kernels it measures
    command: tuple  # makes it; BUILD is the build folder
    warns: str = ""  # why a stale page is a warning; "": it is an error


TARGET = ("cmake", "--build", "BUILD", "--target")
PAGES = {
    "docs/promise.md": Page(r"cl/.*", (*TARGET, "conflicts"), "it takes ten minutes, and kernels change daily"),
    "docs/records/conflicts.md": Page(r"cl/.*", (*TARGET, "conflicts"), "it takes ten minutes, and kernels change daily"),
    "docs/records/engines.md": Page(r"cl/.*", (*TARGET, "engines_page"), "it takes an hour, and kernels change daily"),
    "docs/records/gpus.md": Page(r"(?!.*_cpu\.cl)cl/.*", (*TARGET, "gpus"), "gpu_compilers_all compares it weekly"),
    "docs/hull.md": Page(r"cl/hull/.*", (*TARGET, "hull_page")),
    "docs/matrix.md": Page(r"cl/(sort/sort|lab/sort_matrix|radix/radix\w*|lab/radix_route)\.cl", (*TARGET, "matrix_page")),
}


def git(*arguments):
    return subprocess.run(("git", "-C", ROOT, *arguments), check=True, capture_output=True, text=True).stdout


class Tree:
    """The files of cl/, of the working tree or of a commit."""

    def __init__(self, commit=None):
        if commit is None:
            self.texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
                          for path in (ROOT / "cl").rglob("*.cl*")}
        else:
            names = git("ls-tree", "-r", "--name-only", commit, "cl").split()
            self.texts = {name: git("show", f"{commit}:{name}") for name in names if re.search(r"\.clh?$", name)}

    def flatten(self, name, seen):
        """Returns the text of a file with its includes, each file once, without comments and blank lines."""
        if name in seen or name not in self.texts:
            return ""
        seen.add(name)
        text = re.sub(r"/\*.*?\*/", " ", self.texts[name], flags=re.S)
        text = INCLUDE.sub(lambda found: self.flatten(found[1], seen), text)
        return "".join(" ".join(line.split()) + "\n" for line in text.splitlines() if line.strip())

    def hash_of(self, page):
        """Returns the hash of a page's programs and of what the library puts before them."""
        names = sorted(name for name in self.texts if name.endswith(".cl") and re.fullmatch(PAGES[page].programs, name))
        if not names:
            sys.exit(f"stale.py: {page}: no program matches {PAGES[page].programs}; correct PAGES in tests/stale.py")
        texts = [name + "\n" + self.flatten(name, set()) for name in names + ["cl/builtins.clh"]]
        return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def recorded(page):
    found = MARK.search((ROOT / page).read_text(encoding="utf-8"))
    return found[1] if found else None


def record(page, commit=None):
    path, line = ROOT / page, f"<!-- kernels: {Tree(commit).hash_of(page)} -->"
    text = path.read_text(encoding="utf-8")
    if MARK.search(text):
        text = MARK.sub(line, text, count=1)
    else:
        text = text.rstrip("\n") + "\n\n" + line + "\n"
    path.write_text(text, encoding="utf-8")


def stale_pages():
    tree = Tree()
    return [page for page in PAGES if recorded(page) != tree.hash_of(page)]


def check():
    stale = stale_pages()
    for page in stale:
        why = PAGES[page].warns
        print(f"{page} measures kernels that have changed since{' (a warning: ' * bool(why)}{why}{')' * bool(why)}; "
              f"make it again: python3 tests/stale.py --make build/default {page}")
    if not stale:
        print(f"{len(PAGES)} pages measure today's kernels")
        return 0
    return SKIPPED if all(PAGES[page].warns for page in stale) else 1


def make(build, pages):
    made = set()
    for page in pages or stale_pages():
        command = tuple(build if word == "BUILD" else word for word in PAGES[page].command)
        if command not in made:
            print(f"{page}: {' '.join(command)}", flush=True)
            subprocess.run(command, check=True)
            made.add(command)
        record(page)
    return 0


def main(arguments):
    wrong = [page for page in arguments[2 if arguments[:1] == ["--make"] else 1:] if page.endswith(".md")
             and page not in PAGES]
    if wrong:
        sys.exit(f"stale.py: {wrong[0]} is no page of {', '.join(PAGES)}")
    if arguments == ["--check"]:
        return check()
    if arguments[:1] == ["--record"] and 2 <= len(arguments) <= 3:
        return record(*arguments[1:])
    if arguments[:1] == ["--make"] and len(arguments) >= 2:
        return make(arguments[1], arguments[2:])
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
