/* SPDX-License-Identifier: MIT */
/* Judges the records of a launch: see launch.h. */
#include "launch.h"

#include <algorithm>
#include <sstream>

#include "../mix.h"

namespace meter
{

static std::vector<std::string> fields_of(const std::string &line)
{
    std::vector<std::string> fields(1);
    for (char c : line)
        if (c == '\t' && fields.size() < 10)
            fields.emplace_back();
        else
            fields.back() += c;
    return fields;
}

static uint64_t number(const std::string &text)
{
    return std::strtoull(text.c_str(), nullptr, 10);
}

static SiteFacts site_from(const std::vector<std::string> &fields)
{
    SiteFacts site;
    site.space = static_cast<unsigned>(number(fields[2]));
    site.kind = static_cast<dmm_model_access_kind>(number(fields[3]));
    site.bytes = number(fields[4]);
    site.widest_bytes = static_cast<uint32_t>(number(fields[5]));
    site.place.file = fields[6];
    site.place.number = static_cast<uint32_t>(number(fields[7]));
    site.place.kind = site.kind;
    site.place.text = fields[9];
    site.calls = fields[8];
    return site;
}

bool Table::read(const std::string &text)
{
    std::istringstream stream(text);
    std::string line;
    while (std::getline(stream, line)) {
        const std::vector<std::string> fields = fields_of(line);
        if (fields[0] == "kernel" && fields.size() == 4) {
            arguments[fields[1]] = static_cast<uint32_t>(number(fields[2]));
            most_records[fields[1]] = number(fields[3]);
        } else if (fields[0] == "array" && fields.size() == 4)
            array_bytes[static_cast<uint32_t>(number(fields[2]))] = number(fields[3]);
        else if (fields[0] == "call" && fields.size() == 3)
            calls.push_back(fields[2]);
        else if (fields[0] == "site" && fields.size() == 10)
            sites.push_back(site_from(fields));
        else
            return false;
    }
    return true;
}

/* The last group of a dimension may be smaller. */
size_t Judge::items_of(uint64_t group) const
{
    size_t items = 1;
    for (int i = 0; i < 3; i++) {
        const size_t local = launch_->local[i], groups = (launch_->global[i] + local - 1) / local;
        const size_t here = group % groups;
        items *= std::min(local, launch_->global[i] - here * local);
        group /= groups;
    }
    return items;
}

void Judge::judge(const Launch &launch, const uint64_t *regions, uint64_t slots, uint64_t most)
{
    launch_ = &launch;
    refused_ = 0;
    lines_.clear();
    plain_lines_.assign(2 * launch.table->sites.size(), 0);
    globals_.clear();
    uint64_t digest = launch.number;
    const uint64_t groups = launch.groups(), apart = 2 * slots * launch.group_items();
    for (uint64_t i = 0; i * launch.stride < groups; i++) {
        group(regions + i * apart, slots, most, items_of(i * launch.stride));
        digest = mix(digest, group_digest_);
    }
    if (digests_wanted_)
        readings_.digest(digest);
    readings_.done(launch.kernel, launch.table->source, refused_);
}

void Judge::group(const uint64_t *regions, uint64_t slots, uint64_t most, size_t items)
{
    std::vector<Item> all(items);
    uint64_t made = 0;
    bool whole = true;
    for (size_t i = 0; i < items; i++) {
        const uint64_t *region = regions + 2 * slots * i;
        const bool ended = region[1] == launch_->number;
        all[i].records = region + 2;
        all[i].count = ended ? region[0] : 0;
        made += all[i].count;
        whole &= ended && all[i].count <= most;
    }
    group_digest_ = 0;
    if (!whole) {
        refused_ += std::max<uint64_t>(made, 1);
        return;
    }
    locals_.clear();
    const uint32_t lanes = machine_.local.lanes;
    readings_.group_begins(static_cast<uint32_t>((items + lanes - 1) / lanes));
    trace_.begin(static_cast<uint32_t>(std::min<size_t>(lanes, items)));
    run_all(all);
    uint64_t operations = 0;
    for (const Item &item : all) {
        operations = std::max(operations, item.operations);
        group_digest_ = mix(group_digest_, item.digest);
    }
    readings_.group_ends(operations);
}

/* Runs all work-items to the next barrier, until they have ended. */
void Judge::run_all(std::vector<Item> &all)
{
    const size_t lanes = machine_.local.lanes;
    for (bool waits = true; waits;) {
        waits = false;
        for (size_t i = 0; i < all.size(); i++) {
            lane_group_ = static_cast<uint32_t>(i / lanes);
            waits |= run(all[i], static_cast<uint32_t>(i % lanes));
            if (i % lanes == lanes - 1 || i == all.size() - 1)
                readings_.judge(trace_, lane_group_);
        }
        if (!waits)
            return;
        readings_.barrier();
        for (Item &item : all)
            item.digest = mix(item.digest, IDLE);
    }
}

/* Takes the records of a work-item up to its next barrier. False: it has ended. */
bool Judge::run(Item &item, uint32_t lane)
{
    while (item.next < item.count) {
        const uint64_t *record = item.records + 2 * item.next++;
        const auto site = static_cast<uint32_t>(record[0] & (SITES_MAX - 1));
        if (site == EVENT_BARRIER)
            return true;
        if (site < EVENTS)
            note(item, static_cast<Event>(site), record[0] >> SITE_BITS, record[1]);
        else
            access(item, site,
                record[0] >> SITE_BITS | record[1] >> ADDRESS_BITS << (64 - SITE_BITS),
                record[1] & ((uint64_t{1} << ADDRESS_BITS) - 1), lane);
    }
    return false;
}

void Judge::note(Item &item, Event event, uint64_t number, uint64_t value)
{
    const auto index = static_cast<uint32_t>(number);
    if (event == EVENT_CALL)
        item.calls.push_back(index);
    if (event == EVENT_RETURN && !item.calls.empty())
        item.calls.pop_back();
    if (event == EVENT_OPERATIONS)
        item.operations = value;
    if (event != EVENT_BASE)
        return;
    const auto argument = launch_->arguments.find(index);
    const auto array = launch_->table->array_bytes.find(index);
    if (array != launch_->table->array_bytes.end())
        locals_.push_back(Array{value, array->second, 0});
    else if (argument != launch_->arguments.end() && argument->second.address == 0)
        locals_.push_back(Array{value, argument->second.bytes, 0});
    else if (argument != launch_->arguments.end())
        globals_.push_back(Array{value, argument->second.bytes, argument->second.address});
}

/* Turns the device's address into the readings', where each local array begins in bank 0. False:
 * private memory. */
bool Judge::locate(uint64_t *address, bool *local, unsigned space) const
{
    for (size_t i = 0; i < locals_.size() && space != 1; i++)
        if (*address - locals_[i].base < locals_[i].bytes) {
            *address += (uint64_t{i + 1} << 48) - locals_[i].base;
            *local = true;
            return true;
        }
    *local = space == 3;
    for (size_t i = 0; i < globals_.size() && space != 3; i++)
        if (*address - globals_[i].base < globals_[i].bytes) {
            *address += globals_[i].address - globals_[i].base;
            return true;
        }
    return space != 4;
}

uint32_t Judge::line_of(uint32_t site, bool local, const Item &item)
{
    if (calls_)
        return line_by_calls(site, local, item);
    uint32_t &line = plain_lines_[2 * (site - EVENTS) + local];
    if (line == 0)
        line = line_by_calls(site, local, item) + 1;
    return line - 1;
}

uint32_t Judge::line_by_calls(uint32_t site, bool local, const Item &item)
{
    uint64_t key = uint64_t{site} << 1 | local;
    if (calls_)
        for (uint32_t call : item.calls)
            key = mix(key, uint64_t{call} + 1);
    const auto found = lines_.find(key);
    if (found != lines_.end())
        return found->second;
    const SiteFacts &facts = launch_->table->sites[site - EVENTS];
    Place place = facts.place;
    place.space = local ? Space::LOCAL : Space::GLOBAL;
    if (calls_) {
        place.calls = facts.calls;
        for (size_t i = item.calls.size(); i-- > 0;)
            place.calls +=
                (place.calls.empty() ? "" : " < ") + launch_->table->calls[item.calls[i]];
    }
    return lines_[key] = readings_.line(place);
}

void Judge::add(const Step &step, uint32_t lane, uint64_t address)
{
    if (trace_.add(step, lane, address))
        return;
    if (trace_.lanes() > 1) {
        refused_++;
        return;
    }
    /* a single lane need not wait for others */
    readings_.judge(trace_, lane_group_);
    trace_.add(step, lane, address);
}

void Judge::access(Item &item, uint32_t site, uint64_t path, uint64_t address, uint32_t lane)
{
    bool local = false;
    if (site - EVENTS >= launch_->table->sites.size())
        return;
    const SiteFacts &facts = launch_->table->sites[site - EVENTS];
    if (!locate(&address, &local, facts.space))
        return;
    if (digests_wanted_)
        item.digest =
            mix(mix(item.digest, address), facts.bytes << 8 | uint64_t(facts.kind) << 4 | local);
    const uint32_t line = line_of(site, local, item);
    const uint64_t key = mix(mix(path, site), line);
    for (uint64_t left = facts.bytes; left > 0;) {
        const auto piece = static_cast<uint32_t>(std::min<uint64_t>(left, facts.widest_bytes));
        add(Step{mix(key, piece), line, piece}, lane, address);
        address += piece;
        left -= piece;
    }
}

} // namespace meter
