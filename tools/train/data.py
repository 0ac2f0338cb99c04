"""The positions to learn from: game files as records in memory."""
import collections
import concurrent.futures
import hashlib
import itertools
import pathlib
import zlib

import numpy as np

from kernel import NO_RESULT, RECORD

VALIDATION = 50  # one game in 50 is for validation


class DataError(Exception):
    """Why there are no positions to train on."""


class Data:
    """Records of two kinds, to train with and to validate with, and where they come from."""

    def __init__(self, sources, records, validation, games, plies, warnings):
        self.sources = sources  # [path, bytes, their SHA-256] of each file
        self.games, self.plies, self.warnings = games, plies, warnings
        self.train, self.validation = records, validation

    def digest(self):
        return hashlib.sha256("".join(digest for _, _, digest in self.sources).encode()).hexdigest()

    def __str__(self):
        return (f"{len(self.sources)} files, {self.games:,} games, {self.plies:,} positions; "
                f"for training {len(self.train):,}, for validation {len(self.validation):,}")


class Pool:
    """One array that grows to hold records: 32 bytes a position, and no second copy of them.
    Memory that is reserved but not yet written costs nothing."""

    def __init__(self, capacity):
        self.array, self.size = np.empty(capacity, RECORD), 0

    def add(self, records):
        self.array[self.size:self.size + len(records)] = records
        self.size += len(records)

    def records(self):
        return self.array[:self.size]


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


def checksum_of(path):
    """The checksum beside a file (engine/datagen/game_file.hpp): how many bytes it covers, and
    their CRC-32. Nothing when there is none."""
    try:
        size, crc = pathlib.Path(path + ".crc").read_text().split()
        return int(size), int(crc, 16)
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise DataError(f"{path}.crc is not a checksum") from error


def checked(path):
    """The bytes of a file; refuses one that differs from its checksum. The checksum is read first:
    a run that is still writing only adds to the file."""
    checksum = checksum_of(path)
    data = pathlib.Path(path).read_bytes()
    if checksum:
        size, crc = checksum
        if len(data) < size:
            raise DataError(f"{path} is truncated: it has {len(data)} bytes, "
                            f"its checksum says {size}")
        if zlib.crc32(memoryview(data)[:size]) != crc:
            raise DataError(f"{path} is damaged: its checksum is wrong")
    return data


def ahead(pool, function, items, count):
    """Pairs of an item and its result, in order; at most `count` results are computed ahead, so
    that they do not pile up in memory."""
    rest, waiting = iter(items), collections.deque()
    for item in itertools.islice(rest, count):
        waiting.append((item, pool.submit(function, item)))
    while waiting:
        item, result = waiting.popleft()
        yield item, result.result()
        for following in itertools.islice(rest, 1):
            waiting.append((following, pool.submit(function, following)))


def load(kernel, sources, threads, smoothed=False):
    """Reads files; from a pair of a path and a number of bytes no more than those are read. A game
    that is cut off, as by a program that is writing it, ends its file with a warning. Scores are
    those that the searches found, or smoothed (decode.hpp)."""
    def read(source):
        path, size = source
        data = checked(path)[:size]
        records, decoded = kernel.decode(data, VALIDATION, smoothed)
        digest = hashlib.sha256(memoryview(data)[:decoded.bytes]).hexdigest()
        return [path, decoded.bytes, digest], records, decoded

    # A training position takes at least four bytes of a file.
    sizes = [pathlib.Path(path).stat().st_size if size is None else size for path, size in sources]
    train, validation = Pool(sum(sizes) // 4 + 1), Pool(sum(sizes) // 4 + 1)
    files, warnings = [], []
    games = plies = 0
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        for source, (found_source, found, decoded) in ahead(pool, read, sources, 2 * threads):
            files.append(found_source)
            kept_apart = found["validation"] == 1
            train.add(found[~kept_apart])
            validation.add(found[kept_apart])
            games += decoded.games
            plies += decoded.plies
            if decoded.warning:
                warnings.append(f"{source[0]}, game {decoded.games + 1}, byte {decoded.bytes}: "
                                  f"{decoded.warning.decode()}; the rest is left out")
    return Data(files, train.records(), validation.records(), games, plies, warnings)


def fitted_scale(records):
    """The K with which sigmoid(score / K) predicts the games' results best."""
    records = records[records["result"] != NO_RESULT]
    scores = np.arange(-2 ** 15, 2 ** 15)
    place = records["score"].astype(np.int64) + 2 ** 15
    count = np.bincount(place, minlength=2 ** 16)
    points = np.bincount(place, records["result"] / 2, 2 ** 16)
    scores, count, points = (array[count > 0] for array in (scores, count, points))

    def cross_entropy(scale):
        x = scores / scale
        # -log(sigmoid(x)) and -log(1 - sigmoid(x)), weighted by the points won and lost.
        return (points * np.logaddexp(0, -x) + (count - points) * np.logaddexp(0, x)).sum()

    # Golden section over the logarithm: the function falls, then rises.
    low, high = np.log(20.0), np.log(5000.0)
    part = (np.sqrt(5) - 1) / 2
    while high - low > 1e-6:
        left, right = high - part * (high - low), low + part * (high - low)
        if cross_entropy(np.exp(left)) < cross_entropy(np.exp(right)):
            high = right
        else:
            low = left
    return float(np.exp((low + high) / 2))
