# SPDX-License-Identifier: MIT
"""generate.py ABI HEADERS FOLDER: writes c.py, libdmm's C interface in ctypes, and stubs of it and of objects.py.

ABI is tests/abi.txt: each enumerator, struct, field and function, which a test compares with the headers. So a new
primitive appears by itself, and no layout is copied by hand. HEADERS is include/dmm: its comments become docstrings.
"""
import keyword
import os
import re
import sys

SCALARS = {
    "int": "c_int", "unsigned int": "c_uint", "uint8_t": "c_uint8", "uint32_t": "c_uint32", "uint64_t": "c_uint64",
    "size_t": "c_size_t", "double": "c_double", "float": "c_float", "char": "c_char", "cl_uint": "c_uint32",
    "dmm_status": "c_int",
}
HANDLE = re.compile(r"cl_(mem|event|context|command_queue|device_id|platform_id)$")
SIGNATURE = re.compile(r"(.*?) ?(\(\*\))?\(([^()]*)\)$")

HEAD = '''# SPDX-License-Identifier: MIT
"""libdmm's C interface, as include/dmm declares it. Made by python/generate.py: do not edit.

A dmm_status is an int, a handle of OpenCL its address, an enumeration an int. A field `in` is `in_`.
"""
'''


def words_of(name):
    """Returns the name of a primitive as that of a class: sort_segmented is SortSegmented."""
    return "".join(part.capitalize() for part in name.split("_"))


def safe(name):
    """Returns a name that Python accepts: `in` is `in_`."""
    return name + "_" if keyword.iskeyword(name) else name


class Abi:
    """The facts of abi.txt, in their order."""

    def __init__(self, text):
        self.constants, self.structs, self.functions, self.callbacks, self.opaque = {}, {}, {}, {}, {}
        for line in text.splitlines():
            kind, fact = line.split(" ", 1)
            name, _, rest = fact.partition(": ")
            if kind == "value":
                name, value = fact.split(" = ")
                self.constants[name] = int(value)
            elif kind == "struct" and rest.endswith(" bytes"):
                self.structs[name] = []
            elif kind == "struct":
                field, _, field_type = rest.partition(" ")[2].partition(": ")
                self.structs[name].append((safe(field), field_type))
            elif kind == "function":
                self.functions[name] = SIGNATURE.match(rest).group(1, 3)
            elif kind == "type":
                self.callbacks[name] = rest
        for _, parameters in self.functions.values():
            for name in re.findall(r"(dmm_\w+)\*", parameters):
                if name not in self.structs and name not in self.callbacks and name not in SCALARS:
                    self.opaque[name] = None

    def parameters(self, text):
        return [] if text == "void" else [part.strip() for part in text.split(",")]

    def python(self, text):
        """Returns the expression of ctypes for a C type."""
        text = re.sub(r"\bconst\b", "", text).replace(" ", "") if "(" not in text and "unsigned" not in text else text
        array = re.match(r"(.*)\[(\d+)\]$", text)
        if array:
            return "%s * %s" % (self.python(array[1]), array[2])
        if "(" in text:
            result, _, parameters = SIGNATURE.match(text).groups()
            return "CFUNCTYPE(%s)" % ", ".join(self.python(part) for part in [result] + self.parameters(parameters))
        if text in ("char*", "void*"):
            return "c_%s_p" % text[:-1]
        if text.endswith("*"):
            return "POINTER(%s)" % self.python(text[:-1])
        if text in SCALARS:
            return SCALARS[text]
        if text in self.structs or text in self.callbacks or text in self.opaque:
            return text
        if text == "void":
            return "None"
        if HANDLE.match(text):
            return "c_void_p"
        if text.startswith("dmm_"):
            return "c_int"  # an enumeration
        raise SystemExit("generate.py: add the type %s to SCALARS" % text)

    def hint(self, text):
        """Returns the type of a C type's value in Python, for a stub."""
        found = self.python(text)
        if found in self.structs:
            return found
        if found == "c_double" or found == "c_float":
            return "float"
        if found.startswith("c_char"):
            return "bytes | None" if found == "c_char_p" else "bytes"
        if found == "c_void_p":
            return "int | None"
        return "int" if re.match(r"c_\w+$", found) else "Any"

    def primitives(self):
        """Returns the words of the primitives: what has create, enqueue and free."""
        found = [re.match(r"dmm_(\w+)_enqueue$", name) for name in self.functions]
        return [match[1] for match in found if match]


def comments(folder):
    """Returns the comment before each function of the headers, and that at the top of each header."""
    found, tops = {}, {}
    for file in sorted(os.listdir(folder)):
        with open(os.path.join(folder, file), encoding="utf-8") as header:
            text = header.read()
        blocks = [match for match in re.finditer(r"/\*(.*?)\*/", text, re.S) if "SPDX" not in match[1]]
        plain = [(match.end(), re.sub(r"\n \* ?", "\n", match[1]).strip()) for match in blocks]
        if plain:
            tops[file[:-2]] = plain[0][1]
        for end, comment in plain:
            function = re.match(r"\s*DMM_API [^(]*?(\w+)\(", text[end:])
            if function:
                found[function[1]] = comment
    return found, tops


def version_of(folder):
    """Returns the version that version.h states."""
    with open(os.path.join(folder, "version.h"), encoding="utf-8") as header:
        return re.search(r'define DMM_VERSION +"([^"]*)"', header.read())[1]


def write_c(abi, functions, tops, version):
    """Returns c.py."""
    lines = [HEAD, "from ctypes import (CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_double, c_float, c_int, "
             "c_size_t,\n                    c_uint, c_uint8, c_uint32, c_uint64, c_void_p)", "",
             "from ._library import library", "", 'DMM_VERSION = "%s"' % version]
    lines += ["%s = %d" % item for item in abi.constants.items()] + ["", ""]
    for name in list(abi.structs) + list(abi.opaque):
        lines += ["class %s(Structure):" % name, "    pass", "", ""]
    lines += ["%s = %s" % (name, abi.python(kind)) for name, kind in abi.callbacks.items()] + [""]
    for name, fields in abi.structs.items():
        lines += ["%s._fields_ = [" % name]
        lines += ['    ("%s", %s),' % (field, abi.python(kind)) for field, kind in fields] + ["]"]
    lines += ["", "# Each function: the type of its result, and those of its parameters.", "FUNCTIONS = {"]
    for name, (result, parameters) in abi.functions.items():
        kinds = [abi.python(kind) for kind in abi.parameters(parameters)]
        lines += ['    "%s": (%s, [%s]),' % (name, abi.python(result), ", ".join(kinds))]
    lines += ["}", "", "# What the headers say at their tops, and of functions.", "TOPS = {"]
    lines += ["    %r: %r," % item for item in tops.items()] + ["}", "DOCS = {"]
    lines += ["    %r: %r," % item for item in functions.items() if item[0] in abi.functions] + ["}", ""]
    lines += ["for _name, (_result, _parameters) in FUNCTIONS.items():",
              "    _function = getattr(library, _name)",
              "    _function.restype, _function.argtypes = _result, _parameters",
              "    _function.__doc__ = DOCS.get(_name)",
              "    globals()[_name] = _function", ""]
    return "\n".join(lines)


def write_c_stub(abi, functions):
    """Returns c.pyi."""
    lines = [HEAD, "from ctypes import Structure", "from typing import Any", ""]
    lines += ["DMM_VERSION: str"] + ["%s: int" % name for name in abi.constants]
    lines += ["FUNCTIONS: dict[str, tuple[Any, list[Any]]]", "TOPS: dict[str, str]", "DOCS: dict[str, str]"]
    lines += ["%s: Any" % name for name in abi.callbacks]
    for name, fields in abi.structs.items():
        lines += ["", "class %s(Structure):" % name]
        lines += ["    %s: %s" % (field, abi.hint(kind)) for field, kind in fields]
        lines += ["    def __init__(self, *args: Any, **fields: Any) -> None: ..."]
    for name in abi.opaque:
        lines += ["", "class %s(Structure): ..." % name]
    lines += [""]
    for name, (result, parameters) in abi.functions.items():
        arguments = ", ".join("_%d: Any" % place for place in range(len(abi.parameters(parameters))))
        lines += ["def %s(%s) -> %s:" % (name, arguments, "None" if result == "void" else abi.hint(result)),
                  "    %r" % functions.get(name, "%s (%s)" % (result, parameters)), "    ..."]
    return "\n".join(lines) + "\n"


def write_objects_stub(abi, tops):
    """Returns objects.pyi: the class of each primitive with the fields of its description and of its calls."""
    lines = ["# SPDX-License-Identifier: MIT", "# Made by python/generate.py: do not edit.",
             "from typing import Any", "", "from .context import Context as Context", "", "def span(value: Any) -> Any: ...",
             "def fill(struct: Any, fields: Any) -> Any: ...", "def flat(values: Any) -> list[Any]: ...", "", "class Primitive:",
             "    context: Context", "    def temp_bytes(self, *sizes: Any) -> int: ...",
             "    def free(self) -> None: ...", "    def __enter__(self) -> Any: ...",
             "    def __exit__(self, *error: object) -> None: ..."]

    def keywords(struct):
        fields = [(field, abi.hint(kind)) for field, kind in abi.structs[struct] if field != "reserved"]
        # fill() takes a dictionary for a struct, and encodes a str.
        hints = {**dict.fromkeys(abi.structs, "Any"), "bytes | None": "str | bytes | None"}
        return "".join(", %s: %s = ..." % (field, hints.get(hint, hint)) for field, hint in fields)

    for word in abi.primitives():
        text = tops.get(word, "")
        lines += ["", "class %s(Primitive):" % words_of(word), "    %r" % text,
                  "    def __init__(self, context: Context, desc: Any = ..., *%s) -> None: ..." % keywords("dmm_%s_desc" % word),
                  "    def enqueue(self, queue: Any, *sizes: Any, wait_for: Any = ...%s) -> Any: ..." %
                  keywords("dmm_%s_args" % word)]
    return "\n".join(lines) + "\n"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        abi = Abi(file.read())
    functions, tops = comments(sys.argv[2])
    made = {"c.py": write_c(abi, functions, tops, version_of(sys.argv[2])), "c.pyi": write_c_stub(abi, functions),
            "objects.pyi": write_objects_stub(abi, tops)}
    for name, text in made.items():
        with open(os.path.join(sys.argv[3], name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
