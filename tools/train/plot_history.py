#!/usr/bin/env python3
"""Draws how much stronger each network of HISTORY.md is than the hand-written evaluation.

usage: plot_history.py [PICTURE]      (default history.svg beside this script)

The Elo of a network is the sum of its row's and those of the rows above, each measured against the
network before; so the errors add up too, as the root of the sum of their squares.
"""
import argparse
import math
import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "bench"))

import chart

HISTORY, PICTURE = FOLDER / "HISTORY.md", FOLDER / "history.svg"


def elo_by_network(history):
    """(network, Elo above the hand-written evaluation, error of two standard deviations) of each
    row of a history."""
    rows, elo, variance = [], 0, 0
    for line in history.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        network = re.fullmatch(r"(\d+) \([0-9a-f]{16}\)", cells[0])
        if not network:
            continue
        gain = re.search(r"([+−])(\d+) ± (\d+)", cells[-1])
        if not gain:
            sys.exit(f"HISTORY.md: the row of net {network[1]} has no Elo")
        sign, amount, error = gain.groups()
        elo += int(amount) if sign == "+" else -int(amount)
        variance += int(error) ** 2
        rows.append((int(network[1]), elo, math.sqrt(variance)))
    return rows


def picture(history):
    """The picture, as SVG."""
    rows = elo_by_network(history)
    return chart.draw([(network, elo) for network, elo, _ in rows],
                      ("Networks against the hand-written evaluation, 8,000 or 10,000 nodes a move",
                       "network", "Elo"),
                      errors=[error for *_, error in rows])


def main():
    parser = argparse.ArgumentParser(usage="plot_history.py [PICTURE]",
                                     description=__doc__.split("\n\n", 2)[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture", nargs="?", type=Path, default=PICTURE)
    path = parser.parse_args().picture
    path.write_text(picture(HISTORY.read_text(encoding="utf-8")), encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main()
