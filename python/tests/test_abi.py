# SPDX-License-Identifier: MIT
"""Compares the layout that ctypes gives the structs of c.py with tests/abi.txt, and the classes with the functions."""
import ctypes
import os
import re

import pytest

from dmm_cl import c, objects

ABI = os.path.join(os.path.dirname(__file__), "..", "..", "tests", "abi.txt")
LINES = open(ABI, encoding="utf-8").read().splitlines()


def plain(name):
    return name[:-1] if name.endswith("_") else name


def test_every_fact_is_there():
    counts = dict.fromkeys(("value", "struct", "function", "type"), 0)
    for line in LINES[1:]:
        kind, fact = line.split(" ", 1)
        counts[kind] += 1
        if kind == "value":
            name, value = fact.split(" = ")
            assert getattr(c, name) == int(value)
            continue
        name, rest = fact.split(": ", 1)
        if kind == "struct" and rest.endswith(" bytes"):
            assert ctypes.sizeof(getattr(c, name)) == int(rest.split()[0]), name
        elif kind == "struct":
            offset, field = re.match(r"(\d+) (\w+):", rest).groups()
            found = [getattr(getattr(c, name), item) for item, _ in getattr(c, name)._fields_ if plain(item) == field]
            assert len(found) == 1 and found[0].offset == int(offset), line
        elif kind == "function":
            assert getattr(c, name).argtypes is not None
            result, parameters = re.match(r"(.*?) ?\(([^()]*)\)$", rest).groups()
            assert len(getattr(c, name).argtypes) == (0 if parameters == "void" else parameters.count(",") + 1)
            assert getattr(c, name).restype is None if result == "void" else True
        else:
            assert getattr(c, name)
    assert min(counts.values()) > 0 and counts["struct"] > 400, counts


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="abi.txt is of 8-byte pointers")
def test_a_wrong_layout_would_show():
    class Wrong(ctypes.Structure):
        _fields_ = list(reversed(c.dmm_span._fields_))
    assert Wrong.buffer.offset != c.dmm_span.buffer.offset


def test_every_primitive_has_a_class_and_a_text():
    words = [match[1] for match in (re.match(r"dmm_(\w+)_enqueue$", name) for name in c.FUNCTIONS) if match]
    assert len(words) >= 24
    for word in words:
        found = getattr(objects, "".join(part.capitalize() for part in word.split("_")))
        assert issubclass(found, objects.Primitive) and found.__doc__, word


def test_functions_have_the_texts_of_the_headers():
    assert c.dmm_sort_create.__doc__.startswith("Creates the object and builds its kernels.")
    assert "a sentence that names the code" in c.dmm_status_string.__doc__


def test_handles_of_other_types_are_refused():
    handle = ctypes.POINTER(c.dmm_topk)()
    with pytest.raises(ctypes.ArgumentError):
        c.dmm_sort_free(handle)
