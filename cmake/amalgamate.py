# SPDX-License-Identifier: MIT
"""amalgamate.py SOURCE EMBEDDED FOLDER: writes libdmm as two files, FOLDER/dmm.c and FOLDER/dmm.h.

SOURCE is the source tree, EMBEDDED the file of kernels that cmake/embed.cmake makes. dmm.h has all public headers but
dmm.hpp, dmm.c all other files, in an order in which each comes before those that need it. What a file of host/ keeps to
itself (static functions, types, constants, macros) gets the file's name in front, as
another file may have the same name.
"""
import os
import re
import sys

TOP = """/* SPDX-License-Identifier: MIT */
/*
 * libdmm %s in one file, to be compiled with dmm.h beside it and linked with threads:
 *     cc -std=c11 -O2 -c dmm.c            (-lpthread, before glibc 2.34 also -ldl; nothing more on Windows)
 * It needs OpenCL's headers to compile and finds OpenCL at run time. With DMM_OPENCL_LINK, link with OpenCL instead.
 * Made by cmake/amalgamate.py from the sources of dmm: change those. OpenCL programs are at the end.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#if defined(__APPLE__) && !defined(_DARWIN_C_SOURCE)
#define _DARWIN_C_SOURCE 1
#endif
#if defined(__MINGW32__) && !defined(__USE_MINGW_ANSI_STDIO)
#define __USE_MINGW_ANSI_STDIO 1
#endif
#if defined(_WIN32) && !defined(_CRT_RAND_S)
#define _CRT_RAND_S 1
#endif
#if !defined(DMM_OPENCL_LINK) && !defined(DMM_OPENCL_LOAD)
#define DMM_OPENCL_LOAD 1
#endif
#ifndef DMM_TUNING_FOLDER
#define DMM_TUNING_FOLDER "" /* the folder of installed tuning files; "": there is none */
#endif
"""
TARGET = """#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
"""
INCLUDE = re.compile(r'^#include ([<"])([^>"]*)[>"].*\n', re.M)
TOKEN = re.compile(r'#include[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|/\*.*?\*/|//[^\n]*|(?:->|\.)\s*\w+|\w+', re.S)
# Names at the beginning of a line, as clang-format leaves what is of a file.
OWN = [re.compile(pattern, re.M | re.S) for pattern in (
    r"^static (?:inline |const |_Thread_local |volatile )*(?:struct )?\w+ \**(?:const )?(\w+)(?= ?[(\[=;,])",
    r"^} ?(\w+)(?:\[\w*\])?(?: = {|;)", r"^(?:typedef )?(?:struct|union|enum) (\w+) {", r"^typedef [^;{}]*?\**(\w+)(?:\([^;{}]*\)|\[\w*\])?;",
    r"^typedef [\w ]+\(\*(\w+)\)")]
ENUM = re.compile(r"^(?:typedef )?enum(?: \w+)? {(.*?)}", re.M | re.S)
MACRO = re.compile(r"^# *define (\w+)", re.M)


class Amalgamation:
    """The text so far, and the files in it."""

    def __init__(self, source):
        self.source, self.done, self.parts = source, set(), []

    def read(self, path):
        with open(os.path.join(self.source, path), encoding="utf-8") as file:
            return file.read().replace("/* SPDX-License-Identifier: MIT */\n", "", 1)

    def find(self, name, begin):
        """Returns the path of an included file of the project, or None."""
        folders = ["include", "host", "", os.path.dirname(begin)]
        for path in (os.path.normpath(os.path.join(folder, name)) for folder in folders):
            if os.path.isfile(os.path.join(self.source, path)):
                return path
        return None

    def expand(self, path, change=lambda text: text):
        """Returns the text of a file, with the project's files in place of the includes that are the first of them."""
        def include(match):
            found = self.find(match[2], path)
            if found is None:
                return match[0]
            return "" if found in self.done else self.expand(found)
        self.done.add(path)
        text = re.sub(r"^#(pragma once|define (_GNU_SOURCE|_CRT_RAND_S).*)\n", "", self.read(path), flags=re.M)
        return "\n/* ---- %s ---- */\n%s" % (path, INCLUDE.sub(include, change(text)))


def bare(text):
    """Returns C without comments."""
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def own_names(text):
    """Returns the names of a file's own functions, objects, types and constants.

    Not those of structs that headers declare, nor those that opencl.c defines for Windows alone.
    """
    text = bare(text)
    names = {name for pattern in OWN for name in pattern.findall(text)}
    for body in ENUM.findall(text):
        names.update(re.findall(r"(?:^|[,{\n])\s*(\w+)", body))
    return {name for name in names if not re.match(r"dmm_|dl[a-z]+$|RTLD_|(const|static|inline)$", name)}


def rename(text, names):
    """Renames identifiers, but not members, nor words of strings and comments."""
    def new(match):
        return names.get(match[0], match[0])

    def within(body):
        return TOKEN.sub(lambda match: match[0] if re.match(r"\s*[;,:\[]", body[match.end():]) else new(match), body)
    parts = re.split(r"((?:^|(?<=\n))(?:typedef |static )?(?:const )?(?:struct|union)(?: \w+)? {\n.*?\n})", text, flags=re.S)
    return "".join(within(part) if place % 2 else TOKEN.sub(new, part) for place, part in enumerate(parts))


def main():
    source, embedded, folder = sys.argv[1:]
    found = [os.path.relpath(os.path.join(root, name), source) for part in ("core", "primitives")
             for root, _, names in sorted(os.walk(os.path.join(source, "host", part))) for name in sorted(names)]
    files = sorted((path for path in found if path.endswith(".c")), key=lambda path: path.endswith("opencl.c"))
    version = re.search(r'define DMM_VERSION +"([^"]*)"', open(source + "/include/dmm/version.h").read())[1]
    os.makedirs(folder, exist_ok=True)

    everything = Amalgamation(source)
    header = "/* SPDX-License-Identifier: MIT */\n" + TARGET + everything.expand("include/dmm/dmm.h")
    with open(os.path.join(folder, "dmm.h"), "w", encoding="utf-8", newline="\n") as file:
        file.write(header)

    texts = {path: everything.read(path) for path in files}
    parts = [TOP % version, "#include \"dmm.h\"\n"]
    for path, text in texts.items():
        stem = re.sub(r"\W", "_", os.path.splitext(os.path.basename(path))[0])
        names = {name: "%s_own_%s" % (stem, name) for name in own_names(text)}
        parts.append(everything.expand(path, lambda text, names=names: rename(text, names)))
        parts += ["#undef %s\n" % name for name in dict.fromkeys(MACRO.findall(bare(text))) if name[0] != "_"]
    with open(embedded, encoding="utf-8") as file:
        bytes_of = re.sub(r"0x([0-9a-f]{2}),? ?", lambda match: "%d," % int(match[1], 16), file.read())
    parts.append("\n/* ---- OpenCL programs ---- */\n" + INCLUDE.sub("", bytes_of.replace("\n    ", "\n").split("*/", 1)[1]))
    with open(os.path.join(folder, "dmm.c"), "w", encoding="utf-8", newline="\n") as file:
        file.write("".join(parts))


if __name__ == "__main__":
    main()
