# SPDX-License-Identifier: MIT
"""manual.py PROGRAM PAGES LEAST: checks that the manual of dmm, dmm-lab or dmm-mpi, with LEAST commands or more, is complete.

Every page must be formatted without a warning, and must contain every line of its command's --help.
"""
import os
import re
import shutil
import subprocess
import sys

# Lines of --help that the pages word differently.
HEADINGS = re.compile(r"Usage: |Commands \(|Options of every command:")


def words(text):
    """Returns the text in lower case, without line breaks and without the quotes that a page shows in bold."""
    return " ".join(text.replace("`", "").split()).lower()


def run(*command):
    environment = dict(os.environ, MANWIDTH="80", LC_ALL="C.UTF-8")
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    return done.stdout, done.stderr if done.returncode == 0 else done.stderr or "failed"


def formatted(page):
    """Returns the page as a terminal shows it, and the warnings of the installed formatters."""
    shown, complaints = "", ""
    if shutil.which("mandoc"):
        shown, complaints = run("mandoc", "-T", "utf8", "-O", "width=80", page)
        shown = re.sub(".\b", "", shown)  # bold is a letter typed over itself
        lint = run("mandoc", "-T", "lint", "-W", "warning", page)[0].splitlines()
        complaints += "".join(line + "\n" for line in lint if "missing date" not in line)
    if shutil.which("man"):
        shown, more = run("man", "--warnings", "-E", "UTF-8", "-l", page)
        complaints += more
    return shown, complaints


def missing(program, help_text, shown):
    """Returns the lines of --help that are not in the page."""
    page = words(shown)
    lines = []
    for line in help_text.splitlines():
        command = re.match(r"  ([a-z]+) {2,}([a-z].*)", line)
        if command:
            line = "%s-%s(1) %s" % ((program,) + command.groups())
        if not HEADINGS.match(line) and words(line).rstrip(":") not in page:
            lines.append(line)
    usage = re.match(r"Usage: (.*)", help_text).group(1)
    return lines if words(usage) in page else [usage] + lines


def main():
    path, pages, least = sys.argv[1:]
    program = os.path.basename(path)
    whole = run(path, "--help")[0]
    commands = re.findall(r"^  ([a-z]+) {2,}[a-z]", whole, re.M)
    wrong = [] if len(commands) >= int(least) else ["--help lists too few commands"]
    for command in [None] + commands:
        name = program + "-" + command if command else program
        text = run(path, command, "--help")[0] if command else whole
        shown, complaints = formatted(os.path.join(pages, name + ".1"))
        wrong += ["%s.1: not in the page: %s" % (name, line) for line in missing(program, text, shown)]
        if complaints:
            wrong.append("%s.1: %s" % (name, complaints))
        # Checks the check: a page without an option must fail.
        if not missing(program, text, shown.replace("--verbose", "")):
            wrong.append("%s.1: nobody would miss an option" % name)
    extra = set(os.listdir(pages)) - {program + ".1"} - {"%s-%s.1" % (program, command) for command in commands}
    wrong += ["a page of no command: " + page for page in extra]
    print("\n".join(wrong) or "%d pages contain all lines of --help" % (len(commands) + 1))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
