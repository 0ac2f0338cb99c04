"""Opening books: the options, when a book is asked, and `parley book`."""
import os
import struct
import tempfile

from harness import check, test, test_each

GAMES = """[White "Anna"]
[Black "Bert"]

1. e4 e5 2. Nf3 1-0

[White "Bert"]
[Black "Anna"]

1. d4 d5 1/2-1/2

1. a4 0-1
"""
START = 0x463B96181691FC9C
E2E4 = 12 << 6 | 28


def write(folder, name, *entries):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        for entry in entries:
            file.write(struct.pack(">QHHI", *entry, 0))
    return path


def made(start, folder, *options, games=GAMES):
    """A book of the games: e4 has the weight 2, d4 the weight 1."""
    path = os.path.join(folder, "a.bin")
    done = start.run("book", "make", path, "-", "--min-games", "1", "--min-score", "0", *options,
                     input=games.encode())
    check(done.status == 0, done.errors)
    return path


def with_book(start, path, *lines):
    engine = start()
    said = engine.ask("setoption name OwnBook value true", f"setoption name Book File value {path}",
                      "setoption name Book Variety value best", *lines)
    check(not said, f"said: {said}")
    return engine


@test
def a_move_from_the_book_is_played_at_once_with_the_shares_of_all(start):
    with tempfile.TemporaryDirectory() as folder:
        path = made(start, folder)
        engine = with_book(start, path, "position startpos")
        engine.send("go movetime 5000")
        lines = [line.text for line in engine.read_until("bestmove", 2)]
        check(lines == [f"info string book '{path}': e2e4 67 %, d2d4 33 %", "bestmove e2e4"],
              f"{lines}")
        found = engine.search("position startpos moves e2e4 e7e5\ngo wtime 1000 btime 1000")
        check(found.move == "g1f3" and not found.infos, f"{found.move}")
        # Black lost with e5, and nobody knows what to do after c5.
        for moves in ("e2e4", "e2e4 c7c5"):
            check(engine.search(f"position startpos moves {moves}\ngo depth 2").infos, moves)


@test
def without_own_book_the_book_is_not_asked(start):
    with tempfile.TemporaryDirectory() as folder:
        engine = with_book(start, made(start, folder), "setoption name OwnBook value false")
        check(engine.search("go depth 2").infos, "no search")


@test_each([(go, go) for go in (
    "go depth 2 searchmoves a2a3", "go mate 1 nodes 100", "go ponder movetime 300\nponderhit",
    "go infinite\nstop")])
def what_a_book_cannot_answer_is_searched(go, start):
    with tempfile.TemporaryDirectory() as folder:
        engine = with_book(start, made(start, folder))
        lines = go.split("\n")
        engine.send(lines[0])
        if len(lines) > 1:
            engine.check_no_bestmove(0.1, "before it may")
            engine.send(lines[1])
        check(engine.answer().infos, "no search")


@test_each([(line, line) for line in (
    "MultiPV value 2", "UCI_AnalyseMode value true", "Book Depth value 0")])
def an_option_that_excludes_the_book_leads_to_a_search(option, start):
    with tempfile.TemporaryDirectory() as folder:
        engine = with_book(start, made(start, folder), f"setoption name {option}")
        check(engine.search("go depth 2").infos, "no search")


@test
def a_bad_value_leaves_the_analysis_mode_as_it_was(start):
    with tempfile.TemporaryDirectory() as folder:
        engine = with_book(start, made(start, folder))
        for mode in ("true", "false"):
            engine.ask(f"setoption name UCI_AnalyseMode value {mode}")
            said = engine.ask("setoption name UCI_AnalyseMode value perhaps")
            check(len(said) == 1 and f"UCI_AnalyseMode stays at {mode}: " in said[0]
                  and "neither true nor false" in said[0], f"said: {said}")
            check(bool(engine.search("go depth 2").infos) == (mode == "true"), f"not {mode}")


@test
def book_depth_counts_plies_from_the_start_of_the_game(start):
    with tempfile.TemporaryDirectory() as folder:
        engine = with_book(start, made(start, folder), "setoption name Book Depth value 2")
        check(not engine.search("position startpos\ngo depth 2").infos, "not asked at ply 0")
        found = engine.search("position startpos moves e2e4 e7e5\ngo depth 2")
        check(found.infos, "asked at ply 2")


@test
def variety_decides_how_often_a_move_is_played(start):
    with tempfile.TemporaryDirectory() as folder:
        engine = with_book(start, made(start, folder))
        for variety, expected in (("best", {"e2e4"}), ("weighted", {"e2e4", "d2d4"}),
                                  ("even", {"e2e4", "d2d4"})):
            engine.ask(f"setoption name Book Variety value {variety}")
            moves = {engine.search("go depth 1").move for _ in range(60)}
            check(moves == expected, f"{variety}: {moves}")


@test_each([
    ("missing", None, "No such file"),
    ("of an odd size", b"\0" * 17, "not a multiple of 16"),
    ("unsorted", b"\1" * 16 + b"\0" * 16, "not in the order of the keys"),
    ("empty", b"", "empty"),
])
def a_file_that_is_no_book_is_refused_and_the_old_book_stays(content, reason, start):
    with tempfile.TemporaryDirectory() as folder:
        engine = with_book(start, made(start, folder))
        bad = os.path.join(folder, "bad.bin")
        if content is not None:
            with open(bad, "wb") as file:
                file.write(content)
        said = engine.refuses(f"setoption name Book File value {bad}")
        check(said.startswith("Book File stays '") and reason in said, said)
        check(not engine.search("go depth 1").infos, "the old book is gone")
        shown = start.run("book", "show", bad)
        check(shown.status == 1 and reason in shown.errors, shown.errors)


@test_each([("an empty value", ""), ("the word for it", " <empty>")])
def an_empty_name_means_no_book(value, start):
    with tempfile.TemporaryDirectory() as folder:
        engine = with_book(start, made(start, folder), f"setoption name Book File value{value}")
        check(engine.search("go depth 1").infos, "the book is still there")


@test
def illegal_moves_and_those_of_weight_0_are_never_played(start):
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, "odd.bin", (START, 0xFFFF, 9), (START, E2E4 + 8, 9), (START, E2E4, 0))
        engine = with_book(start, path)
        check(engine.search("go depth 1").infos, "a move that no book may give")


@test
def a_book_of_games_with_an_illegal_move_has_the_other_games(start):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.bin")
        done = start.run("book", "make", path, "-", "--min-games", "1", "--min-score", "0",
                         input=b"1. e4 Nf9 *\n\n1. d4 *\n")
        check(done.status == 1 and "game 1 is left out: move 1..." in done.errors, done.errors)
        shown = start.run("book", "show", path)
        check(shown.lines[0].split()[:2] == ["d4", "1"], shown.lines)


@test
def books_are_shown_merged_and_dumped(start):
    with tempfile.TemporaryDirectory() as folder:
        path = made(start, folder)
        shown = start.run("book", "show", path)
        check(shown.lines == ["e4           2   67 %", "d4           1   33 %"], shown.lines)
        after = start.run("book", "show", path, "d2d4")
        check(after.lines[0].split()[0] == "d5", after.lines)
        other = write(folder, "b.bin", (START, E2E4, 7))
        merged = os.path.join(folder, "c.bin")
        done = start.run("book", "merge", merged, other, path)
        check(done.status == 0, done.errors)
        check(start.run("book", "show", merged).lines[0].split()[:2] == ["e4", "7"], "not merged")
        reply = start.run("book", "show", merged, "e4", "e5").lines[0]
        check(reply.split()[0] == "Nf3", reply)
        dumped = start.run("book", "dump", other).lines
        check(dumped == [f"{START:016x} {E2E4:04x} 7 0"], dumped)


@test_each([
    ("no action", []), ("an unknown action", ["mkae"]), ("no games", ["make", "a.bin"]),
    ("one book to merge", ["merge", "a.bin"]), ("a side that is none",
                                                ["make", "a.bin", "-", "--only", "red"]),
])
def wrong_use_is_refused(arguments, start):
    done = start.run("book", *arguments)
    check(done.status == 2 and done.errors, f"status {done.status}: {done.errors}")
