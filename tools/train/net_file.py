#!/usr/bin/env python3
"""Parley's network as the engine has it: a file of integers.

usage: net_file.py NET          say what is in a net
       net_file.py NET --fens   read a FEN from each line of the input and write what the net says
                                of it in centipawns for the side to move: in the engine's integer
                                arithmetic, and with the same weights in floating point

All numbers are little-endian. A net is a header of 64 bytes,

   0   4 bytes  "PNUE"
   4   uint32   version of the format, 3
   8   uint32   architecture, 3: (4 x 768 -> N) x 2 -> 1 x 8, squared clipped ReLU, the feature
                weights by king bucket, the output by number of pieces
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

  int16 [4 * 768][N]  feature weights of each king bucket, the N of a feature side by side
  int16 [N]           hidden biases
  int16 [8][2][N]     output weights of each output bucket, of the side to move first
  int32 [8]           output bias of each output bucket

Older files are read as if their buckets were equal. One of version 2 has architecture 2 and feature
weights [768][N] for all positions; one of version 1 has architecture 1 and, besides, one set of
output weights [2][N] and one bias. The output bucket of a position is (pieces - 2) / 4.

The feature of a piece in a perspective is 768 * king bucket + 384 * (it is the opponent's) + 64 *
type + square: types from pawn 0 to king 5, squares from a1 0 to h8 63, turned upside down for Black
and mirrored left to right when that player's own king stands on the files e to h. The king bucket
is 0 when that king stands on the files a, b, g or h of its first rank, 1 when on c to f, 2 on its
second rank and 3 beyond. The score is

  accumulator[perspective] = hidden biases + feature weights of all pieces
  v                 = the accumulator clamped to 0 ... QA
  score             = (sum over both perspectives of v * v * output weight[bucket] / QA
                       + bias[bucket]) * scale / (QA * QB)

in integers, divisions towards zero; the sum fits 32 bits, and so does the product with the scale.
"""
import dataclasses
import struct
import sys
import zlib

import numpy as np

MAGIC, VERSION, ARCHITECTURE, MIRRORED = b"PNUE", 3, 3, 1
HEADER = struct.Struct("<4s7IQ2I16x")
QA = 255
PIECE_FEATURES, KING_BUCKETS = 768, 4
FEATURES = KING_BUCKETS * PIECE_FEATURES
MAX_PIECES = 32
BUCKETS = 8
MAX_OUTPUT = 127
MAX_SUM = 1_000_000_000
MAX_PRODUCT = 2 ** 31 - 1
MAX_ACCUMULATOR = 2 ** 15 - 1


class NetError(Exception):
    """Why a net was refused."""


@dataclasses.dataclass
class Net:
    """The integers of a network."""
    qb: int
    scale: int
    run: int
    features: np.ndarray     # int16 [4 * 768][N]
    hidden_bias: np.ndarray  # int16 [N]
    output: np.ndarray       # int16 [8][2][N]
    output_bias: np.ndarray  # int32 [8]

    @property
    def width(self):
        return len(self.hidden_bias)


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
    # A king for each player and no more than 32 pieces: no accumulator goes beyond this.
    by_bucket = np.abs(rows).reshape(KING_BUCKETS, PIECE_FEATURES, -1)
    reach = np.abs(bias) + np.sort(by_bucket, axis=1)[:, -32:].sum(axis=1)
    if reach.max() > MAX_ACCUMULATOR:
        raise NetError(f"an accumulator could reach {reach.max()}, more than 16 bits hold")
    out = np.rint(qb * np.asarray(output, np.float64)).astype(np.int16)
    constant = np.rint(QA * qb * np.asarray(output_bias, np.float64)).astype(np.int32)
    return Net(qb, scale, run, rows.astype(np.int16), bias.astype(np.int16), out, constant)


def padded(array):
    data = array.tobytes()
    return data + bytes(-len(data) % 64)


def write(net):
    """The bytes of a net's file."""
    body = b"".join(padded(np.ascontiguousarray(array, kind)) for array, kind in (
        (net.features, "<i2"), (net.hidden_bias, "<i2"), (net.output, "<i2"),
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
    for kind, shape in (("<i2", (feature_sets * PIECE_FEATURES, width)), ("<i2", (width,)),
                        ("<i2", (sets, 2, width)), ("<i4", (sets,))):
        count = int(np.prod(shape))
        if at + count * int(kind[-1]) > size:
            raise NetError("too short for its width")
        arrays.append(np.frombuffer(body, kind, count, at).reshape(shape))
        at += len(padded(arrays[-1]))
    if at != size:
        raise NetError("too long for its width")
    features = np.tile(arrays[0], (KING_BUCKETS // feature_sets, 1))
    output = np.broadcast_to(arrays[2], (BUCKETS, 2, width)).copy()
    bias = np.broadcast_to(arrays[3], BUCKETS).copy()
    return Net(qb, scale, run, features, arrays[1], output, bias)


def truncated(numerator, denominator):
    """The quotient, towards zero."""
    return np.sign(numerator) * (np.abs(numerator) // denominator)


def sum_of_rows(rows, perspective):
    """For each position the sum of the rows of its features, given as in perspectives_of_fens()."""
    rows = np.vstack([rows, np.zeros_like(rows[:1])])
    total = np.zeros((len(perspective), rows.shape[1]), rows.dtype)
    for features in np.asarray(perspective).T:
        total += rows[features]
    return total


def accumulators(net, perspectives):
    """Those of both perspectives, [n][N]."""
    rows = net.features.astype(np.int32)
    return [sum_of_rows(rows, perspective) + net.hidden_bias for perspective in perspectives]


def buckets_of(perspectives):
    """The output buckets of positions [n]: each piece is one feature of a perspective."""
    return ((np.asarray(perspectives[0]) < FEATURES).sum(axis=1) - 2) // 4


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


def features_of_fen(fen):
    """The features of a position, of the side to move and of the opponent. Of a FEN it looks at
    the first two fields, and trusts them."""
    board, stm = fen.split()[:2]
    pieces = []
    for rank, row in enumerate(board.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
                continue
            pieces.append((8 * (7 - rank) + file, letter.isupper(), "pnbrqk".index(letter.lower())))
            file += 1
    perspectives = []
    for white in (stm == "w", stm != "w"):
        flip = 0 if white else 56
        king = next(square for square, is_white, kind in pieces if kind == 5 and is_white == white)
        first = PIECE_FEATURES * king_bucket(king ^ flip)
        if king % 8 >= 4:
            flip ^= 7
        perspectives.append([first + 384 * (is_white != white) + 64 * kind + (square ^ flip)
                             for square, is_white, kind in pieces])
    return perspectives


def perspectives_of_fens(fens):
    """Both perspectives of positions as arrays [n][32]: the features, and FEATURES where there are
    no more."""
    perspectives = np.full((2, len(fens), MAX_PIECES), FEATURES)
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
        print(f"({KING_BUCKETS} x 768 mirrored -> {net.width}) x 2 -> 1 x {BUCKETS}, QA {QA}, QB {net.qb}, "
              f"scale {net.scale}, run {net.run:016x}, {len(data):,} bytes")
        return 0
    for line in sys.stdin:
        try:
            perspectives = perspectives_of_fens([line])
        except (ValueError, StopIteration):
            print(f"no FEN: {line.strip()}", file=sys.stderr)
            return 1
        score = integer_scores(net, perspectives)[0][0]
        print(f"{score} {float_scores(net, perspectives)[0]:.2f} {line.strip()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
