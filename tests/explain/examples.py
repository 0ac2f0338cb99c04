#!/usr/bin/env python3
"""Proves the positions of tests/data/explain/examples.txt with python-chess, without Parley.

usage: examples.py EXAMPLES [--stockfish PROGRAM]

A line is "FEN [moves MOVE...]; MOVE; CLAIM": CLAIM is "KIND MOTIF" or "KIND", which must be true of the move, or
"not:NAME", of which no case may be true of it within three plies, or five where the position is small. With a
Stockfish the move must also lose as much as the claim says. The names are those of engine/analysis/explain/claim.hpp;
"only_legal" and "only_move" are two more, and "threat" after a claim of
lost material: the opponent would have won as much after a null move. Exit status 77 without python-chess.
"""
import argparse
import collections
import itertools
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import verify  # noqa: E402  (exits with 77 without python-chess)
import chess  # noqa: E402
import chess.engine  # noqa: E402

MOST_NODES = 400000
KINDS_OF_MATERIAL = ("material_lost", "material_missed", "material_won", "threat_stopped")
MOTIFS = ("undefended", "moved_into_attack", "poor_trade", "pinned_defender", "defender_left", "line_opened",
          "overloaded", "defender_removed", "exchange", "fork", "skewer", "pin", "pinned_piece", "discovered_attack",
          "double_attack", "trapped", "promotion", "back_rank")


class Search:
    """Stockfish, with as many nodes each time."""

    def __init__(self, program, nodes=60000):
        self.engine = chess.engine.SimpleEngine.popen_uci(program, timeout=None)
        self.limit = chess.engine.Limit(nodes=nodes)

    def best(self, board, moves=None):
        """The best move, of some if they are given, and its score for the side to move."""
        info = self.engine.analyse(board, self.limit, root_moves=moves, game=object())
        return info.get("pv", moves or list(board.legal_moves))[0], info["score"].relative

    def close(self):
        self.engine.quit()


def squares_of(motif, move, root, line):
    """Every list of squares with which a motif could be claimed of a line."""
    one = verify.after(root, line[0])
    first = verify.victim_square(root, line[0]) if root.is_capture(line[0]) else None
    second = None
    if len(line) > 2:
        two = verify.after(one, line[1])
        second = verify.victim_square(two, line[2]) if two.is_capture(line[2]) else None
    victims = list(chess.SquareSet(one.occupied_co[one.turn]))
    if motif == "fork":
        value = verify.VALUES[one.piece_type_at(line[0].to_square)]
        targets = [square for square in victims if square in one.attacks(line[0].to_square)
                   and (one.piece_type_at(square) == chess.KING or verify.VALUES[one.piece_type_at(square)] > value
                        or not one.attackers(one.turn, square))]
        return [[line[0].to_square, *targets]]
    if motif == "pinned_defender":
        return [[first, square] for square in victims]
    if motif == "pin":
        return [[line[0].to_square, second, square] for square in victims]
    answer = line[1] if len(line) > 1 else chess.Move.null()
    last = line[2] if len(line) > 2 else chess.Move.null()
    return [{"undefended": [first], "moved_into_attack": [first], "poor_trade": [first], "line_opened": [first],
             "exchange": [first], "defender_left": [first, move.from_square],
             "overloaded": [answer.from_square, line[0].to_square, second], "defender_removed": [first, second],
             "skewer": [line[0].to_square, answer.from_square, second], "pinned_piece": [second],
             "trapped": [answer.from_square if second == answer.to_square else second],
             "discovered_attack": [last.from_square, second],
             "double_attack": [second, one.king(one.turn)],
             "promotion": next(([played.from_square, played.to_square] for played in line[::2] if played.promotion),
                               [None])}[motif]]


def motif_holds(motif, before, move, root, line, claim):
    for squares in squares_of(motif, move, root, line):
        if None in squares:
            continue
        named = {**claim, "squares": [chess.square_name(square) for square in squares]}
        try:
            getattr(verify.Motifs(before, move, root, line, named), motif)()
            return True
        except (verify.False_, ValueError, AttributeError):
            continue
    return False


def lines_from(root, first):
    """The lines of up to three plies that begin with a move."""
    yield [first]
    one = verify.after(root, first)
    for answer in one.legal_moves:
        two = verify.after(one, answer)
        for second in two.legal_moves:
            if verify.is_noisy(two, second):
                yield [first, answer, second]


def gain_of(before, root, first, plies):
    """The most that a first move is proved to win."""
    most = 0
    base = verify.balance(before, root.turn)
    for amount in range(1, 13):
        if not verify.prove(root, first, base + amount, plies, MOST_NODES):
            break
        most = amount
    return most


def plies_for(board):
    return 5 if board.occupied.bit_count() <= 8 else 3


def material_holds(before, move, kind, motif, plies):
    """Whether some first move wins material by the motif."""
    root = verify.root_of(before, move, kind)
    firsts = [move] if kind == "material_won" else list(root.legal_moves)
    for first in firsts:
        if kind == "material_missed" and first == move:
            continue
        gain = gain_of(before, root, first, plies)
        if not gain:
            continue
        if motif is None or motif == "none":
            return True
        claim = {"amount": gain, "plies": plies, "kind": kind}
        if any(motif_holds(motif, before, move, root, line, claim) for line in lines_from(root, first)):
            return True
    return False


def mate_holds(before, move, kind, motif):
    root = verify.root_of(before, move, kind)
    for moves in range(1, 4):
        plies = 2 * moves - 1
        firsts = [move] if kind == "mates" else list(root.legal_moves)
        mating = [first for first in firsts if verify.prove(root, first, None, plies, MOST_NODES)]
        if not mating:
            continue
        if kind in ("mate_missed", "mate_delayed") and move in mating:
            return False
        if kind == "mate_delayed" and not verify.prove(before, move, None, 7, MOST_NODES):
            return False
        return motif is None or any(back_rank_line(root, first, plies) for first in mating)
    return False


def back_rank_line(root, first, plies):
    """Whether a line of the mate ends on the back rank."""
    board = verify.after(root, first)
    if board.is_checkmate():
        claim = {"squares": [chess.square_name(board.king(board.turn))]}
        try:
            verify.Motifs(root, first, root, [first], claim).back_rank()
            return True
        except (verify.False_, ValueError):
            return False
    if plies <= 1:
        return False
    return any(back_rank_line(verify.after(board, answer), second, plies - 2)
               for answer in board.legal_moves for second in verify.after(board, answer).legal_moves
               if verify.prove(verify.after(board, answer), second, None, plies - 2, MOST_NODES))


def draw_holds(before, move, kind):
    after = verify.after(before, move)
    if kind == "game_drawn":
        return verify.is_game_drawn(after)
    return any(verify.is_game_drawn(verify.after(after, answer)) for answer in after.legal_moves)


def only_move_holds(before, move):
    """Whether every other move allows mate or loses at least the exchange within three plies, and this one does not."""
    others = [other for other in before.legal_moves if other != move]
    exchange = verify.balance(before, not before.turn) + 2

    def loses(played, goals):
        return verify.allowed(before, played, goals, 3, MOST_NODES)
    if not others or not all(loses(other, [None, exchange]) for other in others):
        return False
    return not loses(move, [None] if all(loses(other, [None]) for other in others) else [None, exchange])


def holds(before, move, kind, motif):
    """Whether a claim is true of a move: what is said of the board, not that the move is bad."""
    if kind == "only_legal":
        return before.legal_moves.count() == 1
    if kind == "only_move":
        return only_move_holds(before, move)
    if kind in verify.ENDINGS:
        try:
            verify.check_ending(before, verify.after(before, move), kind)
            return True
        except verify.False_:
            return False
    if kind in ("game_drawn", "draw_allowed"):
        return draw_holds(before, move, kind)
    if kind in verify.MATES:
        return not (kind in verify.THREATS and before.is_check()) and mate_holds(before, move, kind, motif)
    if kind in verify.THREATS and before.is_check():
        return False
    return material_holds(before, move, kind, motif, plies_for(before))


def claims_of(name):
    """The kinds and motifs that a "not:" denies."""
    if name == "back_rank":
        return [(kind, name) for kind in verify.MATES]
    if name in MOTIFS:
        return [(kind, name) for kind in KINDS_OF_MATERIAL]
    return [(name, None)]


def winning_chance(score):
    return 2 * score.wdl(model="lichess", ply=30).expectation() - 1


def check_with_search(search, before, move, kind):
    """Stockfish must agree that the move is bad, or best."""
    if kind == "only_legal":
        return
    best, score = search.best(before)
    of_move = score if best == move else search.best(before, [move])[1]
    lost = winning_chance(score) - winning_chance(of_move)
    if kind in ("material_won", "mates", "threat_stopped", "mate_stopped", "only_move"):
        verify.demand(lost < 0.1, f"Stockfish prefers {before.san(best)}")
    elif kind == "mate_delayed":
        verify.demand(of_move.is_mate() and of_move < score, "Stockfish sees no delay")
    else:
        verify.demand(lost >= 0.1 or kind == "mate_missed" and score.is_mate(), "Stockfish sees no loss")


def read_examples(file):
    for number, text in enumerate(file, 1):
        text = text.split("#")[0].strip()
        if not text:
            continue
        position, move, claim = (part.strip() for part in text.split(";"))
        yield number, verify.board_of(position), move, claim


def check(before, move, claim, search):
    if claim.startswith("not:"):
        for kind, motif in claims_of(claim[4:]):
            verify.demand(not holds(before, move, kind, motif), f"{kind} {motif or ''} is true")
        return
    kind, motif = itertools.islice(itertools.chain(claim.split(), (None,)), 2)
    verify.demand(holds(before, move, kind, None if motif == "none" else motif), "the claim is not true")
    if "threat" in claim.split():
        verify.demand(material_holds(before, move, "threat_stopped", motif, 3), "it was no threat")
    if search:
        check_with_search(search, before, move, kind)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples")
    parser.add_argument("--stockfish")
    options = parser.parse_args()
    search = Search(options.stockfish) if options.stockfish else None
    counts, bad = collections.Counter(), 0
    with open(options.examples) as file:
        for number, before, move, claim in read_examples(file):
            counts[claim.split()[-1]] += 1
            try:
                check(before, chess.Move.from_uci(move), claim, search)
            except (verify.False_, verify.TooLong) as problem:
                bad += 1
                print(f"{options.examples}:{number}: {before.fen()} {move} {claim}: {problem!r}")
    if search:
        search.close()
    print(f"{sum(counts.values())} examples, {bad} not proved: {dict(sorted(counts.items()))}")
    return 1 if bad or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
