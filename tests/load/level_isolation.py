#!/usr/bin/env python3
"""Plays the weakest level against depth 5 on `parley serve`, alone and beside three analyses.

usage: level_isolation.py ENGINE [--games N] [--pause SECONDS]

One analysis runs in the game itself, two more in games that repeat its moves. A weak player whose
searches could see what they find would play their moves. Both results are printed; the exit status
is 1 if they differ by more than three standard errors.
"""
import argparse
import contextlib
import math
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "session"))

import harness
import web

MAX_PLIES = 200  # a longer game is a draw
WEAK, STRONG = {"depth": 1}, {"depth": 5}
OPENINGS = ["", "E2E4 E7E5", "E2E4 C7C5", "E2E4 E7E6", "E2E4 C7C6", "D2D4 D7D5", "D2D4 G8F6",
            "D2D4 F7F5", "C2C4 E7E5", "G1F3 D7D5", "E2E4 D7D5", "E2E4 G8F6", "D2D4 E7E6",
            "C2C4 C7C5", "E2E4 G7G6", "E2E4 D7D6", "D2D4 D7D6", "B2B3 E7E5", "F2F4 D7D5",
            "C2C4 G8F6"]


def ask(client, message, wanted):
    """Sends a request; its answers up to the first of a type, without reports of analyses."""
    client.send(message)
    answers = []
    while not answers or answers[-1]["message_type"] not in wanted:
        answer = client.receive(60)
        if answer["message_type"] not in ("analysis", "game"):
            answers.append(answer)
    return answers


def play(client, start, end, promotion="queen"):
    """Plays a move of a piece."""
    said = ask(client, {"message_type": "peice move", "from": start, "to": end},
               ("next_legal_moveset", "promotion_prompt", "failure"))[-1]
    if said["message_type"] == "promotion_prompt":
        said = ask(client, {"message_type": "piece_promotion_choice", "piece_choice": promotion},
                   ("next_legal_moveset", "failure"))[-1]
    return said


def is_over(moveset):
    return not moveset["moves"]


def result_of_engine_move(client, level):
    """Has the engine move; the move and whether the game goes on."""
    answers = ask(client, {"message_type": "engine_move", **level},
                  ("next_legal_moveset", "failure"))
    harness.check(answers[-1]["message_type"] != "failure", str(answers[-1]))
    made = next(one for one in answers if one["message_type"] == "engine_move")
    return made, answers[-1]


def play_game(server, opening, weak_is_white, analyses, pause):
    """The score of the weak player: 1, 0.5 or 0."""
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(server.connect()) for _ in range(max(1, analyses))]
        game, mirrors = clients[0], clients[1:]
        for client in clients:
            for text in opening.split():
                play(client, text[:2], text[2:])
            if analyses:
                client.send({"message_type": "start_analysis"})
        white_to_move = True
        for _ in range(MAX_PLIES):
            weak_moves = white_to_move == weak_is_white
            if analyses and weak_moves:
                time.sleep(pause)
            made, moveset = result_of_engine_move(game, WEAK if weak_moves else STRONG)
            if is_over(moveset):
                end = next_of_type(game, "game_end")
                victor = end.get("victor")
                if victor not in ("white", "black"):
                    return 0.5
                return float((victor == "white") == weak_is_white)
            for client in mirrors:
                play(client, made["from"], made["to"], made.get("piece_choice", "queen"))
            white_to_move = not white_to_move
        return 0.5


def next_of_type(client, wanted):
    while True:
        message = client.receive(60)
        if message["message_type"] == wanted:
            return message


def match(start, games, analyses, pause):
    """The scores of the weak player in all games."""
    scores = []
    with web.Server(start, "serve") as server:
        for number in range(games):
            opening = OPENINGS[number // 2 % len(OPENINGS)]
            scores.append(play_game(server, opening, number % 2 == 0, analyses, pause))
    return scores


def summary(name, scores):
    wins, draws = scores.count(1.0), scores.count(0.5)
    print(f"{name}: weakest v depth 5: +{wins} ={draws} -{len(scores) - wins - draws}, "
          f"{sum(scores):g} of {len(scores)}", flush=True)


def variance_of_mean(scores):
    """At least that of one game more with the other result, so that it is never zero."""
    count = len(scores)
    mean = (sum(scores) + 0.5) / (count + 1)
    return mean * (1 - mean) / count


def main():
    parser = argparse.ArgumentParser(description="Is a weak level kept apart from analyses?")
    parser.add_argument("engine")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--pause", type=float, default=0.05,
                        help="seconds that analyses have before each move of the weak player")
    options = parser.parse_args()
    start = harness.Starter(os.path.abspath(options.engine), 4)
    try:
        alone = match(start, options.games, 0, options.pause)
        summary("alone", alone)
        beside = match(start, options.games, 3, options.pause)
        summary("beside three analyses", beside)
    except harness.Skip as skip:
        print(skip)
        return 77
    difference = abs(sum(alone) - sum(beside)) / options.games
    error = math.sqrt(variance_of_mean(alone) + variance_of_mean(beside))
    print(f"difference {difference:.3f}, standard error {error:.3f}")
    return 1 if difference > 3 * error else 0


if __name__ == "__main__":
    sys.exit(main())
