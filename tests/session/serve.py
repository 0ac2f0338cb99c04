"""`parley serve`: JSON messages over HTTP and WebSocket, and the files of the page."""
import contextlib
import json
import pathlib
import resource
import socket
import struct
import tempfile
import time

from admin import Server as AdminServer
from harness import Skip, check, median, test, test_each
from json_messages import FAILURE, NEW_GAME, GET_MOVESET, TABLEBASE, TABLES, move, scenarios
from json_schema import check_answers
from web import Server
from websocket_client import Refused, to_text

FOLLOW = {"message_type": "follow_game"}
KEYS = ["0123456789abcdef", "fedcba9876543210"]
PROMOTION = {"message_type": "new_game", "fen": "8/P6k/8/8/8/8/8/K7 w - - 0 1"}


def serve(start, *arguments):
    return Server(start, "serve", *arguments)


def take_seat(player, key):
    return {"message_type": "take_seat", "player": player, "key": key}


def engine_move(**limits):
    return {"message_type": "engine_move", **limits}


def game_of(client):
    return client.request(FOLLOW)[0]


def allow_files(count):
    """Raises the limit of this process; the server raises its own."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        raise Skip(f"the system allows only {hard} open files")
    if soft != resource.RLIM_INFINITY and soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


def status_of_socket(server, path="/socket", **headers):
    try:
        with server.connect(path, **headers):
            return 101
    except Refused as refused:
        return refused.status


@test
def a_wrong_command_line_is_refused_with_a_reason(start):
    for arguments in (("--port", "x"), ("--port", "65536"), ("--nonsense",), ("nonsense",),
                      ("--bind", "here")):
        run = start.run("serve", *arguments)
        check(run.status == 2, f"{arguments}: status {run.status}")
    check(start.run("serve", "--help").status == 0, "no help")


@test_each([
    ("serve", ["serve", "--port", "0"]),
    ("chezz", ["chezz", "--port", "0", "--store", ":memory:"]),
    ("chenserver", ["chenserver", "--port", "1"]),
    ("chenserver on standard input", ["chenserver"]),
])
def a_hash_beyond_the_memory_keeps_a_server_from_starting(arguments, start):
    if start.slow > 1:
        raise Skip("sanitizers do not run under a memory limit")
    run = start.run(*arguments, "--hash", "100000", memory_mb=1500)
    check(run.status == 1, f"status {run.status}")
    check("Hash not changed: not enough memory" in run.errors, f"it says {run.errors}")


@test_each([
    ("serve", ["serve", "--port", "0"]),
    ("chezz", ["chezz", "--port", "0", "--store", ":memory:"]),
    ("chenserver", ["chenserver", "--port", "1"]),
    ("chenserver on standard input", ["chenserver"]),
    ("json", ["json"]),
    ("mcp", ["mcp"]),
])
def a_folder_without_tables_keeps_a_server_from_starting(arguments, start):
    run = start.run(*arguments, "--syzygy", "/no/such/folder")
    check(run.status == 1, f"status {run.status}")
    check("--syzygy: " in run.errors and "/no/such/folder" in run.errors, f"it says {run.errors}")


@test
def the_tables_tell_of_a_position_over_http(start):
    queen = {**NEW_GAME, "fen": "8/8/8/8/8/8/k6K/2Q5 w - - 0 1"}
    with serve(start, "--syzygy", TABLES) as server:
        for message, expected, text in ((queen, 200, '"wdl":"win","dtz":15,"moves":['),
                                        (NEW_GAME, 422, FAILURE)):
            game = server.post(message)[1]["Parley-Game"]
            status, _, body = server.post(TABLEBASE, Parley_Game=game)
            check(status == expected and text in body, f"{message}: {status} {body}")


@test
def the_tables_tell_only_the_one_who_asks(start):
    queen = {**NEW_GAME, "fen": "8/8/8/8/8/8/k6K/2Q5 w - - 0 1"}
    with serve(start, "--syzygy", TABLES) as server, server.connect() as asks:
        with server.connect(f"/game/{game_of(asks)['id']}") as other:
            asks.send(queen)
            other.receive_type("next_legal_moveset")
            asks.send(TABLEBASE)
            check(asks.receive_type("tablebase")["dtz"] == 15, "another distance")
            answer = other.request(GET_MOVESET)[0]
            check(answer["message_type"] == "next_legal_moveset", f"{answer}")


# Messages by POST.

@test_each([("/message", "/message"), ("/", "/")])
def golden_conversations_by_http(path, start):
    with serve(start) as server:
        for name, steps in scenarios():
            game = {}
            for step in steps:
                status, headers, body = server.post(step["in"], path=path, **game)
                lines = [to_text(message) for message in step["out"]]
                check(body.splitlines() == lines, f"{name}: {body}")
                failed = lines == [FAILURE]
                check(status == (422 if failed else 200), f"{name}: status {status}")
                check(headers["Content-Type"] == "application/x-ndjson", f"{headers}")
                if "Parley-Game" in headers:
                    game = {"Parley_Game": headers["Parley-Game"]}


@test
def every_post_without_a_game_starts_one(start):
    with serve(start) as server:
        first, second = (server.post(move("E2", "E4"))[1]["Parley-Game"] for _ in range(2))
        check(first != second, "the same game")
        check(server.post(move("D2", "D4"), Parley_Game=first)[0] == 422, "White moves twice")
        check(server.post(move("E7", "E5"), path=f"/game/{first}")[0] == 200, "Black cannot move")
        check(server.post(move("C7", "C5"), Parley_Game=second)[0] == 200, "games are mixed up")


@test
def a_cookie_names_the_game(start):
    with serve(start) as server:
        cookie = server.post(move("E2", "E4"))[1]["Set-Cookie"]
        for word in ("HttpOnly", "SameSite=Strict"):
            check(word in cookie, f"the cookie is {cookie}")
        pair = "a=b; " + cookie.split(";")[0] + "; c=d"
        check(server.post(move("E7", "E5"), Cookie=pair)[0] == 200, "it is another game")


@test
def the_cookie_of_a_game_that_is_gone_is_cleared(start):
    with serve(start) as server:
        pair = "parley_game=" + "0" * 32
        status, headers, body = server.post(NEW_GAME, Cookie=pair)
        check((status, body) == (404, FAILURE + "\n"), f"{status} {body}")
        check("parley_game=;" in headers["Set-Cookie"] and "Max-Age=0;" in headers["Set-Cookie"],
              f"the cookie stays: {headers['Set-Cookie']}")


@test
def a_failure_starts_no_game(start):
    with serve(start) as server:
        status, headers, body = server.post("nonsense")
        check((status, body) == (422, FAILURE + "\n"), f"{status} {body}")
        check("Parley-Game" not in headers and "Set-Cookie" not in headers, f"{headers}")


@test
def the_engine_moves_over_http(start):
    with serve(start) as server:
        status, _, body = server.post(engine_move(nodes=500))
        check(status == 200 and len(body.splitlines()) == 2, f"{status} {body}")


@test_each([
    ("an unknown game", "POST", "/game/" + "0" * 32, 404),
    ("an unknown path", "POST", "/nothing", 404),
    ("an unknown file", "GET", "/nothing", 404),
    ("a malformed game id", "GET", "/game/../page.js", 404),
    ("GET of messages", "GET", "/message", 405),
    ("PUT", "PUT", "/message", 405),
    ("POST to a style sheet", "POST", "/page.css", 405),
    ("an unknown method", "BREW", "/message", 405),
])
def invalid_requests_have_their_status(method, path, status, start):
    with serve(start) as server:
        answer = server.request(method, path, to_text(GET_MOVESET))
        check(answer[0] == status, f"status {answer[0]}")
        check(answer[1]["X-Content-Type-Options"] == "nosniff", f"{answer[1]}")


@test_each([
    ("16 KiB", 16 << 10, 200),
    ("one byte more", (16 << 10) + 1, 422),
    ("32 KiB", 32 << 10, 422),
    ("1 MiB", 1 << 20, 413),
])
def the_size_of_a_message_is_limited(size, status, start):
    message = to_text(NEW_GAME)
    with serve(start) as server:
        try:
            answer, _, body = server.post(message + " " * (size - len(message)))
        except ConnectionError:
            answer, body = 413, "too large"  # refused before all of it was sent
        check(answer == status, f"status {answer}")
        check(answer != 422 or body == FAILURE + "\n", f"{body!r}")
        check(answer != 413 or "too large" in body, f"{body!r}")


@test_each([
    ("a name", "Zo\u00eb <b>", "Zo\u00eb <b>"),
    ("60 bytes", "a" * 60, "a" * 60),
    ("61 bytes", "a" * 61, None),
    ("no text", 7, None),
])
def players_have_the_names_that_they_give(given, shown, start):
    with serve(start) as server, server.connect() as client:
        client.send(FOLLOW)
        check("names" not in client.receive_type("game"), "a name before a player")
        answer = client.request({**take_seat("black", KEYS[1]), "name": given})[0]
        check(answer["message_type"] == ("seat_taken" if shown else "failure"), f"{answer}")
        if shown:
            names = client.receive_type("game")["names"]
            check(names == {"black": shown}, f"{names}")


# Origin and host.

@test_each([
    ("another site", {"Origin": "https://elsewhere.example"}, 403),
    ("a page without an origin", {"Origin": "null"}, 403),
    ("another port", {"Origin": "http://127.0.0.1:1"}, 403),
    ("Sec-Fetch-Site: cross-site", {"Sec_Fetch_Site": "cross-site"}, 403),
    ("Sec-Fetch-Site: same-site", {"Sec_Fetch_Site": "same-site"}, 403),
    ("a page of another port, named by Referer", {"Referer": "http://localhost:3000/"}, 403),
    ("a foreign host (DNS rebinding)", {"Host": "elsewhere.example"}, 403),
    ("a foreign host and its origin", {"Host": "a.example", "Origin": "http://a.example"}, 403),
    ("its own name", {"Host": "localhost:80", "Origin": "http://localhost:80"}, 200),
    ("a program without an origin", {}, 200),
])
def the_origin_and_host_are_checked(headers, status, start):
    with serve(start) as server:
        answer = server.post(NEW_GAME, **headers)[0]
        check(answer == status, f"status {answer}")
        expected = 101 if status == 200 else status
        check(status_of_socket(server, **headers) == expected, "a WebSocket has another answer")


@test_each([
    ("two names", "Host: localhost\r\nHost: localhost\r\nContent-Length: 0\r\n"),
    ("an unknown coding", "Host: localhost\r\nTransfer-Encoding: gzip\r\n"),
    ("a coding twice", "Host: localhost\r\nTransfer-Encoding: chunked, chunked\r\n"),
    ("two headers of codings", "Host: localhost\r\nTransfer-Encoding: chunked\r\n"
                               "Transfer-Encoding: identity\r\n"),
    ("a coding and a length", "Host: localhost\r\nTransfer-Encoding: chunked\r\n"
                              "Content-Length: 5\r\n"),
])
def a_request_that_a_proxy_could_read_in_another_way_ends_the_connection(headers, start):
    smuggled = "GET /page.css HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with serve(start) as server, server.raw() as client:
        client.sendall(f"POST /message HTTP/1.1\r\n{headers}\r\n{smuggled}".encode())
        answer = b""
        while data := client.recv(65536):
            answer += data
        check(answer.startswith(b"HTTP/1.1 400 ") and answer.count(b"HTTP/1.1") == 1,
              f"{answer[:200]!r}")


# The page.

@test
def the_page_and_its_files_are_served(start):
    kinds = {"/": "text/html", "/page.css": "text/css", "/page.js": "text/javascript"}
    with serve(start) as server:
        for path, kind in kinds.items():
            status, headers, body = server.request("GET", path)
            check(status == 200 and headers["Content-Type"].startswith(kind), f"{path}: {headers}")
            check(headers["X-Content-Type-Options"] == "nosniff", f"{path}: {headers}")
            policy = headers["Content-Security-Policy"]
            check("default-src 'none'" in policy and "unsafe" not in policy, f"{policy}")
            check(len(body) > 1000, f"{path} has {len(body)} bytes")
            etag = headers["ETag"]
            status, headers, body = server.request("GET", path, If_None_Match=etag)
            check((status, body, headers["ETag"]) == (304, "", etag), f"{path}: {status} {headers}")
            check("Content-Length" not in headers, f"{path}: {headers}")
            status, headers, _ = server.request("GET", path, If_None_Match='"another"')
            check((status, headers["ETag"]) == (200, etag), f"{path}: {status} {headers}")
            check(server.request("HEAD", path)[2] == "", "an answer to HEAD with a body")
        check(server.request("GET", "/", Host="elsewhere.example")[0] == 403, "under any name")
        check(server.request("GET", "/", Sec_Fetch_Site="cross-site")[0] == 200, "no link works")


@test
def the_page_is_written_for_other_web_servers(start):
    with tempfile.TemporaryDirectory() as folder:
        wasm, copy = pathlib.Path(folder, "wasm"), pathlib.Path(folder, "new", "copy")
        wasm.mkdir()
        (wasm / "parley.js").write_text("a program")
        run = start.run("serve", "--offline-copy", str(copy), "--wasm", str(wasm))
        check(run.status == 1 and f"not in {wasm}" in run.errors, f"without parley.wasm: {run.errors}")
        check(not copy.exists(), "a folder was made nevertheless")
        (wasm / "parley.wasm").write_bytes(bytes(range(256)))
        for _ in range(2):
            run = start.run("serve", "--offline-copy", str(copy), "--wasm", str(wasm))
            check(run.status == 0, f"status {run.status}: {run.errors}")
        names = sorted(file.name for file in copy.iterdir())
        check(names == ["index.html", "offline.js", "page.css", "page.js", "parley.js", "parley.wasm"],
              f"files: {names}")
        check((copy / "parley.wasm").read_bytes() == bytes(range(256)), "parley.wasm is another")
        page = (copy / "index.html").read_text()
        check('="/' not in page and page.index("offline.js") < page.index("page.js"), f"{page[:600]}")
        run = start.run("serve", "--offline-copy", str(wasm / "parley.js"), "--wasm", str(wasm))
        check(run.status == 1 and "parley.js" in run.errors, f"a file as the folder: {run.errors}")


@test
def the_address_of_a_game_shows_the_page(start):
    with serve(start) as server:
        game = server.post(NEW_GAME)[1]["Parley-Game"]
        status, _, body = server.request("GET", f"/game/{game}")
        check(status == 200 and body == server.request("GET", "/")[2], f"status {status}")
        status, _, gone = server.request("GET", "/game/" + "0" * 32)
        check(status == 404 and gone == body, f"status {status}")


# Messages over a WebSocket.

@test_each([("/socket", "/socket"), ("/", "/")])
def golden_conversations_by_websocket(path, start):
    with serve(start) as server:
        for name, steps in scenarios():
            with server.connect(path) as client:
                for step in steps:
                    client.send(step["in"])
                    for message in step["out"]:
                        received = client.receive_text()
                        check(received == to_text(message), f"{name}: {received}")


@test
def everybody_receives_answers_and_only_the_sender_failures(start):
    with serve(start) as server, server.connect() as white:
        game = game_of(white)["id"]
        with server.connect(f"/game/{game}") as black:
            white.receive_type("game")
            after, = white.request(move("E2", "E4"))
            white.receive_type("game")
            check(black.receive() == after, "the other client received something else")
            check(to_text(white.request(move("E4", "E5"))[0]) == FAILURE, "no failure")
            white.request(PROMOTION)
            white.receive_type("game")
            black.receive()
            prompt, = white.request(move("A7", "A8"))
            check(prompt == {"message_type": "promotion_prompt"}, f"{prompt}")
            white.receive_type("game")
            check(black.is_quiet(), "the other client received a failure or a prompt")
            end = {"message_type": "piece_promotion_choice", "piece_choice": "queen"}
            after, = black.request(end)
            check(after["events"]["promote"]["space"] == "A8", f"{after}")
            check(white.receive() == after, "the sender of the move received something else")


@test
def a_client_that_does_not_follow_receives_only_answers(start):
    """The published interface has answers only, no unsolicited messages."""
    with serve(start) as server, server.connect() as client:
        for message in (GET_MOVESET, move("E2", "E4"), move("E7", "E5")):
            client.request(message)
        check(client.is_quiet(), "an unsolicited message")


@test
def a_follower_receives_every_change(start):
    with serve(start) as server, server.connect() as client:
        game = game_of(client)
        check(len(game["id"]) == 32 and game["played"] == [] and game["present"] == 1, f"{game}")
        check(game["moves"]["E2"] == ["E3", "E4"] and game["turn"] == "white", f"{game}")
        client.send(move("E2", "E4"))
        after = client.receive_type("game")
        check(after["played"] == ["e4"], f"{after}")
        check(after["last_move"] == {"from": "E2", "to": "E4"}, f"{after}")
        client.send({"message_type": "resignation", "player": "black"})
        end = client.receive_type("game")["end"]
        check(end == {"victor": "white", "reason": "resignation"}, f"{end}")


@test
def a_game_survives_a_lost_connection(start):
    with serve(start) as server:
        with server.connect() as client:
            game = game_of(client)["id"]
            client.send(move("E2", "E4"))
            before = client.receive_type("game")
        with server.connect(f"/game/{game}") as client:
            check(game_of(client) == before, "another game")
        check(status_of_socket(server, "/game/" + "0" * 32) == 404, "a game that is not there")


@test
def only_the_owner_of_a_side_moves(start):
    with serve(start) as server, server.connect() as white:
        game = game_of(white)["id"]
        seat = white.request(take_seat("white", KEYS[0]))[0]
        check(seat == {"message_type": "seat_taken", "player": "white"}, f"{seat}")
        with server.connect(f"/game/{game}") as black, server.connect(f"/game/{game}") as third:
            refused = [to_text(black.request(one)[0]) for one in
                       (take_seat("white", KEYS[1]), move("E2", "E4"), NEW_GAME,
                        {"message_type": "resignation", "player": "white"})]
            check(refused == [FAILURE] * 4, f"{refused}")
            black.request(take_seat("black", KEYS[1]))
            white.send(move("E2", "E4"))
            white.receive_type("next_legal_moveset")
            check(black.receive()["message_type"] == "next_legal_moveset", "not received")
            check(third.receive()["message_type"] == "next_legal_moveset", "not received")
            check(to_text(third.request(move("E7", "E5"))[0]) == FAILURE, "a spectator moves")
            check(to_text(third.request(engine_move(depth=1))[0]) == FAILURE, "the engine moves")
            check(third.request(GET_MOVESET)[0]["moves"], "a spectator cannot read the state")
            check(server.post(move("E7", "E5"), path=f"/game/{game}")[0] == 422, "a POST moves")
            check(black.is_quiet(), "a player hears what only a spectator asked")
            check(black.request(move("E7", "E5"))[0]["message_type"] == "next_legal_moveset", "not")
        with server.connect(f"/game/{game}") as again:
            check(again.request(take_seat("black", KEYS[1]))[0]["message_type"] == "seat_taken",
                  "the seat cannot be taken again with its key")


@test
def an_engine_move_for_the_other_player_is_rejected(start):
    with serve(start) as server, server.connect() as client:
        refused = client.request(engine_move(depth=1, player="black"))[0]
        check(to_text(refused) == FAILURE, f"{refused}")
        made = client.request(engine_move(depth=1, player="white"), 2)[0]
        check(made["message_type"] == "engine_move", f"{made}")


@test
def requests_wait_during_a_search(start):
    with serve(start) as server, server.connect() as client:
        client.send(engine_move(milliseconds=300))
        client.send(GET_MOVESET)
        answer = [client.receive()["message_type"] for _ in range(3)]
        check(answer == ["engine_move", "next_legal_moveset", "next_legal_moveset"], f"{answer}")
        client.send(engine_move(milliseconds=300))
        for _ in range(17):
            client.send(GET_MOVESET)
        check(to_text(client.receive()) == FAILURE, "too many may wait")


# Scheduling of searches.

@test
def all_games_get_their_searches(start):
    with serve(start) as server, contextlib.ExitStack() as stack:
        clients = [stack.enter_context(server.connect()) for _ in range(4)]
        for client in clients:
            client.send(engine_move(milliseconds=100))
            client.send(engine_move(milliseconds=100))
        for client in clients * 2:
            client.receive_type("engine_move", 20)


@test
def a_long_search_ends_when_others_wait(start):
    with serve(start) as server, server.connect() as greedy, server.connect() as other:
        start_time = time.monotonic()
        greedy.send(engine_move(milliseconds=60000))
        time.sleep(0.1)
        other.send(engine_move(milliseconds=50))
        other.receive_type("engine_move", 20)
        waited = time.monotonic() - start_time
        check(1.5 <= waited <= 15 * start.slow, f"{waited:.2f} s")
        check(greedy.receive()["message_type"] == "engine_move", "no move")


@test
def at_most_a_hundred_games_wait_for_the_engine(start):
    with serve(start) as server, contextlib.ExitStack() as stack:
        clients = [stack.enter_context(server.connect()) for _ in range(110)]
        clients[0].send(engine_move(milliseconds=1500))
        time.sleep(0.1)
        for client in clients[1:]:
            client.send(engine_move(nodes=10))
        answer = [client.receive(20)["message_type"] for client in clients]
        check(answer.count("failure") == 9, f"{answer.count('failure')} failures")
        check(answer.count("engine_move") == 101, f"{answer.count('engine_move')} moves")


@test
def an_analysis_follows_the_game_until_it_is_stopped(start):
    with serve(start) as server, server.connect() as client:
        check(client.request({"message_type": "start_analysis"})[0]
              == {"message_type": "analysis_started"}, "no answer")
        first = client.receive_type("analysis")
        check(first["ply"] == 0 and first["depth"] >= 1 and first["line"], f"{first}")
        client.send(move("E2", "E4"))
        client.receive_type("next_legal_moveset")
        second = client.receive_type("analysis")
        check(second["ply"] == 1, f"{second}")
        depths = [client.receive_type("analysis")["depth"] for _ in range(3)]
        check(depths == sorted(depths), f"depths {depths}")
        client.send({"message_type": "stop_analysis"})
        client.receive_type("analysis_stopped")
        check(client.is_quiet(0.5), "the analysis goes on")


@test
def an_analysis_has_as_many_lines_as_were_asked_for(start):
    with serve(start) as server, server.connect() as client:
        client.request({"message_type": "start_analysis", "lines": 3})
        report = client.receive_type("analysis")
        check(len(report["lines"]) == 3 and report["lines"][0]["line"] == report["line"], f"{report}")
        scores = [line["score"]["centipawns"] for line in report["lines"]]
        check(scores == sorted(scores, reverse=True), f"{scores}")
        client.send({"message_type": "start_analysis", "lines": 6})
        client.receive_type("failure")


@test
def the_engine_moves_at_once_when_its_opponent_says_so(start):
    with serve(start) as server, server.connect() as client:
        client.send(engine_move(milliseconds=60000))
        time.sleep(0.3)
        check(client.request({"message_type": "move_now"})[0] == {"message_type": "search_stopped"}, "no answer")
        client.receive_type("engine_move", within=20)
        client.receive_type("next_legal_moveset")
        client.send({"message_type": "move_now"})
        client.receive_type("failure")


@test
def analysis_scores_are_for_white(start):
    with serve(start) as server, server.connect() as client:
        client.request({"message_type": "new_game", "fen": "4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1"})
        client.request({"message_type": "start_analysis"})
        score = client.receive_type("analysis")["score"]
        check(score.get("centipawns", 0) > 300 or score.get("mate_in", 0) > 0, f"{score}")


@test
def analysis_does_not_delay_the_moves_of_other_games(start):
    with serve(start) as server, contextlib.ExitStack() as stack:
        for opening in ("E2E4", "D2D4", "C2C4"):
            client = stack.enter_context(server.connect())
            client.request(move(opening[:2], opening[2:]))
            client.request({"message_type": "start_analysis"})
        player = stack.enter_context(server.connect())
        times = []
        for _ in range(9):
            player.request(NEW_GAME)
            start_time = time.monotonic()
            player.request(engine_move(nodes=50), 2)
            times.append(1000 * (time.monotonic() - start_time))
        check(median(times) < 500 * start.slow, f"{median(times):.0f} ms for 50 nodes")


# Fair play.

HINT = {"message_type": "hint", "milliseconds": 60_000}


def seated(stack, server):
    """The players and a spectator of a game."""
    game = server.post(NEW_GAME)[1]["Parley-Game"]
    white, black, spectator = (stack.enter_context(server.connect(f"/game/{game}"))
                               for _ in range(3))
    white.request(take_seat("white", KEYS[0]))
    black.request(take_seat("black", KEYS[1]))
    return white, black, spectator


# Clocks and offers.

def with_clocks(milliseconds, increment=0):
    return {**NEW_GAME, "white_time": milliseconds, "black_time": milliseconds,
            "white_increment": increment, "black_increment": increment}


def offer(kind, player):
    return {"message_type": kind, "player": player}


@test
def a_flag_falls_while_its_player_has_no_connection(start):
    with serve(start) as server, contextlib.ExitStack() as stack:
        white, black, spectator = seated(stack, server)
        white.request(offer("resignation", "white"))
        black.receive_type("game_end")
        black.request(with_clocks(int(500 * start.slow)))
        spectator.send(FOLLOW)
        game = spectator.receive_type("game")
        check(game["clock"]["white_time"] == int(500 * start.slow) and "runs" not in game["clock"], f"{game}")
        for client, (source, target) in ((white, ("E2", "E4")), (black, ("E7", "E5"))):
            client.send(move(source, target))
            spectator.receive_type("game")
        white.close()
        spectator.receive_type("game")
        end = spectator.receive_type("game_end")
        check((end["victor"], end["reason"]) == ("black", "timeout"), f"{end}")
        shown = spectator.receive_type("game")
        check_answers([game, shown])
        check(shown["clock"]["white_time"] == 0, f"{shown}")
        back = stack.enter_context(server.connect(f"/game/{shown['id']}"))
        back.request(take_seat("white", KEYS[0]))
        check(to_text(back.request(move("D2", "D4"))[0]) == FAILURE, "the game goes on")


@test
def a_client_that_comes_back_finds_its_clock_running(start):
    with serve(start) as server, contextlib.ExitStack() as stack:
        game = server.post(with_clocks(60_000, 1000))[1]["Parley-Game"]
        with server.connect(f"/game/{game}") as first:
            for source, target in (("E2", "E4"), ("E7", "E5")):
                first.request(move(source, target))
        time.sleep(0.3)
        again = stack.enter_context(server.connect(f"/game/{game}"))
        clock = game_of(again)["clock"]
        check(clock["runs"] == "white" and clock["white_time"] <= 59_700, f"{clock}")
        check(clock["black_time"] == 60_000, f"{clock}")
        again.send(move("D2", "D4"))
        clock = again.receive_type("game")["clock"]
        check(clock["runs"] == "black" and clock["white_time"] <= 60_700, f"{clock}")


@test
def clocks_are_given_and_asked_for_over_http(start):
    with serve(start) as server:
        times = {"message_type": "clock", "white_time": 5000, "black_time": 6000}
        status, headers, body = server.post(times)
        game = {"Parley_Game": headers["Parley-Game"]}
        check(status == 200, f"{status} {body}")
        _, _, body = server.post({"message_type": "clock"}, **game)
        check_answers([json.loads(body)])
        check(json.loads(body)["black_time"] == 6000, body)
        server.post(move("E2", "E4"), **game)
        check(server.post(times, **game)[0] == 422, "other clocks after the first move")
        check(server.post({"message_type": "timeout", "player": "white"}, **game)[0] == 422, "a claim")


@test
def the_engine_moves_within_its_time_while_others_wait(start):
    with serve(start) as server, contextlib.ExitStack() as stack:
        clients = [stack.enter_context(server.connect()) for _ in range(4)]
        for client in clients:
            client.request(with_clocks(int(5000 * start.slow)))
            client.request(FOLLOW)
        for _ in range(6):
            for client in clients:
                client.send(engine_move())
            for client in clients:
                client.receive_type("next_legal_moveset", 20)
        for client in clients:
            game = game_of(client)
            check("end" not in game, f"{game}")


@test
def a_draw_is_offered_and_accepted(start):
    with serve(start) as server, contextlib.ExitStack() as stack:
        white, black, spectator = seated(stack, server)
        game_of(spectator)
        for client, (source, target) in ((white, ("E2", "E4")), (black, ("E7", "E5"))):
            client.send(move(source, target))
            spectator.receive_type("game")
        white.send(offer("offer_draw", "white"))
        offered = white.receive_type("draw_offered")
        seen = spectator.receive_type("game")
        check(seen["draw_offer"] == "white", f"{seen}")
        check(to_text(spectator.request(offer("accept_draw", "black"))[0]) == FAILURE, "a spectator accepts")
        black.send(offer("accept_draw", "black"))
        end = spectator.receive_type("game_end")
        check((end["victor"], end["reason"]) == ("draw", "agreement"), f"{end}")
        check_answers([offered, seen, end])


@test
def a_rematch_changes_colours(start):
    with serve(start) as server, contextlib.ExitStack() as stack:
        white, black, spectator = seated(stack, server)
        game_of(spectator)
        white.send(offer("resignation", "white"))
        spectator.receive_type("game")
        black.send(offer("offer_rematch", "black"))
        seen = spectator.receive_type("game")
        check(seen["rematch_offer"] == "black", f"{seen}")
        white.send(offer("accept_rematch", "white"))
        again = spectator.receive_type("game")
        check(again["rematches"] == 1 and again["played"] == [], f"{again}")
        check_answers([seen, again])
        white.send(move("E2", "E4"))
        white.receive_type("failure")
        black.send(move("E2", "E4"))
        check(spectator.receive_type("game")["played"] == ["e4"], "who had Black does not move")


@test
def a_move_does_not_wait_for_a_hint(start):
    with serve(start) as server, server.connect() as player:
        game = player.request(FOLLOW)[0]["id"]
        with server.connect(f"/game/{game}") as hinted:
            hinted.send(HINT)
            time.sleep(0.1)
            start_time = time.monotonic()
            player.send(move("E2", "E4"))
            player.receive_type("next_legal_moveset")
            check(time.monotonic() - start_time < 2 * start.slow, "the move waits")
            types = {hinted.receive()["message_type"] for _ in range(2)}
            check(types == {"failure", "next_legal_moveset"}, f"the hint's answer: {types}")


@test
def a_hint_by_post_ends_when_its_client_leaves(start):
    with AdminServer(start, "serve", "--store", "memory") as server:
        for end in ("close", "reset"):
            with socket.create_connection(("127.0.0.1", server.port)) as client:
                body = to_text(HINT)
                client.sendall(f"POST /message HTTP/1.1\r\nHost: localhost\r\n"
                               f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
                wait_for(lambda: searches(server) == 1, "no search", start.slow)
                if end == "reset":
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            wait_for(lambda: searches(server) == 0, f"the search goes on after a {end}", start.slow)
            check(server.games()["total"] == 0, "a game is left")


def searches(server):
    return server.metrics()[("parley_searches_running", None)]


def wait_for(condition, complaint, slow):
    deadline = time.monotonic() + 10 * slow
    while not condition():
        check(time.monotonic() < deadline, complaint)
        time.sleep(0.02)


@test
def spectators_cannot_ask_for_hints_or_end_a_game(start):
    with serve(start) as server, contextlib.ExitStack() as stack:
        white, black, spectator = seated(stack, server)
        for _ in range(20):
            spectator.send(HINT)
        check(white.request(move("E2", "E4"))[0]["message_type"] == "next_legal_moveset",
              "a player's move is refused")
        for player in ("white", "black"):
            spectator.send({"message_type": "timeout", "player": player})
        for _ in range(22):
            answer = spectator.receive()
            while answer["message_type"] == "next_legal_moveset":
                answer = spectator.receive()
            check(answer["message_type"] == "failure", f"{answer}")
        black.send({"message_type": "timeout", "player": "white"})
        black.send(NEW_GAME)
        for _ in range(2):
            check(black.receive_type("failure"), "a player ends the game for the other")
        black.request({"message_type": "timeout", "player": "black"})
        check(white.receive_type("game_end")["victor"] == "white", "not ended by its loser")
        check(black.request(NEW_GAME)[0]["message_type"] == "next_legal_moveset",
              "no new game after the end")


@test
def a_stop_says_goodbye_to_websockets(start):
    with serve(start) as server, server.connect() as client, server.connect():
        client.request(GET_MOVESET)
        server.stop()
        check(client.receive_text() is None, "a message")
        check(client.close_code == 1000, f"the close code is {client.close_code}")


# Hostile and slow clients.

@test_each([
    ("a frame of 2^63 bytes", b"\x81\xff\x7f" + b"\xff" * 7 + b"abcd", True),
    ("a frame of a megabyte", b"\x81\xff" + (1 << 20).to_bytes(8, "big") + b"abcd", True),
    ("an unmasked frame", b"\x81\x02{}", True),
    ("an unknown opcode", b"\x83\x80abcd", True),
    ("invalid UTF-8", b"\x81\x82\0\0\0\0\xc3\x28", True),
    ("a long ping", b"\x89\xfe\x00\xff" + b"\0" * 300, True),
    ("half a frame", b"\x81\xfe", False),
])
def a_hostile_frame_harms_no_other_client(data, closes, start):
    with serve(start) as server, server.connect() as good, server.connect() as bad:
        bad.send_bytes(data)
        if closes:
            check(bad.receive_text() is None, "the connection was not closed")
        check(good.request(GET_MOVESET)[0]["moves"], "the other client has no answer")


@test
def a_message_that_is_too_long_is_a_failure(start):
    with serve(start) as server, server.connect() as client:
        for text in ("x" * 4097, "x" * 16000, "[" * 4000, "", "{}", '{"message_type":1}'):
            client.send(text)
            check(client.receive_text() == FAILURE, "no failure")
        client.send_frame(1, b'{"message_type":', final=False)
        client.send_frame(0, b'"get_legal_moveset"}')
        check(client.receive()["moves"], "a message in two frames")


@test
def incomplete_requests_delay_nobody(start):
    with serve(start) as server, contextlib.ExitStack() as stack:
        for _ in range(300):
            half = stack.enter_context(server.raw())
            half.sendall(b"POST /message HTTP/1.1\r\nHost: 127")
        start_time = time.monotonic()
        check(server.post(NEW_GAME)[0] == 200, "not served")
        check(time.monotonic() - start_time < 10 * start.slow, "served late")


@test
def idle_connections_make_room_for_new_ones(start):
    """One client opens more connections than the limit and sends nothing."""
    wanted = 4100
    with serve(start) as server, contextlib.ExitStack() as stack:
        allow_files(wanted + 200)
        player = stack.enter_context(server.connect())
        for _ in range(wanted):
            stack.enter_context(server.raw())
        check(server.post(NEW_GAME)[0] == 200, "not served")
        check(player.request(GET_MOVESET)[0]["moves"], "the player was disconnected")


@test
def a_client_that_does_not_read_is_disconnected(start):
    with serve(start) as server, server.connect() as slow_reader, server.connect() as good:
        slow_reader.request(GET_MOVESET)
        try:
            for _ in range(100_000):
                slow_reader.send(GET_MOVESET)
        except OSError:
            pass
        check(good.request(GET_MOVESET)[0]["moves"], "the other client has no answer")
        check(server.resident_mb() < 250 * start.slow, f"{server.resident_mb():.0f} MB")


@test
def two_hundred_games_are_answered_quickly(start):
    with serve(start) as server, contextlib.ExitStack() as stack:
        clients = [stack.enter_context(server.connect()) for _ in range(200)]
        times = []
        for one in (move("G1", "F3"), move("G8", "F6"), NEW_GAME):
            for client in clients:
                start_time = time.monotonic()
                client.request(one)
                times.append(1000 * (time.monotonic() - start_time))
        check(median(times) < 20 * start.slow, f"{median(times):.2f} ms")


@test
def a_review_is_told_of_and_is_a_page_then(start):
    with serve(start) as server, server.connect() as client:
        game = game_of(client)
        client.request({"message_type": "load_pgn", "pgn": "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 *"}, 2)
        path = f"/game/{game['id']}/review"
        check(server.request("GET", path)[0] == 404, "a review before it was made")
        client.send({"message_type": "start_review", "white": "Ann", "black": "</script>"})
        said = [client.receive_type("review", within=60)]
        while said[-1]["state"] == "running":
            said.append(client.receive_type("review", within=60))
        check(said[-1]["state"] == "ready" and said[0]["total"] == 7, f"{said}")
        check_answers([game, *said])
        status, headers, page = server.request("GET", path)
        check(status == 200 and headers["Content-Type"].startswith("text/html"), f"{status} {headers}")
        check("Ann" in page and page.count("</script>") == 2, "not the page of this game")
        status, headers, text = server.request("GET", path + ".json")
        review = json.loads(text)
        check((status, headers["Content-Type"]) == (200, "application/json"), f"{status} {headers}")
        check(review["moves"][4]["judgement"] == "blunder" and len(review["moves"]) == 6, f"{review}")
        check(server.request("POST", path, "{}")[0] == 405, "a review takes messages")
        client.request(move("F1", "C4"), 2)
        check(server.request("GET", path)[0] == 404, "the review of a game that went on")


@test
def the_messages_of_a_room_are_valid(start):
    with serve(start) as server, server.connect() as client:
        said = client.request(FOLLOW) + client.request(take_seat("white", KEYS[0]), 2)
        said += client.request(move("F2", "F3"), 2) + client.request(move("E7", "E5"), 2)
        said += client.request({"message_type": "get_positions"})
        for lines in (1, 3):
            client.send({"message_type": "start_analysis", "lines": lines})
            said += [client.receive_type("analysis_started"), client.receive_type("analysis")]
        check(len(said[-1]["lines"]) == 3, f"{said[-1]}")
        line = " ".join(said[-1]["line"])
        client.send({"message_type": "get_positions", "from": 2, "line": line})
        said += [client.receive_type("positions")]
        check(len(said[-1]["positions"]) == 1 + len(line.split()), f"{said[-1]}")
        client.send({"message_type": "stop_analysis"})
        said += [client.receive_type("analysis_stopped")]
        said += client.request({"message_type": "leave_seat", "player": "white"}, 2)
        said += client.request({"message_type": "resignation", "player": "black"}, 2)
        check_answers(said)
        check({"game", "seat_taken", "seat_left"} <= {one["message_type"] for one in said}, f"{said}")
        check(said[-1]["end"]["reason"] == "resignation", f"{said[-1]}")
