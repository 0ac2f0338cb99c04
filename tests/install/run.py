#!/usr/bin/env python3
"""Installs a build into a folder and starts what was installed.

usage: run.py CMAKE BUILD
"""
import pathlib
import subprocess
import sys
import tempfile

CMAKE, BUILD = sys.argv[1:3]


def run(*command, **options):
    finished = subprocess.run(command, capture_output=True, text=True, timeout=100,
                              stdin=subprocess.DEVNULL, **options)
    if finished.returncode != 0:
        sys.exit(f"{' '.join(command)} failed: {finished.stdout}{finished.stderr}")
    return finished.stdout


with tempfile.TemporaryDirectory() as folder:
    run(CMAKE, "--install", BUILD, "--prefix", folder)
    program = pathlib.Path(folder) / "bin" / "parley"
    elsewhere = pathlib.Path(folder) / "elsewhere"
    elsewhere.mkdir()
    # It needs nothing from the source tree or the build folder.
    version = run(str(program), "--version", cwd=elsewhere).splitlines()[0]
    answer = run(str(program), "go", "depth", "5", cwd=elsewhere).splitlines()[-1]
    if not answer.startswith("bestmove "):
        sys.exit(f"no bestmove, but: {answer}")
    left = [path.name for path in elsewhere.iterdir()]
    if left:
        sys.exit(f"it left files behind: {left}")
    print(f"{version}: {answer}")
