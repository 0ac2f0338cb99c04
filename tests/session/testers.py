"""What testers use: doctor, genfens, EPD suites, and a hash that is kept."""
import json
import os
import random
import re
import subprocess
import tempfile
import time

from harness import FEN, KIWIPETE, Skip, check, test, test_each

BEGINNING = "info string genfens "
SUITE = """\ufeff# a comment

7k/8/5K2/8/8/8/8/6R1 w - - dm 2; id "mates.001"\r
6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8+ ; id "mates.002"; c0 "a \\"quoted\\"; word";
6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1 am a1a8; id "avoid.1";
6k1/5ppp/8/8/8/8/8/R5K1 w - - c0 "Ra8#=10, Kf2=3"; id "points.1";
6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Qxh9; id "bad.1";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
"""


SUBJECTS = ["program", "processor", "cores", "memory", "Hash", "huge pages", "network", "tablebases",
            "books", "perft", "arithmetic", "speed", "clock"]
BOT = """token: "a-secret"
url: "https://lichess.org/"
engine:
  dir: "."
  name: "parley"
  protocol: "uci"
  uci_options:
    Hash: 16
    {option}
challenge:
  variants: [standard]
"""


@test
def doctor_says_one_line_for_each_subject(start):
    run = start.run("doctor", within=60)
    *lines, empty, summary = run.lines
    found = [re.match(r"(ok|note|warning|broken) +(\S+( \S+)?)  +\S", line) for line in lines]
    check(all(found), f"{lines}")
    check([one[2] for one in found if one[2] != "load"] == SUBJECTS, f"{lines}")
    check(all((" -> " in line) == line.startswith(("warning", "broken")) for line in lines), f"{lines}")
    check(run.status == 0 and not empty and ("broken" in summary or "fine" in summary), f"{run}")


@test
def doctor_finds_what_is_broken(start):
    run = start.run("doctor", "--json", "--book", __file__, "--syzygy", "/no/such", within=60)
    *findings, counts = map(json.loads, run.lines)
    check(run.status == 1 and counts["broken"] == 2, f"status {run.status}: {counts}")
    check(sum(counts.values()) == len(findings), f"{counts}")
    check({one["subject"] for one in findings if one["level"] == "broken"} == {"books", "tablebases"},
          f"{findings}")
    check(all("remedy" in one for one in findings if one["level"] in ("warning", "broken")),
          f"{findings}")


def findings_about_bot(start, folder, option):
    """What doctor says of a bot's configuration with one more option."""
    path = os.path.join(folder, "config.yml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(BOT.format(option=option))
    run = start.run("doctor", "--json", "--lichess-bot", path, within=60)
    check("a-secret" not in "".join(run.lines) + run.errors, "the token is printed")
    findings = [one for one in map(json.loads, run.lines) if one.get("subject") == "lichess-bot"]
    if any("built without yaml-cpp" in one["text"] for one in findings):
        raise Skip("a build without yaml-cpp")
    return run.status, findings


@test
def doctor_checks_the_configuration_of_a_bot(start):
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(start.command), os.path.join(folder, "parley"))
        status, findings = findings_about_bot(start, folder, "Move Overhead: 100")
        check(status == 0 and [one["level"] for one in findings] == ["ok"], f"{findings}")
        status, findings = findings_about_bot(start, folder, "Treads: 1")
        check(status == 1 and "Threads" in findings[0]["remedy"], f"{findings}")
        status, findings = findings_about_bot(start, folder, "  odd: [")
        check(status == 1 and "line " in findings[0]["text"], f"{findings}")


def openings(start, *arguments):
    run = start.run(*arguments, within=30)
    check(run.status == 0, f"status {run.status}: {run.errors}")
    check(all(line.startswith(BEGINNING) for line in run.lines), f"{run.lines[:3]}")
    return [line.removeprefix(BEGINNING) for line in run.lines]


@test
def openings_depend_on_the_seed_alone(start):
    first = openings(start, "genfens 20 seed 7 book None ", "quit")
    check(len(set(first)) == 20 and all(map(FEN.fullmatch, first)), f"{first}")
    check(openings(start, "genfens", "20", "seed", "7", "book", "none") == first, "not the same")
    check(not set(openings(start, "genfens 20 seed 8 book None extra words", "quit")) & set(first),
          "another seed gives the same")


@test
def openings_follow_the_positions_of_a_book(start):
    with tempfile.TemporaryDirectory() as folder:
        book = os.path.join(folder, "book.epd")
        with open(book, "w", encoding="utf-8") as file:
            file.write(KIWIPETE + "\n")
        found = openings(start, f"genfens 5 seed 1 book {book}", "quit")
        check(all(int(fen.split()[-1]) == 3 for fen in found), f"{found}")


@test_each([(text, text) for text in ("genfens", "genfens x", "genfens 0 seed 1 book None",
                                      "genfens 1 seed x book None", "genfens 1 seed 1 book")])
def a_wrong_genfens_is_refused(text, start):
    run = start.run(text, "quit")
    check(run.status == 2 and not run.lines, f"status {run.status}: {run.lines}")


@test
def a_file_without_solutions_has_no_share_of_solved_ones(start):
    run = start.run("epd", "--depth", "2", input=f"{KIWIPETE}\n".encode())
    check(run.status == 0, f"status {run.status}: {run.errors}")
    total = run.lines[-1].split(maxsplit=1)
    check(total[0] == "total" and total[1].startswith("1 only searched; "), f"it says {run.lines[-1]}")
    check("solved" not in total[1] and "found" not in total[1], f"it says {run.lines[-1]}")


@test
def a_suite_is_judged_and_a_bad_line_is_left_out(start):
    run = start.run("epd", "--depth", "6", "--concurrency", "3", "--json", input=SUITE.encode())
    *answers, total = map(json.loads, run.lines)
    check(run.status == 1 and "-:7: bm: 'Qxh9'" in run.errors, f"{run.status}: {run.errors}")
    check([one.get("solved") for one in answers] == [True, True, False, True, None], f"{answers}")
    check(answers[0]["mate"] == 2 and answers[3]["points"] == 10, f"{answers}")
    check((total["solved"], total["scored"], total["left_out"]) == (3, 4, 1), f"{total}")
    check([one["name"] for one in total["suites"]] == ["mates", "avoid", "points", ""], f"{total}")
    check(answers[2]["found"] is None and answers[1]["found"]["depth"] >= 1, f"{answers}")


@test
def a_suite_is_told_in_words(start):
    run = start.run("epd", "--nodes", "5000", input=SUITE.splitlines()[3].encode())
    check(run.status == 0 and run.lines[0].startswith("ok mates.002"), f"{run.lines}")
    check("1 of 1 solved, 100.0 %" in run.lines[-1], f"{run.lines}")
    check(start.run("epd", "/no/such/file").status == 1, "a missing file is no failure")


def message(engine, *lines):
    return [text.removeprefix("info string ") for text in engine.ask(*lines)]


@test
def a_hash_is_saved_and_loaded(start):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kept hash")
        engine = start()
        engine.ask("setoption name Hash value 4", f"setoption name HashFile value {path}",
                   f"position fen {KIWIPETE}")
        before = engine.search("go depth 12").infos
        check(message(engine, "setoption name SaveHash") == [f"hash saved to '{path}'"], "not saved")
        check(os.listdir(folder) == ["kept hash"], f"{os.listdir(folder)}")
        other = start()
        other.ask("setoption name Hash value 4", f"setoption name HashFile value {path}",
                  f"position fen {KIWIPETE}")
        check(message(other, "setoption name LoadHash") == [f"hash loaded from '{path}'"], "not loaded")
        nodes = [next(info.nodes for info in infos if info.depth == 8)
                 for infos in (before, other.search("go depth 8").infos)]
        check(nodes[1] * 2 < nodes[0], f"nodes to depth 8: {nodes}")
        other.ask("setoption name Hash value 8")
        check("its table has 4 MB, not 8" in other.refuses("setoption name LoadHash"), "loaded")


@test
def what_is_no_hash_file_is_refused(engine):
    check("names no file" in engine.refuses("setoption name SaveHash"), "saved")
    for path in ("/no/such/folder/file", "/dev/null", __file__, "/"):
        engine.ask(f"setoption name HashFile value {path}")
        engine.refuses("setoption name LoadHash")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hash")
        os.symlink(__file__, path + ".part")
        engine.ask(f"setoption name HashFile value {path}")
        check(".part" in engine.refuses("setoption name SaveHash"), "a link is followed")
    engine.ask("setoption name HashFile value /dev/null")
    engine.refuses("setoption name SaveHash")
    check(os.path.exists("/dev/null"), "/dev/null is gone")


@test
def a_damaged_hash_file_is_refused(engine):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hash")
        engine.ask("setoption name Hash value 1", f"setoption name HashFile value {path}")
        engine.search("go depth 10")
        engine.ask("setoption name SaveHash")
        with open(path, "rb") as file:
            good = file.read()
        bits = list(range(0, 36 * 8, 3)) + [bit * 104729 % (8 * len(good)) for bit in range(100)]
        bad = [good[:bit // 8] + bytes([good[bit // 8] ^ 1 << bit % 8]) + good[bit // 8 + 1:]
               for bit in bits]
        bad += [good[:size] for size in (0, 1, 8, 35, 36, 37, len(good) // 2, len(good) - 1)] + [good + b"x"]
        for content in bad:
            with open(path, "wb") as file:
                file.write(content)
            engine.refuses("setoption name LoadHash")
        with open(path, "wb") as file:
            file.write(good)
        said = message(engine, "setoption name LoadHash")
        check(said and said[0].startswith("hash loaded"), f"{said}")


def prepared_to_save(command, path):
    """A process with something in its table."""
    process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process.stdin.write(f"setoption name Hash value 32\nsetoption name HashFile value {path}\n"
                        "position startpos\ngo depth 6\n")
    process.stdin.flush()
    while not process.stdout.readline().startswith("bestmove"):
        pass
    return process


@test
def a_kill_during_saving_leaves_the_old_file(start):
    """Kills the program at random moments of a save, and loads what is there then."""
    rng = random.Random(26)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hash")
        reader = start()
        reader.ask("setoption name Hash value 32", f"setoption name HashFile value {path}")
        interrupted, longest = 0, None
        for _ in range(15):
            process = prepared_to_save(start.command, path)
            process.stdin.write("setoption name SaveHash\n")
            process.stdin.flush()
            began = time.monotonic()
            if longest is None:
                check("saved" in process.stdout.readline(), "not saved")
                longest = time.monotonic() - began
            else:
                time.sleep(rng.uniform(0, longest))
            process.kill()
            process.communicate()
            interrupted += os.path.exists(path + ".part")
            said = message(reader, "setoption name LoadHash")
            check(said and said[0].startswith("hash loaded"), f"after {interrupted} kills: {said}")
        if not interrupted:
            raise Skip("no kill has met a save")
        check("saved" in message(reader, "setoption name SaveHash")[0], "not saved in the end")
        check(os.listdir(folder) == ["hash"], f"{os.listdir(folder)}")


@test_each([("epd", ["epd", "--nodes", "100"], SUITE), ("genfens", ["genfens 3 seed 1 book None"], ""),
            ("explain", ["explain", "--nodes", "1000", KIWIPETE, "e2a6"], ""), ("doctor", ["doctor"], "")])
def output_that_is_lost_is_a_failure(arguments, text, start):
    if not os.path.exists("/dev/full"):
        raise Skip("no /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([start.command, *arguments], input=text.encode(), stdout=full,
                              stderr=subprocess.PIPE, timeout=60 * start.slow)
    errors = done.stderr.decode()
    check(done.returncode == 1 and "the output cannot be written" in errors,
          f"status {done.returncode}: {errors}")


@test
def a_line_without_an_end_is_named_and_left_out(start):
    long = KIWIPETE.encode() + b" " + b"x" * 100_000 + b"\n"
    run = start.run("epd", "--nodes", "100", input=long + SUITE.splitlines()[3].encode())
    check(run.status == 1 and "-:1: longer than 65536 bytes" in run.errors, f"{run.errors}")
    check("1 of 1 solved" in "".join(run.lines) and "1 left out" in run.lines[-1], f"{run.lines}")
    with tempfile.TemporaryDirectory() as folder:
        book = os.path.join(folder, "book.epd")
        with open(book, "wb") as file:
            file.write(b"# openings\n" + long + KIWIPETE.encode() + b"\nno position\n")
        run = start.run(f"genfens 2 seed 1 book {book}", "quit")
        check(run.status == 0 and len(run.lines) == 2, f"{run}")
        check(":2: longer than" in run.errors and "2 of its lines left out" in run.errors, run.errors)
