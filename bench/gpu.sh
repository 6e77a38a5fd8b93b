#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds dmm, its benchmarks and, where nvcc is, CUB and Thrust on a machine with a GPU and its driver, without
# network, runs all benchmarks, and leaves one text and one JSON file. Takes the options of tests/gpu/run.sh; with
# `--results bench/results` a JSON file renamed to DATE-NAME.json becomes part of the tables by bench/report.py.
exec "$(dirname "$0")/../tests/gpu/run.sh" --only bench "$@"
