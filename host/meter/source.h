/* SPDX-License-Identifier: MIT */
/*
 * The text of a program, found by the names that its build log uses: `#line` directives count.
 */
#ifndef DMM_METER_SOURCE_H
#define DMM_METER_SOURCE_H

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace meter
{

class Source
{
  public:
    Source() = default;
    explicit Source(const std::string &text);

    /* One line without the white space around it, tabs made blanks; empty if there is none. */
    std::string line(const std::string &file, uint32_t number) const;

  private:
    using Lines = std::unordered_map<uint32_t, std::string>;
    /* The name that a `#line` gives, "" before the first. */
    std::unordered_map<std::string, Lines> files_;
};

/*
 * The banks that a kernel of ours was built for, by the definition of DMM_W in the build options
 * (-D DMM_W=32) or at the head of a line of the text (#define DMM_W 32). 0: not ours.
 */
uint32_t built_banks(const std::string &options, const std::string &text);

} // namespace meter

#endif
