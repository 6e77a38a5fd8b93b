/* SPDX-License-Identifier: MIT */
/* Lines of a program's text by name: see source.h. */
#include "source.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace meter
{

static std::string trimmed(const std::string &line)
{
    size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos)
        return "";
    std::string text = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
    for (char &c : text)
        if (c == '\t')
            c = ' ';
    return text;
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
        files_[file][number++] = trimmed(line);
    }
}

std::string Source::line(const std::string &file, uint32_t number) const
{
    auto lines = files_.find(file);
    if (lines == files_.end())
        lines = files_.find("");
    if (lines == files_.end())
        return "";
    auto found = lines->second.find(number);
    return found == lines->second.end() ? "" : found->second;
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
