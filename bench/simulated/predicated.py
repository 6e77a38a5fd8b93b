# SPDX-License-Identifier: MIT
"""predicated.py HEADER: rewrites the serial merge of CUB 1.17's block_merge_sort.cuh without branches.

ptxas turns its branches into predicates. The simulator runs PTX, in which the branches diverge. Without branches, the
simulated code is closer to the SASS that a GPU runs.
"""
import re
import sys

STEP = """
    const bool is_second = (keys2_beg < keys2_end) & ((keys1_beg >= keys1_end) | compare_op(key2, key1));
    output[item] = is_second ? key2 : key1;
    indices[item] = is_second ? keys2_beg : keys1_beg;
    keys1_beg += is_second ? 0 : 1;
    keys2_beg += is_second ? 1 : 0;
    const KeyT next = keys_shared[is_second ? keys2_beg : keys1_beg];
    key1 = is_second ? key1 : next;
    key2 = is_second ? next : key2;
  }
}
"""


def main():
    path = sys.argv[1]
    text = open(path, encoding="utf-8").read()
    text, times = re.subn(r"\n    bool p = .*?\n  \}\n\}\n", lambda _: STEP, text, count=1, flags=re.S)
    if times != 1:
        sys.exit("%s: expected block_merge_sort.cuh of CUB 1.17" % path)
    open(path, "w", encoding="utf-8").write(text)


if __name__ == "__main__":
    main()
