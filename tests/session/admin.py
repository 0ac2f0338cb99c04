"""What whoever runs a server has: the admin listener, the log, a graceful stop, the supervisor."""
import contextlib
import http.client
import json
import os
import re
import signal
import socket
import stat
import subprocess
import tempfile
import time

from chezz_client import Redis
from harness import SANITIZER, Failure, Skip, check, shortened, test, test_each, written_to
from json_messages import move
from websocket_client import WebSocketClient

FOLLOW = {"message_type": "follow_game"}
NEW_GAME = {"message_type": "new_game"}
SERVERS = ("serve", "chezz", "chenserver")

SAMPLE = re.compile(r'(?P<name>[a-zA-Z_:][a-zA-Z0-9_:]*)'
                    r'(?:\{(?P<labels>[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"'
                    r'(?:,[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*")*)\})? (?P<value>\S+)')


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=10)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


class Server:
    """A server with an admin listener, in a folder of its own."""

    def __init__(self, start, name, *arguments, admin="127.0.0.1:0", stderr=None, **variables):
        self.slow = start.slow
        self._files = contextlib.ExitStack()
        self.folder = self._files.enter_context(tempfile.TemporaryDirectory())
        self._errors = stderr or self._files.enter_context(tempfile.TemporaryFile())
        self.port = free_port()
        command = [start.command, name, "--port", str(self.port), "--bind", "127.0.0.1"]
        command += ["--admin", admin] if admin else []
        self.process = subprocess.Popen(
            [*command, *arguments], cwd=self.folder, env={**os.environ, **variables},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._errors)
        self.admin = None if stderr else admin
        self._wait(stderr)

    def _wait(self, stderr):
        deadline = time.monotonic() + 20 * self.slow
        while not (self.answers() if stderr else "listening on" in self.log()):
            if "built without" in self.log():
                self.kill()
                raise Skip("built without its servers")
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise Failure(f"the server did not start: {self.log()}")
            time.sleep(0.02)
        found = re.search(r"admin on \S+ port (\d+)", self.log())
        if found:
            self.admin = int(found[1])

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None and self.process.poll() is None:
                self.process.send_signal(signal.SIGTERM)
                self.wait(10)
            if kind is None:
                check(not SANITIZER.search(self.log()), shortened(self.log(), 4000))
        finally:
            self.kill()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self._files.close()

    def wait(self, seconds):
        """How long the program took to end, which must be well."""
        began = time.monotonic()
        try:
            status = self.process.wait(seconds * self.slow)
        except subprocess.TimeoutExpired:
            raise Failure(f"the server did not stop within {seconds} s") from None
        check(status == 0, f"exit status {status}: {self.log()[-2000:]}")
        return time.monotonic() - began

    def log(self):
        if isinstance(self._errors, int) or self._errors.closed or not self._errors.readable():
            return ""
        return written_to(self._errors)

    def wait_for_log(self, text):
        """Another thread writes the log, so a line may come later than an answer."""
        deadline = time.monotonic() + 10 * self.slow
        while text not in self.log():
            check(time.monotonic() < deadline, f"no {text!r} in {self.log()}")
            time.sleep(0.02)

    def answers(self):
        with contextlib.suppress(OSError):
            with socket.create_connection(("127.0.0.1", self.port), timeout=5):
                return True
        return False

    def request(self, path, method="GET", port=None, **headers):
        if isinstance(self.admin, str) and port is None:
            connection = UnixConnection(self.admin[len("unix:"):])
        else:
            connection = http.client.HTTPConnection("127.0.0.1", port or self.admin,
                                                    timeout=20 * self.slow)
        with contextlib.closing(connection):
            connection.request(method, path,
                               headers={key.replace("_", "-"): value
                                        for key, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def expect(self, path, status, body=None, method="GET", **headers):
        got = self.request(path, method, **headers)
        check(got[0] == status and (body is None or got[1] == body), f"{method} {path}: {got}")
        return got[1]

    def metrics(self):
        return parse_metrics(self.expect("/metrics", 200))

    def games(self):
        return json.loads(self.expect("/games", 200))

    def socket(self, path="/socket"):
        return WebSocketClient(self.port, path, {}, self.slow)

    def command(self, line):
        """A command of ChenServer's over TCP."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20 * self.slow) as client:
            client.sendall(line.encode() + b"\n")
            return client.makefile().read().strip()


def check_closed(client):
    """The server closes the connection, with a close frame behind the messages that are due."""
    while client.receive_text() is not None:
        pass
    check(client.close_code == 1000, f"the close code is {client.close_code}")


def parse_metrics(text):
    """Samples by name and labels. Stricter than the format: every sample follows its own TYPE."""
    samples, types, current = {}, {}, None
    check(text.endswith("\n"), "the last line has no end")
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name = line.split(" ", 3)[2]
            check(name not in types, f"{name} comes twice")
        elif line.startswith("# TYPE "):
            _, _, current, kind = line.split(" ")
            check(current == name and kind in ("counter", "gauge", "histogram"), line)
            check(kind != "counter" or current.endswith("_total"), line)
            types[current] = kind
        else:
            found = SAMPLE.fullmatch(line)
            check(found, f"no sample: {line!r}")
            suffixes = ("_bucket", "_sum", "_count") if types[current] == "histogram" else ("",)
            check(found["name"] in [current + suffix for suffix in suffixes], line)
            key = (found["name"], found["labels"])
            check(key not in samples, f"{key} comes twice")
            samples[key] = float(found["value"])
    return samples


@test_each([(name, name) for name in SERVERS])
def its_state_and_metrics_can_be_read(name, start):
    with Server(start, name, "--log-level", "debug") as server:
        server.expect("/healthz", 200, "ok\n")
        server.expect("/readyz", 200, "ready\n")
        check(server.games() == {"total": 0, "games": []}, str(server.games()))
        before = server.metrics()
        check(before[("parley_searches_running", None)] == 0, str(before))
        if name == "chenserver":
            check(server.command("game one move e4").startswith("OK"), "move")
            check(server.command("game one think 50").startswith("OK"), "think")
        elif name == "serve":
            with server.socket() as client:
                client.request(NEW_GAME)
                client.request({"message_type": "engine_move", "milliseconds": 50})
        else:
            check(server.request("/game?opponent=engine&is_black=true&movetime=50", "POST",
                                 server.port)[0] == 201, "a new game")
        after = server.metrics()
        check(after[("parley_connections_accepted_total", None)] > 0, str(after))
        if name != "chezz":
            check(after[("parley_search_nodes_total", None)] > 0, str(after))
        if name == "chezz":
            check(after[("parley_http_requests_total", 'status="201"')] == 1, str(after))
            check(after[("parley_store_seconds_count", None)] > 0, str(after))
            check(after[("parley_store_seconds_bucket", 'le="+Inf"')]
                  == after[("parley_store_seconds_count", None)], str(after))
            check(after[("parley_games_begun_total", None)] == 1, str(after))


@test
def its_requests_are_checked(start):
    with Server(start, "serve") as server:
        server.expect("/nothing", 404)
        server.expect("/healthz", 405, method="POST")
        server.expect("/drain", 405)
        server.expect("/games?limit=x", 400)
        server.expect("/games/none/end", 404, method="POST")
        server.expect("/healthz", 403, Host="evil.example")
        server.expect("/drain", 403, method="POST", Origin="http://evil.example")
        server.expect("/drain", 403, method="POST", Sec_Fetch_Site="cross-site")
        server.expect("/healthz", 200, "", method="HEAD")
        for hostile in (b"\0\r\n\r\n", b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                        b"POST /drain HTTP/1.1\r\nContent-Length: 99999\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", server.admin),
                                          timeout=5 * server.slow) as client:
                client.sendall(hostile)
                check(b" 400 " in client.recv(1000), f"{hostile!r}")
        server.expect("/readyz", 200)


@test_each([(text, text, message) for text, message in (
    ("0.0.0.0:9090", "other machines"), ("192.0.2.1:9090", "other machines"),
    ("[::]:9090", "other machines"), ("9090", "is not an address"),
    ("localhost:9090", "is not an address"), ("127.0.0.1:x", "is not an address"),
    ("127.0.0.1:65536", "is not an address"), ("unix:", "needs the path"),
    ("unix:/" + "x" * 200, "too long"))])
def an_address_that_others_reach_is_refused(text, message, start):
    for name in SERVERS:
        run = subprocess.run([start.command, name, "--admin", text], capture_output=True,
                             timeout=10 * start.slow, text=True)
        check(run.returncode == 2 and message in run.stderr, f"{name}: {run}")


@test
def a_unix_socket_is_for_its_owner_only(start):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/admin.sock"
        for _ in range(2):
            with Server(start, "serve", admin="unix:" + path) as server:
                mode = os.stat(path).st_mode
                check(stat.S_ISSOCK(mode) and stat.S_IMODE(mode) & 0o077 == 0, oct(mode))
                server.expect("/healthz", 200, "ok\n")
                taken = subprocess.run([start.command, "serve", "--port", "0", "--admin",
                                        "unix:" + path], capture_output=True, timeout=20)
                check(taken.returncode == 1 and b"in use" in taken.stderr, str(taken))
            check(not os.path.exists(path), "the socket is still there")
            with socket.socket(socket.AF_UNIX) as stale:
                stale.bind(path)  # left behind by a program that was killed


@test
def a_game_of_serve_can_be_ended(start):
    with Server(start, "serve") as server, server.socket() as client:
        client.request(NEW_GAME)
        game = client.request(FOLLOW)[0]["id"]
        games = server.games()
        check(games["total"] == 1 and games["games"][0]["id"] == game, str(games))
        check(games["games"][0]["clients"] == 1, str(games))
        server.expect(f"/games/{game}/end", 200, method="POST")
        check_closed(client)
        check(server.games()["total"] == 0, str(server.games()))
        server.expect(f"/games/{game}/end", 404, method="POST")
        check(server.request(f"/game/{game}", port=server.port)[0] == 404, "the game is there")
        server.wait_for_log(f"game ended by admin game={game}")


@test
def a_game_of_a_chenserver_can_be_ended(start):
    with Server(start, "chenserver") as server:
        server.command("game one move e4")
        game, = server.games()["games"]
        check((game["id"], game["plies"]) == ("one", 1), str(game))
        server.expect("/games/one/end", 200, method="POST")
        server.expect("/games/one/end", 404, method="POST")
        check(server.games()["total"] == 0, str(server.games()))


@test
def a_game_of_a_chenserver_is_ended_before_what_waits_in_it(start):
    with Server(start, "chenserver") as server, contextlib.ExitStack() as stack:
        clients = []
        for line in (b"game one think 20000\n", b"game one think 20000\n", b"game one history\n"):
            client = socket.create_connection(("127.0.0.1", server.port), 20 * server.slow)
            clients.append(stack.enter_context(client))
            client.sendall(line)
            time.sleep(0.2)
        began = time.monotonic()
        server.expect("/games/one/end", 200, method="POST")
        check(time.monotonic() - began < 2 * server.slow, "it waits for searches")
        answers = [client.makefile().read() for client in clients]
        check(re.fullmatch(r"OK \S{4} \S+\n", answers[0]), f"no move: {answers}")
        check(answers[1:] == 2 * ["GAME_CLOSED\n"], f"{answers}")
        check(server.games()["total"] == 0, str(server.games()))


@test
def a_game_of_chezz_can_be_ended(start):
    with Server(start, "chezz") as server:
        status, body = server.request("/game", "POST", server.port)
        check(status == 201, body)
        game = re.search(r"\d{5,}", body)[0]
        server.expect(f"/games/{game}/end", 200, method="POST")
        server.expect(f"/games/{game}/end", 404, method="POST")
        check(server.request(f"/game/{game}", port=server.port)[0] == 404, "the game is there")


@test
def a_server_without_its_store_is_not_ready(start):
    with Server(start, "chezz", "--store", "redis", REDIS_HOST="127.0.0.1",
                REDIS_PORT=str(free_port())) as server:
        check("store: Redis" in server.expect("/readyz", 503), "the reason")
        server.expect("/healthz", 200)
        check(server.metrics()[("parley_store_errors_total", None)] > 0, "the errors are counted")
        server.wait_for_log(" error store: ")


def serve_takes_a_move(server):
    with server.socket() as client:
        return client.request(move("E2", "E4"))[0]["message_type"] != "failure"


def chezz_takes_a_game(server):
    return server.request("/game", "POST", server.port)[0] == 201


@test_each([("serve", "serve", serve_takes_a_move), ("chezz", "chezz", chezz_takes_a_game)])
def a_server_whose_store_takes_no_changes_is_not_ready(name, takes_a_change, start):
    with Redis(start.slow) as redis, \
            Server(start, name, "--store", "redis", **redis.variables()) as server:
        check(takes_a_change(server), "the first change is refused")
        server.expect("/readyz", 200)
        redis.command("CONFIG", "SET", "maxmemory", "1")
        check(not takes_a_change(server), "a change is granted")
        for _ in range(5):
            check("OOM" in server.expect("/readyz", 503), "the reason")
            time.sleep(0.5)
        if name == "chezz":
            check(server.request("/health", port=server.port)[0] == 503, "/health says it is well")
        # Without any client it finds out that changes work again.
        redis.command("CONFIG", "SET", "maxmemory", "0")
        time.sleep(2 * start.slow)
        server.expect("/readyz", 200)
        check(takes_a_change(server), "a change is refused")


@test
def a_server_drains_until_its_clients_have_gone(start):
    with Server(start, "serve", "--drain-time", "60") as server:
        with server.socket() as client:
            client.request(NEW_GAME)
            server.expect("/drain", 202, method="POST")
            server.expect("/drain", 202, method="POST")
            server.expect("/readyz", 503, "draining\n")
            server.expect("/healthz", 200)
            check(not server.answers(), "new clients are accepted")
            check(client.request({"message_type": "get_legal_moveset"}), "the game goes on")
        check(server.wait(20) < 10 * server.slow, "it ends long after its last client")


@test
def no_websocket_begins_while_a_server_drains(start):
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    with Server(start, "serve", "--drain-time", "60") as server, server.socket(), \
            contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port)) as kept:
        kept.request("GET", "/")
        check(kept.getresponse().read(), "no page")
        server.expect("/drain", 202, method="POST")
        server.expect("/readyz", 503, "draining\n")
        kept.request("GET", "/socket", headers=upgrade)
        check(kept.getresponse().status == 503, "a WebSocket begins")
        server.process.send_signal(signal.SIGTERM)
        server.wait(10)


@test_each([("its_time_is_over", "1", False, False), ("a_second_signal", "60", False, True),
            ("a_signal_after_that_of_the_admin", "60", True, True)])
def draining_ends_when(seconds, is_begun_by_admin, is_signalled, start):
    with Server(start, "serve", "--drain-time", seconds) as server, server.socket() as client:
        client.request(NEW_GAME)
        if is_begun_by_admin:
            server.expect("/drain", 202, method="POST")
        else:
            server.process.send_signal(signal.SIGTERM)
        server.wait_for_log("draining")
        if is_signalled:
            server.process.send_signal(signal.SIGTERM)
        check_closed(client)
        server.wait(10)


@test
def a_log_line_is_one_json_object(start):
    with Server(start, "serve", "--log-format", "json", "--log-level", "debug") as server:
        server.request('/a"b\\c%0Ad', port=server.port)
        with server.socket() as client:
            client.request(NEW_GAME)
            client.request({"message_type": "resignation", "player": "white"})
        server.process.send_signal(signal.SIGTERM)
        server.wait(10)
        lines = [json.loads(line) for line in server.log().splitlines()]
    for line in lines:
        check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"]), str(line))
    messages = [line["message"] for line in lines]
    for wanted in ("connection accepted", "request", "game begun", "game ended", "WebSocket closed", "stopping", "stopped"):
        check(messages.count(wanted) > 0, f"no {wanted!r} in {messages}")
    request = lines[messages.index("request")]
    check((request["status"], request["target"], request["client"], request["level"])
          == (404, '/a"b\\c%0Ad', "127.0.0.1", "debug"), str(request))


@test
def a_refused_request_is_logged_without_what_the_last_one_had(start):
    with Server(start, "serve", "--log-format", "json", "--log-level", "debug") as server:
        with socket.create_connection(("127.0.0.1", server.port), 10) as client:
            for request in (b"GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n",
                            b"GET /second HTTP/1.1\r\nHost: localhost\r\nHost: other\r\n\r\n"):
                client.sendall(request)
                time.sleep(0.2)
            answer = client.recv(65536)
        server.wait_for_log('"status":400')
        requests = [json.loads(line) for line in server.log().splitlines() if '"status"' in line]
    check([request["status"] for request in requests] == [404, 400], f"{requests} {answer!r}")
    check("/first" not in json.dumps(requests[1]), str(requests[1]))


@test
def a_client_cannot_write_lines_of_its_own_into_the_log(start):
    with Server(start, "chenserver", "--log-level", "debug") as server:
        server.command('status \x1b[2J "quoted" \r2026-01-01T00:00:00.000Z error forged')
        server.command("game new\u2028line new")
        server.process.send_signal(signal.SIGTERM)
        server.wait(10)
        log = server.log()
    check(r'text="status \x1b[2J \"quoted\" \x0d2026' in log, log)
    check(all(re.match(r"\d{4}-\d\d-\d\dT\S+Z (debug|info |error) ", line)
              and all(" " <= letter <= "~" for letter in line) for line in log.split("\n")[:-1]), log)


@test
def a_log_file_is_appended_to_and_private(start):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/parley.log"
        for count in (1, 2):
            with Server(start, "serve", "--log-file", path, "--log-level", "info",
                        stderr=subprocess.DEVNULL):
                pass
            with open(path, encoding="utf-8") as file:
                text = file.read()
            check(text.count("listening on") == text.count("stopped") == count, text)
        check(os.stat(path).st_mode & 0o077 == 0, oct(os.stat(path).st_mode))
        run = subprocess.run([start.command, "serve", "--port", "0", "--log-file", f"{folder}"],
                             capture_output=True, timeout=20, text=True)
        check(run.returncode == 1 and "--log-file" in run.stderr, str(run))


@test_each([(f"{where}_{name}", where, name) for name in SERVERS for where in
            ("full_disk", "full_file", "closed_pipe", "unread_pipe", "unread_pipe_as_file")])
def a_log_that_cannot_be_written_ends_nobody(where, name, start):
    arguments = ["--log-level", "debug"]
    with contextlib.ExitStack() as stack:
        stderr = stack.enter_context(open("/dev/full", "wb"))
        if where == "full_file":
            arguments += ["--log-file", "/dev/full"]
        elif "pipe" in where:
            reading, writing = os.pipe()
            stderr = stack.enter_context(os.fdopen(writing, "wb"))
            if where == "closed_pipe":
                os.close(reading)
            else:
                stack.callback(os.close, reading)
            if where == "unread_pipe_as_file":
                arguments += ["--log-file", "/dev/stderr"]
        server = stack.enter_context(
            Server(start, name, *arguments, admin=None, stderr=stderr))
        for _ in range(400 if where.startswith("unread") else 5):
            if name == "chenserver":
                check(server.command("status " + "x" * 500), "no answer")
            else:
                server.request("/none" + "x" * 500, port=server.port)
        server.process.send_signal(signal.SIGTERM)
        server.wait(10)


@test_each([("a_path", False), ("an_abstract_name", True)])
def the_supervisor_is_notified(is_abstract, start):
    if not hasattr(socket, "AF_UNIX"):
        raise Skip("no UNIX sockets")
    with tempfile.TemporaryDirectory() as folder, \
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        path = f"parley-test-{os.getpid()}" if is_abstract else f"{folder}/notify"
        supervisor.bind("\0" + path if is_abstract else path)
        supervisor.settimeout(10 * start.slow)
        with Server(start, "serve", NOTIFY_SOCKET="@" + path if is_abstract else path,
                    WATCHDOG_USEC="1000000") as server:
            check(supervisor.recv(100) == b"READY=1", "READY=1")
            for _ in range(2):
                check(supervisor.recv(100) == b"WATCHDOG=1", "WATCHDOG=1")
            server.process.send_signal(signal.SIGTERM)
            said = supervisor.recv(100)
            while said == b"WATCHDOG=1":
                said = supervisor.recv(100)
            check(said == b"STOPPING=1", f"{said}")
