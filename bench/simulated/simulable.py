# SPDX-License-Identifier: MIT
"""simulable.py PTX: rewrites what GPGPU-Sim runs wrongly in the PTX of CUB 1.17's radix sort.

A shuffle's predicate (the source lane exists): computed from the lane's number. A barrier that also tells whether all
work-items agree: CUB asks whether all items of a tile share a digit, only to take a shortcut; the answer is no.
"""
import re
import sys

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


def main():
    path = sys.argv[1]
    text = open(path, encoding="utf-8").read()
    text = UP.sub(up, text)
    text = re.sub(r"(shfl\.sync\.idx\.b32\s+%r\d+)\|%p\d+,", r"\1,", text)
    text = ALL.sub(r"bar.sync 0;\n\tmov.u32 \1, 0;", text)
    if re.search(r"shfl[^;]*\|", text) or "bar.red" in text:
        sys.exit("%s: expected PTX of CUB 1.17" % path)
    open(path, "w", encoding="utf-8").write(text)


if __name__ == "__main__":
    main()
