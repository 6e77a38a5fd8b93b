# SPDX-License-Identifier: MIT
"""Runs what docs/python.md and the README show."""
import doctest
import os

import pytest

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")


@pytest.mark.parametrize("page, least", [("docs/python.md", 16), ("README.md", 2)])
def test_what_the_page_shows(page, least):
    pytest.importorskip("pyopencl")
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        # The end of a block ends what is printed.
        text = file.read().replace("\n```\n", "\n\n")
    found = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    assert len(found.examples) >= least
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(found).failed == 0
