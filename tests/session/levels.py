"""Players of limited strength: UCI_LimitStrength, UCI_Elo, Skill Level and Level Seed."""
from harness import check, test, test_each

MIDDLEGAME = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
# https://github.com/official-stockfish/Stockfish/issues/2217
MATE_IN_ONE = "7R/2r2pk1/p5p1/1pp3P1/8/P6R/1PP5/2K5 w - - 0 1"


def limited(start, elo, *lines):
    engine = start()
    said = engine.ask("setoption name UCI_LimitStrength value true",
                      f"setoption name UCI_Elo value {elo}", *lines)
    check(not said, f"said: {said}")
    return engine


def nodes_of(engine, go="go wtime 60000 btime 60000", fen=MIDDLEGAME):
    engine.send(f"position fen {fen}")
    return engine.search(go).last.nodes


@test_each([(str(elo), elo) for elo in (600, 1000, 1500, 2000, 2500)])
def a_level_stops_by_itself_long_before_the_clock(elo, start):
    engine = limited(start, elo)
    engine.send(f"position fen {MIDDLEGAME}")
    found = engine.search("go wtime 3600000 btime 3600000")
    check(found.milliseconds < 2000 * engine.slow, f"{found.milliseconds:.0f} ms")
    check(found.last.nodes < 150_000, f"{found.last.nodes} nodes")


@test
def a_higher_level_searches_more(start):
    nodes = [nodes_of(limited(start, elo)) for elo in (600, 1400, 2000, 2800)]
    check(nodes == sorted(nodes) and nodes[0] < nodes[-1] / 100, f"nodes: {nodes}")


@test
def a_skill_is_a_level_and_the_highest_is_full_strength(start):
    engine = start()
    nodes = []
    for skill in (0, 10, 19):
        said = engine.ask(f"setoption name Skill Level value {skill}", "ucinewgame")
        check(not said, f"said: {said}")
        nodes.append(nodes_of(engine))
    check(nodes == sorted(nodes), f"nodes of the skills: {nodes}")
    engine.ask("setoption name Skill Level value 20", "ucinewgame")
    check(nodes_of(engine, "go nodes 70000") > nodes[-1], "skill 20 is limited")


@test
def uci_elo_counts_more_than_the_skill(start):
    engine = limited(start, 2000, "setoption name Level Seed value 5")
    nodes = nodes_of(engine)
    engine.ask("setoption name Skill Level value 0", "ucinewgame")
    check(nodes_of(engine) == nodes, "the skill was obeyed")


@test
def without_uci_limitstrength_the_elo_means_nothing(start):
    plain = nodes_of(start(), "go depth 9")
    engine = start()
    engine.ask("setoption name UCI_Elo value 600")
    check(nodes_of(engine, "go depth 9") == plain, "the search has changed")


@test
def analysis_has_full_strength(start):
    plain = nodes_of(start(), "go depth 9")
    engine = limited(start, 600, "setoption name UCI_AnalyseMode value true")
    check(nodes_of(engine, "go depth 9") == plain, "limited with UCI_AnalyseMode")
    engine = limited(start, 600)
    engine.send(f"position fen {MIDDLEGAME}", "go infinite")
    engine.read_until(lambda text: text.startswith("info depth 9 "), 20)
    engine.stop()


@test
def the_same_seed_gives_the_same_game(start):
    def game(seed, plies=12):
        engine = limited(start, 1300, f"setoption name Level Seed value {seed}")
        moves = []
        for _ in range(plies):
            engine.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
            moves.append(engine.search("go movetime 1000").move)
        return moves
    check(game(7) == game(7), "two games with the seed 7 differ")
    games = {tuple(game(seed)) for seed in range(1, 7)}
    check(len(games) >= 4, f"six seeds, only {len(games)} games")


@test
def a_new_game_brings_other_moves(start):
    engine = limited(start, 1000)
    scores = set()
    for _ in range(8):
        engine.ask("ucinewgame")
        engine.send(f"position fen {MIDDLEGAME}")
        scores.add(str(engine.search("go movetime 1000").last.score))
    check(len(scores) >= 5, f"eight games, only the scores {scores}")


@test_each([(str(elo), elo) for elo in (1000, 1200, 1700, 2200)])
def a_mate_in_one_is_played(elo, start):
    engine = limited(start, elo)
    for _ in range(5):
        engine.ask("ucinewgame")
        engine.send(f"position fen {MATE_IN_ONE}")
        move = engine.search("go wtime 10000 btime 10000").move
        check(move == "h3h7", f"{move} instead of mate")


@test_each([("a queen", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"), ("a rook", "8/8/8/3k4/8/8/8/KR6 w - - 0 1")])
def a_lone_king_is_mated(fen, start):
    engine = limited(start, 1200)
    moves = []
    for _ in range(100):
        engine.send(f"position fen {fen}" + (" moves " + " ".join(moves) if moves else ""))
        if not engine.legal_moves():
            check(len(moves) % 2 == 1, "stalemate")
            return
        moves.append(engine.search("go wtime 60000 btime 60000").move)
    check(False, f"no mate after {len(moves)} plies")


@test_each([(go, go) for go in ("go", "go depth 5", "go nodes 100", "go movetime 20", "go ponder",
                                "go mate 1", "go wtime 1 btime 1", "go searchmoves a3a4")])
def every_search_of_a_limited_player_is_answered(go, start):
    engine = limited(start, 900, "setoption name MultiPV value 3", "setoption name Threads value 2")
    engine.send(f"position fen {MIDDLEGAME}", go)
    found = engine.stop()
    check(found.move, "no move")
