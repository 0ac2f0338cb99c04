"""Every class of time control is played in time, and the time given is used."""
from harness import KIWIPETE, check, median, test, test_each

CALM = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
BLACK = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3"
POSITIONS = [("White", KIWIPETE), ("White, calm", CALM), ("Black", BLACK)]

# What is said of the clocks, and how many milliseconds the answer may take.
CONTROLS = [
    ("sudden death", "wtime 600 btime 600", 480),
    ("sudden death, nearly over", "wtime 100 btime 100", 95),
    ("an increment", "wtime 500 btime 500 winc 100 binc 100", 400),
    ("forty moves to go", "wtime 1000 btime 1000 movestogo 40", 500),
    ("two moves to go", "wtime 500 btime 500 movestogo 2", 450),
    ("one move to go", "wtime 500 btime 500 movestogo 1", 475),
    ("moves to go and an increment", "wtime 500 btime 500 winc 100 binc 100 movestogo 5", 400),
    ("one move to go and an increment", "wtime 400 btime 400 winc 200 binc 200 movestogo 1", 380),
    ("a thousand moves to go", "wtime 500 btime 500 movestogo 1000", 250),
    ("an increment larger than the clock", "wtime 400 btime 400 winc 5000 binc 5000", 380),
    ("an increment far larger than the clock", "wtime 100 btime 100 winc 60000 binc 60000", 95),
    ("a clock below the overhead", "wtime 5 btime 5", 10),
    ("a clock below the overhead, with an increment", "wtime 5 btime 5 winc 20 binc 20", 20),
    ("one millisecond", "wtime 1 btime 1", 10),
    ("no time at all", "wtime 0 btime 0", 10),
    ("no time at all, with an increment", "wtime 0 btime 0 winc 100 binc 100", 50),
    ("a negative clock", "wtime -50 btime -50", 10),
    ("a very negative clock", "wtime -5000 btime -5000 winc 10 binc 10", 10),
    ("a negative increment", "wtime 400 btime 400 winc -100 binc -100", 320),
    ("no time and moves to go", "wtime 0 btime 0 movestogo 3", 10),
]


@test_each(CONTROLS)
def plays_in_time_with(clocks, limit, engine):
    for who, fen in POSITIONS:
        before = ["ucinewgame", f"position fen {fen}"]
        found = engine.quickest(limit, f"go {clocks}", before)
        check(found.milliseconds <= limit + 15 * engine.slow,
              f"'go {clocks}' took {found.milliseconds:.0f} ms ({who})")
        check(found.move in engine.legal_moves(), f"plays {found.move} in {fen}")


@test
def only_the_own_clock_counts(engine):
    for fen, go in ((KIWIPETE, "go wtime 300 btime 6000000"),
                    (BLACK, "go wtime 6000000 btime 300")):
        engine.send(f"position fen {fen}")
        found = engine.quickest(300, go)
        check(found.milliseconds <= 300 + 50 * engine.slow, f"'{go}' took {found.seconds:.1f} s")


@test
def one_clock_alone_is_a_clock(engine):
    for fen, go in ((KIWIPETE, "go wtime 300"), (BLACK, "go btime 300"),
                    (KIWIPETE, "go wtime 0"), (BLACK, "go btime 0")):
        engine.send(f"position fen {fen}")
        found = engine.quickest(300, go)
        check(found.milliseconds <= 300 + 50 * engine.slow, f"'{go}' took {found.seconds:.1f} s")


@test_each([("100 ms", 100), ("300 ms", 300)])
def movetime_is_used_and_kept(milliseconds, engine):
    times = []
    for fen in (KIWIPETE, CALM, BLACK, KIWIPETE, CALM):
        engine.ask("ucinewgame", f"position fen {fen}")
        times.append(engine.search(f"go movetime {milliseconds}").milliseconds)
    said = ", ".join(f"{time:.1f}" for time in times)
    check(min(times) >= 0.9 * milliseconds, f"movetime {milliseconds} answered after {said} ms")
    check(median(times) <= milliseconds + 10 * engine.slow,
          f"movetime {milliseconds} answered after {said} ms")


@test_each([("1 ms", 1), ("10 ms", 10)])
def a_short_movetime_is_kept(milliseconds, engine):
    engine.send(f"position fen {KIWIPETE}")
    found = engine.quickest(milliseconds + 5, f"go movetime {milliseconds}", tries=5)
    check(found.milliseconds <= milliseconds + 10 * engine.slow,
          f"movetime {milliseconds} took {found.milliseconds:.1f} ms")


@test
def a_share_of_the_clock_is_used(engine):
    engine.ask("ucinewgame", f"position fen {CALM}")
    used = engine.search("go wtime 1000 btime 1000 movestogo 1").milliseconds
    check(used >= 150, f"the last move before the time control took only {used:.0f} of 1000 ms")
    used = engine.search("go wtime 20000 btime 20000").milliseconds
    check(50 <= used <= 4000 + 100 * engine.slow, f"took {used:.0f} of 20000 ms")


@test
def the_overhead_asked_for_is_kept(engine):
    engine.ask("setoption name Move Overhead value 400", "ucinewgame", f"position fen {CALM}")
    for go in ("go wtime 800 btime 800 movestogo 1", "go wtime 800 btime 800 winc 400 binc 400"):
        found = engine.quickest(400, go)
        check(found.milliseconds <= 400 + 20 * engine.slow,
              f"'{go}' took {found.milliseconds:.0f} ms with an overhead of 400")


@test
def the_only_legal_move_is_played_soon(engine):
    engine.send("position fen 8/8/8/8/8/5k2/6q1/4K3 w - - 0 1")
    found = engine.search("go wtime 600000 btime 600000")
    check(found.milliseconds <= 600 * engine.slow, f"took {found.seconds:.1f} s")


@test
def a_mate_in_one_is_played_soon(engine):
    engine.send("position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
    found = engine.search("go wtime 600000 btime 600000", within=30)
    check(found.last.score == "mate 1", f"score {found.last.score}")
    check(found.milliseconds <= 3000 * engine.slow, f"took {found.seconds:.1f} s")


@test
def the_clock_runs_from_the_arrival_of_go(engine):
    """The table is made anew while `go` already waits; that time is the player's."""
    engine.send(f"position fen {CALM}")
    # A sanitizer notes every byte that is cleared.
    largest = int(256 / engine.slow)
    for megabytes in (largest, largest - 1, largest - 2):
        engine.ask("setoption name Hash value 1")
        found = engine.search(f"setoption name Hash value {megabytes}\ngo movetime 400")
        if found.milliseconds <= 430:
            return
    check(found.milliseconds <= 400 + 100 * engine.slow,
          f"'setoption name Hash' and 'go movetime 400' took {found.milliseconds:.0f} ms")


@test
def a_long_line_before_go_costs_no_time(engine):
    moves = " ".join(["g1f3 g8f6 f3g1 f6g8"] * 500)
    found = engine.quickest(120, f"position startpos moves {moves}\ngo movetime 100")
    check(found.milliseconds <= 120 + 20 * engine.slow, f"took {found.milliseconds:.0f} ms")


@test
def a_game_in_half_a_second_is_not_lost_on_time(engine):
    """Sixty moves without an increment: in the end the clock is all overhead."""
    engine.ask("ucinewgame")
    left = 500.0
    moves = []
    for _ in range(60):
        position = "position startpos" + (f" moves {' '.join(moves)}" if moves else "")
        engine.ask(position)
        found = engine.search(f"go wtime {max(1, int(left))} btime {max(1, int(left))}")
        left -= found.milliseconds
        if found.move == "(none)":
            break
        moves.append(found.move)
    check(left > -50 * engine.slow, f"the clock stood at {left:.0f} ms after {len(moves)} moves")
