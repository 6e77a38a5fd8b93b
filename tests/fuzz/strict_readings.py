# SPDX-License-Identifier: MIT
"""A strict reader of readings of the meter, as --json and --html write them, for agree.py."""
import re

from strict_texts import MASK, need

FIRST = b'{"dmm_meter"'
MOST_DEPTH = 64
KINDS = {b'read': 0, b'write': 1, b'atomic': 2}
ESCAPES = {b'"': b'"', b'\\': b'\\', b'/': b'/'}  # the others are control characters, which become spaces


def decoded(match):
    escape = match.group()[1:]
    if escape[:1] != b'u':
        return ESCAPES.get(escape, b' ')
    units = [int(unit, 16) for unit in escape[1:].split(b'\\u')]
    if len(units) == 2:
        return chr(0x10000 + (units[0] - 0xd800) * 0x400 + units[1] - 0xdc00).encode()
    need(not 0xd800 <= units[0] < 0xe000)
    return b' ' if units[0] < 0x20 or units[0] == 0x7f else chr(units[0]).encode()


class Json:
    """Values: a list of pairs for an object, a list in a tuple for an array, bytes for a text, int for a whole number."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, pattern):
        match = re.compile(rb'[ \t\r\n]*(' + pattern + rb')').match(self.data, self.at)
        if match:
            self.at = match.end()
        return match

    def text(self):
        match = self.take(rb'"((?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"')
        need(match)
        pair = rb'\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}'
        return re.sub(pair + rb'|\\u....|\\.', decoded, match.group(2))

    def listed(self, end, depth, item):
        need(depth < MOST_DEPTH)
        items = []
        while not self.take(end):
            need(not items or self.take(b','))
            items.append(item())
        return items

    def member(self, depth):
        key = self.text()
        need(self.take(b':'))
        return key, self.value(depth)

    def value(self, depth=0):
        if self.take(b'{'):
            return self.listed(b'}', depth, lambda: self.member(depth + 1))
        if self.take(rb'\['):
            return (self.listed(rb'\]', depth, lambda: self.value(depth + 1)),)
        if self.take(rb'(?=")'):
            return self.text()
        if self.take(rb'true|false|null'):
            return None
        match = self.take(rb'-?(?:0|[1-9][0-9]*)(?![0-9])(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?')
        need(match)
        return int(match.group(1)) if match.group(1).isdigit() else None


def whole(value, most=MASK):
    need(isinstance(value, int) and value <= most)
    return value


def texted(value):
    need(isinstance(value, bytes))
    return value


def tallied(value):
    """Returns a sum of tallies, 64 bits each but for the highest cost."""
    return [sum(column) & MASK for column in list(zip(*value))[:4]] + [max(row[4] for row in value)] if value else [0] * 5


def read_line(members):
    need(isinstance(members, list))
    line = {b'kind': 0, b'space': 0, b'line': 0, b'file': b'', b'calls': b'', b'text': b'', b'worst': 0, b'steps': 0,
            b'passes': 0, b'needed': 0, b'conflicts': 0}
    for key, value in members:
        if key in (b'file', b'calls', b'text'):
            line[key] = texted(value)
        elif key == b'space':
            line[key] = int(texted(value) == b'local')
        elif key == b'kind':
            need(texted(value) in KINDS)
            line[key] = KINDS[value]
        elif key in line:
            line[key] = whole(value, 2**32 - 1 if key == b'worst' else MASK)
    return line


def read_kernel(members):
    need(isinstance(members, list))
    name, launches, lines = b'', 0, []
    for key, value in members:
        if key == b'name':
            name = texted(value)
        elif key == b'launches':
            launches = whole(value)
        elif key == b'lines':
            need(isinstance(value, tuple))
            lines += [read_line(line) for line in value[0]]
    return name, launches, lines


def read_readings(data):
    need(b'\0' not in data)
    first = data.find(FIRST)
    need(first >= 0)
    json = Json(data[first:])
    version, kernels, machine = 0, [], {b'banks': 0, b'lanes': 0, b'word_bytes': 0, b'segment_bytes': 0}
    for key, value in json.value():
        if key == b'dmm_meter':
            version = whole(value)
        elif key == b'machine':
            need(isinstance(value, list))
            machine.update((fact, whole(number, 2**32 - 1)) for fact, number in value if fact in machine)
        elif key == b'kernels':
            need(isinstance(value, tuple))
            kernels += [read_kernel(kernel) for kernel in value[0]]
    need(version == 1)

    def finish():
        words = []
        for name, launches, lines in kernels:
            words += list(name) + [launches]
            for space in 1, 0:
                words += tallied([[line[word] for word in (b'steps', b'passes', b'needed', b'conflicts', b'worst')]
                                  for line in lines if line[b'space'] == space])
            for line in lines:
                words += [line[b'space'], line[b'kind'], line[b'line']]
                words += list(line[b'file'] + line[b'calls'] + line[b'text'])
        total = 0
        for word in words:
            total = (total * 31 + word) & MASK
        return '%s %d %d %d' % (' '.join(map(str, machine.values())), json.at, len(kernels), total)

    return 0, finish
