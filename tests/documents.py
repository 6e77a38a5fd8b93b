# SPDX-License-Identifier: MIT
"""documents.py SOURCE DMM_FOLDER DOCUMENT...: checks code blocks, commands and links of the documents.

A block that begins with ```c PATH must occur in that file of SOURCE, line for line. Every `$ command` of the console
blocks is run in order in the current folder with dmm on the PATH, and must print the lines that follow it; ... matches
anything. The target of each link to a file must exist.
"""
import os
import re
import subprocess
import sys

from readme import sessions


def untrue_quotations(source, text):
    for path, block in re.findall(r"^```c (\S+)\n(.*?)^```$", text, re.M | re.S):
        if block not in open(os.path.join(source, path), encoding="utf-8").read():
            yield "%s does not have\n%s" % (path, block)


def untrue_sessions(text, environment):
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S):
        for command, expected in sessions(block):
            run = subprocess.run(["bash", "-c", "set -o pipefail; " + command], capture_output=True, text=True,
                                 env=environment, check=False)
            pattern = re.escape(expected.strip("\n")).replace(r"\.\.\.", ".*")
            if not re.fullmatch(pattern, run.stdout.strip("\n")):
                yield "$ %s\n%s%s(exit %d)" % (command, run.stdout, run.stderr, run.returncode)


def dead_links(path, text):
    for link in re.findall(r"\]\(([^):#]+)\)", text):
        if not os.path.exists(os.path.join(os.path.dirname(path), link)):
            yield "no such file: " + link


def main():
    source, dmm_folder = sys.argv[1:3]
    environment = dict(os.environ, PATH=dmm_folder + os.pathsep + os.environ["PATH"])
    wrong = []
    for path in sys.argv[3:]:
        text = open(path, encoding="utf-8").read()
        found = [*untrue_quotations(source, text), *untrue_sessions(text, environment), *dead_links(path, text)]
        wrong += ["%s: %s" % (path, what) for what in found]

    # Checks the checks: a document with three errors must fail three times.
    lies = "```c LICENSE\nnever there\n```\n```console\n$ echo 1\n2\n```\n[here](nowhere.md)\n"
    if not all(map(list, (untrue_quotations(source, lies), untrue_sessions(lies, environment), dead_links("", lies)))):
        wrong.append("a document with errors passes the checks")
    print("\n".join(wrong) or "all blocks, commands and links of the documents are right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
