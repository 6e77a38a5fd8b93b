/* SPDX-License-Identifier: MIT */
/*
 * The addresses that a launch translates. A lock-step in global memory translates each page that it
 * touches once, in the order of its lanes; every launch begins with an empty translation cache.
 * Buffers lie one behind the other, each from a multiple of 2 MiB, as the simulator's own addresses
 * say nothing of where a device puts them.
 */
#ifndef DMM_METER_PAGES_H
#define DMM_METER_PAGES_H

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <dmm-model/translation.h>

namespace meter
{

/* What a line's translations came to. */
struct PageCounts {
    uint64_t translations = 0, walks = 0, insertions = 0;
};

class Pages
{
  public:
    /* `resident` work-groups take turns, a translation each. */
    Pages(const dmm_model_translation &machine, uint32_t resident)
        : machine_(machine), resident_(resident)
    {
    }

    Pages(const Pages &) = delete;
    ~Pages()
    {
        dmm_model_translator_free(translator_);
    }

    void allocated(uint64_t address, size_t size);
    /* A launch begins. */
    void begin();
    /* One address a lane, or IDLE. */
    void step(uint32_t line, const uint64_t *addresses, uint32_t lanes, uint32_t size_bytes);
    void group_ends();
    /* The launch has ended. The counts of each line; empty without memory for them. */
    std::vector<PageCounts> end();

  private:
    struct Stream {
        std::vector<uint64_t> addresses;
        std::vector<uint32_t> lines;
    };

    uint64_t place_of(uint64_t address) const;
    void touch(Stream &stream, uint32_t line, uint64_t page);
    void interleave();
    void count(const std::vector<uint8_t> &inserted);
    void drain();

    dmm_model_translation machine_;
    uint32_t resident_;
    std::unordered_map<uint64_t, uint64_t> buffers_; /* where each begins */
    uint64_t free_ = 0;                              /* behind the last buffer */
    std::vector<Stream> groups_;                     /* that run at once; the last still grows */
    Stream stream_; /* accesses of the launch that are not yet translated */
    dmm_model_translator *translator_ = nullptr;
    bool failed_ = false;
    std::vector<PageCounts> counts_;
};

} // namespace meter

#endif
