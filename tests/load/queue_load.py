#!/usr/bin/env python3
"""Measures the queue by jobs that do nothing or only wait, so that the processor is not what limits it: jobs a second,
time for each job, growth with the workers, up to 1,000 of them, and recovery from a killed worker.

usage: queue_load.py PARLEY [--jobs 50000] [--check | --tls]

--check fails below 2,000 jobs a second with four workers, a quarter of what a machine with two free cores reaches, so
that a busy one passes too. --tls compares a Redis with TLS to one without, by turns.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "session"))

import harness
from chezz_client import Redis
from secure_redis import Authority, SecureRedis
from worker_client import Workers


def measure(workers, *options):
    [line] = workers.run("queue", "measure", "--json", *options, within=300).lines
    return json.loads(line)


def with_threads(start, *threads, make_redis=Redis):
    workers = Workers(start, make_redis)
    for count in threads:
        workers.start("--threads", str(count))
    total = sum(threads)
    workers.wait_for(lambda status: status["threads"] == total, "there")
    return workers


def redis_seconds(workers):
    """Processor time that Redis has used."""
    info = workers.redis.command("INFO", "cpu")
    values = dict(line.split(":") for line in info.splitlines() if ":" in line)
    return float(values["used_cpu_sys"]) + float(values["used_cpu_user"])


def throughput(start, jobs, make_redis=Redis):
    """Jobs a second, and ms for one job at a time."""
    with with_threads(start, 1, 1, 1, 1, make_redis=make_redis) as workers:
        measure(workers, "--jobs", "2000")
        before = redis_seconds(workers)
        found = measure(workers, "--jobs", str(jobs))
        cpu = redis_seconds(workers) - before
        print(f"empty jobs, 4 workers: {found['jobs_per_second']:.0f} jobs/s; Redis {1e6 * cpu / jobs:.0f} us "
              f"of its processor for each job", flush=True)
        one = measure(workers, "--jobs", "2000", "--window", "1")
        print(f"one job at a time: {one['interval_median_ms']:.3f} ms (median), {one['interval_99_ms']:.3f} ms (99 %) "
              "from adding it to its result", flush=True)
        return found["jobs_per_second"], one["interval_median_ms"]


def compare_tls(start, jobs):
    with Authority() as authority:
        runs = {"plain": [], "TLS": []}
        for _ in range(5):
            for name, make_redis in (("plain", Redis), ("TLS", lambda slow: SecureRedis(slow, authority))):
                print(f"{name}: ", end="")
                runs[name].append(throughput(start, jobs, make_redis))
    for column, what in enumerate(("jobs/s", "ms for one job")):
        plain, tls = (statistics.median(run[column] for run in runs[name]) for name in ("plain", "TLS"))
        print(f"{what}, median: {plain:.4g} plain, {tls:.4g} with TLS, ratio {tls / plain:.2f}", flush=True)


def growth(start):
    for threads in (1, 2, 4):
        with with_threads(start, *[1] * threads) as workers:
            found = measure(workers, "--jobs", str(50 * threads), "--pause", "100")
            print(f"jobs of 100 ms, {threads} workers: {found['jobs_per_second']:.1f} jobs/s", flush=True)
    for threads in (100, 300, 1000):
        with with_threads(start, threads) as workers:
            found = measure(workers, "--jobs", str(5 * threads), "--pause", "1000", "--window", str(2 * threads))
            print(f"jobs of 1 s, {threads} threads with a connection each: {found['jobs_per_second']:.0f} jobs/s of "
                  f"{threads}", flush=True)


def recovery(start):
    with with_threads(start, 1) as workers:
        producer = subprocess.Popen([start.command, "queue", "measure", "--jobs", "1", "--pause", "2000", "--queue",
                                     workers.url], stdout=subprocess.DEVNULL)
        workers.wait_for(lambda status: status["busy"] == 1, "busy")
        workers.running[0].kill()
        began = time.monotonic()
        workers.start()
        producer.wait(60)
        print(f"a worker killed: its job of 2 s was done by another after {time.monotonic() - began:.1f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parley")
    parser.add_argument("--jobs", type=int, default=50000)
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--check", action="store_true")
    kinds.add_argument("--tls", action="store_true")
    options = parser.parse_args()
    start = harness.Starter(options.parley, 1)
    try:
        if options.tls:
            compare_tls(start, options.jobs)
            return 0
        per_second, _ = throughput(start, 5000 if options.check else options.jobs)
    except harness.Skip as reason:
        print(reason)
        return 77
    if options.check:
        return 0 if per_second >= 2000 else 1
    growth(start)
    recovery(start)
    return 0


sys.exit(main())
