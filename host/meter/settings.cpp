/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include <cstdlib>

namespace meter
{

uint32_t setting(const char *name, uint32_t otherwise)
{
    const char *text = getenv(name);
    uint32_t value = text ? static_cast<uint32_t>(strtoul(text, nullptr, 10)) : 0;
    return value ? value : otherwise;
}

Machine machine_wanted()
{
    Machine machine = {};
    machine.local.banks = setting("DMM_METER_BANKS", 32);
    machine.local.lanes = setting("DMM_METER_LANES", 32);
    machine.local.word_bytes = setting("DMM_METER_WORD", 4);
    machine.local.writes_conflict = setting("DMM_METER_WRITES_CONFLICT", 0) != 0;
    machine.local.reads_conflict = setting("DMM_METER_READS_CONFLICT", 0) != 0;
    machine.segment_bytes = setting("DMM_METER_SEGMENT", 32);
    machine.translation.page_bytes = setting("DMM_METER_PAGE", 0);
    machine.translation.nodes = setting("DMM_METER_TLB", 0);
    machine.translation.eviction =
        static_cast<dmm_model_eviction>(setting("DMM_METER_POLICY", DMM_MODEL_LRU));
    if (machine.translation.page_bytes != 0)
        dmm_model_translation_check(&machine.translation, &machine.translation);
    machine.resident = setting("DMM_METER_RESIDENT", 1);
    machine.latency = setting("DMM_METER_LATENCY", 0);
    return machine;
}

} // namespace meter
