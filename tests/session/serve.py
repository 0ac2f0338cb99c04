"""`parley serve`: JSON messages over HTTP and WebSocket, and the page."""
import contextlib
import resource
import time

from harness import Skip, check, median, test, test_each
from json_messages import FAILURE, NEW_GAME, QUESTION, move, scenarios
from web import Refused, Server, text_of

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
    return client.ask(FOLLOW)[0]


def allow_files(count):
    """For this process. The server asks for its own."""
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
def a_server_says_why_it_cannot_start(start):
    for arguments in (("--port", "x"), ("--port", "65536"), ("--nonsense",), ("nonsense",),
                      ("--bind", "here")):
        run = start.run("serve", *arguments)
        check(run.status == 1, f"{arguments}: status {run.status}")
    check(start.run("serve", "--help").status == 0, "no help")


# Messages by POST.

@test_each([("/message", "/message"), ("/", "/")])
def golden_conversations_by_http(path, start):
    with serve(start) as server:
        for name, steps in scenarios():
            game = {}
            for step in steps:
                status, headers, body = server.post(step["in"], path=path, **game)
                lines = [text_of(message) for message in step["out"]]
                check(body.splitlines() == lines, f"{name}: {body}")
                failed = lines == [FAILURE]
                check(status == (422 if failed else 200), f"{name}: status {status}")
                check(headers["Content-Type"] == "application/x-ndjson", f"{headers}")
                if "Parley-Game" in headers:
                    game = {"Parley_Game": headers["Parley-Game"]}


@test
def every_post_without_a_game_begins_one(start):
    with serve(start) as server:
        first, second = (server.post(move("E2", "E4"))[1]["Parley-Game"] for _ in range(2))
        check(first != second, "the same game")
        check(server.post(move("D2", "D4"), Parley_Game=first)[0] == 422, "White moves twice")
        check(server.post(move("E7", "E5"), path=f"/game/{first}")[0] == 200, "Black cannot move")
        check(server.post(move("C7", "C5"), Parley_Game=second)[0] == 200, "games are mixed up")


@test
def a_cookie_names_the_game_too(start):
    with serve(start) as server:
        cookie = server.post(move("E2", "E4"))[1]["Set-Cookie"]
        for word in ("HttpOnly", "SameSite=Strict"):
            check(word in cookie, f"the cookie is {cookie}")
        pair = "a=b; " + cookie.split(";")[0] + "; c=d"
        check(server.post(move("E7", "E5"), Cookie=pair)[0] == 200, "it is another game")


@test
def a_cookie_of_a_game_that_is_gone_goes_too(start):
    with serve(start) as server:
        pair = "parley_game=" + "0" * 32
        status, headers, body = server.post(NEW_GAME, Cookie=pair)
        check((status, body) == (404, FAILURE + "\n"), f"{status} {body}")
        check("parley_game=;" in headers["Set-Cookie"] and "Max-Age=0;" in headers["Set-Cookie"],
              f"the cookie stays: {headers['Set-Cookie']}")


@test
def a_failure_begins_no_game(start):
    with serve(start) as server:
        status, headers, body = server.post("nonsense")
        check((status, body) == (422, FAILURE + "\n"), f"{status} {body}")
        check("Parley-Game" not in headers and "Set-Cookie" not in headers, f"{headers}")


@test
def the_engine_moves_by_http(start):
    with serve(start) as server:
        status, _, body = server.post(engine_move(nodes=500))
        check(status == 200 and len(body.splitlines()) == 2, f"{status} {body}")


@test_each([
    ("an unknown game", "POST", "/game/" + "0" * 32, 404),
    ("an unknown path", "POST", "/nothing", 404),
    ("an unknown file", "GET", "/nothing", 404),
    ("a game of no such name", "GET", "/game/../page.js", 404),
    ("looking at messages", "GET", "/message", 405),
    ("putting", "PUT", "/message", 405),
    ("posting the page's style", "POST", "/page.css", 405),
    ("a method of no meaning", "BREW", "/message", 405),
])
def what_cannot_be_done_has_its_status(method, path, status, start):
    with serve(start) as server:
        said = server.request(method, path, text_of(QUESTION))
        check(said[0] == status, f"status {said[0]}")
        check(said[1]["X-Content-Type-Options"] == "nosniff", f"{said[1]}")


@test_each([
    ("4,096 bytes", 4096, 200),
    ("a byte more", 4097, 422),
    ("16 KiB", 16 << 10, 422),
    ("more than that", 1 << 20, 413),
])
def a_message_has_its_longest(size, status, start):
    message = text_of(NEW_GAME)
    with serve(start) as server:
        try:
            said = server.post(message + " " * (size - len(message)))[0]
        except ConnectionError:
            said = 413  # refused before all of it was sent
        check(said == status, f"status {said}")


# Who may ask.

@test_each([
    ("another site", {"Origin": "https://elsewhere.example"}, 403),
    ("a page without an origin", {"Origin": "null"}, 403),
    ("another port", {"Origin": "http://127.0.0.1:1"}, 403),
    ("what a browser calls another site", {"Sec_Fetch_Site": "cross-site"}, 403),
    ("a name that was bent to this machine", {"Host": "elsewhere.example"}, 403),
    ("the same with its origin", {"Host": "a.example", "Origin": "http://a.example"}, 403),
    ("its own name", {"Host": "localhost:80", "Origin": "http://localhost:80"}, 200),
    ("a program", {}, 200),
])
def messages_are_refused_to(headers, status, start):
    with serve(start) as server:
        said = server.post(NEW_GAME, **headers)[0]
        check(said == status, f"status {said}")
        expected = 101 if status == 200 else status
        check(status_of_socket(server, **headers) == expected, "a WebSocket has another answer")


# The page.

@test
def the_page_and_its_files_are_there(start):
    kinds = {"/": "text/html", "/page.css": "text/css", "/page.js": "text/javascript"}
    with serve(start) as server:
        for path, kind in kinds.items():
            status, headers, body = server.request("GET", path)
            check(status == 200 and headers["Content-Type"].startswith(kind), f"{path}: {headers}")
            check(headers["X-Content-Type-Options"] == "nosniff", f"{path}: {headers}")
            policy = headers["Content-Security-Policy"]
            check("default-src 'none'" in policy and "unsafe" not in policy, f"{policy}")
            check(len(body) > 1000, f"{path} has {len(body)} bytes")
            check(server.request("HEAD", path)[2] == "", "an answer to HEAD with a body")
        check(server.request("GET", "/", Host="elsewhere.example")[0] == 403, "under any name")
        check(server.request("GET", "/", Sec_Fetch_Site="cross-site")[0] == 200, "no link works")


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
                    client.say(step["in"])
                    for message in step["out"]:
                        heard = client.hear_text()
                        check(heard == text_of(message), f"{name}: {heard}")


@test
def all_hear_what_happened_and_only_the_sender_what_did_not(start):
    with serve(start) as server, server.connect() as white:
        game = game_of(white)["id"]
        with server.connect(f"/game/{game}") as black:
            white.hear_until("game")
            after, = white.ask(move("E2", "E4"))
            white.hear_until("game")
            check(black.hear() == after, "the other hears something else")
            check(text_of(white.ask(move("E4", "E5"))[0]) == FAILURE, "no failure")
            white.ask(PROMOTION)
            white.hear_until("game")
            black.hear()
            check(white.ask(move("A7", "A8"))[0] == {"message_type": "promotion_prompt"}, "none")
            white.hear_until("game")
            check(black.hears_nothing(), "the other hears a failure or a prompt")
            end = {"message_type": "piece_promotion_choice", "piece_choice": "queen"}
            after, = black.ask(end)
            check(after["events"]["promote"]["space"] == "A8", f"{after}")
            check(white.hear() == after, "the sender of the move hears something else")


@test
def a_participant_who_asks_for_nothing_more_is_told_nothing_more(start):
    """The interface has one answer to a request, and no messages out of the blue."""
    with serve(start) as server, server.connect() as client:
        for message in (QUESTION, move("E2", "E4"), move("E7", "E5")):
            client.ask(message)
        check(client.hears_nothing(), "something was added")


@test
def who_follows_a_game_sees_all_of_it(start):
    with serve(start) as server, server.connect() as client:
        game = game_of(client)
        check(len(game["id"]) == 32 and game["played"] == [] and game["present"] == 1, f"{game}")
        check(game["moves"]["E2"] == ["E3", "E4"] and game["turn"] == "white", f"{game}")
        client.say(move("E2", "E4"))
        after = client.hear_until("game")
        check(after["played"] == ["e4"], f"{after}")
        check(after["last_move"] == {"from": "E2", "to": "E4"}, f"{after}")
        client.say({"message_type": "resignation", "player": "black"})
        end = client.hear_until("game")["end"]
        check(end == {"victor": "white", "reason": "resignation"}, f"{end}")


@test
def a_game_goes_on_after_the_connection_was_lost(start):
    with serve(start) as server:
        with server.connect() as client:
            game = game_of(client)["id"]
            client.say(move("E2", "E4"))
            before = client.hear_until("game")
        with server.connect(f"/game/{game}") as client:
            check(game_of(client) == before, "another game")
        check(status_of_socket(server, "/game/" + "0" * 32) == 404, "a game that is not there")


@test
def only_who_took_a_seat_moves(start):
    with serve(start) as server, server.connect() as white:
        game = game_of(white)["id"]
        seat = white.ask(take_seat("white", KEYS[0]))[0]
        check(seat == {"message_type": "seat_taken", "player": "white"}, f"{seat}")
        with server.connect(f"/game/{game}") as black, server.connect(f"/game/{game}") as third:
            refused = [text_of(black.ask(one)[0]) for one in
                       (take_seat("white", KEYS[1]), move("E2", "E4"), NEW_GAME,
                        {"message_type": "resignation", "player": "white"})]
            check(refused == [FAILURE] * 4, f"{refused}")
            black.ask(take_seat("black", KEYS[1]))
            white.say(move("E2", "E4"))
            white.hear_until("next_legal_moveset")
            check(black.hear()["message_type"] == "next_legal_moveset", "not told")
            check(third.hear()["message_type"] == "next_legal_moveset", "not told")
            check(text_of(third.ask(move("E7", "E5"))[0]) == FAILURE, "a spectator moves")
            check(text_of(third.ask(engine_move(depth=1))[0]) == FAILURE, "the engine moves")
            check(third.ask(QUESTION)[0]["moves"], "a spectator may not look")
            check(server.post(move("E7", "E5"), path=f"/game/{game}")[0] == 422, "a POST moves")
            black.hear()
            check(black.ask(move("E7", "E5"))[0]["message_type"] == "next_legal_moveset", "not")
        with server.connect(f"/game/{game}") as again:
            check(again.ask(take_seat("black", KEYS[1]))[0]["message_type"] == "seat_taken",
                  "the seat does not come back to its key")


@test
def the_engine_moves_only_for_the_player_it_is_asked_for(start):
    with serve(start) as server, server.connect() as client:
        refused = client.ask(engine_move(depth=1, player="black"))[0]
        check(text_of(refused) == FAILURE, f"{refused}")
        made = client.ask(engine_move(depth=1, player="white"), 2)[0]
        check(made["message_type"] == "engine_move", f"{made}")


@test
def what_comes_while_the_engine_thinks_waits(start):
    with serve(start) as server, server.connect() as client:
        client.say(engine_move(milliseconds=300))
        client.say(QUESTION)
        said = [client.hear()["message_type"] for _ in range(3)]
        check(said == ["engine_move", "next_legal_moveset", "next_legal_moveset"], f"{said}")
        client.say(engine_move(milliseconds=300))
        for _ in range(17):
            client.say(QUESTION)
        check(text_of(client.hear()) == FAILURE, "too many may wait")


# The engine's time.

@test
def all_games_come_to_the_engine(start):
    with serve(start) as server, contextlib.ExitStack() as stack:
        clients = [stack.enter_context(server.connect()) for _ in range(4)]
        for client in clients:
            client.say(engine_move(milliseconds=100))
            client.say(engine_move(milliseconds=100))
        for client in clients * 2:
            client.hear_until("engine_move", 20)


@test
def a_long_search_ends_when_others_wait(start):
    with serve(start) as server, server.connect() as greedy, server.connect() as other:
        began = time.monotonic()
        greedy.say(engine_move(milliseconds=60000))
        time.sleep(0.1)
        other.say(engine_move(milliseconds=50))
        other.hear_until("engine_move", 20)
        waited = time.monotonic() - began
        check(1.5 <= waited <= 15 * start.slow, f"{waited:.2f} s")
        check(greedy.hear()["message_type"] == "engine_move", "no move for who was stopped")


@test
def no_more_than_a_hundred_games_wait_for_the_engine(start):
    with serve(start) as server, contextlib.ExitStack() as stack:
        clients = [stack.enter_context(server.connect()) for _ in range(110)]
        clients[0].say(engine_move(milliseconds=1500))
        time.sleep(0.1)
        for client in clients[1:]:
            client.say(engine_move(nodes=10))
        said = [client.hear(20)["message_type"] for client in clients]
        check(said.count("failure") == 9, f"{said.count('failure')} failures")
        check(said.count("engine_move") == 101, f"{said.count('engine_move')} moves")


@test
def a_position_is_analysed_as_long_as_someone_wants_it(start):
    with serve(start) as server, server.connect() as client:
        check(client.ask({"message_type": "start_analysis"})[0]
              == {"message_type": "analysis_started"}, "no answer")
        first = client.hear_until("analysis")
        check(first["ply"] == 0 and first["depth"] >= 1 and first["line"], f"{first}")
        client.say(move("E2", "E4"))
        client.hear_until("next_legal_moveset")
        second = client.hear_until("analysis")
        check(second["ply"] == 1, f"{second}")
        depths = [client.hear_until("analysis")["depth"] for _ in range(3)]
        check(depths == sorted(depths), f"depths {depths}")
        client.say({"message_type": "stop_analysis"})
        client.hear_until("analysis_stopped")
        check(client.hears_nothing(0.5), "the analysis goes on")


@test
def analysis_is_told_from_whites_side(start):
    with serve(start) as server, server.connect() as client:
        client.ask({"message_type": "new_game", "fen": "4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1"})
        client.ask({"message_type": "start_analysis"})
        score = client.hear_until("analysis")["score"]
        check(score.get("centipawns", 0) > 300 or score.get("mate_in", 0) > 0, f"{score}")


@test
def analysis_does_not_delay_the_moves_of_others(start):
    with serve(start) as server, contextlib.ExitStack() as stack:
        for opening in ("E2E4", "D2D4", "C2C4"):
            client = stack.enter_context(server.connect())
            client.ask(move(opening[:2], opening[2:]))
            client.ask({"message_type": "start_analysis"})
        player = stack.enter_context(server.connect())
        times = []
        for _ in range(9):
            player.ask(NEW_GAME)
            began = time.monotonic()
            player.ask(engine_move(nodes=50), 2)
            times.append(1000 * (time.monotonic() - began))
        check(median(times) < 500 * start.slow, f"{median(times):.0f} ms for 50 nodes")


# Hostile and unlucky clients.

@test_each([
    ("a frame of 2^63 bytes", b"\x81\xff\x7f" + b"\xff" * 7 + b"abcd", True),
    ("a frame of a megabyte", b"\x81\xff" + (1 << 20).to_bytes(8, "big") + b"abcd", True),
    ("an unmasked frame", b"\x81\x02{}", True),
    ("an unknown kind of frame", b"\x83\x80abcd", True),
    ("a text that is no UTF-8", b"\x81\x82\0\0\0\0\xc3\x28", True),
    ("a long ping", b"\x89\xfe\x00\xff" + b"\0" * 300, True),
    ("half a frame", b"\x81\xfe", False),
])
def a_hostile_frame_harms_nobody(data, closes, start):
    with serve(start) as server, server.connect() as good, server.connect() as bad:
        bad.send_bytes(data)
        if closes:
            check(bad.hear_text() is None, "it is answered")
        check(good.ask(QUESTION)[0]["moves"], "the others have no answer")


@test
def a_long_message_is_a_failure_like_any_other(start):
    with serve(start) as server, server.connect() as client:
        for text in ("x" * 4097, "x" * 16000, "[" * 4000, "", "{}", '{"message_type":1}'):
            client.say(text)
            check(client.hear_text() == FAILURE, "no failure")
        client.send_frame(1, b'{"message_type":', final=False)
        client.send_frame(0, b'"get_legal_moveset"}')
        check(client.hear()["moves"], "a message in two frames")


@test
def half_a_request_keeps_nobody_waiting(start):
    with serve(start) as server, contextlib.ExitStack() as stack:
        for _ in range(300):
            half = stack.enter_context(server.raw())
            half.sendall(b"POST /message HTTP/1.1\r\nHost: 127")
        began = time.monotonic()
        check(server.post(NEW_GAME)[0] == 200, "not served")
        check(time.monotonic() - began < 10 * start.slow, "served late")


@test
def who_says_nothing_makes_room_for_who_does(start):
    """More connections than there may be, by one who has nothing to say on any of them."""
    wanted = 2100
    with serve(start) as server, contextlib.ExitStack() as stack:
        allow_files(wanted + 200)
        player = stack.enter_context(server.connect())
        for _ in range(wanted):
            stack.enter_context(server.raw())
        check(server.post(NEW_GAME)[0] == 200, "not served")
        check(player.ask(QUESTION)[0]["moves"], "who plays was cut off")


@test
def who_does_not_read_is_cut_off(start):
    with serve(start) as server, server.connect() as deaf, server.connect() as good:
        deaf.ask(QUESTION)
        try:
            for _ in range(100_000):
                deaf.say(QUESTION)
        except OSError:
            pass
        check(good.ask(QUESTION)[0]["moves"], "the others have no answer")
        check(server.resident_mb() < 250 * start.slow, f"{server.resident_mb():.0f} MB")


@test
def many_games_at_once_have_quick_answers(start):
    with serve(start) as server, contextlib.ExitStack() as stack:
        clients = [stack.enter_context(server.connect()) for _ in range(200)]
        times = []
        for one in (move("G1", "F3"), move("G8", "F6"), NEW_GAME):
            for client in clients:
                began = time.monotonic()
                client.ask(one)
                times.append(1000 * (time.monotonic() - began))
        check(median(times) < 20 * start.slow, f"{median(times):.2f} ms")
