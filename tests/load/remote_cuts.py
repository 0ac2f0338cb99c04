#!/usr/bin/env python3
"""Plays games through `parley connect` while its connection to `parley listen` is cut again and again.

usage: remote_cuts.py ENGINE [--games 200] [--tc 8+0.08] [--every 20] [--token T]

fastchess plays the remote engine against the local one. A proxy between `connect` and `listen` cuts all
connections every so many seconds, and lets every third one hang for two seconds first. No game may end
by time, an illegal move or a lost engine. Exit status 77 without fastchess.
"""
import argparse
import asyncio
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True
OPENINGS = pathlib.Path(__file__).parents[2] / "tools/match/openings.epd"


class Proxy:
    """Forwards connections to a port, until they are cut."""

    def __init__(self, target, every):
        self.target, self.every = target, every
        self.cuts = 0
        self.writers = set()
        self.is_hanging = False
        self.started = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.serve()), daemon=True).start()
        self.started.wait()

    async def serve(self):
        server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self.started.set()
        while True:
            await asyncio.sleep(self.every)
            self.cuts += 1
            if self.cuts % 3 == 0:
                self.is_hanging = True
                await asyncio.sleep(2)
                self.is_hanging = False
            for writer in list(self.writers):
                writer.transport.abort()

    async def accept(self, reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self.writers |= {writer, far_writer}
        await asyncio.gather(self.pump(reader, far_writer), self.pump(far_reader, writer))
        self.writers -= {writer, far_writer}

    async def pump(self, reader, writer):
        try:
            while data := await reader.read(65536):
                while self.is_hanging:
                    await asyncio.sleep(0.05)
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        writer.transport.abort()


def listen(engine, token):
    """A server on a free port, and the port."""
    server = subprocess.Popen([engine, "listen", "--port", "0", "--bind", "127.0.0.1", "--sessions", "8",
                               *(["--token", token] if token else [])], stderr=subprocess.PIPE, text=True)
    for line in server.stderr:
        if found := re.search(r"port (\d+)", line):
            threading.Thread(target=server.stderr.read, daemon=True).start()
            return server, int(found[1])
    sys.exit("parley listen did not start")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--tc", default="8+0.08")
    parser.add_argument("--every", type=float, default=20)
    parser.add_argument("--token", default="")
    asked = parser.parse_args()
    if not shutil.which("fastchess"):
        print("skipped: fastchess is not installed")
        return 77
    engine = os.path.abspath(asked.engine)
    server, port = listen(engine, asked.token)
    try:
        proxy = Proxy(port, asked.every)
        connect = f"connect 127.0.0.1:{proxy.port}" + (f" --token {asked.token}" if asked.token else "")
        with tempfile.TemporaryDirectory() as folder:
            pgn = os.path.join(folder, "games.pgn")
            run = subprocess.run(
                ["fastchess", "-engine", f"cmd={engine}", f"args={connect}", "name=remote",
                 "-engine", f"cmd={engine}", "name=local", "-each", f"tc={asked.tc}", "option.Hash=16",
                 "-openings", f"file={OPENINGS}", "format=epd", "order=random", "-rounds",
                 str(asked.games // 2), "-repeat", "-concurrency", "1", "-pgnout", f"file={pgn}"],
                cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            with open(pgn) as file:
                games = file.read()
    finally:
        server.terminate()
    played = len(re.findall(r'^\[Result "(?!\*)', games, re.M))
    endings = re.findall(r'^\[Termination "(.*)"\]', games, re.M)
    faults = [ending for ending in endings if ending != "normal" and ending != "adjudication"]
    bad = re.findall(r"^.*(?:loses on time|illegal|disconnect|stall).*$", run.stdout, re.M)
    print(f"{played} games, {proxy.cuts} cuts, forfeits: {faults + bad}")
    return 0 if played == asked.games and not faults and not bad else 1


if __name__ == "__main__":
    sys.exit(main())
