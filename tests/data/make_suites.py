#!/usr/bin/env python3
"""Writes suites of perft counts anew: make_suites.py PERFT FILE.epd ...

Every count comes from the perft program. A line keeps its position and its depths; a line with
no counts gets the depths 1 to 4, as far as they are below five million. The positions of
chess960.epd are made here: all ways to set up the back rank, in alphabetical order.
"""
import itertools
import pathlib
import re
import subprocess
import sys

DEEPEST = 4
MOST_LEAVES = 5_000_000


def is_start_of_chess960(rank):
    bishops = [i for i, piece in enumerate(rank) if piece == "b"]
    rooks = [i for i, piece in enumerate(rank) if piece == "r"]
    return (bishops[0] + bishops[1]) % 2 == 1 and rooks[0] < rank.index("k") < rooks[1]


def starts_of_chess960():
    for rank in sorted(set(map("".join, itertools.permutations("rnbqkbnr")))):
        if is_start_of_chess960(rank):
            files = "".join(sorted("abcdefgh"[i] for i in range(8) if rank[i] == "r"))[::-1]
            yield f"{rank}/pppppppp/8/8/8/8/PPPPPPPP/{rank.upper()} w {files.upper()}{files} - 0 1"


def count(perft, fen, depth):
    answer = subprocess.run([perft, str(depth), fen], capture_output=True, text=True, check=True)
    return int(re.search(r"Nodes searched: (\d+)", answer.stdout)[1])


def counted(perft, line):
    fen, *known = line.split(";")
    text = fen.strip()
    depths = [int(field.split()[0][1:]) for field in known]
    for depth in depths or range(1, DEEPEST + 1):
        leaves = count(perft, text.split(" ;")[0], depth)
        if not depths and leaves > MOST_LEAVES:
            break
        text += f" ;D{depth} {leaves}"
    return text


def write_anew(perft, path):
    lines = path.read_text().splitlines()
    if path.name == "chess960.epd":
        lines = [line for line in lines if line.startswith("#")] + list(starts_of_chess960())
    lines = [line if not line or line.startswith("#") else counted(perft, line) for line in lines]
    path.write_text("\n".join(lines) + "\n")


if len(sys.argv) < 3:
    sys.exit(__doc__)
for name in sys.argv[2:]:
    write_anew(sys.argv[1], pathlib.Path(name))
