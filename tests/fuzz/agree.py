#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""agree.py VERDICTS [SEED [TIMES]]: strict readers of the file formats of dmm, written from their descriptions in --help and
headers, against those of the command and the library (verdicts.c): on mutants of good files, both must refuse, or read the same."""
import os
import random
import re
import struct
import subprocess
import sys

MASK = 2**64 - 1
MOST_VERTICES = 10**6  # larger ones take memory, not thought


class Refused(Exception):
    pass


def need(condition):
    if not condition:
        raise Refused


def lines_of(data):
    if data.startswith(b'\xef\xbb\xbf'):
        data = data[3:]
    need(b'\0' not in data)
    lines = data.split(b'\n')
    if lines[-1] == b'':
        lines.pop()
    return [line[:-1] if line.endswith(b'\r') else line for line in lines]


def tokens(line, gaps):
    return [t for t in re.split(b'[' + gaps + b']+', line) if t]


def whole(token, most=2**64 - 1):
    need(re.fullmatch(rb'\+?[0-9]+', token))
    need(int(token) <= most)
    return int(token)


def number(token):
    word = token.lower()
    if re.fullmatch(rb'[+-]?(inf|infinity|nan)', word):
        return float(word)
    need(re.fullmatch(rb'[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?', word))
    value = float(word)
    need(abs(value) != float('inf'))
    return value


def as_f32(value):
    try:
        return struct.pack('<f', value)
    except OverflowError:
        raise Refused


def weight_of(token):
    value = number(token)
    need(value >= 0)
    as_f32(value)
    return value


def finish_graph(edges, vertices):
    u32 = all(w < 2**32 - 1 and w == int(w) for _, _, w in edges)
    total = 0
    for source, target, weight in sorted(edges, key=lambda edge: edge[0]):
        bits = int(weight) if u32 else struct.unpack('<I', as_f32(weight))[0]
        total = ((total * 31 + source * 7 + target) * 31 + bits) & MASK
    return '%d %d %s %d' % (vertices, len(edges), 'u32' if u32 else 'f32', total)


GAPS = b' \t\r,'


def read_list(data):
    edges, vertices = [], 0
    for line in lines_of(data):
        if line.startswith(b'#') or not tokens(line, GAPS):
            continue
        t = tokens(line, GAPS)
        need(2 <= len(t) <= 3)
        source, target = whole(t[0], 2**31 - 2), whole(t[1], 2**31 - 2)
        edges.append((source, target, weight_of(t[2]) if len(t) == 3 else 1.0))
        vertices = max(vertices, source + 1, target + 1)
    return vertices, lambda: finish_graph(edges, vertices)


def read_entries(lines, first, vertices, declared, words, comment, is_pattern, is_symmetric):
    edges, entries = [], 0
    for line in lines:
        t = tokens(line, GAPS)
        if line.startswith(comment) or not t:
            continue
        if words:
            need(not line[:1].strip(GAPS) == b'' and t.pop(0).lower() == words)
        need(len(t) == (2 if is_pattern else 3))
        source, target = whole(t[0]) - first, whole(t[1]) - first
        need(0 <= source < vertices and 0 <= target < vertices)
        weight = 1.0 if is_pattern else weight_of(t[2])
        edges.append((source, target, weight))
        if is_symmetric and source != target:
            edges.append((target, source, weight))
        entries += 1
    need(entries == declared)
    return vertices, lambda: finish_graph(edges, vertices)


def heading(lines, comment):
    while lines:
        line = lines.pop(0)
        if not line.startswith(comment) and tokens(line, GAPS):
            return line
    raise Refused


def read_dimacs(data):
    lines = lines_of(data)
    line = heading(lines, b'c')
    t = tokens(line, GAPS)
    need(line[:1] not in (b' ', b'\t', b'\r', b',') and len(t) == 4)
    need(t[0].lower() == b'p' and t[1].lower() == b'sp')
    vertices = whole(t[2], 2**31 - 2)
    return read_entries(lines, 1, vertices, whole(t[3]), b'a', b'c', False, False)


def read_market(data):
    lines = lines_of(data)
    need(lines)
    banner = lines.pop(0)
    words = tokens(banner.lower(), GAPS)
    need(banner[:1] == b'%' and len(words) == 5 and words[0] == b'%%matrixmarket')
    need(words[1:3] == [b'matrix', b'coordinate'] and words[3] in (b'real', b'integer', b'pattern'))
    need(words[4] in (b'general', b'symmetric'))
    t = tokens(heading(lines, b'%'), GAPS)
    need(len(t) == 3)
    vertices = whole(t[0], 2**31 - 2)
    need(whole(t[1]) == vertices)
    return read_entries(lines, 1, vertices, whole(t[2]), None, b'%', words[3] == b'pattern',
                        words[4] == b'symmetric')


def read_network(data):
    lines = lines_of(data)
    need(lines and re.fullmatch(rb'wires [0-9]+', lines[0]))
    wires = int(lines[0][6:])
    need(1 <= wires < 2**32)
    total = 0
    for line in lines[1:]:
        pairs = tokens(line, b' \t\r')
        seen = set()
        for pair in pairs:
            need(re.fullmatch(rb'[0-9]+:[0-9]+', pair))
            low, high = (int(x) for x in pair.split(b':'))
            need(low < wires and high < wires and low != high and not seen & {low, high})
            seen |= {low, high}
            total = ((total * 31 + low) * 31 + high) & MASK
        if pairs:
            total = (total * 31 + 1) & MASK
    return wires, lambda: '%d %d' % (wires, total)


def point(line):
    match = re.fullmatch(rb'[ \t\r]*([^ \t\r,;]+)(?:[ \t\r]+|[ \t\r]*[,;][ \t\r]*)([^ \t\r,;]+)[ \t\r]*', line)
    need(match)
    return [number(match.group(1)), number(match.group(2))]


def read_points(data):
    points, is_first = [], True
    for line in lines_of(data):
        if not line.strip(b' \t\r'):
            continue
        try:
            points += point(line)
        except Refused:
            begin = line.lstrip(b' \t\r').lower()
            word = re.match(rb'[a-z]*', begin).group()
            is_number = re.match(rb'[+-]?(inf|nan|[0-9]|\.[0-9])', begin)
            need(is_first and (not is_number or word not in (b'', b'inf', b'infinity', b'nan')))
        is_first = False
    total = 0
    for value in points:
        total = (total * 31 + struct.unpack('<Q', struct.pack('<d', value))[0]) & MASK
    return 0, lambda: '%d %d' % (len(points), total)


def type_of(wholes):
    """The type of whole numbers; a text whose numbers do not fit one of 64 bits is refused, even if floats follow."""
    kind = 'u64' if any(value >= 2**63 for value in wholes) else 'i64'
    least, most = (0, 2**64 - 1) if kind == 'u64' else (-2**63, 2**63 - 1)
    need(all(least <= value <= most for value in wholes))
    return kind


def read_numbers(data):
    words = [line.strip(b' \t\r') for line in lines_of(data)]
    words = [word for word in words if word]
    wholes = []
    for word in words:
        if not re.fullmatch(rb'[+-]?[0-9]+', word):
            break
        wholes.append(int(word))
    kind = type_of(wholes)
    if len(wholes) == len(words):
        bits = [value & MASK for value in wholes]
    else:
        kind = 'f64'
        bits = [struct.unpack('<Q', struct.pack('<d', number(word)))[0] for word in words]
    total = 0
    for word in bits:
        total = (total * 31 + word) & MASK
    return 0, lambda: '%d %s %d' % (len(words), kind, total)


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


def shape_of(tokens_):
    sizes = []
    comma = tokens_.listed(rb'\(', b')', lambda: sizes.append(tokens_.take(rb'(0|[1-9][0-9]*)(?![0-9])L?')))
    need(len(sizes) == 1 and comma)
    size = int(sizes[0].rstrip(b'L'))
    need(size < 2**64)
    return size


def read_npy(data):
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
                        shape_of(t) if name == b'shape' else need(False))

    t.listed(rb'\{', b'}', field)
    need(not t.rest.strip(b' \t\n') and len(fields) == 3)
    descr, count = fields[b'descr'], fields[b'shape']
    match = re.fullmatch(rb'([<>|=]?)([biufcSaUVMm])([1-9][0-9]*)([\[\]<>|=0-9a-zA-Z]*)', descr)
    need(match and len(descr) < 40)
    order, kind, size, unit = match.groups()
    need(not unit or kind in b'Mm')
    size = int(size) * (4 if kind == b'U' else 1)
    need(size <= 256 and len(data) - end == count * size)
    name = kind.decode() + str(8 * size)
    return 0, lambda: '%s %s %d %d %d %d' % (descr.decode(), name if name in TYPES else 'item', size, order == b'>', count, end)


def seal_npy(data):
    """Gives a header its length, and the file as many bytes as it seems to say."""
    at = 10 if data[6:7] == b'\x01' else 12
    end = data.rfind(b'}') + 1
    if not at < end < at + 2**16:
        return data
    size, count = re.search(rb'[a-zA-Z]0*([0-9]{1,3})[^0-9]', data[at:end]), re.search(rb'\( *0*([0-9]{1,3})[^0-9]', data[at:end])
    items = bytes(int(size.group(1)) * int(count.group(1)) if size and count else 0)
    return data[:8] + (end - at).to_bytes(at - 8, 'little') + data[at:end] + items


def fnv(units):
    total = 0xcbf29ce484222325
    for unit in units:
        total = (total ^ unit) * 0x100000001b3 & MASK
    return total


def read_index(data):
    need(len(data) >= 64 and data[:8] == b'\x89DMMIDX\n')
    version, kind, number, size, block, descending, count, total, keys_sum, header_sum = struct.unpack('<6I4Q', data[8:64])
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
    facts = {b'banks': 32, b'bank_bytes': 4, b'lanes': 32, b'local_bytes': 65536, b'max_group': 1024, b'launch_items': 0}
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


def npy_of(header, items, version=1):
    return b'\x93NUMPY' + bytes([version, 0]) + len(header).to_bytes(2 if version == 1 else 4, 'little') + header + items


def index_of(kind, block, keys):
    data = b'\x89DMMIDX\n' + struct.pack('<6I4Q', 1, kind, 3, 2, block, 0, len(keys), 2 * len(keys), 0, 0)
    return seal_index(data + struct.pack('<%dH' % len(keys), *keys))


def plan_of(n, tile, banks, columns, moves):
    return seal_plan(b'dmmplan1' + struct.pack('<QQ4I', 0, n, tile, banks, tile // columns, columns) +
                     struct.pack('<%dI' % len(moves), *moves))


TUNING = (b'dmm tuning 1\n# by hand\ndevice card 1\ndriver 3.1\nfact banks=16 lanes=64\nform cpu\n'
          b'tune sort.merge 8 u=128 E=16 lanes=64\ntune scan * form=cpu tile=4096 # more\n'
          b'vendor maker\ntune sort 8 from=never digit=9 search=plain\nany\ntune hull 4\n')
SEEDS = [
    ('list', 'txt', read_list, b'# from to weight\n0 1 2\n1,2,2.5\n\n0 2\n3 3 inf\n'),
    ('list', 'txt', read_list, b'\xef\xbb\xbf0 1 4294967294\r\n5\t2 1e3\r\n'),
    ('graph', 'gr', read_dimacs, b'c roads\np sp 4 5\na 1 2 5\na 1 3 9\na 2 3 3\na 3 1 1\na 2 2 0\n'),
    ('graph', 'mtx', read_market, b'%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 3\n2 1 0.5\n3 2 0.25\n3 3 7\n'),
    ('graph', 'mtx', read_market, b'%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n'),
    ('network', 'txt', read_network, b'wires 4\n0:1 2:3\n0:2 1:3\n1:2\n'),
    ('points', 'csv', read_points, b'x,y\n0,0\n1.5;2e3\n-3 4\n'),
    ('numbers', 'txt', read_numbers, b'3\n-1\n\n 2\r\n18446744073\n'),
    ('numbers', 'csv', read_numbers, b'\xef\xbb\xbf0.5\n-1e3\ninf\n+7'),
    ('points', 'txt', read_points, b'0,0\n1,0\r\n inf nan\n0.1\t0.2\n'),
    ('npy', 'npy', read_npy, npy_of(b"{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }   \n", bytes(12))),
    ('npy', 'npy', read_npy, npy_of(b'{"shape": (2L,), "descr": ">M8[ns]", "fortran_order": True}\n', bytes(16), 2)),
    ('npy', 'npy', read_npy, npy_of(b"{'descr': '|V5', 'fortran_order': False, 'shape': (10,)}", bytes(50), 3)),
    ('index', 'index', read_index, index_of(2, 5, range(7))),
    ('index', 'index', read_index, index_of(4, 1, range(3))),
    ('plan', 'plan', read_plan, plan_of(4, 4, 0, 1, [0 << 16 | 1, 1 << 16 | 0, 3 << 16 | 2, 2 << 16 | 3])),
    ('plan', 'plan', read_plan, plan_of(7, 4, 2, 2, [i % 4 << 16 | (i + 1) % 4 for i in range(24)])),
    ('tuning', 'txt', read_tuning, TUNING),
    ('tuning', 'txt', read_tuning, TUNING.replace(b'\n', b'\r\n').replace(b' ', b'\t')),
]
SEALS = {'npy': seal_npy, 'index': seal_index, 'plan': seal_plan}
PARTS = [b'\0', b'\n', b'\r\n', b'\r', b' ', b',', b';', b'\t', b'#', b'%', b'c', b'a', b'p sp ', b'-', b'+', b'.', b'e',
         b'e9', b'inf', b'nan', b'infinity', b'0', b'1', b'4294967295', b'18446744073709551615', b'18446744073709551616',
         b'1e400', b'3.5e38', b'-0', b'x', b':', b'\xff', b'\xef\xbb\xbf', b'0x1', b'general', b'symmetric', b'3 3 1\n',
         b'\0\0\0', b'=', b'=8', b'*', b'\'', b'"', b'(', b',)', b'L', b'[', b'True', b'<', b'u2', b'00', b'10', b'\n\n', b'any\n']


def mutate(rng, data):
    for _ in range(rng.choice([1, 1, 1, 2, 3, 6])):
        at, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        way = rng.randrange(5)
        if way == 0:
            data = data[:at] + rng.choice(PARTS) + data[at:]
        elif way == 1:
            data = data[:at] + rng.choice(PARTS) + data[at + 1:]
        elif way == 2:
            data = data[:at] + data[min(end, at + 8):]
        elif way == 3:
            data = data[:end] + data[at:]
        else:
            data = data[:at]
    return data


def main():
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    times = int(sys.argv[3]) if len(sys.argv) > 3 else 500
    rng = random.Random(seed)
    print('seed', seed, flush=True)
    verdicts = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    cases = read = 0
    for kind, suffix, reader, good in SEEDS:
        for i in range(times):
            data = mutate(rng, good) if i else good
            if kind in SEALS and i % 4:  # three of four with sizes and checksums that are right
                data = SEALS[kind](data)
            try:
                size, finish = reader(data)
                expected = finish() if size <= MOST_VERTICES else None
            except Refused:
                expected = 'refused'
            if expected is None:
                continue
            path = 'agree.' + suffix
            with open(path, 'wb') as file:
                file.write(data)
            verdicts.stdin.write('%s %s\n' % (kind, path))
            verdicts.stdin.flush()
            got = verdicts.stdout.readline().strip()
            cases += 1
            read += expected != 'refused'
            if got != expected:
                print('%s %r: dmm says %r, the strict reader %r' % (suffix, data, got, expected))
                return 1
            os.remove(path)
    print('%d cases, %d of them read, by both alike' % (cases, read))
    return 0


sys.exit(main())
