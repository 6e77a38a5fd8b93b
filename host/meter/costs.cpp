/* SPDX-License-Identifier: MIT */
#include "costs.h"

#include <algorithm>

namespace meter
{

void Costs::begin()
{
    sums_ = CostSums{};
    passes_.clear();
    ends_.clear();
    group_warps_ = 0;
}

void Costs::group_begins(uint32_t lane_groups)
{
    local_.assign(lane_groups, {});
    global_.assign(lane_groups, {});
    local_open_ = global_open_ = false;
    group_warps_ = lane_groups;
}

void Costs::step(uint32_t lane_group, bool local, uint32_t passes)
{
    (local ? local_ : global_)[lane_group].push_back(passes);
    (local ? local_open_ : global_open_) = true;
}

/* Barriers without a step between them are one. */
static void mark(std::vector<std::vector<uint32_t>> &steps, bool &open)
{
    for (std::vector<uint32_t> &warp : steps)
        if (open)
            warp.push_back(0);
    open = false;
}

void Costs::barrier()
{
    mark(local_, local_open_);
    mark(global_, global_open_);
}

uint64_t Costs::time_of(const dmm_model_warps &warps)
{
    uint64_t time = 0;
    sums_.failed =
        sums_.failed || dmm_model_pipelined_time(&time, &warps, latency_) != DMM_MODEL_OK;
    return time;
}

void Costs::append(const Steps &group)
{
    for (const std::vector<uint32_t> &warp : group) {
        passes_.insert(passes_.end(), warp.begin(), warp.end());
        ends_.push_back(passes_.size());
    }
}

void Costs::group_ends(uint64_t operations)
{
    std::vector<uint32_t> passes;
    std::vector<uint64_t> ends;
    for (const std::vector<uint32_t> &warp : local_) {
        passes.insert(passes.end(), warp.begin(), warp.end());
        ends.push_back(passes.size());
    }
    sums_.dmm_time += time_of({passes.data(), ends.data(), ends.size(), group_warps_});
    sums_.operations = std::max(sums_.operations, operations);
    for (const std::vector<uint32_t> &warp : global_) {
        uint64_t transfers = 0;
        for (uint32_t segments : warp)
            transfers += segments;
        sums_.blocks += transfers;
        sums_.pem_transfers = std::max(sums_.pem_transfers, transfers);
    }
    append(global_);
}

CostSums Costs::end()
{
    sums_.umm_time = time_of({passes_.data(), ends_.data(), ends_.size(), group_warps_});
    return sums_;
}

} // namespace meter
