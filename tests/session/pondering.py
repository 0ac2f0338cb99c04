"""Thinking in the opponent's time: nothing is said before ponderhit, and then the clock starts."""
import time

from harness import KIWIPETE, check, test

AFTER_E4 = "position startpos moves e2e4 e7e5"
CALM = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"


def hit(engine, within=10.0):
    """The answer to ponderhit."""
    return engine.search("ponderhit", within)


@test
def pondering_outlasts_the_clock_and_ponderhit_is_answered_in_time(engine):
    engine.ask("setoption name Ponder value true")
    engine.send(AFTER_E4, "go ponder wtime 200 btime 200")
    engine.check_no_bestmove(0.5, "while pondering")
    found = hit(engine)
    check(found.milliseconds <= 200 + 50 * engine.slow,
          f"ponderhit with 200 ms on the clock answered after {found.milliseconds:.0f} ms")
    engine.check_no_bestmove(0.1, "too many")


@test
def ponderhit_starts_the_clock_with_movetime(engine):
    engine.send(f"position fen {CALM}", "go ponder movetime 300")
    engine.check_no_bestmove(0.4, "while pondering")
    used = hit(engine).milliseconds
    check(used >= 270, f"ponderhit answered after only {used:.0f} of 300 ms")
    check(used <= 300 + 60 * engine.slow, f"ponderhit answered after {used:.0f} of 300 ms")


@test
def ponderhit_starts_the_clock_with_movestogo(engine):
    engine.send(f"position fen {CALM}", "go ponder wtime 1000 btime 1000 movestogo 1")
    engine.check_no_bestmove(0.6, "while pondering")
    used = hit(engine).milliseconds
    check(used >= 150, f"ponderhit answered after only {used:.0f} of 1000 ms")
    check(used <= 1000, f"ponderhit answered after {used:.0f} of 1000 ms")


@test
def stop_ends_pondering_at_once(engine):
    engine.send(AFTER_E4, "go ponder wtime 60000 btime 60000")
    engine.check_no_bestmove(0.1, "while pondering")
    found = engine.stop()
    check(found.milliseconds <= 500 * engine.slow, f"stop answered after {found.seconds:.1f} s")
    engine.check_no_bestmove(0.1, "too many")


@test
def a_stop_right_behind_go_ponder_is_not_lost(engine):
    for _ in range(50):
        engine.search(f"{AFTER_E4}\ngo ponder wtime 60000 btime 60000\nstop")


@test
def a_ponderhit_right_behind_go_ponder_is_not_lost(engine):
    for _ in range(20):
        found = engine.search(f"{AFTER_E4}\ngo ponder wtime 200 btime 200\nponderhit")
        check(found.milliseconds <= 300 + 300 * engine.slow, f"took {found.seconds:.1f} s")


@test
def a_limit_reached_while_pondering_is_answered_on_ponderhit(engine):
    for limit in ("depth 2", "nodes 200", "mate 1 depth 3"):
        engine.send(AFTER_E4, f"go ponder {limit}")
        engine.check_no_bestmove(0.15, f"while pondering with {limit}")
        found = hit(engine)
        check(found.milliseconds <= 500 * engine.slow, f"{limit}: took {found.seconds:.1f} s")


@test
def an_infinite_ponder_waits_for_stop_even_after_ponderhit(engine):
    engine.send(AFTER_E4, "go ponder infinite")
    engine.check_no_bestmove(0.1, "while pondering")
    engine.send("ponderhit")
    engine.check_no_bestmove(0.2, "of an infinite search after ponderhit")
    engine.stop()


@test
def many_hits_and_stops_give_one_answer(engine):
    engine.send(AFTER_E4, "go ponder wtime 200 btime 200", "ponderhit", "ponderhit", "stop", "stop",
                "ponderhit")
    engine.answer()
    engine.check_no_bestmove(0.2, "too many")


@test
def a_game_with_pondering_goes_on(engine):
    """Ten moves: every second guess is right, the others are stopped and replaced."""
    engine.ask("setoption name Ponder value true", "ucinewgame")
    moves = []
    for turn in range(10):
        engine.ask(f"position startpos moves {' '.join(moves)}" if moves else "position startpos")
        found = engine.search("go wtime 800 btime 800 winc 20 binc 20")
        if found.move == "(none)":
            return
        moves.append(found.move)
        if not found.ponder:
            return
        check(engine.plays(moves + [found.ponder]), f"ponder move {found.ponder} is not legal")
        engine.send(f"position startpos moves {' '.join(moves + [found.ponder])}",
                    "go ponder wtime 800 btime 800 winc 20 binc 20")
        engine.check_no_bestmove(0.05, "while pondering")
        pondered = hit(engine) if turn % 2 else engine.stop()
        moves.append(found.ponder)
        if turn % 2:
            moves.append(pondered.move)


@test
def pondering_uses_the_time_it_is_given(engine):
    """The search goes deeper while it waits: the depth after ponderhit is not below that before."""
    engine.send(f"position fen {KIWIPETE}", "go ponder movetime 50")
    time.sleep(0.3)
    found = hit(engine)
    depths = [info.depth for info in found.infos if info.multipv == 1]
    check(depths == sorted(depths), f"depths went down: {depths}")
