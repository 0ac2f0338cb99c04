"""The uci reply and setoption: what is offered, what is accepted, what is refused."""
import re

from harness import KIWIPETE, Skip, check, test, test_each

OFFERED = {"Hash": "spin", "Clear Hash": "button", "HashFile": "string", "SaveHash": "button", "LoadHash": "button", "Threads": "spin", "MultiPV": "spin",
           "Ponder": "check", "Move Overhead": "spin", "EvalFile": "string", "UCI_Chess960": "check",
           "UCI_ShowWDL": "check", "SyzygyPath": "string", "SyzygyProbeDepth": "spin",
           "SyzygyProbeLimit": "spin", "Syzygy50MoveRule": "check", "UCI_AnalyseMode": "check",
           "UCI_LimitStrength": "check", "UCI_Elo": "spin", "Skill Level": "spin",
           "Level Seed": "spin", "OwnBook": "check", "Book File": "string", "Book Depth": "spin", "Book Variety": "combo",
           "UCI_Opponent": "string", "UCI_EngineAbout": "string", "Debug Log File": "string"}
OPTION = re.compile(r"option name (?P<name>\S.*?) type (?P<type>check|spin|combo|button|string)"
                    r"(?P<rest>( .*)?)")


def reply(engine):
    """What the engine says to `uci`."""
    engine.send("uci")
    return [line.text for line in engine.read_until("uciok")]


def options_of(lines):
    found = {}
    for line in lines:
        if line.startswith("option"):
            match = OPTION.fullmatch(line)
            check(match, f"malformed: {line}")
            found[match["name"]] = match
    return found


def number(option, word):
    found = re.search(rf" {word} (-?\d+)(?= |$)", option["rest"])
    check(found, f"{option['name']}: no whole number for {word}")
    return int(found[1])


@test
def uci_is_answered_by_name_author_options_and_uciok(start):
    lines = reply(start(handshake=False))
    words = [line.split(" ", 1)[0] for line in lines if line]
    ids = [line.split()[1] for line in lines if line.startswith("id ")]
    check(ids == ["name", "author"], f"ids: {ids}")
    check(set(words) <= {"id", "option", "uciok"}, f"other words before uciok: {words}")
    check(words.index("option") > words.index("id"), "an option before the name")
    check(words.count("uciok") == 1, "more than one uciok")
    check(len(options_of(lines)) == words.count("option"), "an option is offered twice")


@test
def the_options_that_clients_look_for_are_offered(engine):
    options = options_of(reply(engine))
    for name, kind in OFFERED.items():
        check(name in options, f"{name} is not offered")
        check(options[name]["type"] == kind, f"{name} is of type {options[name]['type']}")


@test
def every_option_has_a_sound_default(engine):
    for name, option in options_of(reply(engine)).items():
        rest = option["rest"]
        if option["type"] == "spin":
            low, high = number(option, "min"), number(option, "max")
            check(low <= number(option, "default") <= high, f"{name}:{rest}")
        elif option["type"] == "check":
            check(re.fullmatch(r" default (true|false)", rest), f"{name}:{rest}")
        elif option["type"] == "button":
            check(rest == "", f"{name}:{rest}")
        else:
            check(" default " in rest, f"{name}:{rest}")


@test
def the_same_options_are_offered_again(engine):
    first = reply(engine)
    engine.ask("setoption name MultiPV value 3", "setoption name Hash value 32")
    check(reply(engine) == first, "the defaults changed with the values")


@test
def common_bounds_are_wide_enough(engine):
    options = options_of(reply(engine))
    for name, low, high in (("Hash", 1, 4096), ("Threads", 1, 64), ("MultiPV", 1, 218),
                            ("Move Overhead", 0, 5000)):
        check(number(options[name], "min") <= low and number(options[name], "max") >= high,
              f"{name} cannot be set from {low} to {high}")
    for name in ("Ponder", "UCI_Chess960", "UCI_ShowWDL"):
        check("default false" in options[name]["rest"], f"{name} is on by default")


@test
def every_option_takes_its_bounds_and_default_silently(engine):
    for name, option in options_of(reply(engine)).items():
        if option["type"] == "spin":
            high = min(number(option, "max"), {"Hash": 64, "Threads": 4}.get(name, 1 << 62))
            values = [number(option, word) for word in ("min", "default")]
            values.insert(1, high)
        elif option["type"] == "check":
            values = ["true", "false"]
        else:
            continue
        for value in values:
            said = engine.ask(f"setoption name {name} value {value}")
            check(not said, f"{name} {value}: {said}")
    engine.search("go depth 3")


@test_each([(line, line) for line in (
    "setoption name MultiPV value 0", "setoption name MultiPV value -1",
    "setoption name MultiPV value 3.5", "setoption name MultiPV value three",
    "setoption name MultiPV value 99999999999999999999", "setoption name MultiPV value 3 lines",
    "setoption name MultiPV value", "setoption name MultiPV", "setoption name Hash value abc",
    "setoption name Hash value 0", "setoption name Hash value -1", "setoption name Hash value 16.5",
    "setoption name Hash value 0x10", "setoption name Hash value", "setoption name Hash",
    "setoption name Hash value 99999999999999999999999999", "setoption name Threads value 0",
    "setoption name Threads value -4", "setoption name Threads value many",
    "setoption name Ponder value maybe", "setoption name Ponder value",
    "setoption name SyzygyProbeDepth value 0", "setoption name SyzygyProbeDepth value 101",
    "setoption name SyzygyProbeLimit value 8", "setoption name SyzygyProbeLimit value -1",
    "setoption name SyzygyProbeLimit value five", "setoption name Syzygy50MoveRule value maybe",
    "setoption name SyzygyPath value /no/such/folder", "setoption name SyzygyPath value ::;",
    "setoption name UCI_LimitStrength value 1", "setoption name UCI_LimitStrength",
    "setoption name UCI_Elo value 599", "setoption name UCI_Elo value 2801",
    "setoption name UCI_Elo value -1500", "setoption name UCI_Elo value 1500.5",
    "setoption name UCI_Elo value grandmaster", "setoption name UCI_Elo value",
    "setoption name Skill Level value 21", "setoption name Skill Level value -1",
    "setoption name Skill Level value low", "setoption name Skill Level",
    "setoption name Level Seed value -1", "setoption name Level Seed value 2147483648",
    "setoption name UCI_AnalyseMode value perhaps", "setoption name UCI_AnalyseMode",
    "setoption name Debug Log File value /no/such/folder/log", "setoption name UCI_Chess960 value perhaps", "setoption name Move Overhead value -1",
    "setoption name No Such Option value 3", "setoption name No Such Button",
    "setoption name value 3", "setoption name", "setoption value 16", "setoption MultiPV 4",
    "setoption name \0 value 1", "setoption name " + "A" * 200000 + " value 1",
    "setoption name MultiPV value " + "1" * 200000)])
def a_bad_setting_is_refused_and_nothing_changes(line, engine):
    engine.ask("setoption name MultiPV value 2", "setoption name Threads value 1")
    reason = engine.refuses(line)
    check(len(reason) >= 10, f"refused with no more than '{reason}'")
    check(len(reason) <= 1000, f"a reason of {len(reason)} characters")
    lines = {info.multipv for info in engine.search("go depth 2").infos}
    check(lines == {1, 2}, f"MultiPV was 2, now the lines are {lines}")
    said = engine.ask("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    check(not said, f"said: {said}")
    move = engine.search("go depth 1 searchmoves e1g1").move
    check(move == "e1g1", f"castling is now written {move}")


@test
def the_reason_for_a_refusal_names_the_option_and_the_bounds(engine):
    reason = engine.refuses("setoption name MultiPV value 100000")
    check("MultiPV" in reason and "100000" in reason and re.search(r"\b1\b", reason),
          f"'{reason}' does not say what is wrong and what would be accepted")


@test_each([(name, name) for name in (
    "Move Overhead", "MoveOverhead", "move overhead", "MOVE OVERHEAD", "moveoverhead",
    "Move  Overhead", "  Move \t Overhead  ")])
def move_overhead_is_understood_however_it_is_written(name, engine):
    said = engine.ask(f"setoption name {name} value 700")
    check(not said, f"said: {said}")
    engine.send(f"position fen {KIWIPETE}")
    found = engine.quickest(300, "go wtime 1000 btime 1000 movestogo 1")
    check(found.milliseconds <= 300 + 20 * engine.slow,
          f"{found.milliseconds:.0f} of 1000 ms used with an overhead of 700")


@test_each([(line, line) for line in (
    "setoption name multipv value 3", "setoption name MULTIPV value 3",
    "setoption name Multi PV value 3", "  setoption   name  MultiPV   value   3  ",
    "\tsetoption\tname\tMultiPV\tvalue\t3", "setoption name MultiPV value 3\r",
    "setoption name MultiPV value +3", "setoption name MultiPV value 03")])
def capitals_and_blanks_do_not_matter(line, engine):
    engine.ask(line)
    lines = {info.multipv for info in engine.search("go depth 2").infos}
    if "+3" in line and lines == {1}:
        raise Skip("a sign is not taken for a number")
    check(lines == {1, 2, 3}, f"MultiPV 3 gives the lines {lines}")


@test_each([(value, value) for value in ("true", "TRUE", "True", "true\r", "  true  ")])
def yes_is_understood_however_it_is_written(value, engine):
    engine.ask(f"setoption name UCI_Chess960 value {value}",
               "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    move = engine.search("go depth 1 searchmoves e1h1").move
    check(move == "e1h1", f"castling is written {move}")


@test
def a_button_may_come_with_a_value_and_often(engine):
    for line in ("setoption name Clear Hash", "setoption name Clear Hash value",
                 "setoption name Clear Hash value 1", "setoption name clear hash"):
        said = engine.ask(*[line] * 10)
        check(not said, f"said: {said[:1]}")
    engine.search("go depth 3")


@test
def the_hash_may_be_resized_between_searches(engine):
    for megabytes in (1, 2, 3, 7, 33, 64, 100, 5, 1, 16):
        said = engine.ask(f"setoption name Hash value {megabytes}")
        check(not said, f"Hash {megabytes}: {said}")
        engine.search("go nodes 500")


@test
def a_larger_hash_takes_more_memory_and_a_smaller_gives_it_back(engine):
    if engine.slow > 1:
        raise Skip("sanitizers keep freed memory")
    engine.ask("setoption name Hash value 1")
    small = engine.resident_mb()
    engine.ask("setoption name Hash value 128", "ucinewgame")
    large = engine.resident_mb()
    engine.ask("setoption name Hash value 1")
    again = engine.resident_mb()
    check(small + 100 <= large <= small + 140, f"{large - small:.0f} MB for a hash of 128 MB")
    check(again <= small + 10, f"{again - small:.0f} MB were not given back")


@test
def a_hash_beyond_the_memory_is_refused_and_the_old_one_stays(start):
    if start.slow > 1:
        raise Skip("sanitizers do not run under a memory limit")
    engine = start(memory_mb=1500)
    high = number(options_of(reply(engine))["Hash"], "max")
    for megabytes in (4000, high):
        engine.refuses(f"setoption name Hash value {megabytes}")
        engine.ask("ucinewgame", "position startpos")
        engine.search("go depth 6")


@test
def threads_come_and_go_with_the_setting(engine):
    idle = engine.threads()
    engine.ask("setoption name Threads value 4")
    engine.search("go depth 6")
    engine.ask("setoption name Threads value 1")
    engine.search("go depth 2")
    check(engine.threads() <= idle, f"{engine.threads()} threads, at the start {idle}")


@test
def settings_survive_ucinewgame(engine):
    engine.ask("setoption name MultiPV value 2", "ucinewgame")
    lines = {info.multipv for info in engine.search("go depth 2").infos}
    check(lines == {1, 2}, f"after ucinewgame the lines are {lines}")


@test
def an_option_may_be_set_before_uci(start):
    engine = start(handshake=False)
    said = engine.ask("setoption name MultiPV value 2")
    check(not said, f"said: {said}")
    check({info.multipv for info in engine.search("go depth 2").infos} == {1, 2}, "not obeyed")


@test
def the_default_options_of_bots_and_guis_are_accepted_silently(engine):
    # lichess-bot's shipped configuration but for its folder of tables, python-chess, DroidFish, polyglot.
    said = engine.ask("setoption name Move Overhead value 100", "setoption name Threads value 4",
                      "setoption name Hash value 512", "setoption name UCI_ShowWDL value true",
                      "setoption name UCI_AnalyseMode value true",
                      "setoption name UCI_AnalyseMode value false",
                      "setoption name UCI_EngineAbout value anything",
                      "setoption name SyzygyPath value <empty>",
                      "setoption name Debug Log File value <empty>",
                      "setoption name Ponder value true", "ucinewgame")
    check(not said, f"said: {said}")
    engine.search("go depth 4")


@test_each([(value, value) for value in (
    "none none computer Other Engine 1.0", "GM 2800 human Gary Chess", "BOT 2100 computer Y",
    "", "<empty>", "none none none", "\u265e \t x", "A" * 100000)])
def every_opponent_is_welcome(value, engine):
    said = engine.ask(f"setoption name UCI_Opponent value {value}", "ucinewgame")
    check(not said, f"said: {said}")


@test
def the_text_about_the_engine_can_be_parsed(engine):
    about = options_of(reply(engine))["UCI_EngineAbout"]["rest"].removeprefix(" default ")
    check("Parley" in about and "licence" in about, f"about: {about}")
    check(not set(about.split()) & {"name", "type", "default", "min", "max", "var"},
          f"a word of option lines in: {about}")


@test
def analysis_may_be_announced_between_position_and_go(engine):
    engine.send("position startpos moves e2e4", "setoption name UCI_AnalyseMode value true",
                "go infinite")
    engine.read_until("info")
    engine.stop()
    check(" b " in engine.fen(), "the position is lost")


@test
def register_and_debug_are_accepted_silently(engine):
    said = engine.ask("register later", "register name Stefan code 4359874324", "debug on",
                      "debug off")
    check(not [text for text in said if not text.startswith("info string")], f"said: {said}")
    engine.search("go depth 2")
