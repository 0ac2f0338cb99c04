#!/usr/bin/env python3
"""Fails when a folder under tests/ is named in no CMake file: its tests would never run.

usage: check_folders.py ROOT
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
tests = root / "tests"
files = [root / "CMakeLists.txt", *tests.rglob("CMakeLists.txt")]
code = "\n".join(re.sub(r"#.*", "", file.read_text()) for file in files)
folders = sorted(folder.name for folder in tests.iterdir()
                 if folder.is_dir() and folder.name != "__pycache__")
# A folder is named as an argument of its own (parley_unit_tests(core core)) or in a path.
missing = [name for name in folders
           if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", code)]
for name in missing:
    print(f"tests/{name} is named in no CMake file: its tests do not run")
if not missing:
    print(f"{len(folders)} folders, all registered")
sys.exit(bool(missing))
