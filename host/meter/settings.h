/* SPDX-License-Identifier: MIT */
/*
 * Settings of the plugin, from the environment: DMM_METER_READINGS (the file; unset: nothing is
 * metered), DMM_METER_BANKS, _LANES, _WORD, _SEGMENT, _WRITES_CONFLICT (numbers; 0 or unset: the
 * model's default), _KERNEL (a pattern; other kernels are not watched), _CALLS (1: distinguish
 * lines by the calls that led there), _RUNS (1: keep runs for pictures), _PAGE (bytes of a page;
 * unset: translations are not counted), _TLB (nodes of the translation cache), _POLICY (a
 * dmm_model_eviction), _RESIDENT (work-groups whose translations alternate), _LATENCY (of the
 * memories of the models whose costs are computed; unset: none), _TRACE_MB (memory for the steps
 * between two barriers), _TIME (a Times; of the layer).
 */
#ifndef DMM_METER_SETTINGS_H
#define DMM_METER_SETTINGS_H

#include "readings.h"

namespace meter
{

/* Returns a number from the environment; `otherwise` if it is 0 or unset. */
uint32_t setting(const char *name, uint32_t otherwise);

Machine machine_wanted();

enum Times : uint32_t {
    TIMES_NONE,
    TIMES_TOO,   /* of launches with records, beside their readings */
    TIMES_ALONE, /* of launches without records */
};

} // namespace meter

#endif
