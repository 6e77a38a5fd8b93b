/* SPDX-License-Identifier: MIT */
/*
 * Rows for devices, in the format of tuning files: measured by `dmm tune`, with date and driver, or
 * chosen by another instrument, which a note names. Other parameters follow from the device's
 * facts (core/tuning.c).
 */
#include "core/tuning_rows.h"

/* Tiles of 4096 keys: u=128 E=32 has one round less than u=256 E=16, and its searches add where
 * those multiply, but half as many warps on a tile's local memory. Waves of 64 on 64 KiB a unit
 * cannot afford that: 1.5 waves a scheduler where u=256 has 3. Nor can items whose words have 8
 * bytes, keys of that size and pairs: at u=128, a pass at E=32 takes more than at u=256 E=16, and
 * tiles at E=16 take a pass more (docs/records/speed.md). Sets of lone keys merge as merge does. On
 * Intel's, dmm_sort_tile with u=128 E=32 is SIMD8 for dg2 and spills for pvc. */
const char dmm_tuning_built_in[] =
    "dmm tuning 1\n"
    "vendor  NVIDIA\n"
    "date    2026-11-22\n"
    "note    not timed: chosen on a simulated V100 (bench/simulated)\n"
    "tune    sort.merge 4 form=gpu u=128 E=32\n"
    "tune    merge 4 form=gpu u=128 E=32\n"
    "tune    set 4 form=gpu u=128 E=32\n"
    "tune    sort.merge 8 form=gpu u=256 E=16\n"
    "tune    merge 8 form=gpu u=256 E=16\n"
    "vendor  Advanced Micro\n"
    "date    2026-11-22\n"
    "note    not timed: 72 and 104 registers, no scratch, by clang for gfx1030\n"
    "tune    sort.merge 4 form=gpu lanes=32 u=128 E=32\n"
    "tune    merge 4 form=gpu lanes=32 u=128 E=32\n"
    "note    not timed: 42 and 59 registers, no scratch, by clang for gfx90a\n"
    "tune    sort.merge 4 form=gpu lanes=64 u=256 E=16\n"
    "tune    merge 4 form=gpu lanes=64 u=256 E=16\n"
    "vendor  Intel\n"
    "date    2026-11-25\n"
    "note    not timed: SIMD16 for dg2 and tgllp, SIMD32 for pvc, no spills, by ocloc\n"
    "tune    sort.merge 4 form=gpu u=256 E=16\n"
    "tune    merge 4 form=gpu u=256 E=16\n";
