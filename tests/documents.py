# SPDX-License-Identifier: MIT
"""documents.py SOURCE BUILD DOCUMENT...: checks the README and the pages of docs.

A block that begins with ```c PATH (or cpp, python, cmake) must occur in that file of SOURCE, line for line. Every
`$ command` of the console blocks is run in order in the current folder, where build/default is BUILD, which is on the
PATH, too, and examples is that of SOURCE. What it prints, errors included, must be the lines that follow it; ... matches anything. A sh block with
build/default/dmm that is followed by its output is run from there on: all but numbers and the name of the device must
agree. The target of each link to a file must exist. Every page is in the index, and the README is short. The section on
installing is left to installing.py; calls of `dmm meter`, of dmm-lab and of PyOpenCL are left out where those are missing.
"""
import functools
import os
import re
import shutil
import subprocess
import sys

MOST_LINES, MOST_WORDS = 120, 1300  # of the README


def blocks(text, language):
    return re.findall(r"^```%s\n(.*?)^```$" % language, text, re.M | re.S)


def section(text, title):
    """Returns the text between a heading and the next one, or nothing."""
    parts = text.split("\n## %s\n" % title)
    return parts[1].split("\n## ")[0] if len(parts) == 2 else ""


def sessions(block):
    """Returns pairs of a command and its output."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.M)[1:]
    return zip(parts[::2], parts[1::2])


def run(command, environment):
    done = subprocess.run(["bash", "-c", "set -o pipefail; " + command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, env=environment, check=False)
    return done.stdout, done.returncode


@functools.cache
def python_of_pyopencl():
    """Returns a Python that has PyOpenCL: the one on the PATH, or the system's; None: neither has."""
    for python in ("python3", "/usr/bin/python3"):
        found = shutil.which(python)
        if found and subprocess.run([found, "-c", "import numpy, pyopencl"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return found
    return None


def link(target, name):
    if os.path.lexists(name):
        os.remove(name)
    os.symlink(target, name)


def untrue_quotations(source, text):
    for path, block in re.findall(r"^```(?:c|cpp|python|cmake) (\S+)\n(.*?)^```$", text, re.M | re.S):
        if block not in open(os.path.join(source, path), encoding="utf-8").read():
            yield "%s does not have\n%s" % (path, block)


def untrue_sessions(text, environment):
    for block in blocks(text, "console"):
        for command, expected in sessions(block):
            if "dmm meter " in command and not os.path.exists("build/default/host/meter/libdmm_meter.so"):
                continue
            if "python3 examples/meter/" in command and not python_of_pyopencl():
                continue
            if "dmm-lab " in command and not os.path.exists("build/default/dmm-lab"):
                continue
            printed, code = run(command, environment)
            pattern = re.escape(expected.strip("\n")).replace(r"\.\.\.", ".*")
            if not re.fullmatch(pattern, printed.strip("\n")) or code != 0 and expected == "":
                yield "$ %s\n%s(exit %d)" % (command, printed, code)


def untrue_outputs(text, environment):
    for line, expected in re.findall(r"^```sh\n([^\n]*build/default/dmm [^\n]*)\n```\n\n```\n(.*?)^```$", text, re.M | re.S):
        command = line[line.index("build/default/dmm "):]
        printed, code = run(command, environment)
        shown, got = (re.sub(r"(?m)^device .*$|\d[\d.]*| +", " ", output) for output in (expected, printed))
        if shown != got or code != 0:
            yield "$ %s\n%s(exit %d)" % (command, printed, code)


def dead_links(path, text):
    for link in re.findall(r"\]\(([^):#]+)[^):]*\)", text):
        if not os.path.exists(os.path.join(os.path.dirname(path), link)):
            yield "no such file: " + link


def dead_anchors(path, text):
    """Finds links to a heading of a page that the page does not have."""
    for link, anchor in re.findall(r"\]\(([^):#]*)#([^)]+)\)", text):
        target = os.path.join(os.path.dirname(path), link)
        if link and not (target.endswith(".md") and os.path.exists(target)):
            continue
        page = open(target, encoding="utf-8").read() if link else text
        headings = re.findall(r"^#+ (.*)$", page, re.M)
        if anchor not in (re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings):
            yield "no such heading: %s#%s" % (link, anchor)


def missing_pages(index, paths):
    text = open(index, encoding="utf-8").read()
    for path in paths:
        name = os.path.relpath(path, os.path.dirname(index))
        if not name.startswith("..") and path != index and "](%s" % name not in text:
            yield "%s is not in the index" % name


def too_long(text):
    if text.count("\n") > MOST_LINES or len(text.split()) > MOST_WORDS:
        yield "%d lines and %d words; at most %d and %d" % (text.count("\n"), len(text.split()), MOST_LINES, MOST_WORDS)


def main():
    source, build = sys.argv[1:3]
    os.makedirs("build/bin", exist_ok=True)
    link(build, "build/default")
    link(os.path.join(source, "examples"), "examples")
    if python_of_pyopencl():
        link(python_of_pyopencl(), "build/bin/python3")
    environment = dict(os.environ, PATH=os.pathsep.join([build, os.path.abspath("build/bin"), os.environ["PATH"]]))
    wrong = []
    for path in sys.argv[3:]:
        text = open(path, encoding="utf-8").read()
        executed = text.replace(section(text, "Installing"), "")
        found = [*untrue_quotations(source, text), *untrue_sessions(executed, environment),
                 *untrue_outputs(executed, environment), *dead_links(path, text), *dead_anchors(path, text)]
        if path == os.path.join(source, "README.md"):
            found += too_long(text)
        wrong += ["%s: %s" % (path, what) for what in found]
    wrong += missing_pages(os.path.join(source, "docs/README.md"), sys.argv[3:])

    # Checks the checks: a document with errors must fail each of them.
    lies = ("```c LICENSE\nnever there\n```\n```console\n$ echo 1\n2\n```\n[here](nowhere.md) [there](#nowhere)\n"
            "```sh\n: build/default/dmm --version\n```\n\n```\nno version 1\n```\n")
    if not all(map(list, (untrue_quotations(source, lies), untrue_sessions(lies, environment),
                          untrue_outputs(lies, environment), dead_links("", lies), dead_anchors("", lies),
                          too_long(lies * MOST_LINES)))):
        wrong.append("a document with errors passes the checks")
    print("\n".join(wrong) or "all blocks, commands and links of the documents are right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
