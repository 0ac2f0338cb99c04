"""The process itself: how it starts, rests and ends."""
import subprocess
import time

from harness import KIWIPETE, Failure, Skip, check, test, test_each


@test
def it_starts_quickly(start):
    times = []
    for _ in range(5):
        began = time.monotonic()
        engine = start(handshake=False)
        engine.send("uci")
        times.append(1000 * (engine.read_until("uciok")[-1].at - began))
    check(min(times) <= 100 * start.slow, f"uciok after {min(times):.0f} ms, the best of five")


@test_each([
    ("without a word", b""),
    ("after uci", b"uci\n"),
    ("after a search", b"position startpos\ngo depth 2\n"),
    ("in the middle of a line", b"uci\nposition startpos moves e2"),
    ("after garbage", b"\x00\xff\n" * 1000),
])
def the_end_of_input_ends_it(data, start):
    run = start.run(input=data, within=5)
    check(run.status == 0, f"status {run.status}")


@test_each([
    ("an infinite search", b"position startpos\ngo infinite\n", 1),
    ("a search for a minute", b"position startpos\ngo movetime 60000\n", 1),
    ("a search with a clock", b"position startpos\ngo wtime 6000000 btime 6000000\n", 1),
    ("pondering", b"position startpos\ngo ponder wtime 1000 btime 1000\n", 1),
    ("a finished infinite search", b"position startpos\ngo infinite depth 1\n", 1),
    ("three searches", b"go infinite\ngo infinite\ngo infinite\n", 3),
    ("four threads", b"setoption name Threads value 4\ngo infinite\n", 1),
])
def the_end_of_input_during(data, searches, start):
    run = start.run(input=data, within=5)
    check(run.status == 0, f"status {run.status}")
    moves = [line for line in run.lines if line.startswith("bestmove ")]
    check(len(moves) == searches, f"{len(moves)} bestmoves for {searches} go")


@test
def a_search_that_the_end_of_input_cuts_says_so(start):
    run = start.run(input=b"position startpos\ngo movetime 60000\n", within=8)
    notice = "info string the search was stopped 3 s after the end of the input"
    check(notice in run.lines and run.lines[-1].startswith("bestmove "), f"it says {run.lines[-3:]}")


@test
def a_short_search_is_finished_after_the_end_of_input(start):
    run = start.run(input=b"position startpos\ngo depth 6\n", within=5)
    check(not any(line.startswith("info string ") for line in run.lines), f"it says {run.lines}")
    check(run.status == 0, f"status {run.status}")
    check(any(line.startswith("info depth 6 ") for line in run.lines), "depth 6 was not reached")
    check(run.lines[-1].startswith("bestmove "), f"the last word is {run.lines[-1]}")


@test
def the_end_of_input_during_a_settled_search_ends_it_soon(start):
    engine = start()
    engine.send("position startpos", "go infinite")
    engine.check_no_bestmove(0.2, "before the end of input")
    began = time.monotonic()
    engine.close_input()
    engine.ends_well(within=5)
    seconds = time.monotonic() - began
    check(seconds <= 1.5 * start.slow, f"took {seconds:.1f} s to end")


QUITS = [
    ("at once", ["quit"]),
    ("after uci", ["uci", "isready", "quit"]),
    ("during an infinite search", ["position startpos", "go infinite", "quit"]),
    ("during pondering", ["position startpos", "go ponder wtime 1000 btime 1000", "quit"]),
    ("during a deep search", [f"position fen {KIWIPETE}", "go depth 60", "quit"]),
    ("during a search with four threads",
     ["setoption name Threads value 4", "go infinite", "quit"]),
    ("behind a stop", ["go infinite", "stop", "quit"]),
    ("behind two searches", ["go infinite", "go infinite", "quit"]),
    ("while an infinite search waits", ["go infinite depth 1", "quit"]),
]
BREATHS = QUITS + [
    ("before other commands", ["uci", "quit", "position startpos", "uci"]),
    ("twice", ["quit", "quit"]),
]


@test_each(QUITS)
def quit_ends_it(lines, start):
    engine = start(handshake=False)
    engine.send(*lines[:-1])
    engine.read_for(0.1)
    engine.send("quit")
    began = time.monotonic()
    engine.ends_well(within=5)
    seconds = time.monotonic() - began
    check(seconds <= 1.5 * start.slow, f"took {seconds:.1f} s to end")


@test_each(BREATHS)
def quit_in_the_same_breath_ends_it(lines, start):
    engine = start(handshake=False)
    engine.send(*lines)
    began = time.monotonic()
    engine.ends_well(within=5)
    seconds = time.monotonic() - began
    check(seconds <= 1.5 * start.slow, f"took {seconds:.1f} s to end")


@test
def a_last_line_without_a_line_end_is_obeyed(start):
    check("readyok" in start.run(input=b"uci\nisready").lines, "no readyok")
    run = start.run(input=b"quit")
    check(run.status == 0, f"status {run.status}")


@test
def output_without_a_reader_ends_it_at_the_end_of_input(start):
    """A signal is as good an end as any other here: nobody is left to get an answer."""
    process = subprocess.Popen([start.command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    try:
        process.stdin.write(b"uci\nposition startpos\ngo infinite\n")
        process.stdin.flush()
        process.stdout.read(1)
        process.stdout.close()
        time.sleep(0.2)
        try:
            process.stdin.write(b"uci\nisready\nstop\n")
            process.stdin.close()
        except BrokenPipeError:
            pass
        process.wait(5 * start.slow)
    except subprocess.TimeoutExpired:
        raise Failure("still running though nobody reads and nobody writes") from None
    finally:
        process.kill()
        process.wait()


def idle_share(engine, seconds=0.5):
    """The part of one processor that the engine uses while it is left alone."""
    before = engine.processor_seconds()
    began = time.monotonic()
    time.sleep(seconds)
    return (engine.processor_seconds() - before) / (time.monotonic() - began)


@test_each([
    ("before any search", []),
    ("after a search", ["position startpos", "go depth 5"]),
    ("after a stop", ["go infinite", "stop"]),
    ("after a search with four threads", ["setoption name Threads value 4", "go depth 5"]),
    ("after a finished infinite search", ["go infinite depth 1"]),
    ("after a finished infinite search with four threads",
     ["setoption name Threads value 4", "go infinite depth 2"]),
    ("pondering without a legal move", ["position startpos moves f2f3 e7e5 g2g4 d8h4",
                                        "go ponder wtime 1000 btime 1000"]),
])
def at_rest_it_uses_no_processor(lines, engine):
    if lines:
        engine.send(*lines)
    engine.read_for(0.1 * engine.slow)
    share = idle_share(engine)
    check(share <= 0.06, f"uses {100 * share:.0f} % of a processor")


@test
def memory_does_not_grow_from_game_to_game(engine):
    def play(games):
        for _ in range(games):
            engine.send("ucinewgame", "position startpos moves e2e4", "isready")
            engine.read_until("readyok")
            engine.search("go depth 5")
    play(10)
    before = engine.resident_mb()
    play(50)
    grown = engine.resident_mb() - before
    check(grown <= (8 if engine.slow == 1 else 100), f"grew by {grown:.1f} MB over 50 games")


@test
def memory_does_not_grow_with_long_lines(engine):
    line = "position startpos moves" + " b1c3 b8c6 c3b1 c6b8" * 500
    engine.ask(*[line] * 5)
    before = engine.resident_mb()
    for _ in range(50):
        engine.ask(line)
    grown = engine.resident_mb() - before
    check(grown <= (8 if engine.slow == 1 else 100), f"grew by {grown:.1f} MB over 50 lines")


@test
def nothing_is_written_to_standard_error(engine):
    engine.ask("uci", "d", "eval", "help", "setoption name Hash value abc", "position fen x")
    engine.search("go depth 5")
    check(engine.errors() == "", f"on stderr: {engine.errors()[:200]}")


@test
def no_file_is_left_behind(start):
    import os
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([start.command, "go", "depth", "3"], cwd=folder, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, timeout=20 * start.slow)
        left = os.listdir(folder)
    if left and start.slow > 1:
        raise Skip("a sanitizer may have written its report")
    check(not left, f"files left behind: {left}")


@test
def short_memory_ends_it_with_a_sentence(start):
    if start.slow > 1:
        raise Skip("sanitizers do not run under a memory limit")
    refused = 0
    for megabytes in range(16, 60, 2):
        run = start.run("uci", input=b"isready\nquit\n", memory_mb=megabytes)
        # 127: the system could not even load the program.
        check(run.status in (0, 1, 127), f"{megabytes} MB: status {run.status}: {run.errors}")
        check(run.status != 1 or run.errors.startswith("parley: "), f"{megabytes} MB: {run.errors}")
        refused += run.status == 1
    check(refused > 0, "no size was too small")
