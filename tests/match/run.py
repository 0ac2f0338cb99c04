#!/usr/bin/env python3
"""Tests the match scripts with fake fastchess and cmake programs, and the options of a tuning build.

usage: run.py PARLEY TUNING
"""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True  # a test leaves nothing behind in the source tree

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools" / "match"))

import matches

PARLEY, TUNING = sys.argv[1:3]


def script(name):
    """A script of tools/match as a module; its file name has no ending."""
    path = str(ROOT / "tools" / "match" / name)
    loader = importlib.machinery.SourceFileLoader(name, path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


# Names, defaults, ranges, step sizes; and a constant that cannot be tuned.
PARAMETERS = """
PARLEY_TUNABLE(margin, 70, 30, 140, 8);
PARLEY_TUNABLE(depth, 9, 4, 14, 1);
PARLEY_TUNABLE(bonus, 1'000, -50, 1'200, 100);
inline constexpr int limit = 16'384;
"""
# The values that play best; that of the bonus is outside its range.
BEST = {"margin": (110, 16), "depth": (6, 2), "bonus": (1500, 200)}
RANGES = {"margin": (30, 140), "depth": (4, 14), "bonus": (-50, 1200)}
SCHEDULE = ["--steps", "40", "--games", "100", "--concurrency", "1"]


class FakeProject:
    """A project folder with the scripts, and a PATH with fake programs."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="parley-match-")
        self.root = pathlib.Path(self.folder.name).resolve()
        shutil.copytree(ROOT / "tools" / "match", self.root / "tools" / "match",
                        ignore=shutil.ignore_patterns("__pycache__"))
        shared = self.root / "tools" / "match" / "matches.py"
        shared.write_text(shared.read_text().replace("/usr/games", "/no/games"))
        self.parameters = self.root / "engine" / "search" / "parameters.hpp"
        self.parameters.parent.mkdir(parents=True)
        self.parameters.write_text(PARAMETERS)
        self.log = self.root / "calls"
        self.programs = self.root / "programs"
        self.programs.mkdir()
        for fake in ("fastchess", "cmake"):
            # -IS halves the start-up time.
            text = (HERE / "fakes" / fake).read_text().split("\n", 1)[1]
            self.add_program(fake, f"#!{sys.executable} -IS\n{text}")

    def add_program(self, name, text="#!/bin/sh\n"):
        path = self.programs / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def start(self, script, *words, pause=0):
        best = " ".join(f"{name}={value},{step}" for name, (value, step) in BEST.items())
        environment = {"PATH": str(self.programs), "PARLEY_LOG": str(self.log),
                       "PARLEY_BEST": best, "PARLEY_PAUSE": str(pause)}
        return subprocess.Popen([sys.executable, "-B", self.root / "tools" / "match" / script,
                                 *map(str, words)], cwd=self.root, env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, script, *words, status=0):
        """The output of a script that must end with this status."""
        process = self.start(script, *words)
        output, _ = process.communicate(timeout=300)
        assert process.returncode == status, f"status {process.returncode}:\n{output}"
        assert "Traceback" not in output, output
        return output

    def calls(self):
        """The engines and the options of each call of fastchess."""
        if not self.log.exists():
            return []
        return [json.loads(line) for line in self.log.read_text().splitlines()]


class TestOfScripts(unittest.TestCase):
    def setUp(self):
        self.project = FakeProject()
        self.addCleanup(self.project.folder.cleanup)

    def refusal(self, script, *words, status=1):
        """The output of a script that refuses its arguments before anything is built or played."""
        output = self.project.run(script, *words, status=status)
        self.assertFalse((self.project.root / "build").exists(), output)
        self.assertEqual(self.project.calls(), [])
        return output


class Spsa(TestOfScripts):
    def tune(self, name, *words):
        """The state file at the end."""
        self.project.run("spsa", f"{name}.json", *words)
        return json.loads((self.project.root / f"{name}.json").read_text())

    def test_spsa_finds_the_best_values_within_the_ranges(self):
        output = self.project.run("spsa", "all.json", *SCHEDULE)
        state = json.loads((self.project.root / "all.json").read_text())
        self.assertEqual((state["step"], state["games"]), (40, 4000))
        # Started at 70, 9 and 1000. Other seeds differ by at most 14 and 1.7.
        self.assertAlmostEqual(state["values"]["margin"], 110, delta=15)
        self.assertAlmostEqual(state["values"]["depth"], 6, delta=2)
        self.assertGreater(state["values"]["bonus"], 1150)
        for name, value in state["values"].items():
            self.assertRegex(output, rf"{name} +\d+ -> {value:.1f}\n")
        self.assertIn("20 of 40 steps, 2000 games", output)
        calls = self.project.calls()
        self.assertEqual(len(calls), 40)
        for engines, options in calls:
            self.assertEqual([engine["name"] for engine in engines], ["up", "down"])
            self.assertIn("nodes=10000", options["-each"])
            for engine in engines:
                for name, (lowest, highest) in RANGES.items():
                    self.assertTrue(lowest <= int(engine[f"option.{name}"]) <= highest, engine)
        self.assertEqual(len({options["-srand"][0] for _, options in calls}), 40)

    def test_the_build_has_the_parameters_as_options(self):
        self.tune("one", "--steps", "1")
        self.assertIn("-DPARLEY_TUNE=ON", (self.project.root / "calls.cmake").read_text())

    def test_only_the_given_parameters_are_tuned(self):
        state = self.tune("some", "depth", "margin", "--steps", "2", "--games", "7", "--tc",
                          "1+0.1")
        self.assertEqual(set(state["values"]), {"depth", "margin"})
        self.assertEqual(state["games"], 16)  # the same number with each colour
        engines, options = self.project.calls()[0]
        self.assertEqual({word for word in engines[0] if word.startswith("option.")},
                         {"option.depth", "option.margin"})
        self.assertIn("tc=1+0.1", options["-each"])

    def test_an_interrupted_or_killed_run_ends_with_the_same_values(self):
        whole = self.tune("whole", *SCHEDULE)
        state = self.project.root / "part.json"

        def stop(after, how):
            """Stops a run in the middle of a step after this one. Returns the process and its output."""
            process = self.project.start("spsa", state.name, *SCHEDULE, pause=0.2)
            end = time.monotonic() + 120
            while not state.exists() or json.loads(state.read_text())["step"] < after:
                self.assertLess(time.monotonic(), end)
                time.sleep(0.01)
            process.send_signal(how)
            return process, process.communicate(timeout=120)[0]

        process, output = stop(3, signal.SIGINT)
        self.assertEqual(process.returncode, 0, output)
        self.assertRegex(output, r"margin +70 -> \d")
        before = json.loads(state.read_text())["step"]
        self.assertTrue(3 <= before < 40, before)
        stop(before + 2, signal.SIGKILL)
        self.assertLess(json.loads(state.read_text())["step"], 40)
        self.assertEqual(self.tune("part", *SCHEDULE), whole)
        calls = len(self.project.calls())
        self.assertEqual(self.tune("part", *SCHEDULE), whole)
        self.assertEqual(len(self.project.calls()), calls)  # nothing is left to play

    def test_another_seed_gives_other_values(self):
        ways = [self.tune(f"seed-{seed}", "--steps", "2", "--seed", seed) for seed in (1, 2)]
        self.assertNotEqual(*(way["values"] for way in ways))

    def test_a_bad_state_is_refused_and_kept(self):
        values = {"margin": 70.0, "depth": 9, "bonus": 1000.5}
        good = {"step": 2, "games": 32, "balance": -3, "values": values}
        path = self.project.root / "bad.json"
        for text, reason in (
                ("", "Expecting value"),
                (json.dumps(good)[:-9], "delimiter|Expecting|Unterminated"),
                ("\xff", "codec|Expecting"),
                ("[]", "it has no values"),
                ("{}", "it has no values"),
                (json.dumps({**good, "values": [1, 2]}), "it has no values"),
                (json.dumps({**good, "step": -1}), "step is -1"),
                (json.dumps({**good, "step": "2"}), "step is 2"),
                (json.dumps({**good, "games": None}), "games is None"),
                (json.dumps({**good, "balance": 0.5}), "balance is 0.5"),
                (json.dumps({**good, "values": {**values, "old": 3}}),
                 "other parameters.*such as old"),
                (json.dumps({**good, "values": {"margin": 70}}), "other parameters.*such as bonus"),
                (json.dumps({**good, "values": {**values, "depth": 14.1}}),
                 "depth is 14.1, not from 4 to 14"),
                (json.dumps({**good, "values": {**values, "depth": float("nan")}}), "depth is nan"),
                (json.dumps({**good, "values": {**values, "depth": "9"}}), "depth is 9")):
            with self.subTest(text):
                path.write_text(text, encoding="latin-1")
                output = self.refusal("spsa", path.name)
                self.assertRegex(output, rf"^bad\.json cannot be continued: .*({reason})")
                self.assertEqual(path.read_text(encoding="latin-1"), text)
        path.write_text(json.dumps(good))
        self.assertEqual(self.tune("bad", "--steps", "3")["step"], 3)
        self.assertIn("other parameters", self.project.run("spsa", "bad.json", "depth", status=1))

    def test_unknown_parameters_folders_and_files_are_refused(self):
        self.assertIn("there is no parameter limit in ", self.refusal("spsa", "s.json", "limit"))
        self.assertIn("there is no parameter Depth in ",
                      self.refusal("spsa", "s.json", "depth", "Depth"))
        self.assertIn("there is no folder no/such for s.json",
                      self.refusal("spsa", "no/such/s.json"))
        self.assertIn("there is no file none.epd",
                      self.refusal("spsa", "s.json", "--openings", "none.epd", status=2))

    def test_a_step_without_games_is_refused(self):
        for option in ("--games", "--steps", "--concurrency"):
            for value in ("0", "-2", "few", "1.5"):
                self.assertIn(f"'{value}' is not a whole number above 0",
                              self.refusal("spsa", "s.json", f"{option}={value}", status=2))

    def test_a_rate_not_above_0_is_refused(self):
        for value in ("nan", "0", "-1", "inf", "fast"):
            self.assertIn(f"'{value}' is not a number above 0",
                          self.refusal("spsa", "s.json", f"--rate={value}", status=2))

    def test_openings_are_relative_to_the_current_folder(self):
        (self.project.root / "mine.pgn").write_text("")
        self.tune("s", "--steps", "1", "--openings", "mine.pgn")
        self.assertEqual(self.project.calls()[0][1]["-openings"][:2],
                         [f"file={self.project.root / 'mine.pgn'}", "format=pgn"])

    def test_no_games_is_an_error(self):
        self.project.add_program("fastchess")
        self.assertIn("no game was played", self.project.run("spsa", "s.json", status=1))
        self.project.add_program("fastchess", "#!/bin/sh\necho something is wrong\nexit 3\n")
        self.assertIn("something is wrong", self.project.run("spsa", "s.json", status=1))
        self.assertFalse((self.project.root / "s.json").exists())


class Sprt(TestOfScripts):
    def setUp(self):
        super().setUp()
        git = shutil.which("git")
        if not git:
            self.skipTest("there is no git")
        (self.project.programs / "git").symlink_to(git)
        for words in (["init", "-q"], ["add", "tools"], ["commit", "-q", "-m", "one"]):
            subprocess.run([git, "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True,
                           cwd=self.project.root)

    def test_it_prints_the_block_for_the_commit(self):
        output = self.project.run("sprt", "HEAD", ".", "nodes=5000", "-5,0", "--games", "9")
        self.assertRegex(output, r"\nSPRT  nodes=5000 1t 16MB  \[-5, 0\]  LLR 2.96  N 10 W \d+ L \d+ "
                               r"D 0\nElo   [-+]\d+\.\d \+- \d+\.\d, games lost by forfeit: 0, base: 0\n\n"
                               r"Bench: 1234567\n$")
        self.assertNotIn("Started game", output)
        (dev, base), options = self.project.calls()[0]
        self.assertEqual((dev["name"], base["name"]), ("dev", "base"))
        self.assertRegex(dev["cmd"], "parley-working-tree-[0-9a-f]{10}$")
        self.assertRegex(base["cmd"], "parley-[0-9a-f]{10}$")
        self.assertEqual(options["-sprt"][:2], ["elo0=-5", "elo1=0"])
        self.assertEqual(sorted(path for path in map(str, (self.project.root / "build" / "match")
                                                     .glob("parley-*"))),
                         sorted([dev["cmd"], base["cmd"]]))

    def test_the_threads_of_all_games_together_are_at_most_the_cpus(self):
        cpus = os.cpu_count()
        for words, games in (([], cpus), (["--threads", 2], max(1, cpus // 2)),
                             (["--threads", cpus + 1], 1),
                             (["--threads", cpus, "--concurrency", 3], 3)):
            self.project.run("sprt", "HEAD", ".", "--games", "2", *words)
            _, options = self.project.calls()[-1]
            self.assertEqual(options["-concurrency"], [str(games)], words)

    def test_a_killed_build_is_cleaned_up(self):
        commit = subprocess.run(["git", "rev-parse", "--short=10", "HEAD"], cwd=self.project.root,
                                check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        left = self.project.root / "build" / "match" / f"source-{commit}"
        left.mkdir(parents=True)
        (left / "half").write_text("")
        self.project.run("sprt", "HEAD", ".", "--games", "2")
        self.assertFalse(left.exists())

    def test_a_failing_runner_is_reported(self):
        fake = (self.project.programs / "fastchess").read_text()
        self.project.add_program("fastchess", fake + "    sys.exit(3)\n")
        self.assertIn("fastchess ended with status 3", self.project.run("sprt", "HEAD", "."))

    def test_missing_cmake_is_reported(self):
        (self.project.programs / "cmake").unlink()
        self.assertIn("cmake cannot be started: ", self.project.run("sprt", "HEAD", ".", status=1))

    def test_bad_arguments_are_refused(self):
        for bounds in ("0", "5,0", "0,0", "a,b", "0,5,9", "1.2.3,5"):
            self.assertIn("bounds are two numbers such as 0,5",
                          self.refusal("sprt", "HEAD", ".", "1+0", bounds, status=2))
        self.assertIn("usage: sprt BASE DEV", self.refusal("sprt", "HEAD", status=2))
        for option in ("--games", "--concurrency", "--threads", "--hash"):
            self.assertIn("'0' is not a whole number above 0",
                          self.refusal("sprt", "HEAD", ".", f"{option}=0", status=2))
        self.assertIn("there is no file none",
                      self.refusal("sprt", "HEAD", ".", "--openings", "none", status=2))
        self.assertIn("nonsense^{commit} failed", self.refusal("sprt", "nonsense", "."))


class Ladder(TestOfScripts):
    def setUp(self):
        super().setUp()
        self.engine = self.project.add_program("parley")

    def test_it_plays_against_installed_engines(self):
        self.project.add_program("toga2")
        self.project.add_program("crafty")
        output = self.project.run("ladder", "--engine", self.engine, "--games", "5", "--tc", "1+0")
        self.assertIn("crafty is skipped: cutechess-cli is not on PATH; get it from http",
                      output)
        self.assertRegex(output, r"\ntoga +6 +\d +0 +\d +\d+\.\d%[-+ \d]{13} +0 +0\n$")
        (parley, toga), options = self.project.calls()[0]
        self.assertEqual(parley["cmd"], str(self.engine))
        self.assertEqual(toga["option.Number of Threads"], "1")
        self.assertIn("tc=1+0", options["-each"])
        pgn = next((self.project.root / "build" / "match").glob("ladder-*.pgn"))
        self.assertEqual(self.project.run("ladder", "--table", pgn).splitlines(),
                         output.splitlines()[-2:])

    def test_bad_arguments_are_refused(self):
        for engine in ("build/none", self.project.root, self.project.parameters):
            self.assertIn("build it, or give another with --engine",
                          self.refusal("ladder", "--engine", engine))
        engine = ["--engine", self.engine]
        self.assertIn("unknown opponent: bobby",
                      self.project.run("ladder", *engine, "--only", "toga,bobby", status=1))
        self.assertIn("no opponent is installed; Debian has",
                      self.project.run("ladder", *engine, "--only", "toga", status=1))
        for option in ("--games", "--concurrency"):
            self.assertIn("'0' is not a whole number above 0",
                          self.project.run("ladder", f"{option}=0", status=2))
        self.assertIn("there is no file none",
                      self.project.run("ladder", "--openings", "none", status=2))
        self.assertIn("there is no file none.pgn",
                      self.project.run("ladder", "--table", "none.pgn", status=2))
        self.assertEqual(self.project.calls(), [])


    def test_missing_games_are_reported(self):
        self.project.add_program("toga2")
        for fake in ("#!/bin/sh\n", "#!/bin/sh\nexit 3\n"):
            self.project.add_program("fastchess", fake)
            output = self.project.run("ladder", "--engine", self.engine, status=1)
            log = re.search(r"not all games against toga were played, see (\S+)", output)
            self.assertTrue(pathlib.Path(log[1]).is_file(), output)

    def test_games_of_other_players_are_not_in_the_table(self):
        pgn = self.project.root / "others.pgn"
        pgn.write_text('[Event "?"]\n[White "dev"]\n[Black "base"]\n[Result "1-0"]\n\n1-0\n')
        self.assertEqual(len(self.project.run("ladder", "--table", pgn).splitlines()), 1)


class Calibrate(TestOfScripts):
    def setUp(self):
        super().setUp()
        self.engine = self.project.add_program("parley")
        self.project.add_program("stockfish")
        self.words = ["--engine", self.engine, "--levels", "600,800,1000", "--games", "6",
                      "--opponent-levels", "1000", "--opponent-games", "4"]

    def test_neighbours_and_the_opponent_are_played_once(self):
        output = self.project.run("calibrate", *self.words, "--opponent-tc", "nodes=500")
        pairs = [[(engine["name"], engine["option.UCI_Elo"], engine["option.UCI_LimitStrength"])
                  for engine in engines] for engines, _ in self.project.calls()]
        self.assertEqual(pairs, [[("level", "800", "true"), ("other", "600", "true")],
                                 [("level", "1000", "true"), ("other", "800", "true")],
                                 [("level", "1000", "true"), ("other", "1000", "true")]])
        engines, options = self.project.calls()[-1]
        self.assertEqual((engines[0]["cmd"], engines[0]["tc"]), (str(self.engine), "10+0.1"))
        self.assertEqual((engines[1]["nodes"], engines[1]["tc"]), ("500", "inf"))
        self.assertTrue(engines[1]["cmd"].endswith("/stockfish"), engines[1])
        self.assertEqual(options["-rounds"], ["2"])
        self.assertRegex(output, r"\| 800 \| Parley 600 \| 10\+0.1 \| 6 \| ")
        self.assertEqual(self.project.run("calibrate", *self.words).splitlines(),
                         [line for line in output.splitlines() if "games," not in line])
        self.assertEqual(len(self.project.calls()), 3)

    def test_table_and_picture_are_written(self):
        self.project.run("calibrate", *self.words)
        page, svg = self.project.root / "levels.md", self.project.root / "levels.svg"
        self.project.run("calibrate", *self.words, "--write", page, svg)
        self.assertEqual(len(self.project.calls()), 3)
        self.assertRegex(page.read_text(encoding="utf-8"), r"\n\| 1000 \| \d+ \|\n")
        self.assertEqual(svg.read_text(encoding="utf-8").count("<circle"), 3)

    def test_the_fit_finds_the_strengths_behind_the_results(self):
        calibrate = script("calibrate")
        results = [{"opponent": "Parley", "elo": 800, "other": 600, "won": 760, "drawn": 0, "lost": 240},
                   {"opponent": "Parley", "elo": 1000, "other": 800, "won": 640, "drawn": 0, "lost": 360},
                   {"opponent": "other", "elo": 1000, "other": 1050, "won": 500, "drawn": 0, "lost": 500}]
        found = calibrate.measured(results)
        self.assertAlmostEqual(found[1000], 1050, delta=1)
        self.assertAlmostEqual(found[800], 950, delta=1)
        self.assertAlmostEqual(found[600], 750, delta=2)
        free = calibrate.measured(results[:2])
        self.assertAlmostEqual(sum(free.values()) / 3, 800, delta=1)
        self.assertAlmostEqual(free[1000] - free[800], 100, delta=1)

    def test_a_match_without_a_loss_has_a_finite_difference(self):
        calibrate = script("calibrate")
        tally = matches.Tally()
        tally.won = 100
        value, error = calibrate.difference(tally)
        self.assertTrue(600 < value < 1000 and 0 < error < 500, (value, error))

    def test_bad_arguments_are_refused(self):
        for option in ("--levels", "--opponent-levels"):
            for value in ("", "strong", "800,600", "600,600", "600,,800"):
                self.refusal("calibrate", f"{option}={value}", status=2)
        for option in ("--games", "--opponent-games", "--concurrency"):
            self.assertIn("'0' is not a whole number above 0",
                          self.refusal("calibrate", f"{option}=0", status=2))
        self.assertIn("build it, or give another", self.refusal("calibrate"))
        self.assertIn("has no results: play first",
                      self.refusal("calibrate", "--write", "a.md", "a.svg"))
        bad = self.project.root / "bad.json"
        bad.write_text('[{"elo": 600}]')
        self.assertIn("has no results", self.refusal("calibrate", "--output", bad))
        self.assertIn("nosuch is not on PATH",
                      self.project.run("calibrate", *self.words, "--levels", "600", "--opponent",
                                       "nosuch", status=1))

    def test_no_games_is_an_error(self):
        self.project.add_program("fastchess")
        self.assertIn("no game was played", self.project.run("calibrate", *self.words, status=1))


class WithoutFastchess(TestOfScripts):
    def test_every_script_names_the_source(self):
        (self.project.programs / "fastchess").unlink()
        output = [self.refusal("sprt", "HEAD", "."), self.refusal("spsa", "s.json"),
                  self.refusal("calibrate", "--engine", self.project.add_program("parley"))]
        opponent = self.project.add_program("stockfish")
        output.append(self.project.run("ladder", "--engine", opponent, "--only", "stockfish", status=1))
        for words in output:
            self.assertIn("fastchess is not on PATH; get it from https://github.com/", words)


class Counting(unittest.TestCase):
    def test_elo_of_scores(self):
        self.assertEqual(matches.elo(0.5), 0)
        self.assertAlmostEqual(matches.elo(0.75), 190.85, places=2)
        self.assertAlmostEqual(matches.elo(0.25), -190.85, places=2)
        tally = matches.Tally()
        tally.won, tally.drawn, tally.lost = 50, 20, 30
        rating, margin = tally.rating()
        self.assertAlmostEqual(rating, matches.elo(0.6))
        # The standard deviation of a game is sqrt(0.55 - 0.36), so the 95 % interval is +-8.54 %.
        self.assertAlmostEqual(margin, (matches.elo(0.6854) - matches.elo(0.5146)) / 2, delta=0.1)
        tally.drawn = tally.lost = 0
        self.assertGreater(tally.rating()[0], 1000)
        self.assertEqual(matches.difference(tally).strip(), "")

    def test_tallies_count_games_and_forfeits(self):
        games = [("parley", "other", "1-0", "normal"), ("other", "parley", "1-0", "time forfeit"),
                 ("other", "parley", "0-1", "illegal move"), ("parley", "third", "1/2-1/2", ""),
                 ("parley", "third", "0-1", "adjudication"), ("parley", "third", "*", "")]
        with tempfile.TemporaryDirectory() as folder:
            pgn = pathlib.Path(folder) / "games.pgn"
            pgn.write_text("\n".join(
                f'[Event "?"]\n[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n'
                f'[Termination "{end}"]\n\n1. e4 {result}\n'
                for white, black, result, end in games))
            found = matches.tallies(pgn, "parley")
        counted = {name: (tally.won, tally.drawn, tally.lost, tally.forfeits,
                          tally.opponents_forfeits) for name, tally in found.items()}
        self.assertEqual(counted, {"other": (2, 0, 1, 1, 1), "third": (0, 1, 1, 0, 0)})
        self.assertEqual(matches.tallies("/no/such/file", "parley"), {})


def usual_build(*words):
    """The output of the usual build for a command."""
    return subprocess.run([PARLEY, *words], stdout=subprocess.PIPE, text=True, check=True).stdout


class Tuning(unittest.TestCase):
    """The build with PARLEY_TUNE offers the parameters that spsa reads from the source."""

    DEPTHS = 7, 10, 12  # of the benches that show whether a parameter has an effect

    @classmethod
    def setUpClass(cls):
        cls.parameters = script("spsa").tunables([])

    def setUp(self):
        self.program = subprocess.Popen([TUNING], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def tearDown(self):
        self.program.communicate("quit\n", timeout=60)
        self.assertEqual(self.program.returncode, 0)

    def ask(self, *lines, end="readyok"):
        """The lines of an answer before its end."""
        if end == "readyok":
            lines += ("isready",)
        self.program.stdin.write("\n".join(lines) + "\n")
        self.program.stdin.flush()
        output = []
        while not output or not output[-1].startswith(end):
            line = self.program.stdout.readline()
            self.assertTrue(line, f"the program ended after {output}")
            output.append(line.strip())
        return output[:-1] if end == "readyok" else output

    def bench(self, depth):
        output = self.ask(f"bench {depth}", end="Nodes/second")
        return next(line for line in output if line.startswith("Nodes searched: "))

    def set(self, name, value):
        return self.ask(f"setoption name {name} value {value}")

    def test_exactly_the_parameters_are_options_with_their_ranges(self):
        offered = set(self.ask("uci", end="uciok"))
        usual = usual_build("uci")
        self.assertGreater(len(self.parameters), 20)
        self.assertEqual({line for line in offered if line.startswith("option ")}
                         - set(usual.splitlines()),
                         {f"option name {name} type spin default {start} min {lowest} max {highest}"
                          for name, (start, lowest, highest, _) in self.parameters.items()})
        for name in self.parameters:
            self.assertNotIn(name, usual)

    def test_values_outside_the_range_are_refused(self):
        for name, (start, lowest, highest, _) in self.parameters.items():
            now = start
            for value in (lowest, lowest - 1, highest, highest + 1, "", "1.5", start):
                taken = isinstance(value, int) and lowest <= value <= highest
                now = value if taken else now
                expected = [] if taken else [
                    f"info string {name} stays at {now}: '{value}' is not a whole number from "
                    f"{lowest} to {highest}"]
                self.assertEqual(self.set(name, value), expected)
        self.assertEqual(len(self.set("no_such_number", 1)), 1)

    def test_with_default_values_it_searches_like_the_usual_build(self):
        self.assertIn(self.bench(7), usual_build("bench", "7").splitlines())

    def has_effect(self, name):
        """Whether the lowest or the highest value changes a bench, with the others as they are."""
        default, lowest, highest, _ = self.parameters[name]
        for depth in self.DEPTHS:
            self.set(name, default)
            usual = self.bench(depth)
            for value in (lowest, highest):
                self.set(name, value)
                if self.bench(depth) != usual:
                    self.set(name, default)
                    return True
        self.set(name, default)
        return False

    def test_every_parameter_changes_the_search(self):
        usual = self.bench(7)
        without_effect = [name for name in self.parameters if not self.has_effect(name)]
        self.assertEqual(without_effect, [])
        self.assertEqual(self.bench(7), usual)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
