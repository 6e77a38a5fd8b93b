#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""coverage.py BUILD [FILE...]: what the tests have run, of a build of the preset `coverage`, by gcov: for each source file of
include and host its lines, those that ran, and their share; for each FILE (a part of a name) the lines that never ran.
coverage.py BUILD --page FOLDER...: the rows of docs/records/coverage.md, of the files of these folders."""
import collections
import gzip
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AT_ONCE = 50


def counters(build):
    """Yields the names of the files of counters that the tests have written."""
    for folder, _, names in os.walk(os.path.join(build, 'host')):
        yield from (os.path.join(folder, name) for name in names if name.endswith('.gcda'))


def runs_of(build):
    """Returns how often each line of each file ran, over all objects that have it."""
    runs = collections.defaultdict(lambda: collections.defaultdict(int))
    files = sorted(os.path.abspath(name) for name in counters(build))
    for at in range(0, len(files), AT_ONCE):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(['gcov', '--json-format', '--preserve-paths'] + files[at:at + AT_ONCE], cwd=folder,
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for name in os.listdir(folder):
                with gzip.open(os.path.join(folder, name)) as text:
                    report = json.load(text)
                for source in report['files']:
                    path = os.path.relpath(os.path.join(report['current_working_directory'], source['file']), ROOT)
                    for line in source['lines'] if path.startswith(('host/', 'include/')) else []:
                        runs[path][line['line_number']] += line['count']
    return runs


def ranges(numbers):
    """Returns sorted numbers as text: 3-5 9."""
    spans = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ' '.join('%d-%d' % (a, b) if a != b else str(a) for a, b in spans)


def page(runs, folders):
    """Prints a row for each file of the folders."""
    for path in sorted(path for path in runs if path.startswith(tuple(folders))):
        counts = runs[path]
        never = sorted(line for line in counts if counts[line] == 0)
        print('| `%s` | %d | %.1f %% | %s |' % (path, len(counts), 100 - 100 * len(never) / len(counts), ranges(never)))


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    runs, lines, ran = runs_of(sys.argv[1]), 0, 0
    if sys.argv[2:3] == ['--page']:
        page(runs, sys.argv[3:])
        return 0
    for path in sorted(runs):
        counts = runs[path]
        done = sum(count > 0 for count in counts.values())
        lines, ran = lines + len(counts), ran + done
        print('%5d %5d %5.1f %%  %s' % (len(counts), done, 100 * done / len(counts), path))
        if any(wanted in path for wanted in sys.argv[2:]):
            print('                     never: ' + ranges(sorted(n for n in counts if counts[n] == 0)))
    print('%5d %5d %5.1f %%  all %d files' % (lines, ran, 100 * ran / max(lines, 1), len(runs)))
    return 0 if lines else 1


sys.exit(main())
