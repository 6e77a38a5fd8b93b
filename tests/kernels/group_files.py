# SPDX-License-Identifier: MIT
"""group_files.py CLANG DMM FOLDER: compiles kernels with the files of collectives in FOLDER, which need no libdmm, and
with the texts of `dmm group`: for each description both give the same code. Then for several devices, with all files in
one program, and once with each mistake that a file must name."""
import subprocess
import sys

CLANG, DMM, FOLDER = sys.argv[1:]
FLAGS = ["-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "-D__OPENCL_VERSION__=120", "-Wall",
         "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-unused-parameter", "-Wno-unused-variable", "-nogpulib",
         "-I", FOLDER, "-"]
# What headers of clang 14 do not declare.
SUB_GROUPS = ("uint get_sub_group_local_id(void);\nuint get_sub_group_id(void);\nuint4 sub_group_ballot(int);\n"
              "void sub_group_barrier(uint);\nuint __attribute__((overloadable)) sub_group_shuffle(uint, uint);\n")
DEVICES = (["spir64"], ["nvptx64-nvidia-cuda"], ["amdgcn-amd-amdhsa", "-mcpu=gfx1030"])
BEGIN = ("kernel __attribute__((reqd_work_group_size(%d, 1, 1)))\nvoid f(global x_item *list, global uint *out)\n{\n"
         "    local x_room_word room[ROOM];\n    x_item r[%d];\n    uint other[%d];\n    const x_item none = list[0];\n"
         "    x_load(r, list, 7, none, room);\n")
BINS = ("kernel __attribute__((reqd_work_group_size(%d, 1, 1)))\nvoid f(global uint *out)\n{\n"
        "    local x_room_word room[ROOM];\n    uint r[OWN];\n    x_bins_clear(r, room);\n    x_bins_add(out[1], room);\n"
        "    x_bins_sum(r, room);\n    out[x_bins_of(0)] = r[0];\n}\n")
END = "    x_store(list, r, 7, room);\n}\n"
SORT = "    x_sort_from(r, other, 9, room);\n    out[0] = x_unique(r, 9, room) + other[0];\n"
SETS = "    out[0] = x_set_union(r, list, 9, list + 9, 9, room);\n"
LANES = "    x_sort_from(r, other, 9);\n    x_rank(other, other);\n    out[0] = x_places(other, other) + other[0];\n"
RADIX = "    x_sort_bits_from(r, other, 9, 1, 7, room);\n    x_rank(other, other, room);\n    out[0] = other[1];\n"
# Kind, macros for the file, options of the command, and the kernel's body. u is 64, E 8 unless they say so.
ROWS = [
    ("sort", {}, [], SORT), ("sort", {"POSITIONS": 1}, ["--positions"], SORT + SETS),
    ("sort", {"TYPE": "DMM_F64", "DESCENDING": 1, "E": 15}, ["-t", "f64", "--descending", "-E", "15"], SORT),
    ("sort", {"TYPE": "DMM_I8", "BANKS": 4, "U": 4}, ["-t", "i8", "--banks", "4", "-u", "4"], SORT),
    ("sort", {"TYPE": "DMM_F32", "ZERO_EQUAL": 1}, ["-t", "f32", "--zero-equal"], SORT + SETS),
    ("sort", {"TYPE": "DMM_U64", "BANK_BYTES": 8, "POSITIONS": 1}, ["-t", "u64", "--bank-bytes", "8", "--positions"],
     SORT),
    ("sort", {"ITEM": "uint3", "ITEM_BYTES": 16, "LESS(a, b)": "(a).y < (b).y"},
     ["--item", "typedef uint3 dmm_item;", "--item-bytes", "16", "--less", "(a).y < (b).y"], SORT),
    ("items", {"TYPE": "DMM_U16", "COLUMNS": 64}, ["-t", "u16", "--columns", "64"], "    x_transpose(r, room);\n"),
    ("items", {"TYPE": "DMM_F32", "COMBINE(a, b)": "(a) + (b)", "IDENTITY": 0},
     ["-t", "f32", "--combine", "(a) + (b)", "--identity", "0"], "    r[0] = x_scan_exclusive(r, room);\n"),
    ("items", {"ITEM": "ulong4", "ITEM_BYTES": 32}, ["--item", "typedef ulong4 dmm_item;", "--item-bytes", "32"],
     "    x_permute(r, out, room);\n    out[1] = x_keep_blocks(r, 5, room);\n"),
    ("radix", {}, [], RADIX), ("radix", {"TYPE": "DMM_F64", "POSITIONS": 1}, ["-t", "f64", "--positions"], RADIX),
    ("radix", {"TYPE": "DMM_I16", "BINS": 128, "DESCENDING": 1}, ["-t", "i16", "--bins", "128", "--descending"], RADIX),
    ("radix", {"LANES": 32, "E": 9}, ["--lanes", "32", "-E", "9"], RADIX),
    ("radix", {"LANES": 16, "TYPE": "DMM_U64"}, ["--lanes", "16", "-t", "u64"], RADIX),
    ("items", {"LANES": 32, "TYPE": "DMM_F32", "COMBINE(a, b)": "(a) + (b)", "IDENTITY": 0},
     ["--lanes", "32", "-t", "f32", "--combine", "(a) + (b)", "--identity", "0"],
     "    r[0] = x_reduce(r, room) + x_scan_exclusive(r, room);\n"),
    ("lanes", {"U": 32, "E": 4}, ["-u", "32", "-E", "4"], LANES),
    ("lanes", {"U": 32, "E": 8, "TYPE": "DMM_F64", "POSITIONS": 1, "DESCENDING": 1},
     ["-u", "32", "-E", "8", "-t", "f64", "--positions", "--descending"], LANES),
    ("lanes", {"U": 32, "E": 4, "ITEM": "uint4", "ITEM_BYTES": 16, "LESS(a, b)": "(a).x < (b).x", "BINS": 32,
               "COMBINE(a, b)": "(a) + (b)", "IDENTITY": 0},
     ["-u", "32", "-E", "4", "--item", "typedef uint4 dmm_item;", "--item-bytes", "16", "--less", "(a).x < (b).x",
      "--bins", "32", "--combine", "(a) + (b)", "--identity", "0"], LANES + "    x_scan_exclusive(r);\n"),
    ("lanes", {"U": 32, "E": 4, "ITEM": "uint4", "ITEM_BYTES": 16, "COMBINE(a, b)": "(a) + (b)", "IDENTITY": 0},
     ["-u", "32", "-E", "4", "--item", "typedef uint4 dmm_item;", "--item-bytes", "16", "--combine", "(a) + (b)",
      "--identity", "0"], "    r[0] = x_reduce(r);\n"),
    ("count", {"BINS": 100}, ["--bins", "100"], None),
]
# What a file says of a mistake.
MISTAKES = [("sort", "", "define DMM_GROUP_NAME"), ("count", "#define DMM_GROUP_NAME x\n", "define DMM_GROUP_BINS"),
            ("sort", "#define DMM_GROUP_NAME x\n#define DMM_GROUP_ITEM uint2\n", "needs DMM_GROUP_LESS"),
            ("radix", "#define DMM_GROUP_NAME x\n#define DMM_GROUP_BINS 12\n", "DMM_GROUP_BINS"),
            ("lanes", "#define DMM_GROUP_NAME x\n#define DMM_GROUP_BINS 64\n", "DMM_GROUP_BINS"),
            ("lanes", "#define DMM_GROUP_NAME x\n#define DMM_GROUP_E 3\n", "DMM_E"),
            ("items", "#define DMM_GROUP_NAME x\n#define DMM_GROUP_U 48\n", "DMM_U"),
            ("sort", "#define DMM_GROUP_NAME x\n#define DMM_GROUP_LANES 32\n", "DMM_GROUP_LANES"),
            ("radix", "#define DMM_GROUP_NAME x\n#define DMM_GROUP_LANES 24\n", "DMM_GROUP_LANES"),
            ("items", "#define DMM_GROUP_NAME x\n#define DMM_GROUP_COLUMNS 48\n", "DMM_GROUP_COLUMNS")]


def clang(text, *flags):
    return subprocess.run([CLANG, *flags, *FLAGS], input=SUB_GROUPS + text, capture_output=True, text=True, check=False)


def code(text):
    """Returns the optimised code of a program, without what names its files."""
    done = clang(text, "-target", *DEVICES[0], "-O1", "-S", "-emit-llvm", "-o", "/dev/stdout")
    if done.returncode != 0:
        raise SystemExit(done.stderr + "\n" + text[-1500:])
    return done.stdout


def included(kind, macros, name="x"):
    lines = ["#define DMM_GROUP_%s %s" % item for item in {"NAME": name, **macros}.items()]
    return "\n".join(lines) + '\n#include "%s.clh"\n' % kind


def main():
    everything = ""
    for number, (kind, macros, options, body) in enumerate(ROWS):
        macros = {"U": 64, **macros}
        u, items = macros["U"], macros.get("E", 8)
        options = ["-u", "64", *options] if "-u" not in options else options
        kernel = BEGIN % (u, items, items) + body + END if body else BINS % u
        own = subprocess.run([DMM, "group", "--name", "x", *options, kind], check=True, capture_output=True, text=True)
        if kind == "lanes":
            kernel = kernel.replace("    local x_room_word room[ROOM];\n", "").replace(", room)", ")")
        by_command = own.stdout + kernel.replace("ROOM", "X_ROOM_WORDS").replace("OWN", "X_BINS_OWN")
        by_file = included(kind, macros) + kernel.replace("ROOM", "x_ROOM_WORDS").replace("OWN", "x_BINS_OWN")
        if code(by_command) != code(by_file):
            raise SystemExit("%s %s: the file and the command's text give other code" % (kind, macros))
        everything += included(kind, macros, "x%d" % number)
        kernel = by_file.split(".clh\"\n", 1)[1]
        everything += kernel.replace("x_", "x%d_" % number).replace("void f(", "void f%d(" % number)
    for device in DEVICES:
        done = clang(everything, "-target", *device, "-fsyntax-only")
        if done.returncode != 0:
            raise SystemExit("%s: %s" % (device[0], done.stderr))
    for kind, head, wanted in MISTAKES:
        done = clang(head + '#include "%s.clh"\n' % kind, "-fsyntax-only")
        if done.returncode == 0 or wanted not in done.stderr:
            raise SystemExit("%s: expected '%s', found %s" % (kind, wanted, done.stderr))
    print("%d instances by file and by command, %d devices, %d mistakes" % (len(ROWS), len(DEVICES), len(MISTAKES)))


main()
