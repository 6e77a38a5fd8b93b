# SPDX-License-Identifier: MIT
"""installing.py README SOURCE CMAKE CC: checks the README's commands for installing.

Runs them in order in SOURCE, with a temporary home folder. Instead of `sudo apt install`, which would change this
system, simulates the installation with apt and unpacks the packages here. Then builds programs with each of the two
installations and, if lintian is installed, runs it on the packages.
"""
import glob
import os
import shutil
import subprocess
import sys

from readme import blocks, section, sessions

SUDO = """#!/bin/sh -e
[ "$1 $2" = "apt install" ]
shift 2
apt-get --simulate --no-install-recommends install "$@"  >"$HOME/apt.log" 2>&1 || { cat "$HOME/apt.log"; exit 1; }
for package in "$@"; do dpkg-deb -x "$package" "$HOME/root"; done
"""


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
    return 0 if len(names) == 5 and names[:3] == ["dmm", "libdmm-dev", "libdmm-model-dev"] else 1


if __name__ == "__main__":
    sys.exit(main())
