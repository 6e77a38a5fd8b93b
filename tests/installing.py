# SPDX-License-Identifier: MIT
"""installing.py README SOURCE CMAKE CC: checks the README's commands for installing.

Runs them in order in SOURCE, with a temporary home folder. Instead of `sudo apt install`, which would change this
system, simulates the installation with apt and unpacks the packages here. Then builds programs with each of the two
installations and, if lintian is installed, runs it on the packages. None but dmm-meter may bring LLVM or a driver.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

from documents import blocks, section, sessions

SUDO = """#!/bin/sh -e
[ "$1 $2" = "apt install" ]
shift 2
apt-get --simulate --no-install-recommends install "$@"  >"$HOME/apt.log" 2>&1 || { cat "$HOME/apt.log"; exit 1; }
for package in "$@"; do dpkg-deb -x "$package" "$HOME/root"; done
"""


def brings_llvm(package):
    """Returns the packages beside dmm's own that apt installs with a package, if LLVM or a driver is among them."""
    fields = subprocess.run(["dpkg-deb", "-f", package, "Depends", "Recommends"], text=True, capture_output=True, check=True)
    return fields.stdout if re.search("llvm|clang|oclgrind|pocl|opencl-icd", fields.stdout) else ""


def main():
    readme, source, cmake, compiler = sys.argv[1:]
    home = os.path.abspath("home")
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(home + "/bin")
    with open(home + "/bin/sudo", "w", encoding="utf-8") as sudo:
        sudo.write(SUDO)
    os.chmod(home + "/bin/sudo", 0o755)
    environment = dict(os.environ, HOME=home, PATH=home + "/bin" + os.pathsep + os.environ["PATH"])

    text = section(open(readme, encoding="utf-8").read(), "Installing")
    commands = [pair for block in blocks(text, "console") for pair in sessions(block)]
    consumer = os.path.join(source, "tests/consumer/run.sh")
    for prefix in (".local", "root/usr"):
        commands.append(("%s %s %s/%s %s/use %s" % (consumer, cmake, home, prefix, home, compiler), None))
    if shutil.which("lintian"):
        commands.append(("lintian --allow-root --fail-on error,warning build/deb/*.deb", None))

    for command, expected in commands:
        run = subprocess.run(["bash", "-c", command], cwd=source, env=environment, text=True,
                             capture_output=True, check=False)
        print("$ " + command + "\n" + run.stdout + run.stderr)
        if run.returncode != 0 or expected is not None and run.stdout.strip("\n") != expected.strip("\n"):
            print("exit status %d; the README expects\n%s" % (run.returncode, expected))
            return 1
    names = sorted(os.path.basename(path).split("_")[0] for path in glob.glob(source + "/build/deb/*.deb"))
    print("packages: " + " ".join(names))
    for package in glob.glob(source + "/build/deb/*.deb"):
        name = os.path.basename(package).split("_")[0]
        if brings_llvm(package) and name != "dmm-meter":
            print("%s brings LLVM or a driver:\n%s" % (name, brings_llvm(package)))
            return 1
    with_meter = os.path.exists(os.path.join(source, "build/deb/host/meter/libdmm_meter.so"))
    with_mpi = os.path.exists(os.path.join(source, "build/deb/dmm-mpi"))
    wanted = ["dmm", "libdmm-dev", "libdmm-model-dev", "libdmm-model[0-9]+", "libdmm[0-9]+"]
    wanted += ["dmm-meter"] if with_meter else []
    wanted += ["dmm-mpi", "libdmm-mpi-dev", "libdmm-mpi[0-9]+"] if with_mpi else []
    with_lab = os.path.exists(os.path.join(source, "build/deb/dmm-lab"))
    wanted += ["dmm-lab", "libdmm-lab-dev"] if with_lab else []
    missing = [name for name in wanted if not any(re.fullmatch(name, other) for other in names)]
    return 0 if not missing and len(names) == len(wanted) else 1


if __name__ == "__main__":
    sys.exit(main())
