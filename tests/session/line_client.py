"""A client of `parley listen` over plain TCP, for the tests."""
import hashlib
import hmac
import os
import socket
import struct
import time

from harness import Failure, check, shortened


class LineClient:
    """All times are in seconds and are multiplied by `slow`."""

    def __init__(self, port, slow=1, receive_buffer=None):
        self.slow = slow
        self._received = b""
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(20 * slow)
        self.socket.connect(("127.0.0.1", port))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, *lines):
        self.socket.sendall("".join(line + "\n" for line in lines).encode())

    def read_line(self, within=10.0):
        """The next line; None when the server has closed the connection."""
        until = time.monotonic() + within * self.slow
        while b"\n" not in self._received:
            left = until - time.monotonic()
            if left <= 0:
                raise Failure(f"no line within {within * self.slow:g} s")
            self.socket.settimeout(left)
            try:
                data = self.socket.recv(65536)
            except socket.timeout:
                continue
            except ConnectionError:
                return None
            if not data:
                return None
            self._received += data
        line, self._received = self._received.split(b"\n", 1)
        return line.decode()

    def read_until(self, word, within=10.0):
        """The lines up to the first one that begins with a word."""
        lines = []
        while (line := self.read_line(within)) is not None:
            lines.append(line)
            if line.split(" ", 1)[0] == word:
                return lines
        raise Failure(f"the server closed instead of: {word}; it said {lines[-3:]}")

    def ask(self, *lines, within=10.0):
        """What the engine says to these lines until it is ready again."""
        self.send(*lines, "isready")
        return self.read_until("readyok", within)[:-1]

    def begin(self):
        """The answer to `uci`."""
        self.send("uci")
        return self.read_until("uciok")

    def rest(self, within=10.0):
        """All lines up to the end of the connection."""
        lines = []
        while (line := self.read_line(within)) is not None:
            lines.append(line)
        return lines

    def is_quiet(self, seconds):
        try:
            line = self.read_line(seconds)
        except Failure:
            return True
        raise Failure(f"it said {shortened(repr(line))}")

    def reset(self):
        """Ends the connection with a TCP reset."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def authenticate(self, token, tell=lambda proof: proof):
        """The handshake with a token; the answer to the proof, which `tell` may change."""
        nonce = os.urandom(32).hex()
        self.send(f"auth {nonce}")
        line = self.read_line() or ""
        check(line.startswith("challenge "), f"instead of a challenge: {line!r}")
        challenge = line.split()[1]
        self.send("response " + tell(proof_of(token, "client", nonce, challenge)))
        answer = self.read_line()
        if answer and answer.startswith("welcome "):
            check(answer.split()[1] == proof_of(token, "server", nonce, challenge),
                  "the server's proof is wrong")
        return answer


def proof_of(token, side, client_nonce, server_nonce):
    message = f"{side} {client_nonce} {server_nonce}"
    return hmac.new(token.encode(), message.encode(), hashlib.sha256).hexdigest()
