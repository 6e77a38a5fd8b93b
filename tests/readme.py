# SPDX-License-Identifier: MIT
"""readme.py README EXAMPLE EXAMPLE_BINARY DMM_FOLDER: checks the README's program and commands.

The C program must be that of the example and print the output in the README; the lines before it are quoted from it.
Every `$ command` of the console blocks is run in order in the current folder with dmm on the PATH, and must print exactly
the lines that follow it. installing.py checks the section on installing.
"""
import os
import re
import subprocess
import sys


def blocks(text, language):
    return re.findall(r"^```%s\n(.*?)^```$" % language, text, re.M | re.S)


def section(text, title):
    """Returns the text between a heading and the next one."""
    return text.split("\n## %s\n" % title)[1].split("\n## ")[0]


def sessions(block):
    """Returns pairs of a command and its output."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.M)[1:]
    return zip(parts[::2], parts[1::2])


def main():
    readme, example, binary, dmm_folder = sys.argv[1:]
    text = open(readme, encoding="utf-8").read()
    environment = dict(os.environ, PATH=dmm_folder + os.pathsep + os.environ["PATH"])
    wrong = []

    quotation, program = blocks(text, "c")
    if not open(example, encoding="utf-8").read().endswith(program):
        wrong.append("the C program is not " + example)
    if quotation not in program:
        wrong.append("the first lines are not of the C program")
    printed = subprocess.run([binary], capture_output=True, text=True, check=True).stdout
    if "prints\n\n```\n" + printed + "```\n" not in text:
        wrong.append("the C program prints\n" + printed)
    for block in blocks(text.replace(section(text, "Installing"), ""), "console"):
        for command, expected in sessions(block):
            run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environment, check=False)
            if run.stdout.strip("\n") != expected.strip("\n") or run.returncode != 0:
                wrong.append("$ %s\n%s%s(exit %d)" % (command, run.stdout, run.stderr, run.returncode))
    print("\n".join(wrong) or "the program and the commands of the README are right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
