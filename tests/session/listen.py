"""`parley listen`: an engine for chess programs on other machines, over TCP and WebSocket."""
import contextlib
import os
import tempfile
import time

from harness import INFO, Failure, check, patient_test, test, test_each
from line_client import LineClient
from web import Server
from websocket_client import Refused, WebSocketClient

TOKEN = "correct horse battery staple"


class Engine(Server):
    """A server, and its clients."""

    def __init__(self, start, *arguments):
        super().__init__(start, "listen", *arguments)

    def client(self, **options):
        return LineClient(self.port, self.slow, **options)

    def websocket(self, path="/uci", headers=None):
        return WebSocketClient(self.port, path, headers, self.slow)

    def wait_for_place(self):
        """A client that got a session, as soon as one is free."""
        until = time.monotonic() + 5 * self.slow
        while True:
            client = self.client()
            client.send("uci")
            line = client.read_line()
            if line and line.startswith("id name"):
                client.read_until("uciok")
                return client
            check(time.monotonic() < until, f"no place becomes free: {line!r}")
            client.socket.close()
            time.sleep(0.05)


def options_of(lines):
    return {line.split(" type ")[0].removeprefix("option name "): line.split(" type ")[1]
            for line in lines if line.startswith("option ")}


def process_threads(server):
    return len(os.listdir(f"/proc/{server._process.pid}/task"))


# The conversation.

@test
def nothing_is_said_before_the_first_line(start):
    with Engine(start) as server, server.client() as client:
        client.is_quiet(0.5)
        check(client.begin()[0].startswith("id name Parley"), "no name")


@test
def droidfish_plays_a_game(start):
    """As its version 1.90 speaks."""
    with Engine(start) as server, server.client() as client:
        client.begin()
        check(not client.ask("setoption name Hash value 16", "setoption name Threads value 1",
                             "ucinewgame"), "it complains")
        client.ask("setoption name UCI_LimitStrength value false", "setoption name UCI_AnalyseMode value false")
        client.send("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4",
                    "go wtime 3000 btime 3000 winc 0 binc 0")
        lines = client.read_until("bestmove")
        check(any(INFO.fullmatch(line) for line in lines), "no info")
        client.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go infinite")
        client.send("stop")
        check(client.read_until("bestmove")[-1] == "bestmove (none)", "stalemate has a move")
        client.ask()
        client.send("quit")
        check(client.rest() == [], "it says something after quit")
        with server.client() as other:
            other.begin()  # quit ended the session only


@test
def lines_may_end_as_on_windows(start):
    with Engine(start) as server, server.client() as client:
        client.socket.sendall(b"uci\r\nisready\r\n")
        check("\r" not in "".join(client.read_until("readyok")), "a carriage return")


@test
def the_engine_speaks_over_a_websocket(start):
    with Engine(start) as server, server.websocket() as socket:
        check(socket.is_quiet(0.3), "it speaks first")
        socket.send("uci")
        lines = []
        while not lines or lines[-1] != "uciok":
            lines.append(socket.receive_text())
        check("\n" not in "".join(lines) and "Hash" in options_of(lines), "not one line each")
        socket.send("position startpos moves e2e4\ngo depth 5")
        while not (text := socket.receive_text()).startswith("bestmove"):
            check(text.startswith("info "), text)
        socket.send("quit")
        check(socket.receive_text() is None, "quit does not close")


@test_each([("another path", "/", {}, 404), ("a page of another site", "/uci", {"Origin": "http://evil.example"}, 403),
            ("another name", "/uci", {"Host": "evil.example"}, 403)])
def a_websocket_is_refused(path, headers, status, start):
    with Engine(start) as server:
        try:
            server.websocket(path, headers)
        except Refused as refused:
            check(refused.status == status, f"status {refused.status}")
        else:
            raise Failure("it is accepted")


@test
def a_page_of_a_site_that_was_named_may_open_a_websocket(start):
    with Engine(start, "--origin", "https://chess.example") as server:
        with server.websocket(headers={"Origin": "https://chess.example"}) as socket:
            socket.send("isready")
            check(socket.receive_text() == "readyok", "no engine")


@test
def a_request_of_a_browser_is_not_taken_for_commands(start):
    with Engine(start) as server:
        with server.client() as client:
            client.socket.sendall(b"POST / HTTP/1.1\r\nHost: x\r\n\r\nuci\nisready\n")
            check(client.rest() == [], "it answers")
        with server.client() as client:
            client.socket.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\nuci\n")
            answer = client.rest()
            check(answer[0].startswith("HTTP/1.1 404") and "uciok" not in answer, f"{answer}")


# What clients may do.

@test
def options_are_declared_only_if_they_may_be_set(start):
    with Engine(start, "--max-hash", "64", "--max-threads", "2") as server, server.client() as client:
        options = options_of(client.begin())
        for name in ("EvalFile", "SyzygyPath", "Book File", "Debug Log File", "HashFile", "SaveHash",
                     "LoadHash", "OwnBook"):
            check(name not in options, f"{name} is declared")
        for name in ("Clear Hash", "MultiPV", "Ponder", "UCI_AnalyseMode", "UCI_Chess960",
                     "UCI_LimitStrength", "UCI_Elo", "Skill Level", "UCI_ShowWDL", "Move Overhead"):
            check(name in options, f"{name} is not declared")
        check(options["Hash"] == "spin default 16 min 1 max 64", options["Hash"])
        check(options["Threads"] == "spin default 1 min 1 max 2", options["Threads"])


@test
def a_value_above_the_limit_becomes_the_limit(start):
    with Engine(start, "--max-hash", "32", "--max-threads", "2") as server, server.client() as client:
        client.begin()
        before = process_threads(server)
        said = client.ask("setoption name hash value 1000", "setoption name THREADS value 9")
        check(said == ["info string Hash is limited to 32 here",
                       "info string Threads is limited to 2 here"], f"{said}")
        check(process_threads(server) <= before + 1, "more threads than allowed")
        check(server.resident_mb() < 300 * start.slow, f"{server.resident_mb()} MB")


@test_each([(name, name) for name in (
    "EvalFile", "evalfile", "SyzygyPath", "Syzygy Path", "Book File", "Debug Log File", "HashFile",
    "SaveHash", "LoadHash", "OwnBook", "UCI_Opponent", "Nonsense")])
def an_option_that_is_not_for_clients_is_refused(name, start):
    with Engine(start) as server, server.client() as client, tempfile.TemporaryDirectory() as folder:
        client.begin()
        path = os.path.join(folder, "file")
        said = client.ask(f"setoption name {name} value {path}",
                          f"hello setoption name {name} value {path}")
        check(said == 2 * [f"info string option '{name}' cannot be set by remote clients"], f"{said}")
        check(not os.listdir(folder), "it has written a file")


@test_each([(line, line) for line in (
    "bench", "bench 30", "go perft 9", "perft 9", "why e2e4", "help", "replay /etc/passwd", "xyz",
    "go depth 3 perft 9")])
def a_command_that_is_not_for_clients_is_refused(line, start):
    with Engine(start) as server, server.client() as client:
        client.begin()
        said = client.ask(line)
        check(len(said) == 1 and said[0].endswith("is not available to remote clients"), f"{said}")


@test
def clients_do_not_disturb_each_other(start):
    with Engine(start) as server, server.client() as one, server.client() as other:
        one.begin()
        other.begin()
        one.ask("setoption name MultiPV value 2", "position startpos moves e2e4")
        other.ask("position startpos moves d2d4")
        check("PPPP1PPP" in one.ask("fen")[0] and "PPP1PPPP" in other.ask("fen")[0], "positions are mixed")
        other.send("go depth 4")
        check(not any("multipv 2" in line for line in other.read_until("bestmove")), "options are mixed")


# Limits.

@test
def one_client_more_reads_that_the_engine_is_busy(start):
    with Engine(start, "--sessions", "2") as server:
        with server.client() as one, server.client() as two:
            one.begin()
            two.begin()
            with server.client() as third:
                third.send("uci")
                said = third.rest(3)
                check(len(said) == 1 and said[0].startswith("info string busy: "), f"{said}")
            with server.websocket() as fourth:
                fourth.send("uci")
                check(fourth.receive_text().startswith("info string busy: "), "not busy")
                check(fourth.receive_text() is None, "it stays open")
            one.ask()
        server.wait_for_place().socket.close()


@test_each([("the end of the connection", lambda client: client.socket.close()),
            ("a reset", lambda client: client.reset())])
def a_client_that_vanishes_in_a_search_frees_its_place(vanish, start):
    with Engine(start, "--sessions", "1") as server:
        client = server.client()
        client.begin()
        client.send("position startpos", "go infinite")
        client.read_until("info")
        vanish(client)
        server.wait_for_place().socket.close()


@test
def a_client_that_connects_again_takes_its_place(start):
    """With the key of its session, although the old connection seems to be alive."""
    with Engine(start, "--sessions", "1") as server, server.client() as old:
        old.send("session 0123456789abcdef", "uci")
        old.read_until("uciok")
        old.send("go infinite")
        with server.client() as stranger:
            stranger.send("session fedcba9876543210", "uci")
            check("busy" in stranger.rest()[0], "a stranger takes the place")
        with server.client() as new:
            new.send("session 0123456789abcdef", "uci")
            new.read_until("uciok")
            old.rest()


@test
def a_line_of_more_than_a_mebibyte_ends_the_connection(start):
    with Engine(start) as server:
        for line in (b"x" * (1 << 20) + b"xx\n", b"x" * (1 << 20) + b"xx"):
            with server.client() as client:
                client.begin()
                client.socket.sendall(line)
                said = client.rest()
                check(said == ["info string a line is longer than 1 MiB"], f"{said}")
        with server.client() as client:
            client.begin()
            said = client.ask("position startpos moves " + "e2e4 " * 200_000)
            check(len(said) == 1 and "position refused" in said[0], f"{said[:2]}")
        with server.websocket() as socket:
            # It may close the connection before the whole message is sent.
            with contextlib.suppress(ConnectionError):
                socket.send("isready" + " " * (1 << 20) + "x")
                check(socket.receive_text() is None, "a long message is taken")


@patient_test
def an_idle_client_is_disconnected_but_not_in_a_search(start):
    with Engine(start, "--idle", "1") as server:
        with server.client() as idle, server.client() as searching:
            idle.begin()
            searching.begin()
            searching.send("go infinite")
            said = idle.rest(4)
            check(len(said) == 1 and said[0].startswith("info string idle: "), f"{said}")
            time.sleep(1.5 * server.slow)
            searching.send("stop")
            searching.read_until("bestmove")
            check(searching.rest(4)[-1].startswith("info string idle: "), "no end")


@patient_test
def a_client_that_says_nothing_is_disconnected(start):
    with Engine(start) as server, server.client() as client:
        said = client.rest(40)
        check(said == ["info string no command came"], f"{said}")


@test
def silent_connections_do_not_keep_others_out(start):
    with Engine(start, "--sessions", "1") as server:
        playing = server.client()
        playing.begin()
        silent = [server.client() for _ in range(150)]
        playing.ask()
        playing.socket.close()
        server.wait_for_place().socket.close()
        for client in silent:
            client.socket.close()


def half_a_request(server):
    client = server.client()
    client.socket.sendall(b"GET /uci HTTP/1.1\r\n")
    return client.socket


def silent_websocket(server):
    return server.websocket().socket


@test_each([("half a request", half_a_request), ("a WebSocket that says nothing", silent_websocket)])
def strangers_do_not_keep_others_out_with(connect, start):
    with Engine(start, "--sessions", "1", "--token", TOKEN) as server:
        strangers = [connect(server) for _ in range(65)]
        time.sleep(0.5)
        for _ in range(3):
            with server.client() as client:
                answer = client.authenticate(TOKEN)
                check(answer and answer.startswith("welcome "), f"{answer}")
        for stranger in strangers:
            stranger.close()


@test
def a_websocket_with_a_session_is_not_closed_to_make_room(start):
    with Engine(start, "--sessions", "1") as server, server.websocket() as playing:
        playing.send("uci")
        while playing.receive_text() != "uciok":
            pass
        silent = [server.websocket() for _ in range(100)]
        playing.send("isready")
        check(playing.receive_text() == "readyok", "the session has ended")
        for socket in silent:
            socket.close()


@test
def info_lines_are_dropped_for_a_client_that_does_not_read(start):
    with Engine(start) as server, server.client(receive_buffer=4096) as client:
        client.begin()
        client.ask("setoption name MultiPV value 200")
        # Thousands of lines: far more than the system and the server keep.
        for _ in range(150):
            client.send("position startpos", "go depth 5")
            client.send("isready")
        time.sleep(3 * server.slow)
        check(server.resident_mb() < 150 * start.slow, f"{server.resident_mb()} MB")
        best, ready, infos = 0, 0, 0
        while best < 150 or ready < 150:
            line = client.read_line(30)
            check(line is not None, f"closed after {best} best moves and {ready} readyok")
            best += line.startswith("bestmove ")
            ready += line == "readyok"
            infos += line.startswith("info ")
        check(infos < 150 * 20 * 5, f"{infos} info lines are kept")


@test
def a_client_that_asks_and_never_reads_is_disconnected(start):
    with Engine(start) as server, server.client(receive_buffer=4096) as client:
        client.begin()
        client.socket.settimeout(2 * server.slow)
        try:
            for _ in range(1_000):
                client.socket.sendall(b"uci\n" * 16_384)
        except OSError:
            pass
        else:
            raise Failure("it takes everything")
        check(server.resident_mb() < 150 * start.slow, f"{server.resident_mb()} MB")
        with server.client() as other:
            other.begin()


@test
def commands_during_a_search_do_not_fill_the_memory(start):
    with Engine(start) as server, server.client() as client:
        client.begin()
        client.send("go infinite")
        for _ in range(40):
            client.ask("position startpos moves " + "e2e4 " * 100_000, within=30)
        check(server.resident_mb() < 250 * start.slow, f"{server.resident_mb()} MB")
        client.ask(within=30)


@test
def commands_that_come_too_fast_end_the_connection(start):
    with Engine(start) as server, server.client() as client:
        client.begin()
        client.send("go infinite")
        try:
            for _ in range(100):
                client.send("position startpos moves " + "e2e4 " * 100_000)
        except OSError:
            pass
        check(server.resident_mb() < 250 * start.slow, f"{server.resident_mb()} MB")
        server.wait_for_place().socket.close()


# Who may use it.

@test_each([("all addresses", "0.0.0.0", 2), ("one address", "192.0.2.1", 2), ("one of two", "127.0.0.1,0.0.0.0", 2)])
def other_machines_need_a_token_or_a_list(addresses, status, start):
    run = start.run("listen", "--bind", addresses)
    check(run.status == status and "add --token-file, or --allow" in run.errors, f"{run.status}: {run.errors}")


@test
def only_clients_of_the_list_are_accepted(start):
    with Engine(start, "--allow", "10.0.0.0/8,192.168.1.7") as server, server.client() as client:
        client.send("uci")
        check(client.rest() == [], "it answers")
    with Engine(start, "--allow", "10.0.0.0/8", "--allow", "127.0.0.0/8") as server, server.client() as client:
        client.begin()


@test
def a_client_with_the_token_plays(start):
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(TOKEN + "\n")
        file.flush()
        with Engine(start, "--token-file", file.name) as server, server.client() as client:
            check(client.authenticate(TOKEN).startswith("welcome "), "no welcome")
            client.begin()
            client.ask()


@test
def a_client_without_the_token_is_refused_after_a_second(start):
    with Engine(start, "--token", TOKEN) as server, server.client() as client:
        began = time.monotonic()
        client.send("uci", "isready")
        said = client.rest()
        check(len(said) == 1 and said[0].startswith("info string this engine needs a token"), f"{said}")
        check(time.monotonic() - began > 0.9, "too soon")


@patient_test
def a_wrong_token_is_refused_after_a_second_and_five_times_a_minute(start):
    with Engine(start, "--token", TOKEN) as server:
        for _ in range(5):
            with server.client() as client:
                began = time.monotonic()
                check(client.authenticate("guess") == "info string the token is wrong", "not refused")
                client.send("uci")
                check(client.rest() == [] and time.monotonic() - began > 0.9, "not slowly")
        with server.client() as client:
            # Even the right one: the proof is not looked at.
            answer = client.authenticate(TOKEN)
            check(answer.startswith("info string too many wrong tokens"), f"{answer}")


@test_each([("a short proof", lambda proof: proof[:-1]), ("capital letters", str.upper),
            ("an empty proof", lambda proof: ""), ("two proofs", lambda proof: f"{proof} {proof}"),
            ("the last digit", lambda proof: proof[:-1] + ("0" if proof[-1] != "0" else "1"))])
def a_proof_must_be_exact(change, start):
    with Engine(start, "--token", TOKEN) as server, server.client() as client:
        check(client.authenticate(TOKEN, change) == "info string the token is wrong", "accepted")


@test
def a_proof_is_worth_nothing_the_second_time(start):
    with Engine(start, "--token", TOKEN) as server:
        proofs = []
        with server.client() as client:
            client.authenticate(TOKEN, lambda proof: proofs.append(proof) or proof)
        with server.client() as client:
            client.send("auth " + "0" * 64)
            client.read_until("challenge")
            client.send("response " + proofs[0])
            check(client.read_line() == "info string the token is wrong", "a recorded proof is accepted")


@test_each([("both", ["--token", "a", "--token-file", "b"], "cannot be combined"),
            ("a file that is missing", ["--token-file", "/nowhere/token"], "cannot be read"),
            ("an empty file", ["--token-file", "/dev/null"], "has no token"),
            ("an empty token", ["--token", ""], "--token: the value is empty"),
            ("nothing behind =", ["--token=", "--token-file=x"], "--token: the value is empty"),
            ("a token of blanks", ["--token=  "], "--token: the value is empty"),
            ("an empty file name", ["--token-file", ""], "--token-file: the value is empty")])
def a_token_that_cannot_be_read_is_refused(arguments, message, start):
    for command in (["listen", "--port", "0"], ["connect", "127.0.0.1:1"]):
        run = start.run(*command, *arguments)
        check(run.status == 2 and message in run.errors, f"{command}: {run.status}: {run.errors}")


@test
def a_server_ends_in_the_middle_of_a_search(start):
    with Engine(start) as server, server.client() as client:
        client.begin()
        client.send("go infinite")
        client.read_until("info")
        server.stop()
        client.rest()
