"""`parley annotate`: a review of games in PGN or JSON."""
import json
import os
import tempfile

from harness import check, test, test_each

GAMES = """[White "Anna <script>"]
[Black "Bert"]

1. f3 {[%clk 0:01:00]} e5 2. g4 $4 (2. e4 {better}) Qh4# 0-1

[White "illegal"]

1. e4 e5 2. Ke3 *

1. e4 {Gr\xfc\xdfe} e5 1/2-1/2
"""
FEW = ("--nodes", "2000")


def annotated(start, *options, games=GAMES.encode("latin-1")):
    return start.run("annotate", *FEW, *options, input=games)


def text(done):
    return "\n".join(done.lines) + "\n"


@test
def games_are_annotated_in_order_and_others_copied(start):
    done = annotated(start)
    check(done.status == 1, done.errors)
    check("game 2 (illegal - ) is left as it is: move 2: 'Ke3' is not a legal move here" in done.errors, done.errors)
    first, second, third = text(done).split("\n\n1. ")[1:]
    check("[%eval #-1," in first and "2. e4 {better}" in first, first)
    check("[%clk 0:01:00]" in first and text(done).count("[WhiteAccuracy") == 2, first)
    check(second.startswith("e4 e5 2. Ke3 *"), second)
    check("Gr\u00fc\u00dfe" in third and third.rstrip().endswith("1/2-1/2"), third)


@test
def threads_do_not_change_the_result(start):
    one, two = (text(annotated(start, "--threads", threads)) for threads in "12")
    check(one == two and "[%eval" in one, one)


MATE = b"1. f3 {Hm.} e5 2. g4 Qh4# 0-1\n"


@test
def mistakes_are_explained_in_words(start):
    one, two = (text(annotated(start, "--words", "--threads", threads, games=MATE)) for threads in "12")
    words = " ".join(one.split())
    check("] g4 allows mate in 1. Better is " in words and "2...Qh4#}" in words, one)
    check("] Hm." in words, one)
    check(one == two, f"one thread:\n{one}\ntwo threads:\n{two}")
    again = text(annotated(start, "--words", games=one.encode()))
    check(again == one, f"once more:\n{again}")
    german = " ".join(annotated(start, "--words", "--language", "de", games=MATE).lines)
    check("g4 l\u00e4sst ein Matt in 1 zu. Besser ist " in german and "2...Dh4#}" in german, german)
    done = annotated(start, "--words", "--language", "fr", games=MATE)
    check(done.status == 2 and "--language must be en or de" in done.errors, done.errors)
    without = text(annotated(start, games=MATE))
    check("mate" not in without, without)


@test
def explanations_are_in_json_and_on_the_page(start):
    [line] = annotated(start, "--words", "--json", games=MATE).lines
    found = json.loads(line)["moves"][2]["explanation"]
    check((found["kind"], found["line"]) == ("mate_allowed", "2...Qh4#"), found)
    check(found["sentences"][0] == "g4 allows mate in 1." and len(found["sentences"]) == 2, found)
    page = text(annotated(start, "--words", "--html", "-", games=MATE))
    check('"sentences":["g4 allows mate in 1."' in page, "no explanation on the page")


@test
def json_has_a_line_for_each_game(start):
    done = annotated(start, "--json")
    games = [json.loads(line) for line in done.lines]
    check(len(games) == 2, done.lines)
    moves = games[0]["moves"]
    check([move["san"] for move in moves] == ["f3", "e5", "g4", "Qh4#"], moves)
    check(moves[2]["judgement"] == "blunder" and moves[2]["mate"] == -1, moves[2])
    check(moves[2]["best_line"] and moves[3]["accuracy"] == 100, moves)
    check(games[0]["tags"]["White"] == "Anna <script>" and games[0]["result"] == "0-1", games[0])
    check(0 <= games[0]["white_accuracy"] < games[0]["black_accuracy"] <= 100, games[0])


@test
def a_review_of_a_review_adds_nothing(start):
    once = annotated(start, games=b"1. e4 {mine} e5 2. Nf3 *")
    check(once.status == 0, once.errors)
    twice = annotated(start, games=text(once).encode())
    check(twice.lines == once.lines, twice.lines)


@test
def only_the_moves_of_a_player_are_judged(start):
    games = b"""[White "Bob"]\n[Black "Ann"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White "X"]\n[Black "Y"]\n\n1. e4 *\n"""
    done = annotated(start, "--player", "ann", "--lines", "3", games=games)
    check(done.status == 0 and "$4" not in text(done), text(done))
    check("[Black \"Y\"]\n\n1. e4 *" in text(done), text(done))
    done = annotated(start, "--player", "bob", "--lines", "3", games=games)
    check("2. g4 $4" in text(done).replace("\n", " ") and text(done).count("(2.") == 3, text(done))


@test
def a_page_is_written_in_the_place_of_pgn(start):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "review.html")
        done = annotated(start, "--html", path, games=b"[White \"</script><b>\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")
        check(done.status == 0 and not done.lines, done)
        with open(path) as file:
            page = file.read()
        check("</script><b>" not in page and "\\u003c/script\\u003e" in page, "markup from the PGN")
        check("Content-Security-Policy" in page and "@" not in page.split("<style>")[0], "the template")
        check('<html lang="en">' in page, "the language")
        done = annotated(start, "--html", path, "--language", "de", games=MATE)
        with open(path) as file:
            check(done.status == 0 and '<html lang="de">' in file.read(), f"the language: {done}")
        for options in (("--html", path, "--out", path),
                        ("--html", path, "--out", os.path.join(folder, ".", "review.html")),
                        ("--html", "-", "--json")):
            done = annotated(start, *options)
            check(done.status == 2 and "the same file" in done.errors, f"{options}: {done.errors}")


@test
def files_are_read_and_written(start):
    with tempfile.TemporaryDirectory() as folder:
        games, out = os.path.join(folder, "games.pgn"), os.path.join(folder, "out.pgn")
        with open(games, "w") as file:
            file.write("1. d4 d5 *\n")
        done = start.run("annotate", "--movetime", "5", "--hash", "1", "--out", out, games, games)
        check(done.status == 0 and not done.lines, done.errors)
        with open(out) as file:
            check(file.read().count("1. d4 {[%eval ") == 2, "two games")
        done = start.run("annotate", *FEW, "--out", games, games)
        check(done.status == 2 and "one of the files" in done.errors, done.errors)


@test_each([("no file", ("/nowhere/games.pgn",), b"", "cannot be opened"),
            ("no game", (), b" \n", "there is no game"),
            ("an unwritable file", ("--out", "/nowhere/out.pgn"), b"1. e4", "cannot be written")])
def what_cannot_be_done_is_said(options, games, message, start):
    done = annotated(start, *options, games=games)
    check(done.status == 1 and message in done.errors, (done.status, done.errors))
