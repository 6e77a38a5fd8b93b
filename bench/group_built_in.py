# SPDX-License-Identifier: MIT
"""group_built_in.py [DMM [OCLOC]]: collectives beside work_group_reduce and work_group_scan of OpenCL C 2.0, as Intel's offline compiler
makes them for a dg2 (Arc): instructions and accesses to local memory of a kernel, less those of one that loads and stores.

Groups of 256, 8 numbers of 32 bits a work-item, blocked. A built-in function takes one number of a work-item, so that its kernel adds
up the 8 before, as that of collectives does. Counts are of the text: what is in a loop counts once. Collectives have none, the built-in
reduction halves in one, and the built-in scan adds up sub-groups in one.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TEXTS = (("a", ["items", "--combine", "a + b", "--identity", "0", "--banks", "16"]),
         ("b", ["items", "--combine", "a + b", "--identity", "0", "--banks", "16", "--lanes", "16"]))
KERNEL = """%s
void dmm_%s(global const uint *restrict in, global uint *restrict out)
{
    local a_room_word a[A_ROOM_WORDS]; local b_room_word b[B_ROOM_WORDS];
    uint r[8];
    in += get_group_id(0) * 2048, out += get_group_id(0) * 2048;
    a_load_stripes(r, in, 2048, 0);
    %s
    a_store_stripes(out, r, 2048);
}
"""
KERNELS = (
    ("base", ""),
    ("reduce built-in", "uint own = 0; for (uint j = 0; j < 8; j++) own += r[j]; r[0] = work_group_reduce_add(own);"),
    ("reduce collective", "r[0] = a_reduce(r, a);"), ("reduce collective, lanes", "r[0] = b_reduce(r, b);"),
    ("scan built-in", "uint own = 0; for (uint j = 0; j < 8; j++) own += r[j]; uint before = work_group_scan_exclusive_add(own);"
     "for (uint j = 0; j < 8; j++) { before += r[j]; r[j] = before; }"),
    ("scan collective", "a_scan_inclusive(r, a);"), ("scan collective, lanes", "b_scan_inclusive(r, b);"))


def counts(folder, text):
    """Yields (number of the kernel, (instructions, accesses to local memory, barriers, loops))."""
    (folder / "all.cl").write_text(text, encoding="utf-8")
    subprocess.run([OCLOC, "compile", "-q", "-file", folder / "all.cl", "-device", "dg2", "-options", "-cl-std=CL2.0", "-output", "all",
                    "-output_no_suffix", "-out_dir", folder], check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, IGC_ShaderDumpEnable="1", IGC_DumpToCustomDir=str(folder)))
    for path in folder.glob("*.asm"):
        lines = path.read_text(encoding="utf-8").splitlines()
        name = next(re.search(r"dmm_k(\d+)", line) for line in lines if "dmm_k" in line)
        code = [line for line in lines if re.match(r"\s*(\(\S+\)\s+)?[a-z]\w*(\.\w+)*\s+\(\d+\|M\d+\)", line)]
        local = sum(bool(re.search(r"send\.dc[01] .*0x[0-9A-F]{6}FE\b", line)) for line in code) # surface 254
        loops = sum(bool(re.match(r"\s*\(\S+\)\s+(goto\.b|jmpi)\b", line)) for line in lines)
        yield int(name.group(1)), (len(code), local, sum("signal barrier" in line for line in code), loops)


def main():
    text = "".join(subprocess.run([DMM, "group", "--name", name, *options], check=True, capture_output=True, text=True).stdout
                   for name, options in TEXTS)
    for number, (_, body) in enumerate(KERNELS):
        head = "B_KERNEL_LANES(256)" if "b_" in body else "kernel __attribute__((reqd_work_group_size(256, 1, 1), intel_reqd_sub_group_size(16)))"
        text += KERNEL % (head, "k%d" % number, body)
    with tempfile.TemporaryDirectory() as name:
        rows = dict(counts(Path(name), text))
    print("| function | instructions | accesses to local memory | barriers | loops |")
    print("|---|--:|--:|--:|--:|")
    for number, (kernel, _) in enumerate(KERNELS):
        if number:
            print("| %s | %s |" % (kernel, " | ".join(str(a - b) for a, b in zip(rows[number], rows[0]))))


DMM = sys.argv[1] if len(sys.argv) > 1 else "build/default/dmm"
OCLOC = sys.argv[2] if len(sys.argv) > 2 else "ocloc"
main()
