# SPDX-License-Identifier: MIT
"""Makes inputs for metered runs: the same bytes in every run and on every machine."""

import random
import struct
import subprocess

# Codes of the key types for `struct`, and the range of random keys.
TYPES = {
    "u8": ("B", 0, 2**8 - 1),
    "i8": ("b", -(2**7), 2**7 - 1),
    "u16": ("H", 0, 2**16 - 1),
    "i16": ("h", -(2**15), 2**15 - 1),
    "u32": ("I", 0, 2**32 - 1),
    "i32": ("i", -(2**31), 2**31 - 1),
    "u64": ("Q", 0, 2**64 - 1),
    "i64": ("q", -(2**63), 2**63 - 1),
    "f16": ("e", -2048, 2047),
    "f32": ("f", -(2**23), 2**23 - 1),
    "f64": ("d", -(2**52), 2**52 - 1),
}


def key_bytes(key_type):
    return struct.calcsize(TYPES[key_type][0])


def pack(key_type, keys):
    return struct.pack(f"<{len(keys)}{TYPES[key_type][0]}", *keys)


def unpack(key_type, data):
    return list(struct.unpack(f"<{len(data) // key_bytes(key_type)}{TYPES[key_type][0]}", data))


def worst_keys(dmm, folder, key_type, n, u, E, banks):
    """Returns the keys of `dmm worst`. If E > w, which has no worst input, takes that of a larger w."""
    path = folder / "worst.bin"
    w = max(banks, 1 << (E - 1).bit_length())
    subprocess.run([dmm, "worst", "-n", str(n), "-u", str(u), "-E", str(E), "-w", str(w),
                    "-t", key_type, "-o", str(path)],
                   check=True, stderr=subprocess.DEVNULL)
    return unpack(key_type, path.read_bytes())


def drawn_keys(kind, key_type, n):
    rng = random.Random(f"{kind} {key_type} {n}")
    _, least, most = TYPES[key_type]
    span = most - least
    if kind == "equal":
        return [least + span // 3] * n
    if kind == "few":
        return [least + span // 3 * rng.randrange(3) for _ in range(n)]
    if kind == "skewed":  # half of the keys lie in the first 256th of the range
        return [least + int(span * rng.random() ** 8) for _ in range(n)]
    keys = [least + rng.randrange(span + 1) for _ in range(n)]
    return {"random": keys, "sorted": sorted(keys), "reversed": sorted(keys, reverse=True)}[kind]


def make_keys(kind, dmm, folder, key_type, n, u, E, banks):
    if kind == "worst":
        return worst_keys(dmm, folder, key_type, n, u, E, banks)
    return drawn_keys(kind, key_type, n)


def numbered_values(n, value_bytes, first=0):
    """Returns n values, numbered from `first`, as little-endian bytes, modulo the range of value_bytes."""
    return b"".join((i % 256 ** min(value_bytes, 8)).to_bytes(value_bytes, "little")
                    for i in range(first, first + n))
