#!/usr/bin/env python3
"""`parley mcp` and other programs: the inspector of the Model Context Protocol, and damaged input.

usage: run.py PARLEY [--lines N] [--seed N] [-v]

@modelcontextprotocol/inspector lists the tools and calls each one; without it that test is skipped. Then Parley gets N
lines, most of them damaged: every request that is one must be answered once, and the program must end with status 0.
"""
import argparse
import collections
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GAME = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4"
CALLS = {"analyse": {"moves": GAME, "seconds": 0.05, "lines": 2}, "play": {"moves": GAME, "move": "Nxe5"},
         "legal_moves": {"moves": GAME, "square": "f3"}, "review_game": {"moves": GAME, "nodes": 1000},
         "explain": {"moves": GAME, "move": "Nxe5"}, "board": {"moves": GAME}}
FEN = "6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1"
TEXTS = ("", "e4", GAME, FEN, "1. e4 e5 2. Ke2 Ke7 *", "Nf9", "\u0000", "\U0001f600", "moves", "-", "O-O", "e8=Q+!?",
         "[Event \"x\"]\n\n1. e4 {c} (1. d4) *", "a" * 5000, "1. e4 " * 700)
VALUES = (None, True, -1, 0, 1, 2.5, 1e300, 2**70, [], {}, [[[[[[]]]]]], {"a": {"b": [1, None]}})
METHODS = ("ping", "tools/list", "tools/call", "tools/call", "tools/call", "initialize", "server/discover",
           "resources/list", "notifications/initialized", "notifications/cancelled", "", "tools/Call", "logging/setLevel")
SPLICES = (b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\", b"\x00", b"\xff", b"\xc3", b"null", b"1e999", b"\\ud800",
           b"\t")


def inspector():
    """The program of the package in the build folder or NODE_PATH, as arguments."""
    for folder in (os.path.join(ROOT, "build", "node_modules"), *os.environ.get("NODE_PATH", "").split(os.pathsep)):
        script = os.path.join(folder, "@modelcontextprotocol", "inspector", "cli", "build", "cli.js")
        if folder and os.path.exists(script) and shutil.which("node"):
            return ["node", script, "--cli"]
    return None


class Fuzzer:
    """Lines of input, and which of them must be answered."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.count = 0
        self.cancelled = set()

    def text_or_value(self):
        return self.chance.choice(TEXTS) if self.chance.random() < 0.8 else self.chance.choice(VALUES)

    def arguments(self, tool):
        arguments = {key: value for key, value in CALLS.get(tool, {}).items() if self.chance.random() < 0.8}
        if tool == "analyse":
            arguments["seconds"] = 0.01
        if tool == "review_game":
            arguments.update(nodes=1000, moves=self.chance.choice(("1. e4", "e2e4 e7e5", "Nf9", "")))
        if tool == "explain":  # takes a second or two: mostly positions that end at once
            arguments.update(moves=self.chance.choice(("f3 e5 g4 Qh4", "Nf9", "e5")))
        elif self.chance.random() < 0.5:
            arguments[self.chance.choice(("moves", "pgn", "fen", "move", "square", "x"))] = self.text_or_value()
        return arguments

    def message(self):
        self.count += 1
        message = {"jsonrpc": "2.0", "id": self.count if self.chance.random() < 0.8 else f"id {self.count}",
                   "method": self.chance.choice(METHODS)}
        if message["method"] == "tools/call":
            tool = self.chance.choice((*CALLS, "board", "play", "legal_moves", "no_tool"))
            message["params"] = {"name": tool, "arguments": self.arguments(tool)}
            if self.chance.random() < 0.1:
                message["params"]["_meta"] = {"progressToken": self.text_or_value()}
        elif message["method"] == "notifications/cancelled":
            message["params"] = {"requestId": self.count - 1}
            self.cancelled |= {self.count - 1, f"id {self.count - 1}"}
        elif self.chance.random() < 0.3:
            message["params"] = self.chance.choice(VALUES)
        if self.chance.random() < 0.1:
            message.pop(self.chance.choice(list(message)))
        return message

    def line(self):
        """A line, and the id that must be answered, if any."""
        message = self.message()
        is_damaged = self.chance.random() < 0.4
        if is_damaged and "id" in message:  # what is left of it is no other request's
            message["id"] = f"damaged {self.count}"
        data = json.dumps(message, ensure_ascii=self.chance.random() < 0.5).encode()
        if not is_damaged:
            return data, wanted_id(message)
        for _ in range(self.chance.randint(1, 4)):
            at = self.chance.randrange(len(data) + 1)
            kind = self.chance.random()
            if kind < 0.4:
                data = data[:at] + self.chance.choice(SPLICES) + data[at:]
            elif kind < 0.7:
                data = data[:at] + data[at + self.chance.randint(1, 8):]
            elif kind < 0.9:
                data = data[:at] + bytes([self.chance.randrange(256)]) + data[at + 1:]
            else:
                data = data[:at]
        return data.replace(b"\n", b" ").replace(b"\r", b" "), None


def wanted_id(message):
    """The id of a request; a message without a method, an id or a version may be refused without one."""
    return message["id"] if {"id", "method", "jsonrpc"} <= message.keys() else None


class Mcp(unittest.TestCase):
    options = None

    def inspect(self, *arguments):
        program = inspector()
        if not program:
            self.skipTest("npm install --prefix build @modelcontextprotocol/inspector")
        result = subprocess.run([*program, self.options.parley, "mcp", *arguments], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return json.loads(result.stdout)

    def test_the_inspector_lists_and_calls_every_tool(self):
        tools = [tool["name"] for tool in self.inspect("--method", "tools/list")["tools"]]
        self.assertEqual(sorted(tools), sorted(CALLS))
        for tool in tools:
            arguments = [word for key, value in CALLS[tool].items() for word in ("--tool-arg", f"{key}={value}")]
            answer = self.inspect("--method", "tools/call", "--tool-name", tool, *arguments)
            self.assertFalse(answer.get("isError", False), answer)
            self.assertIn("structuredContent", answer, tool)
            self.assertTrue(answer["content"][0]["text"], tool)

    def test_damaged_lines_neither_end_it_nor_leave_a_request_unanswered(self):
        fuzzer = Fuzzer(self.options.seed)
        process = subprocess.Popen([self.options.parley, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        answered, open_requests, lock = [], set(), threading.Condition()

        def read():
            for line in process.stdout:
                answer = json.loads(line)
                if isinstance(answer, dict) and "method" in answer:  # a notification of progress
                    continue
                with lock:
                    for each in answer if isinstance(answer, list) else [answer]:
                        answered.append(each["id"])
                        open_requests.discard(each["id"])
                    lock.notify()

        reader = threading.Thread(target=read)
        reader.start()
        asked = set()
        for _ in range(self.options.lines):
            line, needed = fuzzer.line()
            with lock:
                # A request that is cancelled while it waits has no answer.
                open_requests.difference_update(fuzzer.cancelled)
                fuzzer.cancelled.clear()
                self.assertTrue(lock.wait_for(lambda: len(open_requests) < 8, timeout=120), open_requests)
                if needed is not None:
                    asked.add(needed)
                    open_requests.add(needed)
            process.stdin.write(line + b"\n")
            process.stdin.flush()
            self.assertIsNone(process.poll(), "the program has ended")
        process.stdin.close()
        self.assertEqual(process.wait(120), 0)
        reader.join()
        self.assertEqual(open_requests - fuzzer.cancelled, set(), "requests without an answer")
        # Damage may make the ids of damaged lines alike.
        counts = collections.Counter(each for each in answered if each in asked)
        self.assertEqual([each for each, count in counts.items() if count > 1], [], "answered twice")
        print(f"{self.options.lines} lines, {len(asked)} requests, {len(answered)} answers", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parley")
    parser.add_argument("--lines", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    options, rest = parser.parse_known_args()
    Mcp.options = options
    unittest.main(argv=[sys.argv[0], *(rest or ["-v"])])


if __name__ == "__main__":
    main()
