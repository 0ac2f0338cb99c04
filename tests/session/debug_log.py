"""Debug Log File: what is written, when, for whom, and what cannot stop the engine."""
import os
import re
import resource
import stat
import subprocess
import tempfile

from harness import Skip, check, test, test_each

ENTRY = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} (?P<kind>[<>#]) ?(?P<text>.*)")


def entries(path):
    """The entries of a log as pairs of direction and text."""
    with open(path, encoding="utf-8", newline="\n") as file:
        text = file.read()
    check(text.endswith("\n"), "the last line is cut off")
    found = []
    for line in text[:-1].split("\n"):
        match = ENTRY.fullmatch(line)
        check(match, f"no entry: {line}")
        found.append((match["kind"], match["text"]))
    return found


def logging(start, folder, name="log"):
    engine = start()
    path = os.path.join(folder, name)
    said = engine.ask(f"setoption name Debug Log File value {path}")
    check(not said, f"said: {said}")
    return engine, path


@test
def both_directions_are_in_the_log_at_once(start):
    with tempfile.TemporaryDirectory() as folder:
        engine, path = logging(start, folder)
        found = engine.search("position startpos\ngo depth 4")
        said = entries(path)
        check(said[0][0] == "#" and "Parley" in said[0][1], f"it begins with {said[0]}")
        check(said[1:3] == [(">", "isready"), ("<", "readyok")], f"then {said[1:3]}")
        check(said[3:5] == [(">", "position startpos"), (">", "go depth 4")], f"then {said[3:5]}")
        check([text for kind, text in said[5:] if kind == "<"] == found.texts,
              "the search is logged otherwise than it was said")


@test
def a_process_that_is_killed_leaves_its_last_lines(start):
    with tempfile.TemporaryDirectory() as folder:
        engine, path = logging(start, folder)
        engine.ask("position startpos moves e2e4")
        engine.send("go infinite")
        engine.read_until("info")
        engine.kill()
        start.engines.remove(engine)
        said = entries(path)
        check((">", "go infinite") in said and said[-1][1].startswith("info "), f"{said[-3:]}")


@test
def a_new_log_can_only_be_read_by_its_owner(start):
    with tempfile.TemporaryDirectory() as folder:
        before = os.umask(0)
        try:
            _, path = logging(start, folder)
        finally:
            os.umask(before)
        mode = stat.S_IMODE(os.stat(path).st_mode)
        check(mode == 0o600, f"mode {mode:o}")


@test
def a_log_is_appended_to(start):
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            engine, path = logging(start, folder)
            engine.finish()
        said = entries(path)
        check(said.count((">", "quit")) == 2, f"{said}")


@test_each([("an empty value", ""), ("the word for it", " <empty>")])
def an_empty_path_ends_the_log(value, start):
    with tempfile.TemporaryDirectory() as folder:
        engine, path = logging(start, folder)
        said = engine.ask(f"setoption name debug log file value{value}", "d")
        check(not [text for text in said if text.startswith("info")], f"said: {said}")
        last = entries(path)[-1]
        check(last[0] == ">" and last[1].startswith("setoption"), f"it ends with {last}")


@test_each([
    ("no such folder", "/nofolder/a", "No such file or directory"),
    ("a folder", "/tmp", "Is a directory"),
    ("a pipe", "/proc/self/fd/1", "not a regular file"),
    ("a name that is too long", "/tmp/" + "x" * 300, "File name too long"),
    ("below a file", "/dev/null/log", "Not a directory"),
])
def a_path_that_cannot_be_opened_is_refused(path, reason, start):
    engine = start()
    said = engine.refuses(f"setoption name Debug Log File value {path}")
    check(said.startswith("Debug Log File stays empty: cannot open '") and reason in said,
          f"it says {said}")
    with tempfile.TemporaryDirectory() as folder:
        engine, log = logging(start, folder)
        said = engine.ask(f"setoption name Debug Log File value {path}")
        check(len(said) == 1 and reason in said[0]
              and said[0].startswith(f"info string Debug Log File stays '{log}"[:60]),
              f"it says {said}")
        engine.ask("fen")
        check((">", "fen") in entries(log), "the old log does not go on")


@test
def a_log_that_may_not_be_written_is_refused(start):
    read_only = "/sys/kernel/notes"  # for root too
    if not os.path.exists(read_only):
        raise Skip("needs Linux's /sys")
    said = start().refuses(f"setoption name Debug Log File value {read_only}")
    check("Permission denied" in said, f"it says {said}")


@test
def a_pipe_that_nobody_reads_does_not_stop_the_engine(start):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pipe")
        os.mkfifo(path)
        start().refuses(f"setoption name Debug Log File value {path}")


@test
def the_files_of_the_conversation_itself_are_refused(start):
    with tempfile.TemporaryDirectory() as folder:
        commands, answers = (os.path.join(folder, name) for name in ("in", "out"))
        for path in (commands, answers):
            with open(commands, "w") as file:
                file.write(f"setoption name Debug Log File value {path}\nisready\nquit\n")
            with open(commands) as standard_input, open(answers, "w") as standard_output:
                subprocess.run([start.command], stdin=standard_input, stdout=standard_output,
                               timeout=20 * start.slow, check=True)
            with open(answers) as file:
                said = file.read().splitlines()
            check(len(said) == 2 and "standard input or output" in said[0], f"it says {said}")


@test
def a_full_disk_ends_the_log_and_not_the_game(start):
    if not os.path.exists("/dev/full"):
        raise Skip("there is no /dev/full")
    engine = start()
    said = engine.ask("setoption name Debug Log File value /dev/full")
    check(said == ["info string Debug Log File is closed: cannot write '/dev/full': "
                   "No space left on device"], f"said: {said}")
    check(not engine.ask(), "another word")
    engine.search("go depth 4")


@test
def a_limit_on_the_size_of_files_ends_the_log_and_not_the_game(start):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log")
        commands = f"setoption name Debug Log File value {path}\ngo depth 12\n"
        done = subprocess.run(
            [start.command], input=commands.encode(), capture_output=True,
            timeout=60 * start.slow, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
        check(done.returncode == 0, f"status {done.returncode}")
        said = done.stdout.decode().splitlines()
        closed = [line for line in said if line.startswith("info string")]
        check(len(closed) == 1 and "File too large" in closed[0], f"it says {closed}")
        check(any(line.startswith("bestmove") for line in said), "no bestmove")


@test
def a_log_opened_late_tells_what_was_set_before(start):
    with tempfile.TemporaryDirectory() as folder:
        engine = start()
        path = os.path.join(folder, "log")
        engine.ask("setoption name Hash value 8", "setoption name Hash value 4",
                   "setoption name UCI_Opponent value GM 2800 human Gary Chess",
                   "setoption name No Such Option value 1", "position startpos moves e2e4")
        engine.search("go depth 2")
        engine.ask(f"setoption name Debug Log File value {path}")
        notes = [text for kind, text in entries(path) if kind == "#"]
        check(notes[1:] == ["earlier command: setoption name Hash value 4",
                            "earlier command: setoption name UCI_Opponent value "
                            "GM 2800 human Gary Chess",
                            "earlier command: position startpos moves e2e4",
                            "earlier searches"], f"{notes}")


@test
def every_line_of_a_long_conversation_is_logged_once_and_in_order(start):
    with tempfile.TemporaryDirectory() as folder:
        engine, path = logging(start, folder)
        lines = [f"position startpos moves {move}" for move in ("e2e4", "d2d4", "c2c4")] * 300
        engine.ask(*lines)
        received = [text for kind, text in entries(path) if kind == ">" and text[0] == "p"]
        check(received == lines, f"{len(received)} of {len(lines)} lines")


@test
def a_log_may_be_opened_and_closed_in_the_middle_of_a_search(start):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log")
        engine = start()
        engine.send("go infinite")
        for _ in range(200):
            engine.send(f"setoption name Debug Log File value {path}",
                        "setoption name Debug Log File value")
        engine.stop()
        entries(path)
