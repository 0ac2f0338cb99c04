"""chezz's games over HTTP and WebSocket: what a browser, the front end and a stranger would see."""
import base64
import contextlib
import json
import pathlib
import time

from chezz_client import ORIGIN, Browser, Redis, Server, new_seated_game, play_out
from harness import Failure, check, median, patient_test, test, test_each
from websocket_client import BINARY, CLOSE, PING, PONG, TEXT, Refused

DATA = pathlib.Path(__file__).parent.parent / "data" / "chezz"
JSON = "application/json; charset=utf-8"
NOT_FOUND = '{"message":"Game with id \'%s\' was not found or could not be recovered.","code":404}'
COOKIE = "session_id=%s; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax"
KNIGHTS = ["g1f3", "g8f6", "f3g1", "f6g8"]


def golden_games():
    return [json.loads(line) for name in ("golden.jsonl", "correct_golden.jsonl")
            for line in (DATA / name).read_text().splitlines()]


# Routes.


@test
def routes_answer_as_chezz_does(start):
    with Server(start) as server:
        for method, path, status, kind, body in [
                ("GET", "/health", 200, JSON, '"writing test"'),
                ("GET", "/test", 200, "text/plain; charset=utf-8", "hola"),
                ("GET", "/game/abc", 404, JSON, NOT_FOUND % "abc"),
                ("GET", "/game/0", 404, JSON, NOT_FOUND % "0"),
                ("GET", "/game/-5", 404, JSON, NOT_FOUND % "-5"),
                ("GET", "/game/99999999999999999999", 404, JSON, NOT_FOUND % ("9" * 20)),
                ("GET", "/game/%3Ca%26b%3E", 404, JSON, NOT_FOUND % r"\u003ca\u0026b\u003e"),
                ("GET", "/play/5", 404, JSON, NOT_FOUND % "5"),
                ("HEAD", "/test", 404, "text/plain", ""),
                ("GET", "/", 404, "text/plain", "404 page not found"),
                ("GET", "/game", 404, "text/plain", "404 page not found"),
                ("GET", "/game/", 404, "text/plain", "404 page not found"),
                ("GET", "/game/5/6", 404, "text/plain", "404 page not found"),
                ("POST", "/game/5", 404, "text/plain", "404 page not found"),
                ("DELETE", "/game/5", 404, "text/plain", "404 page not found")]:
            said = Browser(server).request(method, path)
            check((said[0], said[1]["Content-Type"], said[2]) == (status, kind, body),
                  f"{method} {path}: {said[0]} {said[1]['Content-Type']} {said[2]}")
            matched = kind != "text/plain"
            check(("Set-Cookie" in said[1]) == matched, f"{method} {path}: {said[1]}")


@test
def a_game_is_made_and_shown(start):
    with Server(start) as server:
        maker = Browser(server)
        status, headers, body = maker.request("POST", "/game", body="ignored")
        number = json.loads(body)["game_id"]
        check(status == 201 and headers["Content-Type"] == JSON, f"{status} {headers}")
        check(body == f'{{"message":"Game created","game_id":"{number}"}}', body)
        check(2**53 < int(number) < 2**63, number)
        shown = maker.request("GET", f"/game/{number}")[2]
        game = json.loads(shown)
        check(list(game) == ["relation", "blackPlayer", "whitePlayer", "gameId", "board"], shown)
        check(game["relation"] == "white" and game["blackPlayer"] == "0", shown)
        check(base64.b64decode(game["board"]).hex() == golden_start(), shown)
        for way in (f"+{number}", f"000{number}"):
            check(Browser(server).game(way)["relation"] == "observer", f"as {way}")


def golden_start():
    return ("0002000f" "0403020506020304" + 8 * "01" + 32 * "00" + 8 * "09" + "0c0b0a0d0e0a0b0c"
            "00")


@test_each([(query, query, relation) for query, relation in [
    ("?is_black=true", "black"), ("?is_black=1", "black"), ("?is_black=yes", "black"),
    ("?is_black=TRUE", "white"), ("?is_black=on", "white"), ("?is_black=0", "white"),
    ("?is_black=", "white"), ("", "white"), ("?other=1&is_black=1", "black")]])
def the_maker_chooses_a_colour(query, relation, start):
    with Server(start) as server:
        maker = Browser(server)
        check(maker.game(maker.create(query))["relation"] == relation, query)


# Cookies.


@test
def a_cookie_makes_a_visitor_known_again(start):
    with Server(start) as server:
        maker = Browser(server)
        number = maker.create()
        session = maker.session
        _, headers, _ = maker.request("GET", f"/game/{number}")
        check(headers["Set-Cookie"] == COOKIE % session, headers["Set-Cookie"])
        _, headers, _ = maker.request("GET", "/test", {"X-Forwarded-Proto": "https"})
        check(headers["Set-Cookie"].endswith("HttpOnly; Secure; SameSite=Lax"),
              headers["Set-Cookie"])
        check(Browser(server, session).game(number)["relation"] == "white", "another browser")
        # Only as a cookie.
        shown = Browser(server).request("GET", f"/game/{number}?session_id={session}")[2]
        check(json.loads(shown)["relation"] == "observer", shown)


@test
def a_cookie_given_before_it_was_needed_counts(start):
    with Server(start) as server:
        visitor = Browser(server)
        visitor.request("GET", "/health")
        first = visitor.session
        number = visitor.create()
        check(visitor.session == first, "the session has changed")
        check(visitor.game(number)["relation"] == "white", "the maker is not known")


@test
def sessions_are_not_to_be_guessed(start):
    with Server(start) as server:
        sessions = set()
        for _ in range(50):
            visitor = Browser(server)
            visitor.request("GET", "/test")
            sessions.add(visitor.session)
        check(len(sessions) == 50 and all(len(one) == 22 for one in sessions), sessions)
        numbers = sorted(int(Browser(server).create()) for _ in range(50))
        steps = {after - before for before, after in zip(numbers, numbers[1:])}
        check(len(steps) == 49 and min(steps) > 1000, f"{sorted(steps)[:3]}")


@test_each([(text, text) for text in ("unknown", "A" * 22, "x" * 5000, "", '"quoted"', "a%00b")])
def a_session_that_is_unknown_is_replaced(text, start):
    with Server(start) as server:
        visitor = Browser(server, text)
        visitor.request("GET", "/test")
        check(visitor.session != text and len(visitor.session) == 22, visitor.session)


@test
def visitors_who_want_nothing_leave_nothing_behind(start):
    with Redis(start.slow) as redis:
        with Server(start, store=(), variables=redis.variables()) as server:
            for path in ("/health", "/test", "/game/5", "/play/5", "/nothing"):
                Browser(server).request("GET", path)
            check(redis.command("DBSIZE") == 0, redis.command("KEYS", "*"))
            maker = Browser(server)
            number = maker.create()
            check(redis.command("DBSIZE") == 2, redis.command("KEYS", "*"))
            # Someone with a seat, and after that nobody else.
            Browser(server).play(number).receive_type("init")
            check(redis.command("DBSIZE") == 3, redis.command("KEYS", "*"))
            Browser(server).play(number).receive_type("init")
            check(redis.command("DBSIZE") == 3, redis.command("KEYS", "*"))


# Origins.


@test
def pages_of_the_allowed_origin_may_use_it(start):
    with Server(start) as server:
        for path in ("/test", "/game/5", "/nothing"):
            _, headers, _ = Browser(server).request("GET", path, {"Origin": ORIGIN})
            check(headers["Access-Control-Allow-Origin"] == ORIGIN, f"{path}: {headers}")
            check(headers["Access-Control-Allow-Credentials"] == "true", f"{path}: {headers}")
            check(headers.get_all("Vary") == ["Origin"], f"{path}: {headers}")
        _, headers, _ = Browser(server).request("GET", "/test")
        check("Access-Control-Allow-Origin" not in headers and "Vary" not in headers, headers)
        own = {"Origin": f"http://127.0.0.1:{server.port}"}
        status, headers, _ = Browser(server).request("GET", "/test", own)
        check(status == 200 and "Access-Control-Allow-Origin" not in headers, headers)


@test
def a_preflight_says_what_is_allowed(start):
    with Server(start) as server:
        status, headers, body = Browser(server).request(
            "OPTIONS", "/game", {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"})
        check(status == 204 and body == "", f"{status} {body}")
        check(headers["Access-Control-Allow-Origin"] == ORIGIN, headers)
        check(headers["Access-Control-Allow-Methods"] == "GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS",
              headers)
        check(headers["Access-Control-Allow-Headers"] == "Origin,Content-Length,Content-Type",
              headers)
        check(headers["Access-Control-Max-Age"] == "43200", headers)
        check(len(headers.get_all("Vary")) == 3 and "Set-Cookie" not in headers, headers)


@test_each([(origin, origin) for origin in (
    "null", "http://evil.example", "http://localhost:51730", "https://localhost:5173")])
def other_pages_may_not(origin, start):
    with Server(start) as server:
        for method, path in (("GET", "/test"), ("POST", "/game"), ("OPTIONS", "/game")):
            status, headers, body = Browser(server).request(method, path, {"Origin": origin})
            check((status, body) == (403, ""), f"{method} {path}: {status} {body}")
            check("Set-Cookie" not in headers, f"{method} {path}: {headers}")
        number = Browser(server).create()
        try:
            Browser(server).play(number, {"Origin": origin})
            raise Failure("a WebSocket was granted")
        except Refused as refused:
            check((refused.status, refused.body) == (403, ""), str(refused))
        Browser(server).play(number, {"Origin": ORIGIN}).receive_type("init")


@test
def the_allowed_origin_comes_from_the_environment_before_the_file(start):
    for variables, expected in (({}, "http://file"), ({"ALLOWED_DOMAIN": "http://env"},
                                                      "http://env")):
        with Server(start, variables=variables, env_file="ALLOWED_DOMAIN=http://file\n") as server:
            _, headers, _ = Browser(server).request("GET", "/test", {"Origin": expected})
            check(headers["Access-Control-Allow-Origin"] == expected, headers)


@test
def one_client_has_only_so_many_connections(start):
    """The proxy tells who the client is; this machine's own have no limit."""
    with Server(start, "--trust-proxy", "127.0.0.1") as server, contextlib.ExitStack() as stack:
        games = [Browser(server).create() for _ in range(5)]

        def watch(index, address):
            headers = {"X-Forwarded-For": address} if address else {}
            socket = Browser(server).play(games[index // 50], headers)
            stack.callback(socket.cut)
            return socket

        for index in range(200):
            watch(index, "203.0.113.9")
        try:
            watch(200, "203.0.113.9")
            raise Failure("one more is granted")
        except Refused as refused:
            check(refused.status == 429, f"{refused}")
        for address in ("203.0.113.10", None):
            watch(200, address).receive_type("init")


@test
def one_client_that_begins_many_games_is_refused_and_others_are_not(start):
    with Server(start, "--trust-proxy", "127.0.0.1") as server:
        def begin(address):
            headers = {"X-Forwarded-For": address} if address else {}
            return Browser(server).request("POST", "/game", headers)[0]

        answers = [begin("203.0.113.9") for _ in range(80)]
        check(answers[:60] == 60 * [201], f"{answers}")
        check(answers[-1] == 429, f"{answers}")
        check(begin("203.0.113.10") == 201, "another client is refused")
        check(begin(None) == 201, "the proxy itself is refused")


# WebSockets.


@test
def connecting_is_joining(start):
    with Server(start) as server:
        maker, second, third = Browser(server), Browser(server), Browser(server)
        number = maker.create()
        for visitor, relation in ((maker, "white"), (second, "black"), (third, "observer"),
                                  (second, "black")):
            socket = visitor.play(number)
            check(socket.receive_text() == f'{{"type":"init","relation":"{relation}"}}', relation)
        game = second.game(number)
        check(game["relation"] == "black" and game["blackPlayer"] not in ("0", game["whitePlayer"]),
              str(game))
        check(third.game(number)["relation"] == "observer", "the third has a seat")


@test
def only_websockets_are_upgraded(start):
    with Server(start) as server:
        maker = Browser(server)
        number = maker.create()
        status, headers, body = maker.request("GET", f"/play/{number}")
        check((status, body) == (400, 'handshake error: bad "Upgrade" header'), f"{status} {body}")
        check(headers["Content-Type"].startswith("text/plain"), headers)
        for name, value in (("Upgrade", "carrier pigeon"), ("Sec-WebSocket-Version", "12"),
                            ("Sec-WebSocket-Key", "short")):
            try:
                maker.play(number, {name: value})
                raise Failure(f"granted with {name}: {value}")
            except Refused as refused:
                check((refused.status, refused.body)
                      == (400, f'handshake error: bad "{name}" header'), str(refused))
        for path in ("5", "abc"):
            try:
                maker.play(path)
                raise Failure("granted for a game that is not there")
            except Refused as refused:
                check((refused.status, refused.body) == (404, NOT_FOUND % path), str(refused))


@test
def the_handshake_gives_a_cookie_only_to_who_needs_it(start):
    with Server(start) as server:
        maker, second, third = Browser(server), Browser(server), Browser(server)
        number = maker.create()
        check(maker.play(number).headers["Set-Cookie"] is None, "the maker has one")
        second.play(number).receive_text()  # by now it sits
        check(second.session is not None, "the second player would not be known again")
        check(second.game(number)["relation"] == "black", "the second player is not known")
        check(third.play(number).headers["Set-Cookie"] is None, "an observer got one")


@patient_test  # four messages a second
def golden_games_are_told_and_shown_exactly(start):
    with Server(start) as server:
        for game in golden_games():
            number, white, black = new_seated_game(server)
            for ply, move in enumerate(game["moves"]):
                mover, other = (white, black) if ply % 2 == 0 else (black, white)
                mover.send(move)
                texts = [mover.receive_text(), other.receive_text()]
                check(texts[0] == texts[1], f"{game['name']}: {texts}")
                if "ws" in game:
                    expected = json.dumps(game["ws"][ply], separators=(",", ":"))
                    check(texts[0] == expected, f"{game['name']}, ply {ply}: {texts[0]}")
            shown = Browser(server).board(number).hex()
            check(shown == game["front_hex"], f"{game['name']}: {shown}")
            white.cut()
            black.cut()


@test
def moves_are_seen_by_everyone(start):
    with Server(start) as server:
        number, white, black = new_seated_game(server)
        watching = Browser(server).play(number)
        watching.receive_type("init")
        white.send("e2e4", BINARY)
        for socket in (white, black, watching):
            check(socket.receive_text() == '{"type":"move","uci":"e2e4","mateStatus":"",'
                                   '"enPassantCapture":"","checkedPlayer":2}', "another move")


@test
def what_is_refused_is_refused_in_chezz_words(start):
    with Server(start) as server:
        number, white, black = new_seated_game(server)
        watching = Browser(server).play(number)
        watching.receive_type("init")
        for socket, said, text, code in [
                (black, "e7e5", "not your turn", "NOT_YOUR_TURN"),
                (watching, "e2e4", "not your turn", "NOT_YOUR_TURN"),
                (white, "hello", "Could not parse move.", "UNPARSEABLE_MOVE"),
                (white, "e2e4Q", "Could not parse move.", "UNPARSEABLE_MOVE"),
                (white, "e2e4e.p", "Could not parse move.", "UNPARSEABLE_MOVE"),
                (white, "e4e5", "No piece selected or piece not owned", "INVALID_PIECE_SELECTED"),
                (white, "d1d2", "Move position invalid, already occupied by another piece",
                 "INVALID_POSITION"),
                (white, "e2e5", "not a valid movement, allowed moves [20 28]", "MOVE_NOT_ALLOWED"),
                (white, "g1g3", "invalid movement, allowed [21 23]", "MOVE_NOT_ALLOWED")]:
            socket.send(said)
            expected = json.dumps({"type": "error", "error": text, "code": code},
                                  separators=(",", ":"))
            check((received := socket.receive_text()) == expected, f"{said}: {received}")
        check(white.is_quiet() and black.is_quiet(), "others got a message")
        check(Browser(server).board(number).hex() == golden_start(), "the board has changed")


@test
def a_promotion_without_a_letter_makes_a_queen(start):
    moves = ["h2h4", "g7g5", "h4g5", "h7h6", "g5h6", "g8f6", "h6h7", "f6g8"]
    for arguments, said, expected in [((), "h7g8", "h7g8Q"), ((), "h7g8n", "h7g8N"),
                                      (("--strict-promotion",), "h7g8q", "h7g8Q")]:
        with Server(start, *arguments) as server:
            number, white, black = new_seated_game(server)
            play_out(moves, white, black)
            if arguments:
                white.send("h7g8")
                check(white.receive()["code"] == "MOVE_MISSING_PROMOTION", "it needs no letter")
            white.send(said)
            check(white.receive()["uci"] == expected, expected)
            check(Browser(server).board(number)[4 + 62] == (0x15 if expected[-1] == "Q" else 0x13),
                  "another piece")


@test
def who_comes_late_is_told_the_game(start):
    with Server(start) as server:
        number, white, black = new_seated_game(server)
        play_out(["e2e4", "e7e5"], white, black)
        late = Browser(server)
        socket = late.play(number)
        check(socket.receive_text() == '{"type":"init","relation":"observer"}', "no init")
        state = socket.receive()
        check(state["type"] == "state" and state["board"] == late.game(number)["board"], str(state))


@test
def what_was_played_between_the_page_and_its_socket_is_told(start):
    with Server(start) as server:
        number, white, black = new_seated_game(server)
        page = Browser(server)
        page.game(number)
        white.move("e2e4")
        socket = page.play(number)
        check(socket.receive_type("move")["uci"] == "e2e4", "the move was missed")


@test
def a_page_that_has_seen_the_game_is_told_no_more_than_its_seat(start):
    with Server(start) as server:
        number, white, black = new_seated_game(server)
        play_out(["e2e4", "e7e5"], white, black)
        page = Browser(server)
        page.game(number)
        socket = page.play(number)
        check(socket.receive_text() == '{"type":"init","relation":"observer"}', "no init")
        check(socket.is_quiet(), "there is more")


@test
def a_page_has_time_for_each_message(start):
    """One that is given two in a turn of its loop may see only the second."""
    with Server(start) as server:
        number, white, black = new_seated_game(server)
        page = Browser(server)
        page.game(number)
        play_out(["e2e4", "e7e5", *KNIGHTS, *KNIGHTS], white, black)
        socket = page.play(number)
        kinds, times = [], []
        for _ in range(12):
            kinds.append(socket.receive()["type"])
            times.append(time.monotonic())
        check(kinds == ["init", *(10 * ["move"]), "draw"], str(kinds))
        pauses = [after - before for before, after in zip(times, times[1:])]
        check(median(pauses) > 0.05, str(pauses))
        check(white.receive_type("draw")["claimable"], "no draw")
        socket.send("e2e4")
        check(socket.receive()["code"] == "NOT_YOUR_TURN", "another answer")


@test
def a_page_is_loaded_with_black_to_move(start):
    with Server(start) as server:
        maker, player = Browser(server), Browser(server)
        number = maker.create()
        white, black = maker.play(number), player.play(number)
        white.move("e2e4")
        black.receive_type("move")
        black.cut()
        check(player.board(number)[0] == 1, f"the first byte is {player.board(number)[0]}")
        black = player.play(number)
        check(black.receive_type("init")["relation"] == "black", "the seat is lost")
        black.move("e7e5")
        check(white.receive_type("move")["uci"] == "e7e5", "another move")


@test
def moves_are_answered_in_a_moment(start):
    with Server(start) as server:
        _, white, black = new_seated_game(server)
        times = []
        game = next(game for game in golden_games() if len(game["moves"]) > 100)
        for ply, move in enumerate(game["moves"]):
            mover, other = (white, black) if ply % 2 == 0 else (black, white)
            began = time.monotonic()
            mover.move(move)
            times.append(1000 * (time.monotonic() - began))
            other.receive_type("move")
        check(median(times) < 20 * start.slow, f"{median(times):.1f} ms")


@test
def a_burst_of_moves_is_answered_at_once(start):
    with Server(start) as server:
        _, white, black = new_seated_game(server)
        began = time.monotonic()
        for move in ("e2e4", "d2d4", "c2c4", "b2b4", "a2a4"):
            white.send(move)
        kinds = [white.receive()["type"] for _ in range(5)]
        check(kinds == ["move"] + 4 * ["error"], str(kinds))
        check(time.monotonic() - began < 2 * start.slow, "it took long")


@test
def pings_are_echoed_and_good_byes_returned(start):
    with Server(start) as server:
        _, white, _ = new_seated_game(server)
        white.send_frame(PING, b"payload")
        check(white.receive_frame() == (PONG, b"payload", True), "no pong")
        white.send_frame(TEXT, b"e2", final=False)
        white.send_frame(0, b"e4")
        check(white.receive()["uci"] == "e2e4", "fragments were not joined")
        white.send_frame(CLOSE, b"\x03\xe9bye")
        frame = white.receive_frame()
        check(frame is not None and frame[0] == CLOSE and frame[1][:2] == b"\x03\xe9", str(frame))
        check(white.receive_frame() is None, "the connection is open")


@patient_test
def a_silent_client_is_asked_for_a_sign_of_life_and_bid_good_bye(start):
    with Server(start) as server:
        _, white, black = new_seated_game(server)
        began = time.monotonic()
        kinds = []
        while (frame := white.receive_frame(within=12)) is not None and frame[0] != CLOSE:
            kinds.append(frame[0])
            if len(kinds) == 1:
                black.send_frame(PONG, b"")
        seconds = time.monotonic() - began
        check(kinds and set(kinds) == {PING}, str(kinds))
        check(frame == (CLOSE, b"\x03\xe8", True), str(frame))
        check(29 < seconds < 45 * start.slow, f"after {seconds:.0f} s")


@patient_test
def who_thinks_for_long_stays(start):
    with Server(start) as server:
        _, white, black = new_seated_game(server)
        white.move("e2e4")
        check(black.receive_type("move")["uci"] == "e2e4", "another move")
        began = time.monotonic()
        while time.monotonic() - began < 50:
            frame = black.receive_frame(within=12)
            check(frame == (PING, b"", True), f"{frame} after {time.monotonic() - began:.0f} s")
            black.send_frame(PONG, b"")
        black.move("e7e5")


# Draws and resignation.


@test
def a_draw_is_claimed(start):
    with Server(start) as server:
        number, white, black = new_seated_game(server)
        white.send("draw")
        check(white.receive()["code"] == "NO_DRAW", "it was granted")
        play_out(KNIGHTS + KNIGHTS, white, black)
        check(white.receive_text() == '{"type":"draw","reason":"threefold repetition","claimable":true}',
              "nobody says so")
        black.receive_type("draw")
        white.send("draw")
        for socket in (white, black):
            check(socket.receive_text() == '{"type":"end","result":"1/2-1/2",'
                                   '"reason":"threefold repetition"}', "no end")
        white.send("e2e4")
        check(white.receive()["code"] == "GAME_OVER", "the game goes on")
        late = Browser(server).play(number)
        check(late.receive_type("end")["reason"] == "threefold repetition", "it was forgotten")


@test
def a_fivefold_repetition_ends_the_game(start):
    with Server(start) as server:
        _, white, black = new_seated_game(server)
        play_out(4 * KNIGHTS, white, black)
        check(white.receive_type("end")["reason"] == "fivefold repetition", "no end")


@test
def draws_stop_play_where_it_was_so_decided(start):
    with Server(start, "--draws-stop-play") as server:
        number, white, black = new_seated_game(server)
        play_out((KNIGHTS + KNIGHTS)[:-1], white, black)
        black.send(KNIGHTS[-1])
        check(white.receive_type("move")["mateStatus"] == "-", "it goes on")
        check(white.receive_type("end")["reason"] == "threefold repetition", "no end")
        check(Browser(server).board(number)[2] == 2, "the board shows no stalemate")


@test
def a_player_resigns(start):
    with Server(start) as server:
        number, white, black = new_seated_game(server)
        watching = Browser(server).play(number)
        watching.receive_type("init")
        watching.send("resign")
        check(watching.receive()["code"] == "NOT_A_PLAYER", "an observer resigned")
        black.send("resign")
        for socket in (white, black, watching):
            check(socket.receive_text() == '{"type":"end","result":"1-0","reason":"resignation"}', "no end")
        white.send("e2e4")
        check(white.receive()["code"] == "GAME_OVER", "the game goes on")


# The engine.


@test
def the_engine_plays_the_other_seat(start):
    for query, first in (("?opponent=engine&movetime=50", "e2e4"),
                         ("?opponent=engine&elo=1200", "e2e4"),
                         ("?opponent=engine&movetime=50&is_black=1", None)):
        with Server(start) as server:
            player = Browser(server)
            number = player.create(query)
            socket = player.play(number)
            check(Browser(server).play(number).receive()["relation"] == "observer",
                  "the engine's seat is free")
            check(socket.receive_type("init")["relation"] == ("white" if first else "black"), query)
            if first:
                socket.move(first)
            check(socket.receive_type("move", within=20)["uci"] != first, "no answer")


@test
def the_engine_goes_on_after_a_restart(start):
    with Server(start) as server:
        player = Browser(server)
        number = player.create("?opponent=engine&movetime=1000")
        socket = player.play(number)
        socket.move("e2e4")
        server.kill()
        server.start()
        # It is the engine's turn as soon as someone is there to see it.
        socket = player.play(number)
        socket.receive_type("init")
        check(socket.receive_type("move", within=30)["uci"][0] in "abcdefgh", "no move")


@test_each([(query, query) for query in (
    "?opponent=engine&movetime=0", "?opponent=engine&movetime=x",
    "?opponent=engine&elo=599", "?opponent=engine&elo=2801", "?opponent=engine&elo=strong",
    "?opponent=engine&elo=",
    "?opponent=engine&movetime=5001", "?opponent=nobody")])
def what_the_engine_cannot_do_is_refused(query, start):
    with Server(start) as server:
        status, _, body = Browser(server).request("POST", "/game" + query)
        check(status == 400 and json.loads(body)["code"] == 400, f"{status} {body}")


@test
def many_games_share_the_engine(start):
    with Server(start) as server:
        sockets = []
        for _ in range(40):
            player = Browser(server)
            sockets.append(player.play(player.create("?opponent=engine&movetime=2000")))
        began = time.monotonic()
        for socket in sockets:
            socket.move("e2e4")
        for socket in sockets:
            socket.receive_type("move", within=30)
        seconds = time.monotonic() - began
        # One after the other at two seconds each it would be 80.
        check(seconds < 30 * start.slow, f"{seconds:.0f} s")
