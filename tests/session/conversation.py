"""Who may speak when: stop, isready, a second go, and settings while a search runs."""
import time

from harness import KIWIPETE, START, best_moves, check, is_fen, test, test_each


@test
def a_search_is_answered_by_one_bestmove(engine):
    engine.send("position startpos")
    engine.search("go depth 4")
    engine.check_no_bestmove(0.2, "that nobody asked for")


@test
def go_without_a_position_searches_the_usual_start(engine):
    legal = engine.legal_moves()
    check(len(legal) == 20, f"{len(legal)} legal moves in the start position")
    check(engine.search("go depth 3").move in legal, "an illegal move from the start position")


@test
def the_position_may_come_before_uci(start):
    engine = start(handshake=False)
    engine.send("position startpos moves e2e4")
    move = engine.search("go depth 2").move
    check(move[1] in "78", f"{move} is no move of Black's")


@test
def isready_is_answered_before_uci(start):
    start(handshake=False).ask()


@test
def uci_may_be_said_again_at_any_time(engine):
    for _ in range(3):
        engine.send("uci")
        engine.read_until("uciok")
    engine.send("go infinite")
    engine.send("uci")
    engine.read_until("uciok")
    engine.stop()


@test
def stop_without_a_search_says_nothing(engine):
    engine.send(*["stop"] * 20)
    said = engine.ask()
    check(not said, f"an idle engine answered stop with {said[:2]}")
    engine.search("go depth 2")


@test
def ponderhit_without_a_search_says_nothing(engine):
    engine.send(*["ponderhit"] * 20)
    said = engine.ask()
    check(not said, f"an idle engine answered ponderhit with {said[:2]}")
    engine.search("go depth 2")


@test
def ponderhit_does_not_end_an_infinite_search(engine):
    engine.send("go infinite", "ponderhit")
    engine.check_no_bestmove(0.2, "of an infinite search after ponderhit")
    engine.stop()


@test
def surplus_stops_bring_no_surplus_answers(engine):
    engine.send("go infinite", "stop", "stop", "stop")
    engine.read_until("bestmove")
    engine.check_no_bestmove(0.2, "after the last stop")


@test
def a_stop_is_obeyed_at_once(engine):
    delays = []
    for fen in (START, KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"):
        for wait in (0, 0.02, 0.2):
            engine.send(f"position fen {fen}", "go infinite")
            engine.check_no_bestmove(wait, "before stop")
            delays.append(engine.stop().milliseconds)
    check(sorted(delays)[len(delays) // 2] <= 30 * engine.slow, f"stop answered after {delays} ms")


@test
def two_hundred_stops_right_behind_their_go_lose_nothing(engine):
    engine.send("position startpos")
    for _ in range(200):
        engine.search("go infinite\nstop")


@test
def three_hundred_searches_of_depth_one_are_all_answered(engine):
    engine.send("position startpos")
    for _ in range(300):
        engine.search("go depth 1")


@test
def isready_is_answered_at_once_during_a_search(engine):
    engine.send("position startpos", "go infinite")
    delays = []
    for _ in range(50):
        asked_at = time.monotonic()
        engine.send("isready")
        lines = engine.read_until("readyok")
        check(not best_moves(line.text for line in lines), "isready ended the search")
        delays.append(1000 * (lines[-1].at - asked_at))
    delays.sort()
    check(delays[25] <= 10 * engine.slow, f"readyok after {delays[25]:.1f} ms (median)")
    check(delays[-1] <= 500 * engine.slow, f"readyok after {delays[-1]:.1f} ms (slowest of 50)")
    engine.check_no_bestmove(0.1, "of an infinite search before stop")
    engine.stop()


@test
def a_thousand_isready_are_answered_a_thousand_times(engine):
    engine.send(*["isready"] * 1000)
    for _ in range(1000):
        engine.read_until("readyok")
    check(not engine.read_for(0.1), "more than 1000 readyok")


@test
def what_is_asked_before_isready_is_answered_before_readyok(engine):
    """Right behind a search, when the engine is not yet back at rest, it matters most."""
    for _ in range(300):
        engine.search("go depth 1")
        said = engine.ask("fen")
        check(said == [START], f"'fen' and 'isready' are answered by {said} and readyok")


@test
def readyok_comes_after_a_new_hash_is_there(engine):
    engine.ask("setoption name Hash value 256")
    found = engine.quickest(400 * engine.slow, "go movetime 100", ["setoption name Hash value 256"])
    check(found.milliseconds <= 400 * engine.slow,
          f"movetime 100 took {found.milliseconds:.0f} ms after the readyok to a new hash")


@test
def bestmove_is_the_last_thing_said_about_a_search(engine):
    for go in ("go depth 6", "go movetime 50", "go infinite\nstop"):
        engine.search(go)
        late = engine.read_for(0.1)
        check(not late, f"said after bestmove: {late[:1]}")


@test
def two_infinite_searches_give_two_answers(engine):
    engine.send("position startpos", "go infinite")
    engine.read_for(0.05)
    engine.send("go infinite")
    engine.answer()
    engine.check_no_bestmove(0.2, "of the second search before its stop")
    engine.stop()
    engine.check_no_bestmove(0.1, "too many")


@test_each([
    ("at once", 0.0),
    ("while the first runs", 0.1),
])
def a_new_game_position_and_search_end_an_infinite_one(pause, engine):
    engine.send("position startpos", "go infinite")
    engine.read_for(pause)
    engine.send("ucinewgame", f"position fen {KIWIPETE}", "go depth 4")
    engine.answer()
    second = engine.answer()
    check(second.move in engine.legal_moves(), f"the second search plays {second.move}")
    check(second.last.depth == 4, "the second search did not reach its depth")


@test
def a_second_search_while_pondering_is_answered_too(engine):
    engine.send("position startpos moves e2e4", "go ponder wtime 60000 btime 60000")
    engine.read_for(0.05)
    engine.send("position startpos moves d2d4", "go depth 3")
    engine.answer()
    engine.answer()


@test
def ten_searches_in_one_write_give_ten_answers(engine):
    engine.send("position startpos", *["go depth 3"] * 10, "stop")
    for _ in range(10):
        engine.answer()


@test
def a_setting_during_a_search_is_not_lost(engine):
    engine.send("position startpos", "go infinite")
    engine.read_for(0.05)
    engine.send("setoption name MultiPV value 3")
    engine.read_for(0.05)
    engine.send("stop")
    engine.wait_for_bestmoves()
    lines = {info.multipv for info in engine.search("go depth 3").infos}
    check(lines == {1, 2, 3}, f"multipv lines {lines} after MultiPV 3 was set during a search")


@test
def a_position_during_a_search_is_not_lost(engine):
    engine.send("position startpos", "go infinite")
    engine.read_for(0.05)
    engine.send(f"position fen {KIWIPETE}")
    engine.read_for(0.05)
    engine.send("stop")
    engine.wait_for_bestmoves()
    check(engine.fen() == KIWIPETE, "the position sent during a search is not there after it")


@test_each([
    ("every option", ["setoption name Hash value 8", "setoption name Threads value 2",
                      "setoption name Clear Hash", "setoption name Threads value 1",
                      "setoption name UCI_Chess960 value true",
                      "setoption name UCI_Chess960 value false"]),
    ("ucinewgame", ["ucinewgame"] * 5),
    ("five hundred positions", [f"position fen {KIWIPETE}", "position startpos"] * 250),
    ("a bad position", ["position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position startpos moves e2e5"]),
    ("debug and register", ["debug on", "debug off", "register later"]),
    ("noise", ["xyzzy", "\x00", "", "setoption", "setoption name nothing", "1234"]),
])
def what_is_sent_during_a_search_costs_no_answer(lines, engine):
    engine.send("position startpos", "go infinite")
    engine.read_for(0.05)
    engine.send(*lines)
    engine.read_for(0.05)
    engine.send("stop")
    engine.wait_for_bestmoves()
    engine.check_no_bestmove(0.1, "too many")
    engine.send("position startpos")
    engine.search("go depth 3")


@test
def fen_is_answered_during_a_search_without_ending_it(engine):
    engine.send("position startpos moves e2e4", "go infinite")
    engine.read_for(0.05)
    engine.send("fen")
    lines = engine.read_until(is_fen)
    check(not best_moves(line.text for line in lines), "'fen' ended the search")
    engine.check_no_bestmove(0.1, "after 'fen'")
    engine.stop()


@test
def a_client_that_does_not_wait_for_bestmove_is_understood(engine):
    """What PyChess does when the number of lines changes, in one write."""
    engine.send("stop", "position startpos", "go infinite")
    engine.read_for(0.1)
    engine.send("stop", "setoption name MultiPV value 2", "stop", "position startpos moves e2e4",
                "go infinite")
    engine.answer()
    engine.check_no_bestmove(0.2, "before the second stop")
    second = engine.stop()
    check(second.move[1] in "78", f"{second.move} is no move of Black's")


@test
def a_line_typed_letter_by_letter_is_one_line(engine):
    for letter in "position startpos moves e2e4 e7e5\ngo depth 2":
        engine.write(letter.encode())
        time.sleep(0.001)
    engine.search("")


@test
def a_whole_game_with_itself_ends_without_a_refusal(engine):
    """As tournament programs ask: isready before the position, after it, and after bestmove."""
    engine.send("ucinewgame")
    moves = []
    for _ in range(60):
        engine.ask()
        position = "position startpos" + (f" moves {' '.join(moves)}" if moves else "")
        said = engine.ask(position)
        check(not said, f"its own game was refused: {said[:1]}")
        move = engine.search("go depth 3").move
        if move == "(none)":
            break
        moves.append(move)
    engine.ask()
