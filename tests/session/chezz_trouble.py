"""chezz's games when things go wrong: processes are killed, stores go away, clients are hostile."""
import contextlib
import json
import pathlib
import random
import re
import shutil
import sqlite3
import struct
import tempfile
import time

from chezz import translated
from chezz_client import (STORES, Browser, Redis, Server, new_seated_game,
                          play_out, redis_store, seats_across, sqlite_store)
from cutting_proxy import CuttingProxy
from harness import check, test, test_each
from parallel_requests import answer_in_time, in_parallel
from websocket_client import TEXT

DATA = pathlib.Path(__file__).parent.parent / "data" / "store"
MOVES = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"]
HISTORY = bytes.fromhex("0c1c" "3424" "0615" "392a" "0521" "3028" "2118" "3e2d" "0406" "3d34")


class SeatedGame:
    """A game and its two players, whose cookies outlive the server."""

    def __init__(self, server):
        self.white, self.black = Browser(server), Browser(server)
        self.number = self.white.create()
        self.acknowledged = 0
        self.sit_down()
        self.black.play(self.number).receive_type("init")

    def sit_down(self):
        self.sockets = [self.white.play(self.number)]
        self.sockets[0].receive_type("init")
        self.sockets.append(self.black.play(self.number))
        self.sockets[1].receive_type("init")

    def move(self):
        """Plays the next move and waits until it is acknowledged."""
        self.sockets[self.acknowledged % 2].move(MOVES[self.acknowledged])
        self.acknowledged += 1

    def begin_to_move(self):
        self.sockets[self.acknowledged % 2].send(MOVES[self.acknowledged])

    def read_what_has_arrived(self):
        """After the server's end: a move that someone was sent is acknowledged."""
        received = set()
        for socket in self.sockets:
            while (frame := socket.receive_frame()) is not None:
                if frame[0] == TEXT:
                    received.add(json.loads(frame[1]).get("uci"))
        self.acknowledged += MOVES[self.acknowledged] in received

    def plies_there(self):
        """How many plies the server knows now, which must be the right ones."""
        board = self.white.board(self.number)
        end = board.index(0, 68)
        history = board[end + 1:]
        check(HISTORY.startswith(history), f"another game: {history.hex()}")
        return len(history) // 2


@test_each(STORES)
def killed_in_the_middle_of_many_games(store, start):
    with store(start.slow) as (arguments, _), Server(start, **arguments) as server:
        states = translated(start, "chezz-encode", [json.dumps({"moves": MOVES[:plies]})
                                                    for plies in range(len(MOVES) + 1)])
        games = [SeatedGame(server) for _ in range(60)]
        for game in games:
            for _ in range(random.randrange(5)):
                game.move()
        for game in games:
            game.begin_to_move()
        server.kill()
        for game in games:
            game.read_what_has_arrived()
        server.start()
        for game in games:
            there = game.plies_there()
            check(there in (game.acknowledged, game.acknowledged + 1),
                  f"{there} plies, {game.acknowledged} were acknowledged")
            check(game.black.board(game.number).hex() == states[there], "another board")
            game.acknowledged = there
            game.sit_down()
            game.move()


@test_each(STORES)
def a_game_outlives_its_server(store, start):
    with store(start.slow) as (arguments, _), Server(start, **arguments) as server:
        game = SeatedGame(server)
        for _ in range(3):
            game.move()
        game.sockets[0].send("resign")
        check(game.sockets[1].receive_type("end")["result"] == "0-1", "it is not over")
        server.kill()
        server.start()
        check(game.plies_there() == 3, "moves are missing")
        relations = [player.game(game.number)["relation"] for player in (game.white, game.black)]
        check(relations == ["white", "black"], str(relations))
        end = game.black.play(game.number).receive_type("end")
        check(end["reason"] == "resignation", "it was forgotten")


@test
def a_file_that_commit_508fdb9_wrote_is_taken_over(start):
    """Files had no mark then. tests/data/store/make.py tells how this one was made."""
    made = json.loads((DATA / "508fdb9.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="parley-store-") as folder:
        path = shutil.copyfile(DATA / "508fdb9.sqlite", f"{folder}/games.sqlite")
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            for table in ("games", "sessions"):  # which have expired meanwhile
                database.execute(f"UPDATE {table} SET until = 9999999")
        with Server(start, store=("--store", path)) as server:
            for game in made["games"]:
                for color in ("white", "black"):
                    found = Browser(server, game[color]).game(game["number"])
                    check(found["relation"] == color, f"{color} is {found['relation']}")
                    check(found["board"] == game["board"], f"another game: {found['board']}")
            unfinished, mate = made["games"][:2]
            white, black = (Browser(server, unfinished[color]).play(unfinished["number"])
                            for color in ("white", "black"))
            black.receive_type("init")
            black.move("a7a6")
            check(white.receive_type("move")["uci"] == "a7a6", "the game does not go on")
            loser = Browser(server, mate["white"]).play(mate["number"])
            loser.send("a2a3")
            check(loser.receive_type("error")["code"] == "CHECKMATE", "the game is not over")
            Browser(server).create()
        with contextlib.closing(sqlite3.connect(path)) as database:
            marks = [database.execute(f"PRAGMA {name}").fetchone()[0]
                     for name in ("application_id", "user_version")]
            check(marks == [0x506C7947, 2], f"the marks are {marks}")


@test
def a_file_of_another_program_is_refused_and_left_as_it_is(start):
    with tempfile.TemporaryDirectory(prefix="parley-store-") as folder:
        path = f"{folder}/notes.sqlite"
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            database.execute("CREATE TABLE games (id INTEGER, record TEXT, until INTEGER)")
        before = pathlib.Path(path).read_bytes()
        run = start.run("chezz", "--port", "0", "--store", path)
        check(run.status == 1 and "another program" in run.errors, f"{run.status} {run.errors}")
        check(pathlib.Path(path).read_bytes() == before, "it was changed")


@test
def a_redis_that_is_away_is_no_game_and_no_move(start):
    with redis_store(start.slow) as (arguments, redis), Server(start, **arguments) as server:
        game = SeatedGame(server)
        game.move()
        redis.end()
        for method, path in (("POST", "/game"), ("GET", f"/game/{game.number}"),
                             ("GET", "/health"), ("GET", f"/play/{game.number}")):
            status, headers, body = game.white.request(method, path)
            check(status == 503 and json.loads(body)["code"] == 503, f"{path}: {status} {body}")
            check("Set-Cookie" not in headers, f"{path}: {headers}")
        game.begin_to_move()
        error = game.sockets[1].receive_type("error")
        check(error["code"] == "STORE_UNAVAILABLE", str(error))
        check(game.sockets[0].is_quiet(), "a move was sent that is not stored")
        lines = [line for line in server.errors().splitlines() if "store: " in line]
        check(len(lines) == 1, f"the log of its errors: {server.errors()}")
        redis.start()
        time.sleep(0.6 * start.slow)
        game.move()
        check(game.plies_there() == 2, "the game is another")
        check(game.sockets[0].receive_type("move")["uci"] == MOVES[1], "another move")
        server.check_health()


@contextlib.contextmanager
def locked_file(server, _):
    """For a while another program writes in the file."""
    other = sqlite3.connect(pathlib.Path(server.folder) / "games.sqlite", isolation_level=None)
    with contextlib.closing(other):
        other.execute("BEGIN IMMEDIATE")
        yield


@test
def while_another_program_writes_in_the_file_games_are_read_and_a_server_starts(start):
    with sqlite_store(start.slow) as (arguments, _), Server(start, **arguments) as server:
        game = SeatedGame(server)
        game.move()
        path = str(pathlib.Path(server.folder) / "games.sqlite")
        with locked_file(server, None):
            for _ in range(15):
                check(game.plies_there() == 1, "another game")
                time.sleep(0.2)
            with Server(start, store=("--store", path)) as other:
                found = Browser(other).game(game.number)
                check(found["relation"] == "observer", f"{found}")
        game.move()


def hanging_redis(_, redis):
    return redis.hanging()


@test_each([("SQLite", sqlite_store, locked_file), ("Redis", redis_store, hanging_redis)])
def a_store_that_hangs_keeps_nobody_waiting_for_others(store, hanging, start):
    with store(start.slow) as (arguments, redis), Server(start, **arguments) as server:
        game = SeatedGame(server)
        game.move()
        with hanging(server, redis):
            began = time.monotonic()
            makers = [server.connect() for _ in range(30)]
            for maker in makers:
                maker.settimeout(100 * start.slow)
                maker.sendall(b"POST /game HTTP/1.1\r\nHost: localhost\r\n"
                              b"Content-Length: 0\r\n\r\n")
            game.begin_to_move()
            for maker in makers:
                answer = maker.recv(4096)
                check(b" 503 " in answer, repr(answer))
            error = game.sockets[1].receive_type("error", within=100)
            check(error["code"] == "STORE_UNAVAILABLE", str(error))
            check(game.sockets[0].is_quiet(), "a move was sent that is not stored")
            seconds = time.monotonic() - began
            check(seconds < 3 * start.slow, f"all of them took {seconds:.1f} s")
        # A store that goes on does not take the move that it has refused.
        time.sleep(1)
        check(game.plies_there() == 1, "a move was stored that had been refused")
        game.move()
        check(game.plies_there() == 2, "the game is another")
        check(game.sockets[0].receive_type("move")["uci"] == MOVES[1], "another move")
        server.check_health()


@test
def with_a_redis_that_hangs_every_request_fails_within_two_seconds(start):
    check_requests_while_redis_hangs(redis_store, start)


def check_requests_while_redis_hangs(store, start):
    """Whenever in a call of the store, or between two, a request comes."""
    with store(start.slow) as (arguments, redis), Server(start, **arguments) as server:
        games = [SeatedGame(server) for _ in range(6)]
        for game in games:
            game.move()

        def refused(browser, method, path):
            def request():
                status, _, body = answer_in_time(lambda: browser.request(method, path),
                                                 f"{method} {path}", start.slow)
                check(status == 503 and "store of games" in body, f"{path}: {status} {body}")
            return request

        def refused_move(game):
            def move():
                game.begin_to_move()
                return game.sockets[1].receive_type("error", within=20)

            def attempt():
                error = answer_in_time(move, "a move", start.slow)
                check(error["code"] == "STORE_UNAVAILABLE", str(error))
            return attempt

        records = redis.command("DBSIZE")
        calls = [refused(Browser(server), "POST", "/game"),
                 refused(games[0].white, "POST", "/game"),
                 refused(games[0].white, "GET", f"/game/{games[0].number}"),
                 refused(games[1].black, "GET", f"/play/{games[0].number}"),
                 *map(refused_move, games)]
        with redis.hanging():
            counts = in_parallel(calls, 6)
        check(min(counts) > 1, f"too few: {counts}")
        time.sleep(0.6 * start.slow)
        for game in games:
            check(game.plies_there() == 1, "a move was stored that had been refused")
            game.move()
            check(game.sockets[0].receive_type("move")["uci"] == MOVES[1], "another move")
        check(redis.command("DBSIZE") == records, "a game was stored that had been refused")
        server.check_health()


@test
def the_engines_move_comes_when_redis_no_longer_hangs(start):
    with redis_store(start.slow) as (arguments, redis), Server(start, **arguments) as server:
        maker = Browser(server)
        player = maker.play(maker.create("?opponent=engine&movetime=300"))
        player.receive_type("init")
        player.move("e2e4")
        with redis.hanging():
            error = player.receive_type("error", within=20)
            check(error["code"] == "STORE_UNAVAILABLE", str(error))
            check(player.is_quiet(2.5), "a message for each attempt")
        check(player.receive_type("move", within=20)["uci"] != "e2e4", "no move of the engine")


class ClockProxy(CuttingProxy):
    """Leads to a Redis whose clock is `ahead` seconds ahead for those who ask for its time."""

    def __init__(self, port):
        self.ahead = 0
        super().__init__(port, interval=1_000_000)

    def changed(self, data):
        return re.sub(rb"\A\*2\r\n\$10\r\n(\d{10})\r\n",
                      lambda found: b"*2\r\n$10\r\n%d\r\n" % (int(found[1]) + self.ahead), data)


@test
def a_server_follows_a_step_of_rediss_clock(start):
    with redis_store(start.slow) as (arguments, redis), \
            contextlib.closing(ClockProxy(redis.port)) as proxy:
        proxy.ahead = -5
        arguments["variables"]["REDIS_PORT"] = str(proxy.port)
        with Server(start, **arguments) as server:
            status, _, body = Browser(server).request("POST", "/game")
            check(status == 503, f"before the step: {status} {body}")
            proxy.ahead = 0
            time.sleep(2 * start.slow)
            Browser(server).create()


@test
def a_server_starts_before_its_redis(start):
    redis = Redis(start.slow)
    redis.end()
    with redis, Server(start, store=(), variables=redis.variables()) as server:
        status, _, _ = Browser(server).request("POST", "/game")
        check(status == 503, f"status {status}")
        redis.start()
        time.sleep(0.6 * start.slow)
        Browser(server).create()


@test
def two_servers_on_one_redis_see_each_other(start):
    with redis_store(start.slow) as (arguments, redis):
        with Server(start, **arguments) as one, Server(start, **arguments) as other:
            maker = Browser(one)
            number = maker.create()
            white = maker.play(number)
            white.receive_type("init")
            guest = Browser(other)
            black = guest.play(number)
            check(black.receive_type("init")["relation"] == "black", "no seat")
            play_out(MOVES, white, black)
            black.send("resign")
            check(white.receive_type("end")["result"] == "1-0", "it is not over")
            # Each knows the other's visitors.
            check(Browser(one, guest.session).game(number)["relation"] == "black", "a stranger")


@test
def a_prefix_is_any_text(start):
    with Redis(start.slow) as redis:
        place = {"store": (), "variables": redis.variables('our "own" games: ')}
        with Server(start, **place) as one, Server(start, **place) as other:
            play_out(MOVES[:2], *seats_across(one, other))


@test
def two_servers_give_a_seat_once(start):
    with redis_store(start.slow) as (arguments, redis):
        with Server(start, **arguments) as one, Server(start, **arguments) as other:
            for _ in range(10):
                number = Browser(one).create()
                sockets = [Browser(server).play(number) for server in (one, other) * 3]
                relations = sorted(socket.receive_type("init")["relation"] for socket in sockets)
                check(relations == ["black"] + 5 * ["observer"], str(relations))


def subscribers(redis):
    """How many of Redis's clients listen for messages."""
    clients = redis.command("CLIENT", "LIST")
    return len(re.findall(r" p?sub=[1-9]", clients if isinstance(clients, str) else clients.decode()))


@test
def servers_hear_each_other_again_after_redis_was_away(start):
    check_servers_after_redis_was_away(redis_store, start)


def check_servers_after_redis_was_away(store, start):
    with store(start.slow) as (arguments, redis):
        with Server(start, **arguments) as one, Server(start, **arguments) as other:
            white, black = seats_across(one, other)
            redis.end()
            redis.start()
            until = time.monotonic() + 10 * start.slow
            while subscribers(redis) < 2:
                check(time.monotonic() < until, "the servers do not listen to redis again")
                time.sleep(0.05)
            play_out(MOVES[:2], white, black)


@test
def chezz_backs_own_games_and_sessions_are_read(start):
    with redis_store(start.slow) as (arguments, redis), Server(start, **arguments) as server:
        number, white, black = new_seated_game(server)
        play_out(MOVES[:3], white, black)
        key = next(key for key in redis.command("KEYS", "*") if "game." in key)
        check(key.startswith("chezz:game.{") and key.endswith("}") and len(key) == 24, key)
        check(redis.command("TTL", key) in range(86390, 86401), str(redis.command("TTL", key)))
        record = json.loads(redis.command("GET", key))
        check(list(record) == ["GameState", "WhitePlayer", "BlackPlayer", "GameId"], str(record))
        check(str(record["GameId"]) == number, str(record))
        redis.command("SET", "chezz:session.-P6vVCCjXRMraClAlzol",
                  json.dumps({"Data": {"test": "test"}, "SessionId": "-P6vVCCjXRMraClAlzol",
                              "UserId": record["BlackPlayer"]}))
        owner = Browser(server, "-P6vVCCjXRMraClAlzol")
        check(owner.game(number)["relation"] == "black", "the session is not known")
        check(owner.session == "-P6vVCCjXRMraClAlzol", "the session was replaced")
        # A board that is upside down, as servers kept it before there were versions.
        redis.command("SET", key, json.dumps({**record, "GameState": "AAAA"}))
        check(owner.request("GET", f"/game/{number}")[0] == 404, "a damaged game is shown")


# Hostile clients.


def frame_head(opcode, size):
    """The 14 bytes that begin a long frame."""
    return bytes([0x80 | opcode, 0x80 | 127]) + struct.pack(">Q", size) + b"mask"


@test_each([
    ("2^62 bytes", frame_head(TEXT, 1 << 62)),
    ("2^63 bytes", frame_head(TEXT, 1 << 63)),
    ("64 GiB", frame_head(TEXT, 64 << 30) + b"1234"),
    ("5000 bytes", frame_head(TEXT, 5000) + b"1234"),
    ("a ping of 200 bytes", frame_head(9, 200) + b"1234"),
    ("no mask", b"\x81\x04e2e4"),
    ("a reserved flag", b"\xc1\x84" + b"\0\0\0\0e2e4"),
    ("an unknown opcode", b"\x83\x84" + b"\0\0\0\0e2e4"),
    ("a continuation of nothing", b"\x80\x84" + b"\0\0\0\0e2e4"),
    ("text that is not UTF-8", b"\x81\x84" + b"\0\0\0\0\xff\xfe\xfd\xfc"),
    ("noise", bytes(range(256)) * 16),
])
def a_frame_that_must_not_be_ends_its_connection_alone(data, start):
    with Server(start) as server:
        number, white, black = new_seated_game(server)
        bad = Browser(server).play(number)
        bad.receive_type("init")
        bad.socket.sendall(data)
        deadline = time.monotonic() + 10 * start.slow
        while bad.receive_frame() is not None and time.monotonic() < deadline:
            pass
        play_out(MOVES[:2], white, black)
        server.check_health()


@test
def endless_fragments_end_their_connection(start):
    with Server(start) as server:
        number, white, black = new_seated_game(server)
        bad = Browser(server).play(number)
        bad.receive_type("init")
        try:
            bad.send_frame(TEXT, b"x" * 100, final=False)
            for _ in range(1000):
                bad.send_frame(0, b"x" * 100, final=False)
        except OSError:
            pass
        while (frame := bad.receive_frame()) is not None and frame[0] != 8:
            pass
        play_out(MOVES[:2], white, black)


@test
def messages_of_any_kind_are_answered_or_dropped(start):
    with Server(start) as server:
        _, white, black = new_seated_game(server)
        dice = random.Random(1)
        for _ in range(300):
            letters = dice.choice(["abcdefgh12345678", "e2e4QN.p", "\0\n\"\\{}", "äöü€"])
            text = "".join(dice.choice(letters) for _ in range(dice.randrange(12)))
            white.send(text)
            check(white.receive()["type"] in ("error", "move"), text)
        server.check_health()


@test
def half_requests_and_silence_hold_nobody_up(start):
    with Server(start) as server:
        idle = [server.connect() for _ in range(200)]
        for number, connection in enumerate(idle):
            connection.sendall([b"", b"GET", b"GET /test HTTP/1.1\r\nHost: x\r\n",
                                b"POST /game HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nx"]
                               [number % 4])
        began = time.monotonic()
        _, white, black = new_seated_game(server)
        play_out(MOVES[:4], white, black)
        check(time.monotonic() - began < 5 * start.slow, "others had to wait")
        for connection in idle:
            connection.close()


@test_each([
    ("a long line", b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n\r\n"),
    ("many headers", b"GET /test HTTP/1.1\r\n" + b"X: y\r\n" * 20_000 + b"\r\n"),
    ("a long body", b"POST /game HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n"),
    ("a negative body", b"POST /game HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"),
    ("chunks without end", b"POST /game HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                           + b"ffff\r\n" + b"x" * 65535 + b"\r\n"),
    ("noise", bytes(range(256)) * 100),
    ("another protocol", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
])
def a_request_that_must_not_be_is_refused(data, start):
    with Server(start) as server:
        connection = server.connect()
        try:
            connection.sendall(data)
            answer = connection.recv(4096)
            check(not answer or b" 4" in answer.split(b"\r\n")[0], repr(answer[:100]))
        except OSError:
            pass
        connection.close()
        server.check_health()


@test
def a_flood_of_connections_is_limited(start):
    """One who opens many connections and says nothing makes room for those who speak."""
    with Server(start) as server:
        number, white, black = new_seated_game(server)
        idle = []
        try:
            for _ in range(4_100):
                idle.append(server.connect())
        except OSError:
            pass
        check(len(idle) > 3_000, f"only {len(idle)} connections")
        play_out(MOVES[:2], white, black)
        server.check_health()
        Browser(server).create()
        for connection in idle:
            connection.close()


@test
def a_flood_of_observers_is_limited(start):
    """They neither read nor answer, not even the good-bye of the server."""
    with Server(start) as server:
        number, white, black = new_seated_game(server)
        request = (f"GET /play/{number} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                   "Connection: Upgrade\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
                   "Sec-WebSocket-Version: 13\r\n\r\n").encode()
        flood = []
        try:
            for _ in range(4_100):
                flood.append(server.connect())
                flood[-1].sendall(request)
        except OSError:
            pass
        check(len(flood) > 3_000, f"only {len(flood)} connections")
        # With a sanitizer the store may be behind for longer than a move may wait.
        play_out(MOVES[:2], white, black, patience=10 * start.slow if start.slow > 1 else 0)
        server.check_health()
        Browser(server).create()
        for connection in flood:
            connection.close()


@test
def a_flood_of_messages_to_a_client_that_does_not_read_is_limited(start):
    with Server(start) as server:
        number, white, black = new_seated_game(server)
        deaf = Browser(server).play(number)
        deaf.receive_type("init")
        before = server.resident_mb()
        deaf.socket.settimeout(2 * start.slow)
        frame = b"\x81\x84" + b"\0\0\0\0e9e9"
        try:
            for _ in range(2_000):
                deaf.socket.sendall(frame * 1_000)
        except OSError:
            pass
        check(server.resident_mb() - before < 50, f"{server.resident_mb() - before:.0f} MB more")
        play_out(MOVES[:2], white, black)
        deaf.cut()


@test
def guessed_sessions_and_games_are_nobodys(start):
    with Server(start) as server:
        maker = Browser(server)
        number = maker.create()
        for _ in range(50):
            near = maker.session[:-2] + "".join(random.choice("abcdefgh") for _ in range(2))
            if near == maker.session:
                continue
            guess = Browser(server, near)
            check(guess.game(number)["relation"] == "observer", "a neighbour is the maker")
            check(guess.session != near, "a guessed session was kept")
        for _ in range(50):
            near = int(number) + random.randrange(-1_000_000, 1_000_000)
            status, _, _ = Browser(server).request("GET", f"/game/{near or 1}")
            check(status == 404 or near == int(number), f"game {near} is there")


@test
def a_server_says_why_it_cannot_start(start):
    for arguments in (("--port", "x"), ("--store", "/nowhere/x"), ("--nonsense",), ("nonsense",),
                      ("--bind", "here", "--store", ":memory:"), ("--store",)):
        run = start.run("chezz", *arguments)
        wanted = 1 if "/nowhere/x" in arguments else 2
        check(run.status == wanted, f"{arguments}: status {run.status}")
    check(start.run("chezz", "--help").status == 0, "no help")
