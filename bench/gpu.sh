#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds dmm, its benchmarks and, if nvcc is installed, CUB and Thrust on a machine with a GPU and its driver, without
# network; runs all benchmarks and writes one text and one JSON file. Takes the options of tests/gpu/run.sh. To add the
# results to the tables of bench/report.py, pass `--results bench/results` and rename the JSON file to DATE-NAME.json.
exec "$(dirname "$0")/../tests/gpu/run.sh" --only bench "$@"
