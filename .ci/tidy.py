#!/usr/bin/env python3
"""Runs clang-tidy on what changed since the previous landing.

usage: tidy.py BUILD [--seconds 480] [--base COMMIT] [--all]

BUILD is a folder with compile_commands.json. The previous landing is COMMIT, else origin/main where
that is an ancestor of HEAD, else the last commit that is older than four hours, else HEAD~1. A
changed header is checked through its own source file or through one that includes it.

Sources that changed themselves come first, the last changed before the others, and then those that
stand for a changed header. After --seconds no further file is begun: the rest is named and is no
failure. tools/release-check checks every file.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

FOLDERS = ["core", "engine", "uci", "tools"]


def git(*words):
    """What git prints; None when it fails."""
    run = subprocess.run(["git", *words], capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else None


def previous_landing():
    head = git("rev-parse", "HEAD")
    main = git("rev-parse", "--verify", "-q", "origin/main")
    if main and main != head and git("merge-base", "--is-ancestor", main, head) is not None:
        return main
    older = git("rev-list", "-1", "--before=4 hours ago", "HEAD")
    if older and older != head:
        return older
    return git("rev-parse", "--verify", "-q", "HEAD~1")


def changed_files(base):
    names = git("diff", "--name-only", "--diff-filter=d", base, "--",
                *(f"{folder}/**.{kind}" for folder in FOLDERS for kind in ("cpp", "hpp")))
    return (names or "").split()


def all_files():
    return git("ls-files", *(f"{folder}/**.cpp" for folder in FOLDERS)).split()


def source_of(file, compiled):
    """The source file through which a file is checked; None if nothing compiled includes it."""
    if file in compiled:
        return file
    own = str(pathlib.PurePosixPath(file).with_suffix(".cpp"))
    if own in compiled:
        return own
    users = (git("grep", "-l", f'#include "{file}"', "--", *FOLDERS) or "").split()
    return next((user for user in users if user in compiled), None)


def last_change(file):
    """When the last commit changed a file, in seconds since 1970; now if it is not committed yet."""
    if git("diff", "--quiet", "HEAD", "--", file) is None:
        return time.time()
    return int(git("log", "-1", "--format=%ct", "--", file) or 0)


def ordered_sources(files, compiled):
    """The sources through which these files are checked, the most urgent ones first."""
    sources = {}  # source: the last change of what is checked through it
    for file in files:
        if source := source_of(file, compiled):
            sources[source] = max(sources.get(source, 0), last_change(file))
    changed = set(files)
    return sorted(sources, key=lambda source: (source not in changed, -sources[source], source))


def check(file, build, deadline):
    """True: clean; False: has findings; None: not begun in time."""
    if time.monotonic() > deadline:
        return None
    run = subprocess.run(["clang-tidy-14", "-quiet", "-p", build, file],
                         capture_output=True, text=True)
    if run.returncode != 0:
        print(f"{file}:\n{run.stdout}{run.stderr[-2000:] if not run.stdout else ''}", flush=True)
    return run.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--seconds", type=float, default=480)
    parser.add_argument("--base")
    parser.add_argument("--all", action="store_true", help="every source file")
    asked = parser.parse_args()
    commands = json.loads((pathlib.Path(asked.build) / "compile_commands.json").read_text())
    compiled = {os.path.relpath(command["file"]) for command in commands}
    base = None if asked.all else asked.base or previous_landing()
    files = changed_files(base) if base else all_files()
    sources = ordered_sources(files, compiled)
    which = f"{len(files)} files changed since {base[:10]}" if base else f"all {len(files)} sources"
    print(f"{which}, checked through {len(sources)} sources", flush=True)
    if unseen := [file for file in files if not source_of(file, compiled)]:
        print(f"not compiled here: {' '.join(unseen)}", flush=True)
    deadline = time.monotonic() + asked.seconds
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda file: check(file, asked.build, deadline), sources))
    left = [file for file, result in zip(sources, results) if result is None]
    bad = [file for file, result in zip(sources, results) if result is False]
    if left:
        print(f"not checked, because {asked.seconds:.0f} s were over, {len(left)} of {len(sources)}: "
              f"{' '.join(left)}")
    print(f"{len(sources) - len(left)} checked, {len(bad)} with findings: {' '.join(bad)}")
    return 1 if bad else 0


sys.exit(main())
