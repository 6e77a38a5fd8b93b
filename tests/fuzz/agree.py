#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""agree.py VERDICTS [SEED [TIMES]]: strict readers of the file formats of dmm, written from their descriptions in
--help and headers, against those of the command and the library (verdicts.c): on mutants of good files, both must refuse, or
read the same."""
import os
import random
import struct
import subprocess
import sys

sys.dont_write_bytecode = True  # the readers are in the source tree

from strict_files import read_index, read_npy, read_plan, read_rows, read_tuning, seal_index, seal_npy, seal_plan
from strict_readings import read_readings
from strict_state import read_state, seal_state, state_of
from strict_texts import Refused, read_csv, read_dimacs, read_list, read_market, read_named, read_network, read_numbers, read_points

MOST_VERTICES = 10**6  # larger ones take memory, not thought


def npy_of(header, items, version=1):
    length = len(header).to_bytes(2 if version == 1 else 4, 'little')
    return b'\x93NUMPY' + bytes([version, 0]) + length + header + items


def index_of(kind, block, keys):
    data = b'\x89DMMIDX\n' + struct.pack('<6I4Q', 1, kind, 3, 2, block, 0, len(keys), 2 * len(keys), 0, 0)
    return seal_index(data + struct.pack('<%dH' % len(keys), *keys))


def plan_of(n, tile, banks, columns, moves):
    return seal_plan(b'dmmplan1' + struct.pack('<QQ4I', 0, n, tile, banks, tile // columns, columns) +
                     struct.pack('<%dI' % len(moves), *moves))


TUNING = (b'dmm tuning 1\n# by hand\ndevice card 1\ndriver 3.1\nfact banks=16 lanes=64\nform cpu\n'
          b'tune sort.merge 8 u=128 E=16 lanes=64\ntune scan * form=cpu tile=4096 # more\n'
          b'vendor maker\ntune sort 8 from=never digit=9 search=plain\nany\ntune hull 4\n')
READINGS = (b'{"dmm_meter": 1, "program": ["a", "\xff\\"\\u00e9"], "exit_status": 0,\n "machine": {"banks": 32, "lanes": 32, '
            b'"word_bytes": 4, "segment_bytes": 32, "erew": false},\n "kernels": [{"name": "f", "launches": 2, "lines": ['
            b'{"file": "a.cl", "line": 7, "calls": "", "space": "local", "kind": "read", "steps": 4, "passes": 9, "needed": 4, '
            b'"conflicts": 5, "worst": 3, "text": "a[i]\\u001b \\ud83d\\ude00\\t"}, {"space": "global", "kind": "atomic", '
            b'"steps": 18446744073709551615, "x": [1.5e3, null, {}]}]}, {"name": "g"}]}')
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
    ('npy', 'npy', read_npy, npy_of(b"{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", bytes(3))),
    ('rows', 'npy', read_rows, npy_of(b"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }", bytes(24))),
    ('rows', 'npy', read_rows, npy_of(b"{'descr': '>m8[s]', 'fortran_order': True, 'shape': (1, 4)}", bytes(32))),
    ('csv', 'csv', read_csv, b'3,1,x\n-2,"7","a, ""b\n"""\n 5 ,0,\n'),
    ('csv', 'csv', read_csv, b'\xef\xbb\xbf1,0.5\r\n"2",-1e3\r\n3,inf'),
    ('csv', 'csv', read_csv, b'"1",2\n3,"4"\n"5","6"\n7,8\n-9,"10"\n'),
    ('named', 'csv', read_named, b'id,price,a b\nx,3,1\n"y ""z""",-2,7\n,+1,0.5\n'),
    ('named', 'csv', read_named, b'\xef\xbb\xbf"a b","price","q""q"\r\n1,2,3\r\n'),
    ('index', 'index', read_index, index_of(2, 5, range(7))),
    ('index', 'index', read_index, index_of(4, 1, range(3))),
    ('plan', 'plan', read_plan, plan_of(4, 4, 0, 1, [0 << 16 | 1, 1 << 16 | 0, 3 << 16 | 2, 2 << 16 | 3])),
    ('plan', 'plan', read_plan, plan_of(7, 4, 2, 2, [i % 4 << 16 | (i + 1) % 4 for i in range(24)])),
    ('state', 'state', read_state, state_of([(10, 0, 100), (20, 117, 137), (30, 300, 64), (1000000, 3000, 1096)])),
    ('state', 'state', read_state, state_of([(1, 0, 1), (2, 1, 7), (3, 2**63, 0)])),
    ('readings', 'json', read_readings, READINGS),
    ('readings', 'html', read_readings, b'<p>' + READINGS.replace(b'<', b'\\u003c') + b'</script>'),
    ('tuning', 'txt', read_tuning, TUNING),
    ('tuning', 'txt', read_tuning, TUNING.replace(b'\n', b'\r\n').replace(b' ', b'\t')),
]
SEALS = {'npy': seal_npy, 'rows': seal_npy, 'index': seal_index, 'plan': seal_plan, 'state': seal_state}
PARTS = [b'\0', b'\n', b'\r\n', b'\r', b' ', b',', b';', b'\t', b'#', b'%', b'c', b'a', b'p sp ', b'-', b'+', b'.', b'e',
         b'e9', b'inf', b'nan', b'infinity', b'0', b'1', b'4294967295', b'18446744073709551615', b'18446744073709551616',
         b'1e400', b'3.5e38', b'-0', b'x', b':', b'\xff', b'\xef\xbb\xbf', b'0x1', b'general', b'symmetric', b'3 3 1\n',
         b'\0\0\0', b'=', b'=8', b'*', b'\'', b'"', b'(', b',)', b'L', b'[', b'True', b'<', b'u2', b'00',
         b'{', b'}', b']', b'\\u0000', b'\\ud83d', b'\\', b'\x7f', b'"line": ', b'10', b'\n\n', b'any\n', b'price', b',price', b'a b', b'""']


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
