/* SPDX-License-Identifier: MIT */
/*
 * Keeps instrumented programs in a folder, dmm-meter in $XDG_CACHE_HOME or ~/.cache, since clang
 * takes longer than most launches: those that include no file beside the system's. A damaged file
 * counts as none. DMM_METER_CACHE=0 turns it off.
 */
#ifndef DMM_METER_CACHE_H
#define DMM_METER_CACHE_H

#include <string>
#include <vector>

namespace meter
{

/* Returns the path for a program that all these words determine; empty: there is no folder. */
std::string cache_path(const std::vector<std::string> &words);

/* Reads the texts. False: the file is not there, or damaged. */
bool cache_read(const std::string &path, std::vector<std::string> *texts);

/* Writes the texts, and removes the oldest files beyond 256 MiB. Does nothing without a path. */
void cache_write(const std::string &path, const std::vector<std::string> &texts);

} // namespace meter

#endif
