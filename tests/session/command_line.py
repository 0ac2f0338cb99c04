"""The program's own arguments: sub-commands, options, files, environment, exit statuses."""
import json
import os
import subprocess
import tempfile

from harness import check, test, test_each

SUB_COMMANDS = ("uci", "chenserver", "json", "serve", "chezz", "chezz-encode", "chezz-decode",
                "mcp", "bench", "annotate", "explain", "tb", "book", "replay", "datagen", "genfens", "epd", "doctor", "listen", "connect",
                "xboard", "worker", "queue")


@test_each([(repr(word), word, message) for word, message in (
    ("srve", "unknown command 'srve'; did you mean 'serve'?"),
    ("jsno", "unknown command 'jsno'; did you mean 'json'?"),
    ("postion startpos", "unknown command 'postion'; did you mean 'position'?"),
    ("frobnicate", "unknown command 'frobnicate'"),
    ("--prot", "unknown option '--prot'"),
    ("--versoin", "unknown option '--versoin'; did you mean '--version'?"),
    ("", "unknown command ''"))])
def an_unknown_command_is_refused(word, message, start):
    run = start.run(word, "80")
    check(run.status == 2, f"status {run.status}")
    check(run.errors.splitlines()[0] == f"parley: {message}", f"it says {run.errors}")
    check(not run.lines, f"on stdout: {run.lines}")


@test_each([(name, name) for name in SUB_COMMANDS])
def every_command_has_a_help_text(name, start):
    run = start.run(name, "--help")
    text = "\n".join(run.lines)
    check(run.status == 0 and "--help" in text and f"parley {name}" in text, f"it says {text}")
    check(any(line.split()[:1] == [name] for line in start.run("--help").lines),
          "--help does not list it")


@test_each([
    ("an unknown option", ["serve", "--prot", "80"], "unknown option '--prot'; did you mean '--port'?"),
    ("an unknown option with a value", ["chezz", "--stroe=x"],
     "unknown option '--stroe'; did you mean '--store'?"),
    ("an unexpected word", ["uci", "now"], "unexpected argument 'now'"),
    ("a number out of range", ["serve", "--threads", "0"], "must be an integer between 1 and 1024"),
    ("no number", ["serve", "--hash", "much"], "must be an integer between 1 and 1048576"),
    ("a missing value", ["serve", "--bind"], "--bind"),
    ("an address that is none", ["serve", "--port", "0", "--bind", "here"],
     "--bind: 'here' is not an IP address such as 127.0.0.1 or ::1"),
    ("an address that is none among others", ["chezz", "--bind", "127.0.0.1,localhost"],
     "--bind: 'localhost' is not an IP address"),
    ("an address that is none, and no port", ["chenserver", "--bind", "::1,"],
     "--bind: '' is not an IP address"),
    ("an address that is none, after -p", ["-p", "2000", "--bind", "1.2.3"],
     "--bind: '1.2.3' is not an IP address"),
    ("an origin that is none", ["serve", "--origin", "chess.example"],
     "--origin: 'chess.example' is not an origin such as https://chess.example"),
    ("a proxy that is none", ["chezz", "--trust-proxy", "10.0.0.0/33"],
     "--trust-proxy: '10.0.0.0/33' is not an address such as 127.0.0.1"),
    ("a value behind a repeated option's", ["serve", "--origin", "https://a.example", "b"],
     "unexpected argument 'b'"),
    ("a depth that is no number", ["bench", "deep"], "must be an integer between 1 and 60"),
    ("a level that there is not", ["serve", "--log-level", "loud"], "--log-level"),
])
def wrong_options_are_refused(arguments, message, start):
    run = start.run(*arguments)
    check(run.status == 2, f"status {run.status}")
    check(run.errors.startswith("parley: ") and message in run.errors, f"it says {run.errors}")
    check(not run.lines, f"on stdout: {run.lines}")


@test_each([
    ("a misspelt limit", ["go", "dpeth", "5"], "go: 'dpeth' is not a parameter of go"),
    ("a limit without a number", ["go", "mate"], "go: mate needs a number"),
    ("a limit that is no number", ["go", "depth", "x"], "go: depth must be an integer, not 'x'"),
    ("a fault behind another command", ["go depth 1", "go depth"], "go: depth needs a number"),
    ("a command that is none", ["go depth 1", "psition startpos"],
     "unknown command 'psition'; did you mean 'position'?"),
    ("a word too many", ["eval", "all"], "unexpected word 'all' in 'eval all'"),
])
def no_uci_command_is_run_if_an_argument_is_faulty(arguments, message, start):
    run = start.run(*arguments, within=10)
    check(run.status == 2, f"status {run.status}")
    check(run.errors.startswith(f"parley: {message}\n"), f"it says {run.errors}")
    check(not run.lines, f"on stdout: {run.lines[:3]}")


@test_each([
    ("a FEN that is none", "position fen garbage", "position refused: "),
    ("an illegal move", "position startpos moves e2e5", "position refused: move 1: 'e2e5'"),
    ("an option that there is not", "setoption name Nothing value 1", "unknown option 'Nothing'"),
    ("a network that is missing", "setoption name EvalFile value /nowhere/net", "EvalFile "),
    ("a log that cannot be opened", "setoption name Debug Log File value /nowhere/log",
     "Debug Log File "),
])
def a_refused_uci_command_is_the_last_one(command, message, start):
    run = start.run("isready", command, "go depth 2", within=10)
    check(run.status == 2, f"status {run.status}")
    check(run.errors.startswith(f"parley: {message}"), f"it says {run.errors}")
    check(run.lines == ["readyok"], f"on stdout: {run.lines[:3]}")


@test_each([
    ("words", ["d", "fen", "eval"], ["Fen: ", "rnbqkbnr/", "Evaluation: "]),
    ("one that is a sub-command", ["uci", "go depth 1"], ["uciok", "bestmove "]),
    ("the other one", ["bench 1", "isready"], ["Nodes searched: ", "readyok"]),
])
def several_uci_commands_are_run_one_after_the_other(arguments, wanted, start):
    run = start.run(*arguments, within=30)
    check(run.status == 0 and not run.errors, f"status {run.status}: {run.errors}")
    lines = iter(run.lines)
    for text in wanted:
        check(any(line.startswith(text) for line in lines), f"no '{text}' in {run.lines}")


@test_each([(" ".join(options), options) for options in (
    ["--bind", "0.0.0.0"], ["--origin", "https://chess.example"], ["--admin", "127.0.0.1:9090"],
    ["--drain-time", "5"], ["--log-format", "json"], ["--log-file", "x.log"], ["--no-exit"], ["--allow-exit"])])
def without_a_port_chenserver_refuses_the_options_of_a_server(options, start):
    run = start.run("chenserver", *options, input=b"status\n")
    check(run.status == 2 and f"{options[0]} needs --port" in run.errors, f"{run.status}: {run.errors}")


@test
def a_default_that_help_shows_is_accepted(start):
    for entry in map(json.loads, start.run("--help-json").lines):
        for option in entry["options"]:
            if not option["default"]:
                continue
            value = f"{option['names'][-1]}={option['default']}"
            run = start.run(*entry["command"].split(), value, "--help")
            check(run.status == 0, f"{entry['command']} {value}: {run.errors}")


@test_each([(f"parley {command}", command, usage) for command, usage in (
    ("book make", "OUT GAMES..."), ("book merge", "OUT BOOK..."), ("book dump", "BOOK"),
    ("book show", "BOOK [FEN | MOVES]"), ("replay", "LOG"), ("explain", "[POSITION [MOVE]]"),
    ("annotate", "[PGN...]"), ("epd", "[FILE...]"), ("tb", "[FEN]"), ("connect", "SERVERS"),
    ("datagen", "FOLDER"), ("bench", "[DEPTH]"), ("uci", ""))])
def the_usage_line_is_what_the_command_takes(command, usage, start):
    lines = start.run(*command.split(), "--help").lines
    wanted = f"Usage: parley {command} [OPTIONS] {usage}".rstrip()
    check(wanted in lines, f"not '{wanted}' but {lines[:3]}")


@test_each([
    ("all commands", ["help"], ["--help"]),
    ("a command", ["help", "annotate"], ["annotate", "--help"]),
    ("an action of a command", ["help", "book", "make"], ["book", "make", "--help"]),
])
def help_as_a_word_is_the_help_option(words, option, start):
    run = start.run(*words)
    check(run.status == 0, f"status {run.status}")
    check(run.lines == start.run(*option).lines, f"it says {run.lines[:3]}")


@test
def help_with_a_uci_command_is_that_of_a_uci_session(start):
    check(start.run("help", "go").lines == start.run(input=b"help\n").lines, "not the same")


@test
def help_with_an_unknown_word_is_refused(start):
    run = start.run("help", "srve")
    check(run.status == 2 and "did you mean 'serve'?" in run.errors, f"{run.status}: {run.errors}")


@test
def options_come_from_a_file_and_from_the_environment(start):
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "parley.toml")
        games = os.path.join(folder, "games")
        with open(config, "w") as file:
            file.write("games = 2\nnodes = 50\nthreads = 1\n")
        for environment, options, count in (({}, (), 2), ({"PARLEY_GAMES": "3"}, (), 3),
                                            ({"PARLEY_GAMES": "3"}, ("--games", "4"), 4)):
            run = start.run("datagen", games, "--config", config, *options, within=60,
                            environment=environment)
            check(run.status == 0, f"status {run.status}: {run.errors}")
            run = start.run("datagen", "--stats", games)
            check(run.lines[0].split()[-1] == str(count), f"{run.lines[0]}, not {count}")


@test_each([
    ("an unknown option", "cuont = 1\n"),
    ("a wrong value", "threads = 0\n"),
])
def a_wrong_config_file_is_refused(text, start):
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text)
        file.flush()
        run = start.run("serve", "--config", file.name)
    check(run.status == 2 and run.errors.startswith("parley: "), f"{run.status}: {run.errors}")


@test
def a_config_file_that_is_missing_is_refused(start):
    run = start.run("serve", "--config", "/nowhere/parley.toml")
    check(run.status == 2 and "/nowhere/parley.toml" in run.errors, f"it says {run.errors}")


@test_each([
    ("uci", ["uci"], b"isready\n", "readyok"),
    ("chenserver", ["chenserver"], b"status\n", None),
    ("-s", ["-s"], b"status\n", None),
])
def a_dialect_can_be_chosen(arguments, said, wanted, start):
    run = start.run(*arguments, input=said)
    check(run.status == 0, f"status {run.status}")
    check(run.lines[-1] == wanted if wanted else run.lines[0].startswith("* "), f"{run.lines}")


@test
def unwritable_output_is_a_failure(start):
    if not os.path.exists("/dev/full"):
        return
    for arguments in (["--version"], ["--help"], ["serve", "--help-json"],
                      *([name, "--help"] for name in SUB_COMMANDS)):
        with open("/dev/full", "wb") as full:
            run = subprocess.run([start.command, *arguments], stdin=subprocess.DEVNULL, stdout=full,
                                 stderr=subprocess.PIPE, timeout=20 * start.slow, check=False)
        said = run.stderr.decode()
        check(run.returncode == 1, f"{arguments}: exit status {run.returncode} {said}")
        check(said.startswith("parley") or arguments[0].startswith("--"), f"{arguments}: {said!r}")
