#!/usr/bin/env python3
"""Annotates games by workers while one of them, drawn at random, is killed with -9 every second. The output must be
that of one process, byte for byte.

usage: queue_kills.py PARLEY [--positions 1000] [--nodes 20000] [--workers 4] [--restart-redis] [--seed 1]
"""
import argparse
import os
import random
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "session"))

import harness
from worker_client import Workers


def random_games(parley, positions, seed):
    """PGN with at least so many positions: openings of genfens, continued by searches of a few nodes."""
    plies = 40
    count = -(-positions // (plies + 1))
    made = subprocess.run([parley, "genfens", str(count), "seed", str(seed), "book", "None"], capture_output=True, text=True, check=True)
    fens = [line.split("genfens ", 1)[1] for line in made.stdout.splitlines() if "genfens " in line]
    games = []
    for number, fen in enumerate(fens, 1):
        moves = []
        engine = subprocess.Popen([parley], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(plies):
            line = f"position fen {fen}" + (" moves " + " ".join(moves) if moves else "")
            engine.stdin.write(f"{line}\ngo nodes 300\n")
            engine.stdin.flush()
            answer = next((said for said in engine.stdout if said.startswith("bestmove")), None)
            if answer is None:
                sys.exit(f"{parley} ended while it played {fen}")
            if "(none)" in answer:
                break
            moves.append(answer.split()[1])
        engine.communicate("quit\n")
        games.append(f'[White "game {number}"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n{" ".join(moves)} *\n\n')
    return "".join(games).encode()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parley")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=20000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--restart-redis", action="store_true", help="also restart Redis after 10 seconds")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    games = random_games(options.parley, options.positions, options.seed)
    command = [options.parley, "annotate", "--nodes", str(options.nodes)]
    began = time.monotonic()
    alone = subprocess.run(command, input=games, capture_output=True, check=True)
    print(f"one process: {time.monotonic() - began:.1f} s, {alone.stdout.count(b'[%eval')} evaluations", flush=True)
    start = harness.Starter(options.parley, 1)
    draw = random.Random(options.seed)
    kills = 0
    try:
        redis = Workers(start)
    except harness.Skip as reason:
        print(reason)
        return 77
    with redis as workers:
        alive = [workers.start() for _ in range(options.workers)]
        began = time.monotonic()
        producer = subprocess.Popen([*command, "--queue", workers.url], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        done = []
        reader = threading.Thread(target=lambda: done.append(producer.communicate(games)))
        reader.start()
        is_restarted = not options.restart_redis
        while reader.is_alive():
            reader.join(1)
            index = draw.randrange(len(alive))
            alive[index].kill()
            alive[index] = workers.start()
            kills += 1
            if not is_restarted and time.monotonic() - began > 10:
                workers.redis.end()
                workers.redis.start()
                is_restarted = True
        seconds = time.monotonic() - began
        out, errors = done[0]
        dead = workers.status()["dead"]
    same = out == alone.stdout
    print(f"{options.workers} workers, {kills} killed: {seconds:.1f} s, exit status {producer.returncode}, "
          f"{dead} jobs put aside, output {'equal' if same else 'DIFFERENT'}")
    sys.stderr.write(errors.decode())
    return 0 if same and producer.returncode == 0 else 1


sys.exit(main())
