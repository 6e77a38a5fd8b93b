# SPDX-License-Identifier: MIT
"""editor.py CLANG SOURCE_DIR: checks that every kernel file compiles by itself without warnings, with the flags of
cl/.clangd. Editors that use clangd then show no false errors."""
import re
import subprocess
import sys
from pathlib import Path


def fragments(text):
    """Yields (pattern, flags) of each part of a .clangd file. Parses only the syntax that cl/.clangd uses."""
    for part in text.split("\n---\n"):
        match = re.search(r"^  PathMatch: (.*)$", part, re.MULTILINE)
        yield match[1] if match else ".*", re.findall(r"^    - (.*)$", part, re.MULTILINE)


def main():
    clang, root = sys.argv[1], Path(sys.argv[2]).resolve()
    folder = root / "cl"
    parts = list(fragments((folder / ".clangd").read_text(encoding="utf-8")))
    unused = {pattern for pattern, _ in parts}
    failed = False
    files = sorted(folder.glob("**/*.cl")) + sorted(folder.glob("**/*.clh"))
    for path in files:
        flags = []
        for pattern, added in parts:
            if re.fullmatch(pattern, path.relative_to(folder).as_posix()):
                flags += added
                unused.discard(pattern)
        run = subprocess.run([clang, *flags, "-fsyntax-only", "-Werror", str(path)], cwd=folder, check=False)
        failed = failed or run.returncode != 0
    for pattern in sorted(unused):
        print(f"cl/.clangd: no file matches {pattern}")
    print(f"{len(files)} kernel files compiled by themselves")
    return 1 if failed or unused or not files else 0


if __name__ == "__main__":
    sys.exit(main())
