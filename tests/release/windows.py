#!/usr/bin/env python3
"""What differs on Windows: line ends, paths, Ctrl-C, large pages, the servers.

usage: windows.py PARLEY     a script that starts the Windows program under wine
"""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
NETWORK = ROOT / "engine" / "evaluate" / "nnue" / "current.nnue"
TABLES = ROOT / "tests" / "data" / "syzygy"
PARLEY = sys.argv[1]
failures = 0


def check(holds, sentence, found=""):
    global failures
    print(f"{'ok' if holds else 'FAIL':4} {sentence}{'' if holds else f': {found!r}'}", flush=True)
    failures += not holds


def windows_path(path):
    """Wine shows the root folder as drive Z."""
    return "Z:" + str(path).replace("/", "\\")


def talk(text, *arguments):
    run = subprocess.run([PARLEY, *arguments], input=text.encode(), capture_output=True, timeout=120)
    return run.stdout.decode("utf-8", "replace"), run.stderr.decode("utf-8", "replace")


def line_ends():
    answer, _ = talk("uci\r\nposition startpos moves e2e4\r\ngo depth 3\r\nisready\r\nquit\r\n")
    check("uciok\n" in answer and "bestmove " in answer, "commands may end with CR LF", answer[-200:])
    check("\r" not in answer, "answers to UCI end with LF", answer[-200:])
    answer, _ = talk('{"type":"no such type"}\r\n')
    check(answer.startswith("{"), "JSON messages may end with CR LF", answer)


def paths(folder):
    special = folder / "Schöne Züge ♞ 棋"
    special.mkdir()
    shutil.copy(NETWORK, special / "nétz.nnue")
    for file in TABLES.iterdir():
        shutil.copy(file, special)
    for path in (windows_path(special / "nétz.nnue"), str(special / "nétz.nnue")):
        answer, _ = talk(f"setoption name EvalFile value {path}\nisready\neval\nquit\n")
        check("cannot" not in answer and "no such" not in answer and "refused" not in answer,
              f"EvalFile with blanks and umlauts: {path[:2]}...", answer)
    answer, _ = talk("setoption name EvalFile value Z:\\nowhere\\ä.nnue\nisready\nquit\n")
    check("no such file" in answer, "EvalFile that does not exist is named", answer)
    both = windows_path(folder) + ";" + windows_path(special)
    answer, _ = talk(f"setoption name SyzygyPath value {both}\nisready\n"
                     "position fen 8/8/8/8/8/2k5/8/K2Q4 w - - 0 1\ngo depth 12\nquit\n")
    hits = [int(number) for number in re.findall(r"tbhits (\d+)", answer)]
    check(bool(hits) and max(hits) > 0, "SyzygyPath with ; and umlauts finds tables", answer[-400:])
    answer, _ = talk("", "tb", "--syzygy", windows_path(special), "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1")
    check("win" in answer, "arguments of the command line are UTF-8", answer)


def debug_log(folder):
    log = folder / "lög.txt"
    option = f"setoption name Debug Log File value {windows_path(log)}\n"
    talk(f"{option}isready\n{option}isready\nquit\n")
    text = log.read_text(encoding="utf-8") if log.exists() else ""
    check("< readyok" in text and text.count(" # ") == 1,
          "Debug Log File is written, and the same file set again changes nothing", text[-400:])


def lost_table(folder):
    """A table that cannot be read any more, as on a stick that was pulled out: here it is truncated."""
    table = folder / "lost"
    table.mkdir()
    for file in TABLES.iterdir():
        shutil.copy(file, table)
    position = "position fen 8/8/8/8/8/2k5/8/K2Q4 w - - 0 1\n"
    program = subprocess.Popen([PARLEY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    program.stdin.write(f"setoption name SyzygyPath value {windows_path(table)}\n{position}go depth 5\n")
    program.stdin.flush()
    for line in program.stdout:  # opens the table
        if line.startswith("bestmove"):
            break
    for file in table.iterdir():
        os.truncate(file, 0)
    answer, _ = program.communicate("go depth 12\nisready\ngo depth 5\nquit\n", timeout=120)
    check(answer.count("bestmove ") == 2 and program.returncode == 0,
          "a table that cannot be read any more is a miss", answer[-300:])


def large_hash():
    answer, _ = talk("setoption name Hash value 256\nisready\ngo depth 5\nquit\n")
    check("readyok" in answer and "refused" not in answer, "a hash without the right to large pages",
          answer)
    answer, _ = talk("setoption name Hash value 33554432\nisready\ngo depth 5\nquit\n")
    check("bestmove" in answer, "a hash beyond the memory is survived", answer[-200:])


def read_until(descriptor, word, seconds=30):
    text, end = b"", time.monotonic() + seconds
    while word not in text and time.monotonic() < end:
        if select.select([descriptor], [], [], 0.2)[0]:
            try:
                text += os.read(descriptor, 65536)
            except OSError:
                break
    return text


def console():
    """A conversation as in a console window: a terminal, Enter, Ctrl-C."""
    master, slave = pty.openpty()
    program = subprocess.Popen([PARLEY], stdin=slave, stdout=slave, stderr=slave,
                               start_new_session=True,
                               preexec_fn=lambda: __import__("fcntl").ioctl(0, 0x540E, 0))
    os.close(slave)
    time.sleep(3)
    os.write(master, b"isready\r")
    text = read_until(master, b"readyok")
    check(b"readyok" in text, "a console: isready is answered", text[-300:])
    os.write(master, b"go infinite\r")
    text = read_until(master, b"depth 8 ")
    check(b"depth 8 " in text, "a console: go infinite searches", text[-300:])
    os.write(master, b"\x03")
    try:
        status = program.wait(20)
        check(True, f"Ctrl-C ends the program (status {status})")
    except subprocess.TimeoutExpired:
        check(False, "Ctrl-C ends the program", "still running")
        os.killpg(program.pid, signal.SIGKILL)
    os.close(master)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def servers(folder):
    text, _ = talk("", "--help-json")
    if '"--store"' not in text:
        print("this program was built without its servers")
        return
    port = free_port()
    errors = open(folder / "serve.txt", "w+")
    server = subprocess.Popen([PARLEY, "serve", "--port", str(port), "--bind", "127.0.0.1"],
                              stderr=errors, stdin=subprocess.DEVNULL, cwd=folder)
    page = ""
    for _ in range(60):
        time.sleep(0.5)
        try:
            page = urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).read().decode()
            break
        except OSError:
            pass
    check("<html" in page.lower(), "parley serve sends its page", page[:200])
    server.kill()
    server.wait()
    errors = open(folder / "chezz.txt", "w+")
    port = free_port()
    server = subprocess.Popen([PARLEY, "chezz", "--port", str(port), "--bind", "127.0.0.1"],
                              stderr=errors, stdin=subprocess.DEVNULL, cwd=folder)
    for _ in range(60):
        time.sleep(0.5)
        text = (folder / "chezz.txt").read_text()
        if "listening" in text:
            break
    check("games in memory" in text, "parley chezz keeps games in memory and says so", text)
    server.kill()
    server.wait()
    _, text = talk("", "chezz", "--store", "games.sqlite", "--port", str(free_port()))
    check("without SQLite" in text and "memory" in text, "a file as a store is refused with the way out",
          text)
    text, _ = talk("", "chezz", "--help")
    check("memory" in text and "cannot use a file" in text, "the help of chezz says so too", text)


with tempfile.TemporaryDirectory() as name:
    line_ends()
    paths(pathlib.Path(name))
    debug_log(pathlib.Path(name))
    lost_table(pathlib.Path(name))
    large_hash()
    console()
    servers(pathlib.Path(name))
sys.exit(1 if failures else 0)
