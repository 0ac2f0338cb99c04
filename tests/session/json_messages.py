"""Conversations in JSON messages, one object on each line."""
import json
import os
import time

from harness import check, median, test, test_each

FAILURE = '{"message_type":"failure","message":"failure: illegal move, please retry"}'
GOLDEN = os.path.join(os.path.dirname(__file__), "..", "data", "json", "golden.jsonl")
GET_MOVESET = {"message_type": "get_legal_moveset"}
NEW_GAME = {"message_type": "new_game"}
TABLEBASE = {"message_type": "tablebase"}
TABLES = os.path.join(os.path.dirname(__file__), "..", "data", "syzygy")
ENGINE_MOVE = {"message_type": "engine_move", "nodes": 500}


def text_of(message):
    return json.dumps(message, separators=(",", ":"))


def move(start, end):
    return {"message_type": "peice move", "from": start, "to": end}


def lines_of(*messages):
    return "".join(text_of(message) + "\n" for message in messages).encode()


def answers_to(start, *messages, arguments=("--json",), within=20.0):
    """Sends messages to a new process; returns all its answers."""
    run = start.run(*arguments, input=lines_of(*messages), within=within)
    check(run.status == 0, f"status {run.status}")
    return [json.loads(line) for line in run.lines]


class Player:
    """A client that sends a request and waits for the answers."""

    def __init__(self, start, *arguments):
        self.engine = start(*arguments, handshake=False)

    def request(self, message, answers=1, within=10.0):
        self.engine.send(text_of(message))
        return [self.receive(within) for _ in range(answers)]

    def receive(self, within=10.0):
        return json.loads(self.engine.read_until(lambda _: True, within)[-1].text)

    def leave(self):
        self.engine.close_input()
        self.engine.ends_well()


def scenarios():
    with open(GOLDEN, encoding="utf-8") as file:
        return [(one["scenario"], one["steps"]) for one in map(json.loads, file)]


@test_each(scenarios())
def golden(steps, start):
    requests = "".join(step["in"] + "\n" for step in steps).encode()
    expected = [text_of(message) for step in steps for message in step["out"]]
    lines = start.run("--json", input=requests).lines
    check(lines == expected, f"{len(lines)} lines: {lines[-2:]}")


@test_each([
    ("at once", b""),
    ("after blank lines", b"\n  \n\r\n\t\n"),
    ("after a blank", b"  "),
])
def a_brace_selects_json(before, start):
    run = start.run(input=before + lines_of(move("D2", "D4"), {}))
    check(run.status == 0 and len(run.lines) == 2, f"status {run.status}, it says {run.lines}")
    check(run.lines[1] == FAILURE, f"the output is {run.lines[1]}")


@test_each([
    ("at once", b""),
    ("after blank lines", b"\n  \n\r\n\t\n"),
    ("after a list", b"[]\n"),
    ("after a byte order mark", b"\xef\xbb\xbf{}\n"),
])
def any_other_first_line_selects_uci(before, start):
    run = start.run(input=before + b"isready\n{}\nisready\nquit\n")
    check(run.status == 0, f"status {run.status}")
    check(run.lines.count("readyok") == 2, f"the output is {run.lines}")


@test
def a_blank_line_is_a_failure_after_the_option_json(start):
    check(start.run("--json", input=b"\n").lines == [FAILURE], "no failure")


@test
def a_last_line_without_a_line_end_is_answered(start):
    request = lines_of(move("E2", "E4"))[:-1]
    check(len(start.run("--json", input=request).lines) == 1, "no answer")


@test_each([
    ("an unknown option", ["--json", "--nonsense"]),
    ("a word", ["--json", "uci"]),
])
def unknown_arguments_are_refused(arguments, start):
    check(start.run(*arguments).status == 2, "not refused")


@test
def an_option_adds_the_misspelt_key(start):
    game = {"message_type": "new_game", "fen": "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"}
    keys = ["capture", "en_passant_capture", "en_passant_catpure"]
    for arguments, count in ((["--json"], 2), (["--json", "--en-passant-catpure"], 3)):
        answers = answers_to(start, game, move("E5", "D6"), arguments=arguments)
        check(list(answers[1]["events"]) == keys[:count], f"the output is {answers[1]['events']}")


@test_each([
    ("milliseconds", {"milliseconds": 50}),
    ("nodes", {"nodes": 1000}),
    ("depth", {"depth": 4}),
    ("an Elo", {"elo": 1500}),
    ("an Elo and a time", {"elo": 2800, "milliseconds": 50}),
    ("all of them", {"milliseconds": 10000, "nodes": 1000, "depth": 30}),
    ("no limit", {}),
])
def an_engine_move_takes_limits(limits, start):
    player = Player(start, "--json")
    before, = player.request(GET_MOVESET)
    made, after = player.request({"message_type": "engine_move", **limits}, 2)
    check(made["message_type"] == "engine_move", f"the output is {made}")
    check(made["to"] in before["moves"].get(made["from"], []), f"{made} is no legal move")
    check(list(made["score"]) == ["centipawns"], f"the score is {made['score']}")
    check(after["message_type"] == "next_legal_moveset", f"the output is {after}")
    check(player.request(GET_MOVESET) == [after], "the moveset is not that of the game")
    check(all(space[1] in "78" for space in after["moves"]), "the move has not been made")
    player.leave()


@test_each([("100 ms", 100), ("400 ms", 400)])
def the_engine_uses_the_time_it_is_given(wanted, start):
    player = Player(start, "--json")
    player.request(NEW_GAME)
    times = []
    for _ in range(3):  # a busy machine can make any engine late once
        start_time = time.monotonic()
        player.request({"message_type": "hint", "milliseconds": wanted})
        times.append(1000 * (time.monotonic() - start_time))
    check(min(times) >= 0.5 * wanted, f"only {min(times):.0f} ms")
    check(min(times) <= wanted + 200 * start.slow, f"{min(times):.0f} ms")
    player.leave()


@test
def an_engine_move_can_end_the_game(start):
    player = Player(start)
    player.request({"message_type": "new_game", "fen": "7k/8/6K1/8/8/8/8/R7 w - - 0 1"})
    made, after, end = player.request({"message_type": "engine_move", "depth": 3}, 3)
    check((made["from"], made["to"], made["score"]) == ("A1", "A8", {"mate_in": 1}), f"{made}")
    check(after["moves"] == {} and after["events"]["check"]["threats"] == ["A8"], f"{after}")
    check(end == {"message_type": "game_end", "victor": "white", "reason": "checkmate"}, f"{end}")
    check(text_of(player.request(ENGINE_MOVE)[0]) == FAILURE, "the engine moves in a finished game")
    player.leave()


@test
def an_engine_move_promotes_without_a_prompt(start):
    player = Player(start, "--json")
    player.request({"message_type": "new_game", "fen": "8/Pr5k/8/8/8/8/8/K7 w - - 0 1"})
    made, after = player.request({"message_type": "engine_move", "depth": 5}, 2)
    check(made.get("piece_choice") == "queen", f"the output is {made}")
    check(after["events"]["promote"] == {"space": "A8", "piece": "queen"}, f"{after['events']}")
    player.leave()


@test
def a_hint_changes_nothing(start):
    player = Player(start, "--json")
    player.request(move("E2", "E4"))
    before, = player.request(GET_MOVESET)
    hint, = player.request({"message_type": "hint", "nodes": 2000})
    check(hint["message_type"] == "hint", f"the output is {hint}")
    check(hint["to"] in before["moves"].get(hint["from"], []), f"{hint} is no legal move")
    check(player.request(GET_MOVESET) == [before], "the game has changed")
    player.leave()


@test_each([
    (str(value), value) for value in (0, -5, 1.5, "100", None, True, [1], 10**30, 60001)
])
def a_wrong_time_is_refused(value, start):
    requests = [{"message_type": kind, "milliseconds": value} for kind in ("engine_move", "hint")]
    answers = answers_to(start, *requests, GET_MOVESET)
    check([text_of(one) for one in answers[:2]] == [FAILURE] * 2, f"the output is {answers[:2]}")
    check(len(answers[2]["moves"]) == 10, "the game has changed")


@test_each([(str(value), value) for value in (599, 2801, 0, -1500, 1500.5, "1500", None, True, [1500])])
def a_wrong_elo_is_refused(value, start):
    answers = answers_to(start, {"message_type": "engine_move", "elo": value}, GET_MOVESET)
    check(text_of(answers[0]) == FAILURE, f"the output is {answers[0]}")
    check(len(answers[1]["moves"]) == 10, "the game has changed")


@test
def a_weak_engine_moves_at_once_and_otherwise_in_another_game(start):
    weak = {"message_type": "engine_move", "elo": 1000}
    began = time.monotonic()
    answers = answers_to(start, *[NEW_GAME, *[weak] * 6] * 5)
    check(time.monotonic() - began < 5 * start.slow, "30 moves took long")
    moves = [text_of(one) for one in answers if one["message_type"] == "engine_move"]
    check(len(moves) == 30, f"{len(moves)} moves")
    check(len({tuple(moves[6 * game:6 * game + 6]) for game in range(5)}) >= 3, "the same games")


@test
def the_same_limits_give_the_same_game(start):
    played = [answers_to(start, NEW_GAME, *[ENGINE_MOVE] * 12) for _ in range(2)]
    check(len(played[0]) == 25 and played[0] == played[1], "the games differ")


@test
def lines_that_arrive_during_a_search_wait_in_order(start):
    player = Player(start, "--json")
    player.engine.send(text_of({"message_type": "engine_move", "milliseconds": 300}),
                       text_of(GET_MOVESET), "nonsense")
    answers = [player.receive() for _ in range(4)]
    check([one["message_type"] for one in answers]
          == ["engine_move", "next_legal_moveset", "next_legal_moveset", "failure"], f"{answers}")
    check(answers[1]["moves"] == answers[2]["moves"], "the request was answered before the move")
    player.leave()


@test
def every_line_is_answered_before_the_end(start):
    requests = [NEW_GAME] + [{"message_type": "engine_move", "milliseconds": 30}] * 10
    answers = answers_to(start, *requests, GET_MOVESET)
    check(len(answers) == 22, f"{len(answers)} answers")
    check(answers[-1]["moves"] == answers[-2]["moves"], "the last request is not answered last")


@test
def a_flood_of_messages_is_answered_in_bounded_memory(start):
    """A client that does not read: the engine stops reading until its output is read."""
    engine = start("--json", handshake=False)
    engine.send(text_of({"message_type": "engine_move", "milliseconds": 1000}))
    line = text_of({"message_type": "hint", "depth": 1}) + "\n"
    count = 20_000
    engine.write(line.encode() * count)
    check(engine.resident_mb() <= 200 * start.slow, f"{engine.resident_mb():.0f} MB")
    engine.close_input()
    hints = [text for text in engine.read_for(60 * start.slow) if '"hint"' in text]
    check(len(hints) == count, f"{len(hints)} answers to {count}")


@test_each([
    ("a line of 10 MB", b"x" * 10_000_000),
    ("a line of braces", b"{" * 5_000_000),
    ("nested lists", b'{"x":' + b"[" * 100_000),
    ("every byte", bytes(byte for byte in range(256) if byte != 10)),
    ("a zero at the end", lines_of(NEW_GAME)[:-1] + b"\0"),
    ("invalid UTF-8", b'{"message_type":"new_game","x":"\xc3\x28"}'),
])
def a_hostile_line_gives_one_failure(line, start):
    sent = lines_of(move("E2", "E4")) + line + b"\n" + lines_of(GET_MOVESET)
    run = start.run("--json", input=sent)
    check(run.status == 0 and len(run.lines) == 3, f"status {run.status}, {len(run.lines)} lines")
    check(run.lines[1] == FAILURE, f"the output is {run.lines[1][:100]}")
    check(run.lines[0] == run.lines[2], "the game has changed")


@test
def a_move_is_answered_quickly(start):
    player = Player(start)
    times = []
    for _ in range(50):
        for one in (move("G1", "F3"), move("G8", "F6"), NEW_GAME):
            start_time = time.monotonic()
            player.request(one)
            times.append(1000 * (time.monotonic() - start_time))
    check(median(times) <= 5 * start.slow, f"{median(times):.2f} ms")
    player.leave()


@test
def the_tables_tell_of_a_position(start):
    answers = answers_to(start, {**NEW_GAME, "fen": "8/8/8/8/8/8/k6K/2Q5 w - - 0 1"}, TABLEBASE,
                         arguments=("json", "--syzygy", TABLES))
    said = answers[-1]
    check((said["message_type"], said["wdl"], said["dtz"]) == ("tablebase", "win", 15), f"{said}")
    moves = {source: set(targets) for source, targets in answers[0]["moves"].items()}
    reported = {}
    for reported_move in said["moves"]:
        reported.setdefault(reported_move["from"], set()).add(reported_move["to"])
    check(reported == moves, f"of {reported}, not of {moves}")
    check(said["moves"][0]["result"] == "win", f"first {said['moves'][0]}")


@test_each([("--json", ("--json",)), ("json", ("json",)), ("recognised", ())])
def without_tables_a_question_for_them_is_a_failure(arguments, start):
    *_, said = answers_to(start, {**NEW_GAME, "fen": "8/8/8/8/8/8/k6K/2Q5 w - - 0 1"}, TABLEBASE,
                          arguments=arguments)
    check(text_of(said) == FAILURE, f"{said}")


@test
def the_engine_uses_the_tables_too(start):
    # White must capture on c7, and then a table has the win.
    fen = "8/2n5/8/8/8/k7/8/2R4K w - - 0 1"
    *_, said = answers_to(start, {**NEW_GAME, "fen": fen}, {"message_type": "hint", "depth": 6},
                          arguments=("json", "--syzygy", TABLES))
    score = said["score"]
    check(score.get("centipawns", 0) > 19000 or "mate_in" in score, f"{said}")


CLOCK = {"message_type": "clock", "white_time": 60_000, "black_time": 30_000, "white_increment": 1000}


@test
def clocks_are_told_to_who_gave_them_alone(start):
    answers = answers_to(start, move("E2", "E4"), NEW_GAME, CLOCK, move("E2", "E4"), move("E7", "E5"),
                         CLOCK, {"message_type": "clock"}, NEW_GAME, move("E2", "E4"))
    types = [one["message_type"] for one in answers]
    moveset = "next_legal_moveset"
    check(types == [moveset, moveset, "clock", moveset, "clock", moveset, "clock", "failure", "clock",
                    moveset, moveset], f"{types}")
    check(answers[4] == {"message_type": "clock", "white_time": 60_000, "black_time": 30_000,
                         "white_increment": 1000, "black_increment": 0}, f"{answers[4]}")
    check(answers[6]["runs"] == "white" and 59_000 < answers[6]["white_time"] <= 60_000, f"{answers[6]}")


@test
def a_flag_falls_without_a_request(start):
    player = Player(start, "--json")
    player.request({**NEW_GAME, "white_time": 200, "black_time": 200}, 2)
    player.request(move("E2", "E4"), 2)
    player.request(move("E7", "E5"), 2)
    end, clock = player.receive(), player.receive()
    check(end == {"message_type": "game_end", "victor": "black", "reason": "timeout"}, f"{end}")
    check(clock["white_time"] == 0 and "runs" not in clock, f"{clock}")
    check(text_of(player.request(move("D2", "D4"))[0]) == FAILURE, "the game goes on")
    player.leave()


@test
def a_flag_ends_the_search(start):
    player = Player(start, "--json")
    player.request({**NEW_GAME, "white_time": 300, "black_time": 300}, 2)
    player.request(move("E2", "E4"), 2)
    player.request(move("E7", "E5"), 2)
    end, _, late = player.request({"message_type": "hint", "milliseconds": 60_000}, 3, within=10 * start.slow)
    check(end["message_type"] == "game_end", f"{end}")
    check(text_of(late) == FAILURE, f"{late}")
    player.leave()


@test
def the_engine_plays_a_game_in_its_time(start):
    player = Player(start, "--json")
    player.request({**NEW_GAME, "white_time": int(2000 * start.slow), "black_time": int(2000 * start.slow)}, 2)
    for _ in range(20):
        made, moveset, clock = player.request({"message_type": "engine_move"}, 3)
        check(made["message_type"] == "engine_move" and moveset["moves"], f"{made}")
    check(clock["white_time"] > 0 and clock["black_time"] > 0, f"{clock}")
    player.leave()
