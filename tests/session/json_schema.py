"""uci/json/messages.schema.json: what it says of the JSON messages, beside what the program says."""
import functools
import json
import os

from harness import Skip, check, test, test_each

from json_messages import CLOCK, FAILURE, TABLES, answers_to, move, scenarios, text_of

try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = os.path.join(os.path.dirname(__file__), "..", "..", "uci", "json", "messages.schema.json")


@functools.cache
def validator_of(kind):
    if jsonschema is None:
        raise Skip("python3-jsonschema is missing")
    with open(SCHEMA, encoding="utf-8") as file:
        schema = json.load(file)
    schema["oneOf"] = [{"$ref": f"#/$defs/{kind}"}]
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def errors_in(message, kind):
    """Why a message is no `request` or `answer`; empty if it is one."""
    return [error.message for error in validator_of(kind).iter_errors(message)]


def check_answers(answers):
    for answer in answers:
        errors = errors_in(answer, "answer")
        check(not errors, f"{text_of(answer)}: {errors}")


@test
def the_recorded_conversations_are_valid(start):
    granted = 0
    for _, steps in scenarios():
        for step in steps:
            check_answers(step["out"])
            if [text_of(answer) for answer in step["out"]] == [FAILURE]:
                continue
            errors = errors_in(json.loads(step["in"]), "request")
            check(not errors, f"{step['in']}: {errors}")
            granted += 1
    check(granted > 50, f"only {granted} requests")


@test
def every_answer_is_valid(start):
    requests = [
        move("E2", "E4"), {"message_type": "hint", "nodes": 500}, {"message_type": "explain"},
        {"message_type": "explain", "ply": 0, "language": "de"},
        {"message_type": "engine_move", "nodes": 500, "elo": 1500}, {"message_type": "take_back", "plies": 2},
        {"message_type": "load_pgn", "pgn": "1. e4 d5 2. exd5 Nf6 3. d6 e5"},
        {"message_type": "resignation", "player": "white"},
        {"message_type": "new_game", "fen": "8/8/8/8/8/8/k6K/2Q5 w - - 0 1"}, {"message_type": "tablebase"},
        {"message_type": "new_game", "fen": "8/P6k/8/8/8/8/8/K7 w - - 0 1"}, move("A7", "A8"),
        {"message_type": "piece_promotion_choice", "piece_choice": "rook"}, {"message_type": "nonsense"}]
    answers = answers_to(start, *requests, arguments=("json", "--syzygy", TABLES))
    check_answers(answers)
    for request in requests[:-1]:
        check(not errors_in(request, "request"), f"{request}: {errors_in(request, 'request')}")
    types = {answer["message_type"] for answer in answers}
    check(types == {"next_legal_moveset", "hint", "explanation", "engine_move", "game_end", "tablebase",
                    "promotion_prompt", "failure"}, f"{types}")


@test
def every_answer_about_clocks_is_valid(start):
    requests = [CLOCK, {"message_type": "clock"}, move("E2", "E4"), move("E7", "E5"),
                {"message_type": "new_game", "white_time": 60, "black_time": 40, "black_increment": 5}]
    answers = answers_to(start, *requests)
    check_answers(answers)
    check(len([one for one in answers if one["message_type"] == "clock"]) == 5, f"{answers}")
    for request in requests:
        check(not errors_in(request, "request"), f"{request}: {errors_in(request, 'request')}")


# What the program refuses whatever the position is, the schema refuses too.
@test_each([(text_of(message), message) for message in (
    {}, {"message_type": "nonsense"}, {"message_type": "peice move", "from": "E2"}, move("E2", "E9"),
    {"message_type": "piece_promotion_choice", "piece_choice": "king"},
    {"message_type": "new_game", "fen": 1}, {"message_type": "load_pgn"},
    {"message_type": "resignation"}, {"message_type": "timeout", "player": "red"},
    {"message_type": "take_back", "plies": 0}, {"message_type": "engine_move", "elo": 599},
    {"message_type": "hint", "milliseconds": 60001}, {"message_type": "hint", "depth": 241},
    {"message_type": "explain", "from": "E2"}, {"message_type": "explain", "ply": -1},
    {"message_type": "explain", "from": "E2", "to": "E4", "ply": 0},
    {"message_type": "clock", "white_time": 1000}, {"message_type": "clock", "black_increment": 10},
    {"message_type": "new_game", "white_time": 0, "black_time": 1000}, {"message_type": "offer_draw"},
    {"message_type": "explain", "piece_choice": "queen"}, {"message_type": "explain", "language": "fr"})])
def a_wrong_request_is_invalid_and_refused(message, start):
    check(errors_in(message, "request"), "it is valid")
    answers = answers_to(start, message)
    check([text_of(answer) for answer in answers] == [FAILURE], f"{answers}")
