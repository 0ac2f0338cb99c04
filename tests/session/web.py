"""A server of Parley's for a test, and its HTTP client."""
import http.client
import os
import re
import signal
import socket
import subprocess
import tempfile
import time

from harness import SANITIZER, Failure, Skip, check, killed_on_failure, shortened, written_to
from websocket_client import WebSocketClient, to_text


class Server:
    """A sub-command that serves on a free port, or on a given one; stopped by SIGTERM at the end of
    the test. Keeps its games in memory, unless a store or the environment is given."""

    def __init__(self, start, *arguments, port=0, environment=None):
        self.slow = start.slow
        self.last_errors = ""
        self._killed = False
        self._errors = tempfile.TemporaryFile()
        if arguments[0] == "serve" and environment is None and "--store" not in arguments:
            arguments += ("--store", "memory")
        self._process = subprocess.Popen(
            [start.command, *arguments, "--port", str(port), "--bind", "127.0.0.1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._errors,
            env={**os.environ, **(environment or {})})
        with killed_on_failure(self._process):
            self.port = self._wait_for_port()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self._killed:
            self._errors.close()
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            status = self._process.wait(20 * self.slow)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            status = "none"
        errors = self.last_errors = self.errors()
        self._errors.close()
        if kind is None:
            check(status == 0, f"the server's exit status: {status}, stderr: {errors[-2000:]}")
            check(not SANITIZER.search(errors), f"on stderr: {shortened(errors, 4000)}")

    def stop(self):
        self._process.send_signal(signal.SIGTERM)

    def kill(self):
        """Ends the server with SIGKILL."""
        self._killed = True
        self._process.kill()
        self._process.wait()
        self.last_errors = self.errors()

    def errors(self):
        return written_to(self._errors)

    def _wait_for_port(self):
        deadline = time.monotonic() + 20 * self.slow
        while time.monotonic() < deadline:
            found = re.search(r"listening on \S+ port (\d+)", self.errors())
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

    def request(self, method, path, body=None, **headers):
        """The status, headers and body of the response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30 * self.slow)
        try:
            connection.request(method, path, body, header_names(headers))
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()

    def post(self, message, path="/message", **headers):
        return self.request("POST", path, to_text(message), **headers)

    def connect(self, path="/socket", **headers):
        return WebSocketClient(self.port, path, header_names(headers), self.slow)

    def raw(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20 * self.slow)


def header_names(arguments):
    """Headers from keyword arguments: Parley_Game stands for Parley-Game."""
    return {name.replace("_", "-"): value for name, value in arguments.items()}
