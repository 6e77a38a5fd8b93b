/* SPDX-License-Identifier: MIT */
/*
 * Settings of the plugin, through the environment: DMM_METER_READINGS (the file; nothing is metered without),
 * DMM_METER_BANKS, _LANES, _WORD, _SEGMENT, _WRITES_CONFLICT (numbers; 0 or none: the model's
 * default), _KERNEL (a pattern; other kernels are not watched), _CALLS (1: tell lines apart by the
 * calls that led there), _RUNS (1: pictures are wanted),
 * _PAGE (bytes of a page; without, no translations are counted), _TLB (nodes of the translation
 * cache), _POLICY (a dmm_model_eviction), _RESIDENT (work-groups whose translations take turns),
 * _LATENCY (of the memories of the models whose costs are wanted; without, none are),
 * _TRACE_MB (room for the steps between two barriers).
 */
#ifndef DMM_METER_SETTINGS_H
#define DMM_METER_SETTINGS_H

#include "readings.h"

namespace meter
{

/* A number of the environment; `otherwise` for 0 and for none. */
uint32_t setting(const char *name, uint32_t otherwise);

Machine machine_wanted();

} // namespace meter

#endif
