#!/usr/bin/env python3
"""Asks a ChenServer for the status of one game while another game thinks.

usage: status_latency.py ENGINE [--requests N] [--limit MILLISECONDS]

Each request has a connection of its own; the time runs from connecting to the end of the answer. The
median, the 99th percentile and the longest time are printed. The exit status is 1 if the median is
above the limit: single times also show what else the machine does.
"""
import argparse
import os
import statistics
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "session"))

import chenserver_programs
import harness

THINK_MILLISECONDS = 300_000


def milliseconds_of(server, command):
    begin = time.perf_counter()
    said = server.ask(command)
    harness.check(said == chenserver_programs.START_STATUS, f"{command!r}: {said!r}")
    return 1000 * (time.perf_counter() - begin)


def measure(start, requests):
    """The times in milliseconds of requests beside a search, sorted."""
    server = chenserver_programs.Server(start)
    answers = []
    thinking = threading.Thread(target=lambda: answers.append(
        server.ask(f"game busy think {THINK_MILLISECONDS}", within=THINK_MILLISECONDS)))
    thinking.start()
    try:
        time.sleep(0.5)  # the search has begun
        times = sorted(milliseconds_of(server, "game idle status") for _ in range(requests))
        harness.check(not answers, f"the search ended early: {answers}")
    finally:
        server.ask("game busy halt")
        thinking.join()
    harness.check(answers[0].startswith("OK "), f"think: {answers[0]!r}")
    server.finish()
    return times


def main():
    parser = argparse.ArgumentParser(description="Is status answered at once beside a search?")
    parser.add_argument("engine")
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--limit", type=float, default=5, help="for the median, in milliseconds")
    options = parser.parse_args()
    try:
        times = measure(harness.Starter(os.path.abspath(options.engine), 1), options.requests)
    except harness.Skip as skip:
        print(skip)
        return 77
    median = statistics.median(times)
    print(f"status beside a search, {len(times)} requests: median {median:.2f} ms, "
          f"99 % within {times[len(times) * 99 // 100]:.2f} ms, longest {times[-1]:.2f} ms")
    return median > options.limit


if __name__ == "__main__":
    sys.exit(main())
