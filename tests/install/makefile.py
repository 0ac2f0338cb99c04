#!/usr/bin/env python3
"""Checks the Makefile as OpenBench uses it; with --build also builds with it, which takes minutes.

usage: makefile.py SOURCE [--build]
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
NETWORK = SOURCE / "engine/evaluate/nnue/current.nnue"


def run(*command, folder, seconds=60, path=""):
    """The output of a command that finds programs in a path first."""
    # A make around this test must not pass its own options on.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    environment["PATH"] = os.pathsep.join(filter(None, (path, environment["PATH"])))
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds,
                          stdin=subprocess.DEVNULL, env=environment)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed: {done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def check(holds, sentence):
    if not holds:
        sys.exit(sentence)


def commands_of_make(*arguments):
    """What make lets cmake do: its arguments, one command on each line."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        stand_in = pathlib.Path(folder) / "cmake"
        stand_in.write_text(f'#!/bin/sh\necho "$@" >> "{log}"\n', encoding="utf-8")
        stand_in.chmod(0o755)
        run("make", *arguments, folder=SOURCE, path=folder)
        return log.read_text(encoding="utf-8").splitlines()


def check_commands():
    configure, build, copy = commands_of_make("-j", "EXE=engine-12345678", "CXX=clang++-14",
                                              f"EVALFILE={NETWORK}")
    for wanted in ("-DCMAKE_CXX_COMPILER=clang++-14", f"-DPARLEY_NETWORK={NETWORK}",
                   "-DPARLEY_TESTS=OFF", "-DPARLEY_STATIC=ON"):
        check(wanted in configure.split(), f"{wanted} is missing: {configure}")
    check(build == "--build build/make-clang++-14 --target parley", build)
    check(copy == "-E copy build/make-clang++-14/parley engine-12345678", copy)
    configure, _, copy = commands_of_make()
    check("-DPARLEY_NETWORK=" in configure.split() and copy.endswith("/parley parley"),
          f"without arguments: {configure}, {copy}")


def check_build():
    """A build from an archive of the source, with a network from elsewhere."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "source"
        shutil.copytree(SOURCE, source, symlinks=True,
                        ignore=shutil.ignore_patterns("build", ".git", "shared"))
        network = pathlib.Path(folder) / "ABCDEF12"
        shutil.copy(NETWORK, network)
        run("make", "-j2", "EXE=engine-12345678", f"EVALFILE={network}", folder=source, seconds=3000)
        network.unlink()
        said = run(source / "engine-12345678", "bench", folder=folder, seconds=600)
        nodes = (SOURCE / "tests/signature/nodes.txt").read_text(encoding="utf-8").split()[-1]
        check(f"Nodes searched: {nodes}" in said, f"bench says {said}, and not {nodes} nodes")


if not shutil.which("make"):
    print("skipped: no make")
    sys.exit(77)
check_commands()
if "--build" in sys.argv[2:]:
    check_build()
