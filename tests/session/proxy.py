"""`parley serve` behind nginx, as uci/net/README.md says, with TLS and a public name."""
import contextlib
import http.client
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time

from admin import Server as AdminServer
from harness import Failure, Skip, check, killed_on_failure, test, test_each, written_to
from json_messages import NEW_GAME, move
from web import Server
from websocket_client import Refused, WebSocketClient, to_text

NAME = "chess.example"
ORIGIN = f"https://{NAME}"
GUIDE = pathlib.Path(__file__).parents[2] / "uci" / "net" / "README.md"
HOST_LINE = "        proxy_set_header Host $host;\n"
PUBLIC = ("--origin", ORIGIN, "--trust-proxy", "127.0.0.1")


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def nginx_program():
    program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if not program or not shutil.which("openssl"):
        raise Skip("needs nginx and openssl")
    return program


def documented_configuration():
    """The block for nginx in the guide."""
    found = re.search(r"```nginx\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    check(found, f"{GUIDE} has no block for nginx")
    return found[1]


class Nginx:
    """nginx on a free port with the documented configuration and a certificate of its own."""

    def __init__(self, server, change=lambda text: text):
        self.slow = server.slow
        program = nginx_program()
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="parley-nginx-")
        self._said = tempfile.TemporaryFile()
        self._make_certificate()
        text = change(documented_configuration())
        for old, new in (("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl"),
                         ("/etc/ssl/chess.example", os.path.join(self.folder, "site")),
                         ("127.0.0.1:8080", f"127.0.0.1:{server.port}")):
            check(old in text, f"the block for nginx has no {old}")
            text = text.replace(old, new)
        paths = "".join(f"    {kind}_temp_path {self.folder}/{kind};\n" for kind in
                        ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(os.path.join(self.folder, "nginx.conf"), "w", encoding="utf-8") as file:
            file.write(f"daemon off;\nmaster_process off;\npid {self.folder}/pid;\n"
                       "error_log stderr;\nevents {}\n"
                       f"http {{\n    access_log off;\n{paths}{text}}}\n")
        self._process = subprocess.Popen(
            [program, "-p", self.folder, "-c", "nginx.conf", "-e", "stderr"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._said)
        self._context = ssl.create_default_context(cafile=os.path.join(self.folder, "site.pem"))

    def _make_certificate(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                        "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}",
                        "-keyout", f"{self.folder}/site.key", "-out", f"{self.folder}/site.pem"],
                       check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def __enter__(self):
        with killed_on_failure(self._process):
            self._wait_until_listening()
        return self

    def _wait_until_listening(self):
        deadline = time.monotonic() + 20 * self.slow
        while time.monotonic() < deadline:
            with contextlib.suppress(ConnectionError):
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            check(self._process.poll() is None, f"nginx has ended: {self._errors()}")
            time.sleep(0.05)
        raise Failure(f"nginx does not listen: {self._errors()}")

    def __exit__(self, *_):
        self._process.send_signal(signal.SIGTERM)
        self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _errors(self):
        return written_to(self._said)

    def encrypt(self, plain):
        """A connection that trusts this certificate for this name only."""
        return self._context.wrap_socket(plain, server_hostname=NAME)

    def request(self, method, path, body=None, headers=None):
        """The status, headers and body of the response to the public name."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30 * self.slow)
        connection.connect()
        connection.sock = self.encrypt(connection.sock)
        try:
            connection.request(method, path, body, {"Host": NAME, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()

    def connect(self, path, headers=None):
        """A WebSocket as a page of the site opens it."""
        return WebSocketClient(self.port, path,
                               {"Host": NAME, "Origin": ORIGIN, "Sec-Fetch-Site": "same-origin",
                                **(headers or {})}, self.slow, self.encrypt)


def without_host(text):
    """nginx's default: the server is called by the address in proxy_pass."""
    check(HOST_LINE in text, "the block for nginx does not pass on Host")
    return text.replace(HOST_LINE, "")


@test_each([("which passes on Host", lambda text: text),
            ("which sends its own Host", without_host)])
def two_players_meet_behind_a_proxy(change, start):
    with Server(start, "serve", *PUBLIC) as server, Nginx(server, change) as nginx:
        status, _, page = nginx.request("GET", "/")
        check(status == 200 and "page.js" in page, f"the page: status {status} {page[:200]}")
        status, headers, _ = nginx.request(
            "POST", "/message", to_text(NEW_GAME),
            {"Origin": ORIGIN, "Sec-Fetch-Site": "same-origin"})
        check(status == 200, f"a message: status {status}")
        game = headers["Parley-Game"]
        check("; Secure;" in headers["Set-Cookie"], f"the cookie is {headers['Set-Cookie']}")
        seats = {}
        for player, key in (("white", "0123456789abcdef"), ("black", "fedcba9876543210")):
            seats[player] = nginx.connect(f"/game/{game}")
            seats[player].request({"message_type": "take_seat", "player": player, "key": key})
        seats["white"].request(move("E2", "E4"))
        seats["black"].receive_type("next_legal_moveset")
        seats["black"].request(move("E7", "E5"))
        seats["white"].cut()
        again = nginx.connect(f"/game/{game}")  # a reload of the page
        shown = again.request({"message_type": "follow_game"})[0]
        check(shown["played"] == ["e4", "e5"], f"after a reload: {shown}")


@test
def behind_a_proxy_other_sites_are_refused(start):
    with Server(start, "serve", *PUBLIC) as server, Nginx(server) as nginx:
        for headers in ({"Origin": "https://evil.example"}, {"Origin": f"http://{NAME}"},
                        {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "cross-site"},
                        {"Referer": "https://evil.example/page"}):
            status = nginx.request("POST", "/message", to_text(NEW_GAME), headers)[0]
            check(status == 403, f"{headers}: status {status}")
            try:
                nginx.connect("/socket", headers).cut()
                check("Referer" in headers, f"a WebSocket for {headers}")
            except Refused as refused:
                check(refused.status == 403, f"{headers}: {refused}")


@test_each([("a Host", {"Host": "chess.example"}, "--origin http://chess.example"),
            ("an Origin", {"Origin": ORIGIN}, f"--origin {ORIGIN}")])
def the_refusal_of_names_the_option_that_allows_it(headers, option, start):
    with Server(start, "serve") as server:
        status, _, body = server.post(NEW_GAME, **headers)
        check(status == 403 and option in body, f"{status} {body}")


@test
def origins_come_from_the_environment_unless_the_command_line_has_some(start):
    cases = ((("--origin", "https://a.example", "--origin", "https://b.example"), "a b", "c d"),
             ((), "c d", "a b"))
    for arguments, good, bad in cases:
        os.environ["PARLEY_ORIGIN"] = "https://c.example,https://d.example"
        try:
            server = Server(start, "serve", *arguments)
        finally:
            del os.environ["PARLEY_ORIGIN"]
        with server:
            for name in good.split():
                status = server.request("GET", "/", Host=f"{name}.example")[0]
                check(status == 200, f"{arguments}: {name}: status {status}")
            for name in bad.split():
                status = server.request("GET", "/", Host=f"{name}.example")[0]
                check(status == 403, f"{arguments}: {name}: status {status}")


@test
def a_header_that_anybody_can_send_makes_no_cookie_secure(start):
    headers = {"X_Forwarded_Proto": "https"}
    with Server(start, "serve") as server:
        check("Secure" not in server.post(NEW_GAME, **headers)[1]["Set-Cookie"], "it is believed")
    with Server(start, "serve", "--trust-proxy", "127.0.0.1") as server:
        check("; Secure;" in server.post(NEW_GAME, **headers)[1]["Set-Cookie"], "not believed")


# Limits for each client, whom the proxy names.

def client_address(number):
    return {"X_Forwarded_For": f"203.0.113.{number}"}


@test
def one_client_that_begins_many_games_is_refused_and_others_are_not(start):
    with Server(start, "serve", "--trust-proxy", "127.0.0.1") as server:
        answers = [server.post(NEW_GAME, **client_address(9))[0] for _ in range(80)]
        check(answers[:60] == 60 * [200], f"{answers}")
        check(answers[-1] == 429, f"{answers}")
        check(server.post(NEW_GAME, **client_address(10))[0] == 200, "another client is refused")
        check(server.post(NEW_GAME)[0] == 200, "the proxy itself is refused")


def new_game(server):
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port)) as client:
        client.request("POST", "/message", to_text(NEW_GAME))
        return client.getresponse().headers["Parley-Game"]


def connect(server, path, number):
    return WebSocketClient(server.port, path, {"X-Forwarded-For": f"203.0.113.{number}"}, server.slow)


@test
def one_client_has_only_so_many_websockets(start):
    with AdminServer(start, "serve", "--store", "memory", "--trust-proxy", "127.0.0.1") as server, \
            contextlib.ExitStack() as stack:
        game = new_game(server)
        other = new_game(server)

        def watch(path, number):
            stack.enter_context(connect(server, path, number))

        for number in range(200):
            watch(f"/game/{game if number < 100 else other}", 9)
        third = new_game(server)
        try:
            watch(f"/game/{third}", 9)
            raise Failure("one more is granted")
        except Refused as refused:
            check(refused.status == 429, f"{refused}")
        watch(f"/game/{third}", 10)
        games = server.games()["total"]
        try:
            watch("/socket", 9)
            raise Failure("a new game is granted")
        except Refused as refused:
            check(refused.status == 429, f"{refused}")
        check(server.games()["total"] == games, "a game is left")


@test
def a_header_that_is_not_from_a_proxy_names_no_client(start):
    with Server(start, "serve") as server:
        answers = [server.post(NEW_GAME, **client_address(9))[0] for _ in range(80)]
        check(answers == 80 * [200], f"{answers}")
