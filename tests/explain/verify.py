#!/usr/bin/env python3
"""Proves again what `parley explain` says, with python-chess and nothing of Parley's.

usage: verify.py PARLEY POSITIONS [--nodes N] [--least-coverage PERCENT] [--show]
       verify.py --answers FILE
POSITIONS has lines "FEN [moves MOVE...]; MOVE", or without a move for the best one; # begins a comment. FILE has
answers of `parley explain --json`.
Every claim is proved from the definitions in engine/analysis/explain/claim.hpp and prover.hpp: its line is legal and ends as
claimed, every answer of the defender is met, and the motif's facts hold on the board. One false claim is a failure.
Exit status 77 without python-chess.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import threading
import time

try:
    import chess
    import chess.syzygy
except ImportError:
    print("skipped: python-chess is not installed")
    sys.exit(77)

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
MATES = ("mate_allowed", "mate_missed", "mate_delayed", "mates", "mate_stopped")
ENDINGS = ("win_given_up", "ending_lost")
THREATS = ("threat_stopped", "mate_stopped")
SLIDERS = (chess.BISHOP, chess.ROOK, chess.QUEEN)


class False_(Exception):
    """A claim that does not hold."""


class TooLong(Exception):
    """A proof that needs too many nodes: counted, and neither true nor false."""


def demand(condition, text):
    if not condition:
        raise False_(text)


def balance(board, color):
    mine, theirs = board.occupied_co[color], board.occupied_co[not color]
    return sum(value * ((mine & mask).bit_count() - (theirs & mask).bit_count())
               for value, mask in ((1, board.pawns), (3, board.knights | board.bishops), (5, board.rooks),
                                   (9, board.queens)))


def is_noisy(board, move):
    return move.promotion is not None or board.is_capture(move)


def is_drawn(board):
    return (board.halfmove_clock >= 100 or board.is_insufficient_material()
            or (len(board.move_stack) >= 8 and board.is_repetition(3)))


class Prover:
    """The attacker wins `goal` of balance, or mates if it is None."""

    def __init__(self, attacker, goal, most_nodes):
        self.attacker, self.goal, self.left = attacker, goal, most_nodes
        self.killers = {}
        self.known = {}

    def spend(self):
        self.left -= 1
        if self.left < 0:
            raise TooLong

    def order(self, board, moves, plies):
        killer = self.killers.get(plies)

        def rank(move):
            if move == killer:
                return -1000
            if board.is_capture(move):
                victim = board.piece_type_at(move.to_square) or chess.PAWN
                return -10 * VALUES[victim] + VALUES[board.piece_type_at(move.from_square)] - 10
            return -50 if move.promotion else -5 if board.gives_check(move) else 0
        return sorted(moves, key=rank)

    def attack(self, board, plies):
        self.spend()
        if is_drawn(board):
            return False
        moves = list(board.legal_moves)
        if plies == 1:
            if self.goal is None:
                moves = [move for move in moves if board.gives_check(move)]
            elif balance(board, self.attacker) < self.goal:
                moves = [move for move in moves if is_noisy(board, move) or board.gives_check(move)]
        for move in self.order(board, moves, plies):
            board.push(move)
            won = self.defend(board, plies - 1)
            board.pop()
            if won:
                self.killers[plies] = move
                return True
        return False

    def defend(self, board, plies):
        key = (board._transposition_key(), board.halfmove_clock > 80 and board.halfmove_clock, plies)
        if key not in self.known:
            self.known[key] = self.defend_new(board, plies)
        return self.known[key]

    def defend_new(self, board, plies):
        self.spend()
        moves = list(board.legal_moves)
        if not moves:
            return board.is_check()
        if is_drawn(board):
            return False
        if plies == 0:
            return self.goal is not None and self.settled(board)
        for move in self.order(board, moves, plies):
            board.push(move)
            won = self.attack(board, plies - 1)
            board.pop()
            if not won:
                self.killers[plies] = move
                return False
        return True

    def settled(self, board):
        return balance(board, self.attacker) >= self.goal and self.keeps(board, False)

    def keeps(self, board, attacker_moves):
        """Whether captures and promotions leave the goal reached."""
        self.spend()
        check = board.is_check()
        reached = balance(board, self.attacker) >= self.goal
        if not any(board.generate_legal_moves()):
            return check and not attacker_moves
        if not check and reached == attacker_moves:
            return reached
        moves = [move for move in board.legal_moves if check or is_noisy(board, move)]
        for move in self.order(board, moves, None):
            board.push(move)
            kept = self.keeps(board, not attacker_moves)
            board.pop()
            if kept == attacker_moves:
                return kept
        return not attacker_moves


# ---- Motifs

def victim_square(board, move):
    if board.is_en_passant(move):
        return chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
    return move.to_square


def after(board, *moves):
    copy = board.copy(stack=True)
    for move in moves:
        copy.push(move)
    return copy


def between(a, b, square):
    return square in chess.SquareSet(chess.between(a, b))


class Motifs:
    """One method for each motif: demands that its facts hold. `root` is where the line begins."""

    def __init__(self, before, move, root, line, claim, most_nodes=300000):
        self.before, self.move, self.root, self.line, self.claim = before, move, root, line, claim
        self.most_nodes = most_nodes
        self.squares = [chess.parse_square(name) for name in claim["squares"]]
        self.first = line[0]
        self.one = after(root, self.first)
        self.victim = not root.turn
        if len(line) > 2:
            self.answer, self.second = line[1], line[2]
            self.three = after(self.one, self.answer)

    def captured_first(self):
        demand(self.root.is_capture(self.first), "the first move captures nothing")
        return victim_square(self.root, self.first)

    def captured_second(self):
        demand(len(self.line) > 2 and self.three.is_capture(self.second), "the second move captures nothing")
        return victim_square(self.three, self.second)

    def undefended(self):
        target, = self.squares
        demand(self.captured_first() == target, "another piece is captured")
        demand(not any(move.to_square == self.first.to_square for move in self.one.legal_moves
                       if self.one.is_capture(move)), "it can be recaptured")

    def moved_into_attack(self):
        target, = self.squares
        demand(self.captured_first() == target == self.move.to_square, "another piece is captured")
        demand(not self.before.is_castling(self.move), "the move is castling")

    def poor_trade(self):
        self.moved_into_attack()
        demand(self.before.is_capture(self.move), "the move captures nothing")

    def pinned_defender(self):
        target, defender = self.squares
        self_to = self.first.to_square
        demand(self.captured_first() == target or self_to == target, "another piece is captured")
        demand(self_to in self.one.attacks(defender), "the defender does not defend")
        demand(self.one.is_pinned(self.victim, defender), "the defender is not pinned")
        demand(not any(move.from_square == defender and move.to_square == self_to for move in self.one.legal_moves),
               "the defender can recapture")

    def defender_left(self):
        target, origin = self.squares
        demand(self.captured_first() == target and origin == self.move.from_square, "other squares")
        demand(target in self.before.attacks(origin), "it was no defender")
        demand(target not in self.root.attacks(self.move.to_square), "it still defends")

    def line_opened(self):
        target, = self.squares
        demand(self.captured_first() == target, "another piece is captured")
        demand(between(self.first.from_square, target, self.move.from_square), "the move was not in the way")

    def overloaded(self):
        defender, first, second = self.squares
        self.captured_first()
        demand(self.first.to_square == first and self.captured_second() == second, "other squares")
        demand(self.answer.from_square == defender and self.answer.to_square == first, "it does not recapture")
        demand(first in self.one.attacks(defender) and second in self.one.attacks(defender), "it does not defend both")
        demand(second not in self.three.attacks(first), "it still defends the second")

    def defender_removed(self):
        defender, target = self.squares
        demand(self.captured_first() == defender and self.captured_second() == target, "other squares")
        demand(target in self.root.attacks(defender), "it was no defender")

    def exchange(self):
        target, = self.squares
        demand(self.captured_first() == target and self.root.piece_type_at(target) == chess.ROOK, "no rook")
        demand(self.root.piece_type_at(self.first.from_square) in (chess.KNIGHT, chess.BISHOP), "not by a minor piece")
        demand(self.claim["amount"] == 2, "not the exchange")

    def fork(self):
        attacker, *targets = self.squares
        demand(attacker == self.first.to_square and len(targets) >= 2, "no fork")
        value = VALUES[self.one.piece_type_at(attacker)]
        for target in targets:
            piece = self.one.piece_at(target)
            demand(piece and piece.color == self.victim and target in self.one.attacks(attacker), "not attacked")
            demand(piece.piece_type == chess.KING or VALUES[piece.piece_type] > value
                   or not self.one.attackers(self.victim, target), "not worth attacking")
        demand(self.second.from_square == attacker and self.captured_second() in targets, "the fork captures nothing")

    def beyond(self, slider, front):
        """What the slider would attack if `front` were not there."""
        copy = self.one.copy(stack=False)
        copy.remove_piece_at(front)
        return [square for square in copy.attacks(slider) if between(slider, square, front) and copy.piece_at(square)]

    def skewer(self):
        slider, front, back = self.squares
        demand(self.one.piece_type_at(slider) in SLIDERS and slider == self.first.to_square, "no slider")
        demand(front in self.one.attacks(slider) and self.beyond(slider, front) == [back], "not in line")
        front_type, back_type = self.one.piece_type_at(front), self.one.piece_type_at(back)
        demand(front_type == chess.KING or VALUES[front_type] >= VALUES[back_type], "the front is worth less")
        demand(self.captured_second() == back and self.answer.from_square == front, "the back is not captured")

    def pin(self):
        slider, pinned, behind = self.squares
        demand(self.one.piece_type_at(slider) in SLIDERS and slider == self.first.to_square, "no slider")
        demand(pinned in self.one.attacks(slider) and self.beyond(slider, pinned) == [behind], "not in line")
        piece = self.one.piece_at(behind)
        demand(piece.color == self.victim and (piece.piece_type == chess.KING or VALUES[piece.piece_type]
               > VALUES[self.one.piece_type_at(pinned)]), "it shields nothing")
        demand(self.captured_second() == pinned, "it is not captured")

    def pinned_piece(self):
        target, = self.squares
        demand(self.one.is_pinned(self.victim, target) and self.root.is_pinned(self.victim, target), "not pinned")
        demand(target in self.one.attacks(self.first.to_square), "not attacked")
        demand(self.captured_second() == target, "it is not captured")

    def discovered_attack(self):
        attacker, target = self.squares
        demand(target in self.one.attacks(attacker) and target not in self.root.attacks(attacker), "not discovered")
        demand(between(attacker, target, self.first.from_square), "the move was not in the way")
        demand(self.captured_second() == target and self.second.from_square == attacker, "it is not captured")

    def double_attack(self):
        target, king = self.squares
        checkers = set(self.one.checkers()) - {self.first.to_square}
        demand(checkers and self.one.king(self.victim) == king, "no discovered check")
        demand(target in self.one.attacks(self.first.to_square), "not attacked")
        demand(self.captured_second() == target and self.second.from_square == self.first.to_square, "not captured")

    def trapped(self):
        target, = self.squares
        piece = self.one.piece_at(target)
        demand(piece and piece.color == self.victim and piece.piece_type != chess.PAWN, "no piece")
        demand(target in self.one.attacks(self.first.to_square), "not attacked")
        demand(self.claim["amount"] >= VALUES[piece.piece_type] - 1, "it is not lost")
        self.in_every_answer(lambda board, move, square: board.is_capture(move) and square == victim_square(board, move),
                             target, "an answer saves it")

    def promotion(self):
        origin, target = self.squares
        board = self.root.copy()
        for index, move in enumerate(self.line):
            if index % 2 == 0 and move.promotion and (move.from_square, move.to_square) == (origin, target):
                break
            board.push(move)
        else:
            raise False_("no such promotion")
        if self.first.promotion is None:
            self.in_every_answer(lambda board, move, square: move.promotion and move.to_square == target, None,
                                 "an answer keeps the pawn from promoting")

    def in_every_answer(self, meets, square, text):
        """Demands that every answer is met by a move that `meets`, and that the goal is reached then; or by mate."""
        attacker = self.root.turn
        prover = Prover(attacker, balance(self.before, attacker) + self.claim["amount"], self.most_nodes)

        def defended(board, square, plies):
            prover.spend()
            moves = list(board.legal_moves)
            if not moves:
                return board.is_check()
            if plies == 0 or is_drawn(board):
                return False
            for move in moves:
                board.push(move)
                met = attacked(board, move.to_square if move.from_square == square else square, plies - 1)
                board.pop()
                if not met:
                    return False
            return True

        def attacked(board, square, plies):
            prover.spend()
            if is_drawn(board):
                return False
            for move in sorted(board.legal_moves, key=lambda move: not meets(board, move, square)):
                is_met = meets(board, move, square)
                board.push(move)
                if is_met:
                    won = prover.defend(board, 0) or prover.defend(board, plies - 1)
                else:
                    won = board.is_checkmate() or plies > 1 and defended(board, square, plies - 1)
                board.pop()
                if won:
                    return True
            return False

        demand(defended(self.one.copy(), square, self.claim["plies"] + 1), text)

    def back_rank(self):
        king, = self.squares
        end = after(self.root, *self.line)
        rank = chess.square_rank(king)
        demand(end.is_checkmate() and end.king(end.turn) == king, "no mate")
        demand(rank == (0 if end.turn == chess.WHITE else 7), "not the back rank")
        checker, = end.checkers()
        demand(chess.square_rank(checker) == rank and end.piece_type_at(checker) in (chess.ROOK, chess.QUEEN), "no rook")
        front = [square for square in chess.SquareSet(chess.BB_KING_ATTACKS[king]) if chess.square_rank(square) != rank]
        demand(all(end.color_at(square) == end.turn for square in front), "the king is not shut in")


# ---- Claims

def board_of(text):
    """The board of "FEN [moves MOVE...]", with its history."""
    fen, _, moves = text.partition(" moves ")
    board = chess.Board() if fen == "startpos" else chess.Board(fen)
    for move in moves.split():
        board.push_uci(move)
    return board


def prove(root, first, goal, plies, most_nodes):
    """Whether the side to move reaches the goal by `first`, or by any move if it is None."""
    prover = Prover(root.turn, goal, most_nodes)
    board = root.copy()
    if first is None:
        return prover.attack(board, plies)
    board.push(first)
    return prover.defend(board, plies - 1)


def root_of(before, move, kind):
    root = before.copy()
    if kind in ("mate_allowed", "material_lost", "draw_allowed", "game_drawn", "win_given_up", "ending_lost"):
        root.push(move)
    elif kind in THREATS:
        demand(not root.is_check(), "a null move in check")
        root.push(chess.Move.null())
    return root


def check_mate(answer, before, move, root, line, most_nodes):
    claim = answer["claim"]
    plies = 2 * claim["amount"] - 1
    demand(claim["plies"] == plies and len(line) <= plies, "the wrong number of plies")
    demand(after(root, *line).is_checkmate(), "the line ends without mate")
    demand(prove(root, line[0], None, plies, most_nodes), "no forced mate")
    if claim["kind"] in ("mate_missed", "mate_delayed"):
        demand(line[0].uci() == answer["better"], "another move than the better one")
        demand(not prove(before, move, None, plies, most_nodes), "the move mates as fast")
    if claim["kind"] == "mates":
        demand(line[0] == move, "another move")
    if claim["kind"] == "mate_stopped":
        board = after(before, move)
        demand(line[0] not in board.legal_moves or not prove(board, line[0], None, plies, most_nodes),
               "the mate is still there")


def check_material(answer, before, move, root, line, most_nodes):
    claim = answer["claim"]
    kind = claim["kind"]
    goal = balance(before, root.turn) + claim["amount"]
    demand(claim["amount"] >= 1 and claim["plies"] % 2 == 1 and len(line) <= claim["plies"], "wrong numbers")
    demand(balance(after(root, *line), root.turn) >= goal or after(root, *line).is_checkmate(), "the line wins less")
    demand(prove(root, line[0], goal, claim["plies"], most_nodes), "it is not won by force")
    if kind == "material_missed":
        demand(line[0] != move and not prove(before, move, goal, claim["plies"], most_nodes), "the move wins it too")
    if kind == "material_won":
        demand(line[0] == move, "another move")
    if kind == "threat_stopped":
        board = after(before, move)
        demand(line[0] not in board.legal_moves
               or not prove(board, line[0], goal, claim["plies"], most_nodes), "the threat is still there")
    if claim["was_threat"]:
        passed = after(before, chess.Move.null())
        demand(line[0] in passed.legal_moves and prove(passed, line[0], goal, claim["plies"], most_nodes), "no threat")
    if claim["won_piece"]:
        square = victim_square(root, line[0])
        piece = root.piece_type_at(square)
        demand(root.is_capture(line[0]) and chess.piece_name(piece) == claim["won_piece"], "another piece is captured")
        demand(claim["amount"] >= VALUES[piece], "the piece is not won as a whole")
        demand(f"the {claim['won_piece']} on {chess.square_name(square)}" in answer["sentences"][0], "wrong words")


def is_game_drawn(board):
    return (board.is_stalemate() or board.is_insufficient_material() or board.halfmove_clock >= 100
            or board.is_repetition(3))


def tables():
    """The Syzygy tables of PARLEY_SYZYGY, or the few of tests/data."""
    if not hasattr(tables, "opened"):
        here = os.path.dirname(os.path.abspath(__file__))
        tables.opened = chess.syzygy.open_tablebase(os.path.join(here, "..", "data", "syzygy"))
        for folder in filter(None, os.environ.get("PARLEY_SYZYGY", "").split(":")):
            tables.opened.add_directory(folder)
    return tables.opened


def ending_result(board):
    """1, 0 or -1 for the side to move, with the fifty-move rule."""
    wdl = tables().probe_wdl(board)
    demand(abs(wdl) != 1, "a win that takes too long")
    demand(not wdl or abs(tables().probe_dtz(board)) + board.halfmove_clock <= 100, "a win that takes too long")
    return wdl // 2


def check_ending(before, root, kind):
    was, now = ending_result(before), -ending_result(root)
    demand((was, now) == (1, 0) if kind == "win_given_up" else was > now == -1, f"the ending was {was} and is {now}")


def check_words(answer, before, move, root, line):
    """The sentences name the move, and what they say of the line is the line."""
    text = answer["sentences"]
    demand(1 <= len(text) <= 2, "no sentence, or too many")
    demand(before.san(move) in text[0], "the move is not named")
    board = root.copy()
    for san, move_of_line in zip([re.sub(r"^\d+\.+", "", word) for word in answer["line"].split()], line, strict=True):
        demand(board.parse_san(san) == move_of_line, "the line is written wrongly")
        board.push(move_of_line)
    kind, amount = answer["claim"]["kind"], answer["claim"]["amount"]
    if kind in MATES and not (kind in ("mates", "mate_stopped") and amount == 1):
        demand(re.search(rf"\bin {amount}\b", text[0]), "another number of moves")
    found = re.search(r"at least (\d+) pawns", text[0])
    demand(not found or int(found[1]) == amount, "another amount")
    demand("at least a pawn" not in text[0] or amount == 1, "another amount")


def allowed(before, move, goals, plies, most_nodes):
    """Whether a move lets the opponent reach one of the goals: a balance, or None for mate."""
    board = after(before, move)
    return any(prove(board, None, goal, depth, most_nodes) for depth in range(1, plies + 1, 2) for goal in goals)


def check_only_move(only, before, move, most_nodes):
    """All other moves allow mate or lose the amount, and this one does neither."""
    demand(only["amount"] > 0 or only["mate"], "no reason")
    others = [other for other in before.legal_moves if other != move]
    demand(others, "there is no other move")
    goals = [balance(before, not before.turn) + only["amount"]] if only["amount"] else [None]
    demand(not allowed(before, move, goals, only["plies"], most_nodes), "the move loses as much")
    mated = [other for other in others if only["mate"] and allowed(before, other, [None], only["plies"], most_nodes)]
    demand(bool(mated) == only["mate"], "no other move allows mate")
    for other in others:
        demand(other in mated or allowed(before, other, goals, only["plies"], most_nodes), f"{before.san(other)} holds")


def check_answer(answer, before, most_nodes):
    """Raises False_ if a claim about a move in the position `before` is false."""
    demand(before.fen() == chess.Board(answer["fen"]).fen(), "another position")
    move = chess.Move.from_uci(answer["move"])
    demand(move in before.legal_moves, "the move is illegal")
    demand(chess.Move.from_uci(answer["better"]) in before.legal_moves, "the better move is illegal")
    demand(answer["only_legal"] == (before.legal_moves.count() == 1), "not the only legal move")
    if answer["only_move"]:
        demand(answer["move"] == answer["better"], "another move is better")
        check_only_move(answer["only_move"], before, move, most_nodes)
        demand("the only move" in answer["sentences"][-1], "the only move is not named")
    claim = answer["claim"]
    if claim is None:
        return
    root = root_of(before, move, claim["kind"])
    line = [chess.Move.from_uci(text) for text in claim["line"]]
    board = root.copy()
    for played in line:
        demand(played in board.legal_moves, f"the line is illegal at {played.uci()}")
        board.push(played)
    check_words(answer, before, move, root, line)
    kind = claim["kind"]
    if kind == "game_drawn":
        demand(is_game_drawn(root), "no draw")
    elif kind == "draw_allowed":
        demand(len(line) == 1 and is_game_drawn(board), "no draw")
    elif kind in ENDINGS:
        check_ending(before, root, kind)
    elif kind in MATES:
        check_mate(answer, before, move, root, line, most_nodes)
    else:
        check_material(answer, before, move, root, line, most_nodes)
    if claim["motif"] != "none":
        getattr(Motifs(before, move, root, line, claim, most_nodes), claim["motif"])()


def answers_of(options):
    """The answers with their positions, which have their history if they come from POSITIONS."""
    if options.answers:
        with open(options.answers) as file:
            for line in file:
                answer = json.loads(line)
                yield answer, chess.Board(answer["fen"]) if "fen" in answer else None
        return
    with open(options.positions) as file:
        lines = [line.split("#")[0].strip() for line in file]
    lines = [";".join(line.split(";")[:2]) for line in lines if line]
    process = subprocess.Popen([options.parley, "explain", "--json", "--nodes", str(options.nodes)],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    threading.Thread(target=lambda: (process.stdin.write("\n".join(lines) + "\n"), process.stdin.close())).start()
    for line, answer in zip(lines, process.stdout, strict=True):
        yield json.loads(answer), board_of(line.split(";")[0].strip())
    process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parley", nargs="?")
    parser.add_argument("positions", nargs="?")
    parser.add_argument("--answers")
    parser.add_argument("--nodes", type=int, default=20000)
    parser.add_argument("--most-nodes", type=int, default=300000, help="of one proof here")
    parser.add_argument("--least-coverage", type=float, default=0, help="percent of worse moves that need a claim")
    parser.add_argument("--lost", type=int, default=10, help="a move is worse if it loses more percent of the chance")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    counts, motifs, false, began = collections.Counter(), collections.Counter(), 0, time.monotonic()
    for answer, before in answers_of(options):
        counts["answers"] += 1
        if "error" in answer:
            counts["errors"] += 1
            continue
        lost = answer["chance_of_better"] - answer["chance_of_move"]
        worse = answer["verdict"] == "worse" and lost > options.lost
        counts["worse"] += worse
        claim = answer["claim"]
        if options.show:
            print(answer["fen"], "|", *answer["sentences"], answer["line"])
        try:
            check_answer(answer, before, options.most_nodes)
        except False_ as problem:
            false += 1
            print(f"FALSE: {problem}: {json.dumps(answer)}")
        except TooLong:
            counts["too long to prove here"] += 1
        counts["only moves"] += answer["only_move"] is not None
        if claim:
            counts["claims"] += 1
            counts["worse with a claim"] += worse
            motifs[claim["kind"], claim["motif"]] += 1
    for (kind, motif), count in sorted(motifs.items()):
        print(f"  {count:6} {kind} {motif}")
    coverage = 100 * counts["worse with a claim"] / max(1, counts["worse"])
    print(f"{dict(counts)}, {coverage:.1f} % of the worse moves have a claim, {false} false, "
          f"{time.monotonic() - began:.0f} s")
    return 1 if false or not counts["claims"] or coverage < options.least_coverage else 0


if __name__ == "__main__":
    sys.exit(main())
