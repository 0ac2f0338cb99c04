"""Parley as a ChenServer, over pipes and over the network, for the tests of that protocol.

Texts are bytes as latin-1, so that every byte can be distinguished. Every wait ends.
"""
import collections
import json
import os
import random
import resource
import select
import signal
import socket
import struct
import subprocess
import tempfile
import time

from harness import SANITIZER, Failure, Skip, check, shortened, written_to

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "chenserver")
START_STATUS = "* rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def recorded(name):
    """The pairs of a file with one JSON object in each line."""
    with open(os.path.join(DATA, name), encoding="ascii") as file:
        return [json.loads(line) for line in file]


class Program:
    """One process. It ends in order, says nothing a sanitizer would say, and is known to the
    test's Starter."""

    def __init__(self, start, arguments, **pipes):
        self.slow = start.slow
        self.transcript = collections.deque(maxlen=400)
        self.last_errors = ""
        self._errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([start.command, *arguments], stderr=self._errors,
                                        bufsize=0, **pipes)
        start.engines.append(self)

    def note(self, mark, text):
        self.transcript.append(f"{mark} {shortened(repr(text)[1:-1])}")

    def errors(self):
        return written_to(self._errors).strip()

    def status(self, within=5.0):
        try:
            return self.process.wait(within * self.slow)
        except subprocess.TimeoutExpired:
            raise Failure(f"still running after {within * self.slow:g} s") from None

    def ends_well(self, within=5.0):
        status = self.status(within)
        errors = self.errors()
        check(status == 0, f"exit status {status}, stderr: {shortened(errors, 2000)}")
        check(not SANITIZER.search(errors), f"on stderr: {shortened(errors, 4000)}")

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.last_errors = self.errors()[-2000:]
        for stream in (self.process.stdin, self.process.stdout, self._errors):
            if stream:
                stream.close()

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def resident_kb(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))


class Session(Program):
    """`parley -s`: one answer for each line."""

    def __init__(self, start, *arguments, cwd=None):
        super().__init__(start, arguments or ("-s",), stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, cwd=cwd)
        self._unread = b""

    def send(self, *commands):
        data = b"".join(command.encode("latin-1") + b"\n" for command in commands)
        for command in commands:
            self.note(">", command)
        self.process.stdin.write(data)

    def _read(self, within):
        """Reads something; False when nothing came in time or will come."""
        if not select.select([self.process.stdout], [], [], within)[0]:
            return False
        data = os.read(self.process.stdout.fileno(), 1 << 16)
        self._unread += data
        return data != b""

    def answer(self, within=10.0):
        """The next answer."""
        until = time.monotonic() + within * self.slow
        while b"\n" not in self._unread:
            if not self._read(max(0, until - time.monotonic())):
                raise Failure(f"no answer within {within * self.slow:g} s")
        line, self._unread = self._unread.split(b"\n", 1)
        text = line.decode("latin-1")
        self.note("<", text)
        return text

    def ask(self, command, within=10.0):
        self.send(command)
        return self.answer(within)

    def expect(self, script):
        """Asks commands and compares the answers."""
        for command, wanted in script:
            said = self.ask(command)
            check(said == wanted, f"{command!r}: {shortened(said)!r} instead of "
                                  f"{shortened(wanted)!r}")

    def check_silent(self, seconds):
        check(not self._unread and not self._read(seconds), f"it says {self._unread!r}")

    def finish(self):
        self.process.stdin.close()
        until = time.monotonic() + 5 * self.slow
        while self._read(max(0, until - time.monotonic())):
            pass
        check(not self._unread, f"more than was asked for: {shortened(repr(self._unread))}")
        self.ends_well()


def replies(start, data, *arguments, within=20.0):
    """What `parley -s` says to all of its input at once, line by line; and its exit status."""
    try:
        done = subprocess.run([start.command, *(arguments or ("-s",))], input=data,
                              capture_output=True, timeout=within * start.slow)
    except subprocess.TimeoutExpired:
        raise Failure(f"still running after {within * start.slow:g} s") from None
    errors = done.stderr.decode("utf-8", "replace")
    check(not SANITIZER.search(errors), f"on stderr: {shortened(errors, 4000)}")
    check(done.stdout == b"" or done.stdout.endswith(b"\n"), "the last line has no end")
    return done.stdout.decode("latin-1").split("\n")[:-1], done.returncode


def free_port():
    """A port where nobody listens, of those that the system gives to nobody by itself."""
    for _ in range(100):
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("0.0.0.0", port))
            except OSError:
                continue
            return port
    raise Skip("no free port")


class Response:
    """An HTTP response, taken apart."""

    def __init__(self, text):
        head, parted, self.body = text.partition("\r\n\r\n")
        check(parted, f"this is no HTTP response: {shortened(text)!r}")
        self.status_line, *fields = head.split("\r\n")
        self.headers = {}
        for field in fields:
            name, parted, value = field.partition(": ")
            check(parted and name not in self.headers, f"odd headers: {head!r}")
            self.headers[name] = value

    @property
    def status(self):
        return int(self.status_line.split(" ")[1])


class Server(Program):
    """`parley -p PORT` and its clients."""

    def __init__(self, start, *options, port=None, host="127.0.0.1", descriptors=None):
        def limit():
            if descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

        self.port = port or free_port()
        self.host = host
        super().__init__(start, ("-p", str(self.port), *options), stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, preexec_fn=limit)
        until = time.monotonic() + 10 * self.slow
        while "listening" not in self.errors():
            if self.process.poll() is not None:
                if "without its servers" in self.errors():
                    raise Skip("this build has no servers")
                raise Failure(f"it ended instead of listening: {self.errors()}")
            check(time.monotonic() < until, "no line on stderr says that it listens")
            time.sleep(0.01)

    def connect(self, host=None, within=10.0):
        connection = socket.create_connection((host or self.host, self.port), within * self.slow)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def exchange(self, data, half_close=False, host=None, within=10.0):
        """What comes back for some bytes until the server closes, as text."""
        with self.connect(host, within) as connection:
            self.note(">", data)
            connection.sendall(data.encode("latin-1"))
            if half_close:
                connection.shutdown(socket.SHUT_WR)
            return self.rest_of(connection)

    def rest_of(self, connection):
        """All that comes until the server closes."""
        said = b""
        try:
            while data := connection.recv(65536):
                said += data
        except TimeoutError:
            raise Failure(f"the server does not close; it said {said[:200]!r}") from None
        except ConnectionResetError:
            raise Failure(f"the server reset the connection; it said {said[:200]!r}") from None
        text = said.decode("latin-1")
        self.note("<", text)
        return text

    def ask(self, command, **how):
        """The answer to a command on a connection of its own."""
        return line_of(self.exchange(command + "\n", **how))

    def expect(self, script):
        for command, wanted in script:
            said = self.ask(command)
            check(said == wanted, f"{command!r}: {said!r} instead of {wanted!r}")

    def request(self, path, *headers, method="GET", **how):
        lines = [f"{method} {path} HTTP/1.1", *headers, "", ""]
        return Response(self.exchange("\r\n".join(lines), **how))

    def finish(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.ends_well()
        said = self.process.stdout.read()
        check(not said, f"on stdout: {said!r}")


def line_of(text):
    check(text.count("\n") == 1 and text.endswith("\n"), f"this is no line: {shortened(text)!r}")
    return text[:-1]


def vanish(connection):
    """Closes with a reset instead of an end."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
