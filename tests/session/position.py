"""The position command: what is played, what is refused, and that a refusal changes nothing."""
from harness import KIWIPETE, START, check, test, test_each

GOOD = "position startpos moves e2e4 c7c5"
GOOD_FEN = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
BOARD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"

BAD_FENS = [
    ("no king at all", "8/8/8/8/8/8/8/8 w - - 0 1"),
    ("no white king", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w kq - 0 1"),
    ("no black king", "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"),
    ("two white kings", "4k3/8/8/8/8/8/8/K3K3 w - - 0 1"),
    ("two black kings", "k3k3/8/8/8/8/8/8/4K3 b - - 0 1"),
    ("kings side by side", "8/8/8/3kK3/8/8/8/8 w - - 0 1"),
    ("black in check, white to move", "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1"),
    ("white in check, black to move", "4k3/8/8/8/8/8/4q3/4K3 b - - 0 1"),
    ("a pawn on the eighth rank", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("a pawn on the first rank", "4k3/8/8/8/8/8/8/p3K3 w - - 0 1"),
    ("nine pawns", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1"),
    ("sixty-two queens", "kQQQQQQQ/" + "QQQQQQQQ/" * 6 + "QQQQQQQK w - - 0 1"),
    ("a rank that is too long", "rnbqkbnrr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("a rank that is too short", "rnbqkbn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("the digit 9", "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("the digit 0", "rnbqkbnr/pppppppp/80/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("nine ranks", "rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("seven ranks", "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("a hundred ranks", "8/" * 100 + "k6K w - - 0 1"),
    ("no slashes", BOARD.replace("/", "") + " w KQkq - 0 1"),
    ("a letter that is no piece", "rnbqkbnr/pppXpppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("chess symbols", "rnbq♚bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ♔BNR w KQkq - 0 1"),
    ("a side to move that is none", BOARD + " x KQkq - 0 1"),
    ("castling letters that are none", BOARD + " w XYZ - 0 1"),
    ("castling without rooks", "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1"),
    ("castling with a king that has moved",
     "rnbq1bnr/ppppkppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR w KQkq - 0 3"),
    ("ten thousand castling letters", BOARD + " w " + "K" * 10000 + " - 0 1"),
    ("an en passant square off the board", BOARD + " w KQkq e9 0 1"),
    ("an en passant square on the wrong rank", BOARD + " w KQkq e3 0 1"),
    ("an en passant square without a pawn", BOARD + " w KQkq e6 0 1"),
    ("a halfmove clock in letters", BOARD + " w KQkq - abc 1"),
    ("a negative halfmove clock", BOARD + " w KQkq - -1 1"),
    ("a halfmove clock of twenty digits", BOARD + " w KQkq - 99999999999999999999 1"),
    ("a fullmove number in letters", BOARD + " w KQkq - 0 abc"),
    ("a fullmove number of twenty digits", BOARD + " w KQkq - 0 99999999999999999999"),
    ("nothing", ""),
    ("one word", "hello"),
    ("the board only", BOARD),
    ("a board of eighty thousand letters", "8/" * 40000 + " w - - 0 1"),
    ("a rank of a hundred thousand pawns", "p" * 100000 + " w - - 0 1"),
    ("moves before the other fields", BOARD + " moves e2e4"),
    ("a NUL", "rnbqkbnr/pppp\0ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
]


@test_each(BAD_FENS)
def a_bad_fen_is_refused_and_the_last_good_position_stays(fen, engine):
    engine.send(GOOD)
    reason = engine.refuses(f"position fen {fen}")
    check(len(reason) >= 10, f"refused with no more than '{reason}'")
    check(engine.fen() == GOOD_FEN, f"the position is now {engine.fen()}")
    check(engine.search("go depth 2").move in engine.legal_moves(), "searched something else")


BAD_LINES = [
    ("a move that no piece can make", "position startpos moves e2e5"),
    ("a move of the other side", "position startpos moves e7e5"),
    ("a move from an empty square", "position startpos moves e4e5"),
    ("a capture of an own piece", "position startpos moves a1a2"),
    ("castling too early", "position startpos moves e1g1"),
    ("castling through check", "position fen 4k3/8/8/8/8/5r2/8/4K2R w K - 0 1 moves e1g1"),
    ("castling out of check", "position fen 4k3/8/8/8/8/4r3/8/4K2R w K - 0 1 moves e1g1"),
    ("a move into check", "position fen 4k3/8/8/8/8/8/4r3/K7 w - - 0 1 moves a1a2"),
    ("a move of a pinned piece", "position fen 4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1 moves e2c3"),
    ("an en passant capture too late",
     "position startpos moves e2e4 a7a6 e4e5 d7d5 a2a3 a6a5 e5d6"),
    ("a promotion without a piece", "position fen 7k/P7/8/8/8/8/8/K7 w - - 0 1 moves a7a8"),
    ("a promotion to a king", "position fen 7k/P7/8/8/8/8/8/K7 w - - 0 1 moves a7a8k"),
    ("a promotion of a pawn that is not there yet", "position startpos moves e2e4q"),
    ("the capture of a king", "position fen 4k3/8/8/8/8/8/4R3/4K3 b - - 0 1 moves e8d8 e2e8 d8e8 "
                              "e1e2 e8e2"),
    ("a null move", "position startpos moves 0000"),
    ("no move", "position startpos moves (none)"),
    ("half a move", "position startpos moves e2"),
    ("a move too long", "position startpos moves e2e4e5e6"),
    ("squares off the board", "position startpos moves i2i4"),
    ("punctuation", "position startpos moves ----"),
    ("a move of two hundred thousand letters", "position startpos moves " + "e2e4" * 50000),
    ("a good move and a bad one", "position startpos moves e2e4 xxxx e7e5"),
    ("a move after mate", "position startpos moves f2f3 e7e5 g2g4 d8h4 a2a3"),
    ("a megabyte of moves that are not legal", "position startpos moves " + "e2e4 " * 200000),
    ("neither startpos nor fen", "position e2e4"),
    ("moves only", "position moves e2e4"),
]


@test_each(BAD_LINES)
def a_bad_line_is_refused_and_the_last_good_position_stays(line, engine):
    engine.send(GOOD)
    engine.refuses(line)
    check(engine.fen() == GOOD_FEN, f"the position is now {engine.fen()}")
    check(engine.search("go depth 2").move in engine.legal_moves(), "searched something else")


@test_each([
    ("the illegal move", "position startpos moves e2e4 e7e6 g1f4", "g1f4"),
    ("the side to move", f"position fen {BOARD} white KQkq - 0 1", "white"),
    ("the letter that is no piece", "position fen rnbqkbnr/ppXppppp/8/8/8/8/8/4K3 w - - 0 1", "X"),
])
def the_reason_for_a_refusal_names(line, word, engine):
    reason = engine.refuses(line)
    check(word in reason, f"'{reason}' does not name {word}")


GOOD_POSITIONS = [
    ("the usual start", "startpos", START),
    ("the usual start as a FEN", f"fen {START}", START),
    ("moves", "startpos moves e2e4 c7c5", GOOD_FEN),
    ("a FEN and moves", f"fen {START} moves e2e4 c7c5", GOOD_FEN),
    ("a FEN and no moves after the word", f"fen {START} moves", START),
    ("four fields", "fen " + KIWIPETE.rsplit(" ", 2)[0], KIWIPETE),
    ("four fields and moves", f"fen {BOARD} w KQkq - moves e2e4 c7c5", GOOD_FEN),
    ("five fields", "fen " + KIWIPETE.rsplit(" ", 1)[0], KIWIPETE),
    ("blanks at the end", f"fen {KIWIPETE}   ", KIWIPETE),
    ("tabs between the fields", "fen " + KIWIPETE.replace(" ", "\t"), KIWIPETE),
    ("blanks and tabs everywhere", " \t startpos \t  moves\te2e4 \t  c7c5 \t", GOOD_FEN),
    ("an en passant square that can be used",
     "startpos moves e2e4 a7a6 e4e5 d7d5",
     "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"),
    ("an en passant square that nobody can use",
     "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
    ("a promotion", "fen 8/P6k/8/8/8/8/p6K/8 w - - 0 1 moves a7a8n a2a1q",
     "N7/7k/8/8/8/8/7K/q7 w - - 0 2"),
    ("castling", "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
     "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"),
    ("castling written as king takes rook",
     "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1 e8a8",
     "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"),
    ("a fifty-move counter that is over", "fen 8/8/3k4/8/8/3KR3/8/8 w - - 149 200",
     "8/8/3k4/8/8/3KR3/8/8 w - - 149 200"),
]


@test_each(GOOD_POSITIONS)
def a_good_position_is_taken(text, fen, engine):
    said = engine.ask(f"position {text}")
    check(not said, f"said: {said[:1]}")
    check(engine.fen() == fen, f"the position is {engine.fen()}, not {fen}")
    check(engine.search("go depth 2").move in engine.legal_moves(), "searched something else")


@test_each([
    ("218 legal moves", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 218),
    ("a double check", "4k3/8/8/8/8/5n2/8/r3K2R w K - 0 1", None),
    ("en passant pinned along the rank", "8/8/8/KPpr3k/8/8/8/8 w - c6 0 1", None),
    ("en passant pinned along the diagonal", "8/8/2k5/8/3Pp3/8/8/4K2B b - d3 0 1", None),
    ("en passant that evades check", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", None),
    ("kings alone", "8/8/4k3/8/8/3K4/8/8 w - - 0 1", 8),
    ("no pawn can move", "4k3/p1p1p1p1/P1P1P1P1/8/8/p1p1p1p1/P1P1P1P1/4K3 w - - 0 1", None),
    ("all promotions", "1n1n4/P1P4k/8/8/8/8/7K/8 w - - 0 1", None),
    ("the hundredth ply without progress", "8/8/3k4/8/8/3KR3/8/8 w - - 100 100", None),
])
def a_demanding_position_is_answered_by_a_legal_move(fen, count, engine):
    engine.send(f"position fen {fen}")
    legal = engine.legal_moves()
    check(count in (None, len(legal)), f"{len(legal)} legal moves, not {count}")
    for go in ("go depth 1", "go depth 3", "go nodes 1", "go movetime 30", "go infinite\nstop"):
        engine.ask("ucinewgame", f"position fen {fen}")
        move = engine.search(go).move
        check(move in legal, f"'{go}' plays {move}".replace("\n", ", "))


@test
def repetitions_without_end_are_no_trouble(engine):
    for rounds in (2, 4, 50, 1500):
        engine.send("position startpos moves" + " b1c3 b8c6 c3b1 c6b8" * rounds)
        for go in ("go depth 1", "go depth 4", "go nodes 100"):
            check(engine.search(go).move in engine.legal_moves(), f"after {rounds} rounds")


@test
def a_refused_position_does_not_disturb_a_game(engine):
    moves = []
    for _ in range(10):
        engine.send("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position startpos moves e2e5",
                    "position startpos" + (f" moves {' '.join(moves)}" if moves else ""))
        moves.append(engine.search("go depth 2").move)
    check(engine.plays(moves), "the game was disturbed")


@test
def d_shows_the_board_and_the_fen(engine):
    said = engine.ask(GOOD, "d")
    check(any(GOOD_FEN in text for text in said), f"no FEN in {said}")
    check(len(said) >= 9, f"a board of {len(said)} lines")
