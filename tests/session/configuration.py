"""Where servers have their settings from: a file, the environment, and chezz's `.env`."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

import chezz_client
from chezz_client import Browser, Redis, play_out, seats_across
from harness import Failure, check, test, test_each
from json_messages import move
from serve import FOLLOW
from web import Server
from websocket_client import WebSocketClient, to_text

MOVES = ["e2e4", "e7e5", "g1f3"]
GUIDE = pathlib.Path(__file__).parents[2] / "uci" / "store" / "README.md"


def documented_rights():
    """What the guide says that a user of Redis needs, besides its keys and its channel."""
    found = re.search(r"`~PREFIX\* &PREFIXparley\.games ([^`]*)`", GUIDE.read_text(encoding="utf-8"))
    check(found, f"{GUIDE} has no rights")
    return found[1].split()


@contextlib.contextmanager
def guarded_redis(slow, prefix="", *rights):
    """A Redis that answers nobody but the user `parley`, and its environment variables."""
    with Redis(slow) as redis:
        redis.command("ACL", "SETUSER", "parley", "on", ">hush", "resetkeys", f"~{prefix}*",
                      "resetchannels", f"&{prefix}parley.games", "-@all", *(rights or documented_rights()))
        redis.command("CONFIG", "SET", "requirepass", "master")
        redis.password = "master"
        yield redis, {**redis.variables(prefix), "REDIS_USER": "parley", "REDIS_PASSWORD": "hush",
                      "REDIS_DATABASE": "3"}


def wait_for(text, log, slow):
    """Waits until a log has this text."""
    deadline = time.monotonic() + 10 * slow
    while text not in log():
        check(time.monotonic() < deadline, f"no {text} in the log: {log()}")
        time.sleep(0.05)


def keys_of_database(redis, database):
    return redis.commands(("SELECT", str(database)), ("KEYS", "*"))


@test_each([("the environment", False), ("the file .env", True)])
def chezz_logs_in_to_redis_with_what_is_in(in_file, start):
    with guarded_redis(start.slow, "chezz:") as (redis, variables):
        text = "".join(f"{name}='{value}'\n" for name, value in variables.items())
        place = {"env_file": text} if in_file else {"variables": variables}
        with chezz_client.Server(start, store=(), **place) as server:
            number = Browser(server).create()
            server.check_health()
            check(len(keys_of_database(redis, 3)) == 2, "not a game and its maker's session")
            check(keys_of_database(redis, 0) == [], "something is in another database")
            check(Browser(server).game(number)["relation"] == "observer", "the game is not there")


@test
def serve_logs_in_to_redis_with_what_is_in_the_environment(start):
    with guarded_redis(start.slow, "games:") as (redis, variables):
        with Server(start, "serve", "--store", "redis", environment=variables) as server:
            check(server.post(move("E2", "E4"))[0] == 200, "no game")
        keys = keys_of_database(redis, 3)
        check(sum(key.startswith("games:parley.serve.game.") for key in keys) == 2, str(keys))
        check(all(key.startswith("games:") for key in keys), str(keys))
        check(keys_of_database(redis, 0) == [], "something is in another database")


@test_each([("a wrong password", {"REDIS_PASSWORD": "loud"}, "WRONGPASS"),
            ("an unknown user", {"REDIS_USER": "nobody"}, "WRONGPASS"),
            ("no password", {"REDIS_PASSWORD": ""}, "NOAUTH"),
            ("a database that there is not", {"REDIS_DATABASE": "1000"}, "out of range")])
def a_login_that_redis_refuses_is_logged(wrong, message, start):
    with guarded_redis(start.slow) as (_, variables):
        for name in ("serve", "chezz"):
            given = {**variables, **wrong}
            with started(start, name, ["port = 0", 'store = "redis"'], given) as server:
                path, body = {"serve": ("/message", to_text(move("E2", "E4"))),
                              "chezz": ("/game", "")}[name]
                status = server.request("POST", path, body)
                check(status == 503, f"{name}: status {status}")
                wait_for(message, server.log, start.slow)


@test
def chezzs_servers_hear_each_other_with_a_login(start):
    with guarded_redis(start.slow, "chezz:") as (_, variables), \
            chezz_client.Server(start, store=(), variables=variables) as one, \
            chezz_client.Server(start, store=(), variables=variables) as other:
        play_out(MOVES, *seats_across(one, other))


def check_share_a_game(one, other):
    """Two servers of `parley serve` store a game and hear of its moves."""
    game = one.post(move("E2", "E4"))[1]["Parley-Game"]
    with other.connect(f"/game/{game}") as black:
        black.send(FOLLOW)
        check(black.receive_type("game")["played"] == ["e4"], "the move is not stored")
        check(one.post(move("E7", "E5"), path=f"/game/{game}")[0] == 200, "no move")
        check("G1" in black.receive_type("next_legal_moveset")["moves"], "it is not heard of")


@test
def serves_servers_hear_each_other_with_a_login(start):
    with guarded_redis(start.slow) as (_, variables), \
            Server(start, "serve", "--store", "redis", environment=variables) as one, \
            Server(start, "serve", "--store", "redis", environment=variables) as other:
        check_share_a_game(one, other)


@test
def a_server_that_may_not_subscribe_says_so_and_serves_its_own_clients(start):
    rights = [right for right in documented_rights() if right != "+subscribe"]
    with guarded_redis(start.slow, "chezz:", *rights) as (_, variables), \
            chezz_client.Server(start, store=(), variables=variables) as server:
        _, white, black = chezz_client.new_seated_game(server)
        play_out(MOVES, white, black)
        wait_for("NOPERM", server.errors, start.slow)
        time.sleep(1.5)  # it tries again
        check(server.errors().count("NOPERM") == 1, f"the log: {server.errors()}")


# chezz's own set-up: docker gives its server these variables and publishes port 8888 as 8026; the
# front end is on port 8025.
@test
def the_environment_of_chezzs_docker_serves_its_front_end(start):
    front_end = "http://localhost:8025"
    with Redis(start.slow) as redis:
        variables = {"REDIS_HOST": "127.0.0.1", "REDIS_PORT": str(redis.port),
                     "REDIS_PREFIX": "chezz:", "ALLOWED_DOMAIN": front_end}
        with chezz_client.Server(start, "--bind", "0.0.0.0", store=(), variables=variables) as server:
            page = {"Host": "localhost:8026", "Origin": front_end, "Sec-Fetch-Site": "same-site"}
            maker, second = Browser(server), Browser(server)
            status, headers, body = maker.request("POST", "/game", page)
            check(status == 201, f"{status} {body}")
            check(headers["Access-Control-Allow-Origin"] == front_end, str(headers))
            check(headers["Access-Control-Allow-Credentials"] == "true", str(headers))
            number = json.loads(body)["game_id"]
            white, black = maker.play(number, page), second.play(number, page)
            white.receive_type("init")
            black.receive_type("init")
            play_out(MOVES, white, black)
            keys = redis.command("KEYS", "*")
            check(sorted(key.split(".")[0] for key in keys)
                  == ["chezz:game", "chezz:session", "chezz:session"], str(keys))
            status = maker.request("POST", "/game", {**page, "Origin": "http://localhost:5173"})[0]
            check(status == 403, f"another origin: status {status}")


# Servers that are started by nothing but `--config FILE`.

class ConfiguredServer:
    """A server that has no other argument. It logs to a file that its configuration may name."""

    def __init__(self, start, name, config, log_file, environment):
        self._slow = start.slow
        self._log_file = log_file
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("REDIS_", "PARLEY_"))}
        with open(log_file, "ab") as errors:
            self.process = subprocess.Popen([start.command, name, "--config", config],
                                            cwd=os.path.dirname(config), stderr=errors,
                                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                            env={**kept, **(environment or {})})
        self.port = self._wait_for_port()

    def _wait_for_port(self):
        deadline = time.monotonic() + 20 * self._slow
        while time.monotonic() < deadline and self.process.poll() is None:
            if found := re.search(r"listening on 127\.0\.0\.1 port (\d+)", self.log()):
                return int(found[1])
            time.sleep(0.02)
        self.process.kill()
        self.process.wait()
        raise Failure(f"it does not listen: {self.log()}")

    def log(self):
        with open(self._log_file, encoding="utf-8") as file:
            return file.read()

    def request(self, method, path, body=None, **headers):
        """The status of the response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20 * self._slow)
        try:
            connection.request(method, path, body, headers)
            return connection.getresponse().status
        finally:
            connection.close()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(20 * self._slow)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failure("it does not end") from None
        check(status == 0, f"exit status {status}: {self.log()}")


@contextlib.contextmanager
def started(start, name, lines, environment=None):
    """A server whose configuration has these lines; FOLDER in them is a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="parley-config-") as folder:
        config = os.path.join(folder, "parley.toml")
        with open(config, "w", encoding="utf-8") as file:
            file.write("\n".join(lines).replace("FOLDER", folder) + "\n")
        server = ConfiguredServer(start, name, config, os.path.join(folder, "log"), environment)
        server.folder = folder
        try:
            yield server
        finally:
            server.stop()


COMMON = ['bind = "127.0.0.1"', 'origin = ["https://chess.example", "https://b.example"]',
          'log-file = "FOLDER/log"', 'log-format = "json"', "hash = 16", "threads = 1"]
PAGE = {"Host": "b.example", "Origin": "https://b.example"}


@test
def serve_starts_with_a_file_alone(start):
    lines = [*COMMON, "port = 0", 'store = "FOLDER/games.sqlite"', 'trust-proxy = ["127.0.0.1"]',
             'admin = "unix:FOLDER/admin"']
    with started(start, "serve", lines) as server:
        check(server.request("GET", "/", Host="chess.example") == 200, "an origin is not taken")
        check(server.request("GET", "/", Host="c.example") == 403, "a foreign Host is served")
        body = to_text(move("E2", "E4"))
        check(server.request("POST", "/message", body, **PAGE) == 200, "no game")
        # The proxy tells clients apart, so one of them has a limit.
        client = {"X-Forwarded-For": "203.0.113.9"}
        answers = {server.request("POST", "/message", body, **client) for _ in range(70)}
        check(answers == {200, 429}, f"the limit of a client: {answers}")
        check(os.path.exists(f"{server.folder}/games.sqlite"), "no file of games")
        check(os.path.exists(f"{server.folder}/admin"), "no socket for the administrator")
        check(all(json.loads(line) for line in server.log().splitlines()), server.log())


@test
def chezz_starts_with_a_file_alone(start):
    lines = [*COMMON, "port = 0", 'store = "FOLDER/games.sqlite"', "draws-stop-play = true"]
    with started(start, "chezz", lines, {"ALLOWED_DOMAIN": "https://front.example"}) as server:
        page = {**PAGE, "Origin": "https://front.example"}
        check(server.request("POST", "/game", **page) == 201, "no game")
        check(server.request("POST", "/game", **{**page, "Origin": "https://c.example"}) == 403,
              "a foreign page is served")
        check(os.path.exists(f"{server.folder}/games.sqlite"), "no file of games")


@test
def chenserver_starts_with_a_file_alone(start):
    lines = [*COMMON, f"port = {chezz_client.free_port()}", "no-exit = true"]
    with started(start, "chenserver", lines) as server:
        check(server.request("GET", "/status") == 200, "no answer")
        server.request("GET", "/exit")
        check(server.request("GET", "/status") == 200, "it can be ended")


@test
def chezz_keeps_to_its_model_without_any_setting(start):
    """Only where it listens differs: on this machine alone."""
    with chezz_client.Server(start, store=()) as server:
        check("games in chezz.sqlite, pages of http://localhost:5173" in server.errors(),
              server.errors())
        socket = WebSocketClient(server.port, f"/play/{Browser(server).create()}",
                                 {"Origin": "http://localhost:5173"}, start.slow)
        socket.cut()
