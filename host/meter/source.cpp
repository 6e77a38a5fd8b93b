/* SPDX-License-Identifier: MIT */
/* Lines of a program's text by name: see source.h. */
#include "source.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace meter
{

/* Readings are lines of fields divided by tabs, and end at a NUL: a line has neither. */
static std::string printable(const std::string &line)
{
    constexpr size_t TAB = 4;
    std::string text;
    for (char c : line)
        if (c == '\t')
            text.append(TAB - text.size() % TAB, ' ');
        else
            text += c == '\0' ? ' ' : c;
    return text.erase(text.find_last_not_of(" \r") + 1);
}

/* `#line 12 "file"`, `#line 12` and `# 12 "file"` name the line that follows. */
static bool directive(const std::string &line, uint32_t *number, std::string *file)
{
    if (std::sscanf(line.c_str(), " # line %" SCNu32, number) != 1 &&
        std::sscanf(line.c_str(), " # %" SCNu32, number) != 1)
        return false;
    size_t open = line.find('"');
    size_t close = line.rfind('"');
    if (open < close)
        *file = line.substr(open + 1, close - open - 1);
    return true;
}

Source::Source(const std::string &text)
{
    std::istringstream stream(text);
    std::string file, line;
    uint32_t number = 1;
    while (std::getline(stream, line)) {
        if (directive(line, &number, &file))
            continue;
        files_[file][number++] = printable(line);
    }
}

const std::string *Source::line(const std::string &file, uint32_t number) const
{
    auto lines = files_.find(file);
    if (lines == files_.end())
        lines = files_.find("");
    if (lines == files_.end())
        return nullptr;
    auto found = lines->second.find(number);
    return found == lines->second.end() ? nullptr : &found->second;
}

std::string Source::trimmed(const std::string &file, uint32_t number) const
{
    const std::string *found = line(file, number);
    return found ? found->substr(std::min(found->find_first_not_of(' '), found->size())) : "";
}

static uint32_t number_after(const std::string &text, const std::string &mark)
{
    size_t at = text.find(mark);
    if (at == std::string::npos)
        return 0;
    return static_cast<uint32_t>(std::strtoul(text.c_str() + at + mark.size(), nullptr, 10));
}

uint32_t built_banks(const std::string &options, const std::string &text)
{
    uint32_t banks = number_after(" " + options, " DMM_W=");
    if (banks == 0)
        banks = number_after(" " + options, " -DDMM_W=");
    if (banks == 0)
        banks = number_after("\n" + text, "\n#define DMM_W ");
    return banks;
}

} // namespace meter
