#!/usr/bin/env python3
"""Whether the engine says what its network says: the weights of the file, taken for fractions, in
floating point, on positions that are read anew here. Nothing of the engine's or the trainer's is
used for that but the file's description, in tools/train/net_file.py. Beside the program's network
it takes one that is drawn by lot, so that all inputs count. And whether just those networks are
refused that could overflow.

usage: run.py PARLEY [--net FILE] [--positions N]

  --net FILE       only a network to be read as EvalFile
  --positions N    from the project's EPDs and from games by chance   (default 600; 10000 take a
                   minute)

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
GAMES = 100         # by chance, side by side, at most
PLIES = 60          # of them that are wanted: threats are few at first
LONGEST = 160       # plies of them
CONSTANT = 20_000   # what a network says of every position, to measure how scores are normalised


class Network:
    """The weights of a file as fractions."""

    def __init__(self, data):
        magic, version, _, width, qa, qb, self.scale, _, _, crc, size = struct.unpack_from(HEADER,
                                                                                           data)
        self.king_buckets = 1 if version < 3 else 4
        self.sets = 1 if version == 1 else 8
        kinds = {4: 2, 5: 6, 6: 6}.get(version, 0)
        threat, pairs = ("<i2", 0) if version < 6 else ("<i1", len(PAWN_PAIRS))
        body = data[struct.calcsize(HEADER):]
        assert magic == b"PNUE" and len(body) == size and zlib.crc32(body) == crc
        self.width, at, arrays = width, 0, []
        for kind, length, unit in (("<i2", self.king_buckets * 768 * width, qa),
                                   (threat, kinds * 768 * width, qa),
                                   ("<i1", pairs * width, qa), ("<i2", width, qa),
                                   ("<i2", self.sets * 2 * width, qb), ("<i4", self.sets, qa * qb)):
            arrays.append(np.frombuffer(body, kind, length, at).astype(np.float64) / unit)
            at += -(-length * int(kind[2]) // 64) * 64
        assert at == size
        self.rows, self.threats = (part.reshape(-1, 768, width) for part in arrays[:2])
        self.pairs, self.bias = arrays[2].reshape(-1, width), arrays[3]
        self.output, self.output_bias = arrays[4].reshape(self.sets, 2, width), arrays[5]

    def says(self, board, white_moves):
        """The score in centipawns for the player to move."""
        bucket = (len(board) - 2) // 4 if self.sets > 1 else 0
        total = float(self.output_bias[bucket])
        threats = threats_on(board)
        for white, weights in zip((white_moves, not white_moves), self.output[bucket]):
            rows = self.rows[king_bucket(board, white) if self.king_buckets > 1 else 0]
            hidden = rows[perspective_of(board, white, board)].sum(axis=0) + self.bias
            for kind, rows in enumerate(self.threats):
                hidden += rows[perspective_of(board, white, threats[kind])].sum(axis=0)
            if len(self.pairs):
                hidden += self.pairs[pawn_pairs_on(board, white)].sum(axis=0)
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


def perspective_of(board, white, named):
    """The inputs that pieces, or what threats name in their place, switch on in a player's
    perspective; a state in front of a passed pawn is given as the letter of that number."""
    king = next(file for letter, file, _ in board if letter == ("K" if white else "k"))
    inputs = []
    for letter, file, rank in named:
        foreign = letter.isupper() != white
        inputs.append(384 * foreign + 64 * LETTERS.index(letter.lower())
                      + 8 * (rank if white else 7 - rank) + (7 - file if king >= 4 else file))
    return inputs


LETTERS = "pnbrqk"
WORTH = {"p": 1, "n": 2, "b": 2, "r": 3, "q": 4, "k": 9}
SQUARES = [(file, rank) for file in range(8) for rank in range(8)]
# Pawns (foreign, rank, file) as a player sees them, and the numbers of the pairs (hi, lo) of them.
PAWNS = [(foreign, rank, file) for foreign in (0, 1) for rank in range(1, 7) for file in range(8)]
PAWN_PAIRS = {pair: number for number, pair in enumerate(
    (hi, lo) for place, hi in enumerate(PAWNS) for lo in PAWNS[:place]
    if hi[1:] != lo[1:] and hi[2] - lo[2] in (-1, 0, 1))}


def reaches(letter, start, target, taken):
    """Whether a piece attacks a square from another one, with pieces on the squares taken."""
    x, y = target[0] - start[0], target[1] - start[1]
    near, far = sorted((abs(x), abs(y)))
    if letter in "pP":
        return abs(x) == 1 and y == (1 if letter == "P" else -1)
    if letter in "nN":
        return (near, far) == (1, 2)
    straight, diagonal = near == 0 < far, near == far > 0
    if not {"b": diagonal, "r": straight}.get(letter.lower(), straight or diagonal):
        return False
    if letter in "kK":
        return far == 1
    return all((start[0] + i * x // far, start[1] + i * y // far) not in taken
               for i in range(1, far))


def attackers_on(board):
    """By (square, white): the letters of a player's pieces that attack a square."""
    taken = {(file, rank) for _, file, rank in board}
    return {(square, white): "".join(
        letter for letter, *start in board
        if letter.isupper() == white and reaches(letter, start, square, taken)).lower()
        for square in SQUARES for white in (False, True)}


def is_threatened(piece, kind, attackers):
    """Whether a piece is attacked and not defended (0), attacked by a lesser one (1), or attacked
    twice and defended once and not attacked by a lesser one (2)."""
    letter, *square = piece
    white = letter.isupper()
    against, defenders = attackers[tuple(square), not white], attackers[tuple(square), white]
    lesser = any(WORTH[other] < WORTH[letter.lower()] for other in against)
    if letter in "kK" or not against:
        return False
    return (not defenders, lesser, not lesser and len(against) >= 2 and len(defenders) == 1)[kind]


def is_pinned(board, piece):
    """Whether this piece alone keeps a slider of the other side from attacking the king."""
    letter, *square = piece
    if letter in "kK":
        return False
    taken = {(file, rank) for _, file, rank in board}
    king = next((file, rank) for other, file, rank in board if other == "kK"[letter.isupper()])
    return any(not reaches(other, start, king, taken)
               and reaches(other, start, king, taken - {tuple(square)})
               for other, *start in board
               if other.lower() in "brq" and other.isupper() != letter.isupper())


def checks_on(board, attackers, white):
    """The checks that a player could give safely, as pieces on the squares to give them from."""
    pieces = {(file, rank): letter for letter, file, rank in board}
    king = next(square for square, letter in pieces.items() if letter == "Kk"[white])
    checks = []
    for square in SQUARES:
        own, others = attackers[square, white], attackers[square, not white]
        if square in pieces and pieces[square].isupper() == white:
            continue
        if others == "" or others == "k" and len(own) >= 2:
            checks += [(letter.upper() if white else letter, *square) for letter in "nbrq"
                       if letter in own and reaches(letter, square, king, pieces)]
    return checks


def passed_pawns_on(board, attackers, white):
    """A player's passed pawns, with the letter of the number of the state in front of them."""
    pawns = []
    for letter, file, rank in board:
        up = 1 if white else -1
        if letter != "pP"[white] or any(other == "Pp"[white] and abs(its_file - file) <= 1
                                        and (its_rank - rank) * up > 0
                                        for other, its_file, its_rank in board):
            continue
        front = file, rank + up
        state = 1 + (attackers[front, white] != "") + 2 * (attackers[front, not white] != "")
        state = LETTERS[0 if any(front == (x, y) for _, x, y in board) else state]
        pawns.append((state.upper() if white else state, file, rank))
    return pawns


def threats_on(board):
    """What the threats name, for each kind."""
    attackers = attackers_on(board)
    both = (False, True)
    return [*([piece for piece in board if is_threatened(piece, kind, attackers)]
              for kind in range(3)),
            [piece for piece in board if is_pinned(board, piece)],
            [check for white in both for check in checks_on(board, attackers, white)],
            [pawn for white in both for pawn in passed_pawns_on(board, attackers, white)]]


def pawn_pairs_on(board, white):
    """The numbers of the pawn pairs in a player's perspective."""
    pawns = []
    for number in perspective_of(board, white, [piece for piece in board if piece[0] in "pP"]):
        foreign, square = divmod(number, 384)
        pawns.append((foreign, square // 8, square % 8))
    return [PAWN_PAIRS[hi, lo] for hi in pawns for lo in pawns if (hi, lo) in PAWN_PAIRS]


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


def random_net():
    """A network drawn by lot, in which all inputs count."""
    chance, width = np.random.default_rng(1), 64
    rows = chance.normal(0, 12, (net_file.FEATURES, width))
    rows[net_file.FIRST_THREAT:] *= 2
    limits = np.repeat([440, 48, 36], [net_file.FIRST_THREAT, net_file.THREAT_FEATURES,
                                       net_file.PAIR_FEATURES])[:, None]
    parts = (np.clip(rows, -limits, limits), chance.uniform(20, 150, width),
             chance.uniform(-60, 60, (8, 2, width)), chance.uniform(-500, 500, 8))
    units = net_file.QA, net_file.QA, 64, 64 * net_file.QA
    return net_file.quantised(*(part / unit for part, unit in zip(parts, units)), 400)


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
        games = [[f"position fen {chance.choice(starts)} moves"]
                 for _ in range(min(count // PLIES + 1, GAMES))]
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


def judge(network_name, data, unit, known):
    """Compares what was said of positions with what the network says; what is wrong, or None."""
    network, (fens, said) = Network(data), zip(*known)
    said = np.array(said, np.float64)
    exact = np.array([network.says(read_board(fen), fen.split()[1] == "w") for fen in fens])
    errors = np.abs(np.rint(said * unit) - exact)
    print(f"{network_name}, {network.width} neurons, {len(fens)} positions: whole numbers and "
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


def limit_fault(parley, path):
    """Whether the engine refuses just those networks whose accumulators could overflow."""
    net = random_net()
    reach = net_file.largest_accumulators(net.features.astype(int), net.hidden_bias.astype(int))
    neuron = int(reach.argmax())
    net.hidden_bias[neuron] += net_file.MAX_ACCUMULATOR - reach[neuron]
    for beyond in (0, 1):
        net.hidden_bias[neuron] += beyond
        path.write_bytes(net_file.write(net))
        said = converse(parley, [f"setoption name EvalFile value {path}"])
        if any("could overflow" in line for line in said) != bool(beyond):
            return f"a network whose accumulators reach {net_file.MAX_ACCUMULATOR + beyond}: {said}"
    return None


def check(parley, net, fens, count):
    """Judges so many positions by a network's file, None: the one in the program."""
    options = ["setoption name UCI_Chess960 value true"]
    if net:
        options.append(f"setoption name EvalFile value {net.resolve()}")
    said = zip(fens, evaluations(parley, fens, *options))
    known = [(fen, value) for fen, value in said if value is not None and judged(fen)]
    if len(known) < count:
        return f"only {len(known)} positions to judge by"
    net = net or CURRENT
    return judge(net.name, net.read_bytes(), unit_of(parley), known[:count])


def main():
    parser = argparse.ArgumentParser(usage="run.py PARLEY [--net FILE] [--positions N]")
    parser.add_argument("parley")
    parser.add_argument("--net", type=pathlib.Path)
    parser.add_argument("--positions", type=int, default=600)
    asked = parser.parse_args()
    fens = positions(asked.parley, asked.positions)
    if asked.net:
        return check(asked.parley, asked.net, fens, asked.positions)
    with tempfile.TemporaryDirectory(prefix="parley-network-") as folder:
        path = pathlib.Path(folder) / "random.nnue"
        path.write_bytes(net_file.write(random_net()))
        return (check(asked.parley, None, fens, asked.positions)
                or check(asked.parley, path, fens, asked.positions)
                or limit_fault(asked.parley, path))


if __name__ == "__main__":
    fault = main()
    sys.exit(f"run.py: {fault}" if fault else 0)
