"""The games of `parley serve` in a store: what is left of them when the server is killed."""
import contextlib
import os
import pathlib
import random
import stat
import tempfile
import threading
import time

from chezz_client import Redis
from harness import Failure, Skip, check, test, test_each
from json_messages import move
from parallel_requests import answer_in_time, in_parallel
from serve import FOLLOW, KEYS, engine_move, take_seat
from web import Server
from websocket_client import Refused, to_text


class Store:
    """A store that outlives its servers."""

    def __init__(self, start, arguments, environment=None):
        self.start = start
        self.arguments = arguments
        self.environment = environment

    def server(self, *arguments, port=0):
        return Server(self.start, "serve", *self.arguments, *arguments, port=port,
                      environment=self.environment)


@contextlib.contextmanager
def sqlite_store(start):
    with tempfile.TemporaryDirectory(prefix="parley-serve-") as folder:
        yield Store(start, ["--store", os.path.join(folder, "games.sqlite")]), None


@contextlib.contextmanager
def redis_store(start):
    with Redis(start.slow) as redis:
        yield Store(start, ["--store", "redis"], redis.variables("serve:")), redis


STORES = [("SQLite", sqlite_store), ("Redis", redis_store)]


def game_now(server, game):
    """The state of a game, for a client that comes just now."""
    with server.connect(f"/game/{game}") as client:
        client.send(FOLLOW)
        return client.receive_type("game")


def seated_game(server, *moves):
    """The id of a game in which both seats are taken and these moves were made."""
    with server.connect() as white:
        for player, key in zip(("white", "black"), KEYS):
            check(white.request(take_seat(player, key))[0]["message_type"] == "seat_taken", "no seat")
        for squares in moves:
            answer = white.request(move(*squares))[0]
            check(answer["message_type"] == "next_legal_moveset", f"{answer}")
        white.send(FOLLOW)
        return white.receive_type("game")["id"]


@test_each(STORES)
def a_killed_server_goes_on_with_its_games(store, start):
    with store(start) as (games, _):
        with games.server() as server:
            game = seated_game(server, ("E2", "E4"), ("E7", "E5"))
            server.kill()
        with games.server() as server, server.connect(f"/game/{game}") as client, \
                server.connect(f"/game/{game}") as stranger:
            found = game_now(server, game)
            check(found["played"] == ["e4", "e5"], f"{found['played']}")
            check(found["seats_taken"] == ["white", "black"], f"{found['seats_taken']}")
            check(stranger.request(move("G1", "F3"))[0]["message_type"] == "failure",
                  "a stranger moves for White")
            check(stranger.request(take_seat("white", KEYS[1]))[0]["message_type"] == "failure",
                  "the seat is given away")
            client.request(take_seat("white", KEYS[0]))
            client.send(move("G1", "F3"))
            client.receive_type("next_legal_moveset")
            check(game_now(server, game)["played"] == ["e4", "e5", "Nf3"], "the game does not go on")


@test
def the_engine_goes_on_with_its_search_after_a_kill(start):
    with sqlite_store(start) as (games, _):
        with games.server() as server:
            game = seated_game(server, ("E2", "E4"))
            with server.connect(f"/game/{game}") as client:
                for player, key in zip(("white", "black"), KEYS):
                    client.request(take_seat(player, key))
                client.request(FOLLOW)
                client.send(engine_move(milliseconds=60000, nodes=300000, player="black"))
                check(client.receive_type("game")["thinking"], "no search")
                server.kill()
        with games.server() as server, server.connect(f"/game/{game}") as client:
            client.send(FOLLOW)
            client.receive_type("engine_move", within=60)
            client.receive_type("next_legal_moveset")
            check(len(game_now(server, game)["played"]) == 2, "no move")


@test_each(STORES)
def a_game_that_waits_for_its_first_move_is_there_after_a_kill(store, start):
    with store(start) as (games, _):
        with games.server() as server, server.connect() as white:
            white.request({**take_seat("white", KEYS[0]), "name": "Ann"})
            white.send(FOLLOW)
            game = white.receive_type("game")["id"]
            server.kill()
        with games.server() as server:
            found = game_now(server, game)
            check(found["seats_taken"] == ["white"] and found["names"] == {"white": "Ann"}, f"{found}")


CLOCK = {"message_type": "clock", "white_time": 600_000, "black_time": 300_000, "white_increment": 1000}


@test_each(STORES)
def clocks_go_on_after_a_kill_as_if_no_time_had_passed(store, start):
    with store(start) as (games, _):
        with games.server() as server:
            game = seated_game(server)
            with server.connect(f"/game/{game}") as client:
                for player, key in zip(("white", "black"), KEYS):
                    client.request(take_seat(player, key))
                check(client.request(CLOCK)[0]["message_type"] == "clock", "no clocks")
                for squares in (("E2", "E4"), ("E7", "E5"), ("G1", "F3")):
                    client.request(move(*squares))
                before = client.request({"message_type": "clock"})[0]
            server.kill()
        time.sleep(1)
        with games.server() as server, server.connect(f"/game/{game}") as client:
            after = client.request({"message_type": "clock"})[0]
            check(after["runs"] == "black" and after["white_increment"] == 1000, f"{after}")
            check(after["white_time"] == before["white_time"], f"{before} became {after}")
            check(after["black_time"] > 300_000 - 900, f"{after} during the restart")
            time.sleep(0.2)
            later = client.request({"message_type": "clock"})[0]
            check(later["black_time"] <= after["black_time"] - 200, f"{after}, then {later}")


@test
def a_flag_falls_after_a_kill(start):
    with sqlite_store(start) as (games, _):
        with games.server() as server:
            game = server.post({"message_type": "new_game", "white_time": 3000, "black_time": 3000})
            game = game[1]["Parley-Game"]
            for squares in (("E2", "E4"), ("E7", "E5")):
                check(server.post(move(*squares), path=f"/game/{game}")[0] == 200, "no move")
            server.kill()
        with games.server() as server, server.connect(f"/game/{game}") as client:
            end = client.receive_type("game_end", within=10)
            check((end["victor"], end["reason"]) == ("black", "timeout"), f"{end}")
            server.kill()
        with games.server() as server:
            check(game_now(server, game)["end"]["reason"] == "timeout", "the end is lost")


@test
def a_game_by_post_goes_on_after_a_kill(start):
    with sqlite_store(start) as (games, _):
        with games.server() as server:
            game = server.post(move("E2", "E4"))[1]["Parley-Game"]
            check(server.post({"message_type": "resignation", "player": "black"},
                              path=f"/game/{game}")[0] == 200, "no resignation")
            server.kill()
        with games.server() as server:
            status, _, body = server.post({"message_type": "get_legal_moveset"}, Parley_Game=game)
            check(status == 200 and '"reason":"resignation"' in body, f"{status} {body}")
            check(server.request("HEAD", f"/game/{game}")[0] == 200, "the page does not know it")
            unknown = "0" * 32
            check(server.request("HEAD", f"/game/{unknown}")[0] == 404, "a game from nowhere")
            check(server.post(move("E2", "E4"), path=f"/game/{unknown}")[0] == 404, "likewise")
            try:
                server.connect(f"/game/{unknown}")
                raise Failure("a client joins a game that there is not")
            except Refused as refused:
                check(refused.status == 404, f"status {refused.status}")


def play_until_killed(client, played, chance):
    """Plays random moves, after those of `played`, until the connection ends. The moves that were
    acknowledged last, and whether a new game may have begun since."""
    acknowledged, restarts = played, False
    try:
        client.send(FOLLOW)
        while (game := client.receive(within=30)) is not None:
            if game["message_type"] == "promotion_prompt":
                client.send({"message_type": "piece_promotion_choice", "piece_choice": "queen"})
            if game["message_type"] != "game":
                continue
            acknowledged, restarts = game["played"], False
            if game.get("end"):
                restarts = True
                client.send({"message_type": "new_game"})
            elif not game.get("promoting"):
                start = chance.choice(sorted(game["moves"]))
                client.send(move(start, chance.choice(game["moves"][start])))
    except (Failure, OSError):
        pass  # the server was killed
    return acknowledged, restarts


@test_each([("SQLite", sqlite_store, 50), ("Redis", redis_store, 10)])
def kills_lose_no_acknowledged_move(store, kills, start):
    chance = random.Random(kills)
    if start.slow > 1:  # a sanitizer's build
        kills //= 5
    with store(start) as (games, _):
        game, played, total = None, [], 0
        for _ in range(kills):
            with games.server() as server:
                if game is None:
                    game = seated_game(server)
                with server.connect(f"/game/{game}") as client:
                    for player, key in zip(("white", "black"), KEYS):
                        answer = client.request(take_seat(player, key))[0]
                        check(answer["message_type"] == "seat_taken", f"{answer}")
                    timer = threading.Timer(chance.uniform(0.005, 0.1), server.kill)
                    timer.start()
                    acknowledged, restarts = play_until_killed(client, played, chance)
                    timer.join()
            with games.server() as server:
                played = game_now(server, game)["played"]
                server.kill()
            total += len(acknowledged)
            kept = played[:len(acknowledged)] == acknowledged and \
                len(played) <= len(acknowledged) + 1
            check(kept or (restarts and not played), f"{acknowledged} became {played}")
        check(total > 0, "no move was made")


@test
def a_stopped_server_goes_on_with_its_games(start):
    with sqlite_store(start) as (games, _):
        with games.server() as server:
            game = seated_game(server, ("E2", "E4"))
        with games.server() as server:
            check(game_now(server, game)["played"] == ["e4"], "the move is lost")


@test
def the_default_is_a_file_in_the_users_folder_for_this_user_alone(start):
    with tempfile.TemporaryDirectory(prefix="parley-serve-") as folder:
        games = Store(start, [], {"XDG_DATA_HOME": folder})
        with games.server() as server:
            game = seated_game(server, ("E2", "E4"))
            server.kill()
        file = pathlib.Path(folder) / "parley" / "serve.sqlite"
        if not file.exists() and "without SQLite" in server.last_errors:
            raise Skip("built without SQLite")
        check(f"games in {file}" in server.last_errors, server.last_errors)
        check(stat.S_IMODE(file.stat().st_mode) == 0o600, f"{file.stat()}")
        content = b"".join(path.read_bytes() for path in file.parent.iterdir())
        check(game.encode() in content, "the game is elsewhere")
        for key in KEYS:
            check(key.encode() not in content, "a key can be read")
        with games.server() as server:
            check(game_now(server, game)["played"] == ["e4"], "the move is lost")


@test
def a_folder_that_cannot_be_written_leaves_memory_unless_it_was_named(start):
    with tempfile.NamedTemporaryFile() as file:
        with Store(start, [], {"XDG_DATA_HOME": file.name}).server() as server:
            check("games in memory" in server.errors(), server.errors())
            if "without SQLite" not in server.errors():
                check("lost when the server ends" in server.errors(), server.errors())
            seated_game(server, ("E2", "E4"))
        run = start.run("serve", "--port", "0", "--store", file.name + "/games.sqlite")
        check(run.status == 1 and "--store: " in run.errors, f"{run.status} {run.errors}")


@test
def a_redis_that_hangs_fails_requests_in_time_and_games_go_on_when_it_is_back(start):
    with redis_store(start) as (games, redis), games.server() as server:
        game = seated_game(server, ("E2", "E4"))
        with server.connect(f"/game/{game}") as client:
            client.request(take_seat("black", KEYS[1]))
            client.request(FOLLOW)
            with redis.hanging():
                began = time.monotonic()
                client.send(move("E7", "E5"))
                answer = client.receive_type("failure")
                seconds = time.monotonic() - began
                check("cannot be stored" in answer["message"], f"{answer}")
                check(seconds < 2 * start.slow, f"it took {seconds:.1f} s")
                status, _, body = server.post(move("E2", "E4"))
                check(status == 503 and "cannot be stored" in body, f"{status} {body}")
                status = server.request("HEAD", "/game/" + "0" * 32)[0]
                check(status == 503, f"a page without its store: {status}")
            time.sleep(0.7 * start.slow)
            check(game_now(server, game)["played"] == ["e4"], "what was refused has happened")
            client.send(move("C7", "C5"))
            client.receive_type("next_legal_moveset")
            server.kill()
        with games.server() as again:
            check(game_now(again, game)["played"] == ["e4", "c5"], "another game")


@test
def with_a_redis_that_hangs_every_request_fails_within_two_seconds(start):
    """Whenever in a call of the store, or between two, a request comes."""
    with redis_store(start) as (games, redis), games.server() as server, \
            contextlib.ExitStack() as stack:
        seated = [seated_game(server, ("E2", "E4")) for _ in range(6)]

        def refused(method, path, body=None):
            def request():
                status = answer_in_time(lambda: server.request(method, path, body),
                                        f"{method} {path}", start.slow)[0]
                check(status == 503, f"{method} {path}: status {status}")
            return request

        def refused_move(game):
            client = stack.enter_context(server.connect(f"/game/{game}"))
            client.request(take_seat("black", KEYS[1]))

            def play():
                client.send(move("E7", "E5"))
                return client.receive_type("failure", within=20)

            def attempt():
                failure = answer_in_time(play, "a move", start.slow)
                check("cannot be stored" in failure["message"], f"{failure}")
            return attempt

        calls = [refused("POST", "/message", to_text(move("E2", "E4"))),
                 refused("POST", f"/game/{'0' * 32}", to_text(move("E2", "E4"))),
                 refused("HEAD", f"/game/{'0' * 32}"), *map(refused_move, seated)]
        records = len(redis.command("KEYS", "*.game.*"))
        with redis.hanging():
            counts = in_parallel(calls, 6)
        check(min(counts) > 1, f"too few: {counts}")
        time.sleep(0.7 * start.slow)
        for game in seated:
            check(game_now(server, game)["played"] == ["e4"], "what was refused has happened")
            with server.connect(f"/game/{game}") as client:
                client.request(take_seat("black", KEYS[1]))
                client.send(move("C7", "C5"))
                client.receive_type("next_legal_moveset")
        check(len(redis.command("KEYS", "*.game.*")) == records, "a game was stored that had been refused")


@test
def two_servers_do_not_overwrite_each_others_moves(start):
    with redis_store(start) as (games, _), games.server() as one, games.server() as other:
        game = one.post(move("E2", "E4"))[1]["Parley-Game"]
        path = f"/game/{game}"
        check(other.post(move("E7", "E5"), path=path)[0] == 200, "the other does not know it")
        check(one.post(move("C7", "C5"), path=path)[0] in (422, 503), "a move was overwritten")
        with one.connect(path) as client:  # which hears of the other's move once it is read
            client.send(FOLLOW)
            while client.receive_type("game")["played"] != ["e4", "e5"]:
                pass


@test
def a_move_at_one_server_is_heard_at_the_other(start):
    with redis_store(start) as (games, _), games.server() as one, games.server() as other, \
            one.connect() as white:
        white.send(FOLLOW)
        game = white.receive_type("game")["id"]
        white.send(move("E2", "E4"))
        white.receive_type("next_legal_moveset")
        with other.connect(f"/game/{game}") as black:
            black.send(FOLLOW)
            check(black.receive_type("game")["played"] == ["e4"], "the move is not stored")
            black.send(move("E7", "E5"))
            black.receive_type("next_legal_moveset")
            black.receive_type("game")
            moves = white.receive_type("next_legal_moveset", within=0.5)["moves"]
            check("G1" in moves, f"{moves}")
            check(white.receive_type("game")["played"] == ["e4", "e5"], "not e5")
            white.send({"message_type": "resignation", "player": "white"})
            check(black.receive_type("game_end", within=0.5)["victor"] == "black", "no end")
