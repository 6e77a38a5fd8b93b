# SPDX-License-Identifier: MIT
"""Loads libdmm: that of $DMM_LIBRARY, or the one in this folder, as the wheel has it."""
import ctypes
import glob
import importlib.util
import os

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
            found += glob.glob(os.path.join(libraries, "libpocl*"))
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
