#!/usr/bin/env python3
"""Games on two servers with one Redis, of which first one and then the other is killed.

usage: serve_cluster.py PARLEY [--boards 500] [--seconds 80] [--period 4] [--engine 50] [--nodes 30000] [--seed 1]

Each board has two players, in `engine` of them one player and Parley, which searches `nodes` nodes, and 25 times as many
in every fifth of them. A player uses either server and moves about
every `period` seconds; one whose server is gone reconnects to the other. After a quarter of the time one server is
killed with SIGKILL and started again, after two quarters the other. It fails unless every game goes on after
each kill, both servers have the same game in the end, every move that was acknowledged is in it, at its place, and no
other one that its player has not sent.
"""
import argparse
import asyncio
import json
import os
import pathlib
import random
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "session"))

import harness
from chezz_client import Redis
from serve import FOLLOW, allow_files, engine_move, take_seat
from serve_load import percentiles, random_move
from web import Server
from websocket_client import AsyncWebSocketClient, Refused

COLORS = ["white", "black"]
QUEEN = {"message_type": "piece_promotion_choice", "piece_choice": "queen"}
POSITIONS = {"message_type": "get_positions", "from": 0}


class Lost(Exception):
    """The connection has ended."""


class Wrong(Exception):
    """A game is not what its players have seen of it."""


class Socket(AsyncWebSocketClient):
    """A client that hears of the end of its connection as a message that is None."""

    def connection_lost(self, error):
        super().connection_lost(error)
        self.on_message(self, None)


class Client:
    """Messages of a game at one of the servers."""

    @classmethod
    async def connect(cls, port, game=None):
        self = cls()
        self.messages = asyncio.Queue()
        path = f"/game/{game}" if game else "/socket"
        self.socket = await Socket.connect(port, path, {}, lambda _, text: self.messages.put_nowait(text))
        return self

    def send(self, message):
        self.socket.send(message)

    async def receive(self, within):
        async with asyncio.timeout(within):
            text = await self.messages.get()
        if text is None:
            raise Lost
        return json.loads(text)

    async def receive_type(self, kind, within=20):
        async with asyncio.timeout(within):
            while (message := await self.receive(within))["message_type"] != kind:
                if message["message_type"] == "failure":
                    raise Wrong(f"{kind} was refused: {message}")
        return message

    def close(self):
        self.socket.transport.abort()


class Cluster:
    """Two servers and the Redis that they share."""

    def __init__(self, start, redis):
        self.start, self.redis = start, redis
        self.servers = [self.new_server(), self.new_server()]
        self.ports = [server.port for server in self.servers]
        self.kills = []  # (time, number of the server)

    def new_server(self, port=0):
        return Server(self.start, "serve", "--store", "redis", port=port,
                      environment=self.redis.variables("cluster:"))

    def kill(self, number):
        self.kills.append((time.monotonic(), number))
        self.servers[number].kill()

    async def restart(self, number):
        self.servers[number] = await asyncio.to_thread(self.new_server, self.ports[number])

    def stop(self):
        for server in self.servers:
            server.__exit__(None)


class Game:
    """What the players of a game have seen of it."""

    def __init__(self):
        self.sent = {}  # the moves that a player has sent, by ply
        self.acknowledged = {}
        self.shown = []  # the longest list of moves that anybody has seen
        self.final = None

    def check(self, engine_color):
        """Compares it with self.final."""
        for ply, squares in self.acknowledged.items():
            if self.final[ply:ply + 1] != [squares]:
                raise Wrong(f"move {squares} at ply {ply} was acknowledged and is lost: {self.final}")
        for ply, squares in enumerate(self.final):
            if COLORS[ply % 2] != engine_color and squares not in self.sent.get(ply, ()):
                raise Wrong(f"nobody has sent {squares} at ply {ply}: {self.sent.get(ply)}")


class Board:
    """Games, one after the other, between two players or a player and the engine."""

    def __init__(self, number, options):
        self.number = number
        self.rng = random.Random(options.seed * 100_000 + number)
        self.engine_color = self.rng.choice(COLORS) if number < options.engine else None
        # Some searches are long enough to be under way when a server is killed.
        self.nodes = options.nodes * (25 if number % 5 == 0 else 1)
        self.games = [Game()]
        self.progress = []  # when it was seen that a move had been made
        self.thinks_at = None  # the server that was asked for the engine's move
        self.is_thinking = False

    @property
    def game(self):
        return self.games[-1]

    def key(self, color):
        return f"{color}-of-board-{self.number:06}"

    def show(self, state):
        """Notes a state that a client has received. Servers tell of a move one after the other."""
        played, shown = state["played"], self.game.shown
        if len(self.games) > 1 and played == self.games[-2].shown[:len(played)]:
            return  # of the game before
        common = min(len(played), len(shown))
        if played[:common] != shown[:common]:
            raise Wrong(f"board {self.number}: {shown} became {played}")
        if len(played) > len(shown):
            self.game.shown = played
            self.progress.append(time.monotonic())

    def finish(self, positions):
        """A game has ended. Whoever asks for the next one may have to do so twice, as its server was killed."""
        moves = moves_of(positions)
        if len(self.games) > 1 and not self.game.sent and moves == self.games[-2].final:
            return
        self.game.final = moves
        self.game.check(self.engine_color)
        self.games.append(Game())

    def acknowledge(self, game, ply, squares):
        game.acknowledged[ply] = squares
        if game.final is not None:
            game.check(self.engine_color)


def moves_of(positions):
    return [(position["last_move"]["from"], position["last_move"]["to"])
            for position in positions["positions"][1:]]


class Figures:
    def __init__(self):
        self.latencies = []
        self.reconnects = []
        self.refused = 0


class Player:
    """Plays one colour of a board, and also moves the engine's pieces by asking for its moves."""

    def __init__(self, board, color, cluster, options, figures):
        self.board, self.color, self.cluster = board, color, cluster
        self.options, self.figures = options, figures
        self.server = board.rng.randrange(2)
        self.rng = random.Random(board.rng.random())
        self.lost_at = None

    async def begin_board(self):
        client = await Client.connect(self.cluster.ports[self.server])
        client.send(take_seat(self.color, self.board.key(self.color)))
        await client.receive_type("seat_taken")
        client.send(FOLLOW)
        self.board.id = (await client.receive_type("game"))["id"]
        client.close()

    async def run(self, until):
        while time.monotonic() < until:
            try:
                self.client = await Client.connect(self.cluster.ports[self.server], self.board.id)
                await self.play(until)
            except (Lost, OSError, Refused):
                self.lost_at = self.lost_at or time.monotonic()
                self.server = 1 - self.server
                await asyncio.sleep(self.rng.uniform(0.05, 0.3))

    async def play(self, until):
        self.pending = self.move_at = None
        self.asked, self.finished = False, None
        for color in COLORS:
            if color in (self.color, self.board.engine_color):
                self.client.send(take_seat(color, self.board.key(color)))
        self.client.send(FOLLOW)
        while (now := time.monotonic()) < until:
            wake = min(until, self.move_at or until)
            try:
                self.handle(await self.client.receive(max(0, wake - now)))
            except TimeoutError:
                if self.move_at:
                    self.move()
            if self.pending and now - self.pending[3] > 20:
                raise Wrong(f"board {self.board.number}: a move was not answered in 20 s")
        self.client.close()

    def move(self):
        """Makes a random move."""
        self.move_at = None
        message = random_move(self.state, self.rng)
        ply = len(self.state["played"])
        squares = (message["from"], message["to"])
        game = self.board.game
        game.sent.setdefault(ply, set()).add(squares)
        self.pending = (game, ply, squares, time.monotonic())
        self.client.send(message)

    def handle(self, message):
        kind = message["message_type"]
        if kind == "game":
            self.follow(message)
        elif kind == "promotion_prompt":
            self.client.send(QUEEN)
        elif kind == "next_legal_moveset":
            self.asked = False
            if self.pending:
                game, ply, squares, began = self.pending
                self.figures.latencies.append(time.monotonic() - began)
                self.board.acknowledge(game, ply, squares)
                self.pending = None
        elif kind == "positions":
            if self.finished is self.board.game or not self.board.game.sent:
                self.board.finish(message)
                self.client.send({"message_type": "new_game"})
        elif kind == "failure":
            # The game was changed at the other server, or is being read again: what the state says counts.
            self.figures.refused += 1
            self.pending, self.asked = None, False
            self.client.send(FOLLOW)

    def follow(self, state):
        self.state = state
        self.board.show(state)
        self.board.is_thinking = state["thinking"]
        if self.lost_at:
            self.figures.reconnects.append(time.monotonic() - self.lost_at)
            self.lost_at = None
        self.move_at = None
        if self.pending:
            return
        if state.get("end"):
            if (self.color == "white" or self.board.engine_color) and self.finished is not self.board.game:
                self.finished = self.board.game
                self.client.send(POSITIONS)
        elif state.get("promoting"):
            if state["turn"] == self.color:
                self.client.send(QUEEN)
        elif state["turn"] == self.color:
            self.move_at = time.monotonic() + self.options.period * self.rng.uniform(0.5, 1.5)
        elif self.board.engine_color and not state["thinking"] and not self.asked:
            self.asked = True
            self.board.thinks_at = self.server
            self.client.send(engine_move(nodes=self.board.nodes, milliseconds=60_000,
                                         player=self.board.engine_color))


async def state_at(port, board):
    """The moves of a board as one of the servers has them, once the engine does not think."""
    client = await Client.connect(port, board.id)
    client.send(FOLLOW)
    state = await client.receive_type("game")
    while state["thinking"]:
        state = await client.receive_type("game", within=30)
    client.send(POSITIONS)
    positions = await client.receive_type("positions")
    client.close()
    return state["played"], moves_of(positions)


async def check_board(cluster, board):
    """Compares what both servers have with each other and with what the players have seen."""
    (played, moves), other = [await state_at(port, board) for port in cluster.ports]
    if (played, moves) != other:
        raise Wrong(f"board {board.number}: {played} on one server, {other[0]} on the other")
    if played[:len(board.game.shown)] != board.game.shown:
        raise Wrong(f"board {board.number}: {board.game.shown} was shown and is now {played}")
    board.game.final = moves
    board.game.check(board.engine_color)


def report(what, times):
    if times:
        median, most, longest = percentiles(times)
        print(f"{what}: {len(times)}, median {median:.1f} ms, 99 % {most:.1f} ms, longest {longest:.1f} ms", flush=True)


def report_kill(cluster, number, boards, end):
    """Prints how long it took until the games went on after a kill, and returns those that did not."""
    killed_at, server = cluster.kills[number]
    until = cluster.kills[number + 1][0] if number + 1 < len(cluster.kills) else end
    first, stuck = {}, []
    for board in boards:
        after = [at for at in board.progress if killed_at < at < until]
        if after:
            first[board.number] = after[0] - killed_at
        else:
            stuck.append(board.number)
    print(f"server {server + 1} was killed {killed_at - cluster.began:.1f} s after the beginning")
    report("  until each game had its next move", list(first.values()))
    report("  of these, the engine was thinking at the killed server",
           [first[number] for number in cluster.thinking[number] if number in first])
    return stuck


async def kill_and_restart(cluster, boards, number, seconds):
    """Kills a server while the engine thinks there, if it does so soon."""
    latest = time.monotonic() + seconds / 16
    while not (thinking := [board.number for board in boards if board.is_thinking and board.thinks_at == number]):
        if time.monotonic() > latest:
            break
        await asyncio.sleep(0.01)
    cluster.thinking.append(thinking)
    cluster.kill(number)
    await asyncio.sleep(seconds / 8)
    await cluster.restart(number)


async def gather_all(tasks):
    """Waits for all tasks; the first that fails ends the others."""
    running = [asyncio.ensure_future(task) for task in tasks]
    try:
        await asyncio.gather(*running)
    finally:
        for task in running:
            task.cancel()


async def run(cluster, options):
    figures = Figures()
    boards = [Board(number, options) for number in range(options.boards)]
    players = [Player(board, color, cluster, options, figures)
               for board in boards for color in COLORS if color != board.engine_color]
    first = {player.board: player for player in players}
    for i in range(0, len(boards), 50):
        await gather_all(player.begin_board() for player in list(first.values())[i:i + 50])
    cluster.began, cluster.thinking = time.monotonic(), []
    until = cluster.began + options.seconds

    async def kills():
        for number in (0, 1):
            await asyncio.sleep(options.seconds / 4 if number == 0 else options.seconds / 8)
            await kill_and_restart(cluster, boards, number, options.seconds)

    await gather_all([kills(), *(player.run(until) for player in players)])
    await asyncio.sleep(1)
    for i in range(0, len(boards), 50):
        await gather_all(check_board(cluster, board) for board in boards[i:i + 50])
    print(f"{len(boards)} boards, {sum(board.engine_color is not None for board in boards)} against the engine, "
          f"{len(players)} players: {sum(len(board.progress) for board in boards)} moves, "
          f"{sum(len(board.games) - 1 for board in boards)} games ended, {figures.refused} requests refused", flush=True)
    report("moves until they were acknowledged", figures.latencies)
    report("reconnections", figures.reconnects)
    stuck = [report_kill(cluster, number, boards, until) for number in range(len(cluster.kills))]
    if any(stuck):
        raise Wrong(f"these boards did not go on after the kills: {stuck}")
    print("no acknowledged move is lost, and both servers have the same games")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("engine_path", metavar="parley")
    parser.add_argument("--boards", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=80)
    parser.add_argument("--period", type=float, default=4)
    parser.add_argument("--engine", type=int, default=50)
    parser.add_argument("--nodes", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        allow_files(8_000)
        start = harness.Starter(os.path.abspath(options.engine_path), 1)
        with Redis(start.slow) as redis:
            cluster = Cluster(start, redis)
            try:
                asyncio.run(run(cluster, options))
            except BaseException:
                for server in cluster.servers:
                    server.kill()
                raise
            cluster.stop()
    except harness.Skip as reason:
        print(reason)
        return 77
    except (Wrong, TimeoutError) as error:
        print(f"failed: {error!r}")
        return 1
    return 0


sys.exit(main())
