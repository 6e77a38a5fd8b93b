# SPDX-License-Identifier: MIT
"""Runs programs under `dmm meter` and returns what it read."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

TIMEOUT_S = 1200


@dataclass(frozen=True)
class Machine:
    lanes: int
    banks: int
    options: tuple  # of dmm meter

    def __str__(self):
        return f"({self.lanes}, {self.banks})"


# In place of plain (16, 16) machines Intel's: there two writes to one word conflict as well.
NVIDIA = Machine(32, 32, ("--device-like", "nvidia"))
AMD = Machine(64, 32, ("--device-like", "amd"))
INTEL = Machine(16, 16, ("--device-like", "intel-gen"))
SMALL = Machine(8, 8, ("--lanes", "8", "--banks", "8"))
WIDE = Machine(64, 64, ("--lanes", "64", "--banks", "64"))
WIDE_WORDS = Machine(32, 32, ("--lanes", "32", "--banks", "32", "--word", "8"))


@dataclass(frozen=True)
class Programs:
    """The command that meters, the dmm command that is metered, and what it has no word for."""

    dmm: Path
    subject: Path
    calls: Path


class RunFailed(Exception):
    """The program failed, or gave a wrong result."""


def meter(programs, machine, settings, command, folder):
    """The readings of `command`: a dictionary, as docs/meter.md describes the JSON."""
    path = folder / "readings.json"
    environment = dict(os.environ, DMM_SET=settings)
    words = [programs.dmm, "meter", *machine.options, "--json", path, "--", *command]
    words = [str(word) for word in words]
    done = subprocess.run(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=TIMEOUT_S, check=False)
    if done.returncode != 0:
        raise RunFailed(f"DMM_SET={settings} {' '.join(words)}\n"
                        f"exit status {done.returncode}:\n{done.stdout}")
    return json.loads(path.read_text(encoding="utf-8"))


def local_total(reading, what):
    """Sum over all kernels of "steps", "passes", "needed" or "conflicts" in local memory."""
    return sum(kernel["local"][what] for kernel in reading["kernels"])
