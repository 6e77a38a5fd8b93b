# SPDX-License-Identifier: MIT
"""Settings of the tests: a fixed seed, no deadline (the first call of a kernel compiles it), and a count at the end."""
import os

from hypothesis import HealthCheck, settings

settings.register_profile("dmm", deadline=None, derandomize=True, database=None,
                          max_examples=int(os.environ.get("DMM_TEST_EXAMPLES", "12")),
                          suppress_health_check=list(HealthCheck))
settings.load_profile("dmm")

cases = [0]


def count():
    """Counts a case of hypothesis."""
    cases[0] += 1


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line("%d cases of hypothesis" % cases[0])
