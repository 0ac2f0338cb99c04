"""The positions to learn from: game files as records in memory."""
import concurrent.futures
import hashlib
import pathlib

import numpy as np

from kernel import RECORD

VALIDATION = 50  # one game in so many is kept apart to judge by


class DataError(Exception):
    """Why there is nothing to learn from."""


class Data:
    """Records of two kinds, to train with and to validate with, and where they come from."""

    def __init__(self, sources, records, games, plies, complaints):
        self.sources = sources  # [path, bytes, their SHA-256] of each file
        self.games, self.plies, self.complaints = games, plies, complaints
        self.train = gathered(records, 0)
        self.validation = gathered(records, 1)

    def digest(self):
        return hashlib.sha256("".join(digest for _, _, digest in self.sources).encode()).hexdigest()

    def __str__(self):
        return (f"{len(self.sources)} files, {self.games:,} games, {self.plies:,} positions; "
                f"to learn from: {len(self.train):,}, to judge by: {len(self.validation):,}")


def gathered(records, kind):
    """All records of a kind in one array."""
    masks = [part["validation"] == kind for part in records]
    result = np.empty(sum(int(mask.sum()) for mask in masks), RECORD)
    at = 0
    for part, mask in zip(records, masks):
        chosen = part[mask]
        result[at:at + len(chosen)] = chosen
        at += len(chosen)
    return result


def files_of(paths):
    """The game files among paths and within folders, sorted."""
    files = []
    for path in map(pathlib.Path, paths):
        if not path.exists():
            raise DataError(f"there is no {path}")
        found = sorted(path.glob("*.vf")) if path.is_dir() else [path]
        if not found:
            raise DataError(f"{path} holds no game files (*.vf); parley datagen makes them")
        files += found
    return [str(file.resolve()) for file in files]


def load(kernel, sources, threads):
    """Reads files; from a pair of a path and a number of bytes no more than those are read. A game
    that is cut off, as by a program that is writing it, ends its file with a complaint."""
    def read(source):
        path, size = source
        with open(path, "rb") as file:
            data = file.read(-1 if size is None else size)
        records, decoded = kernel.decode(data, VALIDATION)
        digest = hashlib.sha256(memoryview(data)[:decoded.bytes]).hexdigest()
        return [path, decoded.bytes, digest], records, decoded

    files, records, complaints = [], [], []
    games = plies = 0
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        for source, found, decoded in pool.map(read, sources):
            files.append(source)
            records.append(found)
            games += decoded.games
            plies += decoded.plies
            if decoded.complaint:
                complaints.append(f"{source[0]}, game {decoded.games + 1}, byte {decoded.bytes}: "
                                  f"{decoded.complaint.decode()}; the rest is left out")
    return Data(files, records, games, plies, complaints)


def fitted_scale(records):
    """The K with which sigmoid(score / K) foretells the games' results best (by cross-entropy)."""
    scores = np.arange(-2 ** 15, 2 ** 15)
    place = records["score"].astype(np.int64) + 2 ** 15
    count = np.bincount(place, minlength=2 ** 16)
    points = np.bincount(place, records["result"] / 2, 2 ** 16)
    scores, count, points = (array[count > 0] for array in (scores, count, points))

    def surprise(scale):
        x = scores / scale
        # -log(sigmoid(x)) and -log(1 - sigmoid(x)), weighted by the points won and lost.
        return (points * np.logaddexp(0, -x) + (count - points) * np.logaddexp(0, x)).sum()

    # Golden section over the logarithm: the function falls, then rises.
    low, high = np.log(20.0), np.log(5000.0)
    part = (np.sqrt(5) - 1) / 2
    while high - low > 1e-6:
        left, right = high - part * (high - low), low + part * (high - low)
        if surprise(np.exp(left)) < surprise(np.exp(right)):
            high = right
        else:
            low = left
    return float(np.exp((low + high) / 2))
