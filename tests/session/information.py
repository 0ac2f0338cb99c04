"""What the engine tells about its search. The form of every info line of every test is checked by
the harness; here is what the lines mean."""
import time

from harness import KIWIPETE, NO_MOVES, check, read_info, is_info, patient_test, test, test_each

MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"


@test
def every_depth_is_reported(engine):
    engine.send("position startpos")
    depths = {info.depth for info in engine.search("go depth 8").infos if not info.bound}
    check(depths == set(range(1, 9)), f"depths reported: {sorted(depths)}")


@test_each([("start", "startpos"), ("kiwipete", f"fen {KIWIPETE}"), ("endgame", f"fen {ENDGAME}")])
def depth_nodes_and_time_never_go_down(position, engine):
    engine.send(f"position {position}")
    infos = engine.search("go depth 8").infos
    for name in ("depth", "nodes", "time"):
        numbers = [getattr(info, name) for info in infos]
        check(numbers == sorted(numbers), f"{name} went down: {numbers}")


@test_each([("start", "startpos"), ("a mate", "fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"),
            ("mated", f"fen {MATED}"), ("stalemate", f"fen {STALEMATE}")])
def chances_are_told_when_they_are_wanted(position, engine):
    engine.send(f"position {position}")
    check(not any(info.wdl for info in engine.search("go depth 5").infos), "wdl unasked")
    engine.send("setoption name UCI_ShowWDL value true")
    infos = engine.search("go depth 6").infos
    check(infos, "no info lines")
    for info in infos:
        check(len(info.wdl) == 3 and sum(info.wdl) == 1000, f"{info.score}: wdl {info.wdl}")
        if info.kind == "mate":
            sure = [1000, 0, 0] if info.value > 0 else [0, 0, 1000]
            check(info.wdl == sure, f"{info.score}: wdl {info.wdl}")


@test
def nodes_per_second_are_nodes_by_time(engine):
    engine.send(f"position fen {KIWIPETE}")
    for info in engine.search("go movetime 400").infos:
        if info.time >= 100:
            rate = 1000 * info.nodes / info.time
            check(0.9 * rate <= info.nps <= 1.1 * rate, f"{info.nodes} nodes in {info.time} ms "
                                                        f"are not {info.nps} a second")


@test_each([
    ("depth 8 from the start", "startpos", "go depth 8"),
    ("depth 7 in kiwipete", f"fen {KIWIPETE}", "go depth 7"),
    ("depth 10 in an endgame", f"fen {ENDGAME}", "go depth 10"),
    ("movetime", f"fen {KIWIPETE}", "go movetime 150"),
    ("nodes", f"fen {KIWIPETE}", "go nodes 7777"),
    ("a mate", "fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "go depth 6"),
    ("one node", f"fen {KIWIPETE}", "go nodes 1"),
])
def bestmove_begins_the_last_line_and_all_lines_are_legal(position, go, engine):
    engine.send(f"position {position}")
    found = engine.search(go)
    check(found.last.pv[0] == found.move,
          f"bestmove {found.move}, but the last line begins with {found.last.pv[0]}")
    if found.ponder and len(found.last.pv) > 1:
        check(found.last.pv[1] == found.ponder,
              f"ponder {found.ponder}, but the last line goes on with {found.last.pv[1]}")
    lines = {tuple(info.pv) for info in found.infos}
    if found.ponder:
        lines.add((found.move, found.ponder))
    for line in lines:
        check(engine.plays(line, position), f"not a legal line: {' '.join(line)}")


@test
def two_lines_come_complete_and_in_order(engine):
    complete_and_in_order(engine, 2, f"fen {KIWIPETE}", 48)


@test
def five_lines_come_complete_and_in_order(engine):
    complete_and_in_order(engine, 5, "startpos", 20)


@test
def there_are_no_more_lines_than_legal_moves(engine):
    complete_and_in_order(engine, 200, "fen K1k5/8/P7/8/8/8/8/8 w - - 0 1", 2)
    complete_and_in_order(engine, 200, "fen 8/8/8/8/8/5k2/6q1/4K3 w - - 0 1", 1)
    complete_and_in_order(engine, 200, "startpos", 20)


@test
def lines_that_were_not_searched_are_not_told(engine):
    engine.ask("setoption name MultiPV value 6", "position fen 6k1/5ppp/8/8/8/8/1QQ2PPP/6K1 w - - 0 1")
    for nodes in (1, 130, 1000):
        for info in engine.search(f"go nodes {nodes}").infos:
            check(value_of(info) > 500, f"with {nodes} nodes line {info.multipv} has {info.score}")


def complete_and_in_order(engine, wanted, position, legal):
    engine.ask(f"setoption name MultiPV value {wanted}", f"position {position}")
    found = engine.search("go depth 4")
    exact = [info for info in found.infos if not info.bound]
    count = min(wanted, legal)
    for depth in range(1, 5):
        lines = [info for info in exact if info.depth == depth][-count:]
        numbers = [info.multipv for info in lines]
        check(numbers == list(range(1, count + 1)), f"depth {depth} has the lines {numbers}")
        check(len({info.pv[0] for info in lines}) == count, f"depth {depth} has a move twice")
        values = [value_of(info) for info in lines]
        check(values == sorted(values, reverse=True), f"depth {depth} has scores {values}")
    check(exact[-count].pv[0] == found.move, "bestmove is not the move of the first line")


def value_of(info):
    """A score as one number, mates beyond all others."""
    if info.kind == "cp":
        return info.value
    return 1_000_000 - info.value if info.value > 0 else -1_000_000 - info.value


@test
def lines_keep_to_searchmoves(engine):
    engine.ask("setoption name MultiPV value 4", "position startpos")
    found = engine.search("go depth 3 searchmoves e2e4 d2d4")
    check({info.multipv for info in found.infos} == {1, 2}, "two searchmoves give two lines")
    check({info.pv[0] for info in found.infos} == {"e2e4", "d2d4"}, "other moves than searchmoves")


@test_each([
    ("mate in 1", "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", 6, "mate 1"),
    ("mate in 1 by Black", "8/8/8/8/8/6k1/5q2/7K b - - 0 1", 6, "mate 1"),
    ("mate in 1 on the last move before a draw", "7k/5Q2/6K1/8/8/8/8/8 w - - 99 80", 6, "mate 1"),
    ("mate in 1 by en passant", "5K2/8/2qk4/2nPp3/3r4/6B1/B7/3R4 w - e6 0 1", 6, "mate 1"),
    ("mate in 2", "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 16, "mate 2"),
    ("mated in 1", "2brrb2/8/p7/Q7/1p1kpPp1/1P1pN1K1/3P4/8 b - - 0 1", 10, "mate -1"),
    ("a draw by the fifty-move rule", "8/8/4k3/8/8/3KR3/8/8 b - - 99 100", 6, "cp 0"),
    ("a draw without material", "8/8/4k3/8/8/3KN3/8/8 w - - 0 1", 6, "cp 0"),
])
def the_score_is_right(fen, depth, score, engine):
    engine.send(f"position fen {fen}")
    said = engine.search(f"go depth {depth}").last.score
    check(said == score, f"score {said}, it is {score}")


@test
def a_third_repetition_is_a_draw_even_when_the_first_was_in_the_fen(engine):
    """The e.p. square of the FEN cannot be used, so it makes no other position of it."""
    engine.send("position fen q4kb1/3Q2nq/8/r3PpK1/2n5/7q/8/q7 w - f6 0 1 "
                "moves d7c8 f8f7 c8d7 f7f8 d7d8 f8f7")
    found = engine.search("go depth 8", within=20)
    check(found.move == "d8d7", f"plays {found.move}, the draw is d8d7")
    check(found.last.kind == "cp" and abs(found.last.value) <= 10, f"score {found.last.score}")


@test_each([
    ("checkmate", MATED, "mate"),
    ("stalemate", STALEMATE, "cp"),
    ("checkmate with the fifty moves over", "7k/6Q1/5K2/8/8/8/8/8 b - - 100 90", "mate"),
])
def without_a_legal_move_there_is_a_score_and_no_move(fen, kind, engine):
    engine.send(f"position fen {fen}")
    for go in ("depth 1", "depth 8", "nodes 10", "movetime 50", "wtime 1000 btime 1000", "mate 1"):
        found = engine.search(f"go {go}")
        check(found.move == "(none)" and not found.ponder, f"'go {go}' plays {found.move}")
        check(NO_MOVES.fullmatch(found.texts[-2]), f"'go {go}': no info depth 0 before bestmove")
        check(found.infos[-1].score == f"{kind} 0", f"'go {go}': score {found.infos[-1].score}")


def tells_the_current_move(text):
    return "currmove" in text


@test
def the_current_move_is_told_after_a_few_seconds_and_without_a_depth(engine):
    asked_at = time.monotonic()
    engine.send(f"position fen {KIWIPETE}", "go infinite")
    lines = engine.read_until(tells_the_current_move, within=20)
    seconds = lines[-1].at - asked_at
    check(seconds >= 1, f"currmove after {seconds:.2f} s already")
    check("depth" not in lines[-1].text, f"a depth in {lines[-1].text}")
    read_info(lines[-1].text)
    engine.stop()


@test
def waiting_for_stop_is_no_time_of_the_search(engine):
    engine.ask("setoption name Threads value 2", "position startpos")
    engine.send("go infinite depth 6")
    last = read_info(engine.read_until(lambda text: text.startswith("info depth 6 "))[-1].text)
    time.sleep(1)
    later = [info.time for info in engine.stop().infos]
    check(all(time < last.time + 700 for time in later), f"depth 6 after {last.time} ms, then {later}")


@patient_test
def bench_tells_nothing_of_its_searches(engine):
    engine.send("bench 60")
    said = engine.read_for(4)
    check(not said, f"while it searches: {said[:1]}")
    engine.ask("stop")


@test
def the_output_does_not_flood_a_client(engine):
    engine.send("position fen 8/8/4k3/8/8/3K4/4P3/8 w - - 0 1", "go infinite")
    said = engine.read_for(1.0)
    check(len(said) <= 500, f"{len(said)} lines in a second")
    engine.stop()


@test
def scores_are_those_of_the_player_to_move(engine):
    for fen in ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/8/q3K3 b - - 0 1"):
        engine.send(f"position fen {fen}")
        said = engine.search("go depth 5").last
        check(value_of(said) > 300, f"a queen ahead is scored {said.score}")
    for fen in ("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", "4k3/8/8/8/8/8/8/q3K3 w - - 0 1"):
        engine.send(f"position fen {fen}")
        said = engine.search("go depth 5").last
        check(value_of(said) < -300, f"a queen behind is scored {said.score}")


@test
def a_search_cut_short_still_has_a_score(engine):
    engine.send(f"position fen {KIWIPETE}")
    for go in ("go nodes 1", "go movetime 1", "go wtime 1 btime 1", "go infinite\nstop"):
        for _ in range(5):
            found = engine.search(go)
            check(found.infos, f"'{go}' gave no score".replace("\n", ", "))


@test
def debug_changes_nothing_of_the_form(engine):
    engine.send("debug on", f"position fen {KIWIPETE}")
    for text in engine.search("go depth 5").texts[:-1]:
        check(is_info(text), f"with debug on: {text}")
    engine.send("debug off")
