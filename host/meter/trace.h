/* SPDX-License-Identifier: MIT */
/*
 * The accesses of one lane group between two barriers, grouped into lock-steps. The simulator runs
 * one work-item after the other, so a step is complete only when the last lane of the group has
 * stopped; then the steps are evaluated and cleared. Memory is bounded: a step that does not fit is
 * dropped whole, so that every kept step has all its lanes.
 */
#ifndef DMM_METER_TRACE_H
#define DMM_METER_TRACE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace meter
{

constexpr uint64_t IDLE = UINT64_MAX; /* in place of the address of an inactive lane */

struct Step {
    uint64_t key;
    uint32_t line;       /* whose reading it adds to */
    uint32_t size_bytes; /* that each lane accesses */
};

class Trace
{
  public:
    explicit Trace(size_t limit_bytes) : limit_bytes_(limit_bytes)
    {
    }

    /* Empties the trace, for groups of that many lanes. */
    void begin(uint32_t lanes);

    /*
     * Adds lane `lane` to the step `key`; a second time in the same step (two accesses of one
     * instruction, or a loop that LLVM cannot see) starts the next step of that key. False: no
     * memory left.
     */
    bool add(const Step &step, uint32_t lane, uint64_t address);

    uint32_t lanes() const
    {
        return lanes_;
    }
    size_t steps() const
    {
        return steps_.size();
    }
    const Step &step(size_t i) const
    {
        return steps_[i];
    }
    /* One address a lane, or IDLE. */
    const uint64_t *addresses(size_t i) const
    {
        return &addresses_[i * lanes_];
    }

    void clear();

  private:
    /* Returns the slot of the step with that key, or the free slot where it belongs. */
    uint32_t *find(uint64_t key);
    bool grow();

    size_t limit_bytes_;
    uint32_t lanes_ = 1;
    std::vector<Step> steps_;         /* in order of first occurrence */
    std::vector<uint64_t> addresses_; /* steps x lanes */
    std::vector<uint32_t> slots_;     /* open addressing: 1 + index of a step, or 0 */
};

} // namespace meter

#endif
