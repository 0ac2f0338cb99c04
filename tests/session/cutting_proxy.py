"""A TCP proxy for the tests that cuts its connections, and sometimes lets them stall."""
import contextlib
import random
import socket
import threading
import time


class CuttingProxy:
    """Passes bytes on to a server on this machine and cuts all connections after each interval. Before
    every `stall_every`-th cut nothing passes for `stall` seconds, though the connections stay open."""

    def __init__(self, port, interval, stall_every=0, stall=0.0):
        self.cuts = 0
        self.stalls = 0
        self._target = port
        self._passes = threading.Event()
        self._passes.set()
        self._ended = threading.Event()
        self._open = []
        self._lock = threading.Lock()  # guards self._open
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        threading.Thread(target=self._cut_again_and_again, args=(interval, stall_every, stall),
                         daemon=True).start()

    def close(self):
        self._ended.set()
        self._passes.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._cut()

    def changed(self, data):
        """What is passed on of what has come."""
        return data

    def _accept(self):
        while not self._ended.is_set():
            try:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                continue
            for end in (client, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._open += [client, server]
            for pair in ((client, server), (server, client)):
                threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _pass_on(self, source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self._passes.wait()
                target.sendall(self.changed(data))
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _cut_again_and_again(self, interval, stall_every, stall):
        # Not always at the same time, which a regular game could keep step with.
        while not self._ended.wait(interval * random.uniform(0.7, 1.3)):
            if stall_every and (self.cuts + 1) % stall_every == 0:
                self.stalls += 1
                self._passes.clear()
                time.sleep(stall)
                self._passes.set()
            self.cuts += 1
            self._cut()

    def _cut(self):
        with self._lock:
            for end in self._open:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            self._open.clear()
