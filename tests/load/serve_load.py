#!/usr/bin/env python3
"""Load tests for `parley serve`. Each prints what it measured and fails when a limit is passed.

usage: serve_load.py ENGINE boards [--boards 2000] [--seconds 60] [--period 10]
       serve_load.py ENGINE abuse [--abusers 100] [--games 10] [--seconds 60] [--worst 50]
       serve_load.py ENGINE soak [--clients 50] [--seconds 3600] [--growth 8]

boards: so many games, each watched over a WebSocket and moved in by POST about every `period` seconds.
abuse:  clients with an address each break every limit as fast as they can, while both players of
        honest games move. 99 % of the honest moves must be confirmed within `worst` milliseconds.
soak:   clients of all kinds come, play and go. Between the second and the last sixth of the time the
        server's memory may grow by `growth` MB at most.
"""
import argparse
import asyncio
import json
import multiprocessing
import os
import pathlib
import random
import re
import sys
import tempfile
import time
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "session"))

import harness
from json_messages import GET_MOVESET, NEW_GAME, move
from serve import FOLLOW, allow_files, engine_move, take_seat
from web import Server
from websocket_client import AsyncWebSocketClient, Refused

CONFIRM_WITHIN = 30  # seconds; later is never


def percentiles(times):
    """The median, 99 % and the longest, in milliseconds."""
    times = sorted(times)
    return [1000 * times[min(len(times) - 1, int(len(times) * part))] for part in (0.5, 0.99, 1)]


def report(what, times):
    """Prints percentiles and returns the 99 %."""
    if not times:
        sys.exit(f"{what}: nothing was measured")
    median, most, longest = percentiles(times)
    print(f"{what}: {len(times)}, median {median:.2f} ms, 99 % {most:.2f} ms, longest {longest:.1f} ms",
          flush=True)
    return most


class Client:
    """A WebSocket client whose messages wait in a queue."""

    @classmethod
    async def connect(cls, port, path="/socket", address=None):
        """With `address` the client is one that a proxy has forwarded."""
        self = cls()
        self.messages = asyncio.Queue()
        headers = {"X-Forwarded-For": address} if address else {}
        self.socket = await AsyncWebSocketClient.connect(port, path, headers, self.on_message)
        return self

    def on_message(self, _, payload):
        self.messages.put_nowait((time.monotonic(), payload))

    def send(self, message):
        self.socket.send(message)

    async def receive(self, *types):
        """The next message of one of these types and when it arrived; others are skipped."""
        async with asyncio.timeout(CONFIRM_WITHIN):
            while True:
                at, payload = await self.messages.get()
                message = json.loads(payload)
                if message["message_type"] in types:
                    return at, message

    async def request(self, message, *types):
        self.send(message)
        return (await self.receive(*types))[1]

    def close(self):
        self.socket.transport.close()


def random_move(moveset, rng):
    """A legal move as a message; the choice of a promotion is a message of its own."""
    start = rng.choice(sorted(moveset["moves"]))
    return move(start, rng.choice(sorted(moveset["moves"][start])))


# Honest games.

class HonestGame:
    """Two players with seats who play random moves at a leisurely pace."""

    def __init__(self, port, number):
        self.port = port
        self.rng = random.Random(number)
        self.address = f"172.16.{number // 250}.{number % 250 + 1}"
        self.times = []

    async def start(self):
        white = await Client.connect(self.port, address=self.address)
        game = await white.request(FOLLOW, "game")
        black = await Client.connect(self.port, f"/game/{game['id']}", self.address)
        self.players = [white, black]
        for player, name in zip(self.players, ("white", "black")):
            await player.request(take_seat(name, f"{self.address:0>16}{name}"), "seat_taken")

    async def play(self, until, period):
        moveset = await self.players[0].request(GET_MOVESET, "next_legal_moveset")
        while True:
            await self.play_game(moveset, until, period)
            if time.monotonic() > until:
                return
            moveset = await self.players[0].request(NEW_GAME, "next_legal_moveset")
            await self.players[1].receive("next_legal_moveset")

    async def play_game(self, moveset, until, period):
        """Plays to the end of the game, or resigns after 400 plies."""
        for ply in range(400):
            await asyncio.sleep(period * self.rng.uniform(0.5, 1.5))
            if time.monotonic() > until:
                return
            mover, opponent = self.players[ply % 2], self.players[1 - ply % 2]
            began = time.monotonic()
            mover.send(random_move(moveset, self.rng))
            at, answer = await mover.receive("next_legal_moveset", "promotion_prompt", "failure", "game_end")
            if answer["message_type"] == "promotion_prompt":
                mover.send({"message_type": "piece_promotion_choice", "piece_choice": "queen"})
                at, answer = await mover.receive("next_legal_moveset")
            if answer["message_type"] == "failure":
                sys.exit(f"a legal move was refused: {answer}")
            if answer["message_type"] == "game_end":
                return  # the move before was the last one
            heard, moveset = await opponent.receive("next_legal_moveset")
            self.times += [at - began, heard - began]
            if not moveset["moves"]:
                return
        self.players[0].send({"message_type": "resignation", "player": "white"})
        await self.players[0].receive("game_end")


# Abuse. Each kind goes on until it is cancelled; a refusal is what it expects.

async def flood_with_new_games(port, address, _):
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        body = json.dumps(NEW_GAME)
        for _ in range(50):
            writer.write((f"POST /message HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                          f"X-Forwarded-For: {address}\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode())
        await writer.drain()
        await reader.read(65536)
        writer.close()


async def open_connections(port, address, _):
    """More WebSockets than one client may have, all silent."""
    while True:
        clients = []
        try:
            while True:
                clients.append(await Client.connect(port, address=address))
        except (Refused, ConnectionError):
            pass
        await asyncio.sleep(1)
        for client in clients:
            client.close()


async def send_half_requests(port, address, _):
    """Many connections that never end the head of their request."""
    while True:
        writers = []
        for _ in range(50):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"POST /message HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: " + address.encode())
            writers.append(writer)
        await asyncio.sleep(1)
        for writer in writers:
            writer.close()


def flood(*messages):
    """Many messages at once over one WebSocket, again and again."""
    async def run(port, address, _):
        while True:
            client = await Client.connect(port, address=address)
            for _ in range(20):
                for message in messages:
                    for _ in range(20):
                        client.send(message)
                await asyncio.sleep(0.05)
                while not client.messages.empty():
                    client.messages.get_nowait()
            client.close()
    return run


async def read_nothing(port, address, _):
    """Asks for much and reads none of it."""
    while True:
        client = await Client.connect(port, address=address)
        client.socket.transport.pause_reading()
        for _ in range(200):
            client.send({"message_type": "get_positions", "from": 0})
            client.send(FOLLOW)
        await asyncio.sleep(2)
        client.socket.transport.abort()


async def send_garbage(port, address, rng):
    while True:
        client = await Client.connect(port, address=address)
        for _ in range(20):
            client.send(rng.choice(["{" * 30000, "\0" * 10, '{"message_type":"' + "x" * 30000 + '"}', "[]"]))
            await asyncio.sleep(0.02)
        client.close()


async def search_in_many_games(port, address, _):
    """More searches than one client may have, each as long as possible."""
    while True:
        clients = []
        try:
            for _ in range(40):
                clients.append(await Client.connect(port, address=address))
                clients[-1].send(engine_move(milliseconds=60000))
        except (Refused, ConnectionError):
            pass
        await asyncio.sleep(3)
        for client in clients:
            client.close()


ABUSES = [
    flood_with_new_games, open_connections, send_half_requests, read_nothing, send_garbage,
    search_in_many_games,
    flood({"message_type": "hint", "milliseconds": 60000}),
    flood(engine_move(milliseconds=60000), NEW_GAME),
    flood({"message_type": "explain"}),
    flood({"message_type": "start_analysis"}, {"message_type": "stop_analysis"}),
    flood(move("E2", "E4"), {"message_type": "start_review"}, {"message_type": "take_back"}),
]


async def abuse(port, count):
    async def one(number):
        address = f"10.1.{number // 250}.{number % 250 + 1}"
        kind = ABUSES[number % len(ABUSES)]
        while True:
            try:
                await kind(port, address, random.Random(number))
            except (Refused, ConnectionError, OSError):
                await asyncio.sleep(0.1)  # refused: again
    await asyncio.gather(*(one(number) for number in range(count)))


def run_abusers(port, count):
    """The whole of a process of its own, so that it does not delay what the honest games measure."""
    allow_files(16_000)
    os.nice(5)
    asyncio.run(abuse(port, count))


async def play_honest_games(port, count, seconds):
    games = [HonestGame(port, number) for number in range(count)]
    for game in games:
        await game.start()
    until = time.monotonic() + seconds
    await asyncio.gather(*(game.play(until, 0.5) for game in games))
    return [took for game in games for took in game.times]


def counts(server):
    """What the server has counted, by name and labels."""
    port = re.search(r"admin on \S+ port (\d+)", server.errors())[1]
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return {name: float(value) for name, value in
            (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


def check_abuse(counted):
    """Prints what the abusers have done, and fails if a kind of limit was not reached."""
    for name, value in counted.items():
        if value and re.match("parley_(connections|http|games|searches)_.*total", name):
            print(f"  {name} {value:.0f}")
    for name in ("parley_searches_refused_total", 'parley_http_requests_total{status="429"}'):
        if not counted.get(name):
            sys.exit(f"{name} is 0: no abuse")


def test_abuse(start, options):
    with Server(start, "serve", "--trust-proxy", "127.0.0.1", "--admin", "127.0.0.1:0") as server:
        alone = asyncio.run(play_honest_games(server.port, options.games, options.seconds / 4))
        report("honest moves alone", alone)
        abusers = multiprocessing.Process(target=run_abusers, daemon=True,
                                          args=(server.port, options.abusers))
        abusers.start()
        time.sleep(2)
        times = asyncio.run(play_honest_games(server.port, options.games, options.seconds))
        alive = abusers.is_alive()
        abusers.kill()
        most = report(f"honest moves beside {options.abusers} abusers", times)
        print(f"the server has {server.resident_mb():.0f} MB", flush=True)
        check_abuse(counts(server))
        if not alive:
            sys.exit("the abusers have ended early")
        if most > options.worst:
            sys.exit(f"99 % took up to {most:.1f} ms, more than {options.worst} ms")


# Many boards.

async def post(port, game, message):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    body = json.dumps(message)
    writer.write((f"POST /game/{game} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
                  f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
    answer = await reader.read()
    writer.close()
    return answer


class Board:
    """A game that is watched over a WebSocket and moved in by POST."""

    def __init__(self, port, number):
        self.port = port
        self.rng = random.Random(number)
        self.times = []

    async def open(self):
        self.watcher = await Client.connect(self.port)
        self.id = (await self.watcher.request(FOLLOW, "game"))["id"]
        self.moveset = await self.watcher.request(GET_MOVESET, "next_legal_moveset")

    async def play(self, until, period):
        await asyncio.sleep(self.rng.uniform(0, period))
        while time.monotonic() < until:
            began = time.monotonic()
            answer = await post(self.port, self.id, random_move(self.moveset, self.rng))
            if b"promotion_prompt" in answer:
                answer = await post(self.port, self.id, {"message_type": "piece_promotion_choice",
                                                         "piece_choice": "queen"})
            if b" 200 " not in answer.split(b"\r\n", 1)[0]:
                sys.exit(f"a legal move was refused: {answer}")
            at, self.moveset = await self.watcher.receive("next_legal_moveset")
            self.times.append(at - began)
            if not self.moveset["moves"] or b"game_end" in answer:
                await post(self.port, self.id, NEW_GAME)
                self.moveset = (await self.watcher.receive("next_legal_moveset"))[1]
            await asyncio.sleep(period * self.rng.uniform(0.5, 1.5))


async def watch_boards(server, options):
    boards = [Board(server.port, number) for number in range(options.boards)]
    for i in range(0, len(boards), 50):
        await asyncio.gather(*(board.open() for board in boards[i:i + 50]))
    print(f"{len(boards)} boards are watched, the server has {server.resident_mb():.0f} MB", flush=True)
    until = time.monotonic() + options.seconds
    await asyncio.gather(*(board.play(until, options.period) for board in boards))
    report("moves until the watcher has them", [took for board in boards for took in board.times])
    print(f"the server has {server.resident_mb():.0f} MB", flush=True)
    lost = sum(board.watcher.socket.lost for board in boards)
    if lost:
        sys.exit(f"{lost} watchers have lost their connection")


def test_boards(start, options):
    with Server(start, "serve") as server:
        asyncio.run(watch_boards(server, options))


# Hours.

async def visit(port, rng):
    """A client that comes, does what visitors do, and goes."""
    client = await Client.connect(port)
    await client.request(FOLLOW, "game")
    moveset = await client.request(NEW_GAME, "next_legal_moveset")
    kind = rng.randrange(4)
    for _ in range(rng.randrange(1, 60)):
        await client.request(random_move(moveset, rng), "next_legal_moveset", "promotion_prompt")
        answer = await client.request(engine_move(nodes=500, elo=1000) if kind else engine_move(nodes=2000),
                                      "next_legal_moveset", "failure", "game_end")
        if answer["message_type"] != "next_legal_moveset" or not answer["moves"]:
            break
        moveset = answer
        if kind == 1:
            await client.request({"message_type": "hint", "nodes": 1000}, "hint", "failure")
        if kind == 2 and rng.random() < 0.02:
            await client.request({"message_type": "explain"}, "explanation", "failure")
        await asyncio.sleep(rng.uniform(0, 4))
    if kind == 3:
        client.send({"message_type": "start_analysis"})
        await asyncio.sleep(1)
    client.close()


async def visitor(port, number, until):
    rng = random.Random(number)
    while time.monotonic() < until:
        try:
            await visit(port, rng)
        except (TimeoutError, Refused) as error:
            sys.exit(f"a visitor got no answer: {error!r}")


async def visit_and_measure(server, options):
    began = time.monotonic()
    until = began + options.seconds
    visitors = [asyncio.ensure_future(visitor(server.port, number, until))
                for number in range(options.clients)]
    memory = []
    while time.monotonic() < until:
        await asyncio.sleep(options.seconds / 60)
        memory.append(server.resident_mb())
        print(f"{time.monotonic() - began:5.0f} s: {memory[-1]:.1f} MB", flush=True)
        for task in visitors:
            if task.done():
                task.result()
    await asyncio.gather(*visitors)
    return memory


def test_soak(start, options):
    with (tempfile.TemporaryDirectory() as folder,
          Server(start, "serve", "--hash", "4", "--store", f"{folder}/games.sqlite") as server):
        memory = asyncio.run(visit_and_measure(server, options))
    sixth = len(memory) // 6
    settled, last = max(memory[sixth:2 * sixth]), max(memory[-sixth:])
    print(f"memory: up to {settled:.1f} MB in the second sixth of the time, {last:.1f} MB in the last")
    if last > settled + options.growth:
        sys.exit(f"it has grown by {last - settled:.1f} MB")


TESTS = {"boards": test_boards, "abuse": test_abuse, "soak": test_soak}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("engine")
    parser.add_argument("test", choices=TESTS)
    parser.add_argument("--boards", type=int, default=2000)
    parser.add_argument("--period", type=float, default=10)
    parser.add_argument("--abusers", type=int, default=100)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--worst", type=float, default=50)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--growth", type=float, default=8)
    parser.add_argument("--seconds", type=float)
    options = parser.parse_args()
    if options.seconds is None:
        options.seconds = 3600 if options.test == "soak" else 60
    start = harness.Starter(os.path.abspath(options.engine), 1)
    try:
        allow_files(16_000)
        TESTS[options.test](start, options)
    except harness.Skip as reason:
        print(f"skipped: {reason}")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
