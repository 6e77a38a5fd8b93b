/* SPDX-License-Identifier: MIT */
/*
 * Rows for devices that somebody has measured, as `dmm tune` writes them: with date and driver.
 * What no row speaks of follows from the device's facts (core/tuning.c).
 */
#include "core/tuning_rows.h"

const char dmm_tuning_built_in[] = "dmm tuning 1\n";
