# SPDX-License-Identifier: MIT
"""check.py RECIPE FOLDER HEADERS LOADER: builds and tests a recipe of conda by rattler-build, without network.

The packages that it needs are made before: those of OpenCL have this system's headers and loader, compilers and tools
are empty, so that the system's are found. FOLDER becomes the channel.
"""
import glob
import os
import shutil
import sys
import textwrap
import warnings

import rattler_build

recipe, folder, headers, loader = sys.argv[1:]
warnings.simplefilter("ignore", DeprecationWarning)
os.makedirs(folder, exist_ok=True)
variants = os.path.join(folder, "variants.yaml")
with open(variants, "w", encoding="utf-8") as file:
    file.write("c_compiler: [gcc]\nc_stdlib: [sysroot]\nc_stdlib_version: ['2.28']\n")

OPENCL = "mkdir -p $PREFIX/include $PREFIX/lib && cp -r %s/CL $PREFIX/include && cp -L %s $PREFIX/lib/libOpenCL.so.1 && " \
    "ln -s libOpenCL.so.1 $PREFIX/lib/libOpenCL.so" % (headers, loader)
for name, version, script in (("gcc_linux-64", "13", "true"), ("sysroot_linux-64", "2.28", "true"),
                              ("cmake", "3.25", "true"), ("ninja", "1.11", "true"),
                              ("khronos-opencl-icd-loader", "2022.09.30", OPENCL)):
    made = os.path.join(folder, "made", name)
    os.makedirs(made, exist_ok=True)
    with open(os.path.join(made, "recipe.yaml"), "w", encoding="utf-8") as file:
        file.write(textwrap.dedent("""\
            schema_version: 1
            package:
              name: %s
              version: "%s"
            build:
              script: %s
            """) % (name, version, script))
    rattler_build.cli_api.build_recipes([made + "/recipe.yaml"], output_dir=folder, channel=["file://" + folder],
                                        test="skip")
rattler_build.cli_api.build_recipes([recipe], output_dir=folder, channel=["file://" + folder],
                                    variant_config=[variants], test="native")
made = rattler_build.Package.from_file(glob.glob(folder + "/linux-64/dmm-*.conda")[0])
results = made.run_tests(channel=["file://" + folder])
print("\n".join(line for result in results for line in result.output))
if not results or not all(result.success for result in results):
    sys.exit("check.py: the tests of the recipe failed")
with open(os.path.join(os.path.dirname(recipe), "../../include/dmm/version.h"), encoding="utf-8") as header:
    if 'DMM_VERSION       "%s"' % made.version not in header.read():
        sys.exit("check.py: recipe.yaml has another version than version.h")
shutil.rmtree(os.path.join(folder, "bld"), ignore_errors=True)
