/* SPDX-License-Identifier: MIT */
/*
 * The cost of a launch in other models than the meter's own: docs/model.md defines each. Steps come
 * as they are judged, lane group by lane group between two barriers.
 */
#ifndef DMM_METER_COSTS_H
#define DMM_METER_COSTS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include <dmm-model/pipeline.h>

namespace meter
{

struct CostSums {
    uint64_t dmm_time = 0;      /* time of the work-groups, one after the other */
    uint64_t umm_time = 0;      /* time of the launch */
    uint64_t operations = 0;    /* ATGPU: the most instructions of a work-item */
    uint64_t blocks = 0;        /* ATGPU: segments, of all lane groups */
    uint64_t pem_transfers = 0; /* the most segments of one lane group */
    bool failed = false;        /* no memory for it */
};

class Costs
{
  public:
    explicit Costs(uint64_t latency) : latency_(latency)
    {
    }

    void begin();
    void group_begins(uint32_t lane_groups);
    void step(uint32_t lane_group, bool local, uint32_t passes);
    void barrier();
    /* With the most instructions of one of its work-items. */
    void group_ends(uint64_t operations);
    CostSums end();

  private:
    using Steps = std::vector<std::vector<uint32_t>>; /* passes of each lane group, 0 a barrier */

    void append(const Steps &group);
    uint64_t time_of(const dmm_model_warps &warps);

    uint64_t latency_;
    CostSums sums_;
    Steps local_, global_;          /* steps of the work-group that runs */
    bool local_open_, global_open_; /* a step since the last barrier */
    uint32_t group_warps_ = 0;
    std::vector<uint32_t> passes_; /* in global memory, of all work-groups that have ended */
    std::vector<uint64_t> ends_;
};

} // namespace meter

#endif
