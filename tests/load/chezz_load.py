#!/usr/bin/env python3
"""A load test for `parley chezz`: many games at once, each with two clients and about one move a
second. Prints how long the confirmation of a move took, how long the disk takes to flush a page,
and the processor time of the server and of this script.

usage: chezz_load.py ENGINE [--games 1000] [--seconds 20] [--period 1.0] [--redis] [--kill [N]]
                     [--strict] [--slow 1]

--kill ends the server N times (once) with SIGKILL and starts it again, after equal parts of the time: the
store must have every move that a client got, byte for byte; then the games go on, and new ones take the
place of those whose moves are all played. --redis keeps the games in a redis-server
of its own. --strict fails if the median is above that of the disk by more than a millisecond, or
the 99 % are above three times the disk's and 5 ms. --slow is for builds with sanitizers.
"""
import argparse
import asyncio
import base64
import contextlib
import json
import os
import pathlib
import random
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "session"))

import chezz
import chezz_client
import harness
from websocket_client import AsyncWebSocketClient

async def request(port, method, path, cookie=""):
    """The body of the response and its cookie."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write((f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
                  f"Cookie: {cookie}\r\nContent-Length: 0\r\n\r\n").encode())
    answer = await reader.read()
    writer.close()
    head, body = answer.decode().split("\r\n\r\n", 1)
    cookies = [line.split(": ")[1].split(";")[0] for line in head.split("\r\n")
               if line.startswith("Set-Cookie")]
    return json.loads(body), cookies[0]


class Game:
    """A game of known moves with two clients. At least one of them got each of the `acknowledged`
    moves."""

    def __init__(self, port, line):
        self.port = port
        self.moves = line["moves"]
        self.states = line["states"]
        self.acknowledged = 0
        self.times = []
        self.faults = []
        self.sockets = []

    async def create(self):
        body, white = await request(self.port, "POST", "/game")
        _, black = await request(self.port, "GET", "/health")
        self.number, self.cookies = body["game_id"], (white, black)

    async def connect(self):
        self.sockets = []
        self.unconfirmed = 0
        for cookie, relation in zip(self.cookies, ("white", "black")):
            self.expected = b'{"type":"init","relation":"%s"}' % relation.encode()
            self.joined = asyncio.get_running_loop().create_future()
            self.sockets.append(await AsyncWebSocketClient.connect(
                self.port, f"/play/{self.number}", {"Cookie": cookie}, self.on_init))
            await self.joined
            self.sockets[-1].on_message = self.on_message

    def on_init(self, _, text):
        if not self.joined.done():
            self.joined.set_result(None)
            if text != self.expected:
                self.faults.append(f"{text} on joining")

    def play(self, until, period):
        """Plays a move each `period`, until the time `until`; the future ends when both clients have
        the last move."""
        self.until, self.period = until, period
        self.due = time.monotonic() + random.random() * period
        self.over = asyncio.get_running_loop().create_future()
        self.timer = asyncio.get_running_loop().call_at(self.due, self.move)
        return self.over

    def move(self):
        if time.monotonic() >= self.until or self.acknowledged == len(self.moves) or self.faults:
            self.end()
            return
        move = self.moves[self.acknowledged].encode()
        self.expected = b'{"type":"move","uci":"%s"' % move
        self.mover = self.sockets[self.acknowledged % 2]
        self.unconfirmed = 2
        self.began = time.monotonic()
        self.mover.send(move)

    def on_message(self, socket, text):
        """The first client that gets a move acknowledges it; after both have it, the next move
        is due."""
        if text.startswith(b'{"type":"state"') or text.startswith(b'{"type":"draw"'):
            return
        if text.startswith(b'{"type":"end"') and self.is_over():
            return
        if self.unconfirmed == 0 or not text.startswith(self.expected):
            self.faults.append(f"{text} after {self.acknowledged} moves")
            self.end()
            return
        if socket is self.mover:
            self.times.append(1000 * (time.monotonic() - self.began))
        if self.unconfirmed == 2:
            self.acknowledged += 1
        self.unconfirmed -= 1
        if self.unconfirmed == 0:
            self.due = max(self.due + self.period, time.monotonic())
            self.timer = asyncio.get_running_loop().call_at(self.due, self.move)

    def end(self):
        self.timer.cancel()
        if not self.over.done():
            self.over.set_result(None)

    async def check_stored(self):
        """Checks that the store has all acknowledged moves and at most the one that was pending.
        Returns whether it has that one, which then counts as acknowledged."""
        for cookie, relation in zip(self.cookies, ("white", "black")):
            body, _ = await request(self.port, "GET", f"/game/{self.number}", cookie)
            if body.get("relation") != relation:
                self.faults.append(f"{relation} is now {body}")
                return False
        there = base64.b64decode(body["board"]).hex()
        if there not in self.states:
            self.faults.append(f"another game: {there}")
            return False
        plies = self.states.index(there)
        if not self.acknowledged <= plies <= self.acknowledged + 1:
            self.faults.append(f"{plies} moves, {self.acknowledged} were acknowledged")
            return False
        is_more = plies > self.acknowledged
        self.acknowledged = plies
        return is_more


    def is_over(self):
        return self.acknowledged == len(self.moves)


def lines_to_play(start):
    """Long games, and chezz's bytes after each of their moves."""
    games = [game["moves"] for game in chezz.golden_games() if len(game["moves"]) >= 80]
    prefixes = [moves[:plies] for moves in games for plies in range(len(moves) + 1)]
    states = iter(chezz.translated(start, "chezz-encode",
                                   [json.dumps({"moves": moves}) for moves in prefixes]))
    return [{"moves": moves, "states": [next(states) for _ in range(len(moves) + 1)]}
            for moves in games]


async def in_groups(coroutines, size=50):
    """Runs coroutines, `size` at a time; returns their results."""
    coroutines = list(coroutines)
    results = []
    for i in range(0, len(coroutines), size):
        results += await asyncio.gather(*coroutines[i:i + size])
    return results


class Measure:
    """Measures the processor time of the server and of this script."""

    def __init__(self, server):
        self.server = server
        self.began = (time.monotonic(), server.processor_seconds(), time.process_time())

    def shares(self):
        now = (time.monotonic(), self.server.processor_seconds(), time.process_time())
        wall, server, own = (after - before for after, before in zip(now, self.began))
        return (f"server {self.server.resident_mb():.0f} MB and {100 * server / wall:.0f} % of a "
                f"processor, this script {100 * own / wall:.0f} %")


def percentiles(times):
    """The median, 90 %, 99 % and the longest."""
    times = sorted(times)
    return [times[min(len(times) - 1, int(len(times) * part))] for part in (0.5, 0.9, 0.99, 1)]


def flush_times(folder, count=500):
    """How many milliseconds each write of a page and its flush took in this folder."""
    times = []
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        for _ in range(count):
            began = time.monotonic()
            os.write(file.fileno(), b"x" * 4096)
            os.fdatasync(file.fileno())
            times.append(1000 * (time.monotonic() - began))
    return times


def report(games, measure):
    times = [took for game in games for took in game.times]
    if times:
        at = percentiles(times)
        print(f"{len(games)} games, {len(times)} moves: median {at[0]:.2f} ms, 90 % {at[1]:.2f} "
              f"ms, 99 % {at[2]:.2f} ms, longest {at[3]:.1f} ms; {measure.shares()}", flush=True)


async def play(games, server, seconds, period):
    for game in games:
        game.times.clear()
    measure = Measure(server)
    began = time.monotonic()
    ends = [game.play(began + seconds, period) for game in games]
    late = (await asyncio.wait(ends, timeout=seconds + 60))[1]
    report(games, measure)
    if late:
        sys.exit(f"{len(late)} games got no answer")


def check_durability_cost(games, flushes):
    """Fails if moves wait much longer than the disk makes them."""
    moves = percentiles(took for game in games for took in game.times)
    disk = percentiles(flushes)
    if moves[0] > disk[0] + 1 or moves[2] > 3 * disk[2] + 5:
        sys.exit(f"median {moves[0]:.2f} ms and 99 % {moves[2]:.2f} ms are too long for this disk")


async def play_and_kill(games, server, seconds, period):
    """Plays, and kills the server while moves are pending."""
    began = time.monotonic()
    for game in games:
        game.play(began + 10 * seconds, period)
    await asyncio.sleep(seconds)
    server.kill()
    # Messages that have arrived still count, but no further move is sent.
    for game in games:
        game.timer.cancel()
        game.period = 1e6
    while not all(socket.lost for game in games for socket in game.sockets):
        await asyncio.sleep(0.05)
    pending = sum(game.unconfirmed == 2 for game in games)
    acknowledged = sum(game.acknowledged for game in games)
    server.start()
    more = await in_groups(game.check_stored() for game in games)
    faulty = sum(bool(game.faults) for game in games)
    print(f"killed after {acknowledged} acknowledged moves, with {pending} pending: "
          f"{faulty} games have faults, {sum(more)} have a stored move that no client got",
          flush=True)
    for game in games:
        game.end()
    return pending


async def play_and_kill_often(games, server, lines, options):
    """Plays, with all kills. The list of games gets the new ones too; those that are lost stay in it."""
    part = options.seconds / (options.kill + 1)
    playing = list(games)
    pending = 0
    for _ in range(options.kill):
        pending += await play_and_kill(playing, server, part, options.period)
        lost = [game for game in playing if game.faults]
        playing = [game for game in playing if not game.faults and not game.is_over()]
        new = [Game(server.port, random.choice(lines))
               for _ in range(options.games - len(lost) - len(playing))]
        await in_groups(game.create() for game in new)
        games += new
        playing += new
        await in_groups(game.connect() for game in playing)
    await play(playing, server, part, options.period)
    print(f"{options.kill} kills, {len(games)} games, {sum(game.acknowledged for game in games)} "
          f"acknowledged moves; {pending} were pending when the server was killed", flush=True)


async def load(server, lines, options):
    games = [Game(server.port, lines[i % len(lines)]) for i in range(options.games)]
    await in_groups(game.create() for game in games)
    await in_groups(game.connect() for game in games)
    print(f"{len(games)} games are connected", flush=True)
    if options.kill:
        await play_and_kill_often(games, server, lines, options)
    else:
        # Before and after, for the disk may have other users.
        flushes = flush_times(server.folder)
        await play(games, server, options.seconds, options.period)
        flushes += flush_times(server.folder)
        at = percentiles(flushes)
        print(f"the disk flushes a page in {at[0]:.2f} ms (median), 99 % in {at[2]:.2f} ms")
        if options.strict:
            check_durability_cost(games, flushes)
        await in_groups(game.check_stored() for game in games)
    faults = [f"game {game.number}: {fault}" for game in games for fault in game.faults]
    if faults:
        sys.exit("\n".join(faults[:20]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--period", type=float, default=1.0)
    parser.add_argument("--slow", type=float, default=1)
    parser.add_argument("--kill", type=int, nargs="?", const=1, default=0, metavar="N")
    parser.add_argument("--redis", action="store_true")
    parser.add_argument("--strict", action="store_true")
    options = parser.parse_args()
    start = harness.Starter(os.path.abspath(options.engine), options.slow)
    with contextlib.ExitStack() as stack:
        store = chezz_client.redis_store if options.redis else chezz_client.sqlite_store
        arguments, _ = stack.enter_context(store(options.slow))
        server = stack.enter_context(chezz_client.Server(start, **arguments))
        asyncio.run(load(server, lines_to_play(start), options))


if __name__ == "__main__":
    main()
