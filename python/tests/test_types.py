# SPDX-License-Identifier: MIT
"""Checks programs against the package's annotations and stubs with mypy: right ones pass, mistakes show."""
import os
import subprocess
import sys

import pytest

import dmm_cl

pytest.importorskip("mypy")

RIGHT = """
import numpy as np
import dmm_cl
from dmm_cl import c, objects

context: dmm_cl.Context = dmm_cl.default_context()
name: bytes | None = context.device.name
units: int = context.device.units.value
values, places = dmm_cl.topk(np.zeros(3), 2, largest=False)
select = objects.Select(context, type=c.DMM_F32, where="x > 0", max_n=100)
sort = objects.Sort(context, c.dmm_sort_desc(), order={"type": c.DMM_U32, "less": "a < b"})
size: int = sort.temp_bytes(10)
with objects.Transpose(context, item_bytes=4) as transpose:
    transpose.enqueue(None, (2, 3, 1), in_=None, out=None, wait_for=[])
status: int = c.dmm_context_create(None, None)
error: int = dmm_cl.Error("f", 1).status
"""
WRONG = {
    "dmm_cl.srot([1])": "no attribute",
    "dmm_cl.sort([1], kind='stable')": "Unexpected keyword",
    "dmm_cl.topk([1])": "Too few arguments",
    "dmm_cl.histogram([1], weights=[2])": "Unexpected keyword",
    "objects.Sort(context, colour=1)": "Unexpected keyword",
    "objects.Select(context, where=5)": "incompatible type",
    "objects.Sort(context).enqueue(None, 1, keys=None)": "Unexpected keyword",
    "c.DMM_NO_SUCH": "no attribute",
}


CONFIGURATION = os.path.join(os.path.dirname(__file__), "..", "..", "pyproject.toml")


def mypy(tmp_path, *arguments):
    """Returns the lines that mypy prints with these arguments."""
    folder = os.path.dirname(os.path.dirname(dmm_cl.__file__))
    path = {} if "site-packages" in folder else {"MYPYPATH": folder}  # mypy finds installed packages itself
    return subprocess.run([sys.executable, "-m", "mypy", "--config-file", CONFIGURATION, "--no-error-summary",
                           "--cache-dir", str(tmp_path), *arguments], env={**os.environ, **path},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout.splitlines()


def of_program(tmp_path, text):
    """Returns the lines that mypy prints of a program."""
    program = tmp_path / "program.py"
    program.write_text(text, encoding="utf-8")
    return [line for line in mypy(tmp_path, "--strict", str(program)) if "program.py" in line]


def test_the_package(tmp_path):
    assert not mypy(tmp_path, "-p", "dmm_cl")


def test_right_programs_pass(tmp_path):
    assert not of_program(tmp_path, RIGHT)


def test_mistakes_show(tmp_path):
    lines = of_program(tmp_path, RIGHT + "\n".join(WRONG))
    first = RIGHT.count("\n") + 1
    for place, (statement, wanted) in enumerate(WRONG.items()):
        assert any("program.py:%d:" % (first + place) in line and wanted in line for line in lines), (statement, lines)
