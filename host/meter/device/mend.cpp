/* SPDX-License-Identifier: MIT */
/* What llvm-spirv up to 15 translates wrongly, or not at all: see spirv.h. */
#include "spirv.h"

#include <map>

#include "words.h"

namespace meter
{

namespace
{

constexpr uint32_t WHOLE = UINT32_MAX;

/* A pointer into a built-in variable. */
struct Into {
    uint32_t variable, component;
};

/*
 * Built-in variables, such as the number of a work-item. SYCL's compilers read a component by a
 * pointer to it; the translator takes a load of the whole vector alone. So such a load is put in
 * its place, and the component is taken from it.
 */
class Builtins
{
  public:
    explicit Builtins(const std::string &il) : il_(il)
    {
    }

    std::string with_whole_loads()
    {
        const bool is_whole =
            each_instruction(il_, [&](size_t at, size_t count) { note(at, count); });
        if (!is_whole || variables_.empty())
            return il_;
        std::string made = il_.substr(0, 4 * HEADER_WORDS);
        bound_ = word_at(il_, BOUND);
        each_instruction(il_, [&](size_t at, size_t count) { put(at, count, &made); });
        set_word(&made, BOUND, bound_);
        return made;
    }

  private:
    uint32_t word(size_t index) const
    {
        return word_at(il_, index);
    }

    void note(size_t at, size_t count)
    {
        const uint32_t code = code_at(il_, at);
        if (code == OP_DECORATE && count == 4 && word(at + 2) == BUILT_IN)
            variables_[word(at + 1)] = 0;
        else if (code == OP_TYPE_POINTER && count == 4)
            pointees_[word(at + 1)] = word(at + 3);
        else if (code == OP_CONSTANT)
            constants_[word(at + 2)] = word(at + 3);
        else if (code == OP_VARIABLE && variables_.count(word(at + 2))) {
            variables_[word(at + 2)] = pointees_[word(at + 1)];
            pointers_[word(at + 2)] = Into{word(at + 2), WHOLE};
        } else if (code == OP_PTR_CAST_TO_GENERIC || code == OP_BITCAST)
            follow(word(at + 2), word(at + 3), pointee_is_whole(at) ? WHOLE : 0);
        else if (code == OP_PTR_ACCESS_CHAIN || code == OP_IN_BOUNDS_PTR_ACCESS_CHAIN)
            follow_index(at, count == 6 ? word(at + 5) : 0);
        else if (code == OP_ACCESS_CHAIN || code == OP_IN_BOUNDS_ACCESS_CHAIN)
            follow_index(at, count == 5 ? word(at + 4) : 0);
    }

    /* True if the instruction's type is a pointer to what its own pointer points to. */
    bool pointee_is_whole(size_t at) const
    {
        const auto from = pointers_.find(word(at + 3));
        const auto type = pointees_.find(word(at + 1));
        return from != pointers_.end() && type != pointees_.end() &&
               type->second == variables_.at(from->second.variable);
    }

    void follow(uint32_t result, uint32_t from, uint32_t component)
    {
        const auto found = pointers_.find(from);
        if (found == pointers_.end())
            return;
        const bool deeper = found->second.component == WHOLE;
        pointers_[result] =
            Into{found->second.variable, deeper ? component : found->second.component};
    }

    /* An access chain with one index into the vector. */
    void follow_index(size_t at, uint32_t index)
    {
        const auto constant = constants_.find(index);
        if (constant != constants_.end())
            follow(word(at + 2), word(at + 3), constant->second);
    }

    static void append(std::string *made, uint32_t code, std::initializer_list<uint32_t> operands)
    {
        const size_t at = made->size() / 4;
        made->resize(made->size() + 4 * (1 + operands.size()));
        set_word(made, at, static_cast<uint32_t>((1 + operands.size()) << 16) | code);
        size_t i = at;
        for (const uint32_t operand : operands)
            set_word(made, ++i, operand);
    }

    /* Copies the instruction, without pointers into variables and with other loads by them. */
    void put(size_t at, size_t count, std::string *made)
    {
        const uint32_t code = code_at(il_, at);
        if (code != OP_VARIABLE && count > 2 && pointers_.count(word(at + 2)) && is_pointer(code))
            return;
        const auto from = code == OP_LOAD ? pointers_.find(word(at + 3)) : pointers_.end();
        if (from == pointers_.end()) {
            made->append(il_, 4 * at, 4 * count);
            return;
        }
        const Into into = from->second;
        const uint32_t type = variables_[into.variable];
        const bool whole = into.component == WHOLE || type == word(at + 1);
        const uint32_t loaded = whole ? word(at + 2) : bound_++;
        append(made, OP_LOAD, {type, loaded, into.variable});
        if (!whole)
            append(
                made, OP_COMPOSITE_EXTRACT, {word(at + 1), word(at + 2), loaded, into.component});
    }

    static bool is_pointer(uint32_t code)
    {
        return code == OP_PTR_CAST_TO_GENERIC || code == OP_BITCAST ||
               (code >= OP_ACCESS_CHAIN && code <= OP_PTR_ACCESS_CHAIN) ||
               code == OP_IN_BOUNDS_PTR_ACCESS_CHAIN;
    }

    const std::string il_;
    std::map<uint32_t, uint32_t> variables_, pointees_, constants_; /* variables: and their types */
    std::map<uint32_t, Into> pointers_;
    uint32_t bound_ = 0;
};

} // namespace

std::string with_whole_builtins(const std::string &il)
{
    return Builtins(il).with_whole_loads();
}

bool has_sub_group_barriers(const std::string &il)
{
    std::map<uint32_t, uint32_t> constants;
    bool has = false;
    each_instruction(il, [&](size_t at, size_t count) {
        const uint32_t code = code_at(il, at);
        if (code == OP_CONSTANT && count > 3)
            constants[word_at(il, at + 2)] = word_at(il, at + 3);
        else if (code == OP_CONTROL_BARRIER && count > 1)
            has = has || constants[word_at(il, at + 1)] == SUB_GROUP;
    });
    return has;
}

} // namespace meter
