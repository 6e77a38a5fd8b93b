#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""agree.py VERDICTS [SEED [TIMES]]: strict readers of the text formats of dmm, written from their descriptions in --help,
against those of the command (verdicts.c): on mutants of good files, both must refuse, or read the same."""
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
]
PARTS = [b'\0', b'\n', b'\r\n', b'\r', b' ', b',', b';', b'\t', b'#', b'%', b'c', b'a', b'p sp ', b'-', b'+', b'.', b'e',
         b'e9', b'inf', b'nan', b'infinity', b'0', b'1', b'4294967295', b'18446744073709551615', b'18446744073709551616',
         b'1e400', b'3.5e38', b'-0', b'x', b':', b'\xff', b'\xef\xbb\xbf', b'0x1', b'general', b'symmetric', b'3 3 1\n']


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
