#!/usr/bin/env python3
"""The signature of the search: `parley bench` searches the same number of nodes in every build, with
every SIMD kernel that this machine can run.

usage: run.py PARLEY [--best-only]

The number is in nodes.txt. A change of the search or the network changes it; the commit that does
so updates the file and says why.
"""
import os
import pathlib
import re
import subprocess
import sys

PROGRAM = sys.argv[1]
EXPECTED = int((pathlib.Path(__file__).parent / "nodes.txt").read_text())
KERNELS = ["plain", "sse41", "avx2", "avx512", "neon"]
# What /proc/cpuinfo calls the instruction set that a kernel needs.
FLAGS = {"sse41": "sse4_1", "avx2": "avx2", "avx512": "avx512bw", "neon": "asimd"}


def processor_flags():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        return set()
    found = re.search(r"^(?:flags|Features)\s*:(.*)$", text, re.MULTILINE)
    return set(found[1].split()) if found else set()


def bench(kernel):
    """The nodes that a bench searches, and what it wrote on stderr."""
    environment = {name: value for name, value in os.environ.items() if name != "PARLEY_SIMD"}
    if kernel:
        environment["PARLEY_SIMD"] = kernel
    run = subprocess.run([PROGRAM, "bench"], capture_output=True, text=True, env=environment,
                         stdin=subprocess.DEVNULL, timeout=500)
    found = re.search(r"^Nodes searched\s*: (\d+)$", run.stdout, re.MULTILINE)
    if run.returncode != 0 or not found:
        sys.exit(f"{kernel or 'best'}: bench failed ({run.returncode}): {run.stdout[-300:]}{run.stderr}")
    return int(found[1]), run.stderr


def main():
    flags = processor_flags()
    failures = 0
    for kernel in [None] if "--best-only" in sys.argv else [None, *KERNELS]:
        runnable = kernel in (None, "plain") or FLAGS[kernel] in flags
        if not runnable:
            print(f"{kernel}: this processor does not have it")
            continue
        nodes, errors = bench(kernel)
        good = nodes == EXPECTED and "PARLEY_SIMD" not in errors
        failures += not good
        print(f"{kernel or 'best'}: {nodes} nodes{'' if good else f', expected {EXPECTED}; {errors}'}")
    return 1 if failures else 0


sys.exit(main())
