/* SPDX-License-Identifier: MIT */
/* The table of a program: see sites.h. */
#include "sites.h"
#include "ctype.h"
#include "site.h"

namespace meter
{

uint32_t Sites::site(
    const llvm::Instruction &instruction, unsigned space, dmm_model_access_kind kind, uint64_t size)
{
    if (sites_ == SITES_MAX)
        throw Refused("it has more than " + std::to_string(SITES_MAX) + " accesses");
    const Place place =
        place_of(instruction, space == LOCAL_SPACE ? Space::LOCAL : Space::GLOBAL, kind, source_);
    out_ << "site\t" << sites_ << '\t' << space << '\t' << kind << '\t' << size << '\t'
         << widest_bytes(instruction, kind) << '\t' << place.file << '\t' << place.number << '\t'
         << calls_of(instruction, {}) << '\t' << place.text << '\n';
    return sites_++;
}

uint32_t Sites::call(const llvm::Instruction &instruction)
{
    out_ << "call\t" << calls_ << '\t' << places_of(instruction) << '\n';
    return calls_++;
}

uint32_t Sites::array(const std::string &kernel, uint64_t bytes)
{
    out_ << "array\t" << kernel << '\t' << arrays_ << '\t' << bytes << '\n';
    return arrays_++;
}

void Sites::kernel(const std::string &name, size_t arguments, uint64_t most_records)
{
    out_ << "kernel\t" << name << '\t' << arguments << '\t' << most_records << '\n';
}

} // namespace meter
