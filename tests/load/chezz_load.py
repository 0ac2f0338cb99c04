#!/usr/bin/env python3
"""Many games at once against `parley chezz`: both players of each are connected, and every game
makes a move each second or so. Prints how long moves took to be confirmed.

usage: chezz_load.py ENGINE [--games 1000] [--seconds 20] [--period 1.0] [--kill] [--redis]

--kill ends the server with SIGKILL in the middle, starts it again, and checks that every
acknowledged move is there. --redis keeps the games in a redis-server of its own.
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

import chezz_client
import harness

LINE = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7", "f1e1",
        "b7b5", "a4b3", "d7d6", "c2c3", "e8g8", "h2h3", "c6b8", "d2d4", "b8d7", "c3c4", "c7c6",
        "c4b5", "a6b5", "b1c3", "c8b7", "c1g5", "b5b4", "c3b1", "h7h6", "g5h4", "c6c5", "d4e5",
        "f6e4", "h4e7", "d8e7", "e5d6", "e7f6", "b1d2", "e4d6", "d2c4", "d6c4", "b3c4", "d7b6"]


class Socket:
    """A WebSocket in asyncio, with no more than is needed here."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    @classmethod
    async def connect(cls, port, path, cookie):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                      f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                      f"Sec-WebSocket-Version: 13\r\nCookie: {cookie}\r\n\r\n").encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.decode())
        return cls(reader, writer)

    def send(self, opcode, payload):
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        self.writer.write(bytes([0x80 | opcode, 0x80 | len(payload)]) + mask + masked)

    async def hear(self):
        while True:
            head = await self.reader.readexactly(2)
            size = head[1]
            if size == 126:
                size = int.from_bytes(await self.reader.readexactly(2), "big")
            payload = await self.reader.readexactly(size)
            if head[0] & 15 == 9:
                self.send(10, payload)
            elif head[0] & 15 == 1:
                return json.loads(payload)


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
    def __init__(self, port):
        self.port = port
        self.acknowledged = 0
        self.times = []
        self.sockets = []

    async def create(self):
        body, white = await request(self.port, "POST", "/game")
        _, black = await request(self.port, "GET", "/health")
        self.number, self.cookies = body["game_id"], (white, black)

    async def connect(self):
        self.sockets = []
        for cookie in self.cookies:
            socket = await Socket.connect(self.port, f"/play/{self.number}", cookie)
            while (await socket.hear())["type"] != "init":
                pass
            self.sockets.append(socket)

    async def play(self, until, period):
        """A move now and then, by each in turn; both hear it."""
        await asyncio.sleep(random.random() * period)
        due = time.monotonic()
        while time.monotonic() < until and self.acknowledged < len(LINE):
            move = LINE[self.acknowledged]
            began = time.monotonic()
            self.sockets[self.acknowledged % 2].send(1, move.encode())
            for number in (0, 1):
                mover = (self.acknowledged + number) % 2
                while (message := await self.sockets[mover].hear())["type"] == "state":
                    pass
                if message.get("uci") != move:
                    raise RuntimeError(f"{move} was answered by {message}")
                if number == 0:
                    self.times.append(1000 * (time.monotonic() - began))
                    acknowledged = self.acknowledged + 1
            self.acknowledged = acknowledged
            due += period
            await asyncio.sleep(max(0.0, due - time.monotonic()))

    async def plies_there(self):
        body, _ = await request(self.port, "GET", f"/game/{self.number}", self.cookies[0])
        board = base64.b64decode(body["board"])
        return (len(board) - board.index(0, 68) - 1) // 2


async def in_groups(coroutines, size=50):
    """Runs many, but not too many at a time."""
    coroutines = list(coroutines)
    for i in range(0, len(coroutines), size):
        await asyncio.gather(*coroutines[i:i + size])


def report(name, games, server):
    times = sorted(took for game in games for took in game.times)
    at = [times[min(len(times) - 1, int(len(times) * part))] for part in (0.5, 0.9, 0.99, 1)]
    print(f"{name}: {len(games)} games, {len(times)} moves, median {at[0]:.2f} ms, "
          f"90 % {at[1]:.2f} ms, 99 % {at[2]:.2f} ms, longest {at[3]:.1f} ms, "
          f"server {server.resident_mb():.0f} MB, {server.processor_seconds():.1f} s of processor "
          "time from its start")


async def load(server, asked):
    games = [Game(server.port) for _ in range(asked.games)]
    await in_groups(game.create() for game in games)
    await in_groups(game.connect() for game in games)
    print(f"{len(games)} games are connected")
    plays = [asyncio.create_task(game.play(time.monotonic() + asked.seconds, asked.period))
             for game in games]
    if not asked.kill:
        await asyncio.gather(*plays)
        report("load", games, server)
        return
    await asyncio.sleep(asked.seconds / 2)
    server.kill()
    await asyncio.gather(*plays, return_exceptions=True)
    server.begin()
    lost = extra = 0
    for game in games:
        there = await game.plies_there()
        lost += there < game.acknowledged
        extra += there > game.acknowledged
    print(f"killed after {sum(game.acknowledged for game in games)} acknowledged moves: "
          f"{lost} games have lost one, {extra} have one that nobody was told of")
    if lost:
        sys.exit(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--period", type=float, default=1.0)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--redis", action="store_true")
    asked = parser.parse_args()
    start = harness.Starter(os.path.abspath(asked.engine), 10)
    with contextlib.ExitStack() as stack:
        store = chezz_client.redis_store if asked.redis else chezz_client.sqlite_store
        arguments, _ = stack.enter_context(store(10))
        server = stack.enter_context(chezz_client.Server(start, **arguments))
        asyncio.run(load(server, asked))


if __name__ == "__main__":
    main()
