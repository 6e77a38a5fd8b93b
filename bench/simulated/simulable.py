# SPDX-License-Identifier: MIT
"""simulable.py PTX: rewrites what GPGPU-Sim runs wrongly in the PTX of CUB 1.17.

A shuffle's predicate (the source lane exists): computed from the lane's number. A barrier that also tells whether all
work-items agree: CUB's radix sort asks whether all items of a tile share a digit, only to take a shortcut; the answer is no.
Constants of more than 32 bits: made of parts. Masks of lanes: shifted. A shift that adds: two instructions.
"""
import re
import sys

from simulate import with_narrow_constants

# lanes 0 .. distance - 1 of a warp have no source
UP = re.compile(r"\{\s*\.reg \.([us])32 r0;\s*\.reg \.pred p;\s*shfl\.sync\.up\.b32 r0\|p, (%r\d+), (%r\d+), (%r\d+), (%r\d+);"
                r"\s*@p (add\.[us]32) r0, r0, (%r\d+);\s*mov\.[us]32 (%r\d+), r0;\s*\}")
ALL = re.compile(r"\{\s*\.reg \.pred\s+%p1;\s*\.reg \.pred\s+%p2;\s*setp\.ne\.u32\s+%p1, %r\d+, 0;\s*"
                 r"bar\.red\.(?:and|or)\.pred\s+%p2, 0, %p1;\s*selp\.u32\s+(%r\d+), 1, 0, %p2;\s*\}")


def up(match):
    kind, value, distance, clamp, members, add, own, result = match.groups()
    return ("{ .reg .%s32 r0; .reg .u32 lane; .reg .pred p;\n\tmov.u32 lane, %%laneid;\n\tsetp.ge.u32 p, lane, %s;\n"
            "\tshfl.sync.up.b32 r0, %s, %s, %s, %s;\n\t@p %s r0, r0, %s;\n\tmov.%s32 %s, r0; }" % (
                kind, distance, value, distance, clamp, members, add, own, kind, result))


SHUFFLE = re.compile(r"shfl\.sync\.(up|down|bfly|idx)\.b32\s+([%\w]+)\|([%\w]+),\s*([%\w]+),\s*([%\w]+),\s*([%\w]+),"
                     r"\s*([-%\w]+);")
# The lane that a lane reads, and when it exists: the PTX ISA's definition of shfl.
SOURCE = {"up": ("sub.s32 lane, lane, distance;", "ge"), "down": ("add.s32 lane, lane, distance;", "le"),
          "bfly": ("xor.b32 lane, lane, distance;", "le"),
          "idx": ("not.b32 other, segment; and.b32 other, other, distance; and.b32 lane, lane, segment; "
                  "or.b32 lane, lane, other;", "le")}


def shuffle(match):
    mode, result, exists, value, distance, clamp, members = match.groups()
    source, compare = SOURCE[mode]
    return ("{ .reg .b32 lane, segment, last, other, distance; mov.u32 lane, %%laneid; mov.b32 segment, %s; mov.b32 distance, %s; "
            "and.b32 last, segment, 31; shr.u32 segment, segment, 8; and.b32 segment, segment, 31; not.b32 other, segment; "
            "and.b32 last, last, other; and.b32 other, lane, segment; or.b32 last, last, other; %s setp.%s.s32 %s, lane, last; "
            "shfl.sync.%s.b32 %s, %s, %s, %s, %s; }" % (
                clamp, distance, source, compare, exists, mode, result, value, distance, clamp, members))


def with_used_predicates(function):
    """Returns a function whose shuffles have predicates only where they are used, and compute them."""
    def one(match):
        exists = match.group(3)
        used = len(re.findall(re.escape(exists) + r"\b", function)) > 1
        return shuffle(match) if used else match.group(0).replace("|" + exists, "")
    return SHUFFLE.sub(one, function)


def lane_mask(match):
    """The lanes before or after this one: shifted from all ones, and complemented."""
    result, which = match.groups()
    ones = {"ge": -1, "lt": -1, "gt": -2, "le": -2}[which]
    return "{ .reg .b32 lane; mov.u32 lane, %%laneid; mov.b32 %s, %d; shl.b32 %s, %s, lane; %s }" % (
        result, ones, result, result, "not.b32 %s, %s;" % (result, result) if which in ("lt", "le") else "")


def main():
    path = sys.argv[1]
    text = open(path, encoding="utf-8").read()
    text = UP.sub(up, text)
    text = "".join(with_used_predicates(part) for part in re.split(r"(?=^\.(?:visible|weak|func|entry))", text, flags=re.M))
    text = re.sub(r"mov\.u32\s+(%\w+), %lanemask_(lt|le|gt|ge);", lane_mask, text)
    text = re.sub(r"vshr\.u32\.u32\.u32\.clamp\.add (%\w+), (%\w+), (%\w+), (%\w+);",
                  r"{ .reg .b32 part; shr.u32 part, \2, \3; add.u32 \1, part, \4; }", text)
    text = ALL.sub(r"bar.sync 0;\n\tmov.u32 \1, 0;", text)
    if re.search(r"shfl[^;]*\|", text) or "bar.red" in text:
        sys.exit("%s: expected PTX of CUB 1.17" % path)
    open(path, "w", encoding="utf-8").write(with_narrow_constants(text))


if __name__ == "__main__":
    main()
