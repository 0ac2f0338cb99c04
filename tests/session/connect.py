"""`parley connect`: a local engine for the GUI, whose moves come from a server.

The servers here are scripts that hold one side of the conversation, or a real `parley listen` behind a
proxy that cuts the line.
"""
import contextlib
import re
import socket
import threading
import time

from cutting_proxy import CuttingProxy
from harness import MOVE, Failure, check, patient_test, test, test_each
from listen import TOKEN
from listen import Engine as ListenServer

LOST, FOUND = "info string the connection to ", "info string connected to "


class FakeServer:
    """A server in this process that keeps each connection and what was said on it."""

    def __init__(self, slow=1, respond=None):
        self.slow = slow
        self.respond = respond or FakeServer.good
        self.said = []  # of all connections, with the time of arrival
        self.connections = 0
        self._current = None
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.address = f"127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop_listening()
        self.cut()

    def stop_listening(self):
        # A close alone would leave a waiting accept().
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def cut(self):
        """Ends the present connection."""
        with contextlib.suppress(OSError, AttributeError):
            self._current.shutdown(socket.SHUT_RDWR)

    def send(self, *lines):
        with contextlib.suppress(OSError):
            self._current.sendall("".join(line + "\n" for line in lines).encode())

    def good(self, line):
        """What a server answers that searches until the test says what."""
        if line == "uci":
            self.send("id name Fake", "uciok")
        elif line == "isready":
            self.send("readyok")

    def wait_for(self, beginning, count=1, within=10.0):
        """The last line so far that begins so, as soon as there have been that many of them."""
        until = time.monotonic() + within * self.slow
        while True:
            found = [line for line, _ in list(self.said) if line.startswith(beginning)]
            if len(found) >= count:
                return found[-1]
            if time.monotonic() > until:
                raise Failure(f"the server did not get {count} times {beginning!r}; it got "
                              f"{[line for line, _ in self.said][-12:]}")
            time.sleep(0.005)

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections += 1
            self._current = connection
            threading.Thread(target=self._read, args=(connection,), daemon=True).start()

    def _read(self, connection):
        with connection, contextlib.suppress(OSError):
            for line in connection.makefile(encoding="utf-8"):
                line = line.rstrip("\n")
                self.said.append((line, time.monotonic()))
                self.respond(self, line)


def connected(start, *arguments):
    """A `connect` that has its connection."""
    engine = start("connect", *arguments, handshake=False)
    engine.send("uci")
    engine.read_until("uciok")
    engine.read_until(_connection_is_found)
    return engine


def not_connected(start, reason, *arguments):
    """A `connect` that has said why it has no connection."""
    engine = start("connect", *arguments, handshake=False)
    engine.send("uci")
    engine.read_until(lambda text: text.startswith("info string no connection to ") and reason in text)
    return engine


def _connection_is_found(text):
    return text.startswith(FOUND)


def _connection_is_lost(text):
    return text.startswith(LOST)


def info(depth, pv):
    return (f"info depth {depth} seldepth {depth} multipv 1 score cp 1 nodes 9 nps 9 hashfull 0 tbhits 0 "
            f"time 1 pv {pv}")


def free_address():
    """Where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"127.0.0.1:{listener.getsockname()[1]}"


def number_after(line, word):
    return int(re.search(rf"\b{word} (-?\d+)", line)[1])


# A server plays.

@test
def a_server_plays_and_ponders(start):
    with ListenServer(start) as server:
        engine = connected(start, f"localhost:{server.port}")
        engine.send("setoption name Hash value 32", "setoption name UCI_ShowWDL value true", "ucinewgame")
        engine.ask("position startpos moves e2e4")
        found = engine.search("go movetime 600")
        check(400 < found.milliseconds < 1000 * start.slow and found.last.depth > 3, f"{found.milliseconds} ms")
        check(found.last.wdl, "the option has no effect")
        engine.send("go ponder wtime 1000 btime 1000")
        engine.check_no_bestmove(0.5, "while pondering")
        check(engine.search("ponderhit").milliseconds < 1000 * start.slow, "ponderhit")
        engine.send("go infinite")
        engine.check_no_bestmove(0.5, "in an infinite search")
        engine.stop()
        found = engine.search("go depth 5 searchmoves a7a6 h7h6")
        check(found.move in ("a7a6", "h7h6"), found.move)
        engine.ask("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
        check(engine.search("go depth 3").move == "(none)", "a move in stalemate")


@test
def the_first_answers_come_without_any_server(start):
    began = time.monotonic()
    engine = start("connect", free_address(), handshake=False)
    engine.send("uci", "isready")
    lines = [line.text for line in engine.read_until("readyok")]
    check("uciok" in lines and lines[0].startswith("id name Parley"), f"{lines[:3]}")
    check(any(line.startswith("option name Hash ") for line in lines), "no Hash")
    check(not any("EvalFile" in line or "Debug Log" in line for line in lines), "a file option")
    check(time.monotonic() - began < 3 * engine.slow, "late")


@test
def a_server_with_the_token_is_used_and_others_are_not(start):
    with ListenServer(start, "--token", TOKEN) as server:
        engine = connected(start, f"127.0.0.1:{server.port}", "--token", TOKEN)
        check(engine.search("go depth 4").infos, "no info")
        not_connected(start, "needs a token", f"127.0.0.1:{server.port}")
        engine = not_connected(start, "the token is wrong", f"127.0.0.1:{server.port}", "--token", "guess")
        check(engine.search("go movetime 100").move, "nobody plays")
    with ListenServer(start) as server:
        not_connected(start, "this engine has no token", f"127.0.0.1:{server.port}", "--token", TOKEN)


@test
def an_impostor_learns_neither_the_token_nor_the_game(start):
    def pretend(server, line):
        word = line.split()[0]
        if word == "auth":
            server.send("challenge " + "ab" * 32)
        elif word == "response":
            server.send("welcome " + line.split()[1])  # the client's own proof
    with FakeServer(start.slow, pretend) as server:
        engine = start("connect", server.address, "--token", TOKEN)
        engine.ask("position startpos moves e2e4")
        engine.search("go movetime 300")
        said = [line for line, _ in server.said]
        check({line.split()[0] for line in said} == {"auth", "response"}, f"{said}")
        check(not any(TOKEN in line for line in said), "the token is sent")


# The line breaks.

@test
def a_search_goes_on_after_the_line_was_cut(start):
    with FakeServer(start.slow) as server:
        engine = connected(start, server.address)
        engine.send("setoption name MultiPV value 3", "setoption name Hash value 64", "ucinewgame",
                    "position startpos moves e2e4", "go wtime 60000 btime 50000 winc 100 binc 100")
        server.wait_for("go ")
        time.sleep(0.5)
        server.cut()
        again = server.wait_for("go ", 2)
        lines = [line for line, _ in server.said]
        second = lines[lines.index("uci", lines.index("uci") + 1):]
        for line in ("setoption name MultiPV value 3", "setoption name Hash value 64", "ucinewgame",
                     "position startpos moves e2e4"):
            check(line in second, f"{line} is not repeated: {second}")
        left = number_after(again, "btime")
        check(47_000 < left < 49_550, f"{left} ms left of 50 s less half a second")
        check("wtime 60000" in again and "binc 100" in again, again)
        server.send(info(9, "e7e5 g1f3"), "bestmove e7e5 ponder g1f3")
        found = engine.answer()
        check((found.move, found.ponder) == ("e7e5", "g1f3"), f"{found.move} {found.ponder}")
        check(any(text.startswith(LOST) for text in found.strings), f"{found.strings}")
        check(any(text.startswith(FOUND) for text in found.strings), f"{found.strings}")


@test
def a_movetime_is_shortened_by_the_time_used(start):
    with FakeServer(start.slow) as server:
        engine = connected(start, server.address)
        engine.send("position startpos", "go movetime 5000")
        server.wait_for("go ")
        time.sleep(0.7)
        server.cut()
        left = number_after(server.wait_for("go ", 2), "movetime")
        check(2_500 < left < 4_350, f"{left} ms")
        server.send("bestmove d2d4")
        engine.answer()


@test_each([("infinite", "go infinite"), ("to a depth", "go depth 40"), ("nodes", "go nodes 100000 searchmoves e2e4 d2d4"),
            ("pondering", "go ponder wtime 30000 btime 30000")])
def a_search_without_a_clock_is_repeated_as_it_was(go, start):
    with FakeServer(start.slow) as server:
        engine = connected(start, server.address)
        engine.send("position startpos", go)
        server.wait_for("go ")
        server.cut()
        check(server.wait_for("go ", 2) == go, "another search")
        engine.check_no_bestmove(0.3, "before the server has one")
        if go.startswith("go ponder"):
            engine.send("ponderhit")
            server.wait_for("ponderhit")
        server.send(info(8, "d2d4"))
        if go == "go infinite":
            engine.read_until("info")
            engine.send("stop")
            server.wait_for("stop")
        server.send("bestmove d2d4")
        check(engine.answer().move == "d2d4", "another move")


@test
def a_ponderhit_while_the_line_is_cut_starts_the_clock(start):
    with FakeServer(start.slow) as server:
        engine = connected(start, server.address)
        engine.send("position startpos", "go ponder wtime 30000 btime 30000")
        server.wait_for("go ")
        server.cut()
        server.wait_for("go ponder", 2)
        engine.send("ponderhit")
        server.wait_for("ponderhit")
        time.sleep(0.3)
        server.cut()
        again = server.wait_for("go wtime")
        check(28_000 < number_after(again, "wtime") < 29_750 and "ponder" not in again, again)
        server.send("bestmove d2d4")
        engine.answer()


@test
def the_next_server_is_asked_when_the_first_is_gone(start):
    first, second = FakeServer(start.slow), FakeServer(start.slow)
    with first, second:
        engine = connected(start, f"{first.address},{second.address}")
        engine.send("go infinite")
        first.wait_for("go infinite")
        first.stop_listening()
        first.cut()
        second.wait_for("go infinite")
        second.send(info(3, "e2e4"))
        engine.read_until("info")
        engine.send("stop")
        second.wait_for("stop")
        second.send("bestmove e2e4")
        engine.answer()


@test
def lines_of_a_search_that_is_over_are_not_taken_for_the_next(start):
    with FakeServer(start.slow) as server:
        engine = connected(start, server.address)
        engine.send("position startpos", "go infinite")
        server.wait_for("go infinite")
        server.send(info(5, "a2a3"))
        engine.read_until("info")
        # The server is late with its answer to stop: the last pv is the answer.
        check(engine.stop().move == "a2a3", "another move")
        engine.send("position startpos moves e2e4 e7e5", "go depth 20")
        server.wait_for("go depth 20")
        server.send(info(6, "b2b3"), "bestmove b2b3")  # of the first search
        server.send(info(7, "g1f3"), "bestmove g1f3")
        found = engine.answer()
        check(found.move == "g1f3", found.move)
        check(not any("b2b3" in text for text in found.texts), f"{found.texts}")


@test
def a_new_go_without_stop_answers_the_old_one_first(start):
    with FakeServer(start.slow) as server:
        engine = connected(start, server.address)
        engine.send("position startpos", "go infinite", "go infinite")
        server.wait_for("go infinite", 2)
        engine.read_until("bestmove")
        server.send("bestmove a2a3")  # of the first
        server.send(info(1, "d2d4"))
        engine.read_until("info")
        engine.send("stop")
        server.wait_for("stop", 2)
        server.send("bestmove d2d4")
        check(engine.answer().move == "d2d4", "another move")


# Nobody answers, or nonsense.

@test_each([("a clock", "go wtime 5000 btime 5000", 3.0), ("a short clock", "go wtime 300 btime 300", 0.4),
            ("no time left", "go wtime 1 btime 1", 0.5), ("a movetime", "go movetime 500", 0.8),
            ("a depth", "go depth 6", 6.0), ("nodes", "go nodes 5000 searchmoves a2a3", 6.0)])
def without_any_server_the_local_engine_plays(go, within, start):
    engine = start("connect", free_address())
    engine.ask("position startpos")
    found = engine.quickest(1000 * within * engine.slow, go)
    check(found.seconds < within * engine.slow, f"{found.seconds:.2f} s")
    check("searchmoves" not in go or found.move == "a2a3", found.move)
    # One millisecond may be over before the local engine begins.
    check(found.infos or "wtime 1 " in go, "no search")


@test
def a_gui_that_comes_late_reads_why_there_is_no_connection(start):
    engine = start("connect", free_address(), handshake=False)
    time.sleep(0.5 * start.slow)
    engine.send("uci")
    engine.read_until("uciok")
    engine.read_until(lambda text: text.startswith("info string no connection to "), 1)


@test
def without_any_server_an_analysis_is_local(start):
    engine = start("connect", free_address())
    engine.send("position startpos", "go infinite")
    engine.read_until(lambda text: text.startswith("info depth"))
    engine.check_no_bestmove(0.3, "before stop")
    engine.stop(1)


@test
def an_analysis_goes_back_to_the_server_when_it_returns(start):
    address = free_address()
    engine = start("connect", address)
    engine.send("position startpos moves e2e4", "go infinite")
    engine.read_until(lambda text: text.startswith("info depth"))
    server = ListenServerAt(start, address)
    with server:
        engine.read_until(_connection_is_found, 15)
        engine.read_until(lambda text: text.startswith("info depth 1 "))
        engine.stop(2)
        check(engine.search("go depth 4").infos, "no next search")


def ListenServerAt(start, address):
    """A server on a given port."""
    from web import Server
    return Server(start, "listen", port=int(address.rsplit(":", 1)[1]))


@test_each([("with a pv before", True), ("with none", False)])
def stop_is_answered_at_once_while_there_is_no_line(has_pv, start):
    with FakeServer(start.slow) as server:
        engine = connected(start, server.address)
        engine.send("position startpos", "go infinite")
        server.wait_for("go infinite")
        if has_pv:
            server.send(info(5, "h2h4 a7a6"))
            engine.read_until("info")
        server.stop_listening()
        server.cut()
        engine.read_until(_connection_is_lost)
        found = engine.quickest(600 * engine.slow, "stop", tries=1)
        check(found.seconds < 0.6 * engine.slow, f"{found.seconds:.2f} s")
        check(not has_pv or found.move == "h2h4", found.move)
        check(engine.search("go movetime 100").move, "no next search")


@test
def a_server_that_accepts_and_says_nothing_does_not_delay_the_game(start):
    with FakeServer(start.slow, lambda server, line: None) as server:
        engine = start("connect", server.address)
        engine.ask("position startpos")
        for _ in range(3):
            found = engine.search("go wtime 2000 btime 2000")
            check(found.seconds < 1.5 * engine.slow, f"{found.seconds:.2f} s")
        engine.send("go infinite")
        engine.read_until(lambda text: text.startswith("info depth"))
        engine.stop(1)


@test
def a_server_that_falls_silent_in_a_search_is_given_up(start):
    with FakeServer(start.slow) as server:
        engine = connected(start, server.address)
        server.respond = lambda *_: None
        began = time.monotonic()
        engine.send("position startpos", "go wtime 4000 btime 4000")
        found = engine.answer()
        check(time.monotonic() - began < 3 * engine.slow, "late")
        check(any(text.startswith(LOST) for text in found.strings), f"{found.strings}")


@test_each([("an illegal move", ["bestmove e2e5"]), ("no move", ["bestmove (none)"]), ("nothing", ["bestmove"]),
            ("a word", ["bestmove hello"]), ("the move of the other side", ["bestmove e7e5"]),
            ("noise", ["\x01\x02\x7f", "info", "info depth", "info pv", "\xe9" * 2000, "option", "bestmove 0000"])])
def nonsense_of_a_server_never_reaches_the_game(lines, start):
    with FakeServer(start.slow) as server:
        engine = connected(start, server.address)
        engine.send("position startpos", "go wtime 3000 btime 3000")
        server.wait_for("go ")
        server.send(*lines)
        lines = [line.text for line in engine.read_until("bestmove")]
        move = lines[-1].split()[1]
        check(MOVE.fullmatch(move) and move[1] in "12" and move != "e2e5", lines[-1])
        check(all(text.isprintable() for text in lines), "unprintable lines")


@test
def an_illegal_ponder_move_is_left_out(start):
    with FakeServer(start.slow) as server:
        engine = connected(start, server.address)
        engine.send("position startpos", "go depth 9")
        server.wait_for("go ")
        server.send("bestmove e2e4 ponder e2e4")
        found = engine.answer()
        check((found.move, found.ponder) == ("e2e4", None), f"{found.move} {found.ponder}")


@test
def an_answer_before_stop_is_withheld(start):
    with FakeServer(start.slow) as server:
        engine = connected(start, server.address)
        for go, end in (("go infinite", "stop"), ("go ponder wtime 9000 btime 9000", "ponderhit")):
            engine.send("position startpos", go)
            server.wait_for(go)
            server.send("bestmove c2c4")
            engine.check_no_bestmove(0.3, "before it was asked for")
            check(engine.search(end).move == "c2c4", "another move")


@test
def a_position_that_is_refused_changes_nothing(start):
    with FakeServer(start.slow) as server:
        engine = connected(start, server.address)
        said = engine.ask("position startpos moves e2e4", "position startpos moves e2e5", "position nonsense")
        check(len(said) == 2 and all("position refused" in text for text in said), f"{said}")
        engine.send("go depth 3")
        server.wait_for("go ")
        check(server.wait_for("position") == "position startpos moves e2e4", "another position")
        server.send("bestmove e7e5")
        engine.answer()


@test
def quit_and_the_end_of_the_input_end_it(start):
    for address in (free_address(), "192.0.2.1", "no-such-host.invalid"):
        run = start.run("connect", address, input=b"uci\nisready\ngo infinite\nquit\n", within=5)
        check(run.status == 0 and run.lines[-1].startswith("bestmove "), f"{run.lines[-1:]}")
        check(len(run.errors.splitlines()) <= 2, f"stderr: {run.errors}")
    run = start.run("connect", free_address(), input=b"position startpos\ngo movetime 300\n", within=8)
    check(run.lines[-1].startswith("bestmove "), f"{run.lines[-1:]}")


@test_each([("none", [], "needs one argument"), ("two", ["a", "b"], "needs one argument"),
            ("a port that is none", ["host:0"], "is not a server"), ("an empty host", ["a,,b"], "is not a server"),
            ("an address", ["http://a"], "is not a server"), ("a bracket", ["[::1"], "is not a server")])
def wrong_servers_are_refused(arguments, message, start):
    run = start.run("connect", *arguments)
    check(run.status == 2 and message in run.errors, f"{run.status}: {run.errors}")


# Through a proxy that cuts.

@patient_test
def every_go_has_one_answer_while_the_line_is_cut_again_and_again(start):
    with ListenServer(start, "--sessions", "1") as server:
        proxy = CuttingProxy(server.port, 0.25)
        engine = connected(start, f"127.0.0.1:{proxy.port}")
        moves = ["e2e4", "e7e5", "g1f3", "b8c6"]
        for number in range(20):
            engine.send("position startpos moves " + " ".join(moves[:number % 5]))
            found = engine.search("go wtime 4000 btime 4000" if number % 2 else "go movetime 300")
            check(found.seconds < 3 * engine.slow, f"{found.seconds:.2f} s")
        engine.check_no_bestmove(0.3, "that nobody asked for")
        check(proxy.cuts > 5, "no cuts")
        proxy.close()
