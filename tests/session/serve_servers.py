"""Several `parley serve` with one Redis: what one hears of the other, and what goes on when one of them is killed."""
import contextlib
import pathlib
import re
import time
import urllib.request

from chezz_client import Redis
from harness import Failure, check, test, test_each
from json_messages import move
from proxy import PUBLIC, Nginx
from serve import FOLLOW, KEYS, engine_move, take_seat
from web import Server
from websocket_client import Refused

GUIDE = pathlib.Path(__file__).parents[2] / "uci" / "json" / "README.md"
LONG_SEARCH = engine_move(milliseconds=6000)


@contextlib.contextmanager
def two_servers(start, *arguments):
    """Two servers and their Redis. They may be killed."""
    with Redis(start.slow) as redis:
        def server():
            return Server(start, "serve", "--store", "redis", *arguments, environment=redis.variables("two:"))
        with server() as one, server() as other:
            yield one, other, redis


def watch(server, game):
    """A client that follows a game, and its state."""
    client = server.connect(f"/game/{game}")
    client.send(FOLLOW)
    return client, client.receive_type("game")


def begin(server, *moves):
    """A client in a new game after these moves, and the id of the game."""
    client = server.connect()
    client.send(FOLLOW)
    game = client.receive_type("game")["id"]
    for squares in moves:
        client.send(move(*squares))
        client.receive_type("next_legal_moveset")
    return client, game


def wait_for_search(client):
    """Until the client hears that the engine searches."""
    while not client.receive_type("game")["thinking"]:
        pass


def check_played(server, game, *moves):
    """Whether a server has this game, of whose last move it may have to hear yet."""
    client, state = watch(server, game)
    with client:
        while len(state["played"]) < len(moves):
            state = client.receive_type("game")
        check(state["played"] == list(moves), f"{state['played']} instead of {moves}")


def play(client, message):
    """Sends a move again while its server refuses it: it has not yet heard of the other's last change."""
    client.send(message)
    while (answer := client.receive())["message_type"] != "next_legal_moveset":
        if answer["message_type"] == "failure":
            check("please retry" in answer["message"], answer["message"])
            client.send(message)


@test
def a_game_goes_on_at_the_other_server_when_one_is_killed(start):
    with two_servers(start) as (one, other, _):
        white, game = begin(one)
        white.send(take_seat("white", KEYS[0]))
        white.receive_type("seat_taken")
        black, _ = watch(other, game)
        black.send(take_seat("black", KEYS[1]))
        black.receive_type("seat_taken")
        play(white, move("E2", "E4"))
        one.kill()
        black.receive_type("next_legal_moveset")
        black.send(move("E7", "E5"))
        black.receive_type("next_legal_moveset")
        white, state = watch(other, game)
        check(state["played"] == ["e4", "e5"], f"{state['played']}")
        check(white.request(move("G1", "F3"))[0]["message_type"] == "failure", "a stranger moves for White")
        white.send(take_seat("white", KEYS[0]))
        white.receive_type("seat_taken")
        white.send(move("G1", "F3"))
        black.receive_type("next_legal_moveset")
        check_played(other, game, "e4", "e5", "Nf3")


@test_each([("somebody watches there", True), ("somebody comes there later", False)])
def the_engines_search_goes_on_at_the_other_server(is_watched, start):
    with two_servers(start) as (one, other, _):
        client, game = begin(one, ("E2", "E4"))
        watcher = watch(other, game)[0] if is_watched else None
        client.send(engine_move(milliseconds=60000, nodes=3_000_000))
        wait_for_search(client)
        if watcher:
            wait_for_search(watcher)
        one.kill()
        if not watcher:
            watcher, state = watch(other, game)
            check(state["thinking"], f"{state}")
        watcher.receive_type("engine_move", within=40)
        state = watcher.receive_type("game")
        check(len(state["played"]) == 2 and not state["thinking"], f"{state}")


@test
def a_search_is_not_taken_over_while_its_server_runs(start):
    with two_servers(start) as (one, other, _):
        client, game = begin(one, ("E2", "E4"))
        watcher, _ = watch(other, game)
        client.send(LONG_SEARCH)
        client.receive_type("engine_move", within=30)
        kinds = []
        while "next_legal_moveset" not in kinds:
            kinds.append(watcher.receive(within=30)["message_type"])
        check("engine_move" not in kinds, f"both servers have searched: {kinds}")


@test
def requests_wait_for_the_other_servers_search_and_a_resignation_ends_it(start):
    with two_servers(start) as (one, other, _):
        client, game = begin(one, ("E2", "E4"))
        watcher, _ = watch(other, game)
        client.send(engine_move(milliseconds=60000, nodes=int(2_000_000 / start.slow)))
        wait_for_search(watcher)
        watcher.send(move("D2", "D4"))  # made when the engine has moved
        for _ in range(2):
            watcher.receive_type("next_legal_moveset", within=40)
        client.receive_type("engine_move")
        while len(client.receive_type("game")["played"]) < 3:
            pass
        client.send(engine_move(milliseconds=60000))
        wait_for_search(watcher)
        watcher.send({"message_type": "resignation", "player": "white"})
        check(watcher.receive_type("game_end")["victor"] == "black", "no end")
        end = client.receive_type("game_end", within=2)
        check(end["reason"] == "resignation", f"{end}")
        # The engine of the first server is free again.
        client.send({"message_type": "new_game"})
        client.receive_type("next_legal_moveset")
        client.send(engine_move(nodes=1000))
        client.receive_type("engine_move", within=5)


@test
def a_refused_change_leaves_the_clients_where_they_are(start):
    with two_servers(start) as (one, other, _):
        client, game = begin(one, ("E2", "E4"))
        client.receive_type("game")
        path = f"/game/{game}"
        check(other.post(move("E7", "E5"), path=path)[0] == 200, "the other server does not know the game")
        # The first server may not have heard of it yet.
        statuses = [one.post(move("E7", "E5"), path=path)[0] for _ in range(2)]
        check(all(status in (422, 503) for status in statuses), f"{statuses}")
        client.receive_type("next_legal_moveset")
        check(client.receive_type("game")["played"] == ["e4", "e5"], "the move is not heard")
        client.send(move("G1", "F3"))
        client.receive_type("next_legal_moveset")
        check_played(other, game, "e4", "e5", "Nf3")


@test
def clocks_run_on_where_a_game_is_opened_later_and_stand_while_no_server_runs(start):
    clock = {"message_type": "clock"}
    with Redis(start.slow) as redis:
        def server():
            return Server(start, "serve", "--store", "redis", environment=redis.variables("two:"))
        with server() as one, server() as other:
            client, game = begin(one)
            client.send({**clock, "white_time": 300_000, "black_time": 300_000})
            client.receive_type("clock")
            for squares in (("E2", "E4"), ("E7", "E5")):
                client.send(move(*squares))
                client.receive_type("next_legal_moveset")
            time.sleep(2.5)
            with other.connect(f"/game/{game}") as late:
                here, there = client.request(clock)[0], late.request(clock)[0]
            while here["message_type"] != "clock":
                here = client.receive()
            difference = abs(here["white_time"] - there["white_time"])
            check(here["white_time"] < 297_600 and difference < 300 * start.slow, f"{here} and {there}")
            one.kill()
            time.sleep(1)
            with other.connect(f"/game/{game}") as late:
                there = late.request(clock)[0]
            check(there["white_time"] < here["white_time"] - 950, f"{there} after {here}")
            other.kill()
        time.sleep(3)
        with server() as third, third.connect(f"/game/{game}") as late:
            again = late.request(clock)[0]
        check(there["white_time"] - 1500 * start.slow < again["white_time"], f"{again} after {there}")


def with_upstream(port):
    """nginx's configuration for one server changed to that for two."""
    upstream = re.search(r"```nginx\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)[1]
    for address, here in (("10.0.0.11:8080", "127.0.0.1:8080"), ("10.0.0.12:8080", f"127.0.0.1:{port}")):
        check(address in upstream, f"the block for nginx has no {address}")
        upstream = upstream.replace(address, here)
    return lambda text: upstream + text.replace("http://127.0.0.1:8080;", "http://parley; proxy_connect_timeout 2s;")


@test
def a_proxy_sends_players_to_the_server_that_is_left(start):
    with two_servers(start, *PUBLIC) as (one, other, _), Nginx(one, with_upstream(other.port)) as nginx:
        games = []
        for _ in range(8):  # some of them at each server
            with nginx.connect("/socket") as client:
                client.send(FOLLOW)
                games.append(client.receive_type("game")["id"])
                client.send(move("E2", "E4"))
                client.receive_type("next_legal_moveset")
        for game, squares in zip(games, [("E7", "E5"), ("C7", "C5")] * 4):
            with nginx.connect(f"/game/{game}") as black, nginx.connect(f"/game/{game}") as white:
                white.send(FOLLOW)
                check(white.receive_type("game")["present"] == 2, "the players are at two servers")
                black.send(move(*squares))
                white.receive_type("next_legal_moveset")
        one.kill()
        for game in games:
            with nginx.connect(f"/game/{game}") as white:
                white.send(move("G1", "F3"))
                white.receive_type("next_legal_moveset")
                white.send(FOLLOW)
                check(len(white.receive_type("game")["played"]) == 3, "a move is lost")


def end_as_admin(server, game):
    port = re.search(r"admin on \S+ port (\d+)", server.errors())[1]
    request = urllib.request.Request(f"http://127.0.0.1:{port}/games/{game}/end", method="POST")
    with urllib.request.urlopen(request) as answer:
        check(answer.status == 200, f"status {answer.status}")


@test
def a_game_that_is_ended_at_one_server_is_gone_at_the_other(start):
    with two_servers(start, "--admin", "127.0.0.1:0") as (one, other, _):
        client, game = begin(one, ("E2", "E4"))
        watcher, _ = watch(other, game)
        end_as_admin(one, game)
        while watcher.receive_text(within=2) is not None:
            pass
        check(watcher.close_code == 1000, f"close code {watcher.close_code}")
        for server in (one, other):
            try:
                server.connect(f"/game/{game}")
                raise Failure("the game is still there")
            except Refused as refused:
                check(refused.status == 404, f"status {refused.status}")
        client.cut()


@test
def what_was_missed_while_redis_did_not_publish_is_read_when_it_does(start):
    with two_servers(start) as (one, other, redis):
        _, game = begin(one, ("E2", "E4"))
        watcher, _ = watch(other, game)
        check(redis.command("CLIENT", "KILL", "TYPE", "pubsub") == 2, "no subscribers")
        check(one.post(move("E7", "E5"), path=f"/game/{game}")[0] == 200, "no move")
        check(watcher.receive_type("game", within=5)["played"] == ["e4", "e5"], "the move was missed")


@test
def games_in_memory_are_stored_again_when_redis_has_lost_them(start):
    with two_servers(start) as (one, other, redis):
        client, game = begin(one, ("E2", "E4"))
        key = f"two:parley.serve.game.{game}"
        before = redis.command("GET", key)
        client.send(move("E7", "E5"))
        client.receive_type("next_legal_moveset")
        for lost in (before, None):
            if lost:
                redis.command("SET", key, lost)  # as if the last second had not been written to the disk
            else:
                redis.command("FLUSHALL")
            redis.command("CLIENT", "KILL", "TYPE", "pubsub")
            deadline = time.monotonic() + 5 * start.slow
            while "e7e5" not in (redis.command("GET", key) or ""):
                check(time.monotonic() < deadline, "the game was not stored again")
                time.sleep(0.05)
        client.send(move("G1", "F3"))
        client.receive_type("next_legal_moveset")
        check_played(other, game, "e4", "e5", "Nf3")


@test
def games_go_on_after_a_restart_of_redis(start):
    with two_servers(start) as (one, other, redis):
        client, game = begin(one, ("E2", "E4"))
        watcher, _ = watch(other, game)
        redis.end()
        check(one.post(move("E7", "E5"), path=f"/game/{game}")[0] == 503, "a move without a store")
        redis.start()
        deadline = time.monotonic() + 10 * start.slow
        while (status := one.post(move("E7", "E5"), path=f"/game/{game}")[0]) != 200:
            check(status == 503 and time.monotonic() < deadline, f"status {status}")
            time.sleep(0.1)
        watcher.receive_type("next_legal_moveset", within=5)
        watcher.send(move("G1", "F3"))
        watcher.receive_type("next_legal_moveset")
        client.receive_type("next_legal_moveset")
        check_played(one, game, "e4", "e5", "Nf3")
