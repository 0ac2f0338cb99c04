#!/usr/bin/env python3
"""Other programs read what `parley annotate` writes.

usage: oracles.py PARLEY [--games N] [--nodes N] [--keep FOLDER] [-v]

Parley plays games against itself; python-chess adds comments, NAGs, variations and clocks. Annotated, python-chess must
find all of that again, and an evaluation of each move; pgn-extract, Scid and chess.js must read the file without
complaint, and @lichess-org/pgn-viewer must show it in Chromium. Tests whose program is missing are skipped; exit status
77 without python-chess.
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import chess.pgn
except ImportError:
    print("skipped: python-chess is not installed")
    sys.exit(77)

HERE = os.path.dirname(os.path.abspath(__file__))
COMMENTS = ("A move with a plan.", "Ümläute, 象棋 and a semicolon; here", "two\nlines", "[%csl Gd4][%cal Re2e4]",
            "( not a variation )", "a brace in words: -- $6 1. e4 *", "see https://lichess.org/@/somebody")
NAGS = (1, 2, 3, 4, 5, 6, 10, 14, 16, 18, 22, 36, 132, 138)
STARTS = (None, None, None, "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8",
          "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 60 50", "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 40")


class Player:
    """Parley, which plays with few nodes."""

    def __init__(self, program, nodes):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.nodes = nodes
        self.process.stdin.write("setoption name Hash value 1\n")

    def move(self, start, moves):
        self.process.stdin.write(f"position fen {start} moves {' '.join(moves)}\ngo nodes {self.nodes}\n")
        for line in self.process.stdout:
            if line.startswith("bestmove"):
                return chess.Move.from_uci(line.split()[1])
        raise RuntimeError("Parley has ended")

    def close(self):
        self.process.stdin.write("quit\n")
        self.process.communicate(timeout=20)


def add_comment(node, text, starting=False):
    """Comments are a list in python-chess from 1.12 on."""
    name = "starting_comment" if starting else "comment"
    if hasattr(node, name + "s"):
        setattr(node, name + "s", [" ".join([text, *getattr(node, name + "s")])])
    else:
        setattr(node, name, f"{text} {getattr(node, name)}".strip())


def comment_of(node, starting=False):
    name = "starting_comment" if starting else "comment"
    return " ".join(getattr(node, name + "s")) if hasattr(node, name + "s") else getattr(node, name)


def decorated(node, chance, board):
    """Gives a move a clock, comments, NAGs and variations."""
    left = 5400 - 7 * board.ply() + chance.randrange(60)
    node.set_clock(max(1, left))
    if chance.random() < 0.2:
        add_comment(node, chance.choice(COMMENTS))
    if chance.random() < 0.2:
        node.nags.add(chance.choice(NAGS))
    return node


def add_variation(node, chance, depth):
    board = node.board()
    for ply in range(chance.randint(1, 5)):
        moves = list(board.legal_moves)
        if not moves:
            return
        move = chance.choice(moves)
        if node.has_variation(move):
            return
        node = node.add_variation(move)
        board.push(move)
        if chance.random() < 0.3:
            add_comment(node, chance.choice(COMMENTS))
        if ply == 0 and chance.random() < 0.3:
            add_comment(node, "before a variation", starting=True)
        if depth > 0 and chance.random() < 0.2:
            add_variation(node.parent, chance, depth - 1)


def make_game(player, number, most_plies):
    chance = random.Random(number)
    game = chess.pgn.Game()
    start = STARTS[number % len(STARTS)]
    if start:
        game.setup(chess.Board(start))
    game.headers.update({"Event": f"Game {number}", "White": "O'Neil, É.", "Black": "象棋 (computer)",
                         "Round": str(number)})
    if chance.random() < 0.3:
        add_comment(game, "Before the first move")
    node, board, moves = game, game.board(), []
    fen = board.fen()
    plies = chance.randint(most_plies // 2, most_plies)
    while len(moves) < plies and not board.is_game_over(claim_draw=True):
        move = chance.choice(list(board.legal_moves)) if len(moves) < 4 else player.move(fen, moves)
        parent = node
        node = node.add_main_variation(move)
        board.push(move)
        moves.append(move.uci())
        decorated(node, chance, board)
        if chance.random() < 0.1:
            add_variation(parent, chance, 2)
    game.headers["Result"] = board.result(claim_draw=True)
    return game


def read_games(path):
    with open(path, encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            yield game


def mainline(game):
    return list(game.mainline())


def words_of(comment):
    """A comment without evaluations, however it is wrapped."""
    return re.sub(r"\[%eval [^\]]*\]", " ", comment).split()


def contains(words, part):
    text, wanted = " ".join(words), " ".join(part)
    return wanted in text


def missing(old, new, where):
    """What of an old node is not in the new one."""
    for starting in (False, True):
        before, now = comment_of(old, starting), comment_of(new, starting)
        if not contains(words_of(now), words_of(before)):
            yield f"{where}: comment {before!r} became {now!r}"
    if old.nags - new.nags:
        yield f"{where}: NAGs {old.nags} became {new.nags}"
    if old.clock() != new.clock():
        yield f"{where}: clock {old.clock()} became {new.clock()}"
    for child in old.variations:
        found = [other for other in new.variations if other.move == child.move]
        if not found:
            yield f"{where}: variation {child.move} is gone"
        else:
            yield from missing(child, found[0], f"{where} {child.move}")


class AnnotatedGames(unittest.TestCase):
    options = None

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.options.keep or tempfile.mkdtemp()
        os.makedirs(cls.folder, exist_ok=True)
        cls.games, cls.annotated = (os.path.join(cls.folder, name) for name in ("games.pgn", "annotated.pgn"))
        player = Player(cls.options.parley, 30)
        with open(cls.games, "w", encoding="utf-8") as file:
            for number in range(cls.options.games):
                print(make_game(player, number, cls.options.plies), file=file, end="\n\n")
        player.close()
        subprocess.run([cls.options.parley, "annotate", cls.games, "--out", cls.annotated, "--nodes",
                        str(cls.options.nodes), "--threads", "1"], check=True)

    @classmethod
    def tearDownClass(cls):
        if not cls.options.keep:
            shutil.rmtree(cls.folder)

    def need(self, *programs):
        path = os.environ["PATH"] + ":/usr/games"
        found = [program for program in map(lambda name: shutil.which(name, path=path), programs) if program]
        if not found:
            self.skipTest(f"no {' or '.join(programs)}")
        return found[0]

    def test_python_chess_finds_everything_again(self):
        count = 0
        for old, new in zip(read_games(self.games), read_games(self.annotated), strict=True):
            count += 1
            self.assertEqual(new.errors, [])
            self.assertEqual([node.move for node in mainline(old)], [node.move for node in mainline(new)])
            for tag, value in old.headers.items():
                self.assertEqual(new.headers.get(tag), value, tag)
            self.assertEqual(list(missing(old, new, old.headers["Event"])), [])
        self.assertEqual(count, self.options.games)

    def test_each_move_has_an_evaluation(self):
        for game in read_games(self.annotated):
            for node in mainline(game):
                if not node.board().is_game_over(claim_draw=False):
                    self.assertIsNotNone(node.eval(), f"{game.headers['Event']}: {node}")

    def test_a_second_pass_changes_nothing(self):
        again = os.path.join(self.folder, "again.pgn")
        subprocess.run([self.options.parley, "annotate", self.annotated, "--out", again, "--player", "nobody at all"],
                       check=True)
        for old, new in zip(read_games(self.annotated), read_games(again), strict=True):
            self.assertEqual(str(old), str(new))

    def test_pgn_extract_reads_the_file(self):
        program = self.need("pgn-extract")
        copy = os.path.join(self.folder, "extracted.pgn")
        result = subprocess.run([program, "-s", "-o", copy, self.annotated], capture_output=True, text=True,
                                errors="replace")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        with open(copy, encoding="utf-8", errors="replace") as file:
            self.assertEqual(file.read().count("[Event "), self.options.games)

    def test_scid_imports_the_file(self):
        program = self.need("tkscid")
        script = os.path.join(self.folder, "import.tcl")
        with open(script, "w") as file:
            file.write("set base [sc_base create [lindex $argv 0]]\n"
                       "puts [sc_base import $base [lindex $argv 1]]\nexit\n")
        base = os.path.join(tempfile.mkdtemp(dir=self.folder), "base")
        result = subprocess.run([program, script, base, self.annotated], capture_output=True, text=True,
                                errors="replace")
        # The number of games, and the warnings.
        self.assertEqual(result.stdout.strip(), f"{self.options.games} {{}}", result.stderr)

    def run_script(self, name, *arguments):
        node = self.need("node", "nodejs")
        result = subprocess.run([node, os.path.join(HERE, name), *arguments], capture_output=True, text=True)
        if result.returncode == 77:
            self.skipTest(result.stdout.strip())
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def test_chess_js_reads_the_file(self):
        self.assertIn(f"{self.options.games} games", self.run_script("read.mjs", self.annotated))

    def test_the_pgn_viewer_shows_a_game(self):
        self.assertIn("shown", self.run_script("view.mjs", self.annotated))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parley")
    parser.add_argument("--games", type=int, default=24)
    parser.add_argument("--plies", type=int, default=60)
    parser.add_argument("--nodes", type=int, default=500)
    parser.add_argument("--keep")
    options, rest = parser.parse_known_args()
    AnnotatedGames.options = options
    unittest.main(argv=[sys.argv[0], *(rest or ["-v"])])


if __name__ == "__main__":
    main()
