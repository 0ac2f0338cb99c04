"""ChenServer's commands over TCP and HTTP: what clients get, and what they cannot do."""
import contextlib
import os
import re
import select
import socket
import subprocess
import threading
import time

from chenserver_programs import (START_STATUS, Response, Server, free_port, line_of, recorded,
                                 vanish)
from harness import Failure, Skip, check, shortened, test, test_each

FORCED = "setup 7k/5Qp1/8/6P1/8/3B4/8/4K3 b - - 0 1"  # 1... g6 is the only move
LONGEST = 65_536


def wait_until(holds, sentence, within):
    until = time.monotonic() + within
    while not holds():
        check(time.monotonic() < until, sentence)
        time.sleep(0.01)


# What was recorded, sections 1 and 2.2.

@test
def what_the_original_answered_is_answered_over_tcp(start):
    server = Server(start)
    server.expect((pair["in"], pair["out"]) for pair in recorded("commands.jsonl"))
    server.ends_well()


# What was said, between the recorded requests, by requests that were not.
BETWEEN = {
    "/history+pgn": ["new", "move e4 e5 Nf3 Nc6"],
    "/think+1": [FORCED],
    "/think+1000": ["new", "move e4 f6 Nc3 g5"],
    "/status": [],
    "/move%20e4": ["new"],
    "/history%20pgn": ["new", "move e4 e5 Nf3"],
    "/move+e4+d5+exd5+Qxd5+Nc3+Qe5": ["new"],
}


def without_date(headers):
    return {name: "a date" if name == "Date" else value for name, value in headers.items()}


def compare(request, said, pair):
    """Added headers are no difference."""
    if not pair["response"].startswith("HTTP/"):
        check(said == pair["response"], f"{request!r}: {said!r}")
        return
    got, wanted = Response(said), Response(pair["response"])
    check(got.status_line == wanted.status_line, f"{request!r}: {got.status_line}")
    check(got.body == wanted.body, f"{request!r}: {got.body!r}")
    headers = without_date(got.headers)
    for name, value in without_date(wanted.headers).items():
        check(headers.get(name) == value, f"{request!r}: {name}: {headers.get(name)}")


@test
def what_the_original_answered_is_answered_over_http(start):
    server = Server(start)
    between = dict(BETWEEN)
    for pair in recorded("requests.jsonl"):
        request = pair["request"]
        if "HTTP/1.1\r\n" in request and re.match(r"POST|PUT|PATCH|CONNECT|OPTIONS", request):
            continue  # answered better: see the refused methods
        if pair["close"] == "TIMEOUT":
            continue  # answered at once: see requests without headers
        for command in between.pop(request.split(" ")[1] if " " in request else "", []):
            check(server.ask(command).startswith("OK"), f"{command} is refused")
        said = server.exchange(request, half_close=not request.endswith("\n"))
        compare(shortened(request), said, pair)
    check(not between, f"never asked: {between}")


@test
def a_date_is_told_as_http_wants_it(start):
    date = Server(start).request("/status").headers["Date"]
    days, months = "Mon|Tue|Wed|Thu|Fri|Sat|Sun", "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
    wanted = rf"({days}), \d\d ({months}) \d{{4}} \d\d:\d\d:\d\d GMT"
    check(re.fullmatch(wanted, date), date)
    said = time.mktime(time.strptime(date, "%a, %d %b %Y %H:%M:%S GMT")) - time.timezone
    check(abs(said - time.time()) < 60, f"it is not {date}")


# HTTP, section 2.2 and what section 5 makes better.

PATHS = [
    ("/", "CANNOT_PARSE"), ("/favicon.ico", "UNKNOWN_COMMAND"), ("/STATUS", "UNKNOWN_COMMAND"),
    ("//status", "UNKNOWN_COMMAND"), ("/status/", "UNKNOWN_COMMAND"),
    ("/status?x=1", "UNKNOWN_COMMAND"), ("/status#f", "UNKNOWN_COMMAND"),
    ("/+status+", START_STATUS), ("/status%0Alegal", START_STATUS), ("/%73tatus", START_STATUS),
    ("/test+exd5%2B", "ILLEGAL"), ("/test+Nf3%2b", "OK g1f3 Nf3"), ("/test+Nf3%23", "OK g1f3 Nf3"),
    ("/move%20e4%20e5", "OK 2"), ("/move e4", "CANNOT_PARSE"), ("/status\x80", "CANNOT_PARSE"),
    ("/status\t", "CANNOT_PARSE"), ("/status%", "CANNOT_PARSE"), ("/status%2", "CANNOT_PARSE"),
    ("/status%zz", "CANNOT_PARSE"), ("/status%+1", "CANNOT_PARSE"), ("/%2", "CANNOT_PARSE"),
    ("/status%20", START_STATUS), ("/move+%00", "BAD_MOVE \0"), ("/move+%FF", "BAD_MOVE \xff"),
    ("/legal%2520", "UNKNOWN_COMMAND"), ("/game+a+move+e4", "OK 1"), ("/%0D%0A", "CANNOT_PARSE"),
    ("/move+" + 20_000 * "x", "BAD_MOVE " + 20_000 * "x"),
]


@test_each([(path, path, answer) for path, answer in PATHS])
def a_path_is_a_command(path, answer, start):
    response = Server(start).request(path, "Host: localhost")
    check(response.status_line == "HTTP/1.1 200 OK", response.status_line)
    check(response.body == answer + "\r\n", f"{shortened(response.body)!r}")
    check(response.headers["Content-Length"] == str(len(answer) + 2), f"{response.headers}")
    check(response.headers["Content-Type"] == "text/plain", f"{response.headers}")
    check(response.headers["Cache-Control"] == "no-store", f"{response.headers}")
    check(response.headers["Connection"] == "close", f"{response.headers}")
    check("Access-Control-Allow-Origin" not in response.headers, "other sites may read it")


@test_each([
    ("1.1", "GET /status HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK"),
    ("1.0", "GET /status HTTP/1.0\r\n\r\n", "HTTP/1.0 200 OK"),
    ("1.0 with headers", "GET /status HTTP/1.0\r\nA: b\r\n\r\n", "HTTP/1.0 200 OK"),
    ("with a body", "GET /status HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 200 OK"),
    ("keep-alive", "GET /status HTTP/1.1\r\nConnection: keep-alive\r\n\r\n", "HTTP/1.1 200 OK"),
    ("two requests", 2 * "GET /status HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK"),
])
def a_request_is_answered_at_once(request, wanted, start):
    server = Server(start)
    began = time.monotonic()
    response = Response(server.exchange(request))
    check(response.status_line == wanted, response.status_line)
    check(response.body == START_STATUS + "\r\n", f"{response.body!r}")
    check(time.monotonic() - began < 0.5 * server.slow, "not at once")


@test
def head_is_answered_without_a_body(start):
    server = Server(start)
    whole = server.request("/status")
    head = server.request("/status", method="HEAD")
    check(head.status_line == whole.status_line and not head.body, f"{head.body!r}")
    check(without_date(head.headers) == without_date(whole.headers), f"{head.headers}")


@test
def head_changes_nothing(start):
    server = Server(start)
    response = server.request("/move+e4", method="HEAD")
    check(response.status != 200 and not response.body, response.status_line)
    server.expect([("history", "OK 0")])


@test_each([(method, method) for method in
            ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT")])
def other_methods_are_not_allowed(method, start):
    server = Server(start)
    response = server.request("/move+e4", "Content-Length: 7", method=method)
    check(response.status == 405, response.status_line)
    check(response.headers["Allow"] == "GET, HEAD", f"{response.headers}")
    check(response.headers["Content-Length"] == str(len(response.body)), f"{response.headers}")
    server.expect([("history", "OK 0")])


@test_each([("a command", "exit\nmove e4\n"), ("much", 300_000 * "x")])
def the_body_of_a_request_is_not_read(body, start):
    server = Server(start)
    for method, status in (("POST", 405), ("GET", 200)):
        said = server.exchange(f"{method} /history HTTP/1.1\r\nContent-Type: text/plain\r\n"
                               f"Content-Length: {len(body)}\r\n\r\n{body}")
        check(Response(said).status == status, f"{method}: {said!r}")
    server.expect([("history", "OK 0")])


@test_each([(line, line) for line in (
    "GET /status HTTP/1.2\r", "GET /status HTTP/1.1", "GET /status\r", "get /status HTTP/1.1\r",
    "GET * HTTP/1.1\r", "GET http://localhost/status HTTP/1.1\r", "BREW / HTTP/1.1\r",
    "GET  /status HTTP/1.1\r", " GET /status HTTP/1.1\r", "GET /status HTTP/1.1 \r",
    "PRI * HTTP/2.0\r", "GET", "POST")])
def what_is_no_request_is_a_line(line, start):
    said = Server(start).exchange(line + "\nHost: x\r\n\r\n")
    check(said == "UNKNOWN_COMMAND\n", f"it says {said!r}")


@test_each([
    ("no colon", ["Host"]),
    ("a blank name", [": x"]),
    ("bytes that are no header", ["\x00\x01: x"]),
])
def what_are_no_headers_is_refused(headers, start):
    server = Server(start)
    response = server.request("/move+e4", *headers)
    check(response.status == 400, response.status_line)
    server.expect([("history", "OK 0")])


CHANGES = ("new", "move d4", "undo 1", "think 10", "hint 10", "exit", "setup start", "halt",
           "game a move e4", "game a new", "new now")


def path_of(command):
    return "/" + command.replace(" ", "+")


@test_each([
    ("another site's page", ["Host: localhost", "Sec-Fetch-Site: cross-site"]),
    ("another site's page, in capitals", ["HOST: localhost", "SEC-FETCH-SITE: Cross-Site"]),
    ("a foreign origin", ["Host: localhost", "Origin: http://example.com"]),
    ("an origin without a name", ["Host: localhost", "Origin: null"]),
    ("an origin on another port", ["Host: localhost:PORT", "Origin: http://localhost:1"]),
    ("an origin without a host", ["Origin: http://localhost"]),
    ("a foreign name", ["Host: example.com"]),
    ("a foreign name and port", ["Host: example.com:PORT"]),
    ("a page of another port", ["Host: localhost:PORT", "Sec-Fetch-Site: same-site"]),
    ("another page's Referer", ["Host: localhost:PORT", "Referer: http://localhost:3000/"]),
    ("a name that begins as ours", ["Host: localhost.example.com"]),
    ("a name that begins as our address", ["Host: 127.0.0.1.example.com:PORT"]),
    ("a name that ends as ours", ["Host: example-localhost"]),
    ("no name", ["Host: "]),
    ("a foreign name and its origin", ["Host: evil.example", "Origin: http://evil.example"]),
])
def changes_are_refused_to(headers, start):
    server = Server(start)
    server.expect([("move e4", "OK 1")])
    headers = [header.replace("PORT", str(server.port)) for header in headers]
    for command in CHANGES:
        response = server.request(path_of(command), *headers)
        check(response.status == 403, f"{command}: {response.status_line}")
        check(response.headers["Content-Type"] == "text/plain", f"{response.headers}")
    server.expect([("history", "OK 1 e2e4"), ("game a history", "OK 0")])


@test_each([
    ("nothing else", []),
    ("localhost", ["Host: localhost"]),
    ("localhost and port", ["Host: localhost:PORT"]),
    ("capitals", ["Host: LocalHost:PORT"]),
    ("an address", ["Host: 127.0.0.1:PORT"]),
    ("another address of this machine", ["Host: 127.0.0.2:PORT"]),
    ("an address of six", ["Host: [::1]:PORT"]),
    ("our own page", ["Host: localhost:PORT", "Origin: http://localhost:PORT",
                      "Sec-Fetch-Site: same-origin"]),
    ("the address bar", ["Host: localhost:PORT", "Sec-Fetch-Site: none"]),
])
def changes_are_allowed_to(headers, start):
    server = Server(start)
    headers = [header.replace("PORT", str(server.port)) for header in headers]
    response = server.request("/move+e4", *headers)
    check(response.status == 200 and response.body == "OK 1\r\n", f"{response.body!r}")


@test
def what_only_asks_is_allowed_to_every_page_but_not_under_every_name(start):
    server = Server(start)
    response = server.request("/status", "Host: example.com")
    check(response.status == 403 and "--origin http://example.com" in response.body,
          f"{response.status_line} {response.body}")
    for command, answer in (("status", START_STATUS), ("history", "OK 0"),
                            ("test e4", "OK e2e4 e4"), ("uci", "UNKNOWN_COMMAND")):
        response = server.request(path_of(command), "Host: localhost", "Origin: null",
                                  "Sec-Fetch-Site: cross-site")
        check(response.status == 200 and response.body == answer + "\r\n", f"{response.body!r}")


@test
def looking_at_games_from_another_site_takes_no_place(start):
    server = Server(start)
    for number in range(1_010):
        server.request(f"/game+g{number}+status", "Sec-Fetch-Site: cross-site")
    server.expect([("game mine move e4", "OK 1")])


# Sockets, section 2.1.

@test_each([
    ("CR LF", "status\r\n", START_STATUS + "\n"),
    ("the first of two lines", "move e4\nmove e5\n", "OK 1\n"),
    ("much behind a line", "move e4\n" + 300_000 * "x", "OK 1\n"),
    ("no line", "", ""),
    ("no end of line", "move e4", ""),
    ("CR instead of LF", "move e4\r", ""),
    ("half a request", "GET /move+e4 HTTP/1.1\r\nHost: x\r\n", ""),
])
def a_client_that_has_said_all_is_answered(data, wanted, start):
    server = Server(start)
    said = server.exchange(data, half_close=True)
    check(said == wanted, f"it says {said!r}")
    server.expect([("history", "OK 1 e2e4" if wanted == "OK 1\n" else "OK 0")])


@test
def a_lone_cr_does_not_end_a_line(start):
    server = Server(start)
    with server.connect() as client:
        client.sendall(b"move e4\r")
        check(not select.select([client], [], [], 0.2)[0], "it answers")
        client.sendall(b"\n")
        check(server.rest_of(client) == "OK 1\n", "another answer")


@test_each([("a line", "move e4 e5\r\n", "OK 2\n"),
            ("a request", "GET /move+e4+e5 HTTP/1.1\r\nHost: localhost\r\n\r\n", "OK 2\r\n")])
def byte_by_byte(data, wanted, start):
    server = Server(start)
    with server.connect() as client:
        for byte in data.encode():
            client.sendall(bytes([byte]))
            time.sleep(0.002)
        said = server.rest_of(client)
    check(said.endswith(wanted), f"it says {said!r}")


@test
def an_answer_comes_in_one_piece(start):
    server = Server(start)
    for data, end in 100 * [(b"legal\n", b"\n"), (b"GET /status HTTP/1.1\r\n\r\n", b"\r\n")]:
        with server.connect() as client:
            client.sendall(data)
            said = client.recv(65536)
            check(said.endswith(end) and len(said) > 60, f"the first piece is {said!r}")
            check(client.recv(1) == b"", "more than the answer")


# Clients that are no help, section 5.

def open_connections(server, count, data=b""):
    clients = [server.connect() for _ in range(count)]
    for client in clients:
        client.sendall(data)
    return clients


@test_each([
    ("say nothing", b""),
    ("say half a line", b"move e"),
    ("say half a request", b"GET /status HTTP/1.1\r\nHost: local"),
    ("say hello in another language", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
])
def clients_disturb_nobody_when_they(data, start):
    server = Server(start)
    clients = open_connections(server, 60, data)
    began = time.monotonic()
    server.expect(10 * [("status", START_STATUS), ("legal x", "BAD_FORMAT")])
    check(time.monotonic() - began < 1 * server.slow, "the others wait")
    if data == b"move e":
        clients[0].sendall(b"4\n")
        check(server.rest_of(clients[0]) == "OK 1\n", "the line is lost")
    for client in clients:
        client.close()
    server.expect([("test", "BAD_ARGS")])


@test
def more_clients_than_fit_do_not_keep_others_out(start):
    server = Server(start)
    clients = open_connections(server, 950)  # ours, too, may have only 1,024 descriptors
    server.expect(20 * [("status", START_STATUS)])
    for client in clients:
        client.close()


@test
def a_server_with_few_descriptors_lets_silent_clients_go(start):
    if start.slow > 1:
        raise Skip("sanitizers look at memory with descriptors of their own")
    server = Server(start, descriptors=64)
    clients = open_connections(server, 100)
    server.expect(20 * [("status", START_STATUS)])
    for client in clients:
        client.close()


@test_each([
    ("with a reset before the answer", True, "status\n", 0),
    ("with a reset before a long answer", True, "move " + 500 * "Nf3 Nf6 Ng1 Ng8 " + "\n", 0),
    ("with a reset behind half a line", True, "stat", 0),
    ("with a reset during think", True, "think 100\n", 0.03),
    ("in order during think", False, "think 100\n", 0.03),
    ("with a reset during a request", True, "GET /think+100 HTTP/1.1\r\n\r\n", 0.03),
    ("before anything", True, "", 0),
])
def a_client_may_leave(reset, data, pause, start):
    server = Server(start)
    for _ in range(8):
        client = server.connect()
        client.sendall(data.encode())
        time.sleep(pause)
        if reset:
            vanish(client)
        else:
            client.close()
        if "think" in data:  # what waits for this search would be dropped
            server.ask("status")
    if "think" in data:  # the move is played all the same
        server.expect([("undo 8", "OK")])
    server.expect([("new", "OK"), ("status", START_STATUS)])


@test_each([("of clients that have gone", vanish), ("of clients that wait", lambda client: None)])
def long_commands_behind_a_search_take_little_memory(leave, start):
    server = Server(start, "--hash", "1")
    line = b"move " + (LONGEST // 2 - 10) * b"a " + b"\n"
    with server.connect() as analyser:
        analyser.sendall(b"think 60000\n")
        time.sleep(0.2)
        before = server.resident_kb()
        clients = []
        for _ in range(300):
            clients.append(server.connect())
            clients[-1].sendall(line)
            leave(clients[-1])
        server.expect([("game other status", START_STATUS)])
        time.sleep(0.5)
        grown = server.resident_kb() - before
        for client in clients:
            client.close()
        vanish(analyser)
    check(server.slow > 1 or grown < 60_000, f"memory has grown by {grown} kB")
    said = server.ask("history", within=30)
    check(said.startswith("OK 1 "), f"the move of the search is not played: {said}")


@test
def what_waits_is_dropped_when_its_client_resets_the_connection(start):
    server = Server(start)
    with server.connect() as analyser:
        analyser.sendall(b"think 20000\n")
        time.sleep(0.2)
        for line in (b"think 20000\n", b"new\n", b"GET /undo+1 HTTP/1.1\r\n\r\n"):
            client = server.connect()
            client.sendall(line)
            time.sleep(0.1)
            vanish(client)
        time.sleep(0.2)
        check(server.ask("halt") == "OK", "halt has no answer")
        check(re.fullmatch(r"OK \S{4} \S+\n", server.rest_of(analyser)), "no move")
    said = server.ask("history")
    check(said.startswith("OK 1 "), f"what waited is executed: {said}")


@test
def a_search_ends_when_its_client_sends_too_much(start):
    server = Server(start)
    with server.connect() as client:
        client.sendall(b"think 60000\n")
        time.sleep(0.2)
        try:
            for _ in range(600):
                client.sendall(65536 * b"x")
        except (BrokenPipeError, ConnectionResetError):
            pass
        else:
            raise Failure("it takes everything")
    began = time.monotonic()
    said = server.ask("history", within=30)
    check(said.startswith("OK 1 "), f"the best move found is not played: {said}")
    check(time.monotonic() - began <= 2 * server.slow, "it goes on for nobody")


@test
def a_client_that_never_reads_its_answer_disturbs_nobody(start):
    server = Server(start)
    server.ask("move " + 2_500 * "Nf3 Nf6 Ng1 Ng8 ")
    clients = []
    for _ in range(20):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_000)
        client.connect((server.host, server.port))
        client.sendall(b"history pgn\n")
        clients.append(client)
    server.expect(5 * [("test", "BAD_ARGS")])
    for client in clients:
        client.close()


@test
def a_flood_is_cut_off(start):
    server = Server(start)
    sent = 0
    before = server.resident_kb()
    with server.connect() as client:
        client.settimeout(5 * server.slow)
        try:
            for _ in range(1_000):
                sent += client.send(65536 * b"move e4 ")
                if sent % 10 == 0:
                    server.expect([("history", "OK 0")])
        except (BrokenPipeError, ConnectionResetError):
            pass
        except TimeoutError:
            raise Failure("the server neither reads nor closes") from None
    check(sent < 64 << 20, f"{sent} bytes were taken")
    server.expect([("history", "OK 0")])
    check(server.slow > 1 or server.resident_kb() - before < 8_000, "the flood is kept")


@test_each([
    ("without an end", (LONGEST + 5_000) * "x", "CANNOT_PARSE\n"),
    ("with an end", "move e4 " + LONGEST * " " + "\n", "CANNOT_PARSE\n"),
    ("behind a verb", "new " + 10 * LONGEST * "x" + "\n", "CANNOT_PARSE\n"),
    ("of a request", "GET /" + 2 * LONGEST * "x", "CANNOT_PARSE\n"),
    ("that is just short enough", "move e4 " + (LONGEST - 2_000) * " " + "\n", "OK 1\n"),
    ("of ten thousand moves", "move " + 2_500 * "Nf3 Nf6 Ng1 Ng8 " + "\n", "OK 10000\n"),
])
def a_long_line(data, wanted, start):
    server = Server(start)
    said = server.exchange(data)
    check(said == wanted, f"it says {shortened(said)!r}")
    if wanted == "CANNOT_PARSE\n":
        server.expect([("history", "OK 0")])


@test
def long_headers_are_refused_and_shorter_ones_are_not(start):
    server = Server(start)
    response = server.request("/move+e4", "X: " + 50_000 * "x")
    check(response.body == "OK 1\r\n", response.status_line)
    response = server.request("/move+e5", *(f"X-{n}: {100 * 'x'}" for n in range(400)))
    check(response.body == "OK 1\r\n", response.status_line)
    for headers in (["X: " + 100_000 * "x"], 100_000 * ["A: b"]):
        response = server.request("/move+Nf3", *headers)
        check(response.status == 431, response.status_line)
    server.expect([("history", "OK 2 e2e4 e7e5")])


# How it starts and ends.

@test_each([
    ("a line", "exit\n", "OK\n"),
    ("a line with words", "exit please\n", "OK\n"),
    ("a request", "GET /exit HTTP/1.1\r\nHost: localhost\r\n\r\n", "OK\r\n"),
])
def exit_ends_it(data, answer, start):
    server = Server(start)
    idle = open_connections(server, 5)
    began = time.monotonic()
    said = server.exchange(data)
    check(said.endswith(answer), f"it says {said!r}")
    server.ends_well(within=2)
    check(time.monotonic() - began < 2 * server.slow, "late")
    for client in idle:
        client.close()


@test
def exit_waits_for_its_turn(start):
    server = Server(start)
    server.expect([(FORCED, "OK"), ("setup start", "OK")])
    with server.connect() as analyser, server.connect() as leaver:
        analyser.sendall(b"think 300\n")
        time.sleep(0.05)
        leaver.sendall(b"exit\n")
        check(server.rest_of(analyser).startswith("OK "), "the move is lost")
        check(server.rest_of(leaver) == "OK\n", "no answer to exit")
    server.ends_well(within=2)


@test
def no_client_can_end_it_when_that_is_forbidden(start):
    server = Server(start, "--no-exit")
    said = server.ask("exit")
    check(said != "OK" and re.fullmatch(r"[A-Z_]+", said), f"it says {said}")
    response = server.request("/exit", "Host: localhost")
    check(response.status == 403, response.status_line)
    server.expect([("status", START_STATUS)])


@test_each([
    ("our own page", ["Origin: http://localhost:PORT", "Sec-Fetch-Site: same-origin"]),
    ("the address bar", ["Sec-Fetch-Site: none"]),
    ("our own page, named by Referer", ["Referer: http://localhost:PORT/x"]),
    ("an old browser", ["User-Agent: Mozilla/4.0 (compatible)"]),
    ("a proxy", ["X-Forwarded-For: 192.0.2.1"]),
])
def a_request_cannot_end_it_from(headers, start):
    server = Server(start)
    headers = [header.replace("PORT", str(server.port)) for header in headers]
    response = server.request("/exit", f"Host: localhost:{server.port}", *headers)
    check(response.status == 403 and response.body.startswith("FORBIDDEN "),
          f"{response.status_line} {response.body}")
    server.expect([("status", START_STATUS), ("exit", "OK")])
    server.ends_well(within=2)


@test
def other_machines_can_end_it_only_where_that_is_allowed(start):
    server = Server(start, "--bind", "0.0.0.0")
    check(server.ask("exit") == "FORBIDDEN --allow-exit allows it", "it can be ended")
    response = server.request("/exit")
    check(response.status == 403 and "--allow-exit" in response.body, response.status_line)
    server.expect([("status", START_STATUS)])
    server = Server(start, "--bind", "0.0.0.0", "--allow-exit")
    check(server.ask("exit") == "OK", "it cannot be ended")
    server.ends_well(within=2)


@test_each([
    ("two names", ["Host: localhost", "Host: localhost"]),
    ("an unknown coding", ["Transfer-Encoding: gzip"]),
    ("two codings", ["Transfer-Encoding: gzip, chunked"]),
    ("two ways to tell its length", ["Transfer-Encoding: chunked", "Content-Length: 1"]),
])
def a_request_that_a_proxy_could_read_in_another_way_is_refused(headers, start):
    server = Server(start)
    response = server.request("/move+e4", *headers)
    check(response.status == 400, response.status_line)
    server.expect([("history", "OK 0")])


@test
def it_starts_again_at_once_on_the_same_port(start):
    port = free_port()
    for _ in range(5):
        server = Server(start, port=port)
        server.expect([("move e4", "OK 1"), ("exit", "OK")])
        server.ends_well()


@test
def it_says_where_it_listens(start):
    server = Server(start)
    said = server.errors()
    check(said.count("\n") == 0 and str(server.port) in said and "127.0.0.1" in said, said)


@test
def it_refuses_a_port_that_is_taken(start):
    server = Server(start)
    run = subprocess.run([start.command, "-p", str(server.port)], capture_output=True,
                         timeout=10 * start.slow)
    said = run.stderr.decode()
    check(run.returncode not in (0, None) and run.returncode > 0, f"status {run.returncode}")
    check(said.count("\n") == 1 and str(server.port) in said, f"it says {said!r}")
    check(not run.stdout, f"on stdout: {run.stdout}")
    server.expect([("status", START_STATUS)])


@test_each([(" ".join(arguments), arguments) for arguments in (
    ["-p"], ["-p", "0"], ["-p", "65536"], ["-p", "-1"], ["-p", "abc"], ["-p", "1234abc"],
    ["-p", ""], ["-p", "2000", "--bind", "nowhere"],
    ["-p", "2000", "--bind", "192.0.2.77"], ["-p", "2000", "--nonsense"],
    ["-p", "2000", "status"], ["-p", "2000", "--bind"])])
def arguments_that_mean_nothing_are_refused(arguments, start):
    run = subprocess.run([start.command, *arguments], capture_output=True,
                         timeout=10 * start.slow)
    check(run.returncode > 0, f"status {run.returncode}")
    check(re.match(rb"parley: |\S+Z error ", run.stderr), f"it says {run.stderr}")


def listening_addresses(server):
    """The addresses of the sockets where a process listens, as the kernel writes them."""
    inodes = set()
    for descriptor in os.listdir(f"/proc/{server.process.pid}/fd"):
        # A client's connection may end meanwhile.
        with contextlib.suppress(FileNotFoundError):
            name = os.readlink(f"/proc/{server.process.pid}/fd/{descriptor}")
            inodes.add(name[len("socket:["):-1])
    addresses = []
    for table in ("tcp", "tcp6"):
        with open(f"/proc/{server.process.pid}/net/{table}") as file:
            for fields in map(str.split, list(file)[1:]):
                if fields[3] == "0A" and fields[9] in inodes:
                    addresses.append(fields[1].split(":")[0])
    return addresses


def answers_at(server, address):
    try:
        return server.ask("status", host=address, within=2) == START_STATUS
    except OSError:
        return False


def outer_addresses():
    """Addresses of this machine under which others know it, if it has any."""
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        return []
    return [item[4][0] for item in found if not item[4][0].startswith("127.")]


@test
def only_this_machine_reaches_it(start):
    server = Server(start)
    check(answers_at(server, "127.0.0.1"), "not reached at 127.0.0.1")
    for address in ["127.0.0.2", *outer_addresses()]:
        check(not answers_at(server, address), f"reached at {address}")
    loopback = {"0100007F", "00000000000000000000000001000000"}
    said = listening_addresses(server)
    check(said and set(said) <= loopback, f"it listens at {said}")
    check(("::1" in server.errors()) == (len(said) == 2), server.errors())
    if len(said) == 2:
        check(answers_at(server, "::1"), "not reached at ::1")


@test_each([
    ("another address", "127.0.0.2", ["127.0.0.2"], ["127.0.0.1", "127.0.0.3"]),
    ("two addresses", "127.0.0.2,127.0.0.3", ["127.0.0.2", "127.0.0.3"], ["127.0.0.1"]),
    ("everywhere", "0.0.0.0", ["127.0.0.1", "127.0.0.2", *outer_addresses()], []),
])
def it_listens_where_it_is_told(addresses, reached, unreached, start):
    server = Server(start, "--bind", addresses, host=reached[0])
    for address in reached:
        check(answers_at(server, address), f"not reached at {address}")
    for address in unreached:
        check(not answers_at(server, address), f"reached at {address}")


@test
def everywhere_only_the_names_of_its_origins_will_do(start):
    server = Server(start, "--bind", "0.0.0.0", "--origin", "http://chess.example:2000")
    response = server.request("/move+e4", "Host: other.example")
    check(response.status == 403 and "--origin http://other.example" in response.body,
          f"{response.status_line} {response.body}")
    response = server.request("/move+e4", "Host: chess.example:2000")
    check(response.body == "OK 1\r\n", response.status_line)
    for headers in (["Host: chess.example", "Origin: http://evil.example"],
                    ["Host: chess.example", "Sec-Fetch-Site: cross-site"]):
        response = server.request("/move+e5", *headers)
        check(response.status == 403, response.status_line)
    server.expect([("history", "OK 1 e2e4")])


@test
def it_lives_without_anything_on_its_standard_streams(start):
    port = free_port()
    process = subprocess.Popen(f'exec "{start.command}" -p {port} <&- >&- 2>&-', shell=True)
    try:
        def is_there():
            try:
                with socket.create_connection(("127.0.0.1", port), 5) as client:
                    client.sendall(b"status\n")
                    return client.recv(100).decode() == START_STATUS + "\n"
            except OSError:
                check(process.poll() is None, f"it ended with status {process.poll()}")
                return False
        wait_until(is_there, "not reached", 5 * start.slow)
        process.terminate()
        check(process.wait(5 * start.slow) == 0, "it does not end well")
    finally:
        process.kill()
        process.wait()


# Many clients.

@test
def answers_come_in_the_order_of_the_questions(start):
    server = Server(start)
    questions = 10 * ["think 30", "status", "history"]
    clients = []
    for question in questions:
        client = server.connect()
        client.sendall(question.encode() + b"\n")
        clients.append(client)
        time.sleep(0.005 * server.slow)  # or the system may show two of them at once
    plies = 0
    for question, client in zip(questions, clients):
        with client:
            said = line_of(server.rest_of(client))
        plies += question == "think 30"
        if question == "status":
            words = said.split(" ")
            plies_said = 2 * (int(words[6]) - 1) + (words[2] == "b")
            check(plies_said == plies, f"{said} after {plies} plies")
        elif question == "history":
            check(said.startswith(f"OK {plies} "), f"{said} after {plies} plies")


@test_each([("think 1000 over TCP", "think 1000\n"),
            ("think 300 over HTTP", "GET /think+300 HTTP/1.1\r\n\r\n")])
def the_answer_comes_when_it_should(data, start):
    server = Server(start)
    asked = int(re.search(r"\d+", data)[0])
    for _ in range(4):  # a busy machine can make any answer late
        server.ask("new")
        server.ask("move e4 e5 Nf3 Nc6")
        began = time.monotonic()
        server.exchange(data)
        took = 1000 * (time.monotonic() - began)
        check(took >= 0.9 * asked - 12, f"already after {took:.0f} ms")
        if took <= asked + 20 * server.slow:
            return
    raise Failure(f"only after {took:.0f} ms")


@test
def halt_of_another_client_ends_think(start):
    server = Server(start)
    with server.connect() as analyser:
        analyser.sendall(b"think 20000\n")
        time.sleep(0.2)
        began = time.monotonic()
        check(server.ask("halt") == "OK", "halt has no answer")
        check(re.fullmatch(r"OK \S{4} \S+\n", server.rest_of(analyser)), "no move")
    check(time.monotonic() - began <= 0.5 * server.slow, "halt is not obeyed at once")


@test
def other_games_are_answered_while_one_thinks(start):
    server = Server(start)
    with server.connect() as analyser:
        analyser.sendall(b"game a think 20000\n")
        time.sleep(0.2)
        times = []
        for command, answer in 20 * [("status", START_STATUS), ("game b test e4", "OK e2e4 e4")]:
            began = time.monotonic()
            server.expect([(command, answer)])
            times.append(1000 * (time.monotonic() - began))
        # The median, for a busy machine can make any answer late.
        typical = sorted(times)[len(times) // 2]
        check(typical <= 5 * server.slow, f"answered after {typical:.1f} ms")
        server.expect([("game a halt", "OK")])
        check(re.fullmatch(r"OK \S{4} \S+\n", server.rest_of(analyser)), "no move")


@test
def a_short_search_need_not_wait_for_a_long_one(start):
    server = Server(start)
    with server.connect() as analyser:
        analyser.sendall(b"game a think 20000\n")
        time.sleep(0.2)
        began = time.monotonic()
        check(re.fullmatch(r"OK \S{4} \S+", server.ask("game b think 50")), "no move")
        check(re.fullmatch(r"OK -?\d+", server.ask("game c evaluate")), "no evaluation")
        check(time.monotonic() - began <= 2.5 * server.slow, "it waits for the long search")
        server.expect([("game a halt", "OK")])
        check(re.fullmatch(r"OK \S{4} \S+\n", server.rest_of(analyser)), "no move")


@test
def a_search_ends_when_its_client_resets_the_connection(start):
    server = Server(start)
    analyser = server.connect()
    analyser.sendall(b"game a think 60000\n")
    time.sleep(0.2)
    vanish(analyser)
    began = time.monotonic()
    said = server.ask("game a history", within=30)
    check(said.startswith("OK 1 "), f"the best move found is not played: {said}")
    check(time.monotonic() - began <= 2 * server.slow, "it goes on for nobody")


QUESTIONS = ["status\n", "legal pgn\n", "test e4\n", "game a status\n", "history alg\n",
             "GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n", "uci\n", "think 2\n", "undo 0\n",
             "GET /legal HTTP/1.0\r\n\r\n"]


@test
def two_hundred_clients_among_idle_and_vanishing_ones_are_all_answered(start):
    # A small table, so that filling it does not look like growth.
    server = Server(start, "--hash", "1")
    answers = {}
    gate = threading.Barrier(300)
    before = server.resident_kb()

    def ask(number, data):
        gate.wait(30)
        began = time.monotonic()
        answers[number] = (server.exchange(data, within=20), time.monotonic() - began)

    def idle():
        with server.connect() as client:
            gate.wait(30)
            client.settimeout(0.5)
            try:
                client.recv(1)
            except TimeoutError:
                pass

    def leave(number):
        gate.wait(30)
        client = server.connect()
        client.sendall([b"status\n", b"GET /st", b"mov", b"think 2\n", b""][number % 5])
        if number % 2:
            vanish(client)
        else:
            client.close()

    def guarded(function, *arguments):
        try:
            function(*arguments)
        except (Failure, OSError) as failure:
            failures.append(failure)

    failures = []
    threads = [threading.Thread(target=guarded, args=(ask, n, QUESTIONS[n % len(QUESTIONS)]))
               for n in range(200)]
    threads += [threading.Thread(target=guarded, args=(idle,)) for _ in range(50)]
    threads += [threading.Thread(target=guarded, args=(leave, n)) for n in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    check(not failures, f"{len(failures)} failures, such as {failures[:1]}")
    check(len(answers) == 200 and all(said for said, _ in answers.values()), "answers are missing")
    latest = max(seconds for _, seconds in answers.values())
    # The thinking of this test is 30 times 2 ms.
    check(latest < 2.1 * server.slow, f"the last answer came after {latest:.1f} s")
    check(server.slow > 1 or server.resident_kb() - before < 20_000, "memory has grown")
    wait_until(lambda: server.descriptors() < 20, "connections are left over", 5 * server.slow)


@test
def thousands_of_commands_leave_nothing_behind(start):
    # A small table, so that filling it does not look like growth.
    server = Server(start, "--hash", "1")
    data = ["move e4\n", "undo 1\n", "new\n", "game a move d4\n", "game a new\n", "uci\n",
            *QUESTIONS[:7]]

    def ask(count):
        for number in range(count):
            server.exchange(data[number % len(data)])

    ask(1_000)
    wait_until(lambda: server.descriptors() < 20, "connections are left over", 5 * server.slow)
    descriptors, memory = server.descriptors(), server.resident_kb()
    ask(10_000)
    wait_until(lambda: server.descriptors() <= descriptors, "descriptors are left over",
               5 * server.slow)
    grown = server.resident_kb() - memory
    check(server.slow > 1 or grown < 1_000, f"memory has grown by {grown} kB")


# The small client.

@test_each([
    ("an answer", ["move", "e4"], "OK 1\n", 0),
    ("a command in one piece", ["move e4 e5"], "OK 2\n", 0),
    ("a result", ["status"], START_STATUS + "\n", 0),
    ("a refusal", ["move", "e5"], "BAD_MOVE e5\n", 1),
    ("an unknown command", ["uci"], "UNKNOWN_COMMAND\n", 1),
    ("nothing", [""], "CANNOT_PARSE\n", 1),
])
def chenclient_tells(words, answer, status, start):
    server = Server(start)
    run = chenclient(start, "localhost", str(server.port), *words)
    check(run.stdout.decode() == answer, f"it says {run.stdout}")
    check(run.returncode == status, f"status {run.returncode}")


@test
def chenclient_says_when_there_is_no_answer(start):
    port = str(free_port())
    for words in (["127.0.0.1", port, "status"], ["no.such.host.invalid", port, "status"],
                  ["127.0.0.1"], [], ["127.0.0.1", "not-a-port", "status"]):
        run = chenclient(start, *words)
        check(run.returncode == 2, f"{words}: status {run.returncode}")
        check(run.stderr and not run.stdout, f"{words}: it says {run.stdout}")


def chenclient(start, *words):
    program = os.path.join(os.path.dirname(start.command), "chenclient")
    if not os.access(program, os.X_OK):
        raise Skip("chenclient was not built")
    return subprocess.run([program, *words], capture_output=True, timeout=20 * start.slow)
