#!/usr/bin/env python3
"""Fails when a test was skipped that the allow-list does not name for this preset.

usage: check_skips.py PRESET TESTS.xml ALLOWED

TESTS.xml is what ctest --output-junit writes. A skipped test is `NAME`, a skipped case of a session
test `NAME: SUBJECT: SENTENCE`. A line of ALLOWED is `PRESET[,PRESET] PATTERN`, with * for anything
in the pattern and `*` for all presets; # begins a comment.
"""
import fnmatch
import re
import sys
import xml.etree.ElementTree

CASE = re.compile(r"^skip +[\d.]+ s  (.*)$", re.MULTILINE)          # tests/session/run.py
UNITTEST = re.compile(r"^(\w+) \(.*\.\.\. skipped", re.MULTILINE)   # Python's unittest


def allowed_patterns(file, preset):
    for line in open(file, encoding="utf-8"):
        presets, _, pattern = line.partition("#")[0].strip().partition(" ")
        if presets == "*" or preset in presets.split(","):
            yield pattern.strip()


def skipped_tests(report):
    for case in xml.etree.ElementTree.parse(report).getroot().iter("testcase"):
        name = case.get("name")
        if case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            yield name
            continue
        output = case.findtext("system-out") or ""
        for found in CASE.findall(output) + UNITTEST.findall(output):
            yield f"{name}: {found}"


def main():
    preset, report, allowed = sys.argv[1:]
    patterns = list(allowed_patterns(allowed, preset))
    skipped = list(skipped_tests(report))
    bad = [test for test in skipped
           if not any(fnmatch.fnmatchcase(test, pattern) for pattern in patterns)]
    for test in bad:
        print(f"skipped, and {allowed} does not allow it for {preset}: {test}")
    print(f"{len(skipped)} skipped, {len(bad)} of them not allowed")
    return 1 if bad else 0


sys.exit(main())
