/* SPDX-License-Identifier: MIT */
/* Lock-steps of a lane group: see trace.h. */
#include "trace.h"
#include "mix.h"

#include <algorithm>

namespace meter
{

constexpr size_t SLOTS_MIN = 1024;

void Trace::begin(uint32_t lanes)
{
    lanes_ = lanes;
    clear();
}

/* Shrinks the table, too: emptying it costs no more than the steps since then. */
void Trace::clear()
{
    size_t slots = slots_.size();
    if (slots > 8 * steps_.size())
        slots /= 2;
    slots_.assign(std::max(slots, SLOTS_MIN), 0);
    steps_.clear();
    addresses_.clear();
}

uint32_t *Trace::find(uint64_t key)
{
    size_t mask = slots_.size() - 1;
    size_t i = key & mask;
    while (slots_[i] != 0 && steps_[slots_[i] - 1].key != key)
        i = (i + 1) & mask;
    return &slots_[i];
}

/* Makes space for one more step, with at least half of the slots free. */
bool Trace::grow()
{
    size_t step_bytes = sizeof(Step) + lanes_ * sizeof(uint64_t) + 4 * sizeof(uint32_t);
    if ((steps_.size() + 1) * step_bytes > limit_bytes_)
        return false;
    if (2 * (steps_.size() + 1) <= slots_.size())
        return true;
    slots_.assign(2 * slots_.size(), 0);
    for (size_t i = 0; i < steps_.size(); i++)
        *find(steps_[i].key) = static_cast<uint32_t>(i + 1);
    return true;
}

bool Trace::add(const Step &step, uint32_t lane, uint64_t address)
{
    Step wanted = step;
    for (;; wanted.key = mix(wanted.key, step.key)) {
        uint32_t *slot = find(wanted.key);
        if (*slot == 0) {
            if (!grow())
                return false;
            steps_.push_back(wanted);
            addresses_.resize(addresses_.size() + lanes_, IDLE);
            *find(wanted.key) = static_cast<uint32_t>(steps_.size());
            addresses_[addresses_.size() - lanes_ + lane] = address;
            return true;
        }
        uint64_t &place = addresses_[(*slot - 1) * size_t(lanes_) + lane];
        if (place == IDLE) {
            place = address;
            return true;
        }
    }
}

} // namespace meter
