#!/usr/bin/env python3
"""Whether the engine says what its network says: the weights of the file, taken for fractions, in
floating point, on positions that are read anew here. Nothing of the engine's or the trainer's is
used for that but the file's description, in tools/train/net_file.py.

usage: run.py PARLEY [--net FILE] [--positions N]

  --net FILE       a network to be read as EvalFile    (default: the one in the program)
  --positions N    from the project's EPDs and from games by chance   (default 600; 10000 take five
                   seconds)

Exit status 77 when this interpreter lacks numpy.
"""
import argparse
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True  # a test leaves nothing behind in the source tree
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

try:
    import numpy as np
except ImportError:
    print(f"skipped: {sys.executable} has no numpy; on Debian, apt install python3-numpy")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
CURRENT = ROOT / "engine" / "evaluate" / "nnue" / "current.nnue"
sys.path.insert(0, str(ROOT / "tools" / "train"))

import net_file

HEADER = "<4s7IQ2I16x"
MAX_ERROR = 2.0          # centipawns between whole numbers and fractions
GAMES = 100         # by chance, side by side
LONGEST = 160       # plies of them
CONSTANT = 20_000   # what a network says of every position, to measure how scores are normalised


class Network:
    """The weights of a file as fractions."""

    def __init__(self, data):
        magic, version, _, width, qa, qb, self.scale, _, _, crc, size = struct.unpack_from(HEADER,
                                                                                           data)
        self.king_buckets = 1 if version < 3 else 4
        self.sets = 1 if version == 1 else 8
        kinds = 2 if version > 3 else 0
        body = data[struct.calcsize(HEADER):]
        assert magic == b"PNUE" and len(body) == size and zlib.crc32(body) == crc
        self.width, at, arrays = width, 0, []
        for kind, length, unit in (("<i2", self.king_buckets * 768 * width, qa),
                                   ("<i2", kinds * 768 * width, qa), ("<i2", width, qa),
                                   ("<i2", self.sets * 2 * width, qb), ("<i4", self.sets, qa * qb)):
            arrays.append(np.frombuffer(body, kind, length, at).astype(np.float64) / unit)
            at += -(-length * int(kind[2]) // 64) * 64
        assert at == size
        self.rows, self.threats = (part.reshape(-1, 768, width) for part in arrays[:2])
        self.bias = arrays[2]
        self.output, self.output_bias = arrays[3].reshape(self.sets, 2, width), arrays[4]

    def says(self, board, white_moves):
        """The score in centipawns for the player to move."""
        bucket = (len(board) - 2) // 4 if self.sets > 1 else 0
        total = float(self.output_bias[bucket])
        for white, weights in zip((white_moves, not white_moves), self.output[bucket]):
            rows = self.rows[king_bucket(board, white) if self.king_buckets > 1 else 0]
            inputs = perspective(board, white)
            hidden = rows[inputs].sum(axis=0) + self.bias
            for kind, rows in enumerate(self.threats):
                hidden += rows[[place for place, piece in zip(inputs, board)
                                if is_threatened(board, piece, kind)]].sum(axis=0)
            hidden = np.clip(hidden, 0, 1)
            total += float(hidden * hidden @ weights)
        return self.scale * total


def read_board(fen):
    """(letter, file, rank) of each piece."""
    pieces = []
    for row, text in enumerate(fen.split()[0].split("/")):
        file = 0
        for letter in text:
            if letter in "12345678":
                file += int(letter)
            else:
                pieces.append((letter, file, 7 - row))
                file += 1
        assert file == 8
    return pieces


def perspective(board, white):
    """The inputs that the pieces switch on in a player's perspective."""
    king = next(file for letter, file, _ in board if letter == ("K" if white else "k"))
    inputs = []
    for letter, file, rank in board:
        foreign = letter.isupper() != white
        inputs.append(384 * foreign + 64 * "pnbrqk".index(letter.lower())
                      + 8 * (rank if white else 7 - rank) + (7 - file if king >= 4 else file))
    return inputs


WORTH = {"p": 1, "n": 2, "b": 2, "r": 3, "q": 4, "k": 9}


def attackers(board, target, by_white):
    """The letters of a player's pieces that attack a square."""
    taken = {(file, rank) for _, file, rank in board}
    found = ""
    for letter, file, rank in board:
        x, y = target[0] - file, target[1] - rank
        near, far = sorted((abs(x), abs(y)))
        if letter.isupper() != by_white or far == 0:
            continue
        free = all((file + i * x // far, rank + i * y // far) not in taken for i in range(1, far))
        straight, diagonal = near == 0 and free, near == far and free
        found += letter * {"p": abs(x) == 1 and y == (1 if by_white else -1),
                           "n": (near, far) == (1, 2), "k": far == 1, "b": diagonal, "r": straight,
                           "q": straight or diagonal}[letter.lower()]
    return found.lower()


def is_threatened(board, piece, kind):
    """Whether a piece is attacked and not defended (0), or attacked by a lesser one (1)."""
    letter, *square = piece
    white = letter.isupper()
    against = attackers(board, square, not white)
    if letter in "kK" or not against:
        return False
    if kind == 0:
        return not attackers(board, square, white)
    return any(WORTH[other] < WORTH[letter.lower()] for other in against)


def king_bucket(board, white):
    """Which feature weights a player's perspective has."""
    file, rank = next((file, rank) for letter, file, rank in board if letter == "kK"[white])
    rank = rank if white else 7 - rank
    if rank == 0:
        return 0 if file in (0, 1, 6, 7) else 1
    return 2 if rank == 1 else 3


def constant_net():
    """The file of a network that says the same of every position."""
    width, qa, qb, scale = 32, 255, 64, 400
    output_bias = struct.pack("<i", CONSTANT * qa * qb // scale)
    body = b"\0" * (2 * 771 * width) + output_bias + b"\0" * 60
    header = struct.pack(HEADER, b"PNUE", 1, 1, width, qa, qb, scale, 1, 0, zlib.crc32(body),
                         len(body))
    return header + body


def converse(parley, lines):
    done = subprocess.run([parley], input="\n".join([*lines, "isready", "quit", ""]), text=True,
                          stdout=subprocess.PIPE, check=True)
    return done.stdout.splitlines()


def epds():
    files = [ROOT / "tools" / "match" / "openings.epd",
             *sorted((ROOT / "tests" / "data").glob("*.epd"))]
    lines = [line for file in files for line in file.read_text().splitlines()]
    return [line.split(";")[0].strip() for line in lines if line and not line.startswith("#")]


def games_by_chance(parley, chance, starts, count):
    """The positions of games in which every move is drawn by lot."""
    positions = []
    while len(positions) < count:
        games = [[f"position fen {chance.choice(starts)} moves"] for _ in range(GAMES)]
        for _ in range(LONGEST):
            asked = [line for game in games for line in (" ".join(game), "fen", "go perft 1")]
            said = converse(parley, ["setoption name UCI_Chess960 value true", *asked])
            positions += [line for line in said if line.count("/") == 7]
            if len(positions) >= count:
                break
            moves, game = [], iter(list(games))
            for line in said:
                if re.fullmatch(r"[a-h][1-8][a-h][1-8]\w?: 1", line):
                    moves.append(line.split(":")[0])
                elif line.startswith("Nodes searched: "):
                    playing = next(game)
                    if moves:
                        playing.append(chance.choice(moves))
                    else:
                        games.remove(playing)
                    moves = []
            if not games:
                break
    return positions[:count]


def judged(fen):
    """Whether the network alone judges a position: nothing is known of endings in which both players
    have pawns, and not only bishops beside them."""
    return all(re.search(pieces, fen.split()[0]) for pieces in ("P", "p", "[nrqNRQ]"))


def evaluations(parley, fens, *options):
    """What `eval` says of positions in hundredths, for the player to move; of those in check,
    None."""
    lines = [*options]
    for fen in fens:
        lines += [f"position fen {fen}", "eval"]
    values = []
    for line in converse(parley, lines):
        found = re.match(r"Evaluation: (?:([-+]\d+\.\d\d) |none)", line)
        if found:
            sign = 1 if fens[len(values)].split()[1] == "w" else -1
            values.append(sign * round(100 * float(found[1])) if found[1] else None)
        elif "refused" in line or "stays" in line:
            sys.exit(f"run.py: {line}")
    assert len(values) == len(fens), f"{len(values)} answers to {len(fens)} positions"
    return values


def positions(parley, count):
    """From the EPDs and from games by chance: more than asked for, as some are in check or have no
    network to judge them."""
    chance, all_epds = random.Random(1), epds()
    fens = chance.sample(all_epds, min(len(all_epds), count // 3))
    return fens + games_by_chance(parley, chance, all_epds, count * 5 // 4 - len(fens))


def unit_of(parley):
    """How many of the network's centipawns are one that the engine tells."""
    with tempfile.TemporaryDirectory(prefix="parley-network-") as folder:
        path = pathlib.Path(folder) / "constant.nnue"
        path.write_bytes(constant_net())
        shown, = evaluations(parley, epds()[:1], f"setoption name EvalFile value {path}")
    assert CONSTANT / 5 < shown < 31_000, shown  # scores from 31750 on are cut off
    return CONSTANT / shown


def judge(parley, net, fens, said):
    """Compares what was said with what the network says; what is wrong, or None."""
    data, unit = net.read_bytes(), unit_of(parley)
    network, said = Network(data), np.array(said, np.float64)
    exact = np.array([network.says(read_board(fen), fen.split()[1] == "w") for fen in fens])
    errors = np.abs(np.rint(said * unit) - exact)
    print(f"{net.name}, {network.width} neurons, {len(fens)} positions: whole numbers and "
          f"fractions differ by {errors.mean():.3f} cp on average, by {errors.max():.3f} at the "
          "most")
    worst = int(errors.argmax())
    if errors[worst] > MAX_ERROR:
        return f"more than {MAX_ERROR} cp: {fens[worst]}"
    whole = net_file.integer_scores(net_file.read(data), net_file.perspectives_of_fens(fens))[0]
    # Rounded for output; and the unit is known no better than that.
    errors = np.abs(said - whole / unit) - 0.5 - np.abs(said) * unit / CONSTANT
    worst = int(errors.argmax())
    return f"net_file.py computes other integers: {fens[worst]}" if errors[worst] > 0 else None


def main():
    parser = argparse.ArgumentParser(usage="run.py PARLEY [--net FILE] [--positions N]")
    parser.add_argument("parley")
    parser.add_argument("--net", type=pathlib.Path)
    parser.add_argument("--positions", type=int, default=600)
    asked = parser.parse_args()
    fens = positions(asked.parley, asked.positions)
    options = ["setoption name UCI_Chess960 value true"]
    if asked.net:
        options.append(f"setoption name EvalFile value {asked.net.resolve()}")
    said = evaluations(asked.parley, fens, *options)
    known = [(fen, value) for fen, value in zip(fens, said) if value is not None and judged(fen)]
    if len(known) < asked.positions:
        return f"only {len(known)} positions to judge by"
    return judge(asked.parley, asked.net or CURRENT, *zip(*known[:asked.positions]))


if __name__ == "__main__":
    fault = main()
    sys.exit(f"run.py: {fault}" if fault else 0)
