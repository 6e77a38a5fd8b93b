/* SPDX-License-Identifier: MIT */
/* SPIR-V as words: an instruction is its code and the number of its words, then the words. */
#ifndef DMM_METER_WORDS_H
#define DMM_METER_WORDS_H

#include <cstdint>
#include <cstring>
#include <string>

namespace meter
{

enum : uint32_t { MAGIC = 0x07230203, BOUND = 3, HEADER_WORDS = 5 };

/* The codes that are needed here, and what decorations say. */
enum : uint32_t {
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_SPEC_TRUE = 48,
    OP_SPEC_FALSE = 49,
    OP_SPEC_CONSTANT = 50,
    OP_VARIABLE = 59,
    OP_LOAD = 61,
    OP_ACCESS_CHAIN = 65,
    OP_IN_BOUNDS_ACCESS_CHAIN = 66,
    OP_PTR_ACCESS_CHAIN = 67,
    OP_IN_BOUNDS_PTR_ACCESS_CHAIN = 70,
    OP_DECORATE = 71,
    OP_COMPOSITE_EXTRACT = 81,
    OP_PTR_CAST_TO_GENERIC = 121,
    OP_BITCAST = 124,
    OP_CONTROL_BARRIER = 224,
    SPEC_ID = 1,
    BUILT_IN = 11,
    SUB_GROUP = 3, /* a scope */
};

inline uint32_t word_at(const std::string &il, size_t index)
{
    uint32_t word = 0;
    std::memcpy(&word, &il[4 * index], sizeof word);
    return word;
}

inline void set_word(std::string *il, size_t index, uint32_t word)
{
    std::memcpy(&(*il)[4 * index], &word, sizeof word);
}

inline uint32_t code_at(const std::string &il, size_t index)
{
    return word_at(il, index) & 0xffff;
}

/* Calls use(index of the instruction, its words) for all; false: the IL is damaged. */
template <typename Use> bool each_instruction(const std::string &il, const Use &use)
{
    const size_t words = il.size() / 4;
    if (words < HEADER_WORDS || word_at(il, 0) != MAGIC)
        return false;
    for (size_t at = HEADER_WORDS, count; at < words; at += count) {
        count = word_at(il, at) >> 16;
        if (count == 0 || count > words - at)
            return false;
        use(at, count);
    }
    return true;
}

} // namespace meter

#endif
