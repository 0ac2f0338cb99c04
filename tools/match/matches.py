"""Shared by the scripts here and in tools/bench: finding programs, building commits, counting
games."""
import argparse
import hashlib
import math
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# For builds and games; ignored by git.
WORK_FOLDER = ROOT / "build" / "match"
# From the UHO books of Stefan Pohl (CC0): White is ahead by about a pawn, so draws are few.
OPENINGS = Path(__file__).resolve().parent / "openings.epd"
FASTCHESS = "https://github.com/Disservin/fastchess (built with make)"
CUTECHESS = "https://github.com/cutechess/cutechess (cutechess-cli)"
PROGRAM_SUFFIX = ".exe" if os.name == "nt" else ""


def say(text):
    print(text, file=sys.stderr, flush=True)


def progress(text):
    """Shows a line on a terminal in the place of the last one; nothing elsewhere."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()


def count(text):
    """Parses an integer of at least 1 from the command line."""
    if not re.fullmatch(r"\d+", text) or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number above 0")
    return int(text)


def positive(text):
    """Parses a finite number above 0 from the command line."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return value


def default_concurrency(threads=1):
    """How many games are played at a time when the command line does not say: the two engines of
    a game think in turn, so each game needs as many CPUs as one engine has threads."""
    return max(1, (os.cpu_count() or 1) // threads)


def file(text):
    """Parses the name of an existing file. Returns its absolute path, because games are played in
    another folder."""
    path = Path(text).resolve()
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"there is no file {text}")
    return path


def find(program):
    """The path of a program on PATH or in Debian's games folder, or None."""
    path = os.environ.get("PATH", "") + os.pathsep + "/usr/games"
    return shutil.which(program, path=path)


def need(program, source):
    path = find(program)
    if not path:
        sys.exit(f"{program} is not on PATH; get it from {source}")
    return path


def run(*command, **options):
    """Runs a command and returns its output. If it fails, prints the output and exits."""
    try:
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False, **options)
    except OSError as error:
        sys.exit(f"{command[0]} cannot be started: {error.strerror}")
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


def timed(*command):
    """The output of a program and the processor seconds that it took."""
    import resource  # Windows has none, and the match scripts run there
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = run(*command, stdin=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return output, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def build(commit, *options):
    """Builds the parley of a commit in a worktree of its own. '.' is the working tree, which may be
    built with CMake options."""
    return build_targets(commit, ["parley"], *options)[0]


def build_targets(commit, targets, *options):
    """Builds programs of a commit, as build() does. Returns their paths."""
    if commit == ".":
        name, source = "-".join(["working-tree", *options]), ROOT
    else:
        name = run("git", "-C", ROOT, "rev-parse", "--short=10", f"{commit}^{{commit}}").strip()
        source = WORK_FOLDER / f"source-{name}"
        programs = [WORK_FOLDER / f"{target}-{name}{PROGRAM_SUFFIX}" for target in targets]
        if all(program.exists() for program in programs):
            return programs
    say(f"building {commit} ({name})")
    WORK_FOLDER.mkdir(parents=True, exist_ok=True)
    folder = WORK_FOLDER / f"build-{name}"
    if commit != ".":
        shutil.rmtree(source, ignore_errors=True)  # left by a build that was killed
        run("git", "-C", ROOT, "worktree", "prune")
        run("git", "-C", ROOT, "worktree", "add", "--force", "--detach", source, name)
    try:
        run("cmake", "-S", source, "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
            "-DPARLEY_TESTS=OFF", *options)
        run("cmake", "--build", folder, "--target", *targets, "--parallel", os.cpu_count() or 1)
    finally:
        if commit != ".":
            run("git", "-C", ROOT, "worktree", "remove", "--force", source)
    return [keep_program(folder / f"{target}{PROGRAM_SUFFIX}", name, commit) for target in targets]


def keep_program(built, name, commit):
    """Copies a program that was built under a name of its own. Returns the copy's path."""
    if commit == ".":
        # A name for each state of the tree, so that a running match keeps its program.
        name += "-" + hashlib.sha256(built.read_bytes()).hexdigest()[:10]
    program = WORK_FOLDER / f"{built.stem}-{name}{PROGRAM_SUFFIX}"
    if not program.exists():
        copy = program.with_name(f"{program.name}.{os.getpid()}")
        shutil.copy2(built, copy)
        copy.replace(program)
    return program


def signature(program):
    """The nodes of the program's bench."""
    nodes = re.search(r"Nodes searched: (\d+)", run(program, "bench"))
    return int(nodes[1]) if nodes else "?"


def new_pgn(kind):
    """The file for the games of a new match."""
    WORK_FOLDER.mkdir(parents=True, exist_ok=True)
    return WORK_FOLDER / time.strftime(f"{kind}-%Y%m%d-%H%M%S-{os.getpid()}.pgn")


def elo(score):
    """The rating difference of a score between 0 and 1."""
    score = min(max(score, 1e-6), 1 - 1e-6)
    return -400 * math.log10(1 / score - 1)


class Tally:
    """Games won, drawn and lost, and how many each side lost by forfeit."""

    # The termination that match runners write if a game did not end by the rules of chess.
    FORFEITS = re.compile(r"time forfeit|loses on time|illegal move|disconnect|stall|abandoned|"
                          r"crash", re.IGNORECASE)

    def __init__(self):
        self.won = self.drawn = self.lost = self.forfeits = self.opponents_forfeits = 0

    @property
    def games(self):
        return self.won + self.drawn + self.lost

    def score(self):
        return (self.won + self.drawn / 2) / self.games

    def rating(self):
        """Elo and half its 95 % interval, from the variance of single games."""
        score = self.score()
        squares = self.won + self.drawn / 4
        deviation = math.sqrt(max(squares / self.games - score ** 2, 0) / self.games)
        low, high = elo(score - 1.96 * deviation), elo(score + 1.96 * deviation)
        return elo(score), (high - low) / 2


def games_of(pgn):
    """The tags and the text of each finished game of a PGN file."""
    if not Path(pgn).exists():
        return
    for game in re.split(r"\n(?=\[Event )", Path(pgn).read_text(errors="replace")):
        headers = dict(re.findall(r'^\[(\w+) "(.*)"\]$', game, re.MULTILINE))
        if headers.get("Result") in ("1-0", "0-1", "1/2-1/2"):
            yield headers, game


def tallies(pgn, player):
    """One player's tally against each opponent, by the opponent's name."""
    result = {}
    for headers, text in games_of(pgn):
        if player not in (headers["White"], headers["Black"]):
            continue
        white = headers["White"] == player
        tally = result.setdefault(headers["Black" if white else "White"], Tally())
        won = headers["Result"] == ("1-0" if white else "0-1")
        drawn = headers["Result"] == "1/2-1/2"
        tally.won += won
        tally.drawn += drawn
        lost = not won and not drawn
        tally.lost += lost
        last_words = headers.get("Termination", "") + text[-200:]
        forfeit = bool(Tally.FORFEITS.search(last_words))
        tally.forfeits += lost and forfeit
        tally.opponents_forfeits += won and forfeit
    return result


def table(results):
    """A cross-table of tallies as text."""
    lines = [f"{'opponent':<14}{'games':>6}{'won':>6}{'drawn':>6}{'lost':>6}{'score':>8}"
             f"{'Elo':>7}{'+-':>6}  forfeits  theirs"]
    for name, tally in results.items():
        if tally.games:
            lines.append(f"{name:<14}{tally.games:>6}{tally.won:>6}{tally.drawn:>6}{tally.lost:>6}"
                         f"{tally.score():>8.1%}{difference(tally)}  {tally.forfeits:>8}"
                         f"{tally.opponents_forfeits:>8}")
    return "\n".join(lines)


def difference(tally):
    """Elo and its error for a row of the table; blank at 0 or 100 %, where neither is defined."""
    if tally.score() in (0, 1):
        return f"{'':>7}{'':>6}"
    rating, margin = tally.rating()
    return f"{rating:>+7.0f}{margin:>6.0f}"
