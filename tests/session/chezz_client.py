"""A chezz server of Parley's and those who visit it: HTTP by the standard library, WebSocket by
hand. A Browser keeps its cookie, as the people do whom it stands for."""
import base64
import contextlib
import hashlib
import http.client
import io
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time

from harness import SANITIZER, Failure, Skip, check, shortened

ORIGIN = "http://localhost:5173"
ACCEPT_KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Server:
    """`parley chezz` in a folder of its own, where its games are; both end with the test."""

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
        self.begin()

    def begin(self):
        """Starts the program, and waits until it listens."""
        already = self.errors().count("listening on")
        self.process = subprocess.Popen(self._command, cwd=self.folder, env=self._variables,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=self._errors)
        deadline = time.monotonic() + 20 * self.slow
        while self.errors().count("listening on") == already:
            if self.process.poll() is not None and "built without" in self.errors():
                raise Skip(self.errors().strip())
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise Failure(f"no server: {self.errors()}")
            time.sleep(0.02)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                self.ends_well()
        finally:
            self.process.kill()
            self.process.wait()
            self._errors.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    def ends_well(self):
        check(self.process.poll() is None, f"the server has ended: {self.errors()[-2000:]}")
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(10 * self.slow)
        except subprocess.TimeoutExpired:
            raise Failure("the server does not end") from None
        check(status == 0, f"exit status {status}: {self.errors()[-2000:]}")
        check(not SANITIZER.search(self.errors()), f"it said {shortened(self.errors(), 4000)}")

    def kill(self):
        """As by the system, without a chance to say anything."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def errors(self):
        self._errors.seek(0)
        text = self._errors.read().decode("utf-8", "replace")
        self._errors.seek(0, os.SEEK_END)
        return text

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

    def is_well(self):
        status, _, body = Browser(self).request("GET", "/health")
        check((status, body) == (200, '"writing test"'), f"/health says {status} {body}")


class Refused(Exception):
    """A WebSocket that was not granted."""

    def __init__(self, status, body):
        super().__init__(f"{status} {body}")
        self.status = status
        self.body = body


class Browser:
    """A visitor with a cookie, once it has been given one."""

    def __init__(self, server, session=None):
        self.server = server
        self.session = session

    def headers(self, more=None):
        headers = dict(more or {})
        if self.session:
            headers["Cookie"] = f"session_id={self.session}"
        return headers

    def take_cookie(self, value):
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
            self.take_cookie(answer.headers["Set-Cookie"])
            return answer.status, answer.headers, text
        finally:
            connection.close()

    def create(self, query=""):
        """The number of a new game."""
        status, _, body = self.request("POST", "/game" + query)
        check(status == 201, f"POST /game{query} says {status} {body}")
        return json.loads(body)["game_id"]

    def game(self, number):
        status, _, body = self.request("GET", f"/game/{number}")
        check(status == 200, f"GET /game/{number} says {status} {body}")
        return json.loads(body)

    def board(self, number):
        """The bytes of a game."""
        return base64.b64decode(self.game(number)["board"])

    def play(self, number, headers=None):
        socket = WebSocket(self.server, f"/play/{number}", self.headers(headers))
        self.take_cookie(socket.headers["Set-Cookie"])
        return socket


class WebSocket:
    """A client of a WebSocket, as strict as a browser about what it is sent."""

    def __init__(self, server, path, headers):
        self.slow = server.slow
        self.socket = server.connect()
        self._received = bytearray()
        key = base64.b64encode(os.urandom(16)).decode()
        given = {"Host": f"127.0.0.1:{server.port}", "Upgrade": "websocket",
                 "Connection": "Upgrade", "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13",
                 **headers}
        lines = [f"GET {path} HTTP/1.1"] + [f"{name}: {value}" for name, value in given.items()]
        self.socket.sendall("\r\n".join(lines + ["", ""]).encode())
        while (end := self._received.find(b"\r\n\r\n")) < 0:
            self._receive()
        head = io.BytesIO(self._take(end + 4))
        status = int(head.readline().split()[1])
        self.headers = http.client.parse_headers(head)
        if status != 101:
            body = self._take(int(self.headers["Content-Length"] or 0)).decode()
            self.close()
            raise Refused(status, body)
        digest = hashlib.sha1((key + ACCEPT_KEY).encode()).digest()
        check(self.headers["Sec-WebSocket-Accept"] == base64.b64encode(digest).decode(),
              "the key was not accepted")

    def close(self):
        self.socket.close()

    def _receive(self):
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("the server has hung up")
        self._received += data

    def _take(self, size):
        """So many of the bytes that have come, or will."""
        while len(self._received) < size:
            self._receive()
        data = bytes(self._received[:size])
        del self._received[:size]
        return data

    def say(self, text, opcode=TEXT):
        self.send_frame(opcode, text if isinstance(text, bytes) else text.encode())

    def send_frame(self, opcode, payload, final=True):
        size = len(payload)
        head = bytes([(0x80 if final else 0) | opcode])
        if size < 126:
            head += bytes([0x80 | size])
        else:
            head += bytes([0x80 | 126]) + struct.pack(">H", size)
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        self.socket.sendall(head + mask + masked)

    def frame(self, within=10.0):
        """The opcode and payload of the next frame; None when the server has hung up."""
        self.socket.settimeout(within * self.slow)
        try:
            head = self._take(2)
            size = head[1]
            if size == 126:
                size = struct.unpack(">H", self._take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self._take(8))[0]
            check(head[0] & 0x70 == 0 and head[0] & 0x80, "a frame with flags of its own")
            return head[0] & 0x0F, self._take(size)
        except TimeoutError:
            raise Failure(f"nothing came within {within * self.slow:g} s") from None
        except ConnectionError:
            return None

    def hear(self, within=10.0):
        """The next message as it was sent; None when the server has closed."""
        while (frame := self.frame(within)) is not None:
            opcode, payload = frame
            if opcode == PING:
                self.send_frame(PONG, payload)
            elif opcode == TEXT:
                return payload.decode()
            elif opcode == CLOSE:
                return None
        return None

    def hear_json(self, within=10.0):
        text = self.hear(within)
        check(text is not None, "the connection was closed")
        return json.loads(text)

    def hear_type(self, kind, within=10.0):
        """The next message of a type, whatever comes before."""
        while (message := self.hear_json(within))["type"] != kind:
            pass
        return message

    def is_quiet(self, seconds=0.3):
        """Whether nothing is said for a while."""
        try:
            while (frame := self.frame(within=seconds)) is not None and frame[0] == PING:
                self.send_frame(PONG, frame[1])
            return False
        except Failure:
            return True

    def move(self, text):
        """Plays a move and hears it confirmed, after what others played before."""
        self.say(text)
        while (message := self.hear_json())["type"] != "move" or message["uci"][:4] != text[:4]:
            check(message["type"] != "error", f"{text} was answered by {message}")
        return message


def seated(server, query=""):
    """A game and those who play it: its number, White's socket and Black's."""
    maker, other = Browser(server), Browser(server)
    number = maker.create(query)
    first = maker.play(number)
    own = first.hear_json()["relation"]
    second = other.play(number)
    check(second.hear_json()["relation"] in ("white", "black"), "there was no second seat")
    return number, *((first, second) if own == "white" else (second, first))


def play_out(moves, white, black):
    for ply, move in enumerate(moves):
        mover, other = (white, black) if ply % 2 == 0 else (black, white)
        mover.move(move)
        check(other.hear_type("move")["uci"] == move, move)


class Redis:
    """A redis-server of the test's own, whose data outlive its process."""

    def __init__(self, slow):
        if not shutil.which("redis-server"):
            raise Skip("there is no redis-server")
        self.slow = slow
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="parley-redis-")
        self.process = None
        self.begin()

    def begin(self):
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", self.folder,
             "--appendonly", "yes", "--save", ""],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 10 * self.slow
        while True:
            try:
                if self.ask("PING") == "PONG":
                    return
            except OSError:
                pass
            if time.monotonic() > deadline:
                raise Failure("redis-server does not start")
            time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def end(self):
        self.process.kill()
        self.process.wait()

    @contextlib.contextmanager
    def hanging(self):
        """For a while it accepts connections and says nothing."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def place(self, prefix=""):
        """The variables that lead there."""
        return {"REDIS_HOST": "127.0.0.1", "REDIS_PORT": str(self.port), "REDIS_PREFIX": prefix}

    def ask(self, *words):
        """The reply to a command: a text, a number, None or a list."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            parts = [f"*{len(words)}\r\n".encode()]
            for word in words:
                data = str(word).encode()
                parts.append(b"$%d\r\n%s\r\n" % (len(data), data))
            connection.sendall(b"".join(parts))
            with connection.makefile("rb") as answer:
                return read_reply(answer)


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
    """How a server is told to use a file, and no Redis."""
    yield {}, None


@contextlib.contextmanager
def redis_store(slow):
    """How servers are told to use a Redis of the test's own, and that Redis."""
    with Redis(slow) as redis:
        yield {"store": (), "variables": redis.place("chezz:")}, redis


STORES = [("SQLite", sqlite_store), ("Redis", redis_store)]
