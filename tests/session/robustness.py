"""The cases that make engines crash, fall silent or play nonsense. Each stands for at least one
well-known engine that fails it."""
import random
import subprocess
import time

from harness import KIWIPETE, START, best_moves, check, test, test_each

GOOD = "position startpos moves e2e4"
GOOD_FEN = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
MEGABYTE = 1 << 20


def is_sane(engine):
    """It listens, knows the start position and searches it."""
    engine.ask("stop", "position startpos")
    check(engine.fen() == START, f"the start position is {engine.fen()}")
    move = engine.search("go depth 2").move
    check(move in engine.legal_moves(), f"{move} from the start position")


@test
def no_legal_move_is_answered_by_none_and_a_score(engine):
    for fen, score in (("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", "mate 0"),
                       ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0")):
        engine.send(f"position fen {fen}")
        found = engine.search("go depth 5")
        check(found.move == "(none)", f"plays {found.move}")
        check(found.last.score == score, f"score {found.last.score}, it is {score}")
    is_sane(engine)


@test
def a_clock_of_zero_is_answered_at_once(engine):
    engine.send(f"position fen {KIWIPETE}")
    for go in ("go wtime 0 btime 0", "go wtime 0", "go wtime -50 btime -50"):
        found = engine.quickest(20, go)
        check(found.milliseconds <= 20 * engine.slow, f"'{go}' took {found.milliseconds:.0f} ms")
        check(found.move in engine.legal_moves(), f"plays {found.move}")


@test
def go_during_a_search_leaves_it_hearing(engine):
    engine.send("position startpos", "go infinite")
    engine.read_for(0.05)
    engine.send("go depth 3")
    engine.answer()
    engine.answer()
    engine.check_no_bestmove(0.1, "too many")
    is_sane(engine)


@test
def setoption_during_a_search_leaves_it_hearing(engine):
    engine.send("position startpos", "go infinite")
    engine.read_for(0.05)
    engine.send("setoption name Hash value 8", "setoption name Threads value 2")
    engine.read_for(0.05)
    engine.send("stop")
    engine.wait_for_bestmoves()
    engine.check_no_bestmove(0.1, "too many")
    is_sane(engine)


@test
def a_hundred_pairs_of_go_and_stop_in_one_write_give_a_hundred_answers(engine):
    engine.send("position startpos", *["go infinite", "stop"] * 100)
    for _ in range(100):
        engine.answer()
    engine.check_no_bestmove(0.1, "too many")


@test
def an_infinite_search_says_no_bestmove_before_stop(engine):
    for fen in ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "8/8/4k3/8/8/3K4/8/8 w - - 0 1"):
        engine.send(f"position fen {fen}", "go infinite")
        engine.check_no_bestmove(0.4, "before stop")
        engine.stop()


@test
def pondering_says_no_bestmove_before_ponderhit_and_thinks_after_it(engine):
    engine.send(f"position fen {KIWIPETE}", "go ponder wtime 1000 btime 1000 movestogo 1")
    engine.check_no_bestmove(0.3, "while pondering")
    used = engine.search("ponderhit").milliseconds
    check(50 <= used <= 1000, f"{used:.0f} of 1000 ms after ponderhit")


@test
def searchmoves_are_honoured(engine):
    engine.send("position startpos")
    check(engine.search("go depth 4 searchmoves a2a4 h2h3").move in ("a2a4", "h2h3"), "ignored")


@test
def a_number_of_nodes_is_exact_and_reproducible_after_ucinewgame(engine):
    results = []
    for _ in range(3):
        engine.ask("ucinewgame", "position startpos")
        found = engine.search("go nodes 20000")
        results.append((found.infos[-1].nodes, found.move))
    check(results[0][0] == 20000, f"{results[0][0]} nodes for 20000")
    check(len(set(results)) == 1, f"three times the same: {results}")


@test
def a_line_of_2001_plies_is_played_to_its_end(engine):
    said = engine.ask("position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 500 + " e2e4")
    check(not said, f"said: {said[:1]}")
    board, side = engine.fen().split()[:2]
    check(board == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR" and side == "b",
          f"the position is {engine.fen()}")
    check(engine.search("go depth 3").move in engine.legal_moves(), "an illegal move")


@test
def a_fen_with_four_fields_is_enough(engine):
    engine.send("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -")
    check(engine.fen() == KIWIPETE, f"the position is {engine.fen()}")
    engine.send("go mate 2")
    engine.read_for(0.2)
    engine.send("stop")
    engine.wait_for_bestmoves()


@test_each([
    ("garbage", "fen hello world 1 2 3"),
    ("slashes", "fen /////// w - - 0 1"),
    ("no kings", "fen 8/8/8/8/8/8/8/8 w - - 0 1"),
    ("the side not to move in check", "fen 4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1"),
    ("an illegal move", "startpos moves e2e5"),
    ("an illegal move after good ones", "startpos moves d2d4 d7d5 c1f5"),
    ("nothing", ""),
    ("a blank fen", "fen"),
])
def a_position_that_is_none_is_refused_with_a_reason(text, engine):
    engine.ask(GOOD)
    engine.refuses(f"position {text}")
    check(engine.fen() == GOOD_FEN, f"the position is {engine.fen()}")
    check(engine.search("go depth 3").move in engine.legal_moves(), "an illegal move")
    is_sane(engine)


@test_each([
    ("letters for Hash", "setoption name Hash value abc"),
    ("a hundred terabytes for Hash", "setoption name Hash value 100000000"),
    ("99999 Threads", "setoption name Threads value 99999"),
    ("setoption alone", "setoption"),
])
def a_setting_that_is_none_is_refused_with_a_reason(line, engine):
    engine.refuses(line)
    is_sane(engine)


@test
def a_depth_in_letters_is_named_and_the_go_still_answered(engine):
    engine.send("position startpos", "go depth abc")
    said = engine.read_for(0.2)
    engine.send("stop")
    engine.wait_for_bestmoves()
    check(any(text.startswith("info string") for text in said), "no info string says why")
    engine.check_no_bestmove(0.1, "too many")
    is_sane(engine)


@test
def carriage_returns_and_blanks_are_no_part_of_a_word(engine):
    engine.write(b"position startpos moves e2e4\r\n   go   depth 3 \r\n")
    check(engine.answer().move[1] in "78", "not a move of Black's")
    engine.write(b"\t isready \t\r\n")
    engine.read_until("readyok")
    engine.write(b"\tposition \t startpos\tmoves  e2e4   e7e5\t\r\ngo\tdepth\t2\r\n")
    check(engine.answer().move[1] in "12", "not a move of White's")
    is_sane(engine)


@test
def no_more_than_a_line_is_said_before_uci(start):
    said = start(handshake=False).read_for(0.3)
    check(len(said) <= 1, f"{len(said)} lines before uci")
    words = {text.split(" ", 1)[0] for text in said}
    check(not words & {"id", "option", "uciok", "bestmove"}, f"said before uci: {said}")


@test
def output_without_a_reader_is_no_reason_to_hang(start):
    process = subprocess.Popen([start.command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    try:
        process.stdout.close()
        try:
            process.stdin.write(b"uci\nposition startpos\ngo movetime 100\n")
            process.stdin.close()
        except BrokenPipeError:
            pass
        process.wait(5 * start.slow)
    except subprocess.TimeoutExpired:
        check(False, "still running after its output and its input were closed")
    finally:
        process.kill()
        process.wait()


NOISE = [
    ("empty lines", b"\n" * 5000),
    ("blanks", b" " * 5000),
    ("a tab", b"\t"),
    ("a lone carriage return", b"\r"),
    ("unknown words", b"foo bar baz"),
    ("three thousand unknown lines", b"zz\n" * 3000),
    ("numbers", b"123456789 42"),
    ("capitals", b"UCI"),
    ("control characters", b"\x01\x02\x07\x08\x1b[31m\x7f"),
    ("NULs", b"\x00" * 1000),
    ("a NUL inside a word", b"ucinew\x00game"),
    ("invalid UTF-8", b"\xff\xfe\xfd\xc3\x28"),
    ("a byte order mark", b"\xef\xbb\xbfisready"),
    ("symbols", "♔♕ \U0001f600".encode()),
    ("formats", b"%s%s%s%n%n%n %x %p"),
    ("quotes", b"\"'`$(ls);|&<>\\"),
    ("a megabyte of letters", b"a" * MEGABYTE),
    ("a megabyte of blanks", b" " * MEGABYTE),
    ("a megabyte of words", b"ab " * (MEGABYTE // 3)),
    ("a megabyte of NULs", b"\x00" * MEGABYTE),
    ("a megabyte that is not UTF-8", b"\xff" * MEGABYTE),
    ("its own words", b"bestmove e2e4\ninfo depth 1\nid name me\nuciok\nreadyok\noption name x"),
    ("a comment", b"# comment"),
    ("commands with a semicolon", b"uci;isready"),
    ("another protocol", b"xboard\nprotover 2\nnew\nforce\ne2e4\nping 3"),
    ("a web browser", b"GET / HTTP/1.1\r\nHost: x\r\n\r"),
    ("debug", b"debug\ndebug on\ndebug off\ndebug maybe perhaps"),
    ("register", b"register\nregister later\nregister name A B code 12 34"),
    ("ucinewgame with words behind", b"ucinewgame now please"),
    ("many ucinewgame", b"ucinewgame\n" * 20),
    ("setoption with NULs", b"setoption name Ha\x00sh value 1\x006"),
    ("setoption that is not UTF-8", b"setoption name \xff\xfe value \xfd"),
    ("a position that is not UTF-8", b"position startpos moves \xff\xfe\xfd\xfc"),
]


@test_each(NOISE)
def noise_is_passed_over(data, engine):
    engine.write(data + b"\n")
    said = engine.ask(within=20)
    check(not best_moves(said), "a bestmove without a go")
    check(len(said) <= 3100, f"{len(said)} lines in reply")
    check(all(len(text) <= 1000 for text in said), "a very long line in reply")
    is_sane(engine)


@test_each([
    ("isready", "joho isready", "readyok"),
    ("uci", "please say uci", "uciok"),
    ("debug, as in the specification", "joho debug on\nisready", "readyok"),
    ("go", "hey go depth 1", "bestmove"),
    ("position", "well position startpos moves e2e4\ngo depth 1", "bestmove"),
])
def unknown_words_before_a_command_are_skipped(lines, answer, engine):
    engine.send(*lines.split("\n"))
    engine.read_until(answer)
    is_sane(engine)


@test_each([(str(seed), seed) for seed in range(8)])
def damaged_lines_do_no_harm(seed, engine):
    rng = random.Random(seed)
    lines = ["position startpos moves e2e4 e7e5 g1f3", f"position fen {KIWIPETE} moves e1g1",
             "go depth 2", "go wtime 100 btime 100 winc 1 binc 1 movestogo 3", "go nodes 50",
             "go movetime 5", "go searchmoves e2e4 depth 1", "setoption name MultiPV value 3",
             "setoption name Ponder value true", "isready", "ucinewgame", "stop", "ponderhit",
             "debug on", "go infinite", "go ponder",
             "position fen 4k3/P7/8/8/8/8/p7/4K3 b - - 0 1"]
    for number in range(60):
        line = damaged(rng, rng.choice(lines).encode())
        if b"uit" in line or b"bench" in line or b"perft" in line:
            continue
        engine.write(line + b"\n")
        if rng.random() < 0.3 or number % 10 == 9:
            engine.send("stop")
        if number % 10 == 9:
            engine.ask()
    engine.send("stop")
    engine.wait_for_bestmoves()
    engine.ask("setoption name MultiPV value 1", "debug off")
    is_sane(engine)


def damaged(rng, line):
    """A line with a few letters or words added, lost, changed or moved."""
    alphabet = b" /0123456789abcdefghkqrnpKQRBNPw-xz\t\x00\xff"
    for _ in range(rng.choice((0, 1, 1, 2, 3, 6))):
        place = rng.randrange(len(line) + 1)
        letter = bytes([rng.choice(alphabet)])
        words = line.split(b" ")
        line = rng.choice([
            lambda: line[:place] + letter + line[place:],
            lambda: line[:place] + line[place + 1:],
            lambda: line[:place] + letter + line[place + 1:],
            lambda: b" ".join(rng.sample(words, len(words))),
            lambda: b" ".join(words + [rng.choice(words) * rng.choice((1, 2))]),
        ])()
    return line.replace(b"\n", b" ")


@test
def a_slow_reader_loses_nothing(start):
    """The pipe fills up while the client sleeps; the search and the answers wait for it."""
    process = subprocess.Popen([start.command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    try:
        process.stdin.write(b"position startpos\n" + b"uci\n" * 500 + b"go depth 3\nisready\n")
        process.stdin.flush()
        time.sleep(0.5)
        process.stdin.write(b"quit\n")
        process.stdin.flush()
        lines = process.communicate(timeout=10 * start.slow)[0].decode().splitlines()
    except (subprocess.TimeoutExpired, BrokenPipeError) as problem:
        lines = []
        check(False, f"{type(problem).__name__} with a client that reads late")
    finally:
        process.kill()
        process.wait()
    check(lines.count("uciok") == 500, f"{lines.count('uciok')} uciok for 500 uci")
    check(len(best_moves(lines)) == 1, f"{len(best_moves(lines))} bestmoves for one go")
    check(process.returncode == 0, f"status {process.returncode}")
