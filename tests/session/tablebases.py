"""Syzygy endgame tables: the options, the reports, the play, and `parley tb`."""
import json
import os
import shutil
import tempfile

from harness import check, test, test_each

TABLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "data", "syzygy")
QUEEN = "8/8/8/8/8/8/k6K/2Q5 w - - 0 1"
# White must capture on c7 to reach the tables, and then wins.
BEFORE_ROOK = "8/2n5/8/8/8/k7/8/2R4K w - - 0 1"


def with_tables(start, *lines):
    engine = start()
    said = engine.ask(f"setoption name SyzygyPath value {TABLES}", *lines)
    check(not said, f"said: {said}")
    return engine


@test
def tables_are_found_without_a_word(start):
    with_tables(start)


@test_each([
    ("a folder that is not there", "/no/such/folder"),
    ("one of two is not there", f"{TABLES};/no/such/folder"),
    ("a folder without tables", os.path.dirname(os.path.abspath(__file__))),
    ("a file", os.path.abspath(__file__)),
])
def a_bad_path_is_refused_and_the_old_tables_stay(path, start):
    engine = with_tables(start, f"position fen {QUEEN}")
    reason = engine.refuses(f"setoption name SyzygyPath value {path}")
    check(reason.startswith("SyzygyPath stays"), f"it says {reason}")
    check(engine.search("go depth 1").last.tbhits > 0, "the old tables are gone")


@test_each([("an empty value", ""), ("the word for it", " <empty>")])
def an_empty_path_means_no_tables(value, start):
    engine = with_tables(start, f"position fen {QUEEN}")
    said = engine.ask(f"setoption name SyzygyPath value{value}")
    check(not said, f"said: {said}")
    check(engine.search("go depth 1").last.tbhits == 0, "the tables are still there")


@test
def files_that_are_no_tables_are_named_in_one_string(start):
    with tempfile.TemporaryDirectory() as folder:
        for name in ("KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbz"):
            shutil.copy(os.path.join(TABLES, name), folder)
        with open(os.path.join(TABLES, "KRvK.rtbw"), "rb") as good:
            with open(os.path.join(folder, "KRvK.rtbw"), "wb") as bad:
                bad.write(good.read()[:-1])
        engine = start()
        said = engine.ask(f"setoption name SyzygyPath value {folder}")
        check(len(said) == 1 and "KRvK.rtbw: truncated" in said[0], f"said: {said}")
        found = engine.search(f"position fen {QUEEN}\ngo depth 2")
        check(found.last.score == "cp 20000" or found.last.kind == "mate", found.last.score)


@test
def a_known_win_is_reported_as_20000_with_the_way_to_mate(start):
    engine = with_tables(start, f"position fen {QUEEN}")
    for _ in range(10):
        found = engine.search(f"position fen {QUEEN}\ngo depth 1")
        check(found.last.score == "cp 20000", f"score {found.last.score}")
        check(found.last.tbhits > 0, "no tbhits")
        check(engine.plays(found.last.pv, f"fen {QUEEN}"), f"an illegal pv: {found.last.pv}")
        if not engine.legal_moves():
            return
        # The way is cut off after 50 ms, which a busy machine may need for something else. A sanitizer's
        # build is always too slow for it.
        if start.slow > 1:
            return
    check(False, f"no mate at the end of {found.last.pv}")


@test
def a_win_behind_a_capture_is_found_in_the_search(start):
    engine = with_tables(start, f"position fen {BEFORE_ROOK}")
    last = engine.search("go depth 6").last
    check(last.tbhits > 0, "no tbhits")
    check(last.kind == "mate" or 19700 < last.value <= 20000, f"score {last.score}")


@test
def without_tables_there_are_no_hits(engine):
    found = engine.search(f"position fen {QUEEN}\ngo depth 4")
    check(all(info.tbhits == 0 for info in found.infos), "tbhits without tables")


@test
def a_limit_of_no_men_switches_the_tables_off(start):
    engine = with_tables(start, "setoption name SyzygyProbeLimit value 0")
    last = engine.search(f"position fen {QUEEN}\ngo depth 2").last
    check(last.tbhits == 0, f"{last.tbhits} tbhits")


@test
def a_probe_depth_keeps_shallow_nodes_from_the_largest_tables(start):
    hits = []
    for depth in (1, 100):
        engine = with_tables(start, f"setoption name SyzygyProbeDepth value {depth}",
                             "setoption name SyzygyProbeLimit value 3")
        hits.append(engine.search(f"position fen {BEFORE_ROOK}\ngo depth 6").last.tbhits)
    check(hits[0] > 0 and hits[1] == 0, f"tbhits {hits}")


@test
def the_fifty_move_rule_decides_what_a_late_win_is_worth(start):
    engine = with_tables(start, f"position fen {QUEEN.replace('0 1', '90 90')}")
    check(engine.search("go depth 1").last.value in range(-5, 6), "a win after the hundredth ply")
    engine.ask("setoption name Syzygy50MoveRule value false")
    check(engine.search("go depth 1").last.score == "cp 20000", "no win without the rule")


LATE_QUEEN = QUEEN.replace("0 1", "90 90")


# In each row: what is set, the bad line, words of the answer, a search, and whether it has hits.
@test_each([
    ("the path", [], "SyzygyPath value /no/such/folder", ["SyzygyPath stays '", "/no/such/folder"],
     f"position fen {QUEEN}\ngo depth 1", True),
    ("no tables", [], f"SyzygyPath value {os.path.dirname(TABLES)}", ["KQvK.rtbw"],
     f"position fen {QUEEN}\ngo depth 1", True),
    ("the depth", ["SyzygyProbeDepth value 100", "SyzygyProbeLimit value 3"],
     "SyzygyProbeDepth value 101", ["stays at 100", "a whole number from 1 to 100"],
     f"position fen {BEFORE_ROOK}\ngo depth 6", False),
    ("the limit", ["SyzygyProbeLimit value 2"], "SyzygyProbeLimit value 8",
     ["stays at 2", "a whole number from 0 to 7"], f"position fen {BEFORE_ROOK}\ngo depth 6", False),
    ("the rule", ["Syzygy50MoveRule value false"], "Syzygy50MoveRule value maybe",
     ["stays at false", "neither true nor false"], f"position fen {LATE_QUEEN}\ngo depth 1", True),
])
def a_bad_value_leaves_the_old_one_and_says_what_would_do(good, bad, words, go, hits, start):
    engine = with_tables(start, *(f"setoption name {setting}" for setting in good))
    said = engine.ask(f"setoption name {bad}")
    check(len(said) == 1 and said[0].startswith("info string "), f"said: {said}")
    check(all(word in said[0] for word in words), f"said: {said}")
    last = engine.search(go).last
    check((last.tbhits > 0) == hits, f"{last.tbhits} tbhits")
    check(not hits or last.score == "cp 20000", f"score {last.score}")


@test
def moves_that_throw_the_win_away_are_last_in_multipv(start):
    # Qc7 is stalemate.
    engine = with_tables(start, "setoption name MultiPV value 256",
                         "position fen k7/8/1K6/8/8/8/8/2Q5 w - - 0 1")
    infos = [info for info in engine.search("go depth 4").infos if info.depth == 4]
    lines = {info.pv[0]: info for info in infos}
    check(lines["c1c7"].score == "cp 0", f"Qc7 has {lines['c1c7'].score}")
    check(lines["c1c7"].multipv > lines["c1c3"].multipv, "a draw before a win")
    check(lines["c1c8"].score == "mate 1", f"Qc8 has {lines['c1c8'].score}")


@test
def the_path_may_be_set_as_often_as_one_likes_between_searches_of_eight_threads(start):
    engine = with_tables(start, "setoption name Threads value 8", f"position fen {BEFORE_ROOK}")
    count = 1000 if start.slow == 1 else 100
    for number in range(count):
        # The option is set when the search has ended, which the next one or the stop does.
        engine.send("go infinite", f"setoption name SyzygyPath value {TABLES}")
        if number % 50 == 0:
            engine.send("stop")
            engine.wait_for_bestmoves()
    engine.send("stop")
    engine.wait_for_bestmoves()
    said = engine.ask()
    check(not said, f"said: {said}")


@test_each([("queen", QUEEN, 10), ("rook", "8/8/8/4k3/8/8/8/R3K3 w - - 0 1", 40),
            ("pawn", "8/5k2/8/8/8/3K4/5P2/8 w - - 0 1", 60)])
def won_endings_are_won(fen, moves, start):
    engine = with_tables(start)
    line = []
    for _ in range(2 * moves):
        found = engine.search(f"position fen {fen} moves {' '.join(line)}\ngo nodes 300")
        if found.move == "(none)":
            check(found.last.score == "mate 0", f"{found.last.score} at the end of {line}")
            return
        line.append(found.move)
    check(False, f"no mate in {moves} moves: {line}")


@test
def tb_tells_of_a_position_and_of_its_moves(start):
    run = start.run("tb", "--syzygy", TABLES, QUEEN)
    check(run.status == 0 and not run.errors, f"status {run.status}: {run.errors}")
    check(run.lines[:2] == [QUEEN, "WDL win, DTZ 15"], f"it says {run.lines[:2]}")
    check(len(run.lines) == 2 + 26, f"{len(run.lines)} lines")
    check(run.lines[2].split()[1:3] == ["win", "DTZ"], f"it says {run.lines[2]}")


@test
def tb_says_the_same_in_json_for_each_line_of_its_input(start):
    fens = [QUEEN, "8/8/8/8/1k6/8/P7/K7 w - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"]
    run = start.run("tb", "--json", input="\n".join(fens + ["nonsense"]).encode(),
                    environment={"PARLEY_SYZYGY": TABLES})
    check(run.status == 1, f"status {run.status}: {run.errors}")
    queen, pawn, mate, nonsense = map(json.loads, run.lines)
    check((queen["wdl"], queen["dtz"], len(queen["moves"])) == ("win", 15, 26), f"{queen}")
    check(set(queen["moves"][0]) == {"uci", "san", "result", "dtz"}, f"{queen['moves'][0]}")
    check((pawn["wdl"], pawn["dtz"]) == ("draw", 0), f"{pawn}")
    check((mate["wdl"], mate["dtz"], mate["moves"]) == ("loss", -1, []), f"{mate}")
    check(nonsense["fen"] == "nonsense" and nonsense["error"], f"{nonsense}")


@test_each([
    ("no path", ["tb", QUEEN], 2),
    ("no such folder", ["tb", "--syzygy", "/no/such/folder", QUEEN], 1),
    ("no FEN", ["tb", "--syzygy", TABLES, "nonsense"], 1),
    ("too many men", ["tb", "--syzygy", TABLES, "4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1"], 1),
    ("castling", ["tb", "--syzygy", TABLES, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"], 1),
])
def tb_refuses_what_it_cannot_answer(arguments, status, start):
    run = start.run(*arguments)
    said = run.errors or "\n".join(run.lines)
    check(run.status == status and len(said) > 10, f"status {run.status}: {said}")
