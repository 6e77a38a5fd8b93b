# SPDX-License-Identifier: MIT
"""Strict readers of graphs, networks, points and numbers, for agree.py. A reader returns a size and a function that
returns what is in the file; it raises Refused."""
import re
import struct

MASK = 2**64 - 1


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


def fields_of(data, at):
    """Reads the fields of the row at `at`; returns them and where the next row begins."""
    fields = []
    while True:
        if data[at:at + 1] == b'"':
            match = re.compile(rb'"((?:[^"]|"")*)"', re.S).match(data, at)
        else:
            match = re.compile(rb'((?:(?!\r\n|\r\Z)[^,\n"])*)', re.S).match(data, at)
        need(match)
        fields.append(match.group(1))
        at = match.end()
        end = re.compile(rb'\r?\n|\r?\Z').match(data, at)
        if end:
            return fields, end.end()
        need(data[at:at + 1] == b',')
        at += 1


def column(words):
    """The type of a column's numbers, and their bits."""
    wholes = [int(word) for word in words if re.fullmatch(rb'[+-]?[0-9]+', word)]
    need(all(-2**63 <= value < 2**64 for value in wholes))
    if len(wholes) < len(words):
        return 'f64', [struct.unpack('<Q', struct.pack('<d', number(word)))[0] for word in words]
    return type_of(wholes), [value & MASK for value in wholes]


def read_csv(data, names=None):
    """Reads the first two columns of a table; with names those of its heading, each of which one column has."""
    at = 3 if data.startswith(b'\xef\xbb\xbf') else 0
    need(b'\0' not in data and at < len(data))
    rows, starts, chosen, width = [], [], [0, 1], None
    if names:
        head, at = fields_of(data, at)
        head, width = [field.replace(b'""', b'"') for field in head], len(head)
        need(all(head.count(name) == 1 for name in names))
        chosen = [head.index(name) for name in names]
    while at < len(data):
        starts.append(at)
        fields, at = fields_of(data, at)
        rows.append(fields)
    width = width if names else len(rows[0])
    need(width >= 2 and all(len(fields) == width for fields in rows))
    columns = [column([fields[i].strip(b' \t') for fields in rows]) for i in chosen]
    hashes = []
    for words in [bits for _, bits in columns] + [starts]:
        total = 0
        for word in words:
            total = (total * 31 + word) & MASK
        hashes.append(total)
    return 0, lambda: '%d %s %d %s %d %d' % (len(rows), columns[0][0], hashes[0], columns[1][0], hashes[1], hashes[2])


def read_named(data):
    return read_csv(data, [b'price', b'a b'])


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
