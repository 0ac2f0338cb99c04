"""`parley replay`: a debug log gives the same answers again, and what differs is reported."""
import os
import re
import tempfile

from books import made
from harness import KIWIPETE, check, test, test_each


def log_of(start, folder, *conversation, name="log", **settings):
    """A log of what a function, or lines, say to an engine."""
    path = os.path.join(folder, name)
    engine = start(**settings)
    engine.ask(f"setoption name Debug Log File value {path}")
    for part in conversation:
        if callable(part):
            part(engine)
        else:
            engine.send(part)
            engine.wait_for_bestmoves()
    engine.ask()
    engine.finish()
    return path


def replays_alike(start, path, searches):
    run = start.run("replay", path, within=60)
    check(run.status == 0 and not run.errors, f"status {run.status}: {run.lines[-8:]} {run.errors}")
    check(run.lines == [f"{searches} of {searches} searches gave the same answer; "
                        "0 other lines differ"], f"it says {run.lines}")


def stop_after(go, seconds):
    def talk(engine):
        engine.send(go)
        engine.check_no_bestmove(seconds, "before the stop")
        engine.stop()
    return talk


def ponder(engine):
    engine.send("position startpos moves e2e4 e7e5", "go ponder wtime 2000 btime 2000")
    engine.read_for(0.3)
    engine.send("ponderhit")
    engine.wait_for_bestmoves()


@test_each([
    ("fixed depths and nodes", ["position startpos", "go depth 8",
                                "position startpos moves e2e4", "go nodes 12345"]),
    ("times and clocks", ["position startpos", "go movetime 150",
                          "position startpos moves e2e4", "go wtime 3000 btime 3000 winc 50",
                          f"position fen {KIWIPETE}", "go movetime 100"]),
    ("a search that is stopped", [stop_after("go infinite", 0.3), "go depth 7"]),
    ("pondering", [ponder, "go movetime 50"]),
    ("options and a new game", ["setoption name Hash value 2", "go movetime 150", "ucinewgame",
                                "setoption name MultiPV value 3", "go movetime 150",
                                "setoption name UCI_ShowWDL value true", "go depth 5"]),
    ("a mate and a stalemate", ["position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 3",
                                "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
                                "go movetime 100"]),
    ("searchmoves and wrong ones", ["go depth 5 searchmoves e2e4 a2a3", "go depth 3 searchmoves e9",
                                    "go depth 3 nonsense"]),
    ("other commands", ["uci", "d", "eval", "fen", "help", "go perft 3", "position startpos moves e2e5",
                        "setoption name Hash value none", "debug on", "go movetime 50", "xyz"]),
])
def the_same_answers_come_again(conversation, start):
    with tempfile.TemporaryDirectory() as folder:
        path = log_of(start, folder, *conversation)
        with open(path) as file:
            searches = len(re.findall(r" > go (?!perft)", file.read()))
        replays_alike(start, path, searches)


@test
def a_whole_game_by_the_clock_comes_again(start):
    def play(engine):
        moves = []
        for _ in range(30):
            found = engine.search(f"position startpos moves {' '.join(moves)}\n"
                                  "go wtime 1500 btime 1500 winc 20 binc 20")
            moves.append(found.move)
    with tempfile.TemporaryDirectory() as folder:
        replays_alike(start, log_of(start, folder, play), 30)


@test
def a_search_that_the_end_of_input_cut_comes_again(start):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log")
        script = f"setoption name Debug Log File value {path}\nposition startpos\ngo movetime 60000\n"
        check("was stopped 3 s after" in " ".join(start.run(input=script.encode()).lines), "it was not cut")
        replays_alike(start, path, 1)


@test
def several_conversations_in_one_log_are_held_one_after_the_other(start):
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(3):
            path = log_of(start, folder, "go movetime 50")
        replays_alike(start, path, 3)


@test
def what_was_set_before_the_log_was_opened_counts(start):
    with tempfile.TemporaryDirectory() as folder:
        engine = start()
        path = os.path.join(folder, "log")
        engine.ask("setoption name MultiPV value 2", f"position fen {KIWIPETE}",
                   f"setoption name Debug Log File value {path}")
        engine.search("go movetime 100")
        engine.finish()
        replays_alike(start, path, 1)


@test
def the_log_of_a_process_that_was_killed_can_be_replayed(start):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log")
        engine = start()
        engine.ask(f"setoption name Debug Log File value {path}")
        engine.search("go depth 5")
        engine.send("go infinite")
        engine.read_for(0.3)
        engine.kill()
        start.engines.remove(engine)
        with open(path, "a") as file:
            file.write("2026-01-31 12:00")
        run = start.run("replay", path, within=60)
        check(run.status == 0, f"status {run.status}: {run.lines}")
        check("not an entry" in run.errors, f"it says {run.errors}")


@test
def moves_from_a_book_come_from_the_book_again(start):
    with tempfile.TemporaryDirectory() as folder:
        book = made(start, folder)
        path = log_of(start, folder, "setoption name OwnBook value true",
                      f"setoption name Book File value {book}", "go movetime 50",
                      stop_after("go infinite", 0.2), "go movetime 50 searchmoves e2e4 d2d4",
                      "position startpos moves a2a3", "go movetime 50")
        replays_alike(start, path, 4)


@test
def a_replay_logs_nothing(start):
    with tempfile.TemporaryDirectory() as folder:
        path = log_of(start, folder, "go depth 3")
        size = os.path.getsize(path)
        start.run("replay", path)
        check(os.path.getsize(path) == size, "the log has grown")


@test_each([
    ("another score", r"score cp -?\d+", "score cp 7777", "7777"),
    ("another best move", r"< bestmove \w+", "< bestmove a2a4", "then  bestmove a2a4"),
    ("another message", r"readyok", "readyko", "not sent now: readyko"),
    ("a missing message", r"\n[^\n]*readyok", "", "only sent now: readyok"),
])
def what_differs_is_told(pattern, instead, wanted, start):
    with tempfile.TemporaryDirectory() as folder:
        path = log_of(start, folder, "go depth 6")
        with open(path) as file:
            text = file.read()
        # The last one: what is said before the first readyok may answer earlier commands.
        found = list(re.finditer(pattern, text))[-1]
        with open(path, "w") as file:
            file.write(text[:found.start()] + instead + text[found.end():])
        run = start.run("replay", path)
        check(run.status == 1, f"status {run.status}")
        check(any(wanted in line for line in run.lines), f"it says {run.lines}")


@test
def searches_with_several_threads_are_only_counted(start):
    with tempfile.TemporaryDirectory() as folder:
        path = log_of(start, folder, "setoption name Threads value 3", "go movetime 100",
                      "go movetime 100", "setoption name Threads value 1", "ucinewgame", "go depth 6")
        run = start.run("replay", path)
        check(run.status == 0, f"status {run.status}: {run.lines}")
        check(run.lines[0].startswith("1 of 1 searches gave the same answer; of 2 that cannot"),
              f"it says {run.lines}")


@test
def verbose_tells_of_every_search(start):
    with tempfile.TemporaryDirectory() as folder:
        path = log_of(start, folder, "go depth 3", "go depth 4")
        run = start.run("replay", "--verbose", path)
        check(len(run.lines) == 3 and "go depth 4: bestmove " in run.lines[1], f"it says {run.lines}")


@test_each([
    ("no file", ["replay"], 2), ("two files", ["replay", "a", "b"], 2),
    ("a file that is not there", ["replay", "/no/such/file"], 1),
    ("a folder", ["replay", "/tmp"], 1), ("no log", ["replay", __file__], 1),
    ("an empty file", ["replay", "/dev/null"], 1),
])
def what_is_no_log_is_refused(arguments, status, start):
    run = start.run(*arguments)
    speaker = "parley: " if status == 2 else "parley replay: "  # wrong use, or a failure
    check(run.status == status and run.errors.startswith(speaker) and not run.lines,
          f"status {run.status}: {run.errors} {run.lines}")
