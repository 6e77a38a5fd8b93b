/* SPDX-License-Identifier: MIT */
/*
 * The readings of a process, a file of lines with fields divided by tabs, to which every launch
 * appends what it cost (so that a program that crashes keeps the launches before):
 *
 *   dmm-meter <version> <banks> <lanes> <word bytes> <segment bytes>     once a context
 *   launch <kernel> <global sizes, x y z> <local sizes, x y z> <banks it was built for, or 0>
 *   line <kernel> <file> <line> <calls> <space> <kind> <steps> <passes> <needed> <worst> <text>
 *   pages <translations> <walks> <insertions>     only where translations are wanted: of the line
 *                      before it, in global memory
 *   run <conflicts>                    only where pictures are wanted: the consecutive steps
 *   step <size bytes> <lane>:<address> ...  of one work-group that cost the line before it most
 *   text <kernel> <file> <line> <text>  likewise: a line of the program near one of those, once for
 *                      each kernel; indented, where the text of `line` is not
 *   costs <DMM time> <UMM time> <operations> <blocks> <PEM transfers>     only where the models'
 *                      costs are wanted: of the launch
 *   host <bytes to the device> <bytes from it>     likewise: one transfer, the other number is 0
 *   digest <number>                    only where it is wanted: of the launch's number among all
 *                      launches, and of each work-item's accesses and barriers in their order
 *   time <kernel> <ns>                 only where it is wanted: of the launch, by profiling events
 *   groups <kernel> <metered> <all>    only where some work-groups of the launch are not metered
 *   done <kernel> <accesses that were not judged>
 *
 * Calls, where they are wanted, are the lines that called the function that the line is in,
 * innermost first; text is the source line. Space is `local` or `global`; kind is `read`, `write`
 * or `atomic`; addresses are hexadecimal.
 */
#ifndef DMM_METER_READINGS_H
#define DMM_METER_READINGS_H

#include <map>
#include <set>
#include <string>
#include <vector>

#include <dmm-model/tally.h>

#include "costs.h"
#include "pages.h"
#include "source.h"
#include "trace.h"

namespace meter
{

constexpr int FORMAT_VERSION = 2;
constexpr size_t RUN_STEPS = 64;    /* steps of a picture */
constexpr uint32_t TEXT_LINES = 40; /* lines of the program before and after one with accesses */

enum class Space : uint8_t { LOCAL, GLOBAL };

struct Machine {
    dmm_model_local local;
    uint32_t segment_bytes;
    dmm_model_translation translation; /* checked; page_bytes 0: not wanted */
    uint32_t resident;                 /* work-groups whose translations take turns */
    uint64_t latency; /* latency of the models' memories; 0: costs are not wanted */
};

/* A source line with one space and one kind of access. */
struct Place {
    std::string file;
    uint32_t number; /* 0: lost by the compiler */
    std::string calls;
    Space space;
    dmm_model_access_kind kind;
    std::string text;
};

/* Consecutive steps of a line by one work-group, and their avoidable cost. */
struct Run {
    uint64_t conflicts = 0;
    std::vector<Step> steps;
    std::vector<uint64_t> addresses; /* steps x lanes */
};

struct Line {
    Place place;
    dmm_model_tally tally;
    Run open;  /* still growing */
    Run worst; /* worst run of those that have ended */
};

class Readings
{
  public:
    Readings(const char *path, const Machine &machine, bool runs);

    /* Says that some groups alone of the launch are metered. */
    void sampled(const std::string &kernel, uint64_t metered, uint64_t groups);

    void launch(const std::string &kernel, const size_t sizes[6], uint32_t built_banks);
    /* The number of that line in this launch. */
    uint32_t line(const Place &place);
    /* A work-group begins that has so many lane groups. */
    void group_begins(uint32_t lane_groups);
    /* Judges all steps of a trace, which a lane group made, and empties it. */
    void judge(Trace &trace, uint32_t lane_group);
    void barrier();
    /* The work-group has ended, with the most instructions of one of its work-items. */
    void group_ends(uint64_t operations);
    void allocated(uint64_t address, size_t size);
    /* The host copied bytes to a buffer or from one. */
    void host(uint64_t to_device, uint64_t from_device);
    void digest(uint64_t digest);
    void time(const std::string &kernel, uint64_t ns);
    void done(const std::string &kernel, const Source &source, uint64_t refused);

  private:
    int cost(dmm_model_reading *reading, const Place &place, const Step &step,
        const uint64_t *addresses);
    void extend_run(Line &line, const Step &step, const uint64_t *addresses, uint32_t conflicts);
    void append(const std::string &text);
    void close_runs();
    void write_text(
        std::ostream &out, const std::string &kernel, const Place &place, const Source &source);
    void note(const Line &line, const Step &step, const uint64_t *addresses, uint32_t lane_group,
        uint32_t passes);

    std::string path_;
    Machine machine_;
    bool runs_;
    uint32_t lanes_ = 1; /* lanes of the steps judged last */
    uint64_t refused_ = 0;
    std::vector<Line> lines_;
    Pages pages_;
    Costs costs_;
    std::vector<dmm_model_access> accesses_;    /* accesses of the step being judged */
    std::map<std::string, uint64_t> conflicts_; /* conflicts of the last written run, by line */
    std::set<std::string> texts_;               /* kernel, file and number of what was written */
};

} // namespace meter

#endif
