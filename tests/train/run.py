#!/usr/bin/env python3
"""A miniature of training: games, gradients, nets, and the way from one to the other.

usage: run.py PARLEY KERNEL

Exit status 77 when this interpreter lacks what training needs.
"""
import contextlib
import dataclasses
import hashlib
import importlib.util
import io
import json
import math
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from unittest import mock

sys.dont_write_bytecode = True  # a test leaves nothing behind in the source tree
# The libraries' threads would wait for one another, busily, where other tests run beside them.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

try:
    import numpy as np
    import torch
except ImportError as missing:
    print(f"skipped: {sys.executable} has no {missing.name}; on Debian, apt install python3-torch")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "train"))

import data
import fit_win_rate
import kernel
import model
import net_file
import plot_history
import train

PARLEY, KERNEL = sys.argv[1:3]
LIBRARY = kernel.Kernel(KERNEL)
TARGET = model.Target(0.3, 200.0)
GAMES = 240


class Folder:
    """Games, and what comes of them; made once."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="parley-train-")
        self.path = pathlib.Path(self.folder.name)
        self.games = self.path / "games"
        self.play(self.games, GAMES)
        self.data = data.load(LIBRARY, [(path, None) for path in data.files_of([self.games])], 2,
                              smoothed=True)

    @staticmethod
    def play(folder, count):
        subprocess.run([PARLEY, "datagen", folder, "--games", str(count), "--nodes", "30",
                        "--threads", "2"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def train(self, name, *arguments, status=0, stop=None):
        """Trains by command; what it says. Interrupted when it has said what `stop` accepts."""
        said = []
        with subprocess.Popen([sys.executable, "-B", ROOT / "tools" / "train" / "train.py",
                               "--kernel", KERNEL, "--out", self.path / f"{name}.nnue", *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:
            for line in run.stdout:
                said.append(line)
                if stop and stop(line):
                    run.send_signal(signal.SIGINT)
        assert run.returncode == status, f"status {run.returncode}:\n{''.join(said)}"
        return "".join(said)


HERE = Folder()


def raw(records):
    return torch.from_numpy(records.view(np.uint8).reshape(-1, 32))


def trained_somewhat(width):
    """Parameters with numbers of all sizes, saturated and dead neurons among them."""
    parameters = model.fresh_parameters(width, 1)
    parameters += np.random.default_rng(2).normal(0, 0.1, len(parameters)).astype(np.float32)
    return parameters


# Positions, and the squares of the pieces that are threatened in them: undefended ones, and those
# that a less valuable piece attacks.
THREATS = [
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", ""),
    ("4k3/8/4r3/8/8/4N3/8/K7 w - - 0 1", "e3", ""),
    ("4k3/8/5p2/4N3/8/8/8/K7 w - - 0 1", "e5", "e5"),               # by a pawn
    ("4k3/8/5p2/4N3/3P4/8/8/K7 b - - 0 1", "", "e5"),
    ("4k3/8/8/4N3/5p2/8/8/K7 w - - 0 1", "", ""),                   # pawns do not attack backwards
    ("4k3/8/8/4p3/3B4/8/8/K7 w - - 0 1", "d4 e5", "d4"),
    ("4k3/8/8/3q4/8/8/3R4/3K4 b - - 0 1", "d5", "d5"),              # the king defends the rook
    ("4k3/8/8/3q4/3p4/8/3R4/3K4 b - - 0 1", "", ""),                # a pawn stands in between
    ("4k3/8/8/3q4/3P4/8/3R4/3K4 b - - 0 1", "", ""),
    ("4k3/8/8/3q4/8/8/3Q4/3K4 b - - 0 1", "d5", ""),
    ("4k3/8/8/3r4/8/4B3/8/r2QK3 w - - 0 1", "a1 d5", "d1"),
    ("6k1/8/3n4/8/4R3/8/8/K7 w - - 0 1", "e4", "e4"),
    ("4k3/3R4/8/8/8/8/8/K7 b - - 0 1", "d7", ""),                   # by a king alone
    ("4k3/3R4/8/8/6B1/8/8/K7 b - - 0 1", "", ""),
    ("3qk3/8/8/8/1b6/2N5/8/R3K3 w - - 0 1", "c3", ""),               # pinned
    ("1r2k3/8/8/8/8/1N6/1P6/1R4K1 w - - 0 1", "b3", ""),            # defence through a piece is none
    ("4k3/8/8/8/8/p7/7P/4K2B w - - 0 1", "", ""),                   # no way round the edges
]

# For each other kind of threat, positions and what is named in them: White's pieces by capital
# letters, and the states of the squares in front of passed pawns.
OTHER_THREATS = {
    net_file.OUTNUMBERED: [
        ("4r1k1/8/8/8/r3N3/8/8/4R1K1 w - - 0 1", "Ne4"),
        ("4r1k1/4r3/8/8/4N3/8/8/4R1K1 w - - 0 1", ""),      # only one of the rooks attacks it
        ("4r1k1/8/8/8/r3N3/3P4/8/4R1K1 w - - 0 1", ""),     # defended twice
        ("4r1k1/8/8/8/r3N3/8/8/6K1 w - - 0 1", ""),         # undefended
        ("4r1k1/8/8/3p4/r3N3/8/8/4R1K1 w - - 0 1", ""),     # a pawn attacks it too
        ("6k1/8/5q2/2b5/8/8/5P2/6K1 b - - 0 1", "Pf2"),     # the king defends it
        ("8/8/8/8/3k4/r2P4/8/3R3K w - - 0 1", "Pd3"),       # the other one attacks it
        ("8/8/8/8/3k4/2pP4/8/3R3K w - - 0 1", ""),          # only the king does
        ("6k1/8/8/2p1p3/3P4/4P3/8/6K1 b - - 0 1", "Pd4"),
        ("4r1k1/8/8/R3n3/8/8/8/4R1K1 b - - 0 1", "ne5"),
    ],
    net_file.PINNED: [
        ("3qk3/8/8/8/1b6/2N5/8/R3K3 w - - 0 1", "Nc3"),
        ("4k3/8/8/8/1b6/2N5/3P4/4K3 w - - 0 1", ""),        # two stand in between
        ("4r1k1/4n3/8/8/8/8/8/4K3 w - - 0 1", ""),          # one of the other side's
        ("4r1k1/4n3/8/8/8/8/4B3/4K3 w - - 0 1", ""),
        ("4k3/8/8/8/1r6/2N5/8/4K3 w - - 0 1", ""),          # rooks do not move that way
        ("4k3/8/8/8/4b3/8/4N3/4K3 w - - 0 1", ""),          # nor bishops this way
        ("4k3/4b3/8/8/q7/8/2P5/3KR3 w - - 0 1", "Pc2 be7"),
        ("k7/1r6/8/8/4Q3/8/8/K3N2q b - - 0 1", "Ne1 rb7"),
        ("4r2k/8/4Q3/8/4K3/8/8/8 w - - 0 1", "Qe6"),
        ("8/7k/8/7q/P7/K7/8/8 w - - 0 1", ""),              # no way round the edges
    ],
    net_file.CHECK: [
        ("4k3/8/8/1N6/8/8/8/K7 w - - 0 1", "Nc7 Nd6"),
        ("k7/8/8/8/1n6/8/8/4K3 b - - 0 1", "nc2 nd3"),
        ("4k3/4p3/8/1N6/8/8/8/K7 w - - 0 1", "Nc7"),        # a pawn attacks the other square
        ("4k3/8/8/1N1N4/8/8/8/K7 w - - 0 1", "Nc7 Nd6 Nf6"),
        ("4k3/8/8/8/2B5/8/8/K7 w - - 0 1", "Bb5"),
        ("4k3/8/8/8/2B5/8/8/K4R2 w - - 0 1", "Bb5 Bf7 Re1"),    # a rook supports the bishop
        ("4k2n/8/8/8/2B5/8/8/K4R2 w - - 0 1", "Bb5 Re1"),       # a knight supports the king
        ("4k3/8/8/8/8/4b2R/8/K7 w - - 0 1", "Re3 Rh8 bd4"),     # by taking a piece
        ("4k3/8/8/8/3p4/4b2R/8/K7 w - - 0 1", "Rh8"),           # which a pawn defends
        ("4k3/8/8/8/R3P3/8/8/K7 w - - 0 1", "Ra8"),             # not where an own piece stands
        ("4k3/4p3/8/8/8/8/R7/K7 w - - 0 1", "Ra8"),             # not through pieces
        ("4k3/8/8/8/8/7q/8/K7 w - - 0 1", "qa3 qc3 qf1 qh1 qh8"),
    ],
    net_file.PASSED: [
        ("4k3/8/n7/P7/8/8/8/4K3 w - - 0 1", "Pa5=0"),
        ("4k3/8/8/P7/8/8/8/4K3 w - - 0 1", "Pa5=1"),
        ("4k3/8/8/PK6/8/8/8/8 w - - 0 1", "Pa5=2"),
        ("8/1k6/8/P7/8/8/8/4K3 w - - 0 1", "Pa5=3"),
        ("8/1k6/8/PK6/8/8/8/8 w - - 0 1", "Pa5=4"),
        ("4k3/8/8/8/3p4/8/4K3/8 b - - 0 1", "pd4=3"),
        ("4k3/1p6/8/P7/8/8/8/4K3 w - - 0 1", ""),           # a neighbour is in front of it
        ("4k3/8/8/Pp6/8/8/8/4K3 w - - 0 1", "Pa5=1 pb5=1"), # beside it is not in front
        ("4k3/8/P7/P7/8/8/8/4K3 w - - 0 1", "Pa5=0 Pa6=1"), # own pawns do not stop it
        ("4k3/7p/8/P7/8/8/8/4K3 w - - 0 1", "Pa5=1 ph7=1"), # no way round the edges
        ("4k3/8/8/3pP3/8/8/8/4K3 b - - 0 1", "Pe5=1 pd5=1"),
        ("4k3/3p4/8/8/8/8/3P4/4K3 b - - 0 1", ""),
    ],
}
# Positions and their pawn pairs, White's pawns by capital letters.
PAWN_PAIRS = [
    ("4k3/8/8/8/3P4/8/8/4K3 w - - 0 1", ""),
    ("4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1", "Pd4Pe4"),
    ("4k3/8/8/8/3PP3/8/8/4K3 b - - 0 1", "Pd4Pe4"),
    ("1k6/8/8/8/4P3/8/4P3/1K6 w - - 0 1", "Pe2Pe4"),            # doubled
    ("1k6/8/8/4p3/4P3/8/8/1K6 w - - 0 1", "Pe4pe5"),            # blocked
    ("1k6/8/8/4p3/4P3/8/8/6K1 b - - 0 1", "Pe4pe5"),
    ("4k3/1p6/8/8/8/8/P7/4K3 w - - 0 1", "Pa2pb7"),             # however many ranks apart
    ("4k3/8/8/8/3P1P2/8/8/4K3 w - - 0 1", ""),                  # two files apart
    ("4k3/8/7P/P6p/8/8/8/4K3 w - - 0 1", "Ph6ph5"),             # no way round the edges
    ("4k3/8/8/8/2pPN3/8/8/4K3 b - - 0 1", "Pd4pc4"),            # of pawns alone
    ("4k3/2ppp3/8/8/8/8/3P4/4K3 w - - 0 1", "Pd2pc7 Pd2pd7 Pd2pe7 pc7pd7 pd7pe7"),
]
# The types and states that each kind of threat may name.
NAMED = [range(5), range(1, 5), range(5), range(5), range(1, 5), range(5)]


def threat_fens():
    return [fen for fen, _, _ in THREATS] + [fen for cases in OTHER_THREATS.values()
                                             for fen, _ in cases]


def threats_said(fen):
    """What the kernel finds in a position, for each kind of threat: letters and squares of pieces,
    and states in front of passed pawns."""
    white, record = fen.split()[1] == "w", LIBRARY.record_of(fen)
    kings = int(record["king"][0]), int(record["opponents_king"][0])
    perspectives = []
    for features, king, own in zip(LIBRARY.features(record), kings, (white, not white)):
        flip = (0 if own else 56) ^ (7 if king % 8 >= 4 else 0)
        found = [[] for _ in range(net_file.THREAT_KINDS)]
        for feature in features:
            if not net_file.FIRST_THREAT <= feature < net_file.FIRST_PAIR:
                continue
            kind, index = divmod(feature - net_file.FIRST_THREAT, 768)
            foreign, type_ = divmod(index // 64, 6)
            rank, file = divmod(index % 64 ^ flip, 8)
            letter = "pnbrqk"[0 if kind == net_file.PASSED else type_]
            found[kind].append(f"{letter.upper() if own != foreign else letter}"
                               f"{'abcdefgh'[file]}{rank + 1}"
                               + (f"={type_}" if kind == net_file.PASSED else ""))
        perspectives.append([sorted(names) for names in found])
    assert perspectives[0] == perspectives[1], fen
    return perspectives[0]


def pawn_pairs_said(fen):
    """The pawn pairs that the kernel finds in a position: letters and squares of both pawns."""
    white, record = fen.split()[1] == "w", LIBRARY.record_of(fen)
    kings = int(record["king"][0]), int(record["opponents_king"][0])
    pairs = list(net_file.PAIRS)
    perspectives = []
    for features, king, own in zip(LIBRARY.features(record), kings, (white, not white)):
        flip = (0 if own else 56) ^ (7 if king % 8 >= 4 else 0)

        def name(pawn):
            foreign, square = divmod(pawn, 48)
            rank, file = divmod(square + 8 ^ flip, 8)
            return f"{'P' if own != foreign else 'p'}{'abcdefgh'[file]}{rank + 1}"

        perspectives.append(sorted("".join(sorted(map(name, pairs[feature - net_file.FIRST_PAIR])))
                                   for feature in features if feature >= net_file.FIRST_PAIR))
    assert perspectives[0] == perspectives[1], fen
    return perspectives[0]


def fen_of(board, stm):
    """The FEN of a board given as letters, or None, by squares from a1 to h8."""
    rows = []
    for rank in range(7, -1, -1):
        row = "".join(piece or "." for piece in board[8 * rank:8 * rank + 8])
        for length in range(8, 0, -1):
            row = row.replace("." * length, str(length))
        rows.append(row)
    return f"{'/'.join(rows)} {stm} - - 0 1"


def pawn_fens():
    """The positions with pawn pairs, and random ones in which all pairs come."""
    fens, chance = [fen for fen, _ in PAWN_PAIRS], random.Random(5)
    for number in range(500):
        board = [None] * 64
        board[number % 8], board[56 + chance.randrange(8)] = "Kk"
        for place, square in enumerate(chance.sample(range(8, 56), 16)):
            board[square] = "Pp"[place % 2]
        fens.append(fen_of(board, chance.choice("wb")))
    return fens


def varied_fens():
    """The test suites' positions, those with threats and pawn pairs, and random ones with the kings
    on all files."""
    fens = threat_fens() + pawn_fens()
    for suite in ("standard", "tricky", "chess960"):
        for line in (ROOT / "tests" / "data" / f"{suite}.epd").read_text().splitlines():
            if line and not line.startswith("#"):
                fens.append(line.split(";")[0].strip())
    chance = random.Random(3)
    for number in range(3000):
        board = [None] * 64
        own, other = chance.randrange(8), number % 64 // 8
        board[8 * chance.randrange(8) + number % 8] = "K"
        free = [square for square in range(other, 64, 8) if not board[square]]
        board[chance.choice(free)] = "k"
        for square in chance.sample([s for s in range(8, 56) if not board[s]], 2 * own):
            board[square] = chance.choice("PNBRQpnbrq")
        fens.append(fen_of(board, chance.choice("wb")))
    return fens


class Game:
    """A game or sideline of a file, read anew by the description in game_record.hpp; none of its moves is
    checked. A piece is a type, pawn 0 to king 5, and whether it is White's."""

    def __init__(self, data, begin):
        occupied, codes, mover, _, number, _, result, mark = struct.unpack_from(
            "<Q16sBBHhBB", data, begin)
        self.is_sideline = mark == 1
        self.result = None if self.is_sideline else result
        squares = [square for square in range(64) if occupied >> square & 1]
        self.board = {}
        for place, square in enumerate(squares):
            code = codes[place // 2] >> place % 2 * 4 & 15
            self.board[square] = 3 if code & 7 == 6 else code & 7, code < 8
        self.white_begins = mover < 128
        self.first_ply = 2 * (number - 1) + (mover >= 128)
        self.moves, at = [], begin + 32
        while data[at:at + 4] != bytes(4):
            self.moves.append(struct.unpack_from("<Hh", data, at))
            at += 4
        self.bytes = data[begin:at + 4]

    def smoothed_score(self, index, white):
        """White's score of a ply, by those of the plies around it."""
        weights = {index - 1: 0.25, **{index + i: 0.55 ** i for i in range(9)}}
        weights = {at: weight for at, weight in weights.items() if 0 <= at < len(self.moves)}
        mean = sum(weight / (1 + math.exp(-self.moves[at][1] / 250))
                   for at, weight in weights.items()) / sum(weights.values())
        score = 250 * math.log(mean / (1 - mean)) + (15 if white else -15)
        return max(-1_999, min(round(score), 1_999))

    def records(self, smoothed):
        """The training positions."""
        board, white, found = dict(self.board), self.white_begins, []
        for ply, (move, score) in enumerate(self.moves, self.first_ply):
            start, to, promotion, kind = move & 63, move >> 6 & 63, move >> 12 & 3, move >> 14
            castling = kind == 2
            noisy = kind in (1, 3) or (to in board and not castling)
            if (ply >= 16 and not noisy and abs(score) < 2_000 and len(board) >= 5
                    and not in_check(board, white)):
                score = self.smoothed_score(ply - self.first_ply, white) if smoothed else score
                found.append(record_of(board, white, score, self.result))
            piece = board.pop(start)
            if castling:
                rook, rank = board.pop(to), start & 56
                to = rank + (6 if to > start else 2)
                board[rank + (5 if to & 7 == 6 else 3)] = rook
            if kind == 1:
                del board[to ^ 8]
            board[to] = (promotion + 1, white) if kind == 3 else piece
            white = not white
        return np.concatenate(found) if found else np.empty(0, kernel.RECORD)


def games_of(data_):
    """The games and sidelines of a file."""
    at = 0
    while at < len(data_):
        game = Game(data_, at)
        yield game
        at += len(game.bytes)


def games_with_sidelines_of(data_):
    """The bytes of each game, and of its sidelines before them."""
    found = b""
    for game in games_of(data_):
        found += game.bytes
        if not game.is_sideline:
            yield found
            found = b""
    assert not found


def in_check(board, white):
    """Whether the king of a player is attacked."""
    king = next(square for square, piece in board.items() if piece == (5, white))

    def first(file_step, rank_step, far):
        """The first opponent's piece in a direction."""
        file, rank = king % 8, king // 8
        for _ in range(7 if far else 1):
            file, rank = file + file_step, rank + rank_step
            if not (0 <= file < 8 and 0 <= rank < 8):
                return None
            if 8 * rank + file in board:
                kind, its_white = board[8 * rank + file]
                return None if its_white == white else kind
        return None

    forward = 1 if white else -1
    knights = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
    return (any(first(*step, False) == 1 for step in knights)
            or any(first(side, forward, False) == 0 for side in (-1, 1))
            or any(first(*step, True) in (3, 4) for step in ((0, 1), (1, 0), (0, -1), (-1, 0)))
            or any(first(*step, True) in (2, 4) for step in ((1, 1), (1, -1), (-1, 1), (-1, -1))))


def record_of(board, white, score, result):
    """The record of a position, without what it is for."""
    record = np.zeros(1, kernel.RECORD)
    seen = sorted((square if white else square ^ 56, piece) for square, piece in board.items())
    for place, (square, (kind, its_white)) in enumerate(seen):
        record["occupied"] |= np.uint64(1 << square)
        record["pieces"][0, place // 2] |= (kind + 8 * (its_white != white)) << place % 2 * 4
    record["score"] = score if white else -score
    record["result"] = 3 if result is None else result if white else 2 - result
    for name, its_white in (("king", white), ("opponents_king", not white)):
        record[name] = next(square for square, piece in seen if piece == (5, its_white))
    return record


class Features(unittest.TestCase):
    def test_features_of_fens_agree_in_three_implementations(self):
        seen, buckets, threats, pairs = set(), set(), set(), [set(), set()]
        # There is no record where the player who has moved is in check.
        known = [(fen, record) for fen in varied_fens()
                 if (record := LIBRARY.record_of(fen)) is not None]
        of_torch = [perspective.tolist() for perspective in model.inputs(
            raw(np.concatenate([record for _, record in known])))]
        for (fen, record), *perspectives in zip(known, *of_torch):
            expected = [sorted(perspective) for perspective in net_file.features_of_fen(fen)]
            self.assertEqual([sorted(perspective) for perspective in LIBRARY.features(record)],
                             expected, fen)
            self.assertEqual([perspective[:len(features)] for perspective, features in zip(
                perspectives, expected)], expected, fen)
            self.assertEqual([set(perspective[len(expected[0]):]) for perspective in perspectives],
                             2 * [{net_file.FEATURES}], fen)
            threats |= {feature // 64 - net_file.FIRST_THREAT // 64 for feature in expected[0]
                        if net_file.FIRST_THREAT <= feature < net_file.FIRST_PAIR}
            for found, features in zip(pairs, expected):
                found.update(feature for feature in features if feature >= net_file.FIRST_PAIR)
            seen.add((fen.split()[1], int(record["king"][0]) % 8,
                      int(record["opponents_king"][0]) % 8))
            buckets |= {(number, features[0] // 768) for number, features in enumerate(expected)}
        self.assertEqual(len(seen), 2 * 8 * 8)
        self.assertEqual(len(buckets), 2 * 4)
        # Own and opponent's.
        self.assertEqual(threats, {12 * kind + 6 * foreign + named for kind in range(6)
                                   for foreign in (0, 1) for named in NAMED[kind]})
        self.assertEqual(pairs, 2 * [set(range(net_file.FIRST_PAIR, net_file.FEATURES))])

    def test_attacked_pieces_are_threatened_by_the_rules(self):
        for fen, *expected in THREATS:
            found = threats_said(fen)[:2]
            self.assertEqual([sorted(name[1:] for name in names) for names in found],
                             [sorted(squares.split()) for squares in expected], fen)

    def test_other_threats_are_those_of_the_rules(self):
        for kind, cases in OTHER_THREATS.items():
            for fen, expected in cases:
                self.assertEqual(threats_said(fen)[kind], sorted(expected.split()), fen)

    def test_threats_come_after_the_king_buckets_by_kind_owner_and_type(self):
        own, other = net_file.features_of_fen("4k3/8/5p2/4N3/8/8/8/K7 w - - 0 1")
        # Black, whose king is on the e-file, sees the knight on e5 on d4.
        # So it does the passed pawn on f6 on c3; nobody attacks the square in front of it, state 1.
        self.assertEqual(own[-3:], [3072 + 64 + 36, 3840 + 64 + 36, 6912 + 384 + 64 + 45])
        self.assertEqual(other[-3:], [3072 + 384 + 64 + 27, 3840 + 384 + 64 + 27, 6912 + 64 + 18])

    def test_pawn_pairs_are_pawns_on_the_same_file_or_neighbouring_ones(self):
        for fen, expected in PAWN_PAIRS:
            self.assertEqual(pawn_pairs_said(fen), sorted(expected.split()), fen)

    def test_pawn_pairs_come_after_the_threats_in_the_order_of_their_pawns(self):
        self.assertEqual((net_file.FIRST_PAIR, net_file.PAIR_FEATURES), (7680, 1488))
        own, other = net_file.features_of_fen("4k3/8/8/8/8/1p6/P7/K7 w - - 0 1")
        # White sees the pawns 0 and 48 + 9. Before their pair come those of two own pawns, 8 * 15
        # on a file and 7 * 36 on neighbouring ones, and those of the opponent's pawns on a2 to h2
        # and on a3.
        self.assertEqual(own[-1], 7680 + 372 + 11 + 6 * 18 + 12 + 13)
        # Black, whose king is on the e-file, sees a2 on h7 and b3 on g6: 48 + 47 and 38. The last
        # 22 pairs are those of 95, and eight of them are with lower pawns of its own: four on each
        # file.
        self.assertEqual(other[-1], 7680 + 1488 - 22 + 8)

    def test_the_output_bucket_is_that_of_the_pieces_alone(self):
        for fen in threat_fens() + [fen for fen, _ in PAWN_PAIRS]:
            pieces = sum(letter.isalpha() for letter in fen.split()[0])
            perspectives = net_file.perspectives_of_fens([fen])
            self.assertEqual(net_file.buckets_of(perspectives).tolist(), [(pieces - 2) // 4])
            self.assertEqual(model.buckets(raw(LIBRARY.record_of(fen))).tolist(),
                             [(pieces - 2) // 4])

    def test_mirrored_positions_and_exchanged_colours_look_the_same(self):
        fen = "r2qk3/pp3p2/8/3B4/2n5/8/PP4PP/4R1K1 w - - 0 1"
        mirrored = "3kq2r/2p3pp/8/4B3/5n2/8/PP4PP/1K1R4 w - - 0 1"
        exchanged = "4r1k1/pp4pp/8/2N5/3b4/8/PP3P2/R2QK3 b - - 0 1"
        perspectives = [sorted(perspective) for perspective in net_file.features_of_fen(fen)]
        self.assertEqual([sorted(perspective) for perspective in net_file.features_of_fen(mirrored)], perspectives)
        self.assertEqual([sorted(perspective) for perspective in net_file.features_of_fen(exchanged)], perspectives)


class Games(unittest.TestCase):
    def test_all_training_positions_are_read(self):
        said = subprocess.run([PARLEY, "datagen", "--stats", HERE.games], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        expected = int(next(line for line in said.splitlines() if "for training" in line).split()[2])
        self.assertEqual(HERE.data.games, GAMES)
        self.assertEqual(len(HERE.data.train) + len(HERE.data.validation), expected)

    def test_records_are_the_positions_that_teach_something_as_their_player_sees_them(self):
        whole = b"".join(path.read_bytes() for path in sorted(HERE.games.glob("*.vf")))
        for smoothed in (False, True):
            records, decoded = LIBRARY.decode(whole, 2, smoothed)
            expected = np.concatenate([game.records(smoothed) for game in games_of(whole)])
            self.assertGreater(len(expected), 20 * GAMES)
            records["validation"] = 0
            self.assertEqual(records.tobytes(), expected.tobytes())
            self.assertEqual(decoded.plies, sum(len(game.moves) for game in games_of(whole)))

    def test_positions_of_sidelines_have_no_result(self):
        whole = next(HERE.games.glob("*.vf")).read_bytes()
        found = {True: set(), False: set()}
        for bytes_ in games_with_sidelines_of(whole):
            kinds = [game.is_sideline for game in games_of(bytes_) for _ in game.records(False)]
            for is_sideline, record in zip(kinds, LIBRARY.decode(bytes_, 2)[0]):
                found[is_sideline].add(int(record["result"]))
        self.assertEqual(found, {True: {kernel.NO_RESULT}, False: {0, 1, 2}})

    def test_sidelines_without_their_game_are_left_out(self):
        whole = next(HERE.games.glob("*.vf")).read_bytes()
        game = next(games_with_sidelines_of(whole))
        sideline = next(game for game in games_of(whole) if game.is_sideline).bytes
        expected, of_game = LIBRARY.decode(game, 2)
        for added in (sideline, sideline[:-3]):
            records, decoded = LIBRARY.decode(game + added, 2)
            self.assertEqual(records.tobytes(), expected.tobytes())
            self.assertEqual((decoded.games, decoded.plies, decoded.bytes),
                             (1, of_game.plies, len(game)))
            self.assertRegex(decoded.warning.decode(), "have no game|truncated")
        self.assertEqual(LIBRARY.decode(sideline, 2)[1].bytes, 0)

    def test_the_target_of_a_sideline_is_its_score_alone(self):
        records = np.zeros(4, kernel.RECORD)
        records["score"], records["result"] = 100, [0, 1, 2, kernel.NO_RESULT]
        lost, drawn, won, unknown = model.targets(raw(records), TARGET).tolist()
        expected = 1 / (1 + math.exp(-100 / TARGET.scale))
        self.assertAlmostEqual(unknown, expected, delta=1e-6)
        for target, points in ((lost, 0), (drawn, 0.5), (won, 1)):
            self.assertAlmostEqual(target, 0.3 * points + 0.7 * expected, delta=1e-6)

    def test_a_game_is_as_a_whole_for_training_or_for_validation(self):
        whole = next(HERE.games.glob("*.vf")).read_bytes()
        kinds = [LIBRARY.decode(game, 4)[0]["validation"] for game in games_with_sidelines_of(whole)]
        self.assertEqual({len(set(kind)) for kind in kinds if len(kind)}, {1})
        self.assertEqual(np.concatenate(kinds).tolist(),
                         LIBRARY.decode(whole, 4)[0]["validation"].tolist())
        share = np.mean([kind[0] for kind in kinds if len(kind)])
        self.assertAlmostEqual(share, 1 / 4, delta=0.15)
        self.assertTrue(LIBRARY.decode(whole, 1)[0]["validation"].all())

    def test_a_game_is_for_training_or_for_validation_wherever_it_is_read(self):
        whole = next(HERE.games.glob("*.vf")).read_bytes()
        _, first = LIBRARY.decode(whole[:len(whole) // 2], 2)
        self.assertGreater(first.games, 0)
        apart = np.concatenate([LIBRARY.decode(whole[:first.bytes], 2)[0],
                                LIBRARY.decode(whole[first.bytes:], 2)[0]])
        records = LIBRARY.decode(whole, 2)[0]
        self.assertEqual(records.tobytes(), apart.tobytes())
        self.assertTrue(0.2 < records["validation"].mean() < 0.8)

    def test_a_game_that_is_cut_off_ends_its_file(self):
        whole = next(HERE.games.glob("*.vf")).read_bytes()
        records, decoded = LIBRARY.decode(whole[:-3], 50)
        self.assertEqual(decoded.games, GAMES - 1)
        self.assertIn("truncated", decoded.warning.decode())
        self.assertEqual(len(records), decoded.records)

    def test_a_file_that_differs_from_its_checksum_is_refused(self):
        path = HERE.path / "checked.vf"
        whole = next(HERE.games.glob("*.vf")).read_bytes()
        checksum = HERE.path / "checked.vf.crc"
        checksum.write_text(f"{len(whole)} {zlib.crc32(whole):08x}\n")
        for content, reason in ((whole[:-8], "truncated"), (b"x" + whole[1:], "damaged")):
            path.write_bytes(content)
            with self.assertRaisesRegex(data.DataError, reason):
                data.checked(str(path))
        # What was added since then is not covered yet.
        path.write_bytes(whole + whole)
        self.assertEqual(data.checked(str(path)), whole + whole)
        checksum.write_text("nothing")
        with self.assertRaisesRegex(data.DataError, "not a checksum"):
            data.checked(str(path))

    def test_every_pass_has_all_positions_in_an_order_of_its_own(self):
        for size in (1, 2, 3, 17, 1000, 4097):
            passes = [LIBRARY.draw(1, size, i * size, size) for i in range(2)]
            for numbers in passes:
                self.assertEqual(sorted(numbers), list(range(size)))
            self.assertEqual(LIBRARY.draw(1, size, size // 2, size).tolist(),
                             np.concatenate(passes)[size // 2:size // 2 + size].tolist())
            if size > 3:
                self.assertNotEqual(passes[0].tolist(), passes[1].tolist())

    def test_folders_without_games_are_refused(self):
        empty = HERE.path / "empty"
        empty.mkdir()
        for path, reason in ((empty, "holds no game files"), (HERE.path / "none", "there is no")):
            with self.assertRaisesRegex(data.DataError, reason):
                data.files_of([HERE.games, path])
        self.assertEqual(len(data.files_of([HERE.games, *HERE.games.glob("*.vf")])),
                         2 * len(list(HERE.games.glob("*.vf"))))

    def test_the_fitted_scale_is_that_of_the_results(self):
        chance = np.random.default_rng(4)
        records = np.zeros(200_000, kernel.RECORD)
        records["score"] = chance.normal(0, 400, len(records))
        won = chance.random(len(records)) < 1 / (1 + np.exp(-records["score"] / 250.0))
        records["result"] = 2 * won
        self.assertAlmostEqual(data.fitted_scale(records), 250, delta=6)
        of_sidelines = np.zeros(100_000, kernel.RECORD)
        of_sidelines["score"], of_sidelines["result"] = 1_000, kernel.NO_RESULT
        self.assertEqual(data.fitted_scale(np.concatenate([records, of_sidelines])),
                         data.fitted_scale(records))


class History(unittest.TestCase):
    def test_gains_add_up_and_so_do_the_squares_of_their_errors(self):
        history = ("| net | data | Elo |\n|---|---|---|\n"
                   "| 0 (0123456789abcdef) | games | against hand-written: +20 ± 30 (60 games); 29 won |\n"
                   "| 1 (fedcba9876543210) | games | −5 ± 40 (50 games); against net 9 +70 ± 1 |\n")
        self.assertEqual(plot_history.elo_by_network(history), [(0, 20, 30.0), (1, 15, 50.0)])

    def test_a_row_without_a_gain_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "net 3 has no Elo"):
            plot_history.elo_by_network("| 3 (0123456789abcdef) | games | not measured |")

    def test_the_picture_is_that_of_the_history(self):
        history = plot_history.HISTORY.read_text(encoding="utf-8")
        self.assertEqual(plot_history.PICTURE.read_text(encoding="utf-8"),
                         plot_history.picture(history))


class WinRate(unittest.TestCase):
    def test_material_is_counted_as_the_engine_does(self):
        for fen, material in (("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 78),
                              ("1n2k3/1p6/8/8/8/8/1R4Q1/2B1K3 w - - 0 1", 21)):
            self.assertEqual(fit_win_rate.material_of(LIBRARY.record_of(fen)).tolist(), [material])

    def test_a_model_is_found_again_in_games_that_follow_it(self):
        truth = torch.tensor([[1.6, -1.1, 0.4, 0.1], [0.9, -0.2, 0.1, 0.05]], dtype=torch.float64)
        chance = np.random.default_rng(6)
        score = chance.normal(0, 250, 400_000)
        material = chance.integers(10, 79, len(score)) / fit_win_rate.MIDDLEGAME
        win, loss = (chances.numpy() for chances in fit_win_rate.chances(
            truth, torch.tensor(score), torch.tensor(material)))
        drawn = chance.random(len(score))
        result = np.where(drawn < win, 2, np.where(drawn < win + loss, 0, 1))
        found, surprise = fit_win_rate.fit(score, material, result, np.ones(len(score)))
        for material_here in (20, 40, 58, 78):
            powers = (material_here / fit_win_rate.MIDDLEGAME) ** np.arange(4)
            for row, true_row in zip(found, 100 * truth.numpy()):
                self.assertAlmostEqual(row @ powers, true_row @ powers, delta=4)
        self.assertLess(surprise, 1.0)

    def test_by_command_it_prints_what_the_engine_takes(self):
        said = io.StringIO()
        words = ["fit_win_rate.py", str(HERE.games), "--kernel", KERNEL]
        with mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(said):
            fit_win_rate.main()
        number = r"-?\d+\.\d\d"
        for name in "ab":
            self.assertRegex(said.getvalue(), rf"\n{name}: {number}(, {number}){{3}}\n")
        with (mock.patch.object(sys, "argv", ["fit_win_rate.py", "/none", "--kernel", KERNEL]),
              self.assertRaisesRegex(SystemExit, "^fit_win_rate.py: there is no /none$")):
            fit_win_rate.main()


class Gradient(unittest.TestCase):
    def test_the_kernel_computes_what_autograd_does(self):
        records = HERE.data.train[:2048]
        numbers = np.arange(len(records))[::-1].copy()
        for width in (32, 64, 96, 128):
            parameters = trained_somewhat(width)
            # Sums that are exact and never 0 or 1, where the gradient jumps.
            rows, bias, _, _ = model.parts(parameters, width)
            rows[:] = np.rint(rows * 2 ** 12) / 2 ** 12
            bias[:] = (np.rint(bias * 2 ** 12) + 0.5) / 2 ** 12
            gradient = np.empty_like(parameters)
            network = kernel.Network(LIBRARY, width)
            loss = network.loss(records, numbers, parameters, TARGET, gradient)
            exact = torch.tensor(parameters, dtype=torch.float64, requires_grad=True)
            exact_loss = model.loss(exact, width, raw(records[numbers]), TARGET)
            exact_loss.backward()
            self.assertAlmostEqual(loss, exact_loss.item(), delta=1e-6 * loss)
            for part, truth in zip(model.parts(gradient, width),
                                   model.parts(exact.grad.numpy(), width)):
                self.assertLess(np.abs(part - truth).max() / np.abs(truth).max(), 1e-5)
            says = model.forward(exact, width, raw(records[numbers])).detach().numpy()
            self.assertLess(np.abs(network.outputs(records, numbers, parameters) - says).max(),
                            1e-5)

    def test_the_number_of_threads_changes_nothing(self):
        parameters = trained_somewhat(64)
        numbers = np.arange(1000)
        found = []
        for threads in (1, 2, 4):
            gradient = np.empty_like(parameters)
            loss = kernel.Network(LIBRARY, 64, threads).loss(HERE.data.train, numbers, parameters,
                                                             TARGET, gradient)
            found.append((loss, gradient.tobytes()))
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], found[2])


def run_of(records, steps, **settings):
    settings = train.Settings(scale=200, **settings)
    settings.positions = steps * settings.batch
    trainer = (train.TorchTrainer(settings, records, 1) if settings.pure_torch
               else train.KernelTrainer(LIBRARY, settings, records, 2))
    return train.Run(settings, LIBRARY, records, trainer)


def losses_of(run):
    losses = []
    while run.step < run.steps:
        before = run.loss_sum
        run.take_step()
        losses.append(run.loss_sum - before)
    return losses


def run_until(settings, steps):
    """A run on the games here, alone in this process, after so many steps."""
    settings = train.Settings(**settings)
    run = train.Run(settings, LIBRARY, HERE.data,
                    train.KernelTrainer(LIBRARY, settings, HERE.data, 2))
    while run.step < steps:
        run.take_step()
        if run.validation_due():
            run.validate()
    return run


class Training(unittest.TestCase):
    def test_a_few_hundred_positions_are_learnt_by_heart(self):
        # What looks alike must be worth the same: of a position that came again, the first.
        looks = [LIBRARY.features(HERE.data.train[i:i + 1]) for i in range(500)]
        first = [i for i, look in enumerate(looks) if look not in looks[:i]]
        few = data.Data([], HERE.data.train[first][:300].copy(), HERE.data.validation, 0, 0, [])
        losses = losses_of(run_of(few, 400, width=64, batch=300, rate=0.01))
        self.assertLess(losses[-1], 1e-4)
        self.assertLess(losses[-1], losses[0] / 300)

    def test_kernel_and_torch_train_alike(self):
        settings = {"width": 32, "batch": 256}
        self.assertTrue(np.allclose(
            losses_of(run_of(HERE.data, 15, **settings)),
            losses_of(run_of(HERE.data, 15, pure_torch=True, **settings)), rtol=1e-4))

    def test_training_goes_on_from_a_net_of_fewer_neurons(self):
        HERE.train("narrow", HERE.games, "--width", "32", "--epochs", "2")
        narrow = net_file.read((HERE.path / "narrow.nnue").read_bytes())
        wide = model.fresh_parameters(64, 3)
        model.init_from(wide, 64, [narrow])
        sample = raw(HERE.data.train[:50])
        says = model.forward(torch.from_numpy(wide).double(), 64, sample).numpy()
        perspectives = [perspective.numpy() for perspective in model.inputs(sample)]
        # New neurons begin with tiny output weights.
        np.testing.assert_allclose(narrow.scale * says, net_file.float_scores(narrow, perspectives),
                                   atol=0.1)
        said = HERE.train("wider", HERE.games, "--width", "64", "--epochs", "1", "--rate", "1e-6",
                          "--begin", HERE.path / "narrow.nnue")
        wider = net_file.read((HERE.path / "wider.nnue").read_bytes())
        self.assertEqual(wider.width, 64, said)
        self.assertLess(np.abs(wider.features[:, :32].astype(int) - narrow.features).max(), 3)
        refusal = HERE.train("slim", HERE.games, "--width", "32", "--begin",
                             HERE.path / "wider.nnue", status=1)
        self.assertIn("64 neurons, more than 32", refusal)

    def test_training_goes_on_from_the_mean_of_nets(self):
        begun = {}
        for seed in ("1", "2"):
            HERE.train("one" + seed, HERE.games, "--width", "32", "--epochs", "1", "--seed", seed)
            begun[seed] = net_file.read((HERE.path / f"one{seed}.nnue").read_bytes())
        HERE.train("mean", HERE.games, "--width", "32", "--epochs", "1", "--rate", "1e-6", "--begin",
                   HERE.path / "one1.nnue", "--begin", HERE.path / "one2.nnue")
        mean = net_file.read((HERE.path / "mean.nnue").read_bytes())
        expected = (begun["1"].features.astype(int) + begun["2"].features) / 2
        self.assertLess(np.abs(mean.features - expected).max(), 3)
        summary = json.loads((HERE.path / "mean.train" / "run.json").read_text())
        self.assertEqual(len(summary["settings"]["begin"].split()), 2)

    def test_king_buckets_learn_the_same_in_the_first_half_of_a_training_from_nothing(self):
        run = run_of(HERE.data, 20, width=32, batch=256)
        buckets = model.parts(run.parameters.detach(), 32)[0][:4 * 768].view(4, 768, 32)
        first = buckets[0].clone()
        while run.step < 10:
            run.take_step()
        self.assertFalse(torch.equal(buckets[0], first))
        for bucket in buckets:
            self.assertTrue(torch.equal(bucket, buckets[0]))
        losses_of(run)
        self.assertFalse(torch.equal(buckets[1], buckets[0]))

    def test_weights_stay_within_what_integers_hold(self):
        run = run_of(HERE.data, 5, width=32, batch=64, rate=3.0)
        losses_of(run)
        largest = float(run.parameters.abs().max())
        self.assertAlmostEqual(largest, train.MAX_WEIGHT, places=5)
        features = model.parts(run.parameters.detach(), 32)[0]
        threats, pairs = features[model.FIRST_THREAT:].split(
            [net_file.THREAT_FEATURES, net_file.PAIR_FEATURES])
        self.assertAlmostEqual(float(threats.abs().max()), train.MAX_THREAT, places=5)
        self.assertAlmostEqual(float(pairs.abs().max()), train.MAX_PAIR, places=5)
        net_file.quantised(*[part.numpy() for part in model.parts(run.parameters.detach(), 32)],
                           400)

    def test_the_last_steps_train_the_net_of_whole_numbers(self):
        run = run_of(HERE.data, 200, width=32, batch=256)
        while run.unrounded is None:
            run.take_step()
        self.assertAlmostEqual(run.step / run.steps, 1 - train.QUANTISED, places=1)
        early = run.parameters.detach().clone()
        losses_of(run)
        run.validate()
        # The hidden layer goes on learning, by whole steps.
        moved = (net_file.QA * (run.parameters.detach() - early)[:model.FEATURES * 32]).abs()
        self.assertGreater(int((moved > 0.5).sum()), 100)
        for name in (run.parameters.detach(), run.best):
            hidden = net_file.QA * name[:(model.FEATURES + 1) * 32].numpy().astype(np.float64)
            self.assertLess(np.abs(hidden - np.rint(hidden)).max(), 1e-3)
        # A mean of few errors of whole centipawns would say nothing: all positions.
        positions = np.concatenate([HERE.data.train, HERE.data.validation])
        run.records = data.Data([], HERE.data.train, positions, 0, 0, [])
        net, figures = train.exported(run.best, run)
        self.assertGreaterEqual(net.qb, 128)
        self.assertGreater(figures["positions"], 1_000)
        self.assertLess(abs(figures["bias"]), 0.05)
        self.assertLess(figures["mean"], 0.6)

    def test_a_sample_of_many_validation_positions_is_enough_to_check_a_net(self):
        run = run_of(HERE.data, 1, width=32, batch=64)
        with mock.patch.object(train, "CHECKED", len(HERE.data.validation) // 3):
            _, figures = train.exported(run.best, run)
        _, whole = train.exported(run.best, run)
        self.assertLess(figures["positions"], whole["positions"] / 2)
        self.assertLess(abs(figures["mean"] - whole["mean"]), 0.3)  # centipawns, of few positions

    def test_what_is_learnt_holds_in_other_games(self):
        games = HERE.path / "more"
        HERE.play(games, 1000)
        HERE.train("general", games, "--width", "32", "--batch", "512", "--epochs", "8")
        rows = (HERE.path / "general.train" / "loss.csv").read_text().splitlines()
        first, last = (float(row.split(",")[4]) for row in (rows[1], rows[-1]))
        self.assertLess(last, 0.8 * first)

    def test_from_games_to_a_net_by_command_and_again_after_an_interruption(self):
        settings = ["--width", "32", "--batch", "512", "--epochs", "8", "--seed", "5"]
        said = HERE.train("whole", HERE.games, *settings, "--threads", "1")
        self.assertIn("99 % within", said)
        summary = json.loads((HERE.path / "whole.train" / "run.json").read_text())
        self.assertLess(summary["export"]["best"]["mean"], 0.6)

        state = torch.load(HERE.path / "whole.train" / "checkpoint.pt")
        rows = (HERE.path / "whole.train" / "loss.csv").read_text().splitlines()
        first, last = ([float(row.split(",")[i]) for i in (3, 4)] for row in (rows[1], rows[-1]))
        self.assertLess(last[0], 0.9 * first[0])
        self.assertLessEqual(summary["best_validation_loss"], last[1])
        part = run_until(state["settings"], state["step"] // 2)
        folder = HERE.path / "part.train"
        folder.mkdir()
        torch.save(part.state(), folder / "checkpoint.pt")
        games = next(HERE.games.glob("*.vf"))
        size = games.stat().st_size
        with games.open("ab") as growing:
            growing.write(b"the beginning of a game that comes later")
        HERE.train("part", "--resume", "--threads", "2")
        os.truncate(games, size)
        for name in ("{}.nnue", "{}.train/last.nnue"):
            self.assertEqual((HERE.path / name.format("part")).read_bytes(),
                             (HERE.path / name.format("whole")).read_bytes())
        self.check_what_is_told(HERE.path / "whole.train", summary, rows)
        resume = ["--resume", "--out", HERE.path / "part.nnue"]
        self.check_refusal([*resume, "--width", "64"], train.Refusal, "--resume needs no settings")
        self.check_refusal([*resume, "--epochs", "9"], train.Refusal, "--resume needs no settings")
        games.rename(games.with_suffix(".away"))
        self.check_refusal(resume, OSError, "No such file")
        games.write_bytes(games.with_suffix(".away").read_bytes()[:-4000])
        self.check_refusal(resume, data.DataError, "is truncated")
        checksum = pathlib.Path(f"{games}.crc")
        checksum.rename(f"{checksum}.away")
        self.check_refusal(resume, train.Refusal, "not those with which the run began")
        pathlib.Path(f"{checksum}.away").rename(checksum)
        games.with_suffix(".away").replace(games)

    def check_refusal(self, words, problem, reason):
        """What the command line of these words ends with."""
        words = [str(word) for word in ["train.py", "--kernel", KERNEL, *words]]
        said = io.StringIO()
        with (self.subTest(words), mock.patch.object(sys, "argv", words),
              contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said),
              self.assertRaises(problem) as end):
            train.main()
        self.assertRegex(f"{end.exception} {said.getvalue()}", reason)

    def check_what_is_told(self, folder, summary, rows):
        """The curve, its picture, and what a net came from."""
        self.assertEqual(rows[0], "positions,epoch,learning_rate,train_loss,validation_loss,"
                                  "seconds")
        seen = [int(row.split(",")[0]) for row in rows[1:]]
        self.assertEqual(len(seen), train.VALIDATIONS)
        self.assertEqual(seen, sorted(set(seen)))
        self.assertAlmostEqual(seen[-1], 8 * len(HERE.data.train), delta=512)
        if importlib.util.find_spec("matplotlib"):
            self.assertEqual((folder / "loss.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        for path, size, digest in summary["sources"]:
            self.assertEqual(hashlib.sha256(pathlib.Path(path).read_bytes()[:size]).hexdigest(),
                             digest)
        self.assertEqual(list(summary["rules"].values()),
                         [(HERE.games / "rules.txt").read_text()])
        self.assertEqual((summary["games"], summary["train"], summary["settings"]["width"]),
                         (GAMES, len(HERE.data.train), 32))
        self.assertEqual(net_file.read((folder.with_suffix(".nnue")).read_bytes()).run,
                         int(summary["run"], 16))

    def test_an_interrupted_run_keeps_all_that_it_has_learnt(self):
        said = HERE.train("stopped", HERE.games, "--width", "32", "--batch", "512", "--epochs",
                          "2000", status=130, stop=lambda line: " validation 0." in line)
        self.assertRegex(said, r"interrupted after [\d,]+ steps; to go on: .*train.py --resume "
                               r"--out .*stopped.nnue\n$")
        self.assertFalse((HERE.path / "stopped.nnue").exists())
        kept = torch.load(HERE.path / "stopped.train" / "checkpoint.pt")
        alone = run_until(kept["settings"], kept["step"]).state()
        self.assertTrue(torch.equal(kept["parameters"], alone["parameters"]))
        self.assertEqual(kept["best_loss"], alone["best_loss"])

    def test_the_learning_rate_rises_and_falls_to_almost_nothing(self):
        rates = [train.rate_at(step, 1000, 0.01) for step in range(1000)]
        highest = rates.index(max(rates))
        self.assertEqual(max(rates), 0.01)
        self.assertLess(highest, 15)
        self.assertEqual(rates[:highest], sorted(rates[:highest]))
        self.assertEqual(rates[highest:], sorted(rates[highest:], reverse=True))
        self.assertAlmostEqual(rates[500], 0.005, delta=1e-4)
        self.assertAlmostEqual(rates[-1], train.LAST_RATE, delta=1e-7)

    def test_signs_of_overfitting_are_told(self):
        run = run_of(HERE.data, 1, width=32, batch=64)
        for training, validation, best, signs in ((0.010, 0.010, 0.010, []),
                                                  (0.010, 0.011, 0.011, []),
                                                  (0.010, 0.0103, 0.010, ["above its best"]),
                                                  (0.010, 0.012, 0.012, ["above the training"]),
                                                  (0.005, 0.011, 0.010, ["above its best",
                                                                         "above the training"])):
            run.best_loss, run.rows = best, [[64, 1, 0.001, training, validation, 1]]
            found = run.overfitting()
            self.assertEqual(len(found), len(signs), found)
            for sign, part in zip(found, signs):
                self.assertIn(part, sign)

    def test_a_loss_that_is_no_number_ends_the_run(self):
        run = run_of(HERE.data, 3, width=32, batch=64)
        with torch.no_grad():
            run.parameters[-8:] = float("nan")
        with self.assertRaisesRegex(train.Refusal, "no longer a number after 0 steps"):
            run.take_step()

    def test_what_cannot_be_trained_is_refused_with_the_reason(self):
        here, out = HERE.games, ["--out", HERE.path / "refused.nnue"]
        for words, reason in (([*out], "a folder of game files is needed"),
                              ([here], "--out"),
                              ([here, "--out", "net.bin"], "--out must end with .nnue"),
                              ([here, *out, "--width", "48"], "--width must be a multiple of 32"),
                              ([here, *out, "--width", "0"], "--width must be a multiple of 32"),
                              ([here, *out, "--lambda", "1.5"], "--wdl must be from 0 to 1"),
                              ([here, *out, "--epochs", "1", "--positions-seen", "9"],
                               "say the same")):
            self.check_refusal(words, SystemExit, f"^2 (.|\n)*{reason}")
        self.check_refusal(["--resume", *out], train.Refusal, "there is no .* to resume from")
        self.check_refusal([here, *out, "--kernel", "/no/such.so"], kernel.KernelError,
                           "cannot be loaded")
        self.check_refusal([HERE.path / "none", *out], data.DataError, "there is no ")
        self.assertFalse((HERE.path / "refused.nnue").exists())

    def test_too_few_games_are_refused(self):
        few = HERE.path / "few.vf"
        few.write_bytes(next(games_of(next(HERE.games.glob("*.vf")).read_bytes())).bytes)
        self.check_refusal([few, "--out", HERE.path / "few.nnue"], train.Refusal, "too few games")


class Nets(unittest.TestCase):
    def setUp(self):
        parts = [part.astype(np.float64) for part in model.parts(trained_somewhat(64), 64)]
        of_bytes = parts[0][model.FIRST_THREAT:]
        np.clip(of_bytes, -127 / 255, 127 / 255, out=of_bytes)
        self.net = net_file.quantised(*parts, 400, 12345)

    def test_a_net_is_read_as_it_was_written(self):
        data_ = net_file.write(self.net)
        self.assertEqual(len(data_),
                         64 + 2 * 64 * 4 * 768 + 64 * (6 * 768 + 1488) + 2 * 64 * (1 + 2 * 8) + 64)
        again = net_file.read(data_)
        self.assertEqual(net_file.write(again), data_)
        np.testing.assert_array_equal(again.features, self.net.features)
        self.assertEqual((again.width, again.run, again.scale), (64, 12345, 400))

    def test_weights_of_threats_and_pawn_pairs_that_a_byte_does_not_hold_are_refused(self):
        for row in (net_file.FIRST_THREAT, net_file.FIRST_PAIR - 1, net_file.FIRST_PAIR,
                    net_file.FEATURES - 1):
            for weight in (127, -127):
                self.net.features[row, 5] = weight
                again = net_file.read(net_file.write(self.net))
                self.assertEqual(again.features[row, 5], weight)
            for weight in (128, -128, -32_768):
                self.net.features[row, 5] = weight
                with self.assertRaisesRegex(net_file.NetError, f"{abs(weight)}, more than 127"):
                    net_file.write(self.net)
            self.net.features[row, 5] = 0
        self.net.features[net_file.FIRST_THREAT - 1, 5] = 128    # of a piece
        self.assertEqual(net_file.read(net_file.write(self.net)).features[3071, 5], 128)

    def test_threats_and_pawn_pairs_that_an_older_net_does_not_know_weigh_nothing(self):
        whole, features = net_file.write(self.net), self.net.features
        after = 64 + 2 * 64 * 4 * 768 + 64 * (6 * 768 + 1488)
        for version, kinds in ((3, 0), (4, 2), (5, 6)):
            body = features[:net_file.FIRST_THREAT + 768 * kinds].tobytes() + whole[after:]
            old = (whole[:4] + struct.pack("<2I", version, version) + whole[12:40]
                   + struct.pack("<2I", zlib.crc32(body), len(body)) + whole[48:64] + body)
            net = net_file.read(old)
            known = net_file.FIRST_THREAT + 768 * kinds
            expected = features.copy()
            self.assertTrue(expected[known:].any())
            expected[known:] = 0
            self.assertEqual(net_file.write(net),
                             net_file.write(dataclasses.replace(self.net, features=expected)))
            parameters = model.fresh_parameters(64, 1)
            model.init_from(parameters, 64, [net])
            np.testing.assert_allclose(255 * model.parts(parameters, 64)[0], expected, atol=1e-3)

    def test_a_damaged_net_is_refused(self):
        whole = net_file.write(self.net)
        for data_ in (b"", whole[:63], whole[:-1], whole + b"\0", b"X" + whole[1:],
                      whole[:5000] + b"?" + whole[5001:]):
            with self.assertRaises(net_file.NetError):
                net_file.read(data_)

    def test_integers_say_what_fractions_say_and_what_a_plain_loop_says(self):
        fens = varied_fens()[:300]
        perspectives = net_file.perspectives_of_fens(fens)
        scores, _, _ = net_file.integer_scores(self.net, perspectives)
        self.assertLess(np.abs(scores - net_file.float_scores(self.net, perspectives)).max(), 2)
        for fen, score in zip(fens[:20], scores):
            total = 0
            bucket = (sum(letter.isalpha() for letter in fen.split()[0]) - 2) // 4
            for features, weights in zip(net_file.features_of_fen(fen), self.net.output[bucket]):
                for neuron in range(self.net.width):
                    v = int(self.net.hidden_bias[neuron])
                    v += sum(int(self.net.features[feature, neuron]) for feature in features)
                    v = min(max(v, 0), 255)
                    total += v * v * int(weights[neuron])
            product = (int(total / 255) + int(self.net.output_bias[bucket])) * self.net.scale
            self.assertEqual(int(product / (255 * self.net.qb)), score, fen)

    def test_by_command_it_says_what_is_in_a_net_and_what_the_net_says(self):
        path = HERE.path / "some.nnue"
        path.write_bytes(net_file.write(self.net))

        def said(*words, text="", status=0):
            done = subprocess.run([sys.executable, "-B", ROOT / "tools" / "train" / "net_file.py",
                                   *words], input=text, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            self.assertEqual(done.returncode, status, done.stdout)
            return done.stdout

        self.assertIn(f"-> 64) x 2 -> 1 x 8, QA 255, QB {self.net.qb}, scale 400, run {12345:016x}",
                      said(path))
        fens = varied_fens()[:3]
        perspectives = net_file.perspectives_of_fens(fens)
        self.assertEqual(said(path, "--fens", text="\n".join(fens) + "\n").splitlines(),
                         [f"{score} {exact:.2f} {fen}" for score, exact, fen in zip(
                             net_file.integer_scores(self.net, perspectives)[0],
                             net_file.float_scores(self.net, perspectives), fens)])
        self.assertIn("no FEN: nonsense", said(path, "--fens", text="nonsense\n", status=1))
        self.assertIn("usage: net_file.py NET", said(status=2))
        path.write_bytes(b"no net at all")
        self.assertIn(f"{path}: ", said(path, status=1))

    def test_a_network_whose_numbers_could_overflow_is_refused(self):
        parts = [part.copy() for part in model.parts(trained_somewhat(32), 32)]
        for index, value in ((0, 5.0), (0, float("nan")), (2, 200.0), (2, 0.0)):
            bad = list(parts)
            bad[index] = np.full_like(bad[index], value)
            with self.assertRaises(net_file.NetError):
                net_file.quantised(*bad, 400)
        parts[0][:model.FIRST_THREAT], parts[1][:] = train.MAX_WEIGHT, train.MAX_WEIGHT
        threats, pairs = np.split(parts[0][model.FIRST_THREAT:], [net_file.THREAT_FEATURES])
        threats[:], pairs[:] = train.MAX_THREAT, train.MAX_PAIR
        net_file.quantised(*parts, 400)
        for part in (threats, pairs):
            part *= 1.05
            with self.assertRaisesRegex(net_file.NetError, "more than 16 bits hold"):
                net_file.quantised(*parts, 400)
            part /= 1.05
        run = run_of(HERE.data, 1, width=256)
        huge = torch.full((model.parameter_count(256),), 1.7)
        model.parts(huge, 256)[0][model.FIRST_THREAT:] = train.MAX_PAIR
        with self.assertRaisesRegex(train.Refusal, "32 bits"):
            train.exported(huge, run)

    def test_the_largest_accumulator_is_that_of_32_pieces_threats_checks_and_pawn_pairs(self):
        rows, bias = np.zeros((net_file.FEATURES, 32), int), np.full(32, -1)
        sets = rows[:net_file.FIRST_PAIR].reshape(10, 2, 6, 64, 32)
        sets[2, 0, 4, 5] = -100
        sets[3, 1, 0, 5] = 99           # of another king bucket
        for kind, weight in ((0, 1), (1, 2), (2, 4), (3, -8), (5, 16)):
            sets[4 + kind, 1, 3, 5] = weight
        sets[8, 0, 1:5, 9] = np.array([7, 3, -5, 4])[:, None]   # a rook and a queen: 9
        sets[8, 1, 1:5, 9] = np.array([8, 3, 0, 4])[:, None]
        sets[8, 1, 1:5, 10] = np.array([-30, 20, 9, 9])[:, None]  # a knight
        self.assertEqual(set(net_file.largest_accumulators(rows, bias)), {1 + 100 + 31 + 9 + 30})
        sets[0, 0, 0, 20:60] = 1
        sets[2, 0, 0, 20:60] = 1
        self.assertEqual(set(net_file.largest_accumulators(rows, bias)),
                         {1 + 100 + 31 + 9 + 30 + 31})
        rows[net_file.FIRST_PAIR::2] = 1
        rows[-100:] = -3    # 120 pairs may weigh as much as that
        self.assertEqual(set(net_file.largest_accumulators(rows, bias)),
                         {1 + 100 + 31 + 9 + 30 + 31 + 360})

    def test_no_position_goes_beyond_the_largest_accumulator(self):
        rows = np.abs(self.net.features.astype(int))
        bias = np.abs(self.net.hidden_bias.astype(int))
        largest = net_file.largest_accumulators(rows, bias)
        for perspective in net_file.perspectives_of_fens(pawn_fens() + varied_fens()[-500:]):
            self.assertTrue((net_file.sum_of_rows(rows, perspective) + bias <= largest).all())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
