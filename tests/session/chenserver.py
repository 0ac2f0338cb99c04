"""ChenServer's commands on standard input and output: every answer byte for byte."""
import os
import re
import tempfile
import time

from chenserver_programs import START_STATUS, Session, recorded, replies
from harness import check, test, test_each

SHUFFLE = "Nf3 Nc6 Ng1 Nb8"
LOYDS_STALEMATE = ("e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 "
                   "Qe6")
TWO_KNIGHTS = ["move d4 d5 Nf3 Nf6"]  # both white knights reach d2
CASTLING = ["move e4 e5 Nf3 Nf6 Bc4 Bc5 d3 d6 Nc3 Nc6 Be3 Be6 Qd2 Qd7"]
PROMOTING = ["setup 1n5k/P7/8/8/8/8/8/K7 w - - 0 1"]
MATED = ["move f3 e5 g4 Qh4#"]
STALEMATED = ["move " + LOYDS_STALEMATE]
DRAWN = ["move e4 e5 " + " ".join([SHUFFLE] * 2)]


def rows(*groups):
    """A row for test_each from each answer of each group: preparations and script."""
    for before, script in groups:
        for command, answer in script.items():
            name = f"{before[-1]}, then {command}" if before else command
            yield name, before, command, answer


# Lines, the reference's section 1.1.

@test
def what_the_original_answered_is_answered(start):
    session = Session(start)
    session.expect((pair["in"], pair["out"]) for pair in recorded("commands.jsonl"))
    session.ends_well()


@test
def all_that_was_recorded_may_come_at_once(start):
    pairs = recorded("commands.jsonl")
    data = "".join(pair["in"] + "\n" for pair in pairs).encode("latin-1")
    said, status = replies(start, data, within=30)
    check(said == [pair["out"] for pair in pairs], "not the same answers as one by one")
    check(status == 0, f"status {status}")


@test_each([("the shared game", b""), ("a game with a name", b"game a ")])
def a_game_has_at_most_20000_plies(prefix, start):
    lines = 20 * [b"move" + 250 * b" g1f3 g8f6 f3g1 f6g8"]
    lines += [b"move e2e4", b"undo 1", b"move f6g8 e2e4", b"move f6g8", b"move e2e4", b"undo 20000",
              b"move e2e4"]
    said, status = replies(start, b"".join(prefix + line + b"\n" for line in lines), within=60)
    check(status == 0, f"status {status}")
    check(said == 20 * ["OK 1000"] + ["BAD_MOVE e2e4", "OK", "BAD_MOVE e2e4", "OK 1",
                                      "BAD_MOVE e2e4", "OK", "OK 1"], f"it says {said[18:]}")


@test_each([
    ("nothing", b"", []),
    ("a last line without its end", b"new\nmove e4", ["OK", "OK 1"]),
    ("blanks as the last line", b"new\n  ", ["OK", "CANNOT_PARSE"]),
    ("CR LF", b"new\r\nmove e4\r\n\r\n", ["OK", "OK 1", "CANNOT_PARSE"]),
    ("a CR ends no line", b"move e4\rmove\n", ["BAD_MOVE move"]),
    ("what follows exit", b"exit\nstatus\nnew\n", ["OK"]),
    ("exit with words", b"exit now please\nstatus\n", ["OK"]),
    ("exit behind think", b"think 50000\nhalt\nexit\n", [None, "OK", "OK"]),
    ("the end during think", b"setup 7k/5Qp1/8/6P1/8/3B4/8/4K3 b - - 0 1\nthink 200",
     ["OK", "OK g7g6 g6"]),
    ("bytes of all kinds", bytes(set(range(256)) - {10}) + b"\n", ["UNKNOWN_COMMAND"]),
])
def the_input_may_end_anywhere(data, wanted, start):
    said, status = replies(start, data, within=10)
    check(status == 0, f"status {status}")
    check(len(said) == len(wanted), f"it says {said}")
    for answer, expected in zip(said, wanted):
        check(answer == expected or expected is None, f"it says {said}")


@test_each([
    ("blank", " \t\v\f\r", "CANNOT_PARSE"),
    ("nothing", "", "CANNOT_PARSE"),
    ("blanks of all kinds around words", "\r\f move \v\te4\t\fe5\r", "OK 2"),
    ("a NUL belongs to a verb", "status\0", "UNKNOWN_COMMAND"),
    ("a NUL belongs to a format", "legal alg\0", "BAD_FORMAT"),
    ("a NUL ends a move", "move e2e4\0junk", "OK 1"),
    ("a NUL ends a move in SAN", "test Nf3\0junk", "OK g1f3 Nf3"),
    ("a bad move comes back whole", "move e9\0\x80\xff", "BAD_MOVE e9\0\x80\xff"),
    ("a long bad move comes back whole", "move " + 5_000 * "x", "BAD_MOVE " + 5_000 * "x"),
    ("capitals", "STATUS", "UNKNOWN_COMMAND"),
    ("capitals in a format", "legal ALG", "BAD_FORMAT"),
    *((f"a word of UCI, {word}", word, "UNKNOWN_COMMAND")
      for word in "uci isready ucinewgame position go stop ponderhit quit setoption d eval fen "
                  "bench help perft".split()),
])
def a_line_is_read(line, answer, start):
    Session(start).expect([(line, answer)])


@test
def no_prompt_and_no_banner(start):
    session = Session(start)
    session.check_silent(0.1)
    session.expect([("status", START_STATUS)])
    session.check_silent(0.05)


@test
def a_huge_line_does_no_harm(start):
    said, status = replies(start, b"move " + (20 << 20) * b"x" + b"\nstatus\n", within=30)
    check(status == 0 and said[1:] == [START_STATUS], f"{len(said)} answers, status {status}")


@test
def ten_thousand_moves_fit_in_a_line(start):
    moves = 2_500 * ["g1f3", "g8f6", "f3g1", "f6g8"] + ["e2e4", "e7e5"]
    Session(start).expect([
        ("move " + " ".join(moves), "OK 10002"),
        ("history", "OK 10002 " + " ".join(moves)),
        ("status", "* rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 5002"),
        ("undo 10002", "OK"),
        ("status", START_STATUS),
    ])


@test_each([
    ("status", ["status"], [START_STATUS]),
    ("blanks before", ["  \tlegal pgn x"], ["BAD_ARGS"]),
    ("move", ["move e4", "uci"], ["OK 1", "UNKNOWN_COMMAND"]),
    ("a command of its own", ["game a move d4", "go"], ["OK 1", "UNKNOWN_COMMAND"]),
    ("exit", ["exit"], ["OK"]),
])
def a_command_as_the_first_line_makes_it_a_chenserver(lines, wanted, start):
    data = "".join(line + "\n" for line in lines).encode("latin-1")
    said = start.run(input=data)
    check(said.lines == wanted and said.status == 0, f"it says {said.lines}")


@test_each([
    ("uci", "uci", "uciok"),
    ("isready", "isready", "readyok"),
    ("a blank line", "", "readyok"),
    ("go", "go depth 1", "bestmove"),
    ("position", "position startpos", "readyok"),
])
def a_command_of_uci_as_the_first_line_makes_it_uci(line, wanted, start):
    said = start.run(input=f"{line}\nisready\nstatus\n".encode())
    check(any(text.startswith(wanted) for text in said.lines), f"it says {said.lines[-3:]}")
    check(START_STATUS not in said.lines, "the session has two languages")


# Commands, section 1.2, and numbers, row 7 of section 4.

AFTER_ONE = ["move e4"]


@test_each(rows(
    ([], {
        "new": "OK", "new now please": "OK", "status": START_STATUS, "status a b": START_STATUS,
        "legal x": "BAD_FORMAT", "legal x y": "BAD_FORMAT", "legal alg pgn": "BAD_ARGS",
        "legal pgn x": "BAD_ARGS",
        "legal": "OK 20 b1c3 b1a3 g1h3 g1f3 a2a3 a2a4 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4 e2e3 e2e4 "
                 "f2f3 f2f4 g2g3 g2g4 h2h3 h2h4",
        "legal pgn": "OK 20 Nc3 Na3 Nh3 Nf3 a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4",
        "history": "OK 0", "history alg": "OK 0", "history pgn": "OK 0", "history x": "BAD_FORMAT",
        "history tuna fish": "BAD_FORMAT", "history alg pgn": "BAD_ARGS",
        "move": "OK 0", "move e4 e5": "OK 2", "move e4 e4": "BAD_MOVE e4",
        "move e4 e5 zz e4": "BAD_MOVE zz", "move e2e4 Nf6 e4e5": "OK 3",
        "test": "BAD_ARGS", "test e4 e5": "BAD_ARGS", "test e5": "ILLEGAL", "test e4": "OK e2e4 e4",
        "think": "BAD_ARGS", "think 1 2": "BAD_ARGS", "think 0": "BAD_THINK_TIME",
        "think -1": "BAD_THINK_TIME", "think 300001": "BAD_THINK_TIME",
        "think abc": "BAD_THINK_TIME", "think 99999999999999999999": "BAD_THINK_TIME",
        "think 10x": "BAD_THINK_TIME", "think 1e1": "BAD_THINK_TIME",
        "think 4294967297": "BAD_THINK_TIME",
        "undo": "BAD_ARGS", "undo 1 2": "BAD_ARGS", "undo 1": "BAD_NUM_TURNS",
    }),
    (AFTER_ONE, {
        "undo 1": "OK", "undo 2": "BAD_NUM_TURNS", "undo 0": "BAD_NUM_TURNS",
        "undo -1": "BAD_NUM_TURNS", "undo abc": "BAD_NUM_TURNS", "undo 0x1": "BAD_NUM_TURNS",
        "undo 1x": "BAD_NUM_TURNS", "undo 1.9": "BAD_NUM_TURNS", "undo 1e3": "BAD_NUM_TURNS",
        "undo 4294967297": "BAD_NUM_TURNS", "undo 18446744073709551617": "BAD_NUM_TURNS",
        "undo -9223372036854775808": "BAD_NUM_TURNS", "undo 01": "OK",
        "status": "* rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    }),
))
def a_command_is_answered(before, command, answer, start):
    session = Session(start)
    session.expect((line, "OK 1") for line in before)
    session.expect([(command, answer)])


@test_each([(command, command) for command in (
    "move d5 zz", "undo 2", "undo 1x", "undo", "think", "think 0", "hint 0", "hint", "setup",
    "setup x", "setup start now", "test d5", "legal x", "history x y", "evaluate now", "pgn now",
    "hint 10", "halt", "game b new", "game b move d4", "game c setup start", "uci", "")])
def what_is_refused_or_only_asks_changes_nothing(command, start):
    session = Session(start)
    session.ask("move e4")
    session.ask(command)
    session.expect([("history", "OK 1 e2e4")])


# Moves as they are read, section 1.3 and row 11 of section 4.

@test_each(rows(
    ([], {
        "test e2e4q": "ILLEGAL", "test e2e4+": "ILLEGAL", "test e2-e4": "ILLEGAL",
        "test E2E4": "ILLEGAL", "test Pe4": "ILLEGAL", "test e4!": "ILLEGAL", "test e4?": "ILLEGAL",
        "test e4+": "OK e2e4 e4", "test e4#": "OK e2e4 e4", "test e4++": "ILLEGAL",
        "test e4+#": "ILLEGAL", "test +": "ILLEGAL", "test #": "ILLEGAL", "test e": "ILLEGAL",
        "test E4": "ILLEGAL", "test nf3": "ILLEGAL", "test Nxf3": "ILLEGAL", "test e1e1": "ILLEGAL",
        "test Nf3": "OK g1f3 Nf3", "test Ngf3": "OK g1f3 Nf3", "test Ng1f3": "OK g1f3 Nf3",
        "test N1f3": "OK g1f3 Nf3", "test Ng1f3+": "OK g1f3 Nf3",
        # The original takes these too, as it does not look at what they say.
        "test Nhf3": "ILLEGAL", "test Naf3": "ILLEGAL", "test N8f3": "ILLEGAL",
        "test Na8f3": "ILLEGAL", "test Nh8c3": "ILLEGAL", "test Nfgf3": "ILLEGAL",
        "test Ng1-f3": "ILLEGAL", "test e1g1": "ILLEGAL", "test O-O": "ILLEGAL",
    }),
    (["move e4 e5"], {
        "test Ke2": "OK e1e2 Ke2", "test Ke1e2": "OK e1e2 Ke2", "test Kee2": "OK e1e2 Ke2",
        "test Kae2": "ILLEGAL", "test Q8h5": "ILLEGAL", "test Qh5": "OK d1h5 Qh5",
        "test Qdh5": "OK d1h5 Qh5", "test Q1h5": "OK d1h5 Qh5", "test Qd1h5#": "OK d1h5 Qh5",
    }),
    (TWO_KNIGHTS, {
        "test Nd2": "ILLEGAL", "test Nbd2": "OK b1d2 Nbd2", "test Nfd2": "OK f3d2 Nfd2",
        "test Nb1d2": "OK b1d2 Nbd2", "test Nf3d2": "OK f3d2 Nfd2", "test Ncd2": "ILLEGAL",
        "move Nd2": "BAD_MOVE Nd2",
    }),
    (["move e4 d5"], {
        "test exd5": "OK e4d5 exd5", "test exd5+": "OK e4d5 exd5", "test exd5#": "OK e4d5 exd5",
        "test ed5": "ILLEGAL", "test ed": "ILLEGAL", "test d5": "ILLEGAL", "test e4xd5": "ILLEGAL",
        "test Bb5": "OK f1b5 Bb5+", "test Bb5#": "OK f1b5 Bb5+", "test Bb5++": "ILLEGAL",
    }),
    (["move e4 a6 e5 d5"], {
        "test e5d6": "OK e5d6 exd6", "test exd6": "OK e5d6 exd6", "test e5d5": "ILLEGAL",
        "test exd6e.p.": "ILLEGAL", "test exd5": "ILLEGAL", "test e5d4": "ILLEGAL",
    }),
    (CASTLING, {
        "test e1g1": "OK e1g1 O-O", "test e1c1": "OK e1c1 O-O-O", "test O-O": "OK e1g1 O-O",
        "test O-O-O": "OK e1c1 O-O-O", "test O-O+": "OK e1g1 O-O", "test O-O-O#": "OK e1c1 O-O-O",
        "test e1h1": "ILLEGAL", "test e1a1": "ILLEGAL", "test 0-0": "ILLEGAL",
        "test 0-0-0": "ILLEGAL", "test o-o": "ILLEGAL", "test OO": "ILLEGAL", "test Kg1": "ILLEGAL",
        "test Kc1": "ILLEGAL", "test Ke1g1": "ILLEGAL", "test Kh1": "ILLEGAL", "test oo": "ILLEGAL",
    }),
    (PROMOTING, {
        "test a7b8q": "OK a7b8q axb8=Q+", "test a7b8n": "OK a7b8n axb8=N",
        "test a7a8r": "OK a7a8r a8=R", "test axb8=Q": "OK a7b8q axb8=Q+",
        "test axb8=Q#": "OK a7b8q axb8=Q+", "test a8=B+": "OK a7a8b a8=B", "test a7b8": "ILLEGAL",
        "test a7b8Q": "ILLEGAL", "test a7b8k": "ILLEGAL", "test a7b8p": "ILLEGAL",
        "test a7b8=q": "ILLEGAL", "test axb8=q": "ILLEGAL", "test axb8Q": "ILLEGAL",
        "test axb8": "ILLEGAL", "test a8": "ILLEGAL", "test a8=K": "ILLEGAL", "test a8=": "ILLEGAL",
        "test a7b8qq": "ILLEGAL", "test a7b8q+": "ILLEGAL", "move a7b8": "BAD_MOVE a7b8",
    }),
))
def a_move_is_read(before, command, answer, start):
    session = Session(start)
    for line in before:
        check(session.ask(line).startswith("OK"), f"{line} is refused")
    session.expect([(command, answer)])


# The order of legal moves, section 1.4.

@test_each([
    ("one that leaves the king in check is replaced by the last",
     ["move e4 d5 exd5 Qxd5 Nc3 Qe5"], "OK 5 c3e2 d1e2 c3e4 g1e2 f1e2"),
    ("promotions", ["setup 1n5k/P7/8/8/8/8/8/K7 w - - 0 1"],
     "OK 11 a1a2 a1b2 a1b1 a7a8q a7a8r a7a8b a7a8n a7b8q a7b8r a7b8b a7b8n"),
    ("promotions of Black", ["setup 7k/8/8/8/8/8/p7/1N5K b - - 0 1"],
     "OK 11 h8g8 h8g7 h8h7 a2a1q a2a1r a2a1b a2a1n a2b1q a2b1r a2b1b a2b1n"),
    ("castling comes behind the king's steps", ["setup 4k3/8/8/8/8/p6p/P6P/R3K2R w KQ - 0 1"],
     "OK 12 a1b1 a1c1 a1d1 e1e2 e1f2 e1d2 e1f1 e1d1 e1g1 e1c1 h1g1 h1f1"),
    ("captures toward the h-file come first", ["setup 7k/8/8/2p1p3/3P4/8/8/K7 w - - 0 1"],
     "OK 6 a1a2 a1b2 a1b1 d4d5 d4e5 d4c5"),
    ("en passant takes its place", ["move e4 a6 e5 d5"],
     "OK 31 b1c3 b1a3 d1e2 d1f3 d1g4 d1h5 e1e2 f1e2 f1d3 f1c4 f1b5 f1a6 g1h3 g1f3 g1e2 a2a3 a2a4 "
     "b2b3 b2b4 c2c3 c2c4 d2d3 d2d4 f2f3 f2f4 g2g3 g2g4 h2h3 h2h4 e5e6 e5d6"),
])
def legal_moves_come_in_the_order_of_the_original(before, wanted, start):
    session = Session(start)
    for line in before:
        check(session.ask(line).startswith("OK"), f"{line} is refused")
    session.expect([("legal", wanted)])


# Status, sections 1.5 and 1.6 and rows 4 to 6 of section 4.

@test_each([
    ("the jumped-over square", "move e4 c5", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w "
     "KQkq c6 0 2"),
    ("a single step has none", "move e4 c6", "rnbqkbnr/pp1ppppp/2p5/8/4P3/8/PPPP1PPP/RNBQKBNR w "
     "KQkq - 0 2"),
    ("the king has moved", "move e4 e5 Ke2", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR b kq "
     "- 1 2"),
    ("a rook has moved", "move h4 h5 Rh3 Rh6", "rnbqkbn1/ppppppp1/7r/7p/7P/7R/PPPPPPP1/RNBQKBN1 w "
     "Qq - 2 3"),
    ("a rook was taken at home", "move g3 b6 Bg2 Nc6 Bxc6 Bb7 Bxb7 Qc8 Bxa8 Qxa8",
     "q3kbnr/p1pppppp/1p6/8/8/6P1/PPPPPP1P/RNBQK1NR w KQk - 0 6"),
])
def status_tells_the_fen(moves, fen, start):
    session = Session(start)
    check(session.ask(moves).startswith("OK"), f"{moves} is refused")
    session.expect([("status", "* " + fen)])


def result_after(session, *lines):
    for line in lines:
        check(session.ask(line).startswith("OK"), f"{line} is refused")
    return session.ask("status").split(" ")[0]


@test_each([
    ("kings alone", "8/8/4k3/8/8/4K3/8/8 w - - 0 1", "1/2-1/2"),
    ("a knight", "8/8/4k3/8/8/4K3/8/N7 w - - 0 1", "1/2-1/2"),
    ("a bishop", "8/8/4k3/8/8/4K3/8/b7 w - - 0 1", "1/2-1/2"),
    ("bishops on one colour", "8/8/4k3/b7/8/4K3/1B6/B7 w - - 0 1", "1/2-1/2"),
    ("two bishops on one colour", "8/8/4k3/8/8/4K3/1B6/B7 w - - 0 1", "1/2-1/2"),
    ("bishops on both colours", "8/4k3/8/8/8/4K3/B7/B7 w - - 0 1", "*"),
    ("a bishop and a knight", "8/8/4k3/8/8/4K3/N7/B7 w - - 0 1", "*"),
    ("two knights", "8/8/4k3/8/8/4K3/N7/N7 w - - 0 1", "*"),
    ("a knight against a knight", "8/8/4k3/n7/8/4K3/8/N7 w - - 0 1", "*"),
    ("a bishop against a knight", "8/8/4k3/n7/8/4K3/8/B7 w - - 0 1", "*"),
    ("a pawn", "8/8/4k3/8/8/4K3/P7/8 w - - 0 1", "*"),
    ("99 plies", "8/8/4k3/8/8/4K3/P7/8 w - - 99 70", "*"),
    ("100 plies", "8/8/4k3/8/8/4K3/P7/8 w - - 100 70", "1/2-1/2"),
    ("mate", "R6k/8/6K1/8/8/8/8/8 b - - 0 1", "1-0"),
    ("mate of White", "r6K/8/6k1/8/8/8/8/8 w - - 0 1", "0-1"),
    ("mate at 100 plies", "R6k/8/6K1/8/8/8/8/8 b - - 100 90", "1-0"),
    ("stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2"),
])
def the_result_is_told(fen, wanted, start):
    session = Session(start)
    said = result_after(session, f"setup {fen}")
    check(said == wanted, f"{said} instead of {wanted}")


@test_each([
    ("the first position counts", ["move " + " ".join([SHUFFLE] * 2)], "1/2-1/2"),
    ("twice is not enough", ["move " + SHUFFLE], "*"),
    ("one ply before", ["move " + " ".join([SHUFFLE] * 2), "undo 1"], "*"),
    ("a double step that nobody can take", ["move e4 " + " ".join(2 * ["Nf6 Nf3 Ng8 Ng1"])],
     "1/2-1/2"),
    ("a right to take en passant counts",
     ["move e4 Nf6 e5 d5 " + " ".join(2 * ["Nf3 Nfd7 Ng1 Nf6"])], "*"),
    ("until it is gone three times",
     ["move e4 Nf6 e5 d5 " + " ".join(3 * ["Nf3 Nfd7 Ng1 Nf6"])], "1/2-1/2"),
    ("a right to castle counts",
     ["move h4 h5 Rh3 Rh6 Rh1 Rh8 " + " ".join(1 * ["Rh3 Rh6 Rh1 Rh8"])], "*"),
    ("a draw by checks is no win",
     ["move e4 d5 Bb5 Bd7 Be2 Bc8 Bb5 Bd7 Be2 Bc8 Bb5"], "1/2-1/2"),
    ("the fiftieth move with a check is no win",
     ["setup 7k/8/8/8/8/8/R7/K7 w - - 99 80", "move Ra8"], "1/2-1/2"),
    ("the fiftieth move with mate is a win",
     ["setup 7k/8/6K1/8/8/8/R7/8 w - - 99 80", "move Ra8"], "1-0"),
    ("the last capture with a check is no win",
     ["setup 7k/8/5n2/8/8/8/1B6/K7 w - - 0 1", "move Bxf6"], "1/2-1/2"),
    ("far into a game three times",
     ["move " + 800 * (SHUFFLE + " ") + "e4 " + 2 * "Nf6 Nf3 Ng8 Ng1 "], "1/2-1/2"),
    ("far into a game twice",
     ["move " + 800 * (SHUFFLE + " ") + "e4 Nf6 Nf3 Ng8 Ng1"], "*"),
])
def draws_are_those_of_the_rules(lines, wanted, start):
    said = result_after(Session(start), *lines)
    check(said == wanted, f"{said} instead of {wanted}")


# After the end, section 1.7.

@test_each(rows(
    (MATED, {
        "legal": "OK 0", "legal pgn": "OK 0", "test Kf2": "ILLEGAL", "move Kf2": "BAD_MOVE Kf2",
        "move": "OK 0", "think 10": "GAME_OVER", "think 0": "GAME_OVER", "think abc": "GAME_OVER",
        "think": "BAD_ARGS", "think 1 2": "BAD_ARGS", "hint 10": "GAME_OVER", "undo 1": "OK",
        "status": "0-1 rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "history pgn": "OK 4 f3 e5 g4 Qh4#", "undo 5": "BAD_NUM_TURNS",
    }),
    (STALEMATED, {
        "legal": "OK 0", "test Kh5": "ILLEGAL", "move Kh5": "BAD_MOVE Kh5", "move": "OK 0",
        "think 10": "GAME_OVER", "think 0": "GAME_OVER", "undo 1": "OK",
        "status": "1/2-1/2 5bnr/4p1pq/4Qpkr/7p/7P/4P3/PPPP1PP1/RNB1KBNR b KQ - 2 10",
    }),
    (DRAWN, {
        "think 10": "GAME_OVER", "think 0": "GAME_OVER", "think x": "GAME_OVER",
        "think": "BAD_ARGS", "think 1 2": "BAD_ARGS", "hint 10": "GAME_OVER",
        "test Nf3": "OK g1f3 Nf3", "move Nf3": "OK 1", "undo 1": "OK",
        "legal pgn": "OK 29 Nc3 Na3 Qe2 Qf3 Qg4 Qh5 Ke2 Be2 Bd3 Bc4 Bb5 Ba6 Nh3 Nf3 Ne2 a3 a4 b3 "
                     "b4 c3 c4 d3 d4 f3 f4 g3 g4 h3 h4",
    }),
))
def after_the_end_it_is_answered(before, command, answer, start):
    session = Session(start)
    for line in before:
        check(session.ask(line).startswith("OK"), f"{line} is refused")
    session.expect([(command, answer)])


@test
def a_game_goes_on_after_a_draw_and_after_undo(start):
    session = Session(start)
    said = result_after(session, *DRAWN, "move d4")
    check(said == "*", f"{said} after a pawn has moved")
    said = result_after(session, "setup 7k/p7/8/8/8/8/R7/K7 b - - 100 80", "move a5")
    check(said == "*", f"{said} after a pawn has moved")
    said = result_after(session, "new", *MATED, "undo 1", "move d6")
    check(said == "*", f"{said} after undo")


# Thinking, section 1.8 and row 8 of section 4.

def milliseconds_of(session, command):
    began = time.monotonic()
    said = session.ask(command)
    took = 1000 * (time.monotonic() - began)
    check(re.fullmatch(r"OK [a-h][1-8][a-h][1-8][qrbn]? \S+", said), f"{command}: {said}")
    return took


@test_each([(f"think {time}", time) for time in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)])
def the_answer_comes_when_it_should(asked, start):
    session = Session(start)
    limit = asked + 20 * session.slow
    for _ in range(4):  # a busy machine can make any answer late
        session.ask("new")
        session.ask("move e4 e5 Nf3 Nc6")
        took = milliseconds_of(session, f"think {asked}")
        check(took >= 0.9 * asked - 12, f"already after {took:.0f} ms")
        if took <= limit:
            break
    check(took <= limit, f"only after {took:.0f} ms")


@test
def the_move_is_played_as_it_is_told(start):
    session = Session(start)
    for ply in range(1, 21):
        square, san = session.ask("think 5").split(" ")[1:]
        check(session.ask("history").split(" ")[1:][0::ply] == [str(ply), square], "not played")
        check(session.ask("history pgn").split(" ")[-1] == san, "not in PGN as it was reported")


@test_each([
    ("one legal move", "7k/5Qp1/8/6P1/8/3B4/8/4K3 b - - 0 1", "OK g7g6 g6"),
    ("mate in one", "7k/8/6K1/8/8/8/R7/8 w - - 0 1", "OK a2a8 Ra8#"),
])
def what_is_forced_needs_no_time(fen, wanted, start):
    session = Session(start)
    session.ask(f"setup {fen}")
    began = time.monotonic()
    said = session.ask("think 5000")
    check(said == wanted, f"it plays {said}")
    check(time.monotonic() - began <= 1 * session.slow, "it thinks about what is forced")


@test
def thinking_leaves_no_files_behind(start):
    with tempfile.TemporaryDirectory() as folder:
        session = Session(start, cwd=folder)
        for _ in range(3):
            session.ask("think 50")
        check(not os.listdir(folder), f"it wrote {os.listdir(folder)}")


# Parley's own commands.

@test
def hint_tells_what_think_would_play_and_does_not_play_it(start):
    session = Session(start)
    session.ask("move e4 f6 Nc3 g5")
    session.expect([("hint 100", "OK d1h5 Qh5#"), ("history", "OK 4 e2e4 f7f6 b1c3 g7g5"),
                    ("think 100", "OK d1h5 Qh5#"), ("hint 100", "GAME_OVER"),
                    ("hint", "BAD_ARGS"), ("hint 1 2", "BAD_ARGS"), ("new", "OK"),
                    ("hint 0", "BAD_THINK_TIME"), ("hint 300001", "BAD_THINK_TIME")])


@test
def setup_gives_a_position_to_play_from(start):
    kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    session = Session(start)
    session.expect([
        ("move e4", "OK 1"), (f"setup {kiwipete}", "OK"), ("status", f"* {kiwipete}"),
        ("history", "OK 0"), ("undo 1", "BAD_NUM_TURNS"), ("move O-O-O", "OK 1"),
        ("undo 1", "OK"), ("status", f"* {kiwipete}"), ("setup start", "OK"),
        ("status", START_STATUS), (f"setup {kiwipete}", "OK"), ("new", "OK"),
        ("status", START_STATUS), ("setup", "BAD_ARGS"),
    ])


@test_each([(fen, fen) for fen in (
    "x", "start now", "8/8/8/8/8/8/8/8 w - - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "4k2R/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 x - - 0 1", "\x80\xff \0", 500 * "8/")])
def setup_refuses_what_is_no_position(fen, start):
    session = Session(start)
    session.ask("move e4")
    said = session.ask(f"setup {fen}")
    check(re.fullmatch(r"BAD_POSITION [ -~]+", said), f"it says {said}")
    session.expect([("history", "OK 1 e2e4")])


@test
def pgn_is_the_game_in_one_line(start):
    session = Session(start)
    session.ask("move e4 f6 Nc3 g5 Qh5")
    said = session.ask("pgn")
    check(said.startswith('OK [Event "') and '[Result "1-0"]' in said, f"it says {said}")
    check(said.endswith("] 1. e4 f6 2. Nc3 g5 3. Qh5# 1-0"), f"it says {said}")
    fen = "7k/5Qp1/8/6P1/8/3B4/8/4K3 b - - 0 1"
    session.expect([(f"setup {fen}", "OK"), ("move g6", "OK 1")])
    said = session.ask("pgn")
    check(f'[SetUp "1"] [FEN "{fen}"]' in said and said.endswith("] 1... g6 *"), f"it says {said}")
    session.ask("new")
    session.ask("move " + 60 * (SHUFFLE + " "))
    said = session.ask("pgn")  # written PGN has lines, the answer has none
    moves = re.sub(r"\[[^]]*\] |\d+\. ", "", said).split(" ")
    check("  " not in said and moves == ["OK", *60 * SHUFFLE.split(), "1/2-1/2"], f"{said}")


@test
def evaluate_is_a_number_for_the_player_to_move(start):
    session = Session(start)
    for fen, holds in (
            ("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", lambda worth: worth > 300),
            ("4k3/8/8/8/8/8/8/3QK3 b - - 0 1", lambda worth: worth < -300),
            ("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", lambda worth: True),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", lambda worth: True),
            ("R6k/8/6K1/8/8/8/8/8 b - - 0 1", lambda worth: True)):
        session.ask(f"setup {fen}")
        said = session.ask("evaluate")
        check(re.fullmatch(r"OK -?\d+", said), f"it says {said}")
        check(holds(int(said[3:])), f"{said} in {fen}")


@test_each([("think", "think 20000", "OK 1 "), ("hint", "hint 20000", "OK 0")])
def halt_ends_it(command, history, start):
    session = Session(start)
    session.send(command, "status")
    session.check_silent(0.2)
    began = time.monotonic()
    session.send("halt")
    check(re.fullmatch(r"OK \S{4} \S+", session.answer()), "no move")
    check(time.monotonic() - began <= 0.5 * session.slow, "halt is not obeyed at once")
    check(session.answer().startswith("* "), "no status")
    check(session.answer() == "OK", "halt has no answer")
    check(session.ask("history").startswith(history), "the wrong history")


@test
def halt_does_nothing_when_nothing_is_thought_about(start):
    session = Session(start)
    session.expect([("halt", "OK"), ("halt now", "OK"), ("status", START_STATUS)])
    check(milliseconds_of(session, "think 200") >= 150, "an old halt ends it")


@test
def halt_leaves_other_games_alone(start):
    session = Session(start)
    began = time.monotonic()
    session.send("game a think 300", "halt", "game b halt")
    for _ in range(3):
        session.answer()
    check(time.monotonic() - began >= 0.25, "another game's halt ends it")


@test
def games_with_names_are_independent(start):
    session = Session(start)
    session.expect([
        ("move e4", "OK 1"), ("game a move d4 d5", "OK 2"), ("game b.c-d_9 history", "OK 0"),
        ("game a history", "OK 2 d2d4 d7d5"), ("history", "OK 1 e2e4"), ("game a undo 1", "OK"),
        ("game A history", "OK 0"), ("new", "OK"), ("game a history", "OK 1 d2d4"),
        ("game a setup 7k/5Qp1/8/6P1/8/3B4/8/4K3 b - - 0 1", "OK"), ("status", START_STATUS),
        ("game a think 10", "OK g7g6 g6"), ("game a history pgn", "OK 1 g6"),
        ("history", "OK 0"), ("game a new", "OK"), ("game a status", START_STATUS),
    ])


@test_each([(line, line, answer) for line, answer in {
    "game": "BAD_ARGS", "game a": "BAD_ARGS", "game a! status": "BAD_NAME",
    "game a/b status": "BAD_NAME", "game \xe4 status": "BAD_NAME",
    "game " + 65 * "a" + " status": "BAD_NAME", "game " + 64 * "a" + " status": START_STATUS,
    "game a status now": START_STATUS, "game a STATUS": "UNKNOWN_COMMAND",
    "game a uci": "UNKNOWN_COMMAND", "game a exit": "UNKNOWN_COMMAND",
    "game a game b status": "UNKNOWN_COMMAND", "game a think": "BAD_ARGS",
    "game a undo 1": "BAD_NUM_TURNS", "game a legal x": "BAD_FORMAT", "Game a status":
    "UNKNOWN_COMMAND"}.items()])
def a_game_with_a_name_is_asked_for(line, answer, start):
    Session(start).expect([(line, answer)])


@test
def there_are_only_so_many_games(start):
    session = Session(start)
    for first in range(0, 100_000, 1_000):
        session.send(*(f"game g{number} move e4" for number in range(first, first + 1_000)))
        said = [session.answer() for _ in range(1_000)]
        check(said == 1_000 * ["OK 1"], f"it ends with {said[-2:]}")
    session.expect([("game more move e4", "TOO_MANY_GAMES"), ("game g1 close", "OK"),
                    ("game more move e4", "OK 1"),
                    ("game g0 history", "OK 1 e2e4"), ("game g999 history", "OK 1 e2e4"),
                    ("status", START_STATUS)])


@test
def to_look_at_a_game_takes_no_place(start):
    session = Session(start)
    session.send(*(f"game g{number} status" for number in range(1_001)))
    for _ in range(1_001):
        check(session.answer() == START_STATUS, "a game that nobody has begun is no new game")
    session.expect([("game more move e4", "OK 1")])


@test
def a_game_has_a_level_of_its_own(start):
    session = Session(start)
    session.expect([
        ("level", "OK full"), ("level 1200", "OK"), ("level", "OK 1200"),
        ("game a level", "OK full"), ("new", "OK"), ("level", "OK 1200"),
        ("level 599", "BAD_LEVEL"), ("level 2801", "BAD_LEVEL"), ("level strong", "BAD_LEVEL"),
        ("level 1200 1300", "BAD_ARGS"), ("level", "OK 1200")])
    session.send("think 60000")
    check(session.answer().startswith("OK "), "no move")
    session.expect([("level full", "OK"), ("level", "OK full")])
