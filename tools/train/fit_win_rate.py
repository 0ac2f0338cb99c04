#!/usr/bin/env python3
"""Fits what scores mean in games: engine/wdl.cpp has what this prints.

With m the material on the board, pawns 1, knights and bishops 3, rooks 5, queens 9, both sides
together, and x the score in the engine's own centipawns,

    win  = sigmoid((x - a(m)) / b(m))
    loss = sigmoid((-x - a(m)) / b(m))

and the rest is drawn. a and b are polynomials of m / 58; a score of a(m) wins every second game.
The most likely ones are found by gradient (L-BFGS).
"""
import argparse
import os
import sys

try:
    import numpy as np
    import torch
except ImportError as missing:
    sys.exit(f"fit_win_rate.py needs {missing.name}; on Debian, /usr/bin/python3 has it after\n"
             "  apt install python3-torch")

import data
import kernel

MIDDLEGAME = 58                     # material at which the polynomials' sum of coefficients counts
MIN_MATERIAL, MAX_MATERIAL = 10, 78            # material between which the model is fitted and used
DEGREE = 3
VALUES = np.array([1, 3, 3, 5, 9, 0, 5, 0], np.int64)  # by viriformat's piece codes, 6 a rook


def material_of(records):
    codes = records["pieces"][:, :, None] >> np.array([0, 4], np.uint8) & 7
    count = np.array([bin(occupied).count("1") for occupied in range(256)], np.uint8)
    occupied = np.ascontiguousarray(records["occupied"]).view(np.uint8).reshape(-1, 8)
    pieces = count[occupied].sum(axis=1)
    present = np.arange(32) < pieces[:, None]
    return (VALUES[codes.reshape(-1, 32)] * present).sum(axis=1)


def tally(records):
    """Positions of the same score (in steps of 4 cp), material and result, counted."""
    records = records[records["result"] != kernel.NO_RESULT]
    score = np.clip(np.rint(records["score"] / 4), -1000, 1000).astype(np.int64)
    material = np.clip(material_of(records), MIN_MATERIAL, MAX_MATERIAL)
    key = ((score + 1000) * 128 + material) * 3 + records["result"]
    counts = np.bincount(key)
    key = np.nonzero(counts)[0]
    return ((key // 3 // 128 - 1000) * 4.0, (key // 3 % 128) / MIDDLEGAME, key % 3, counts[key])


def chances(parameters, score, material):
    powers = torch.stack([material ** i for i in range(DEGREE + 1)], 1)
    a, b = 100 * powers @ parameters[0], 100 * powers @ parameters[1]
    return torch.sigmoid((score - a) / b), torch.sigmoid((-score - a) / b)


def fit(score, material, result, counts):
    score, material, counts = (torch.tensor(array, dtype=torch.float64)
                               for array in (score, material, counts))
    result = torch.tensor(result)
    start = torch.zeros(2, DEGREE + 1, dtype=torch.float64)
    start[:, 0] = torch.tensor([2.0, 1.0])
    parameters = start.requires_grad_()
    optimiser = torch.optim.LBFGS([parameters], max_iter=500, line_search_fn="strong_wolfe",
                                  tolerance_grad=1e-10, tolerance_change=1e-12)

    def closure():
        optimiser.zero_grad()
        win, loss = chances(parameters, score, material)
        likely = torch.where(result == 2, win, torch.where(result == 0, loss, 1 - win - loss))
        cross_entropy = -(counts * likely.clamp(min=1e-9).log()).sum() / counts.sum()
        cross_entropy.backward()
        return cross_entropy

    optimiser.step(closure)
    return 100 * parameters.detach().numpy(), float(closure())


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER", help="of game files (*.vf)")
    parser.add_argument("--kernel", metavar="FILE", help="a built C++ part to use, instead of building it")
    arguments = parser.parse_args()
    try:
        sources = [(path, None) for path in data.files_of(arguments.folders)]
        read = data.load(kernel.Kernel(arguments.kernel), sources, os.cpu_count())
    except (data.DataError, kernel.KernelError, OSError) as error:
        sys.exit(f"fit_win_rate.py: {error}")
    print(read, *read.warnings, sep="\n  ")
    parameters, cross_entropy = fit(*tally(np.concatenate([read.train, read.validation])))
    for name, row in zip("ab", parameters):
        print(f"{name}: " + ", ".join(f"{number:.2f}" for number in row))
    print(f"cross-entropy {cross_entropy:.4f}; a score that wins every second game, by material:")
    for material in (10, 17, 24, 32, 40, 48, 58, 68, 78):
        a, b = (np.polyval(row[::-1], material / MIDDLEGAME) for row in parameters)
        print(f"  {material:2d}: {a:5.0f} +- {b:.0f}")


if __name__ == "__main__":
    main()
