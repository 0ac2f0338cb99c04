"""Workers (`parley worker`) with a Redis of their own, for the tests of the queue."""
import json
import subprocess
import tempfile
import time

from chezz_client import Redis
from harness import SANITIZER, Skip, check, written_to


class Workers:
    """A Redis, and workers that a test starts and ends."""

    def __init__(self, start, make_redis=Redis):
        self.start_program = start
        self.slow = start.slow
        probe = start.run("queue", "status", "--queue", "redis://127.0.0.1:1")
        if "without Redis" in probe.errors:
            raise Skip(probe.errors.strip())
        self.redis = make_redis(start.slow)
        self.url = self.redis.url()
        self.running = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for worker in self.running:
            worker.kill()
        self.redis.__exit__()

    def start(self, *options):
        worker = Worker([self.start_program.command, "worker", "--queue", self.url, *options])
        self.running.append(worker)
        return worker

    def run(self, *arguments, **how):
        """Runs a command of the program with this queue."""
        return self.start_program.run(*arguments, "--queue", self.url, **how)

    def status(self):
        [line] = self.run("queue", "status", "--json").lines
        return json.loads(line)

    def wait_for(self, holds, what, within=20):
        """Waits until the queue's status is as wanted. The last status."""
        deadline = time.monotonic() + within * self.slow
        while True:
            status = self.status()
            if holds(status):
                return status
            check(time.monotonic() < deadline, f"not {what}: {status}")

    def queue_key(self, name):
        """The key of a stream or hash of this program's queue."""
        queue = self.status()["queue"]
        return "parley:{" + queue + "}:" + name


class Worker:
    def __init__(self, command):
        self._errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=self._errors)

    def is_there(self, status):
        return self._own(status) is not None

    def is_busy(self, status):
        own = self._own(status)
        return own is not None and own["busy"] > 0

    def _own(self, status):
        """What the queue's status says of this worker."""
        return next((worker for worker in status["workers"] if worker["name"].split(":")[-2] == str(self.process.pid)),
                    None)

    def errors(self):
        return written_to(self._errors)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def terminate(self, within):
        """SIGTERM; the exit status."""
        self.process.terminate()
        status = self.process.wait(within)
        check(not SANITIZER.search(self.errors()), self.errors()[-4000:])
        return status
