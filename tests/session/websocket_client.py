"""WebSocket clients (RFC 6455) for the tests: a blocking one and one for asyncio.

Both are as strict as a browser about what the server sends: a masked frame, a reserved bit or a
wrong Sec-WebSocket-Accept fails the test.
"""
import asyncio
import base64
import hashlib
import http.client
import io
import json
import os
import socket
import struct
import time

from harness import Failure, check

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
NO_STATUS = 1005  # the close code of a close frame without one


class Refused(Exception):
    """The server answered the handshake with something else than 101."""

    def __init__(self, status, body=""):
        super().__init__(f"status {status} {body}".rstrip())
        self.status = status
        self.body = body


def to_text(message):
    """A message as it is sent: text as it is, anything else as compact JSON."""
    if isinstance(message, (str, bytes)):
        return message
    return json.dumps(message, separators=(",", ":"))


def client_frame(opcode, payload, final=True):
    """A masked frame, as clients send it."""
    head = bytes([(0x80 if final else 0) | opcode])
    size = len(payload)
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 1 << 16:
        head += bytes([0x80 | 126]) + struct.pack(">H", size)
    else:
        head += bytes([0x80 | 127]) + struct.pack(">Q", size)
    mask = os.urandom(4)
    repeated = (mask * (size // 4 + 1))[:size]
    masked = int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")
    return head + mask + masked.to_bytes(size, "big")


def close_code(payload):
    return struct.unpack(">H", payload[:2])[0] if payload else NO_STATUS


class Connection:
    """The protocol without the socket: bytes received go in, frames come out."""

    def __init__(self, port, path, headers):
        self._key = base64.b64encode(os.urandom(16)).decode()
        given = {"Host": f"127.0.0.1:{port}", "Upgrade": "websocket", "Connection": "Upgrade",
                 "Sec-WebSocket-Key": self._key, "Sec-WebSocket-Version": "13", **headers}
        lines = [f"GET {path} HTTP/1.1"] + [f"{name}: {value}" for name, value in given.items()]
        self.handshake = "\r\n".join(lines + ["", ""]).encode()
        self.headers = None  # of the response, once it has arrived
        self._received = bytearray()

    def feed(self, data):
        self._received += data

    def read_response(self):
        """Whether the response to the handshake has arrived; Refused when it is not 101."""
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = io.BytesIO(bytes(self._received[:end + 4]))
        status = int(head.readline().split()[1])
        headers = http.client.parse_headers(head)
        size = int(headers["Content-Length"] or 0) if status != 101 else 0
        if len(self._received) < end + 4 + size:
            return False
        body = self._take(end + 4 + size)[end + 4:].decode()
        if status != 101:
            raise Refused(status, body)
        digest = hashlib.sha1((self._key + GUID).encode()).digest()
        check(headers["Sec-WebSocket-Accept"] == base64.b64encode(digest).decode(),
              "wrong Sec-WebSocket-Accept")
        self.headers = headers
        return True

    def next_frame(self):
        """(opcode, payload, final) of the next frame that is complete; None when none is."""
        data = self._received
        if len(data) < 2:
            return None
        check(data[0] & 0x70 == 0, "a reserved bit is set")
        check(data[1] & 0x80 == 0, "a masked frame from the server")
        size, start = data[1], 2
        if size >= 126:
            start = 4 if size == 126 else 10
            if len(data) < start:
                return None
            size = int.from_bytes(data[2:start], "big")
        if len(data) < start + size:
            return None
        opcode, final = data[0] & 0x0F, bool(data[0] & 0x80)
        return opcode, self._take(start + size)[start:], final

    def _take(self, size):
        taken = bytes(self._received[:size])
        del self._received[:size]
        return taken


class WebSocketClient:
    """A blocking client. `type_key` is the member of a JSON message that names its type. All times
    are in seconds and are multiplied by `slow`."""

    type_key = "message_type"

    def __init__(self, port, path="/", headers=None, slow=1, encrypt=lambda plain: plain):
        self.slow = slow
        self.close_code = None  # of the server's close frame
        self.socket = encrypt(socket.create_connection(("127.0.0.1", port), timeout=20 * slow))
        self._connection = Connection(port, path, headers or {})
        try:
            self.socket.sendall(self._connection.handshake)
            while not self._connection.read_response():
                self._receive()
        except BaseException:
            self.socket.close()
            raise
        self.headers = self._connection.headers

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cut()

    def send(self, message, opcode=TEXT):
        text = to_text(message)
        self.send_frame(opcode, text.encode() if isinstance(text, str) else text)

    def send_frame(self, opcode, payload, final=True):
        self.send_bytes(client_frame(opcode, payload, final))

    def send_bytes(self, data):
        self.socket.settimeout(20 * self.slow)
        self.socket.sendall(data)

    def receive_frame(self, within=10.0):
        """(opcode, payload, final) of the next frame; None when the connection has ended."""
        deadline = time.monotonic() + within * self.slow
        while (frame := self._connection.next_frame()) is None:
            try:
                # A timeout of 0 would make the socket non-blocking.
                self.socket.settimeout(max(0.001, deadline - time.monotonic()))
                self._receive()
            except TimeoutError:
                raise Failure(f"no message within {within * self.slow:g} s") from None
            except ConnectionError:
                return None
        return frame

    def receive_text(self, within=10.0):
        """The next text message, pings answered; None when the server has closed."""
        text = b""
        deadline = time.monotonic() + within * self.slow
        while (frame := self.receive_frame(max(0, deadline - time.monotonic()) / self.slow)) is not None:
            opcode, payload, final = frame
            if opcode == CLOSE:
                self.close_code = close_code(payload)
                return None
            if opcode == PING:
                self.send_frame(PONG, payload)
            elif opcode in (CONTINUATION, TEXT):
                text += payload
                if final:
                    return text.decode()
        return None

    def receive(self, within=10.0):
        """The next message, parsed as JSON."""
        text = self.receive_text(within)
        check(text is not None, f"the server has closed the connection, code {self.close_code}")
        return json.loads(text)

    def receive_type(self, wanted, within=10.0):
        """The next message of a type; messages before it are skipped."""
        deadline = time.monotonic() + within * self.slow
        while time.monotonic() < deadline:
            message = self.receive(within)
            if message[self.type_key] == wanted:
                return message
        raise Failure(f"no {wanted} within {within * self.slow:g} s")

    def request(self, message, answers=1, within=10.0):
        """Sends a message and returns that many answers."""
        self.send(message)
        return [self.receive(within) for _ in range(answers)]

    def is_quiet(self, seconds=0.3):
        """Whether the server sends nothing but pings for that long."""
        deadline = time.monotonic() + seconds * self.slow
        try:
            while (frame := self.receive_frame(max(0, deadline - time.monotonic()) / self.slow)) is not None \
                    and frame[0] == PING:
                self.send_frame(PONG, frame[1])
            return False
        except Failure:
            return True

    def close(self):
        """Ends the connection with a close frame and waits for the server's."""
        try:
            self.send_frame(CLOSE, struct.pack(">H", 1000))
            while self.receive_text(2) is not None:
                pass
        except OSError:
            pass
        self.cut()

    def cut(self):
        """Ends the connection without a close frame."""
        self.socket.close()

    def _receive(self):
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("the server has closed the connection")
        self._connection.feed(data)


class AsyncWebSocketClient(asyncio.Protocol):
    """A client for asyncio: on_message(client, payload) is called for every text message."""

    def __init__(self, port, path, headers, on_message):
        self.on_message = on_message
        self.lost = False
        self._message = b""
        self._connection = Connection(port, path, headers)
        self._opened = asyncio.get_running_loop().create_future()

    @classmethod
    async def connect(cls, port, path, headers, on_message):
        _, client = await asyncio.get_running_loop().create_connection(
            lambda: cls(port, path, headers, on_message), "127.0.0.1", port)
        await client._opened
        return client

    def connection_made(self, transport):
        self.transport = transport
        transport.write(self._connection.handshake)

    def connection_lost(self, _):
        self.lost = True
        if not self._opened.done():
            self._opened.set_exception(ConnectionError("the server has closed the connection"))

    def data_received(self, data):
        self._connection.feed(data)
        if not self._opened.done() and not self._read_response():
            return
        while (frame := self._connection.next_frame()) is not None:
            opcode, payload, final = frame
            if opcode in (TEXT, CONTINUATION):
                self._message += payload
                if final:
                    message, self._message = self._message, b""
                    self.on_message(self, message)
            elif opcode == PING:
                self.transport.write(client_frame(PONG, payload))

    def send(self, message):
        text = to_text(message)
        self.transport.write(client_frame(TEXT, text.encode() if isinstance(text, str) else text))

    def _read_response(self):
        try:
            if not self._connection.read_response():
                return False
        except Refused as refused:
            self._opened.set_exception(refused)
            return False
        self._opened.set_result(None)
        return True
