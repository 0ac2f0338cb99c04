"""Chess960: castling is written as the client wants it, and read either way."""
from harness import check, test, test_each

BOTH_SIDES = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
ON = "setoption name UCI_Chess960 value true"
OFF = "setoption name UCI_Chess960 value false"


@test_each([
    ("off, king side, written e1g1", OFF, "e1g1", "e1g1"),
    ("off, king side, written e1h1", OFF, "e1h1", "e1g1"),
    ("off, queen side, written e1c1", OFF, "e1c1", "e1c1"),
    ("off, queen side, written e1a1", OFF, "e1a1", "e1c1"),
    ("on, king side, written e1h1", ON, "e1h1", "e1h1"),
    ("on, king side, written e1g1", ON, "e1g1", "e1h1"),
    ("on, queen side, written e1a1", ON, "e1a1", "e1a1"),
    ("on, queen side, written e1c1", ON, "e1c1", "e1a1"),
])
def castling_is_written_as_the_client_wants(setting, asked, answered, engine):
    engine.ask(setting, f"position fen {BOTH_SIDES}")
    found = engine.search(f"go depth 3 searchmoves {asked}")
    check(found.move == answered, f"'searchmoves {asked}' plays {found.move}, not {answered}")
    check(found.last.pv[0] == answered, f"the line begins with {found.last.pv[0]}")


@test_each([
    ("e1h1, option off", OFF, "e1h1", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 b kq - 1 1"),
    ("e1g1, option off", OFF, "e1g1", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 b kq - 1 1"),
    ("e1h1, option on", ON, "e1h1", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 b kq - 1 1"),
    ("e1g1, option on", ON, "e1g1", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R4RK1 b kq - 1 1"),
    ("e1a1, option on", ON, "e1a1", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/2KR3R b kq - 1 1"),
])
def castling_is_read_either_way(setting, move, fen, engine):
    engine.ask(setting, f"position fen {BOTH_SIDES} moves {move}")
    check(engine.fen() == fen, f"the position is {engine.fen()}")


@test_each([
    ("the first of the published set", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR "
                                       "w HFhf - 2 9", 12189),
    ("the second", "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 18002),
    ("the third", "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", 10471),
])
def moves_are_counted_right(fen, leaves, engine):
    engine.ask(ON, f"position fen {fen}")
    counted = sum(engine.perft(3).values())
    check(counted == leaves, f"perft 3 counts {counted} leaves, not {leaves}")


@test_each([
    ("a king on f1 and a rook beside it", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1",
     "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
    ("a king that stays where it is", "4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1",
     "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
    ("a rook that stays where it is", "4k3/8/8/8/8/8/8/3RK3 w D - 0 1", "e1d1",
     "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
    ("a king and a rook that change places", "4k3/8/8/8/8/8/8/2RK4 w C - 0 1", "d1c1",
     "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
    ("a long way", "4k3/8/8/8/8/8/8/1K5R w H - 0 1", "b1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
])
def castling_in_an_unusual_place(fen, move, after, engine):
    engine.ask(ON, f"position fen {fen}")
    check(move in engine.legal_moves(), f"{move} is not among the legal moves")
    found = engine.search(f"go depth 4 searchmoves {move}")
    check(found.move == move, f"'searchmoves {move}' plays {found.move}")
    engine.ask(f"position fen {fen} moves {move}")
    check(engine.fen() == after, f"after {move} the position is {engine.fen()}")


@test_each([(str(number), fen) for number, fen in enumerate((
    "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
    "rkrbbnnq/pppppppp/8/8/8/8/PPPPPPPP/RKRBBNNQ w CAca - 0 1",
    "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1",
    "rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
    "2rkr3/8/8/8/8/8/8/2RKR3 b ECec - 0 1",
    "rr2k3/8/8/8/8/8/8/RR2K3 w Bb - 0 1"))])
def a_start_position_is_played_and_its_fen_is_read_again(fen, engine):
    engine.ask(ON, f"position fen {fen}")
    legal = engine.legal_moves()
    check(engine.search("go depth 4").move in legal, "an illegal move")
    printed = engine.fen()
    said = engine.ask(f"position fen {printed}")
    check(not said, f"its own FEN was refused: {said}")
    check(engine.fen() == printed, f"{printed} is read as {engine.fen()}")
    check(engine.legal_moves() == legal, "other legal moves after reading its own FEN")


@test
def the_option_may_be_set_while_options_are_still_listed(start):
    """What Nibbler does, which then writes all castling as king takes rook."""
    engine = start(handshake=False)
    engine.send("uci", "setoption name UCI_Chess960 value true")
    engine.read_until("uciok")
    engine.ask("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1 "
               "moves e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1h1")
    check(engine.fen().startswith("r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq"),
          f"the position is {engine.fen()}")
    engine.search("go depth 3")


@test
def a_game_of_chess960_with_itself_is_never_refused(engine):
    start = "fen nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1"
    engine.ask(ON, "ucinewgame")
    moves = []
    for _ in range(40):
        check(engine.plays(moves, start), f"refused: {' '.join(moves)}")
        move = engine.search("go depth 3").move
        if move == "(none)":
            return
        moves.append(move)
