# SPDX-License-Identifier: MIT
"""page.py DMM PROGRAMS [BROWSER]: tests `DMM meter --html` and `--compare` on the programs built in the folder PROGRAMS:
what is in the page, or what BROWSER shows of it."""
import collections
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

DMM, PROGRAMS = sys.argv[1:3]
BROWSER = sys.argv[3] if len(sys.argv) > 3 else None
HERE = os.path.dirname(os.path.abspath(__file__))
TRANSPOSE = os.path.join(PROGRAMS, "meter_transpose")
KNOWN = os.path.join(PROGRAMS, "meter_known")
DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.S)
failures = 0

# Text that would end the data, bytes that are no UTF-8, characters that JSON escapes, and a name with a tab.
HOSTILE = (b"/* \xff\xfe \xc3( \xed\xa0\x80 */\n"
           b"kernel void hostile(global uint *out, local uint *m)\n{\n"
           b'\tm[get_local_id(0) * 2 % 64] = 7; /* </script><script>document.title = "taken"</script> <!-- \x01 \\" */\n'
           b"\tbarrier(CLK_LOCAL_MEM_FENCE);\n"
           b'#line 7 "a\\tb </script>.cl"\n'
           b"\tout[get_global_id(0)] = m[get_local_id(0)]; /* \xff & < > \xe2\x80\xa8 */\n}\n")


def check(right, what):
    global failures
    if not right:
        print("page.py: " + what)
        failures += 1


def meter(*words, status=0):
    done = subprocess.run([DMM, "meter", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    text = done.stdout.decode("utf-8", "replace")
    check(done.returncode == status, "exit status %d of %s\n%s" % (done.returncode, " ".join(words), text))
    return text


def page(name):
    with open(name, encoding="utf-8") as file: # strict: an error means bytes that are no UTF-8
        text = file.read()
    return text, json.loads(DATA.search(text)[1])


def without_pictures(run):
    for kernel in run["kernels"]:
        kernel.pop("source")
        for line in kernel["lines"]:
            line.pop("run", None)
    return run


def check_runs(run):
    """Counts the words of each bank in steps of words of 4 bytes anew, from the accesses."""
    steps = 0
    for kernel in run["kernels"]:
        for line in kernel["lines"]:
            check(("run" in line) == (line["space"] == "local"), "runs of global lines, or none of local ones")
            for step in line.get("run", []):
                words = {}
                for i in range(0, len(step["accesses"]), 3):
                    _, array, byte = step["accesses"][i:i + 3]
                    words.setdefault(byte // 4 % 32, set()).add((array, byte // 4))
                check(step["bytes"] == 4 and step["phases"] == [[len(words.get(bank, ())) for bank in range(32)]],
                      "%s:%d: other words than %s" % (line["file"], line["line"], step["phases"]))
                steps += 1
    return steps


def data():
    meter("--html", "a.html", "--json", "a.json", TRANSPOSE)
    text, got = page("a.html")
    steps = check_runs(got["now"])
    check(steps == 4 * 32, "%d steps" % steps)
    source = {number: line for number, line in got["now"]["kernels"][0]["source"][0]["lines"]}
    check(source[15] == "TRANSPOSE(transpose_plain, TILE)" and source[10].startswith("        "),
          "text of the program: %s" % source)
    with open("a.json", encoding="utf-8") as file:
        check(without_pictures(got["now"]) == json.load(file), "the page has other numbers than --json")
    head = DATA.sub("", text)
    check(not re.search(r'(src|href)="?(?!data:)|url\(|@import|https?:', head.replace('rel="icon" href="data:,"', "")),
          "the page loads something")
    check(meter("--html", "-", "--kernel", "*_plain", TRANSPOSE).split("\n", 1)[1].startswith("<!doctype html>"),
          "no page, or a table, on standard output")


def engines():
    """Compares the pages of both engines: text and words of each bank."""
    def seen(engine):
        meter("--engine", engine, "--html", engine + ".html", KNOWN, HERE + "/known.cl", "hidden_guard", "wide_16", "stride_2")
        kernels = page(engine + ".html")[1]["now"]["kernels"]
        return [(kernel["name"], kernel["source"], [(line["line"], [step["phases"] for step in line.get("run", [])])
                                                    for line in kernel["lines"]]) for kernel in kernels]
    check(seen("oclgrind") == seen("driver"), "the engines' pages differ")


def hostile():
    with open("hostile.cl", "wb") as file:
        file.write(HOSTILE)
    meter("--html", "hostile.html", KNOWN, "hostile.cl", "hostile")
    text, got = page("hostile.html")
    ends = text.count("</script")
    check(ends == page("a.html")[0].count("</script"), "%d ends of scripts" % ends)
    kernel = got["now"]["kernels"][0]
    texts = [line for source in kernel["source"] for _, line in source["lines"]]
    check(any("</script><script>" in line and "\x01 \\\"" in line for line in texts), "lost text: %s" % texts)
    check(any("\ufffd" in line for line in texts), "no replacement character")
    check(any(line["file"] == "a b </script>.cl" for line in kernel["lines"]), "lost the name of a file")
    meter("--html", "again.html", "--compare", "hostile.html", KNOWN, "hostile.cl", "hostile")
    text, got = page("again.html")
    check(text.count("</script") == ends and got["pairs"] == list(range(len(got["pairs"]))), "hostile text, compared")


def compared():
    meter("--html", "plain.html", "--json", "plain.json", "--kernel", "*_plain", TRANSPOSE)
    for old in ("plain.json", "plain.html"):
        text = meter("--html", "both.html", "--compare", old, "--kernel", "*_padded", TRANSPOSE)
        check(re.search(r"together +11904 +0 +12672 +768\n", text), "no comparison with %s:\n%s" % (old, text))
        check(re.search(r"input.cl:16 read +11904 +0 +12288 +384 ", text), "lines are not paired:\n" + text)
        _, got = page("both.html")
        check(got["pairs"] == [0, 1, 2, 3], "pairs: %s" % got["pairs"])
        check(("run" in got["old"]["kernels"][0]["lines"][0]) == (old == "plain.html"), "the runs of " + old)
    text = meter("--compare", "plain.json", "--banks", "16", "--kernel", "*_plain", TRANSPOSE)
    check("note: before, on 32 banks" in text, "other banks:\n" + text)
    text = meter("--compare", "plain.json", TRANSPOSE)
    check(re.search(r"transpose_padded +- +0 +- +768\n", text), "a new kernel:\n" + text)
    meter("--html", "plain.html", "--compare", "plain.html", TRANSPOSE) # may be replaced


def damaged():
    with open("plain.json", "rb") as file:
        whole = file.read()
    cases = {"empty": b"", "none": b"[1, 2]", "version": whole.replace(b'"dmm_meter": 1', b'"dmm_meter": 9'),
             "number": whole.replace(b'"steps": 384', b'"steps": -1'), "word": whole.replace(b'"read"', b'"raed"'),
             "escape": whole.replace(b"TRANSPOSE", b"\\u12"), "surrogate": whole.replace(b"TRANSPOSE", b"\\udc00"),
             "large": whole.replace(b'"steps": 384', b'"steps": 99999999999999999999999'),
             "deep": b'{"dmm_meter": 1, "x": ' + b"[" * 100000, "nul": whole[:200] + b"\0" + whole[200:]}
    cases.update(("cut%d" % at, whole[:at]) for at in range(1, len(whole) - 4, 41))
    for name, text in cases.items():
        with open("old.json", "wb") as file:
            file.write(text)
        said = meter("--html", "x.html", "--compare", "old.json", "/bin/false", status=1) # it is read before the program runs
        check("old.json: " in said and "make it again" in said or "must come from" in said, name + ": " + said)
    check("no such" in meter("--compare", "nowhere.json", TRANSPOSE, status=1).lower(), "a missing file")
    check("--html: is the file of --json" in meter("--json", "x.html", "--html", "./x.html", TRANSPOSE, status=1), "one file")
    check(not os.path.exists("x.html"), "a page of a run that failed")


def shown(name, choice=""):
    """Returns the page as BROWSER leaves it; a message on its console is a failure."""
    link = "file://%s%s" % (os.path.abspath(name), choice and "#" + choice)
    done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                           "--user-data-dir=" + os.path.abspath("profile"), "--virtual-time-budget=5000", "--dump-dom", link],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=120)
    said = [line for line in done.stderr.split("\n") if "CONSOLE" in line]
    check(not said, "%s: %s" % (link, said))
    body = DATA.sub("", done.stdout).split("<script>")[0]
    words = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", body)))
    return collections.namedtuple("Shown", "dom words")(done.stdout, words)


def browser():
    meter("--html", "a.html", TRANSPOSE)
    first = shown("a.html")
    for words in ("11,904 conflicts in 1,536 local steps of 2 kernels", "transpose_padded 1 256 768 768 0",
                  "read, local 384 12,288 384 11,904 32", "step 1 of 32", "Step 1 of 32: 32 work-items, 32 words in bank 0, 32 passes.",
                  "TRANSPOSE(transpose_plain, TILE)", "… 6 lines"):
        check(words in first.words, "the page lacks: %s\n%s" % (words, first.words))
    check(first.dom.count("<canvas") == 2, "not two drawings")
    other = shown("a.html", "kernel=transpose_padded&line=input.cl:16&step=5")
    check("Step 6 of 32: 32 work-items, at most one word a bank, 1 pass." in other.words, "a link:\n" + other.words)
    meter("--html", "b.html", "--compare", "a.html", "--kernel", "*_padded", TRANSPOSE)
    both = shown("b.html")
    for words in ("11,904 → 0 conflicts", "Before 0 conflicts in 384 steps", "After 0 conflicts in 384 steps"):
        check(words in both.words, "the comparison lacks: %s\n%s" % (words, both.words))
    with open("hostile.cl", "wb") as file:
        file.write(HOSTILE)
    meter("--html", "h.html", KNOWN, "hostile.cl", "hostile")
    evil = shown("h.html")
    check("<title>dmm meter: " in evil.dom, "the text of a kernel ran as a script")
    check('</script><script>document.title = "taken"</script>' in evil.words, "the text is not shown:\n" + evil.words)
    for engine in ("amd", "intel-gen"):
        meter("--device-like", engine, "--html", "e.html", KNOWN, HERE + "/known.cl", "wide_16", "vector_load", "no_local")
        check("local steps of 3 kernels" in shown("e.html").words, "no page for " + engine)


def main():
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    for variable in ("DMM_SET", "DMM_DEVICE", "DMM_METER_ENGINE"):
        os.environ.pop(variable, None)
    for test in (browser,) if BROWSER else (data, engines, hostile, compared, damaged):
        test()
    os.chdir("/")
    shutil.rmtree(folder, ignore_errors=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
