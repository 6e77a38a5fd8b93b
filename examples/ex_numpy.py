# SPDX-License-Identifier: MIT
"""ex_numpy.py [DMM]: sorts NumPy arrays with the command, through .npy files."""
import subprocess
import sys
import tempfile

import numpy

dmm = sys.argv[1] if len(sys.argv) > 1 else "dmm"
rng = numpy.random.default_rng(1)
times = rng.normal(size=100000).astype(numpy.float32).round(2) + 0  # no -0, because dmm puts it before 0
places = rng.random(size=100000)

with tempfile.TemporaryDirectory() as folder:
    numpy.save(folder + "/times.npy", times)
    numpy.save(folder + "/places.npy", places)
    subprocess.run([dmm, "sort", "times.npy", "--values", "places.npy",
                    "-o", "times.npy", "--values-out", "places.npy"], cwd=folder, check=True)
    sorted_times, sorted_places = numpy.load(folder + "/times.npy"), numpy.load(folder + "/places.npy")

order = numpy.argsort(times, kind="stable")
right = (sorted_times == times[order]).all() and (sorted_places == places[order]).all()
print("the first:", sorted_times[0], "at", sorted_places[0])
sys.exit(not right)
