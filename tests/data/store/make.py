#!/usr/bin/env python3
"""Makes NAME.sqlite and NAME.json: games that a build of Parley has stored in SQLite through chezz's API, and
what is in them.

usage: make.py PARLEY NAME

508fdb9 was made by the program that commit 508fdb9 builds, the last one before its files had a mark:
  git worktree add /tmp/old 508fdb9 && cmake -S /tmp/old -B /tmp/old/build -DPARLEY_TESTS=OFF
  cmake --build /tmp/old/build --target parley && tests/data/store/make.py /tmp/old/build/parley 508fdb9
"""
import base64
import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import sys
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "session"))

import harness
from chezz_client import Browser, Server

OPEN = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]
MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]


def play(server, moves):
    """Plays a game with two players; what a client sees of it."""
    white, black = Browser(server), Browser(server)
    number = white.create()
    sockets = [browser.play(number) for browser in (white, black)]
    for socket in sockets:
        socket.receive_type("init")
    for ply, move in enumerate(moves):
        sockets[ply % 2].move(move)
    board = base64.b64encode(white.board(number)).decode()
    return {"number": number, "white": white.session, "black": black.session, "moves": moves,
            "board": board}


def main(program, name):
    server = Server(harness.Starter(os.path.abspath(program), 1))
    games = [play(server, moves) for moves in (OPEN, MATE, [])]
    server.stop()
    file = HERE / f"{name}.sqlite"
    shutil.copyfile(os.path.join(server.folder, "games.sqlite"), file)
    shutil.rmtree(server.folder)
    with contextlib.closing(sqlite3.connect(f"file:{file}?immutable=1", uri=True)) as database:
        for game in games:
            game["record"] = database.execute("SELECT record FROM games WHERE id = ?",
                                              (int(game["number"]),)).fetchone()[0]
    made = {"made": int(time.time()), "games": games}
    (HERE / f"{name}.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
