/* SPDX-License-Identifier: MIT */
#include "pages.h"
#include "trace.h"

#include <algorithm>

namespace meter
{

constexpr unsigned BUFFER_BITS = 16; /* highest bits of an address in Oclgrind: the buffer */
constexpr uint64_t ALIGNMENT = UINT64_C(2) << 20;
constexpr size_t DRAIN_AT = 1 << 20; /* translations that are held before LRU and ISLRU take them */

void Pages::allocated(uint64_t address, size_t size)
{
    buffers_[address >> (64 - BUFFER_BITS)] = free_;
    free_ += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

uint64_t Pages::place_of(uint64_t address) const
{
    const auto found = buffers_.find(address >> (64 - BUFFER_BITS));
    const uint64_t offset = address << BUFFER_BITS >> BUFFER_BITS;
    return (found == buffers_.end() ? 0 : found->second) + offset;
}

void Pages::begin()
{
    groups_.assign(1, Stream{});
    stream_ = Stream{};
    counts_.clear();
    dmm_model_translator_free(translator_);
    translator_ = nullptr;
    const int status = dmm_model_translator_create(&translator_, &machine_);
    failed_ = status != DMM_MODEL_OK && status != DMM_MODEL_UNSUPPORTED;
}

void Pages::touch(Stream &stream, uint32_t line, uint64_t page)
{
    stream.addresses.push_back(page);
    stream.lines.push_back(line);
}

void Pages::step(uint32_t line, const uint64_t *addresses, uint32_t lanes, uint32_t size_bytes)
{
    Stream &stream = groups_.back();
    const size_t first = stream.addresses.size();
    for (uint32_t lane = 0; lane < lanes; lane++) {
        if (addresses[lane] == IDLE)
            continue;
        const uint64_t low = place_of(addresses[lane]) & ~(machine_.page_bytes - 1);
        const uint64_t high = place_of(addresses[lane]) + size_bytes - 1;
        for (uint64_t page = low; page <= high; page += machine_.page_bytes)
            if (std::find(stream.addresses.begin() + static_cast<ptrdiff_t>(first),
                    stream.addresses.end(), page) == stream.addresses.end())
                touch(stream, line, page);
    }
}

/* The groups that run at once, a translation each in turn. */
void Pages::interleave()
{
    size_t longest = 0;
    for (const Stream &group : groups_)
        longest = std::max(longest, group.lines.size());
    for (size_t i = 0; i < longest; i++)
        for (const Stream &group : groups_)
            if (i < group.lines.size())
                touch(stream_, group.lines[i], group.addresses[i]);
    groups_.assign(1, Stream{});
    if (translator_ && stream_.lines.size() >= DRAIN_AT)
        drain();
}

void Pages::group_ends()
{
    if (groups_.size() == resident_)
        interleave();
    else
        groups_.emplace_back();
}

void Pages::count(const std::vector<uint8_t> &inserted)
{
    for (size_t i = 0; i < inserted.size(); i++) {
        const uint32_t line = stream_.lines[i];
        if (line >= counts_.size())
            counts_.resize(line + 1);
        counts_[line].translations++;
        counts_[line].walks += inserted[i] != 0;
        counts_[line].insertions += inserted[i];
    }
}

void Pages::drain()
{
    std::vector<uint8_t> inserted(stream_.lines.size());
    const uint64_t *addresses = stream_.addresses.data();
    dmm_model_translation_counts sums;
    const int status =
        translator_
            ? dmm_model_translator_add(translator_, inserted.data(), addresses, inserted.size())
            : dmm_model_translate(&sums, inserted.data(), &machine_, addresses, inserted.size());
    failed_ = failed_ || status != DMM_MODEL_OK;
    count(inserted);
    stream_ = Stream{};
}

std::vector<PageCounts> Pages::end()
{
    interleave();
    drain();
    return failed_ ? std::vector<PageCounts>() : counts_;
}

} // namespace meter
