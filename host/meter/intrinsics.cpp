/* SPDX-License-Identifier: MIT */
#include "intrinsics.h"

#include <cstdint>

#include <llvm/IR/Instructions.h>

#include <oclgrind/WorkItem.h>

namespace meter
{

/* The operands of one item, zero-extended, and their bits. */
struct Operands {
    uint64_t a, b, c;
    unsigned bits;
};

using Intrinsic = uint64_t (*)(const Operands &);

static uint64_t all_ones(unsigned bits)
{
    return bits < 64 ? (uint64_t(1) << bits) - 1 : ~uint64_t(0);
}

static bool is_negative(uint64_t x, unsigned bits)
{
    return (x >> (bits - 1) & 1) != 0;
}

static uint64_t absolute(const Operands &x)
{
    return is_negative(x.a, x.bits) ? -x.a : x.a;
}

static uint64_t reversed(const Operands &x)
{
    uint64_t turned = 0;
    for (unsigned i = 0; i < x.bits; i++)
        turned = turned << 1 | (x.a >> i & 1);
    return turned;
}

static uint64_t ones(const Operands &x)
{
    uint64_t count = 0;
    for (uint64_t left = x.a; left != 0; left &= left - 1)
        count++;
    return count;
}

static uint64_t leading_zeros(const Operands &x)
{
    unsigned count = 0;
    while (count < x.bits && !is_negative(x.a << count, x.bits))
        count++;
    return count;
}

static uint64_t trailing_zeros(const Operands &x)
{
    unsigned count = 0;
    while (count < x.bits && (x.a >> count & 1) == 0)
        count++;
    return count;
}

static uint64_t shifted_left(const Operands &x)
{
    const unsigned by = unsigned(x.c % x.bits);
    return by == 0 ? x.a : x.a << by | x.b >> (x.bits - by);
}

static uint64_t shifted_right(const Operands &x)
{
    const unsigned by = unsigned(x.c % x.bits);
    return by == 0 ? x.b : x.b >> by | x.a << (x.bits - by);
}

static uint64_t sum(const Operands &x)
{
    return x.a > all_ones(x.bits) - x.b ? all_ones(x.bits) : x.a + x.b;
}

static uint64_t difference(const Operands &x)
{
    return x.a < x.b ? 0 : x.a - x.b;
}

/* Returns a signed sum, or the nearest number that there is: a's sign tells on which side. */
static uint64_t signed_result(uint64_t a, uint64_t b, uint64_t sum, unsigned bits)
{
    if (is_negative(a, bits) != is_negative(b, bits) ||
        is_negative(sum, bits) == is_negative(a, bits))
        return sum;
    return is_negative(a, bits) ? uint64_t(1) << (bits - 1) : all_ones(bits - 1);
}

static uint64_t signed_sum(const Operands &x)
{
    return signed_result(x.a, x.b, x.a + x.b, x.bits);
}

static uint64_t signed_difference(const Operands &x)
{
    return signed_result(x.a, ~x.b, x.a - x.b, x.bits);
}

struct Row {
    const char *prefix;
    unsigned operands; /* those that are as wide as the result; others are flags */
    Intrinsic function;
};

static const Row rows[] = {
    {"llvm.abs.", 1, absolute},
    {"llvm.bitreverse.", 1, reversed},
    {"llvm.ctpop.", 1, ones},
    {"llvm.ctlz.", 1, leading_zeros},
    {"llvm.cttz.", 1, trailing_zeros},
    {"llvm.fshl.", 3, shifted_left},
    {"llvm.fshr.", 3, shifted_right},
    {"llvm.uadd.sat.", 2, sum},
    {"llvm.usub.sat.", 2, difference},
    {"llvm.sadd.sat.", 2, signed_sum},
    {"llvm.ssub.sat.", 2, signed_difference},
};

/* Oclgrind's call of a row. */
static void carry_out(oclgrind::WorkItem *item, const llvm::CallInst *call, const std::string &,
    const std::string &, oclgrind::TypedValue &result, void *row)
{
    const Row &own = *static_cast<const Row *>(row);
    const unsigned bits = call->getType()->getScalarSizeInBits();
    for (unsigned i = 0; i < result.num; i++) {
        uint64_t values[3] = {0, 0, 0};
        for (unsigned k = 0; k < own.operands; k++)
            values[k] = item->getOperand(call->getArgOperand(k)).getUInt(i) & all_ones(bits);
        result.setUInt(own.function({values[0], values[1], values[2], bits}) & all_ones(bits), i);
    }
}

void add_intrinsics()
{
    static bool are_there = false; /* Oclgrind's list is one for all contexts */
    if (are_there)
        return;
    are_there = true;
    for (const Row &row : rows)
        oclgrind::workItemPrefixBuiltins.emplace_back(
            row.prefix, oclgrind::BuiltinFunction(carry_out, const_cast<Row *>(&row)));
}

} // namespace meter
