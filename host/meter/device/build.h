/* SPDX-License-Identifier: MIT */
/* Instruments a program's text, or SPIR-V, by the command dmm-meter-rewrite beside this library. */
#ifndef DMM_METER_BUILD_H
#define DMM_METER_BUILD_H

#include <string>
#include <vector>

#include "launch.h"

namespace meter
{

struct Rewritten {
    std::string text;   /* empty: it was not instrumented */
    std::string source; /* what the lines of the table are of */
    Table table;
    std::string reason, log; /* why not, and what clang wrote */
    bool known = false;      /* the cache had it */
};

/* What a program's compiler must be told about its device. */
struct Dialect {
    std::string version;    /* as __OPENCL_VERSION__ */
    std::string extensions; /* divided by blanks */
    bool images;
};

Rewritten rewrite(const std::string &source, const std::string &options, const Dialect &dialect);

/* The same for a program in SPIR-V. */
Rewritten rewrite_il(const std::string &il, const std::string &options);

/* Returns the options for the driver's own compiler. */
std::string driver_options(const std::string &options);

} // namespace meter

#endif
