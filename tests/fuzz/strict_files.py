# SPDX-License-Identifier: MIT
"""Strict readers of .npy, index, plan and tuning files, and what gives such files the right sizes and checksums, for
agree.py."""
import re
import struct

from strict_texts import MASK, Refused, need, tokens


TYPES = {'u32': 4, 'u8': 1, 'i8': 1, 'u16': 2, 'i16': 2, 'i32': 4, 'u64': 8, 'i64': 8, 'f16': 2, 'f32': 4, 'f64': 8}
TYPE_OF = list(TYPES)  # by the numbers of dmm/types.h


class Tokens:
    """Tokens of the dictionary of an .npy header."""

    def __init__(self, text):
        self.rest = text

    def take(self, pattern):
        self.rest = self.rest.lstrip(b' \t\n')
        match = re.match(pattern, self.rest)
        need(match)
        self.rest = self.rest[match.end():]
        return match.group()

    def has(self, symbol):
        self.rest = self.rest.lstrip(b' \t\n')
        return self.rest.startswith(symbol)

    def string(self):
        return self.take(rb"""'[^'\\\0]*'|"[^"\\\0]*\"""")[1:-1]

    def listed(self, begin, end, item):
        """Reads items and commas; returns whether a comma was last."""
        comma = True
        self.take(begin)
        while not self.has(end):
            need(comma)
            item()
            comma = self.has(b',')
            if comma:
                self.take(b',')
        self.rest = self.rest[1:]
        return comma


def shape_of(tokens_, dimensions):
    sizes = []
    comma = tokens_.listed(rb'\(', b')', lambda: sizes.append(tokens_.take(rb'(0|[1-9][0-9]*)(?![0-9])L?')))
    need(len(sizes) == dimensions and (comma or dimensions > 1))
    numbers = [int(size.rstrip(b'L')) for size in sizes]
    need(all(number < 2**64 for number in numbers))
    return numbers


def read_header(data, dimensions):
    """Reads a header; returns the fields, the kind's letter, an item's bytes, and where the items begin."""
    need(data[:6] == b'\x93NUMPY' and len(data) > 8 and data[6] in (1, 2, 3) and data[7] == 0)
    begin = 10 if data[6] == 1 else 12
    need(len(data) >= begin)
    end = begin + int.from_bytes(data[8:begin], 'little')
    need(end <= len(data))
    t, fields = Tokens(data[begin:end]), {}

    def field():
        name = t.string()
        t.take(b':')
        need(name not in fields)
        fields[name] = (t.string() if name == b'descr' else t.take(b'True|False') if name == b'fortran_order' else
                        shape_of(t, dimensions) if name == b'shape' else need(False))

    t.listed(rb'\{', b'}', field)
    need(not t.rest.strip(b' \t\n') and len(fields) == 3)
    descr = fields[b'descr']
    match = re.fullmatch(rb'([<>|=]?)([biufcSaUVMm])([1-9][0-9]*)([\[\]<>|=0-9a-zA-Z]*)', descr)
    need(match and len(descr) < 40)
    order, kind, size, unit = match.groups()
    need(not unit or kind in b'Mm')
    size = int(size) * (4 if kind == b'U' else 1)
    need(size <= 256)
    name = kind.decode() + str(8 * size)
    name = {'b8': 'u8', 'M64': 'i64', 'm64': 'i64'}.get(name, name)
    return fields, descr, name if name in TYPES else 'item', size, order, end


def read_npy(data):
    fields, descr, name, size, order, end = read_header(data, 1)
    count, = fields[b'shape']
    need(len(data) - end == count * size)
    return 0, lambda: '%s %s %d %d %d %d' % (descr.decode(), name, size, order == b'>', count, end)


def read_rows(data):
    fields, descr, name, size, order, end = read_header(data, 2)
    rows, columns = fields[b'shape']
    need(columns > 0 and name != 'item' and rows * columns < 2**64)
    need(fields[b'fortran_order'] == b'False' or rows < 2)
    need(len(data) - end == rows * columns * size)
    text = descr.decode().lstrip('<>|=')
    kept = ('|' if size == 1 else '<') + text if text[0] in 'bMm' else '-'
    return 0, lambda: '%s %s %d %d' % (name, kept, rows * columns, columns)


def seal_npy(data):
    """Gives a header its length, and the file as many bytes as it seems to say."""
    at = 10 if data[6:7] == b'\x01' else 12
    end = data.rfind(b'}') + 1
    if not at < end < at + 2**16:
        return data
    size = re.search(rb'[a-zA-Z]0*([0-9]{1,3})[^0-9]', data[at:end])
    count = re.search(rb'\( *0*([0-9]{1,3})[^0-9]( *([0-9]{1,3})\))?', data[at:end])
    items = bytes(int(size.group(1)) * int(count.group(1)) * int(count.group(3) or 1) if size and count else 0)
    return data[:8] + (end - at).to_bytes(at - 8, 'little') + data[at:end] + items


def fnv(units):
    total = 0xcbf29ce484222325
    for unit in units:
        total = (total ^ unit) * 0x100000001b3 & MASK
    return total


def read_index(data):
    need(len(data) >= 64 and data[:8] == b'\x89DMMIDX\n')
    version, kind, number, size, block, descending = struct.unpack('<6I', data[8:32])
    count, total, keys_sum, header_sum = struct.unpack('<4Q', data[32:64])
    need(version == 1 and header_sum == fnv(data[:56]) and keys_sum == fnv(data[64:]))
    need(kind <= 4 and number < len(TYPE_OF) and descending <= 1)
    need(1 <= block <= 65535 and (block == 1 or kind == 2))
    need(size == TYPES[TYPE_OF[number]] and total == count * size == len(data) - 64)
    return 0, lambda: '%d %d %s %d %d' % (kind, block, TYPE_OF[number], descending, count)


def seal_index(data):
    if len(data) >= 64:
        data = data[:48] + struct.pack('<Q', fnv(data[64:])) + data[56:]
        data = data[:56] + struct.pack('<Q', fnv(data[:56])) + data[64:]
    return data


def words_of(data):
    return struct.unpack('<%dI' % (len(data) // 4), data)


def is_power(value):
    return value > 0 and value & (value - 1) == 0


def read_plan(data):
    need(len(data) >= 40 and data[:8] == b'dmmplan1')
    checksum, n, tile, banks, u, columns = struct.unpack('<QQ4I', data[8:40])
    need(n <= 2**31 and is_power(tile) and tile <= 2**15)
    need(banks == 0 or (is_power(banks) and banks <= tile and u * columns == tile))
    padded, steps, moves = tile if n else 0, 0, 0
    while padded < n:
        padded *= 2
    length = padded
    while n:  # a level: moves, a transposition, the next level, a transposition, moves
        steps, moves = steps + 4, moves + 2
        if length <= tile:
            steps, moves = steps - 3, moves - 1
            break
        length //= tile
        need(steps <= 64)
    need(steps <= 64)
    need(len(data) == 40 + 4 * padded * moves)
    need(checksum == fnv(words_of(data[:8] + bytes(8) + data[16:])))
    places = list(range(tile))
    for at in range(40, len(data), 4 * tile):
        move = words_of(data[at:at + 4 * tile])
        need(sorted(x & 0xffff for x in move) == places and sorted(x >> 16 for x in move) == places)
    return 0, lambda: '%d %d %d %d %d %d %d' % (n, tile, banks, u, columns, padded, moves)


def seal_plan(data):
    if len(data) >= 40 and len(data) % 4 == 0:
        data = data[:8] + struct.pack('<Q', fnv(words_of(data[:8] + bytes(8) + data[16:]))) + data[16:]
    return data


WORDS = {b'sort', b'sort.merge', b'scan', b'permute', b'merge', b'hull'}
RANGES = {b'u': (4, 1024, True), b'E': (1, 32, False), b'tile': (64, 2**24, True), b'banks': (4, 128, True),
          b'bank_bytes': (4, 8, True), b'lanes': (1, 1024, True), b'local_bytes': (1024, 2**30, False),
          b'max_group': (1, 2**16, False), b'launch_items': (1024, 2**32 - 1, False)}
FORMS = {b'gpu': 1, b'cpu': 2}
SEARCHES = {b'cf': 1, b'plain': 2}


def in_range(name, text):
    least, most, power = RANGES[name]
    need(re.fullmatch(rb'[0-9]+', text))
    need(least <= int(text) <= most and (not power or is_power(int(text))))
    return int(text)


def limit_of(text):
    """The number of a row's bytes, from and lanes: 1 to 18 digits, not 0."""
    need(re.fullmatch(rb'[0-9]{1,18}', text) and int(text))
    return int(text)


def choice(words, text):
    need(text in words)
    return words[text]


def take_row(words, facts, section):
    """The row of a line `tune`; refused if it is wrong, or for other devices."""
    need(len(words) >= 2 and words[0] in WORDS)
    size = 2**32 - 1 if words[1] == b'*' else limit_of(words[1])
    need(size <= 2**20 or words[1] == b'*')
    row = {b'form': 1, b'u': 0, b'E': 0, b'tile': 0, b'search': 0, b'digit': 0, b'from': 0}
    for word in words[2:]:
        need(b'=' in word)
        name, given = word.split(b'=', 1)
        if name == b'lanes':
            need(limit_of(given) == facts[b'lanes'])
        elif name == b'from':
            row[name] = 2**64 - 1 if given == b'never' else limit_of(given)
        elif name == b'digit':
            row[name] = limit_of(given)
            need(8 <= row[name] <= 12)
        elif name in (b'form', b'search'):
            row[name] = choice(FORMS if name == b'form' else SEARCHES, given)
        elif name in (b'u', b'E', b'tile'):
            row[name] = in_range(name, given)
    return '%s/%d/%d/' % (words[0].decode(), size, section) + '/'.join(str(value) for value in row.values())


def take_fact(word, facts):
    need(b'=' in word)
    name, given = word.split(b'=', 1)
    need(name in RANGES and name in facts)
    value, group, local = in_range(name, given), 1024, 65536
    if name == b'banks':
        need(value <= facts[b'max_group'] and value * 512 <= facts[b'local_bytes'])
    elif name == b'max_group':
        need(facts[b'banks'] <= value <= facts[name])
    elif name == b'local_bytes':
        need(max(32768, facts[b'banks'] * 512) <= value <= facts[name])
    facts[name] = value


def read_tuning(data):
    facts = {b'banks': 32, b'bank_bytes': 4, b'lanes': 32, b'local_bytes': 65536, b'max_group': 1024,
             b'launch_items': 0}
    rows, form, section = [], 0, 0
    for i, line in enumerate(data.split(b'\0')[0].split(b'\n')):
        line = re.sub(rb'(^|(?<=[ \t]))#.*', b'', line, flags=re.S).rstrip(b' \t\r')
        line = bytes(c if c >= 32 or c in b'\t\r' else ord('?') for c in line)
        if i == 0:
            if line != b'dmm tuning 1':
                break
            continue
        words = tokens(line, b' \t')
        rest = re.sub(rb'^[ \t]*[^ \t]*[ \t]*', b'', line)
        if not words:
            continue
        try:
            if words[0] in (b'device', b'vendor', b'any'):
                section = (3 * (rest == b'card 1') if words[0] == b'device' else
                           2 * (rest != b'' and rest in b'the maker') if words[0] == b'vendor' else 1)
            elif section and words[0] == b'tune':
                rows.append(take_row(words[1:], facts, section))
            elif section and words[0] == b'form':
                form = choice(FORMS, rest)
            elif section and words[0] == b'fact':
                for word in words[1:]:
                    try:
                        take_fact(word, facts)
                    except Refused:
                        pass
        except Refused:
            pass
    order = (b'banks', b'bank_bytes', b'lanes', b'local_bytes', b'max_group')
    return 0, lambda: ' '.join([str(form)] + [str(facts[name]) for name in order] + rows)
