# SPDX-License-Identifier: MIT
"""abi.py CC CLANG INCLUDE LIBRARY [RECORDED]: prints the ABI of LIBRARY, or compares it with the file RECORDED.

Prints one fact per line: the value of each enumerator, the size of each public struct and the offset of each field, the
type of each function. What dmm-mpi includes of dmm is left out. CPATH names the folders of mpi.h. A line that is removed or changed breaks programs compiled with the old headers; a new line does
not. CC compiles the program that prints the numbers; CLANG lists the declarations.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = """#include <stddef.h>
#include <stdio.h>
#include <dmm/version.h>
#include <%s/%s.h>
int main(void)
{
    printf("soversion %%d\\n", DMM_VERSION_MAJOR);
%s    return 0;
}
"""


def declarations(clang, include, library):
    """Returns all declarations of the library's headers, as nodes of clang's syntax tree."""
    tree = subprocess.run([clang, "-I", include, "-DCL_TARGET_OPENCL_VERSION=120", "-fsyntax-only", "-Xclang",
                           "-ast-dump=json", "-x", "c", "%s/%s/%s.h" % (include, library, library)],
                          capture_output=True, text=True, check=True).stdout
    return json.loads(tree)["inner"]


def plain(type_name):
    """Returns the name of a type in a spelling that old and new versions of clang share."""
    type_name = re.sub(r"\b(struct|enum) ", "", type_name).replace("_Bool", "bool")
    return re.sub(r"\s+([*,)[])", r"\1", type_name)


def describe(clang, include, library):
    """Returns lines about functions, and lines of a C program that prints the numbers."""
    prefix = library.replace("-", "_") + "_"
    functions, numbers = [], []
    for node in declarations(clang, include, library):
        kind, name, inside = node["kind"], node.get("name", ""), node.get("inner", [])
        if kind == "FunctionDecl" and name.startswith(prefix):
            functions.append("function %s: %s" % (name, plain(node["type"]["qualType"])))
        elif kind == "TypedefDecl" and name.startswith(prefix) and re.search(r" \(", node["type"]["qualType"]):
            functions.append("type %s: %s" % (name, plain(node["type"]["qualType"])))
        elif kind == "EnumDecl":
            names = [item["name"] for item in inside if item.get("name", "").startswith(prefix.upper())]
            numbers += ['printf("value %s = %%d\\n", (int)%s);' % (item, item) for item in names]
        elif kind == "RecordDecl" and name.startswith(prefix) and node.get("completeDefinition"):
            fields = [item for item in inside if item["kind"] == "FieldDecl"]
            numbers.append('printf("struct %s: %%zu bytes\\n", sizeof(struct %s));' % (name, name))
            numbers += ['printf("struct %s: %%zu %s: %s\\n", offsetof(struct %s, %s));' %
                        (name, item["name"], plain(item["type"]["qualType"]), name, item["name"]) for item in fields]
    return functions, numbers


def abi(compiler, clang, include, library):
    functions, numbers = describe(clang, include, library)
    with tempfile.TemporaryDirectory() as folder:
        source, binary = folder + "/abi.c", folder + "/abi"
        with open(source, "w", encoding="utf-8") as file:
            file.write(PROGRAM % (library, library, "".join("    %s\n" % line for line in numbers)))
        subprocess.run([compiler, "-I", include, "-DCL_TARGET_OPENCL_VERSION=120", source, "-o", binary], check=True)
        printed = subprocess.run([binary], capture_output=True, text=True, check=True).stdout
    return printed.splitlines() + sorted(functions)


def breaks(recorded, found):
    """Returns the recorded lines that are no longer true."""
    return [line for line in recorded if line not in set(found)]


# Changes that break compiled programs: (header, text, replacement).
CHANGES = {"dmm": [
    ("status.h", "DMM_BAD_VALUE = 2,", "DMM_BAD_VALUE = 20,"),
    ("types.h", "    cl_mem buffer;\n    uint64_t offset_bytes;", "    uint64_t offset_bytes;\n    cl_mem buffer;"),
    ("types.h", "    int zero_equal; ", "    uint64_t zero_equal; "),
    ("sort.h", "    dmm_span count;\n    const dmm_span *further;", "    dmm_span count;\n    dmm_span more;\n    const dmm_span *further;"),
    ("sort.h", "dmm_sort_temp_bytes(uint64_t *out,", "dmm_sort_temp_bytes(uint32_t *out,"),
    ("context.h", "DMM_API void dmm_context_free(dmm_context *ctx);", ""),
    ("context.h", "typedef void (*dmm_log_function)(void *user,", "typedef int (*dmm_log_function)(void *user,"),
    ("version.h", "DMM_VERSION_MAJOR 0", "DMM_VERSION_MAJOR 1"),
], "dmm-model": [
    ("status.h", "DMM_MODEL_BAD_VALUE = 2,", "DMM_MODEL_BAD_VALUE = 20,"),
    ("step.h", "int writes_conflict;", "char writes_conflict;"),
    ("worst.h", "dmm_model_worst_aligned(uint32_t w,", "dmm_model_worst_aligned(uint64_t w,"),
    ("step.h", "typedef void dmm_model_phase_visit(void *user,", "typedef int dmm_model_phase_visit(void *user,"),
], "dmm-mpi": [
    ("sort.h", "    uint64_t n;   /*", "    int64_t n;   /*"),
    ("ranks.h", "int dmm_mpi_rank(", "uint64_t dmm_mpi_rank("),
]}


def unnoticed(compiler, clang, include, library, recorded):
    """Returns the changes above that this test would not detect."""
    missed = []
    for header, before, after in CHANGES[library]:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(include, folder + "/include")
            path = "%s/include/%s/%s" % (folder, library, header)
            text = open(path, encoding="utf-8").read()
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace(before, after))
            if before not in text or not breaks(recorded, abi(compiler, clang, folder + "/include", library)):
                missed.append("the test does not detect this change of %s: %s" % (header, after or before))
    return missed


def main():
    compiler, clang, include, library = sys.argv[1:5]
    found = abi(compiler, clang, include, library)
    if len(sys.argv) < 6:
        print("\n".join(found))
        return 0
    recorded = open(sys.argv[5], encoding="utf-8").read().splitlines()
    wrong = ["broken: " + line for line in breaks(recorded, found)]
    if wrong:
        wrong.append("Programs compiled with an earlier version would break: a new soversion is needed.")
    wrong += ["new, not recorded: " + line for line in found if line not in set(recorded)]
    if wrong:
        wrong.append("If this is intended, record it: tests/abi.py %s >%s" % (" ".join(sys.argv[1:5]), sys.argv[5]))
    wrong = wrong or unnoticed(compiler, clang, include, library, recorded)
    print("\n".join(wrong) or "%d facts as recorded, %d changes detected" % (len(found), len(CHANGES[library])))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
