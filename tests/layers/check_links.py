#!/usr/bin/env python3
"""Fails when a README links to a file that is not there, or when the root README is too long.

usage: check_links.py ROOT
"""
import pathlib
import re
import sys

MOST_LINES = 150

root = pathlib.Path(sys.argv[1])
folders = ("core", "engine", "uci", "tools", "tests")
pages = [root / "README.md", *(page for folder in folders for page in (root / folder).rglob("*.md"))]
bad = []
for page in pages:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if not re.match(r"[a-z]+:", target) and not (page.parent / target).exists():
            bad.append(f"{page.relative_to(root)}: no such file: {target}")
lines = len(pages[0].read_text(encoding="utf-8").splitlines())
if lines > MOST_LINES:
    bad.append(f"README.md has {lines} lines, more than {MOST_LINES}")
print("\n".join(bad) or f"{len(pages)} pages, every link leads to a file")
sys.exit(bool(bad))
