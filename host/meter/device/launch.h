/* SPDX-License-Identifier: MIT */
/*
 * Judges what a launch recorded: puts the records of each work-group in the order in which a
 * simulator would make them, work-item after work-item up to each barrier, and gives the steps to
 * the readings.
 */
#ifndef DMM_METER_LAUNCH_H
#define DMM_METER_LAUNCH_H

#include <string>
#include <unordered_map>
#include <vector>

#include "../readings.h"
#include "records.h"

namespace meter
{

struct SiteFacts {
    unsigned space = 0; /* as in SPIR: 1 global, 3 local, 4 either or private */
    dmm_model_access_kind kind = DMM_MODEL_READ;
    uint64_t bytes = 0;
    uint32_t widest_bytes = 0;
    std::string calls; /* that were inlined */
    Place place = {};
};

/* What the rewriter says of a program (sites.h). */
struct Table {
    std::unordered_map<std::string, uint32_t> arguments;    /* number of each kernel's arguments */
    std::unordered_map<std::string, uint64_t> most_records; /* of a work-item; 0: unknown */
    std::unordered_map<uint32_t, uint64_t> array_bytes;
    std::vector<std::string> calls;
    std::vector<SiteFacts> sites; /* from EVENTS on */
    Source source;                /* the program's own, not the rewriter's */

    /* False: damaged. */
    bool read(const std::string &text);
};

/* A buffer, or the local memory, that an argument of the launch is. */
struct Region {
    uint64_t bytes = 0, address = 0; /* address: as it is shown in the readings; 0: local memory */
};

struct Launch {
    const Table *table;
    std::string kernel;
    size_t global[3], local[3];
    uint64_t stride;                                /* every stride-th group is metered */
    std::unordered_map<uint32_t, Region> arguments; /* by their number */
    uint64_t number;                                /* among all launches */

    uint64_t groups() const
    {
        uint64_t count = 1;
        for (int i = 0; i < 3; i++)
            count *= (global[i] + local[i] - 1) / local[i];
        return count;
    }
    uint64_t group_items() const
    {
        return uint64_t{local[0]} * local[1] * local[2];
    }
};

class Judge
{
  public:
    Judge(Readings &readings, const Machine &machine, size_t trace_bytes, bool calls, bool digests)
        : readings_(readings), machine_(machine), trace_(trace_bytes), calls_(calls),
          digests_wanted_(digests)
    {
    }

    /* Takes the regions of the metered work-items, each of `slots` slots; `most` records had
     * a place. */
    void judge(const Launch &launch, const uint64_t *regions, uint64_t slots, uint64_t most);

  private:
    /* A work-item of the group that is being judged. */
    struct Item {
        const uint64_t *records = nullptr;
        uint64_t count = 0, next = 0;
        std::vector<uint32_t> calls; /* that it is in, outermost first */
        uint64_t operations = 0, digest = 0;
    };
    struct Array {
        uint64_t base, bytes, address;
    };

    /* Judges a group, unless a record of it found no place. */
    void group(const uint64_t *regions, uint64_t slots, uint64_t most, size_t items);
    void run_all(std::vector<Item> &all);
    bool run(Item &item, uint32_t lane);
    void note(Item &item, Event event, uint64_t number, uint64_t value);
    void access(Item &item, uint32_t site, uint64_t path, uint64_t address, uint32_t lane);
    void add(const Step &step, uint32_t lane, uint64_t address);
    bool locate(uint64_t *address, bool *local, unsigned space) const;
    uint32_t line_of(uint32_t site, bool local, const Item &item);
    uint32_t line_by_calls(uint32_t site, bool local, const Item &item);
    size_t items_of(uint64_t group) const;

    Readings &readings_;
    const Machine machine_;
    Trace trace_;
    const bool calls_, digests_wanted_;
    const Launch *launch_ = nullptr;
    uint64_t refused_ = 0;
    std::unordered_map<uint64_t, uint32_t> lines_; /* by site, space and calls */
    std::vector<uint32_t>
        plain_lines_; /* by site and space, where calls do not count; 0: unknown */
    std::vector<Array> locals_, globals_;
    uint32_t lane_group_ = 0;
    uint64_t group_digest_ = 0; /* digest of the group judged last */
};

} // namespace meter

#endif
