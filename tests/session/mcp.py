"""`parley mcp`: the Model Context Protocol on standard input and output."""
import json
import time

from harness import check, test, test_each

REVISION = "2025-06-18"
TOOLS = ["analyse", "play", "legal_moves", "review_game", "explain", "board"]


class Client:
    """A program with a language model: sends requests and waits for what they are answered with."""

    def __init__(self, start, *arguments):
        self.engine = start("mcp", *arguments, handshake=False)
        self.last_id = -1

    def send(self, **message):
        self.engine.send(json.dumps({"jsonrpc": "2.0", **message}))

    def receive(self, within=10.0):
        return json.loads(self.engine.read_until(lambda _: True, within)[-1].text)

    def request(self, method, within=10.0, **params):
        self.last_id += 1
        self.send(id=self.last_id, method=method, params=params)
        answer = self.receive(within)
        check(answer["id"] == self.last_id, answer)
        return answer

    def call(self, name, within=10.0, **arguments):
        return self.request("tools/call", within, name=name, arguments=arguments)["result"]

    def start_call(self, identity, name, token=None, **arguments):
        meta = {} if token is None else {"_meta": {"progressToken": token}}
        self.send(id=identity, method="tools/call",
                  params={"name": name, "arguments": arguments, **meta})

    def leave(self):
        self.engine.close_input()
        self.engine.ends_well()


def initialized(start, *arguments):
    client = Client(start, *arguments)
    answer = client.request("initialize", protocolVersion=REVISION, capabilities={},
                            clientInfo={"name": "test", "version": "1"})
    check(answer["result"]["protocolVersion"] == REVISION, answer)
    client.send(method="notifications/initialized")
    return client


@test
def a_client_greets_lists_and_calls_every_tool(start):
    client = initialized(start)
    tools = client.request("tools/list")["result"]["tools"]
    check([tool["name"] for tool in tools] == TOOLS, tools)
    board = client.call("board", moves="1. e4 e5")
    check("4 . . . . P . . ." in board["content"][0]["text"], board)
    moves = client.call("legal_moves", moves="e4", square="g8")["structuredContent"]["legal_moves"]
    check([move["san"] for move in moves] == ["Nf6", "Nh6"], moves)
    played = client.call("play", pgn="1. f3 e5 2. g4", move="Qh4")["structuredContent"]
    check(played["san"] == "Qh4#" and played["outcome"] == "checkmate", played)
    found = client.call("analyse", moves="f3 e5 g4", seconds=0.2, lines=2)["structuredContent"]
    check(found["lines"][0]["mate"] == -1 and len(found["lines"]) == 2, found)
    check(found["lines"][0]["moves"][0]["san"] == "Qh4#", found)
    review = client.call("review_game", moves="f3 e5 g4 Qh4", nodes=2000)["structuredContent"]
    check([move["judgement"] for move in review["moves"]][2:] == ["blunder", "fine"], review)
    why = client.call("explain", moves="f3 e5", move="g4")
    check(why["content"][0]["text"].startswith("g4 allows mate in 1. Better is "), why)
    claim = why["structuredContent"]["claim"]
    check(claim["kind"] == "mate_allowed" and claim["line"][0]["san"] == "Qh4#", claim)
    best = client.call("explain", moves="f3 e5 g4", language="de")["structuredContent"]
    check(best["move"] == best["better"] == "Qh4#" and best["verdict"] == "best", best)
    client.leave()


@test
def an_explanation_is_finished_at_the_end_of_the_input(start):
    client = initialized(start)
    client.start_call(3, "explain", moves="f3 e5", move="g4")
    client.engine.close_input()
    answer = client.receive()
    check(answer["id"] == 3 and "g4 allows mate in 1." in str(answer), answer)
    client.engine.ends_well()


@test
def an_illegal_move_is_told_with_what_is_legal(start):
    client = initialized(start)
    answer = client.call("play", moves="e4 e5", move="Re8#")
    check(answer["isError"] and "structuredContent" not in answer, answer)
    text = answer["content"][0]["text"]
    check("'Re8#' is not a legal move here" in text, text)
    check("the rook on a1 has no legal move" in text, text)
    client.leave()


@test
def the_protocol_is_recognised_by_its_first_line(start):
    engine = start(handshake=False)
    engine.send(json.dumps({"method": "ping", "jsonrpc": "2.0", "id": 0}))
    check(json.loads(engine.read_until(lambda _: True, 10)[-1].text)["result"] == {}, "no answer")
    engine.close_input()
    engine.ends_well()


@test
def a_ping_is_answered_while_a_tool_works(start):
    client = initialized(start)
    client.start_call("slow", "analyse", seconds=1)
    began = time.monotonic()
    check(client.request("ping")["result"] == {}, "no answer")
    check(time.monotonic() - began < 0.9 * client.engine.slow, "the ping waited for the analysis")
    check(client.receive()["id"] == "slow", "another answer")
    client.leave()


@test_each([("while it runs", True), ("while it waits", False)])
def a_cancelled_call_is_not_answered(runs, start):
    client = initialized(start)
    client.start_call("first", "analyse", seconds=10 if runs else 0.3)
    client.start_call("second", "analyse", seconds=0.05 if runs else 10)
    time.sleep(0.1)
    client.send(method="notifications/cancelled",
                params={"requestId": "first" if runs else "second", "reason": "user"})
    check(client.receive(within=5)["id"] == ("second" if runs else "first"), "another answer")
    client.send(method="notifications/cancelled", params={"requestId": "never sent"})
    check(client.request("ping")["result"] == {}, "no answer")
    client.leave()


@test
def a_cancelled_review_ends(start):
    client = initialized(start)
    client.start_call(8, "review_game", moves="e4 e5 " + "Nf3 Nf6 Ng1 Ng8 " * 100, nodes=100000)
    time.sleep(0.2)
    client.send(method="notifications/cancelled", params={"requestId": 8})
    check(client.call("board", within=5)["structuredContent"]["turn"] == "white", "no board")
    client.leave()


@test
def progress_is_told_to_those_who_ask(start):
    client = initialized(start)
    client.start_call(5, "analyse", token="t", seconds=1)
    last = 0
    while "id" not in (line := client.receive()):
        check(line["method"] == "notifications/progress", line)
        check(line["params"]["progressToken"] == "t" and line["params"]["progress"] > last, line)
        last = line["params"]["progress"]
    check(last > 0, "no progress")
    client.leave()


@test
def the_end_of_input_ends_a_search_and_its_answer_is_written(start):
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
               "params": {"name": "analyse", "arguments": {"seconds": 10}}}
    done = start.run("mcp", input=json.dumps(request).encode() + b"\n", within=5)
    check(done.status == 0 and done.seconds < 5 * start.slow, done)
    check(json.loads(done.lines[0])["result"]["structuredContent"]["lines"], done.lines)


@test
def too_many_calls_are_refused_and_long_lines_too(start):
    client = initialized(start)
    for number in range(18):
        client.start_call(f"call {number}", "analyse", seconds=10)
        if number == 0:
            time.sleep(0.3 * client.engine.slow)  # until it runs and waits no more
    refused = client.receive()
    check(refused["id"] == "call 17" and refused["error"]["code"] == -32603, refused)
    client.engine.send("x" * (300 << 10))
    check(client.receive()["error"]["code"] == -32600, "the long line")
    client.leave()
