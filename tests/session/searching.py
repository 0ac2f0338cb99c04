"""The limits of `go`, alone and together: depth, nodes, mate, searchmoves."""
from harness import KIWIPETE, check, median, patient_test, test, test_each

MATE_IN_2 = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"
MATE_IN_1 = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


@test
def depth_is_the_depth_of_the_last_line(engine):
    for depth in range(1, 9):
        last = engine.search(f"go depth {depth}").last
        check(last.depth == depth, f"'go depth {depth}' ended with depth {last.depth}")


@test_each([(str(nodes), nodes) for nodes in (1, 2, 3, 100, 1000, 12345, 20000)])
def the_last_line_has_exactly_the_nodes_asked_for(nodes, engine):
    for fen in ("startpos", f"fen {KIWIPETE}"):
        engine.send("ucinewgame", f"position {fen}")
        found = engine.search(f"go nodes {nodes}")
        check(found.infos, f"'go nodes {nodes}' gave no score")
        said = found.infos[-1].nodes
        check(said == nodes, f"'go nodes {nodes}' ended with nodes {said} in {fen}")


@test
def mate_ends_the_search_when_it_is_proven(engine):
    for fen, moves in ((MATE_IN_1, 1), (MATE_IN_2, 2), (MATE_IN_2, 4)):
        engine.send("ucinewgame", f"position fen {fen}")
        last = engine.search(f"go mate {moves}", within=20).last
        check(last.kind == "mate" and 1 <= last.value <= moves,
              f"'go mate {moves}' ended with score {last.score}")


@test
def mate_is_sought_until_stop_where_there_is_none(engine):
    engine.send("position startpos", "go mate 1")
    engine.check_no_bestmove(0.2, "although there is no mate")
    engine.stop()


@test_each([
    ("before another limit", "searchmoves a2a3 h2h4 depth 4"),
    ("after another limit", "depth 4 searchmoves a2a3 h2h4"),
    ("between two limits", "depth 30 searchmoves a2a3 h2h4 nodes 3000"),
    ("before a clock", "searchmoves a2a3 h2h4 wtime 500 btime 500 winc 10 binc 10"),
    ("before movetime", "searchmoves a2a3 h2h4 movetime 50"),
    ("with repetitions", "depth 3 searchmoves h2h4 h2h4 a2a3 h2h4"),
    ("with moves that are not legal", "depth 3 searchmoves e2e5 a2a3 zzzz e7e5 h2h4"),
])
def only_searchmoves_are_played(limits, engine):
    engine.send("position startpos")
    move = engine.search(f"go {limits}").move
    check(move in ("a2a3", "h2h4"), f"'go {limits}' plays {move}")


@test
def searchmoves_hold_for_an_infinite_search(engine):
    engine.send("position startpos", "go searchmoves b1a3 infinite")
    engine.check_no_bestmove(0.1, "of an infinite search before stop")
    check(engine.stop().move == "b1a3", "searchmoves forgotten in an infinite search")
    check(engine.search("go depth 5").move != "b1a3", "searchmoves remembered in the next search")


@test
def searchmoves_without_a_legal_one_are_named_and_all_moves_searched(engine):
    engine.send("position startpos")
    found = engine.search("go depth 3 searchmoves e2e5 a1a8")
    check(found.move in engine.legal_moves(), f"plays {found.move}")
    check(found.strings, "no info string says that the searchmoves are not legal")


@test_each([
    ("depth before all others", "depth 3 nodes 50000000 movetime 60000 wtime 600000 btime 600000"),
    ("depth after all others", "movetime 60000 nodes 50000000 wtime 600000 btime 600000 depth 3"),
])
def the_first_limit_reached_ends_the_search_by_depth(limits, engine):
    found = engine.search(f"go {limits}")
    check(found.last.depth <= 3, f"went to depth {found.last.depth}")


@test
def the_first_limit_reached_ends_the_search_by_nodes(engine):
    engine.send(f"position fen {KIWIPETE}")
    found = engine.search("go depth 60 nodes 5000 movetime 60000")
    check(found.infos[-1].nodes == 5000, f"ended with {found.infos[-1].nodes} nodes")


@test
def the_first_limit_reached_ends_the_search_by_time(engine):
    engine.send(f"position fen {KIWIPETE}")
    go = "go depth 90 nodes 4000000000 movetime 150 wtime 600000 btime 600000"
    found = engine.quickest(150, go)
    check(found.milliseconds <= 150 + 50 * engine.slow, f"took {found.milliseconds:.0f} ms")
    go = "go movetime 60000 wtime 200 btime 200"
    found = engine.quickest(200, go)
    check(found.milliseconds <= 200 + 50 * engine.slow,
          f"'{go}' took {found.milliseconds:.0f} ms")


@test
def mate_and_another_limit_end_by_the_other(engine):
    engine.send("position startpos")
    found = engine.search("go mate 5 depth 3")
    check(found.last.depth <= 3, f"went to depth {found.last.depth}")


@test_each([
    ("a depth limit is reached", "position startpos", "go infinite depth 2"),
    ("a node limit is reached", "position startpos", "go nodes 100 infinite"),
    ("the time is over", "position startpos", "go infinite movetime 50"),
    ("a mate is found", f"position fen {MATE_IN_1}", "go infinite"),
    ("a mate is proven", f"position fen {MATE_IN_1}", "go infinite mate 1"),
    ("there is one legal move", "position fen 8/8/8/8/8/5k2/6q1/4K3 w - - 0 1", "go infinite"),
    ("the game is a dead draw", "position fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1", "go infinite"),
    ("there is no legal move", f"position fen {MATED}", "go infinite"),
    ("pondering, a depth limit is reached", "position startpos", "go ponder depth 2"),
    ("pondering, a mate is found", f"position fen {MATE_IN_1}", "go ponder wtime 100 btime 100"),
    ("pondering, there is no legal move", f"position fen {MATED}", "go ponder"),
])
def an_infinite_search_waits_for_stop_although(position, go, engine):
    engine.send(position, go)
    engine.check_no_bestmove(0.2, "before stop")
    engine.stop()


@test
def a_bare_go_is_answered_after_stop_at_the_latest(engine):
    engine.send("position startpos", "go")
    engine.read_for(0.1)
    engine.send("stop")
    engine.wait_for_bestmoves()


@test_each([(go, go) for go in (
    "go depth 0", "go depth -1", "go depth 99999999999999999999", "go depth", "go nodes 0",
    "go nodes -1", "go nodes abc", "go nodes 18446744073709551616", "go movetime 0",
    "go movetime -1", "go movetime soon", "go movetime 99999999999999999999", "go mate 0",
    "go mate -1", "go wtime fast btime slow", "go wtime btime winc binc movestogo", "go winc 100",
    "go wtime 99999999999999999999 btime 99999999999999999999", "go wtime 100.5 btime 100.5",
    "go movestogo 5", "go wtime 300 btime 300 movestogo 0", "go wtime 300 btime 300 movestogo -1",
    "go searchmoves", "go foo bar depth 1 baz", "go DEPTH 1", "go depth=1", "go depth +2",
    "go infinite infinite", "go btime 300", "go winc -100 binc -100 wtime 1000 btime 1000")])
def an_odd_go_is_answered_once(go, engine):
    engine.send("position startpos", go)
    engine.read_for(0.08)
    engine.send("stop")
    engine.wait_for_bestmoves()
    engine.check_no_bestmove(0.05, "too many")
    engine.search("go depth 1")


@test
def a_leading_zero_and_a_repeated_limit_do_no_harm(engine):
    engine.search("go depth 0002")
    engine.search("go depth 1 depth 2 depth 1")


@test
def the_same_search_gives_the_same_nodes_after_ucinewgame(engine):
    def play():
        results = []
        engine.ask("ucinewgame")
        for moves in ("", " moves e2e4 e7e6", " moves d2d4 g8f6 c2c4"):
            engine.send("position startpos" + moves)
            found = engine.search("go depth 6")
            results.append((found.move, found.infos[-1].nodes, found.last.score))
        return results
    first = play()
    for _ in range(2):
        again = play()
        check(again == first, f"first {first}, after ucinewgame {again}")


@test
def clear_hash_forgets_a_search(engine):
    def nodes(fen):
        engine.send(f"position {fen}")
        return engine.search("go depth 9").infos[-1].nodes
    first = second = third = 0
    for fen in ("startpos", f"fen {KIWIPETE}", "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                "fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"):
        engine.send("ucinewgame")
        first += nodes(fen)
        second += nodes(fen)
        engine.ask("setoption name Clear Hash")
        third += nodes(fen)
    check(second < first, f"repeated searches need {second} nodes, the first ones {first}")
    check(third > second, f"{second} nodes with a filled table, {third} with a cleared one")


@test
def four_threads_answer_as_reliably_as_one(engine):
    engine.ask("setoption name Threads value 4")
    for fen in ("startpos", f"fen {KIWIPETE}", f"fen {MATE_IN_2}"):
        engine.send(f"position {fen}")
        legal = engine.legal_moves()
        for go in ("go depth 5", "go nodes 2000", "go movetime 40", "go infinite\nstop"):
            move = engine.search(go).move
            check(move in legal, f"'{go}' with four threads plays {move}")
    delays = []
    for _ in range(5):
        engine.send("position startpos", "go infinite")
        engine.check_no_bestmove(0.05, "before stop")
        delays.append(engine.stop().milliseconds)
    check(median(delays) <= 100 * engine.slow, f"stop answered after {delays} ms")


@test
def a_depth_limit_holds_with_several_threads(engine):
    engine.ask("setoption name Threads value 3")
    engine.send(f"position fen {KIWIPETE}")
    for depth in (1, 4, 6):
        last = engine.search(f"go depth {depth}").last
        check(last.depth == depth, f"'go depth {depth}' ended with depth {last.depth}")


@patient_test
def no_mate_takes_longer_than_the_fifty_move_rule_allows(engine):
    # The table has mates from nodes with less depth; each move adds plies to those that it repeats.
    engine.send("position fen 8/8/8/3k4/8/8/8/R3K3 w - - 0 1")
    for info in engine.search("go nodes 3000000", within=60).infos:
        check(info.kind != "mate" or info.value <= 50, f"depth {info.depth}: {info.score}")
