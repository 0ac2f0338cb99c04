#!/usr/bin/env python3
"""Many games at once against `parley chezz`: both players of each are connected, and every game
makes a move each second or so. Prints how long moves took to be confirmed, and how much of the
processors the server and this script took.

usage: chezz_load.py ENGINE [--games 1000] [--seconds 20] [--period 1.0] [--redis] [--kill]
                     [--slow 1]

--kill ends the server with SIGKILL in the middle and starts it again: every move that a client
heard of must be there, byte by byte; then the games go on. --redis keeps the games in a
redis-server of its own. --slow is for builds with sanitizers.
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
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "session"))

import chezz
import chezz_client
import harness

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


def masked(opcode, payload):
    """A client's frame. Its mask is zero: here nobody needs to be misled."""
    return bytes([0x80 | opcode, 0x80 | len(payload), 0, 0, 0, 0]) + payload


class Socket(asyncio.Protocol):
    """A WebSocket with no more than is needed here: what is heard goes to a function."""

    def __init__(self, hear):
        self.hear = hear
        self.received = b""
        self.opened = asyncio.get_running_loop().create_future()
        self.lost = False

    @classmethod
    async def connect(cls, port, path, cookie, hear):
        _, socket = await asyncio.get_running_loop().create_connection(
            lambda: cls(hear), "127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        socket.transport.write((
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\nCookie: {cookie}\r\n\r\n").encode())
        await socket.opened
        return socket

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, error):
        self.lost = True
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the server has hung up"))

    def data_received(self, data):
        self.received += data
        if not self.opened.done():
            head, found, rest = self.received.partition(b"\r\n\r\n")
            if not found:
                return
            self.received = rest
            if b" 101 " not in head.split(b"\r\n")[0]:
                self.opened.set_exception(ConnectionError(head.decode()))
                return
            self.opened.set_result(None)
        while self.take_frame():
            pass

    def take_frame(self):
        data = self.received
        if len(data) < 4:
            return False
        start, size = (4, int.from_bytes(data[2:4], "big")) if data[1] == 126 else (2, data[1])
        if len(data) < start + size:
            return False
        payload, self.received = data[start:start + size], data[start + size:]
        if data[0] & 15 == TEXT:
            self.hear(self, payload)
        elif data[0] & 15 == PING:
            self.transport.write(masked(PONG, payload))
        return True


async def request(port, method, path, cookie=""):
    """The body of the answer, and the cookie that came with it."""
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
    """A game that its two players play by heart. `acknowledged` moves were heard of by someone."""

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
        self.still_to_hear = 0
        for cookie, relation in zip(self.cookies, ("white", "black")):
            self.expected = b'{"type":"init","relation":"%s"}' % relation.encode()
            self.told = asyncio.get_running_loop().create_future()
            self.sockets.append(await Socket.connect(self.port, f"/play/{self.number}", cookie,
                                                     self.hear_init))
            await self.told
            self.sockets[-1].hear = self.hear

    def hear_init(self, _, text):
        if not self.told.done():
            self.told.set_result(None)
            if text != self.expected:
                self.faults.append(f"came in and heard {text}")

    def play(self, until, period):
        """A move now and then, by each in turn, until both have heard the last in time."""
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
        self.still_to_hear = 2
        self.began = time.monotonic()
        self.mover.transport.write(masked(TEXT, move))

    def hear(self, socket, text):
        """Whoever hears of a move first acknowledges it; when both have, it is the next one's
        time."""
        if text.startswith(b'{"type":"state"') or text.startswith(b'{"type":"draw"'):
            return
        if self.still_to_hear == 0 or not text.startswith(self.expected):
            self.faults.append(f"heard {text} after {self.acknowledged} moves")
            self.end()
            return
        if socket is self.mover:
            self.times.append(1000 * (time.monotonic() - self.began))
        if self.still_to_hear == 2:
            self.acknowledged += 1
        self.still_to_hear -= 1
        if self.still_to_hear == 0:
            self.due = max(self.due + self.period, time.monotonic())
            self.timer = asyncio.get_running_loop().call_at(self.due, self.move)

    def end(self):
        self.timer.cancel()
        if not self.over.done():
            self.over.set_result(None)

    async def check_stored(self):
        """Whether all is there that anyone has heard of, and at most the move that was on its way
        besides; then that counts as well."""
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


def lines_to_play(start):
    """Long games, and what chezz's state is after each of their moves."""
    games = [game["moves"] for game in chezz.golden_games() if len(game["moves"]) >= 80]
    prefixes = [moves[:plies] for moves in games for plies in range(len(moves) + 1)]
    states = iter(chezz.translated(start, "chezz-encode",
                                   [json.dumps({"moves": moves}) for moves in prefixes]))
    return [{"moves": moves, "states": [next(states) for _ in range(len(moves) + 1)]}
            for moves in games]


async def in_groups(coroutines, size=50):
    """Runs many, but not too many at a time; what they return."""
    coroutines = list(coroutines)
    results = []
    for i in range(0, len(coroutines), size):
        results += await asyncio.gather(*coroutines[i:i + size])
    return results


class Measure:
    """What the server and this script take of the processors, from now on."""

    def __init__(self, server):
        self.server = server
        self.began = (time.monotonic(), server.processor_seconds(), time.process_time())

    def shares(self):
        now = (time.monotonic(), self.server.processor_seconds(), time.process_time())
        wall, server, own = (after - before for after, before in zip(now, self.began))
        return (f"server {self.server.resident_mb():.0f} MB and {100 * server / wall:.0f} % of a "
                f"processor, this script {100 * own / wall:.0f} %")


def report(games, measure):
    times = sorted(took for game in games for took in game.times)
    if times:
        at = [times[min(len(times) - 1, int(len(times) * part))] for part in (0.5, 0.9, 0.99, 1)]
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
        sys.exit(f"{len(late)} games wait for an answer for ever")


async def play_and_kill(games, server, seconds, period):
    """Plays, and kills the server in the midst of it."""
    began = time.monotonic()
    for game in games:
        game.play(began + 10 * seconds, period)
    await asyncio.sleep(seconds)
    server.kill()
    # What has arrived is still heard, but nobody says anything any more.
    for game in games:
        game.timer.cancel()
        game.period = 1e6
    while not all(socket.lost for game in games for socket in game.sockets):
        await asyncio.sleep(0.05)
    on_their_way = sum(game.still_to_hear == 2 for game in games)
    acknowledged = sum(game.acknowledged for game in games)
    server.begin()
    more = await in_groups(game.check_stored() for game in games)
    faulty = sum(bool(game.faults) for game in games)
    print(f"killed after {acknowledged} acknowledged moves, with {on_their_way} on their way: "
          f"{faulty} games have lost something, {sum(more)} have a move that nobody was told of",
          flush=True)
    for game in games:
        game.end()


async def load(server, lines, asked):
    games = [Game(server.port, lines[i % len(lines)]) for i in range(asked.games)]
    await in_groups(game.create() for game in games)
    await in_groups(game.connect() for game in games)
    print(f"{len(games)} games are connected", flush=True)
    if asked.kill:
        await play_and_kill(games, server, asked.seconds / 2, asked.period)
        await in_groups(game.connect() for game in games if not game.faults)
        await play([game for game in games if not game.faults], server, asked.seconds / 2,
                   asked.period)
    else:
        await play(games, server, asked.seconds, asked.period)
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
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--redis", action="store_true")
    asked = parser.parse_args()
    start = harness.Starter(os.path.abspath(asked.engine), asked.slow)
    with contextlib.ExitStack() as stack:
        store = chezz_client.redis_store if asked.redis else chezz_client.sqlite_store
        arguments, _ = stack.enter_context(store(asked.slow))
        server = stack.enter_context(chezz_client.Server(start, **arguments))
        asyncio.run(load(server, lines_to_play(start), asked))


if __name__ == "__main__":
    main()
