# SPDX-License-Identifier: MIT
"""Runs what docs/python.md shows."""
import doctest
import os

import pytest

PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "python.md")


def test_what_the_page_shows():
    pytest.importorskip("pyopencl")
    with open(PAGE, encoding="utf-8") as file:
        # The end of a block ends what is printed.
        text = file.read().replace("\n```\n", "\n\n")
    found = doctest.DocTestParser().get_doctest(text, {}, "python.md", PAGE, 0)
    assert len(found.examples) > 15
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(found).failed == 0
