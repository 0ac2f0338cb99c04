"""Commands beyond UCI, for people and for scripts, and the arguments of the program."""
import os
import re
import select
import subprocess
import tempfile
import time

from harness import (KIWIPETE, START, best_moves, check, is_fen, is_total_of_nodes, test,
                     test_each)


def nodes_searched(lines):
    """The figure of the line that says how many nodes were searched."""
    totals = [line.split()[-1] for line in lines if is_total_of_nodes(line)]
    check(len(totals) == 1, f"'Nodes searched: N' {len(totals)} times in {lines[-3:]}")
    return int(totals[0])


@test
def bench_gives_the_same_nodes_in_one_process_and_in_another(start):
    bench = ["bench"] if start.slow == 1 else ["bench", "5"]
    run = start.run(*bench, within=60)
    check(run.status == 0, f"'bench' ended with status {run.status}")
    nodes = nodes_searched(run.lines)
    check(nodes >= 5000, f"only {nodes} nodes")
    # As OpenBench reads it: everything but letters, digits and slashes is a blank.
    text = re.sub(r"[^a-z0-9/]+", " ", " ".join(run.lines).lower())
    check(re.search(r"nodes/second \d+|\d+ nps", text), f"no speed in {run.lines[-3:]}")
    engine = start()
    engine.ask("setoption name Hash value 32", "position startpos moves e2e4")
    engine.search("go depth 6")
    for count in ("first", "second"):
        engine.send(" ".join(bench))
        said = nodes_searched([line.text for line in engine.read_until(is_total_of_nodes, within=60)])
        check(said == nodes, f"{said} nodes the {count} time in a process, {nodes} in another")
    check(engine.fen() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
          "the position is lost after bench")


@test
def bench_from_a_pipe_is_finished_before_the_end_of_input_counts(start):
    run = start.run(input=b"bench 4\n", within=60)
    check(nodes_searched(run.lines) >= 1000 and run.status == 0, f"status {run.status}")


@test_each([("bench", b"bench 4\nquit\n", 1), ("perft", b"go perft 5\nquit\n", 1),
            ("both", b"bench 3\ngo perft 4\nuci\nquit\n", 2)])
def what_a_script_asks_for_is_finished_before_its_quit(script, totals, start):
    run = start.run(input=script, within=60)
    found = [line for line in run.lines if line.startswith("Nodes searched: ")]
    check(run.status == 0 and len(found) == totals, f"status {run.status}, {found}")


@test
def on_a_terminal_quit_ends_perft_at_once(start):
    terminal, typed = os.openpty()
    process = subprocess.Popen([start.command], stdin=typed, stdout=subprocess.PIPE)
    os.close(typed)
    try:
        # Windows emulators connect the terminal late, and only then is a carriage return the Enter key.
        until = time.monotonic() + 10 * start.slow
        os.write(terminal, b"isready\r")
        while not select.select([process.stdout], [], [], 1)[0] and time.monotonic() < until:
            os.write(terminal, b"isready\r")
        began = time.monotonic()
        os.write(terminal, b"go perft 9\rquit\r")
        said = process.communicate(timeout=10 * start.slow)[0].decode()
        check(time.monotonic() - began < 3 * start.slow, "it went on after quit")
        check("perft was stopped" in said and process.returncode == 0, f"it says {said}")
    finally:
        process.kill()
        os.close(terminal)


@test
def stop_ends_bench(engine):
    engine.send("bench")
    engine.read_for(0.05)
    began = time.monotonic()
    engine.ask("stop", "fen")
    engine.search("go depth 1")
    check(time.monotonic() - began <= 0.5 * engine.slow, "bench went on after stop")


@test_each([
    ("from the start", "startpos", 3, 8902, {"e2e4": 600, "a2a3": 380}, 20),
    ("one ply", "startpos", 1, 20, {"e2e4": 1}, 20),
    ("in kiwipete", f"fen {KIWIPETE}", 3, 97862, {"e1g1": 2059, "e1c1": 1887}, 48),
    ("after moves", "startpos moves e2e4 e7e5", 2, 835, {"e1e2": 29}, 29),
    ("in checkmate", "startpos moves f2f3 e7e5 g2g4 d8h4", 3, 0, {}, 0),
])
def perft_counts_leaves_by_move(position, depth, total, some, moves, engine):
    engine.send(f"position {position}")
    counts = engine.perft(depth)
    check(sum(counts.values()) == total, f"{sum(counts.values())} leaves, not {total}")
    check(len(counts) == moves, f"{len(counts)} moves, not {moves}")
    for move, leaves in some.items():
        check(counts.get(move) == leaves, f"{move}: {counts.get(move)}, not {leaves}")
    engine.check_no_bestmove(0.05, "for perft")
    engine.search("go depth 1")


@test
def perfts_from_a_pipe_are_all_finished(start):
    script = f"go perft 5\nposition fen {KIWIPETE}\ngo perft 3\nfen\n"
    lines = start.run(input=script.encode()).lines
    totals = [line.split()[-1] for line in lines if is_total_of_nodes(line)]
    check(totals == ["4865609", "97862"], f"two perfts in one script: {totals}")
    check(lines[-1] == KIWIPETE, f"'fen' at the end is answered by {lines[-1]}")


@test
def stop_ends_perft(engine):
    engine.send("go perft 9")
    engine.read_for(0.05)
    engine.send("stop", "fen")
    lines = engine.read_until(is_fen, within=1)
    check(not best_moves(line.text for line in lines), "a bestmove for perft")


@test_each([(line, line) for line in ("go perft", "go perft -1", "go perft abc", "go perft 0",
                                      "go perft 99999999999999999999 stop")])
def an_odd_perft_does_no_harm(line, engine):
    engine.send(line, "stop")
    engine.check_no_bestmove(0.05, "for perft")
    engine.search("go depth 1")


@test
def fen_prints_the_position_and_nothing_else(engine):
    said = engine.ask("fen")
    check(said == [START], f"'fen' says {said}")
    check(engine.ask(f"position fen {KIWIPETE}", "fen") == [KIWIPETE], "no FEN")


@test
def eval_prints_a_score_and_no_bestmove(engine):
    for fen in ("startpos", f"fen {KIWIPETE}"):
        said = engine.ask(f"position {fen}", "eval")
        check(any(re.search(r"\d", text) for text in said), f"no number in {said}")
        check(not best_moves(said), "a bestmove for eval")


@test
def why_explains_a_move(engine):
    engine.ask("position startpos moves f2f3 e7e5")
    engine.send("why g2g4")
    said = engine.read_until(lambda text: text.startswith("info string"))[-1].text
    check(said.startswith("info string g4 allows mate in 1"), said)
    check(not best_moves(engine.ask()), "a bestmove for why")


@test_each([("move", "why g2g4"), ("position", "go infinite\nwhy")])
def a_script_gets_its_explanation_before_its_quit(command, start):
    script = f"position startpos moves f2f3 e7e5\n{command}\nquit\n"
    run = start.run(input=script.encode(), within=10)
    said = " ".join(run.lines)
    check(run.status == 0 and "was stopped" not in said and "info string" in run.lines[-1], said)


@test
def why_refuses_an_illegal_move(engine):
    said = " ".join(engine.ask("position startpos", "why e2e5"))
    check("no explanation: 'e2e5' is not a legal move here" in said, said)


@test
def help_names_every_command(engine):
    text = " ".join(engine.ask("help"))
    for word in ("uci", "isready", "setoption", "ucinewgame", "position", "go", "stop", "ponderhit",
                 "quit", "bench", "perft", "d", "eval", "fen", "why", "help"):
        check(re.search(rf"\b{word}\b", text), f"'help' does not name {word}")


@test_each([
    ("go depth", ["go", "depth", "3"]),
    ("go nodes", ["go", "nodes", "1000"]),
    ("go movetime", ["go", "movetime", "200"]),
    ("go with a clock", ["go", "wtime", "800", "btime", "800", "winc", "50", "binc", "50"]),
    ("go with searchmoves", ["go", "nodes", "2000", "searchmoves", "e2e4", "d2d4"]),
    ("go mate", ["position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "go mate 1"]),
])
def arguments_are_a_command_and_the_program_ends_after_it(arguments, start):
    run = start.run(*arguments, within=10)
    check(run.status == 0, f"status {run.status}")
    check(len(best_moves(run.lines)) == 1, f"{len(best_moves(run.lines))} bestmoves")


@test
def an_argument_with_blanks_is_a_command_of_its_own(start):
    run = start.run("position startpos moves e2e4", "go depth 2", "quit")
    check(run.status == 0, f"status {run.status}")
    moves = best_moves(run.lines)
    check(len(moves) == 1 and moves[0].split()[1][1] in "78", f"{moves} is no move of Black's")


@test
def a_stop_among_the_arguments_ends_the_search_before_it(start):
    run = start.run("go infinite", "isready", "stop", "go depth 1", within=10)
    check(run.status == 0, f"status {run.status}")
    check("readyok" in run.lines, "no readyok")
    check(len(best_moves(run.lines)) == 2, f"{len(best_moves(run.lines))} bestmoves")


@test_each([
    ("uci", ["uci"], r"uciok"),
    ("isready", ["isready"], r"readyok"),
    ("d", ["d"], r".*" + re.escape(START) + r".*"),
    ("fen", ["fen"], re.escape(START)),
    ("eval", ["eval"], r".*\d.*"),
    ("go perft 3", ["go", "perft", "3"], r"Nodes searched: 8902"),
    ("--help", ["--help"], r".*\b(uci|bench)\b.*"),
    ("--version", ["--version"], r".*\d+\.\d+.*"),
    ("help", ["help"], r".*\bposition\b.*"),
])
def the_program_ends_by_itself_with_the_argument(arguments, wanted, start):
    run = start.run(*arguments, within=10)
    check(run.status == 0, f"status {run.status}")
    check(any(re.fullmatch(wanted, line) for line in run.lines), f"it says {run.lines[-3:]}")


@test
def the_name_of_uci_and_of_version_are_one(start):
    version = " ".join(start.run("--version").lines)
    names = [line for line in start.run("uci").lines if line.startswith("id name ")]
    check(names and names[0][len("id name "):].split()[0] in version, f"{names} and {version}")


@test
def datagen_plays_games_and_describes_them(start):
    with tempfile.TemporaryDirectory() as folder:
        for wanted in (r"3 games, \d+ positions",
                       r"3 games of earlier runs and 0 games, 0 positions"):
            run = start.run("datagen", folder, "--games", "3", "--nodes", "50", within=60)
            check(run.status == 0, f"status {run.status}")
            check(re.match(wanted, run.lines[-1]), f"it says {run.lines}")
            played = "of earlier runs" not in run.lines[-1]
            check(run.lines[0] == f"playing into {folder}" or not played, f"it says {run.lines}")
        run = start.run("datagen", "--stats", folder, within=20)
        check(run.status == 0 and re.fullmatch(r"games +3", run.lines[0]), f"it says {run.lines}")


@test_each([
    ("no folder", ["datagen"]),
    ("an unknown option", ["datagen", "x", "--nonsense"]),
    ("two folders", ["datagen", "x", "y"]),
    ("no nodes", ["datagen", "x", "--nodes", "0"]),
    ("too few nodes to look at a move", ["datagen", "x", "--nodes", "29"]),
    ("minutes beyond any clock", ["datagen", "x", "--minutes", "200000000"]),
])
def datagen_refuses_arguments_that_mean_nothing(arguments, start):
    run = start.run(*arguments)
    check(run.status == 2, f"status {run.status}")
