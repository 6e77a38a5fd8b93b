/* SPDX-License-Identifier: MIT */
/*
 * The text of a program, found by the names in its build log, which follow `#line` directives.
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

    /* Returns one line, tabs replaced by blanks, without white space at its end; null if there is
     * none. */
    const std::string *line(const std::string &file, uint32_t number) const;
    /* Returns one line without white space at its start, too; empty if there is none. */
    std::string trimmed(const std::string &file, uint32_t number) const;

  private:
    using Lines = std::unordered_map<uint32_t, std::string>;
    /* Files by the name that a `#line` gives, "" before the first. */
    std::unordered_map<std::string, Lines> files_;
};

/*
 * Returns the banks that a kernel of dmm was built for: DMM_W, defined in the build options (-D
 * DMM_W=32) or in the text (#define DMM_W 32). 0: not of dmm.
 */
uint32_t built_banks(const std::string &options, const std::string &text);

} // namespace meter

#endif
