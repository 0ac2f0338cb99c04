"""A server of Parley's and its clients: HTTP by the standard library, WebSocket by hand."""
import base64
import hashlib
import http.client
import json
import os
import re
import signal
import socket
import struct
import subprocess
import tempfile
import time

from harness import SANITIZER, Failure, Skip, check, shortened

ACCEPTED = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Server:
    """A program that serves, on a port of its own; ends with the test."""

    def __init__(self, start, *arguments):
        self.slow = start.slow
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [start.command, *arguments, "--port", "0", "--bind", "127.0.0.1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._errors)
        self.port = self._wait_for_port()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self._process.send_signal(signal.SIGTERM)
        try:
            status = self._process.wait(20 * self.slow)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            status = "none"
        errors = self.errors()
        self._errors.close()
        if kind is None:
            check(status == 0, f"the server's exit status: {status}, stderr: {errors[-2000:]}")
            check(not SANITIZER.search(errors), f"on stderr: {shortened(errors, 4000)}")

    def errors(self):
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace")

    def _wait_for_port(self):
        deadline = time.monotonic() + 20 * self.slow
        while time.monotonic() < deadline:
            found = re.search(r"serving on \S+ port (\d+)", self.errors())
            if found:
                return int(found[1])
            if self._process.poll() is not None:
                if "built without" in self.errors():
                    raise Skip("built without its servers")
                break
            time.sleep(0.02)
        raise Failure(f"no server: {self.errors()}")

    def resident_mb(self):
        with open(f"/proc/{self._process.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) / 1024

    # Clients.

    def request(self, method, path, body=None, **headers):
        """Status, headers, body. In a header's name _ stands for -."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30 * self.slow)
        try:
            connection.request(method, path, body,
                               {name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()

    def post(self, message, path="/message", **headers):
        text = message if isinstance(message, (str, bytes)) else text_of(message)
        return self.request("POST", path, text, **headers)

    def connect(self, path="/socket", **headers):
        return WebSocket(self, path, headers)

    def raw(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20 * self.slow)


def text_of(message):
    return json.dumps(message, separators=(",", ":"))


class Refused(Exception):
    """A WebSocket that was not granted."""

    def __init__(self, status):
        super().__init__(f"status {status}")
        self.status = status


class WebSocket:
    """A client of a WebSocket, as strict as a browser about what it is sent."""

    def __init__(self, server, path, headers):
        self.slow = server.slow
        self._socket = server.raw()
        self._input = self._socket.makefile("rb")
        self.close_code = None
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Upgrade: websocket",
                 "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if "Host" in given:
            del lines[1]
        lines += [f"{name}: {value}" for name, value in given.items()]
        self._socket.sendall("\r\n".join(lines + ["", ""]).encode())
        status = int(self._input.readline().split()[1])
        answer = http.client.parse_headers(self._input)
        if status != 101:
            self._socket.close()
            raise Refused(status)
        digest = hashlib.sha1((key + ACCEPTED).encode()).digest()
        check(answer["Sec-WebSocket-Accept"] == base64.b64encode(digest).decode(), "a wrong accept")

    def say(self, message):
        text = message if isinstance(message, (str, bytes)) else text_of(message)
        self.send_frame(1, text.encode() if isinstance(text, str) else text)

    def send_frame(self, opcode, payload, final=True):
        head = bytes([(0x80 if final else 0) | opcode])
        if len(payload) < 126:
            head += bytes([0x80 | len(payload)])
        elif len(payload) < 1 << 16:
            head += bytes([0x80 | 126]) + struct.pack(">H", len(payload))
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", len(payload))
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        self.send_bytes(head + mask + masked)

    def send_bytes(self, data):
        self._socket.sendall(data)

    def hear_text(self, within=10.0):
        """The next text message; None when the server has closed."""
        self._socket.settimeout(within * self.slow)
        text = b""
        while True:
            try:
                first, second = self._read(2)
                length = second & 0x7F
                check(second & 0x80 == 0, "a masked frame from the server")
                if length == 126:
                    length, = struct.unpack(">H", self._read(2))
                elif length == 127:
                    length, = struct.unpack(">Q", self._read(8))
                payload = self._read(length)
            except TimeoutError:
                raise Failure(f"no message within {within * self.slow:g} s") from None
            except (EOFError, ConnectionError):
                return None
            opcode = first & 0x0F
            if opcode == 8:
                self.close_code = struct.unpack(">H", payload[:2])[0] if payload else 1005
                return None
            if opcode == 9:
                self.send_frame(10, payload)
            elif opcode in (0, 1):
                text += payload
                if first & 0x80:
                    return text.decode()

    def hear(self, within=10.0):
        text = self.hear_text(within)
        check(text is not None, f"the server has closed, code {self.close_code}")
        return json.loads(text)

    def hear_until(self, wanted, within=10.0):
        """The first message of a type; what comes before is left out."""
        deadline = time.monotonic() + within * self.slow
        while time.monotonic() < deadline:
            message = self.hear(within)
            if message["message_type"] == wanted:
                return message
        raise Failure(f"no {wanted} within {within * self.slow:g} s")

    def ask(self, message, answers=1, within=10.0):
        self.say(message)
        return [self.hear(within) for _ in range(answers)]

    def hears_nothing(self, within=0.2):
        self._socket.settimeout(within * self.slow)
        try:
            return not self._input.peek(1)
        except TimeoutError:
            # A file that has timed out once would refuse to be read again.
            self._input = self._socket.makefile("rb")
            return True

    def close(self):
        try:
            self.send_frame(8, struct.pack(">H", 1000))
            while self.hear_text(2) is not None:
                pass
        except OSError:
            pass
        self.cut()

    def cut(self):
        self._input.close()
        self._socket.close()

    def _read(self, length):
        data = self._input.read(length)
        if len(data) < length:
            raise EOFError
        return data

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cut()
