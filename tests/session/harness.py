"""A conversation with an engine over pipes, for tests that judge what a client would see.

Every wait ends: by an answer, or by a Failure that says what was waited for. All times are
multiplied by `slow`, so that the same tests judge sanitizer builds.
"""
import collections
import contextlib
import os
import queue
import re
import resource
import select
import statistics
import subprocess
import tempfile
import threading
import time

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

COMMANDS = set("uci debug isready setoption register ucinewgame position go stop ponderhit quit "
               "bench d eval fen why help".split())
MOVE = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")
FEN = re.compile(r"([1-8pnbrqkPNBRQK]+/){7}[1-8pnbrqkPNBRQK]+ [wb] (-|[A-HKQa-hkq]{1,4}) "
                 r"(-|[a-h][36]) \d+ \d+")
INFO = re.compile(
    r"info depth (?P<depth>\d+) seldepth (?P<seldepth>\d+) multipv (?P<multipv>\d+)"
    r" score (?P<kind>cp|mate) (?P<value>-?\d+)( (?P<bound>lowerbound|upperbound))?"
    r"( wdl (?P<wdl>\d+ \d+ \d+))? nodes (?P<nodes>\d+) nps (?P<nps>\d+) hashfull (?P<hashfull>\d+)"
    r" tbhits (?P<tbhits>\d+) time (?P<time>\d+) pv(?P<pv>( " + MOVE.pattern + r")+)")
NO_MOVES = re.compile(r"info depth 0 score (?P<kind>cp|mate) (?P<value>0)"
                      r"( wdl (?P<wdl>\d+ \d+ \d+))?\b.*")
CURRENT_MOVE = re.compile(r"info currmove " + MOVE.pattern + r" currmovenumber [1-9]\d*")
BEST_MOVE = re.compile(r"bestmove (?P<move>\(none\)|" + MOVE.pattern + r")"
                       r"( ponder (?P<ponder>" + MOVE.pattern + r"))?")
SANITIZER = re.compile(r"Sanitizer|runtime error:|Assertion")

# A folder of more tables for the unit tests; here it would be an option of every sub-command.
os.environ.pop("PARLEY_SYZYGY", None)

# `parley serve` keeps its games there: not among those of the user who runs the tests.
DATA_FOLDER = tempfile.TemporaryDirectory(prefix="parley-data-")
os.environ["XDG_DATA_HOME"] = DATA_FOLDER.name


class Failure(Exception):
    """What a test found wrong, in a sentence."""


class Skip(Exception):
    """Why a test cannot judge this build."""


def check(holds, sentence):
    if not holds:
        raise Failure(sentence)


@contextlib.contextmanager
def killed_on_failure(process):
    """Kills the process if the block fails: for what a test waits for before it can end it itself."""
    try:
        yield
    except BaseException:
        process.kill()
        process.wait()
        raise


def written_to(file):
    """What a process has written to this file. The file's position is the process's too: it stays
    where it is, or the process would write over what it has written."""
    return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode("utf-8", "replace")


def shortened(text, length=160):
    return text if len(text) <= length else f"{text[:length]}... ({len(text)} characters)"


Line = collections.namedtuple("Line", "text at")


class Info:
    """One `info` line with a score; what it does not say is None."""

    def __init__(self, fields):
        for name in "depth seldepth multipv value nodes nps hashfull tbhits time".split():
            number = fields.get(name)
            setattr(self, name, None if number is None else int(number))
        self.kind = fields["kind"]
        self.bound = fields.get("bound")
        self.wdl = [int(number) for number in (fields.get("wdl") or "").split()]
        self.pv = (fields.get("pv") or "").split()

    @property
    def score(self):
        return f"{self.kind} {self.value}"


def read_info(text):
    """The Info that a line stands for; None when it has no score; a Failure if malformed."""
    if text.startswith("info string ") or CURRENT_MOVE.fullmatch(text):
        return None
    found = INFO.fullmatch(text) or NO_MOVES.fullmatch(text)
    check(found, f"malformed info line: {shortened(text, 300)}")
    info = Info(found.groupdict())
    check(info.hashfull is None or info.hashfull <= 1000, f"hashfull beyond 1000: {text}")
    return info


class Search:
    """What was said from a `go` to its `bestmove`, and how long it took."""

    def __init__(self, lines, asked_at):
        self.texts = [line.text for line in lines]
        self.seconds = lines[-1].at - asked_at
        self.infos = [info for info in map(read_info, filter(is_info, self.texts)) if info]
        self.strings = [text for text in self.texts if text.startswith("info string ")]
        found = BEST_MOVE.fullmatch(self.texts[-1])
        check(found, f"malformed bestmove line: {shortened(self.texts[-1])}")
        self.move = found["move"]
        self.ponder = found["ponder"]

    @property
    def milliseconds(self):
        return 1000 * self.seconds

    @property
    def last(self):
        """The last line with a score that is about the best move."""
        best = [info for info in self.infos if info.multipv in (None, 1)]
        check(best, "a search without any score")
        return best[-1]


def is_info(text):
    return text.split(" ", 1)[0] == "info"


def is_total_of_nodes(text):
    return text.startswith("Nodes searched: ")


def is_fen(text):
    return FEN.fullmatch(text) is not None


def command_of(line):
    """The command of a line of bytes: its first word that is one, as UCI demands."""
    words = line.decode("utf-8", "replace").split()
    for number, word in enumerate(words):
        if word in COMMANDS:
            return word, words[number + 1:]
    return None, []


def starts_search(line):
    command, words = command_of(line)
    return command == "go" and words[:1] != ["perft"]


def memory_limit(megabytes):
    """What a process calls at its start to limit its memory; None without a limit."""
    if not megabytes:
        return None
    limit = megabytes << 20
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


class Engine:
    """One engine process. Counts what it was asked and what it answered."""

    def __init__(self, command, slow, memory_mb=None):
        self.slow = slow
        self.transcript = collections.deque(maxlen=400)
        self.last_errors = ""
        self.searches_asked = 0
        self.searches_answered = 0
        self.readiness_asked = 0
        self.readiness_answered = 0
        self._unsent_line = b""
        self._lines = queue.Queue()
        self._ended = False
        self._errors = tempfile.TemporaryFile()

        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self._errors, bufsize=0,
                                        preexec_fn=memory_limit(memory_mb))
        os.set_blocking(self.process.stdin.fileno(), False)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    # What is sent to the engine.

    def send(self, *lines):
        """Sends lines in one write."""
        self.write("".join(line + "\n" for line in lines).encode())

    def write(self, data):
        """Sends bytes as they are; a Failure if the engine does not take them."""
        self.transcript.append("> " + shortened(repr(data)[2:-1]))
        *complete, self._unsent_line = (self._unsent_line + data).split(b"\n")
        for line in complete:
            self.searches_asked += starts_search(line)
            self.readiness_asked += command_of(line)[0] == "isready"
        pipe = self.process.stdin.fileno()
        deadline = time.monotonic() + 20 * self.slow
        rest = memoryview(data)
        while rest:
            if not select.select([], [pipe], [], max(0, deadline - time.monotonic()))[1]:
                raise Failure("the engine does not read what it is sent")
            try:
                rest = rest[os.write(pipe, rest[:65536]):]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise Failure(f"the engine has gone{self._how_it_ended()}") from None

    def close_input(self):
        self.transcript.append("> (end of input)")
        self.process.stdin.close()

    # What the engine says.

    def _read(self):
        rest = b""
        while True:
            try:
                data = os.read(self.process.stdout.fileno(), 1 << 16)
            except (OSError, ValueError):
                data = b""
            if not data:
                break
            now = time.monotonic()
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._lines.put(Line(line, now))
        if rest:
            self._lines.put(Line(rest, time.monotonic()))
        self._lines.put(None)

    def next_line(self, until):
        """The next line, or None when none came until that moment or none will come any more."""
        if self._ended:
            return None
        try:
            line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            return None
        if line is None:
            self._ended = True
            return None
        try:
            text = line.text.decode("utf-8")
        except UnicodeDecodeError:
            raise Failure(f"a line that is not UTF-8: {line.text[:200]!r}") from None
        self.transcript.append("< " + shortened(text))
        check(text.isprintable(), f"a line with control characters: {shortened(text)!r}")
        self.searches_answered += text.split(" ", 1)[0] == "bestmove"
        self.readiness_answered += text == "readyok"
        return Line(text, line.at)

    def read_until(self, wanted, within=10.0):
        """The lines up to the first wanted one: a first word, or whatever a function accepts."""
        what = wanted if isinstance(wanted, str) else wanted.__name__.strip("_").replace("_", " ")
        accepts = wanted if callable(wanted) else lambda text: text.split(" ", 1)[0] == wanted
        seconds = within * self.slow
        until = time.monotonic() + seconds
        lines = []
        while True:
            line = self.next_line(until)
            if line is None and self._ended:
                raise Failure(f"the engine ended{self._how_it_ended()} instead of: {what}")
            if line is None:
                raise Failure(f"no {what} within {seconds:g} s")
            lines.append(line)
            if accepts(line.text):
                return lines

    def read_for(self, seconds):
        """The texts of all lines that come in the next seconds."""
        until = time.monotonic() + seconds
        texts = []
        while (line := self.next_line(until)) is not None:
            texts.append(line.text)
        return texts

    def check_no_bestmove(self, seconds, when):
        """Reads on; a Failure if a search is answered meanwhile."""
        early = [text for text in self.read_for(seconds) if text.startswith("bestmove")]
        check(not early, f"a bestmove {when}: {early[:1]}")

    # Common exchanges.

    def ask(self, *lines, within=10.0):
        """What the engine says to these lines until it is ready again."""
        self.send(*lines, "isready")
        return [line.text for line in self.read_until(self._is_last_readyok, within)[:-1]]

    def _is_last_readyok(self, text):
        return text == "readyok" and self.readiness_answered >= self.readiness_asked

    def search(self, go, within=10.0):
        """Sends the lines of `go` and reads the answer."""
        asked_at = time.monotonic()
        self.send(*go.split("\n"))
        return Search(self.read_until("bestmove", within), asked_at)

    def answer(self, within=10.0, asked_at=None):
        """The answer to a search that was asked for before."""
        asked_at = asked_at or time.monotonic()
        return Search(self.read_until("bestmove", within), asked_at)

    def wait_for_bestmoves(self, within=10.0):
        """Reads the answers to all searches asked for that are still to come."""
        while self.searches_answered < self.searches_asked:
            self.read_until("bestmove", within)

    def stop(self, within=10.0):
        return self.search("stop", within)

    def quickest(self, limit, go, before=(), tries=3):
        """Searches again while the answer takes more than a limit in milliseconds, for a busy
        machine can make any engine late once. The last answer."""
        for _ in range(tries):
            if before:
                self.ask(*before)
            found = self.search(go)
            if found.milliseconds <= limit:
                break
        return found

    def fen(self):
        """The FEN of the present position, by the command of that name."""
        fens = [text for text in self.ask("fen") if is_fen(text)]
        check(len(fens) == 1, f"'fen' printed {len(fens)} FENs")
        return fens[0]

    def legal_moves(self):
        """All legal moves of the present position, counted by the engine's own perft."""
        return set(self.perft(1))

    def perft(self, depth, within=10.0):
        """The leaves behind each move, as `go perft` counts them."""
        self.send(f"go perft {depth}")
        lines = self.read_until(is_total_of_nodes, within)
        found = [re.fullmatch(r"(" + MOVE.pattern + r"): (\d+)", line.text) for line in lines]
        leaves = {match[1]: int(match[2]) for match in found if match}
        total = int(lines[-1].text.split()[-1])
        check(sum(leaves.values()) == total, f"perft adds {sum(leaves.values())} up to {total}")
        return leaves

    def plays(self, moves, start="startpos"):
        """Whether a line of moves is legal in the engine's own eyes."""
        texts = self.ask(f"position {start} moves {' '.join(moves)}")
        return not any(text.startswith("info string") for text in texts)

    def refuses(self, *lines):
        """Sends lines that must be answered by an `info string`; returns the reason given."""
        texts = self.ask(*lines)
        reasons = [text for text in texts if text.startswith("info string ")]
        check(reasons, f"no info string says why '{shortened(lines[-1])}' is refused")
        return reasons[0][len("info string "):]

    # The process.

    def status(self, within=5.0):
        """The exit status, waited for."""
        try:
            return self.process.wait(within * self.slow)
        except subprocess.TimeoutExpired:
            raise Failure(f"still running after {within * self.slow:g} s") from None

    def ends_well(self, within=5.0):
        """Waits for the end; a Failure unless all went well to the last."""
        status = self.status(within)
        self._reader.join(5 * self.slow)
        for text in self.read_for(0.2):
            if is_info(text):
                read_info(text)
        check(status == 0, f"exit status {status}{self._how_it_ended()}")
        self.check_all_answered()
        errors = self.errors()
        check(not SANITIZER.search(errors), f"on stderr: {shortened(errors, 4000)}")

    def check_all_answered(self):
        check(self.searches_answered == self.searches_asked,
              f"{self.searches_answered} bestmoves for {self.searches_asked} go")

    def finish(self):
        """The orderly end of a test: every go has its one answer, and quit ends the process."""
        if self.process.poll() is not None:
            return self.ends_well()
        if self.process.stdin.closed:
            return self.ends_well()
        self.ask("stop")
        self.wait_for_bestmoves()
        self.ask()
        self.send("quit")
        self.ends_well()

    def errors(self):
        return written_to(self._errors).strip()

    def _how_it_ended(self):
        try:
            status = self.process.wait(1)
        except subprocess.TimeoutExpired:
            return ""
        errors = self.errors()
        return f" (exit status {status}" + (f", stderr: {errors[-2000:]})" if errors else ")")

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join(5)
        self.last_errors = self.errors()[-2000:]
        for stream in (self.process.stdin, self.process.stdout, self._errors):
            try:
                stream.close()
            except OSError:
                pass

    # What the system says about it.

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def resident_mb(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) / 1024


class Starter:
    """Starts engines for one test, and kills them all at its end."""

    def __init__(self, command, slow):
        self.command = command
        self.slow = slow
        self.engines = []

    def __call__(self, *arguments, handshake=True, memory_mb=None):
        """An engine that has answered `uci`; without `handshake` the test does that itself."""
        engine = Engine([self.command, *arguments], self.slow, memory_mb)
        self.engines.append(engine)
        if handshake:
            engine.send("uci")
            engine.read_until("uciok")
            engine.ask()
        return engine

    def run(self, *arguments, input=b"", within=20.0, environment=None, memory_mb=None):
        """Runs the program with arguments and all of its input at once. Status, lines, seconds, and
        what it wrote to stderr. `environment` is added to the variables of this process."""
        began = time.monotonic()
        try:
            done = subprocess.run([self.command, *arguments], input=input, capture_output=True,
                                  timeout=within * self.slow,
                                  env={**os.environ, **(environment or {})},
                                  preexec_fn=memory_limit(memory_mb))
        except subprocess.TimeoutExpired:
            raise Failure(f"{' '.join(arguments) or 'the engine'}: still running after "
                          f"{within * self.slow:g} s") from None
        seconds = time.monotonic() - began
        errors = done.stderr.decode("utf-8", "replace")
        check(not SANITIZER.search(errors), f"on stderr: {shortened(errors, 4000)}")
        lines = done.stdout.decode("utf-8", "replace").splitlines()
        return Run(done.returncode, lines, seconds, errors)


Run = collections.namedtuple("Run", "status lines seconds errors")


def best_moves(lines):
    return [line for line in lines if line.split(" ", 1)[0] == "bestmove"]


def median(numbers):
    return statistics.median(numbers)


# The tests of all subjects, in the order in which they were written down.
TESTS = []
Test = collections.namedtuple("Test", "subject sentence function arguments patient",
                              defaults=(False,))


def subject_of(function):
    return function.__module__


def sentence_of(function):
    return function.__name__.replace("_", " ")


def test(function):
    """Registers a test. It is given what its parameters name: `engine`, which has answered `uci`, or
    `start`, which starts engines."""
    TESTS.append(Test(subject_of(function), sentence_of(function), function, ()))
    return function


def patient_test(function):
    """Registers a test that does nothing but wait, for longer than a few seconds: it is run beside
    the others."""
    TESTS.append(Test(subject_of(function), sentence_of(function), function, (), True))
    return function


def test_each(table, patient=False):
    """Registers one test for each row of a table, whose first column says what the row is. Patient ones are
    as those of patient_test."""
    def register(function):
        for name, *arguments in table:
            sentence = f"{sentence_of(function)}: {shortened(repr(name)[1:-1], 80)}"
            TESTS.append(Test(subject_of(function), sentence, function, tuple(arguments), patient))
        return function
    return register
