"""Conversations in xboard's protocol."""
import re
import signal
import time

from harness import check, test, test_each

THINKING = re.compile(r"\d+ -?\d+ \d+ \d+( \S+)+( [!?])?")
MATE_IN_2 = "7k/8/5K2/8/8/8/8/6R1 w - - 0 1"


class Client:
    """A client that waits for the answers; started by the first line, or by `parley xboard`."""

    def __init__(self, start, *arguments):
        self.engine = start(*arguments, handshake=False)
        self.pings = 0
        self.send("xboard", "protover 2")
        self.features = self.read_until("feature done=1")

    def send(self, *lines):
        self.engine.send(*lines)

    def read_until(self, beginning, within=10.0):
        """The lines up to the first that begins so."""
        return [line.text for line in self.engine.read_until(lambda text: text.startswith(beginning), within)]

    def ask(self, *lines, within=10.0):
        """What is said to these lines."""
        self.pings += 1
        self.send(*lines, f"ping {self.pings}")
        return self.read_until(f"pong {self.pings}", within)[:-1]

    def move(self, within=10.0):
        return self.read_until("move ", within)[-1].split()[1]

    def leave(self):
        self.engine.searches_asked = 0  # a `go` has no bestmove here
        self.send("quit")
        self.engine.ends_well()


@test_each([("by the first line", []), ("by name", ["xboard"])])
def the_protocol_is_chosen(arguments, start):
    client = Client(start, *arguments)
    check(client.features[0] == "feature done=0", f"begins with {client.features[0]}")
    check(any("usermove=1" in line for line in client.features), "no usermove")
    check(client.ask("new", "force") == [], "an answer to new")
    client.leave()


@test
def a_game_is_played_to_mate(start):
    client = Client(start)
    client.send("new", "sd 5", "post", "force", f"setboard {MATE_IN_2}", "go")
    lines = client.read_until("move ")
    check(all(THINKING.fullmatch(line) for line in lines[:-1]), f"{lines}")
    check(any(" 100002 " in line for line in lines), f"no mate in 2: {lines}")
    client.send("usermove h8h7")
    claim = client.read_until("1-0")[-1]
    check(claim == "1-0 {White mates}", claim)
    client.leave()


@test
def the_clock_is_kept(start):
    client = Client(start)
    began = time.monotonic()
    client.send("new", "level 0 0:02 0", "time 200", "otim 200", "usermove e2e4")
    client.move()
    check(time.monotonic() - began < 1 * start.slow, "more than half of the clock for a move")
    began = time.monotonic()
    client.send("st 0.3", "usermove d2d4")
    client.move()
    check(0.1 < time.monotonic() - began < 0.3 + 0.3 * start.slow, "not the time of st")
    client.leave()


@test_each([
    ("before its first move", ["setboard 4k3/8/8/8/8/8/8/1QQQK3 b - - 0 40", "playother"]),
    ("with the other side's pieces", ["sd 4", "setboard 1q2k3/8/8/8/8/8/8/4K3 w - - 0 40", "go",
                                      "force", "undo", "playother"])])
def a_draw_in_a_won_position_is_not_taken(lines, start):
    client = Client(start)
    client.send("new", "force", *lines, "draw")
    said = client.ask("force")
    check(not [line for line in said if "offer draw" in line], f"{said}")
    client.leave()


@test
def a_question_mark_brings_the_move_and_then_the_pong(start):
    client = Client(start)
    client.send("new", "st 60", "usermove e2e4", "?", "ping 99")
    lines = client.read_until("pong 99")
    check(len(lines) == 2 and lines[0].startswith("move "), f"{lines}")
    client.leave()


@test
def analysis_is_answered_and_follows_the_game(start):
    client = Client(start)
    client.send("new", "post", "analyze")
    client.read_until("5 ")
    client.send("usermove e2e4")
    client.read_until("5 ")
    client.send(".")
    status = client.read_until("stat01: ")[-1]
    check(re.fullmatch(r"stat01: \d+ \d+ \d+ \d+ 20( \S+)?", status), status)
    client.send("option MultiPV=2")
    client.read_until("6 ")
    client.send("undo", "exit")
    said = client.ask("force")
    check(not [line for line in said if line.startswith("move")], f"{said}")
    client.leave()


@test
def pondering_needs_no_time_after_the_expected_move(start):
    client = Client(start)
    client.send("new", "post", "hard", "level 0 0:10 0", "time 1000", "otim 1000", "usermove e2e4")
    client.move()
    hint = client.read_until("Hint: ")[-1].split()[1]
    client.read_until("9 ")
    client.send("time 990", "otim 900", f"usermove {hint}")
    client.move()
    client.send("easy")
    check(client.ask("force") is not None, "no pong")
    client.leave()


@test_each([
    ("memory", "memory 5", []), ("cores", "cores 2", []), ("check", "option OwnBook=1", []),
    ("button", "option Clear Hash", []),
    ("no memory", "memory x", [r"Error \(Hash stays at 16: .*\): memory x"]),
    ("no tables", "egtpath syzygy /nowhere", [r"Error \(SyzygyPath stays empty: .*\): egtpath syzygy /nowhere"]),
    ("unknown", "option No=1", [r"Error \(unknown option\): option No=1"])])
def options_are_set_or_refused(line, expected, start):
    client = Client(start)
    said = client.ask(line)
    check(len(said) == len(expected) and all(map(re.fullmatch, expected, said)), f"{said}")
    check("No such file" not in "".join(said), "xboard takes this for a failed start")
    client.leave()


def hostile_lines():
    """300 lines that mean nothing; none is blank."""
    words = ["foo", "NEW", "e9e4", "usermove", "usermove e2e5", "e1e8", "O-O-O", "level", "level 1",
             "level x 5 0", "st", "st x", "sd", "sd -3", "time", "otim x", "ping", "ping x",
             "setboard", "setboard x", "setboard 8/8/8/8/8/8/8/8 w - - 0 1", "variant atomic",
             "option", "option x=1", "option =", "egtpath", "egtpath nalimov /x", "memory", "memory -1",
             "cores 0", "cores many", "edit", "pause", "resume", "exclude", "exclude a1a8", "include x",
             "undo", "remove", "exit", ".", "draw", "new 1", "force 1", "go now", "quitter", "@@@@",
             "uci", "position startpos", "isready", "bestmove e2e4", "\x7f", "\u265e", "{}", "move e2e4",
             "1-0", "a" * 100_000, "usermove " + "x" * 100_000, "sd 99999999999999999999x", "% s %n"]
    return [word + suffix for suffix in ("", " \x01", "  ?", " x y", "\tz") for word in words][:300]


@test
def each_of_300_hostile_lines_has_one_answer(start):
    client = Client(start)
    lines = hostile_lines()
    check(len(lines) == 300, f"{len(lines)} lines")
    for line in lines:
        client.ask("new", "force")
        said = client.ask(line)
        check(len(said) == 1, f"{line[:60]!r}: {said}")
        check(re.match(r"Error \(.+\): |Illegal move: |tellusererror Illegal position: ", said[0]),
              f"{line[:60]!r}: {said}")
        check(len(said[0]) < 300, "a long answer")
    client.send("new", "sd 1", "usermove e2e4")
    client.move()
    client.leave()


@test
def a_flood_of_lines_needs_little_memory(start):
    client = Client(start)
    client.send("new")
    client.engine.write(b"ping 7\nfoo\n" * 20_000)
    answers = client.ask(within=60)
    check(answers.count("pong 7") == 20_000, f"{answers.count('pong 7')} pongs")
    check(client.engine.resident_mb() <= 100 * start.slow, f"{client.engine.resident_mb():.0f} MB")
    client.leave()


@test
def an_interrupt_does_nothing(start):
    client = Client(start)
    client.engine.process.send_signal(signal.SIGINT)
    check(client.ask("new") == [], "an answer")
    client.leave()


@test
def a_script_gets_its_move_at_the_end_of_the_input(start):
    run = start.run(input=b"xboard\nnew\nsd 4\nusermove e2e4\n")
    check(run.status == 0 and len(run.lines) == 1, f"{run}")
    check(run.lines[0].startswith("move "), run.lines[0])
    run = start.run(input=b"xboard\nnew\nanalyze\n")
    check(run.status == 0 and run.lines == [], f"{run}")
    check(run.seconds < 2 * start.slow, "the analysis went on")
