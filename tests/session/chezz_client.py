"""A server (`parley chezz`) and its clients. A Browser keeps its cookie."""
import base64
import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from harness import SANITIZER, Failure, Skip, check, killed_on_failure, shortened, written_to
from websocket_client import WebSocketClient

ORIGIN = "http://localhost:5173"


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Server:
    """`parley chezz` in a temporary folder that holds its games."""

    def __init__(self, start, *arguments, store=("--store", "games.sqlite"), variables=None,
                 env_file=None):
        self.slow = start.slow
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="parley-chezz-")
        if env_file is not None:
            with open(os.path.join(self.folder, ".env"), "w", encoding="utf-8") as file:
                file.write(env_file)
        self._command = [start.command, "chezz", "--port", str(self.port), *store, *arguments]
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith("REDIS_") and name != "ALLOWED_DOMAIN"}
        self._variables = {**kept, **(variables or {})}
        self._errors = tempfile.TemporaryFile()
        self.process = None
        self.start()

    def start(self):
        """Starts the program and waits until it listens."""
        already = self.errors().count("listening on")
        self.process = subprocess.Popen(self._command, cwd=self.folder, env=self._variables,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=self._errors)
        with killed_on_failure(self.process):
            self._wait_until_listening(already)

    def _wait_until_listening(self, already):
        deadline = time.monotonic() + 20 * self.slow
        while self.errors().count("listening on") == already:
            if self.process.poll() is not None and "built without" in self.errors():
                raise Skip(self.errors().strip())
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise Failure(f"the server did not start: {self.errors()}")
            time.sleep(0.02)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                self.stop()
        finally:
            self.process.kill()
            self.process.wait()
            self._errors.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    def stop(self):
        check(self.process.poll() is None, f"the server has ended: {self.errors()[-2000:]}")
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(10 * self.slow)
        except subprocess.TimeoutExpired:
            raise Failure("the server did not stop") from None
        check(status == 0, f"exit status {status}: {self.errors()[-2000:]}")
        check(not SANITIZER.search(self.errors()), f"sanitizer report: {shortened(self.errors(), 4000)}")

    def kill(self):
        """Ends the server with SIGKILL."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def errors(self):
        return written_to(self._errors)

    def resident_mb(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) / 1024

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def connect(self):
        """A bare connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=10 * self.slow)

    def check_health(self):
        status, _, body = Browser(self).request("GET", "/health")
        check((status, body) == (200, '"writing test"'), f"/health: {status} {body}")


class Browser:
    """An HTTP client that keeps its session cookie."""

    def __init__(self, server, session=None):
        self.server = server
        self.session = session

    def headers(self, more=None):
        headers = dict(more or {})
        if self.session:
            headers["Cookie"] = f"session_id={self.session}"
        return headers

    def keep_cookie(self, value):
        found = re.match(r"session_id=([^;]*)", value or "")
        if found:
            self.session = found[1]

    def request(self, method, path, headers=None, body=None):
        """Status, headers, body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port,
                                                timeout=20 * self.server.slow)
        try:
            connection.request(method, path, body, self.headers(headers))
            answer = connection.getresponse()
            text = answer.read().decode()
            self.keep_cookie(answer.headers["Set-Cookie"])
            return answer.status, answer.headers, text
        finally:
            connection.close()

    def create(self, query=""):
        """The number of a new game."""
        status, _, body = self.request("POST", "/game" + query)
        check(status == 201, f"POST /game{query}: {status} {body}")
        return json.loads(body)["game_id"]

    def game(self, number):
        status, _, body = self.request("GET", f"/game/{number}")
        check(status == 200, f"GET /game/{number}: {status} {body}")
        return json.loads(body)

    def board(self, number):
        """The bytes of a game."""
        return base64.b64decode(self.game(number)["board"])

    def play(self, number, headers=None):
        socket = PlayerSocket(self.server.port, f"/play/{number}", self.headers(headers),
                              self.server.slow)
        self.keep_cookie(socket.headers["Set-Cookie"])
        return socket


class PlayerSocket(WebSocketClient):
    """A player's or an observer's connection to a game."""

    type_key = "type"

    def move(self, text, patience=0.0):
        """Plays a move and waits for its confirmation, after what others played before. For `patience`
        seconds the store of games may be behind, and the move is sent again."""
        until = time.monotonic() + patience
        self.send(text)
        while (message := self.receive())["type"] != "move" or message["uci"][:4] != text[:4]:
            if message.get("code") == "STORE_UNAVAILABLE" and time.monotonic() < until:
                time.sleep(0.5)
                self.send(text)
            else:
                check(message["type"] != "error", f"{text} was answered by {message}")
        return message


def new_seated_game(server, query=""):
    """A new game with two players: its number, White's socket and Black's."""
    maker, other = Browser(server), Browser(server)
    number = maker.create(query)
    first = maker.play(number)
    own = first.receive()["relation"]
    second = other.play(number)
    check(second.receive()["relation"] in ("white", "black"), "the second player has no seat")
    return number, *((first, second) if own == "white" else (second, first))


def play_out(moves, white, black, patience=0.0):
    for ply, move in enumerate(moves):
        mover, other = (white, black) if ply % 2 == 0 else (black, white)
        mover.move(move, patience)
        check(other.receive_type("move")["uci"] == move, move)


def seats_across(one, other):
    """A new game with a player on each of two servers: White's socket and Black's."""
    maker = Browser(one)
    number = maker.create()
    white, black = maker.play(number), Browser(other).play(number)
    white.receive_type("init")
    black.receive_type("init")
    return white, black


class Redis:
    """A redis-server of the test's own. Its data survive its process. A test that makes it ask for a
    password sets `password`."""

    def __init__(self, slow):
        if not shutil.which("redis-server"):
            raise Skip("no redis-server found")
        self.slow = slow
        self.password = None
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="parley-redis-")
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["redis-server", *self.listening(), "--bind", "127.0.0.1", "--dir", self.folder,
             "--appendonly", "yes", "--save", ""],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with killed_on_failure(self.process):
            self._wait_until_answering()

    def _wait_until_answering(self):
        deadline = time.monotonic() + 10 * self.slow
        while True:
            try:
                if self.command("PING") == "PONG":
                    return
            except OSError:
                pass
            if time.monotonic() > deadline:
                raise Failure("redis-server did not start")
            time.sleep(0.05)

    def listening(self):
        """The arguments of redis-server that say how it listens."""
        return ["--port", str(self.port)]

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=5)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def end(self):
        """Ends the process when it has written what it has acknowledged. With its default, a flush each
        second, it may be up to two seconds late on a busy disk."""
        with contextlib.suppress(OSError):  # it may have ended already
            self.command("CONFIG", "SET", "appendfsync", "always")
        self.kill()

    def kill(self):
        self.process.kill()
        self.process.wait()

    @contextlib.contextmanager
    def hanging(self):
        """Stops the process: it accepts connections and does not answer."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def variables(self, prefix=""):
        """The environment variables with its address."""
        return {"REDIS_HOST": "127.0.0.1", "REDIS_PORT": str(self.port), "REDIS_PREFIX": prefix}

    def url(self):
        """The same for --queue."""
        return f"redis://127.0.0.1:{self.port}"

    def command(self, *arguments):
        """The reply to a command: a text, a number, None or a list."""
        return self.commands(arguments)

    def commands(self, *commands):
        """The reply to the last of several commands on one connection."""
        if self.password:
            commands = (("AUTH", self.password), *commands)
        with self.connect() as connection, connection.makefile("rb") as answer:
            for arguments in commands:
                parts = [f"*{len(arguments)}\r\n".encode()]
                for argument in arguments:
                    data = str(argument).encode()
                    parts.append(b"$%d\r\n%s\r\n" % (len(data), data))
                connection.sendall(b"".join(parts))
                reply = read_reply(answer)
            return reply


def read_reply(answer):
    line = answer.readline().rstrip(b"\r\n").decode()
    kind, rest = line[:1], line[1:]
    if kind == ":":
        return int(rest)
    if kind == "$":
        return None if rest == "-1" else answer.read(int(rest) + 2)[:-2].decode()
    if kind == "*":
        return [read_reply(answer) for _ in range(int(rest))]
    return rest


@contextlib.contextmanager
def sqlite_store(_):
    """The arguments of Server for a SQLite file; no Redis."""
    yield {}, None


@contextlib.contextmanager
def redis_store(slow):
    """The arguments of Server for a new Redis, and that Redis."""
    with Redis(slow) as redis:
        yield {"store": (), "variables": redis.variables("chezz:")}, redis


STORES = [("SQLite", sqlite_store), ("Redis", redis_store)]
