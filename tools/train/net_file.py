#!/usr/bin/env python3
"""Parley's network as the engine has it: a file of integers.

usage: net_file.py NET          say what is in a net
       net_file.py NET --fens   read a FEN from each line of the input and write what the net says
                                of it in centipawns for the side to move: in the engine's integer
                                arithmetic, and with the same weights in floating point

All numbers are little-endian. A net is a header of 64 bytes,

   0   4 bytes  "PNUE"
   4   uint32   version of the format, 6
   8   uint32   architecture, 6: (4 x 768 + 6 x 768 + 1,488 -> N) x 2 -> 1 x 8, squared clipped
                ReLU, the weights of pieces by king bucket, those of threats by kind, those of pawn
                pairs alike for all, the output by number of pieces
  12   uint32   N, a multiple of 32
  16   uint32   QA, 255: what stands for 1 in the hidden layer
  20   uint32   QB: what stands for 1 in the output weights; the largest power of two with which
                they stay within 127
  24   uint32   scale: centipawns where the network says 1
  28   uint32   flags: bit 0, perspectives are mirrored when their king stands on the files e to h
  32   uint64   hash of the training run, its settings and its data
  40   uint32   CRC-32 of all that follows the header
  44   uint32   the number of bytes that follow it
  48   16 zeros

then these arrays, each filled up with zeros to a multiple of 64 bytes:

  int16 [4 * 768][N]  weights of the pieces for each king bucket, the N of a feature side by side
  int8  [6 * 768][N]  weights of each kind of threat, from -127 to 127
  int8  [1488][N]     weights of the pawn pairs, from -127 to 127
  int16 [N]           hidden biases
  int16 [8][2][N]     output weights of each output bucket, of the side to move first
  int32 [8]           output bias of each output bucket

Older files are read as if the threats and pawn pairs that they do not know weighed nothing and
their buckets were equal. One of version 5 has architecture 5, int16 weights of threats and no
weights of pawn pairs; one of version 4 has architecture 4 and, besides, only the weights
[2 * 768][N] of the first two kinds of threats; one of version 3 has architecture 3 and no weights
of threats; one of version 2 has architecture 2 and, besides, feature weights [768][N] for all
positions; one of version 1 has architecture 1 and, besides, one set of output weights [2][N] and
one bias. The output bucket of a position is (pieces - 2) / 4.

The feature of a piece in a perspective is 768 * king bucket + 384 * (it is the opponent's) + 64 *
type + square: types from pawn 0 to king 5, squares from a1 0 to h8 63, turned upside down for Black
and mirrored left to right when that player's own king stands on the files e to h. The king bucket
is 0 when that king stands on the files a, b, g or h of its first rank, 1 when on c to f, 2 on its
second rank and 3 beyond.

The feature of a threat is the same with 4 * 768 + 768 * kind instead of 768 * king bucket. It names
a piece, apart from the last kind, where it names a state in place of the type. There are six kinds:

  kind 0, undefended   a piece, no king, that the other side attacks and its own side does not
  kind 1, lesser       a piece that a less valuable piece of the other side attacks: a knight or
                       bishop is attacked by a pawn; a rook by a pawn, knight or bishop; a queen by
                       a pawn, knight, bishop or rook
  kind 2, outnumbered  a piece, no king, that at least two pieces of the other side attack, exactly
                       one piece of its own side does, and no less valuable one (kind 1)
  kind 3, pinned       a piece, no king, that is the only one between its own king and a bishop or
                       queen of the other side on a diagonal, or a rook or queen of the other side
                       on a rank or file
  kind 4, check        a knight, bishop, rook or queen on a square to which one of that type could
                       go and give check, safely: it attacks the square, no piece of its own side
                       stands there, and the other side's king would be attacked from there with
                       all pieces where they are. Either no piece of the other side attacks the
                       square, or only the king does and at least two pieces of the own side do.
                       Once for a type and a square, however many pieces could go there
  kind 5, passed pawn  a pawn with no pawn of the other side in front of it on its own file or a
                       neighbouring one. In place of the type stands the state of the square
                       directly in front of it: 0 occupied, 1 free and attacked by neither side,
                       2 free and attacked by the own side alone, 3 free and attacked by the other
                       side alone, 4 free and attacked by both

All pieces attack, kings and pinned ones too, up to the first piece in their way and it as well.

A pawn pair is any two pawns, of either side, on the same file or on neighbouring ones. In a
perspective a pawn has the number 48 * (it is the opponent's) + square - 8, from 0 to 95, its square
seen as above. Of a pair, hi is the larger number of its pawns and lo the other one. The 1,488 pairs
with hi > lo, files that are equal or neighbouring, and two different squares are numbered from 0 in
the order of hi, and those of the same hi in the order of lo. The feature of a pair is 4 * 768 + 6 *
768 + its number.

The score is

  accumulator[perspective] = hidden biases + feature weights of all pieces, threats and pawn pairs
  v                 = the accumulator clamped to 0 ... QA
  score             = (sum over both perspectives of v * v * output weight[bucket] / QA
                       + bias[bucket]) * scale / (QA * QB)

in integers, divisions towards zero; the sum fits 32 bits, and so does the product with the scale.
"""
import dataclasses
import itertools
import struct
import sys
import zlib

import numpy as np

MAGIC, VERSION, ARCHITECTURE, MIRRORED = b"PNUE", 6, 6, 1
HEADER = struct.Struct("<4s7IQ2I16x")
QA = 255
PIECE_FEATURES, KING_BUCKETS, THREAT_KINDS = 768, 4, 6
FIRST_THREAT = KING_BUCKETS * PIECE_FEATURES
THREAT_FEATURES = THREAT_KINDS * PIECE_FEATURES
UNDEFENDED, LESSER, OUTNUMBERED, PINNED, CHECK, PASSED = range(THREAT_KINDS)
FIRST_PAIR = FIRST_THREAT + THREAT_FEATURES
SIDE_PAWNS = 48  # squares of a side's pawns
# The pawn pairs (hi, lo) and their numbers. Eight divides 48: the file of a pawn is its number % 8.
PAIRS = {pair: number for number, pair in enumerate(
    (hi, lo) for hi in range(2 * SIDE_PAWNS) for lo in range(hi)
    if abs(hi % 8 - lo % 8) <= 1 and hi - lo != SIDE_PAWNS)}
PAIR_FEATURES = len(PAIRS)
FEATURES = FIRST_PAIR + PAIR_FEATURES
MAX_PIECES, MAX_PAWNS = 32, 16
MAX_PAIRS = MAX_PAWNS * (MAX_PAWNS - 1) // 2
# Of a position: its pieces; of kinds 0 to 2 the first two together for 30 pieces; for each king 8
# pins and 62 checks (8 by knights, 13 by bishops, 14 by rooks, 27 by queens); 16 passed pawns;
# the pawn pairs.
MAX_FEATURES = MAX_PIECES + 2 * 30 + 2 * (8 + 62) + MAX_PAWNS + MAX_PAIRS
BUCKETS = 8
MAX_OUTPUT = 127
MAX_SUM = 1_000_000_000
MAX_PRODUCT = 2 ** 31 - 1
MAX_ACCUMULATOR = 2 ** 15 - 1
MAX_BYTE = 127     # of the weights of threats and pawn pairs


class NetError(Exception):
    """Why a net was refused."""


@dataclasses.dataclass
class Net:
    """The integers of a network."""
    qb: int
    scale: int
    run: int
    features: np.ndarray     # int16 [4 * 768 + 6 * 768 + 1488][N]
    hidden_bias: np.ndarray  # int16 [N]
    output: np.ndarray       # int16 [8][2][N]
    output_bias: np.ndarray  # int32 [8]

    @property
    def width(self):
        return len(self.hidden_bias)


def architecture_of(width):
    """In words: that of a network with so many neurons."""
    return (f"({KING_BUCKETS} x {PIECE_FEATURES} mirrored + {THREAT_KINDS} x {PIECE_FEATURES} "
            f"threats + {PAIR_FEATURES:,} pawn pairs -> {width}) x 2 -> 1 x {BUCKETS}")


def largest_on_squares(rows):
    """The largest weights on each square [64][N] among those of a set of 768 rows."""
    return np.abs(rows).reshape(-1, 64, rows.shape[1]).max(axis=0)


def largest_checks(rows):
    """The most that checks from each square [64][N] add: those by a knight, by a bishop and a
    queen, or by a rook and a queen, of one side."""
    _, knight, bishop, rook, queen, _ = np.abs(rows).reshape(2, 6, 64, -1).swapaxes(0, 1)
    return np.maximum(knight, np.maximum(bishop, rook) + queen).max(axis=0)


def largest_accumulators(rows, bias):
    """What no accumulator [N] goes beyond: there are at most 32 pieces, each with a feature of its
    own and one of each kind of threat, checks from all squares, and 120 pawn pairs, each counted as
    if it had the largest weight of all."""
    sets = rows[:FIRST_PAIR].reshape(KING_BUCKETS + THREAT_KINDS, PIECE_FEATURES, -1)
    threats = sum(largest_on_squares(sets[KING_BUCKETS + kind]) for kind in range(THREAT_KINDS)
                  if kind != CHECK)
    pieces = [np.partition(largest_on_squares(set_) + threats, -MAX_PIECES, axis=0)[-MAX_PIECES:]
              .sum(axis=0) for set_ in sets[:KING_BUCKETS]]
    checks = largest_checks(sets[KING_BUCKETS + CHECK]).sum(axis=0)
    pairs = MAX_PAIRS * np.abs(rows[FIRST_PAIR:]).max(axis=0)
    return np.abs(bias) + np.max(pieces, axis=0) + checks + pairs


def output_step(largest):
    """The integer that stands for 1 in output weights of which none is larger than that."""
    return 2 ** int(np.floor(np.log2(MAX_OUTPUT / largest)))


def quantised(features, hidden_bias, output, output_bias, scale, run=0):
    """The nearest network of integers; refuses what does not fit their sizes."""
    largest = float(np.abs(output).max())
    if not all(np.isfinite(part).all() for part in (features, hidden_bias, output, output_bias)):
        raise NetError("the network holds numbers that are not finite")
    if not 2 ** -15 < largest <= MAX_OUTPUT:
        raise NetError(f"the largest output weight is {largest}: the network was not trained")
    qb = output_step(largest)
    rows = np.rint(QA * np.asarray(features, np.float64)).astype(np.int64)
    bias = np.rint(QA * np.asarray(hidden_bias, np.float64)).astype(np.int64)
    reach = largest_accumulators(rows, bias).max()
    if reach > MAX_ACCUMULATOR:
        raise NetError(f"an accumulator could reach {reach}, more than 16 bits hold")
    out = np.rint(qb * np.asarray(output, np.float64)).astype(np.int16)
    constant = np.rint(QA * qb * np.asarray(output_bias, np.float64)).astype(np.int32)
    return Net(qb, scale, run, rows.astype(np.int16), bias.astype(np.int16), out, constant)


def padded(array):
    data = array.tobytes()
    return data + bytes(-len(data) % 64)


def write(net):
    """The bytes of a net's file; refuses weights of threats and pawn pairs that a byte does not
    hold."""
    largest = int(np.abs(net.features[FIRST_THREAT:].astype(np.int32)).max())
    if largest > MAX_BYTE:
        raise NetError(f"a weight of a threat or pawn pair is {largest}, more than {MAX_BYTE}")
    body = b"".join(padded(np.ascontiguousarray(array, kind)) for array, kind in (
        (net.features[:FIRST_THREAT], "<i2"), (net.features[FIRST_THREAT:FIRST_PAIR], "<i1"),
        (net.features[FIRST_PAIR:], "<i1"), (net.hidden_bias, "<i2"), (net.output, "<i2"),
        (net.output_bias, "<i4")))
    return HEADER.pack(MAGIC, VERSION, ARCHITECTURE, net.width, QA, net.qb, net.scale, MIRRORED,
                       net.run, zlib.crc32(body), len(body)) + body


def read(data):
    """The net of a file's bytes; refuses everything else."""
    if len(data) < HEADER.size:
        raise NetError("shorter than a header")
    magic, version, architecture, width, qa, qb, scale, flags, run, crc, size = HEADER.unpack_from(
        data)
    if (magic, qa, flags) != (MAGIC, QA, MIRRORED) or not 1 <= version <= VERSION or (
            architecture != version):
        raise NetError("not a net, or of a version or architecture that is not known here")
    body = data[HEADER.size:]
    if len(body) != size:
        raise NetError(f"{len(body)} bytes follow the header, not {size}")
    if zlib.crc32(body) != crc:
        raise NetError("the checksum is wrong")
    if width == 0 or width % 32:
        raise NetError(f"a width of {width} is not a multiple of 32")
    arrays, at = [], 0
    feature_sets, sets = 1 if version < 3 else KING_BUCKETS, 1 if version < 2 else BUCKETS
    threats = PIECE_FEATURES * {4: 2, 5: THREAT_KINDS, 6: THREAT_KINDS}.get(version, 0)
    of_threats, pairs = ("<i2", 0) if version < 6 else ("<i1", PAIR_FEATURES)
    for kind, shape in (("<i2", (feature_sets * PIECE_FEATURES, width)),
                        (of_threats, (threats, width)), ("<i1", (pairs, width)),
                        ("<i2", (width,)), ("<i2", (sets, 2, width)), ("<i4", (sets,))):
        count = int(np.prod(shape))
        if at + count * int(kind[-1]) > size:
            raise NetError("too short for its width")
        arrays.append(np.frombuffer(body, kind, count, at).reshape(shape))
        at += len(padded(arrays[-1]))
    if at != size:
        raise NetError("too long for its width")
    features = np.zeros((FEATURES, width), "<i2")
    features[:FIRST_THREAT] = np.tile(arrays[0], (KING_BUCKETS // feature_sets, 1))
    features[FIRST_THREAT:FIRST_THREAT + threats] = arrays[1]
    features[FIRST_PAIR:FIRST_PAIR + pairs] = arrays[2]
    output = np.broadcast_to(arrays[4], (BUCKETS, 2, width)).copy()
    bias = np.broadcast_to(arrays[5], BUCKETS).copy()
    return Net(qb, scale, run, features, arrays[3], output, bias)


def truncated(numerator, denominator):
    """The quotient, towards zero."""
    return np.sign(numerator) * (np.abs(numerator) // denominator)


def sum_of_rows(rows, perspective):
    """For each position the sum of the rows of its features, given as in perspectives_of_fens()."""
    rows = np.vstack([rows, np.zeros_like(rows[:1])])
    total = np.zeros((len(perspective), rows.shape[1]), rows.dtype)
    for features in np.asarray(perspective).T:
        if features.min(initial=FEATURES) < FEATURES:
            total += rows[features]
    return total


def accumulators(net, perspectives):
    """Those of both perspectives, [n][N]."""
    rows = net.features.astype(np.int32)
    return [sum_of_rows(rows, perspective) + net.hidden_bias for perspective in perspectives]


def buckets_of(perspectives):
    """The output buckets of positions [n]: each piece is one feature of a perspective, apart from
    its threats and pawn pairs."""
    return ((np.asarray(perspectives[0]) < FIRST_THREAT).sum(axis=1) - 2) // 4


def integer_scores(net, perspectives):
    """What the engine computes: the scores, the sums of all that is added for each of them without
    regard to its sign, and the products of the last step."""
    total = np.zeros(len(perspectives[0]), np.int64)
    gross = np.zeros(len(perspectives[0]), np.int64)
    bucket = buckets_of(perspectives)
    for perspective, accumulator in enumerate(accumulators(net, perspectives)):
        v = np.clip(accumulator, 0, QA)
        products = v * v * net.output[bucket, perspective].astype(np.int64)
        total += products.sum(axis=1)
        gross += np.abs(products).sum(axis=1)
    product = (truncated(total, QA) + net.output_bias[bucket].astype(np.int64)) * net.scale
    return truncated(product, QA * net.qb), gross, product


def float_scores(net, perspectives):
    """The same with the net's weights taken for fractions, in floating point."""
    bucket = buckets_of(perspectives)
    total = net.output_bias[bucket] / (QA * net.qb)
    for number, perspective in enumerate(perspectives):
        rows = net.features.astype(np.float64)
        accumulator = sum_of_rows(rows, perspective) + net.hidden_bias
        v = np.clip(accumulator / QA, 0, 1)
        total += (v * v * (net.output[bucket, number] / net.qb)).sum(axis=1)
    return total * net.scale


def king_bucket(square):
    """That of a perspective whose king stands on a square, as that player sees it."""
    rank, file = divmod(square, 8)
    return min(rank + 1, 3) if rank else int(2 <= file <= 5)


STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
KNIGHT = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
# The ranks and files that a piece of each type steps; of pawns only those of White.
STEPS = [[(1, -1), (1, 1)], KNIGHT, DIAGONAL, STRAIGHT, STRAIGHT + DIAGONAL, STRAIGHT + DIAGONAL]
VALUES = [0, 1, 1, 2, 3, 4]  # of each type; only their order matters


def attacked_from(pieces, square):
    """The squares that the piece on a square attacks; `pieces` has the others by their squares."""
    white, kind = pieces[square]
    for rank_step, file_step in STEPS[kind]:
        if kind == 0 and not white:
            rank_step = -rank_step
        rank, file = divmod(square, 8)
        for _ in range(7 if kind in (2, 3, 4) else 1):
            rank, file = rank + rank_step, file + file_step
            if not (0 <= rank < 8 and 0 <= file < 8):
                break
            yield 8 * rank + file
            if 8 * rank + file in pieces:
                break


def attackers_in(pieces):
    """The pieces of each side that attack each square: their types by (square, white)."""
    attackers = {(square, white): [] for square in range(64) for white in (False, True)}
    for square, (white, kind) in pieces.items():
        for attacked in attacked_from(pieces, square):
            attackers[attacked, white].append(kind)
    return attackers


def piece_threats(pieces, attackers):
    """Pieces that are undefended, attacked by a lesser one, or outnumbered."""
    for square, (white, kind) in pieces.items():
        friends, foes = attackers[square, white], attackers[square, not white]
        if kind == 5 or not foes:
            continue
        if not friends:
            yield UNDEFENDED, white, kind, square
        if any(VALUES[foe] < VALUES[kind] for foe in foes):
            yield LESSER, white, kind, square
        elif len(foes) > 1 and len(friends) == 1:
            yield OUTNUMBERED, white, kind, square


def king_of(pieces, white):
    return next(square for square, piece in pieces.items() if piece == (white, 5))


def pinned_pieces(pieces, white):
    """A side's pieces that are pinned to its king."""
    for steps, sliders in ((DIAGONAL, (2, 4)), (STRAIGHT, (3, 4))):
        for rank_step, file_step in steps:
            rank, file = divmod(king_of(pieces, white), 8)
            line = [8 * (rank + i * rank_step) + file + i * file_step for i in range(1, 8)
                    if 0 <= rank + i * rank_step < 8 and 0 <= file + i * file_step < 8]
            first, second = ([square for square in line if square in pieces] + [None, None])[:2]
            if second is None or pieces[first][0] != white:
                continue
            if pieces[second][0] != white and pieces[second][1] in sliders:
                yield PINNED, white, pieces[first][1], first


def safe_checks(pieces, attackers, white):
    """The checks that a side could give without losing the piece."""
    king = king_of(pieces, not white)
    for kind in range(1, 5):
        for square in attacked_from({**pieces, king: (not white, kind)}, king):
            ours, theirs = attackers[square, white], attackers[square, not white]
            safe = not theirs or theirs == [5] and len(ours) > 1
            free = square not in pieces or pieces[square][0] != white
            if kind in ours and safe and free:
                yield CHECK, white, kind, square


def passed_pawns(pieces, attackers):
    """Passed pawns and the states of the squares in front of them."""
    for square, (white, kind) in pieces.items():
        forward = 8 if white else -8
        ahead = range(square + forward, 64 if white else -1, forward)
        if kind or any(pieces.get(other + side) == (not white, 0) for other in ahead
                       for side in (-1, 0, 1) if 0 <= square % 8 + side < 8):
            continue
        front = square + forward
        state = 0 if front in pieces else (1 + bool(attackers[front, white])
                                           + 2 * bool(attackers[front, not white]))
        yield PASSED, white, state, square


def threats_of(pieces):
    """The threats of a position: of each the kind, whether what it names is White's, its type or
    state, and its square. `pieces` has by their squares whether they are White's, and their
    types."""
    attackers = attackers_in(pieces)
    threats = [*piece_threats(pieces, attackers), *passed_pawns(pieces, attackers)]
    for white in (True, False):
        threats += [*pinned_pieces(pieces, white), *safe_checks(pieces, attackers, white)]
    return sorted(threats, key=lambda threat: threat[0])


def pawn_pairs(pieces, white, flip):
    """The numbers of a position's pawn pairs in a perspective, which sees squares with `flip`."""
    pawns = [SIDE_PAWNS * (owner != white) + (square ^ flip) - 8
             for square, (owner, kind) in pieces.items() if kind == 0]
    pairs = itertools.combinations(sorted(pawns, reverse=True), 2)
    return [PAIRS[pair] for pair in pairs if pair in PAIRS]


def features_of_fen(fen):
    """The features of a position, of the side to move and of the opponent: of its pieces, then of
    its threats, and then of its pawn pairs. Of a FEN it looks at the first two fields, and trusts
    them."""
    board, stm = fen.split()[:2]
    pieces = {}
    for rank, row in enumerate(board.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
                continue
            pieces[8 * (7 - rank) + file] = letter.isupper(), "pnbrqk".index(letter.lower())
            file += 1
    threats = threats_of(pieces)
    perspectives = []
    for white in (stm == "w", stm != "w"):
        flip = 0 if white else 56
        king = king_of(pieces, white)
        first = PIECE_FEATURES * king_bucket(king ^ flip)
        if king % 8 >= 4:
            flip ^= 7
        perspectives.append(
            [first + 384 * (owner != white) + 64 * kind + (square ^ flip)
             for square, (owner, kind) in pieces.items()]
            + [FIRST_THREAT + PIECE_FEATURES * threat + 384 * (owner != white) + 64 * kind
               + (square ^ flip) for threat, owner, kind, square in threats]
            + [FIRST_PAIR + pair for pair in pawn_pairs(pieces, white, flip)])
    return perspectives


def perspectives_of_fens(fens):
    """Both perspectives of positions as arrays [n][368]: the features, and FEATURES where there are
    no more."""
    perspectives = np.full((2, len(fens), MAX_FEATURES), FEATURES)
    for number, fen in enumerate(fens):
        for perspective, features in zip(perspectives, features_of_fen(fen)):
            perspective[number, :len(features)] = features
    return perspectives


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--fens"]):
        print(__doc__.split("\n\nAll numbers")[0])
        return 2
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    try:
        net = read(data)
    except NetError as error:
        print(f"{sys.argv[1]}: {error}", file=sys.stderr)
        return 1
    if len(sys.argv) == 2:
        print(f"{architecture_of(net.width)}, QA {QA}, QB {net.qb}, scale {net.scale}, "
              f"run {net.run:016x}, {len(data):,} bytes")
        return 0
    for line in sys.stdin:
        try:
            perspectives = perspectives_of_fens([line])
        except (KeyError, StopIteration, ValueError):
            print(f"no FEN: {line.strip()}", file=sys.stderr)
            return 1
        score = integer_scores(net, perspectives)[0][0]
        print(f"{score} {float_scores(net, perspectives)[0]:.2f} {line.strip()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
