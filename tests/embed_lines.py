# SPDX-License-Identifier: MIT
"""embed_lines.py CMAKE CC SOURCE FOLDER: joins a program whose #includes stand between #if and #endif by cmake/embed.cmake, and
preprocesses it: each line knows its file and number, whichever branches are left out."""
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

CMAKE, CC, SOURCE, FOLDER = sys.argv[1:]
LINE = "%s __FILE__ __LINE__\n"
FILES = {
    "a.cl": ["", "#if A", '#include "cl/lab/b.clh"', "#elif B", "", "#else", "", "#endif", "", "#if B", "", "#endif", "",
             '#include "cl/lab/c.clh"', "", "#if A", "", "#endif", ""],
    "b.clh": ["", "#if B", "", '#include "cl/lab/d.clh"', "#endif", ""],
    "c.clh": ["", "#if A", "", "#endif", ""],
    "d.clh": [""],
}


def program():
    """Returns the text of a.cl with its includes; an empty line of FILES says what its number is."""
    lab = Path(FOLDER, "cl/lab")
    lab.mkdir(parents=True, exist_ok=True)
    for name, lines in FILES.items():
        (lab / name).write_text("".join(line + "\n" if line else LINE % (name + ":%d" % number)
                                        for number, line in enumerate(lines, 1)), encoding="utf-8")
    out = Path(FOLDER, "embedded.c")
    subprocess.run([CMAKE, "-D", "ROOT=" + FOLDER, "-D", "PART=lab", "-D", "OUTPUT=%s" % out, "-P",
                    SOURCE + "/cmake/embed.cmake"], check=True)
    return bytes(int(byte, 16) for byte in re.findall(r"0x([0-9a-f]{2})", out.read_text(encoding="utf-8"))).rstrip(b"\0")


def main():
    text, found = program(), 0
    for a, b in product("01", repeat=2):
        done = subprocess.run([CC, "-E", "-P", "-x", "c", "-DA=" + a, "-DB=" + b, "-"], input=text, capture_output=True,
                              check=True)
        for where, file, line in re.findall(r'(\S+:\d+) "cl/lab/(\S+)" (\d+)', done.stdout.decode()):
            found += 1
            if where != "%s:%s" % (file, line):
                sys.exit("A=%s, B=%s: line %s is called %s:%s" % (a, b, where, file, line))
    if found < 20:
        sys.exit("found %d lines" % found)
    print("%d lines" % found)


main()
