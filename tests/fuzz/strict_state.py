# SPDX-License-Identifier: MIT
"""A strict reader of the state file of a resumable job, beside a scratch file of known bytes, and what gives such files
the right checksums, for agree.py."""
import re
import struct

from strict_texts import MASK

JOB = b'a job\nof two lines\n'
SCRATCH = bytes((i * 7 + i // 251 + 1) % 256 for i in range(4096))
LINE = re.compile(rb'part (0|[1-9][0-9]*) (0|[1-9][0-9]*) (0|[1-9][0-9]*)' + 4 * rb' ([0-9a-f]{16})' + rb'\n')


def chain(words, word):
    x = ((words ^ word) * 0x9E3779B97F4A7C15 + 1) & MASK
    return x ^ x >> 32


def checksum(data):
    words, whole = 0, len(data) // 8 * 8
    for word in struct.unpack('<%dQ' % (whole // 8), data[:whole]):
        words = chain(words, word)
    return chain(chain(words, int.from_bytes(data[whole:], 'little')), len(data))


def read_state(data):
    """Returns what is resumed: items, their fingerprint, and the bytes of both files that are kept."""
    items = end = 0
    fingerprint = (0, 0)
    believed = JOB if data.startswith(JOB) else b''
    while believed:
        match = LINE.match(data, len(believed))
        if not match:
            break
        count, at, size = (int(number) for number in match.groups()[:3])
        value, a, b, seal = (int(number, 16) for number in match.groups()[3:])
        if max(count, at, size) > MASK or seal != checksum(believed + match.group()[:-18]):
            break
        if at < end or count <= items or size == 0 or at + size > len(SCRATCH):
            break
        if checksum(SCRATCH[at:at + size]) != value:
            break
        items, fingerprint, end = count, (a, b), at + size
        believed += match.group()
    found = '%d %d %d %d %d' % (items, fingerprint[0], fingerprint[1], len(believed) or len(JOB), end)
    return 0, lambda: found


def state_of(parts):
    """Returns a state of parts: items, position, bytes."""
    return seal_state(JOB + b''.join(b'part %d %d %d %016x %016x %016x %016x\n' % (*part, 0, part[0] * 3, part[1] + 5, 0)
                                     for part in parts))


def seal_state(data):
    """Gives each line that has all its numbers the checksums of its part and of the file up to itself."""
    sealed = b''
    for line in data.splitlines(keepends=True):
        words = line.split(b' ')
        are_numbers = all(word.isdigit() and len(word) < 25 for word in words[1:4])
        if len(words) == 8 and words[0] == b'part' and are_numbers:
            at, size = int(words[2]), int(words[3])
            words[4] = b'%016x' % checksum(SCRATCH[at:at + size])
            words = words[:7]
            line = b' '.join(words)
            line += b' %016x\n' % checksum(sealed + line)
        sealed += line
    return sealed
