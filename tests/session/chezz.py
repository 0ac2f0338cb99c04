"""The programs that translate games to and from chezz's states, as a script would use them."""
import json
import pathlib

from harness import START, check, test, test_each

DATA = pathlib.Path(__file__).parent.parent / "data" / "chezz"
GAME = '{"moves":["e2e4","e7e5"]}'
STATE = ("0002000f" "0403020506020304" "0101010100010101" + 8 * "00" + "0000000011000000"
         "0000000019000000" + 8 * "00" + "0909090900090909" "0c0b0a0d0e0a0b0c" "00" "0c1c3424")


def golden_games():
    return [json.loads(line) for name in ("golden.jsonl", "correct_golden.jsonl")
            for line in (DATA / name).read_text().splitlines()]


def translated(start, program, lines):
    """What the program makes of the lines: one line each, and the status of one that is well."""
    run = start.run(program, input="".join(line + "\n" for line in lines).encode())
    check(run.status == 0, f"{program} ended with status {run.status}")
    check(len(run.lines) == len(lines), f"{len(run.lines)} answers to {len(lines)} lines")
    return run.lines


@test
def golden_games_become_the_states_that_the_front_end_reads(start):
    games = golden_games()
    lines = translated(start, "chezz-encode", [json.dumps({"moves": game["moves"]})
                                               for game in games])
    for game, line in zip(games, lines):
        check(line == game["front_hex"], f"{game['name']}: {line}")


@test_each([("the front end's", "front_hex"), ("the server's", "correct_hex"),
            ("chezz-back's own", "state_hex")])
def golden_states_become_games(key, start):
    games = [game for game in golden_games() if key in game]
    lines = translated(start, "chezz-decode", [game[key] for game in games])
    for game, line in zip(games, lines):
        said = json.loads(line)
        check(said == {"fen": game["fen"], "moves": game["moves"]}, f"{game['name']}: {line}")


@test
def what_one_program_prints_the_other_reads(start):
    states = [game["front_hex"] for game in golden_games()]
    games = translated(start, "chezz-decode", states)
    check(translated(start, "chezz-encode", games) == states, "the states are others")


@test
def small_letters_and_windows_line_ends_are_understood(start):
    moves = ["h2h4", "g7g5", "h4g5", "h7h6", "g5h6", "g8f6", "h6h7", "f6g8", "h7g8"]
    small, capital = translated(start, "chezz-encode",
                                [json.dumps({"moves": moves[:-1] + ["h7g8" + letter]}) + "\r"
                                 for letter in "qQ"])
    check(small == capital and small.endswith("37be01"), f"{small} and {capital}")
    said = translated(start, "chezz-decode", [small.upper() + "\r"])[0]
    check(json.loads(said)["moves"][-1] == "h7g8Q", said)


@test_each([(line or "nothing", line) for line in (
    "", "nonsense", "[]", "{}", "null", '"e2e4"', '{"moves":"e2e4"}', '{"moves":[1]}',
    '{"moves":[["e2e4"]]}', '{"moves":["e2e5"]}', '{"moves":["e2e4","e2e4"]}', '{"moves":["e4"]}',
    '{"moves":["e2e4Q"]}', '{"moves":["e2e4e.p"]}', '{"moves":["\\u0000"]}', '{"moves":["e2e4"]',
    GAME + GAME, "[" * 100000)])
def a_line_that_is_no_game_is_an_error_and_the_next_is_read(line, start):
    error, state = translated(start, "chezz-encode", [line, GAME])
    check(error.startswith("error: ") and len(error) > 20, f"it says {error}")
    check(state == STATE, f"then it says {state}")


@test_each([
    ("nothing", ""), ("no digits", "nonsense"), ("an odd digit", STATE + "0"),
    ("a cut", STATE[:-2]), ("too little", "00"), ("a long text", "00" * 100000),
    ("blanks", STATE.replace("00", "00 ")), ("another turn", "01" + STATE[2:]),
    ("a move too many", STATE + "3424"), ("a byte beyond ASCII", "ä" + STATE),
])
def a_line_that_is_no_state_is_an_error_and_the_next_is_read(line, start):
    error, game = translated(start, "chezz-decode", [line, STATE])
    check(error.startswith("error: ") and len(error) > 20, f"it says {error}")
    check(json.loads(game)["moves"] == ["e2e4", "e7e5"], f"then it says {game}")


@test
def bytes_that_are_no_text_are_an_error(start):
    for program in ("chezz-encode", "chezz-decode"):
        run = start.run(program, input=bytes(range(256)) + b'\n{"moves":["\xff\xfe"]}')
        check(run.status == 0, f"status {run.status}")
        check(len(run.lines) == 3 and all(line.startswith("error: ") for line in run.lines),
              f"{program} says {run.lines}")


@test
def a_game_without_moves_is_the_start(start):
    state = translated(start, "chezz-encode", ['{"moves":[]}'])[0]
    check(len(state) == 2 * 69, state)
    said = json.loads(translated(start, "chezz-decode", [state])[0])
    check(said == {"fen": START, "moves": []}, f"it says {said}")


@test
def no_input_gives_no_output(start):
    for program in ("chezz-encode", "chezz-decode"):
        check(translated(start, program, []) == [], f"{program} says something")


@test_each([(program, program) for program in ("chezz-encode", "chezz-decode")])
def arguments_are_refused_but_for_help(program, start):
    check(start.run(program, "file").status == 2, "a file is no error")
    check(start.run(program, "--nonsense").status == 2, "an unknown option is no error")
    run = start.run(program, "--help")
    check(run.status == 0 and program in " ".join(run.lines), f"it says {run.lines}")
