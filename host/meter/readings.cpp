/* SPDX-License-Identifier: MIT */
/* Evaluates steps and writes their cost: see readings.h. */
#include "readings.h"

#include <cstdio>
#include <fcntl.h>
#include <sstream>
#include <unistd.h>

namespace meter
{

static const char *name_of(Space space)
{
    return space == Space::LOCAL ? "local" : "global";
}

static const char *name_of(dmm_model_access_kind kind)
{
    switch (kind) {
    case DMM_MODEL_READ:
        return "read";
    case DMM_MODEL_WRITE:
        return "write";
    default:
        return "atomic";
    }
}

static std::string fields(const std::string &kernel, const Place &place)
{
    std::ostringstream out;
    out << '\t' << kernel << '\t' << place.file << '\t' << place.number << '\t' << place.calls
        << '\t' << name_of(place.space) << '\t' << name_of(place.kind) << '\t';
    return out.str();
}

Readings::Readings(const char *path, const Machine &machine, bool runs)
    : path_(path), machine_(machine), runs_(runs), pages_(machine.translation, machine.resident),
      costs_(machine.latency)
{
    std::ostringstream out;
    out << "dmm-meter\t" << FORMAT_VERSION << '\t' << machine.local.banks << '\t'
        << machine.local.lanes << '\t' << machine.local.word_bytes << '\t' << machine.segment_bytes
        << '\n';
    append(out.str());
}

/* One write at the end of the file: concurrent processes do not mix lines. */
void Readings::append(const std::string &text)
{
    int file = open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    bool written =
        file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (file >= 0)
        written = close(file) == 0 && written;
    if (!written)
        perror(path_.c_str());
}

void Readings::launch(const std::string &kernel, const size_t sizes[6], uint32_t built_banks)
{
    lines_.clear();
    pages_.begin();
    costs_.begin();
    std::ostringstream out;
    out << "launch\t" << kernel;
    for (int i = 0; i < 6; i++)
        out << '\t' << sizes[i];
    out << '\t' << built_banks << '\n';
    append(out.str());
}

uint32_t Readings::line(const Place &place)
{
    for (size_t i = 0; i < lines_.size(); i++) {
        const Place &old = lines_[i].place;
        if (old.number == place.number && old.space == place.space && old.kind == place.kind &&
            old.file == place.file && old.calls == place.calls)
            return static_cast<uint32_t>(i);
    }
    lines_.push_back(Line{place, dmm_model_tally{}, {}, {}});
    return static_cast<uint32_t>(lines_.size() - 1);
}

int Readings::cost(
    dmm_model_reading *reading, const Place &place, const Step &step, const uint64_t *addresses)
{
    accesses_.clear();
    for (uint32_t lane = 0; lane < lanes_; lane++)
        if (addresses[lane] != IDLE)
            accesses_.push_back(dmm_model_access{addresses[lane], step.size_bytes, lane});
    uint32_t count = static_cast<uint32_t>(accesses_.size());
    if (place.space == Space::GLOBAL)
        return dmm_model_global_step(reading, machine_.segment_bytes, accesses_.data(), count);
    return dmm_model_local_step(reading, &machine_.local, place.kind, accesses_.data(), count);
}

void Readings::group_begins(uint32_t lane_groups)
{
    costs_.group_begins(lane_groups);
}

/* What a step is to the other models. */
void Readings::note(const Line &line, const Step &step, const uint64_t *addresses,
    uint32_t lane_group, uint32_t passes)
{
    const bool local = line.place.space == Space::LOCAL;
    if (machine_.latency != 0)
        costs_.step(lane_group, local, passes);
    if (machine_.translation.page_bytes != 0 && !local)
        pages_.step(step.line, addresses, lanes_, step.size_bytes);
}

void Readings::barrier()
{
    costs_.barrier();
}

void Readings::allocated(uint64_t address, size_t size)
{
    pages_.allocated(address, size);
}

void Readings::host(uint64_t to_device, uint64_t from_device)
{
    if (machine_.latency != 0)
        append("host\t" + std::to_string(to_device) + '\t' + std::to_string(from_device) + '\n');
}

void Readings::sampled(const std::string &kernel, uint64_t metered, uint64_t groups)
{
    append("groups\t" + kernel + '\t' + std::to_string(metered) + '\t' + std::to_string(groups) +
           '\n');
}

void Readings::digest(uint64_t digest)
{
    append("digest\t" + std::to_string(digest) + '\n');
}

void Readings::time(const std::string &kernel, uint64_t ns)
{
    append("time\t" + kernel + '\t' + std::to_string(ns) + '\n');
}

void Readings::group_ends(uint64_t operations)
{
    close_runs();
    if (machine_.translation.page_bytes != 0)
        pages_.group_ends();
    if (machine_.latency != 0)
        costs_.group_ends(operations);
}

void Readings::judge(Trace &trace, uint32_t lane_group)
{
    lanes_ = trace.lanes();
    for (size_t i = 0; i < trace.steps(); i++) {
        const Step &step = trace.step(i);
        Line &line = lines_[step.line];
        dmm_model_reading reading = {};
        if (cost(&reading, line.place, step, trace.addresses(i)) != 0) {
            refused_ += accesses_.size();
            continue;
        }
        dmm_model_tally_add(&line.tally, &reading);
        note(line, step, trace.addresses(i), lane_group, reading.passes);
        if (runs_ && line.place.space == Space::LOCAL)
            extend_run(line, step, trace.addresses(i), reading.conflicts);
    }
    trace.clear();
}

/* Keeps the costlier run; of equals the longer one, then the earlier one. */
static void keep_worse(Run &worst, Run &run)
{
    if (run.conflicts > worst.conflicts ||
        (run.conflicts == worst.conflicts && run.steps.size() > worst.steps.size()))
        std::swap(worst, run);
    run = Run{};
}

void Readings::extend_run(
    Line &line, const Step &step, const uint64_t *addresses, uint32_t conflicts)
{
    Run &run = line.open;
    run.conflicts += conflicts;
    run.steps.push_back(step);
    run.addresses.insert(run.addresses.end(), addresses, addresses + lanes_);
    if (run.steps.size() == RUN_STEPS)
        keep_worse(line.worst, run);
}

void Readings::close_runs()
{
    for (Line &line : lines_)
        keep_worse(line.worst, line.open);
}

static void write_line(std::ostream &out, const std::string &name, const Line &line)
{
    const dmm_model_tally &tally = line.tally;
    out << "line" << name << tally.steps << '\t' << tally.passes << '\t' << tally.needed << '\t'
        << tally.worst << '\t' << line.place.text << '\n';
}

static void write_run(std::ostream &out, const Run &run, uint32_t lanes)
{
    out << "run\t" << run.conflicts << '\n';
    for (size_t i = 0; i < run.steps.size(); i++) {
        out << "step\t" << run.steps[i].size_bytes << '\t';
        for (uint32_t lane = 0; lane < lanes; lane++) {
            uint64_t address = run.addresses[i * lanes + lane];
            if (address != IDLE)
                out << std::dec << lane << ':' << std::hex << address << ' ';
        }
        out << std::dec << '\n';
    }
}

/* Writes the lines of the program around a place. */
void Readings::write_text(
    std::ostream &out, const std::string &kernel, const Place &place, const Source &source)
{
    const uint32_t first = place.number > TEXT_LINES ? place.number - TEXT_LINES : 1;
    for (uint32_t number = first; place.number != 0 && number <= place.number + TEXT_LINES;
         number++) {
        const std::string *text = source.line(place.file, number);
        if (!text)
            continue;
        const std::string name =
            '\t' + kernel + '\t' + place.file + '\t' + std::to_string(number) + '\t';
        if (texts_.insert(name).second)
            out << "text" << name << *text << '\n';
    }
}

static void write_costs(std::ostream &out, const CostSums &sums)
{
    if (sums.failed)
        return;
    out << "costs\t" << sums.dmm_time << '\t' << sums.umm_time << '\t' << sums.operations << '\t'
        << sums.blocks << '\t' << sums.pem_transfers << '\n';
}

void Readings::done(const std::string &kernel, const Source &source, uint64_t refused)
{
    std::ostringstream out, texts;
    const bool translates = machine_.translation.page_bytes != 0;
    const std::vector<PageCounts> pages = translates ? pages_.end() : std::vector<PageCounts>();
    for (const Line &line : lines_) {
        const size_t number = static_cast<size_t>(&line - lines_.data());
        if (line.tally.steps == 0)
            continue;
        std::string name = fields(kernel, line.place);
        write_line(out, name, line);
        if (number < pages.size() && line.place.space == Space::GLOBAL)
            out << "pages\t" << pages[number].translations << '\t' << pages[number].walks << '\t'
                << pages[number].insertions << '\n';
        if (runs_)
            write_text(texts, kernel, line.place, source);
        auto last = conflicts_.find(name);
        if (line.worst.steps.empty() ||
            (last != conflicts_.end() && last->second >= line.worst.conflicts))
            continue;
        write_run(out, line.worst, lanes_);
        conflicts_[name] = line.worst.conflicts;
    }
    if (machine_.latency != 0)
        write_costs(out, costs_.end());
    out << texts.str() << "done\t" << kernel << '\t' << refused + refused_ << '\n';
    refused_ = 0;
    append(out.str());
}

} // namespace meter
