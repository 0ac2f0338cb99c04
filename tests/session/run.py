#!/usr/bin/env python3
"""Session tests: holds conversations with the real program over pipes and judges them.

usage: run.py ENGINE [--part PART] [--only REGEX] [--slow F] [--limit S] [--sample S [--seed N]]
              [--list] [--verbose]

--part is a key of SUBJECTS below.
--only selects the tests whose "SUBJECT: SENTENCE" matches: the file's name and the function's, with
blanks.
--slow F multiplies all times that an answer may take, for builds with sanitizers; the
environment variable PARLEY_SLOW does the same. After --limit S seconds the tests that still run are
named, with the lines that they wait in, and the run has failed.
--sample S, or PARLEY_SAMPLE=S, begins no more tests after S seconds, in an order that depends on the
seed: by default the day, so that every day another part is tested.
On a terminal or with --verbose a line for each test, otherwise only for those that failed or were
skipped; exit status 1 if any failed.
"""
import argparse
import concurrent.futures
import datetime
import faulthandler
import importlib
import inspect
import os
import pathlib
import random
import re
import signal
import sys
import threading
import time
import traceback

sys.dont_write_bytecode = True  # a test leaves nothing behind in the source tree

import harness

# The files with tests, in parts that can run beside each other.
SUBJECTS = {
    "engine": ["conversation", "searching", "clock", "pondering", "information", "position", "options", "levels",
               "tablebases", "books", "chess960", "process", "robustness"],
    "commands": ["debug_log", "replay", "annotate", "mcp", "commands", "command_line", "chenserver", "json_messages",
                 "json_schema", "chezz", "xboard", "testers"],
    "servers": ["chenserver_net", "chenserver_programs", "chezz_api", "chezz_trouble"],
    "serve": ["serve", "serve_store", "serve_servers", "proxy", "configuration", "admin"],
    "remote": ["listen", "connect"],
    "queue": ["workers", "server_workers"],
    "tls": ["redis_tls"]}


def arguments():
    parser = argparse.ArgumentParser(description="Session tests on a UCI engine.")
    parser.add_argument("engine")
    parser.add_argument("--slow", type=float, default=float(os.environ.get("PARLEY_SLOW", 1)))
    parser.add_argument("--limit", type=float, default=3600, metavar="S",
                        help="end a run that takes longer (default: 3600 seconds)")
    parser.add_argument("--sample", type=float, metavar="S", default=os.environ.get("PARLEY_SAMPLE") or None,
                        help="begin no more tests after S seconds")
    parser.add_argument("--seed", type=int, default=datetime.date.today().toordinal(), metavar="N",
                        help="of a sample's order (default: the day)")
    parser.add_argument("--part", choices=SUBJECTS, help="only what concerns this part")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--list", action="store_true", help="say what would be tested")
    parser.add_argument("--verbose", action="store_true", help="show whole conversations")
    return parser.parse_args()


RUNNING = {}  # the tests that run now, and since when


def end_run(limit):
    """Tells what hangs, for a run that takes longer than `limit` seconds, and ends the process."""
    for name, since in sorted(RUNNING.items(), key=lambda item: item[1]):
        print(f"FAIL {time.monotonic() - since:6.2f} s  {name}\n"
              f"       still runs after {limit:.0f} s of all tests")
    sys.stdout.flush()
    faulthandler.dump_traceback(sys.stdout, all_threads=True)
    for child in children():
        os.kill(child, signal.SIGKILL)
    os._exit(1)


def children():
    """The processes that this one has started, on Linux."""
    return [int(number) for file in pathlib.Path("/proc/self/task").glob("*/children")
            for number in file.read_text().split()]


def perform(test, start):
    """Runs one test. What went wrong, or None."""
    given = {"start": start}
    try:
        wanted = list(inspect.signature(test.function).parameters)[len(test.arguments):]
        if "engine" in wanted:
            given["engine"] = start()
        test.function(*test.arguments, **{name: given[name] for name in wanted})
        for engine in start.engines:
            engine.finish()
    except harness.Failure as failure:
        return str(failure)
    except harness.Skip:
        raise
    except Exception as surprise:  # whatever it is, the other tests go on
        return f"{type(surprise).__name__}: {surprise}\n{traceback.format_exc(limit=-3)}"
    finally:
        for engine in start.engines:
            engine.kill()
    return None


def report(test, failure, skipped, seconds, start, verbose):
    word = "skip" if skipped else "FAIL" if failure else "ok"
    if word == "ok" and not verbose and not sys.stdout.isatty():
        return word
    print(f"{word:4} {seconds:6.2f} s  {test.subject}: {test.sentence}")
    if skipped:
        print(f"       {skipped}")
    if failure:
        print(f"       {failure}")
    if failure or verbose:
        for engine in start.engines:
            for line in list(engine.transcript)[-(400 if verbose else 14):]:
                print(f"       | {line}")
            if engine.last_errors:
                print(f"       stderr: {engine.last_errors}")
    sys.stdout.flush()
    return word


def has_sanitizer_report(failure, start):
    texts = [failure, *(engine.last_errors for engine in start.engines)]
    return any(harness.SANITIZER.search(text) for text in texts)


def outcome(test, command, asked, tries=None):
    """Runs a test and tells how it went; the word for that. With a slow program a test has two tries,
    because it may be late by more than --slow when others run beside it; but not when a sanitizer has
    reported something. A first failure is printed too."""
    tries = tries or (2 if asked.slow > 1 else 1)
    start = harness.Starter(command, asked.slow)
    name = f"{test.subject}: {test.sentence}"
    RUNNING[name] = started_at = time.monotonic()
    failure = skipped = None
    try:
        failure = perform(test, start)
    except harness.Skip as skip:
        skipped = str(skip)
    finally:
        del RUNNING[name]
    word = report(test, failure, skipped, time.monotonic() - started_at, start, asked.verbose)
    if failure and tries > 1 and not has_sanitizer_report(failure, start):
        print(f"       {test.subject}: {test.sentence}: once more")
        return outcome(test, command, asked, tries - 1)
    return word


def main():
    asked = arguments()
    command = os.path.abspath(asked.engine)
    if not os.access(command, os.X_OK):
        sys.exit(f"run.py: {asked.engine} is not a program")
    subjects = [subject for part in ([asked.part] if asked.part else SUBJECTS)
                for subject in SUBJECTS[part]]
    for subject in subjects:
        importlib.import_module(subject)
    # A subject may import another one, of the other part.
    tests = [test for test in harness.TESTS if test.subject in subjects
             and re.search(asked.only, f"{test.subject}: {test.sentence}")]
    if asked.list:
        for test in tests:
            print(f"{test.subject}: {test.sentence}")
        return 0
    began = time.monotonic()
    end = float("inf")
    if asked.sample:
        random.Random(asked.seed).shuffle(tests)
        end = began + asked.sample

    def word_for(test):
        return outcome(test, command, asked) if time.monotonic() < end else "left out"

    watchdog = threading.Timer(asked.limit, end_run, [asked.limit])
    watchdog.daemon = True
    watchdog.start()
    with concurrent.futures.ThreadPoolExecutor(max_workers=8) as beside:
        outcomes = [beside.submit(word_for, test) for test in tests if test.patient]
        words = [word_for(test) for test in tests if not test.patient]
        words += [waiting.result() for waiting in outcomes]
    failed = words.count("FAIL")
    skips = words.count("skip")
    sample = f" of {len(tests)}, sample {asked.seed}," if asked.sample else ","
    begun = len(tests) - words.count("left out")
    print(f"{begun} session tests{sample} {failed} failed, "
          f"{skips} skipped, {time.monotonic() - began:.0f} s")
    return 1 if failed or not begun else 0


if __name__ == "__main__":
    sys.exit(main())
