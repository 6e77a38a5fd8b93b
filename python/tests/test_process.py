# SPDX-License-Identifier: MIT
"""Threads, fork, devices that are not there, and what an import costs."""
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import dmm_cl


def python(program, **environment):
    """Runs a program in a process of its own and returns what it prints, errors too."""
    return subprocess.run([sys.executable, "-c", program], env={**os.environ, **environment}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False).stdout


def test_threads_share_a_context():
    wrong = []

    def work(seed):
        keys = np.random.default_rng(seed).integers(0, 1000, 5000)
        for _ in range(5):
            if not (dmm_cl.sort(keys) == np.sort(keys)).all() or dmm_cl.median(keys) != np.median(keys):
                wrong.append(seed)
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_of_fork_gets_an_error():
    assert python("""
import os, dmm_cl
dmm_cl.sort([2, 1])
child = os.fork()
if child == 0:
    try:
        dmm_cl.sort([2, 1])
    except dmm_cl.Error as error:
        os._exit(error.status)
    os._exit(99)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == dmm_cl.c.DMM_UNSUPPORTED, dmm_cl.sort([2, 1]))
""").split("\n")[0] == "True [1 2]"


def test_no_driver_and_no_device():
    if sys.platform != "win32":  # there, drivers are found by the registry
        text = python("import dmm_cl; dmm_cl.sort([1])", OCL_ICD_VENDORS="/nowhere", OCL_ICD_FILENAMES="")
        assert "dmm_cl.context.Error: dmm_context_create: no OpenCL platform" in text
    assert "no OpenCL device fits" in python("import dmm_cl; dmm_cl.sort([1])", DMM_DEVICE="nothing")
    assert "cannot be loaded" in python("import dmm_cl", DMM_LIBRARY="/nowhere/libdmm.so")


def test_a_compiler_is_looked_for():
    program = "from dmm_cl import _library; print(_library._can_link())"
    assert python(program, PATH="/nowhere").strip() == "False"


def test_use_chooses_the_device():
    before = dmm_cl.default_context()
    with pytest.raises(dmm_cl.Error):
        dmm_cl.use("nothing")
    assert dmm_cl.default_context() is before
    found = dmm_cl.use(before.device.name.decode())
    assert found is dmm_cl.default_context() and found is not before
    assert dmm_cl.sort([2, 1]).tolist() == [1, 2]
    dmm_cl.use(before)


def test_import_needs_neither_pyopencl_nor_a_driver():
    assert python("import sys, dmm_cl; print('pyopencl' in sys.modules)", OCL_ICD_VENDORS="/nowhere").strip() == "False"
