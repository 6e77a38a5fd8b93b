# SPDX-License-Identifier: MIT
"""Loads libdmm: that of $DMM_LIBRARY, or the one in this folder, as the wheel has it."""
import ctypes
import glob
import importlib.util
import os
import shutil
import warnings

_NAMES = ("libdmm.so", "libdmm.dylib", "libdmm.dll")


def _path() -> str:
    """Returns the file of libdmm."""
    named = os.environ.get("DMM_LIBRARY")
    if named:
        return named
    folder = os.path.dirname(os.path.abspath(__file__))
    for name in _NAMES:
        if os.path.exists(os.path.join(folder, name)):
            return os.path.join(folder, name)
    raise ImportError("dmm_cl: %s has no %s: install the package by pip, or name a file in DMM_LIBRARY"
                      % (folder, _NAMES[0]))


def _can_link() -> bool:
    """True if there is a C compiler with its linker: PoCL of pocl-binary-distribution links each kernel by them."""
    return bool(shutil.which("ld")) and any(shutil.which(name) for name in ("cc", "gcc", "clang"))


def _load_pyopencls_loader() -> None:
    """Loads OpenCL's loader that a wheel of pyopencl brings, if there is one: libdmm uses a loader in the process.

    So both use the same one, whichever is imported first. On a system without a driver, also loads that of
    pocl-binary-distribution, which is beside that loader: the loader finds it by its name only if it is in the process.
    """
    spec = importlib.util.find_spec("pyopencl")
    for folder in (spec and spec.submodule_search_locations) or ():
        libraries = os.path.join(glob.escape(folder), ".libs")
        found = glob.glob(os.path.join(libraries, "libOpenCL*"))
        if found:
            os.environ["PYOPENCL_HOME"] = folder  # as pyopencl does: its loader crashes without it
        if found and not glob.glob("/etc/OpenCL/vendors/*.icd") and not os.environ.get("OCL_ICD_VENDORS"):
            drivers = glob.glob(os.path.join(libraries, "libpocl*"))
            if drivers and not _can_link():  # it would end the process at the first kernel
                warnings.warn("dmm_cl: the driver of pocl-binary-distribution is left out, since it links kernels with a C "
                              "compiler and there is none: install one (Debian: gcc libc6-dev)", RuntimeWarning)
                drivers = []
            found += drivers
        for library in found:
            try:
                ctypes.CDLL(library)
            except OSError:
                pass  # libdmm looks for another one


def _load() -> ctypes.CDLL:
    path = _path()
    if not os.environ.get("DMM_OPENCL_LIBRARY"):
        _load_pyopencls_loader()
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise ImportError("dmm_cl: %s cannot be loaded: %s" % (path, error)) from None


library = _load()
