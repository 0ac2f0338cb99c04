"""What the trainer computes in C++: reading games, shuffling them, and the network's gradient."""
import ctypes
import pathlib
import shutil
import subprocess

import numpy as np

import net_file

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = pathlib.Path(__file__).resolve().parent

# train::no_result and train::Record of record.hpp, field by field.
NO_RESULT = 3
RECORD = np.dtype([("occupied", "<u8"), ("pieces", "u1", 16), ("score", "<i2"), ("result", "u1"),
                   ("validation", "u1"), ("king", "u1"), ("opponents_king", "u1"),
                   ("unused", "u1", 2)])
assert RECORD.itemsize == 32


class Decoding(ctypes.Structure):
    """train::Decoding of decode.hpp."""
    _fields_ = [("one_in", ctypes.c_int64), ("scores", ctypes.c_int32)]


class Decoded(ctypes.Structure):
    """train::Decoded of decode.hpp."""
    _fields_ = [("games", ctypes.c_int64), ("plies", ctypes.c_int64), ("records", ctypes.c_int64),
                ("bytes", ctypes.c_int64), ("warning", ctypes.c_char * 256)]


class Batch(ctypes.Structure):
    """train::Batch of gradient.hpp."""
    _fields_ = [("records", ctypes.c_void_p), ("numbers", ctypes.c_void_p),
                ("count", ctypes.c_int64), ("parameters", ctypes.c_void_p),
                ("gradient", ctypes.c_void_p), ("outputs", ctypes.c_void_p),
                ("wdl", ctypes.c_float), ("scale", ctypes.c_float)]


class KernelError(Exception):
    """Why there is no library to compute with."""


def build():
    """Builds the library where it is missing or older than its sources, and says where it is."""
    folder = ROOT / "build" / "train"
    if not shutil.which("cmake"):
        raise KernelError("the trainer's C++ part needs to be built, and there is no cmake")
    commands = [["cmake", "--build", folder, "--target", "train_kernel"]]
    if not (folder / "CMakeCache.txt").exists():
        commands.insert(0, ["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
                            "-DPARLEY_SERVER=OFF", "-DPARLEY_TESTS=OFF"])
        print(f"building the trainer's C++ part in {folder}", flush=True)
    for command in commands:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise KernelError(f"building the trainer's C++ part failed:\n{done.stdout}")
    return folder / "train_kernel.so"


def pointer(array):
    assert array.flags["C_CONTIGUOUS"]
    return array.ctypes.data


class Kernel:
    """The library."""

    def __init__(self, path=None):
        path = pathlib.Path(path or build()).resolve()
        try:
            self.native = ctypes.CDLL(str(path))
        except OSError as error:
            raise KernelError(f"the trainer's C++ part cannot be loaded: {error}") from error
        lib, p, i64, i32 = self.native, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int
        for name, result, arguments in (
                ("train_decode", None, [p, i64, p, p, p]),
                ("train_read_fen", ctypes.c_bool, [ctypes.c_char_p, p]),
                ("train_features", i32, [p, p, p]),
                ("train_draw", None, [ctypes.c_uint64, i64, i64, i64, p]),
                ("train_open", p, [i32, i32, i32]),
                ("train_run", ctypes.c_double, [p, p]),
                ("train_close", None, [p])):
            function = getattr(lib, name)
            function.restype, function.argtypes = result, arguments

    def decode(self, data, one_in, smoothed=False):
        """The training positions of a file's bytes as records, and what was found beside them.
        Their scores are those that the searches found, or smoothed (decode.hpp)."""
        records = np.empty(len(data) // 4 + 1, RECORD)
        decoding = Decoding(one_in=one_in, scores=1 if smoothed else 0)
        decoded = Decoded()
        self.native.train_decode(data, len(data), ctypes.addressof(decoding), pointer(records),
                                 ctypes.addressof(decoded))
        return records[:decoded.records].copy(), decoded

    def record_of(self, fen):
        """The record of a FEN, as an array of one; None when it is none."""
        record = np.empty(1, RECORD)
        return record if self.native.train_read_fen(fen.encode(), pointer(record)) else None

    def features(self, record):
        """The features of a record, of pieces, then of threats, and then of pawn pairs: of the side
        to move, and of the opponent."""
        perspectives = np.empty((2, net_file.MAX_FEATURES), np.uint16)
        count = self.native.train_features(pointer(record), pointer(perspectives[0]),
                                           pointer(perspectives[1]))
        return perspectives[0, :count].tolist(), perspectives[1, :count].tolist()

    def draw(self, seed, size, first, count):
        """Which of `size` records come at these places of an endless sequence of shufflings."""
        numbers = np.empty(count, np.int64)
        self.native.train_draw(seed, size, first, count, pointer(numbers))
        return numbers


class Network:
    """Runs records through a network in the kernel. Its parameters are one array of 9185 * width +
    8 numbers: see gradient.hpp."""

    def __init__(self, kernel, width, threads=1, shares=4):
        self.kernel = kernel
        self.handle = kernel.native.train_open(width, threads, shares)

    def __del__(self):
        if getattr(self, "handle", None):
            self.kernel.native.train_close(self.handle)

    def _run(self, records, numbers, **members):
        batch = Batch(records=pointer(records), numbers=pointer(numbers), count=len(numbers),
                      **members)
        return self.kernel.native.train_run(self.handle, ctypes.addressof(batch))

    def loss(self, records, numbers, parameters, target, gradient=None):
        """The mean loss; its derivatives are written into `gradient` when there is one."""
        return self._run(records, numbers, parameters=pointer(parameters),
                         gradient=None if gradient is None else pointer(gradient),
                         wdl=target.wdl, scale=target.scale)

    def outputs(self, records, numbers, parameters):
        """What the network says of each record."""
        out = np.empty(len(numbers), np.float32)
        self._run(records, numbers, parameters=pointer(parameters), outputs=pointer(out), scale=1)
        return out
