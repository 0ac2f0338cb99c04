#!/usr/bin/env python3
"""Tests the scripts of tools/bench with made-up programs: what they compute, print and refuse.

usage: run.py
"""
import importlib.machinery
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True  # a test leaves nothing behind in the source tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "tools" / "bench"
sys.path[:0] = [str(SCRIPTS), str(ROOT / "tools" / "match")]

import chart
import matches

# In the place of cmake: each target is the file `program` of the source.
CMAKE = """import pathlib, shutil, sys
words = sys.argv[1:]
if words[0] == "--build":
    folder = pathlib.Path(words[1])
    for target in words[words.index("--target") + 1:words.index("--parallel")]:
        shutil.copy2(folder / "program", folder / target)
else:
    folder = pathlib.Path(words[words.index("-B") + 1])
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy2(pathlib.Path(words[words.index("-S") + 1]) / "program", folder / "program")
"""
COUNT = "#!/bin/sh\necho {name} >> {log}\necho 'Nodes searched: {nodes}'\n"
# Like Google Benchmark's output: each name with its items a second.
BENCHMARKS = """#!/bin/sh
echo benchmarks >> {log}
echo 'Run on 2 CPUs' >&2
echo '{{"benchmarks": [{{"name": "see", "items_per_second": {rate}}},
                       {{"name": "{other}", "items_per_second": 5}}]}}'
"""
# The speed in the answer is 2000 nodes in 4 ms for each MB of the hash table.
ENGINE = """#!/bin/sh
mb=0
while read -r first second third name fourth value; do
    case $first in
        setoption) mb=${value:-$fourth} ;;
        isready) echo readyok ;;
        go) echo "info depth 1 nodes 1 time 9"
            echo "info depth 2 score cp 3 nodes $((2000 * ${mb:-1})) nps 7 time 4 pv e2e4"
            echo "bestmove e2e4" ;;
        quit) exit ;;
    esac
done
"""


def script(name):
    """A script of tools/bench as a module; its file name has no ending."""
    loader = importlib.machinery.SourceFileLoader(name, str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


class ScriptTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parley-bench-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.log = self.folder / "calls"

    def add_program(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def add_parley(self, folder, nodes):
        return self.add_program(f"{folder}/parley",
                                COUNT.format(name=folder, log=self.log, nodes=nodes))

    def run_script(self, name, *words, status=0, scripts=SCRIPTS, path=""):
        """The output of a script that must end with this status."""
        environment = {**os.environ, "PATH": f"{path}{os.pathsep}{os.environ['PATH']}"}
        done = subprocess.run([sys.executable, "-B", scripts / name, *map(str, words)],
                              cwd=self.folder, env=environment, text=True, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=120)
        self.assertEqual(done.returncode, status, done.stdout)
        self.assertNotIn("Traceback", done.stdout)
        return done.stdout

    def calls(self):
        return self.log.read_text().split() if self.log.exists() else []


class CompareTest(ScriptTest):
    def test_the_ratios_are_those_of_each_run(self):
        compare = script("compare")
        # The ratios are 2, 1.5, 1.1; the best runs are 200 and 220.
        found = compare.summary([(100, 200), (100, 150), (200, 220)])
        self.assertEqual({name: round(value, 6) for name, value in found.items()},
                         {"base": 100, "head": 200, "median": 1.5, "lowest": 1.1, "highest": 2,
                          "best": 1.1})
        self.assertRegex(compare.table({"nodes/s": [(100, 200), (100, 150), (200, 220)]}),
                         r"\nnodes/s +100 +200 +1\.500 +1\.100   1\.100\.\.2\.000$")

    def test_the_time_is_the_processors(self):
        sleeps = self.add_program("sleeps", "#!/bin/sh\nsleep 0.5\necho 'Nodes searched: 7'\n")
        works = self.add_program("works", f"#!{sys.executable} -IS\nimport time\n"
                                 "while time.process_time() < 0.3: pass\n")
        self.assertLess(matches.timed(sleeps)[1], 0.4)
        self.assertGreaterEqual(matches.timed(works)[1], 0.3)

    def test_programs_are_measured_in_turn(self):
        base, head = self.add_parley("base", 42), self.add_parley("head", 42)
        output = self.run_script("compare", base, head, "--runs", "3")
        self.assertEqual(self.calls(), ["base", "head", "head", "base", "base", "head"])
        self.assertRegex(output, r"bench nodes/s +[\d,]+ +[\d,]+ +\d+\.\d{3} +\d+\.\d{3}   "
                                 r"\d+\.\d{3}\.\.\d+\.\d{3}\n3 runs\. Signature: 42\n")

    def test_another_signature_is_reported(self):
        output = self.run_script("compare", self.add_parley("base", 42),
                                 self.add_parley("head", 43), "--runs", "1")
        self.assertIn("The search differs: signature 42, then 43", output)

    def test_a_signature_that_changes_is_an_error(self):
        base = self.add_program("base/parley", "#!/bin/sh\necho x >> {0}\n"
                                "echo \"Nodes searched: $(wc -l < {0})\"\n".format(self.log))
        output = self.run_script("compare", base, base, "--runs", "2", status=1)
        self.assertIn(f"{base}: bench searched 3 nodes, expected 2", output)

    def test_perft_and_benchmarks_stand_beside_the_program(self):
        base, head = self.add_parley("base", 42), self.add_parley("head", 42)
        for folder in ("base", "head"):
            self.assertIn(f"there is no perft beside {self.folder}/{folder}/parley",
                          self.run_script("compare", base, head, "--perft", status=1))
            self.add_program(f"{folder}/perft",
                             COUNT.format(name="perft", log=self.log, nodes=1000))
        self.assertIn("there is no benchmarks beside",
                      self.run_script("compare", base, head, "--filter", "see", status=1))
        self.assertEqual(self.calls(), [])
        for folder, rate in (("base", 100), ("head", 150)):
            self.add_program(f"{folder}/benchmarks",
                             BENCHMARKS.format(log=self.log, rate=rate, other=folder))
        output = self.run_script("compare", base, head, "--perft", "--filter", "see",
                                 "--runs", "1")
        self.assertRegex(output, r"\nperft 6 leaves/s ")
        self.assertRegex(output, r"\nsee items/s +100 +150 +1\.500 +1\.500   1\.500\.\.1\.500\n")
        self.assertNotIn("base items/s", output)  # head has no such benchmark

    def test_what_a_program_reports_is_shown(self):
        base = self.add_parley("base", 42)
        self.add_program("base/benchmarks", "#!/bin/sh\necho no benchmark matches >&2\nexit 2\n")
        self.assertIn("no benchmark matches",
                      self.run_script("compare", base, base, "--filter", "x", status=1))
        silent = self.add_program("silent", "#!/bin/sh\necho hello\n")
        self.assertIn(f"{silent} bench printed no number of nodes:\nhello",
                      self.run_script("compare", silent, silent, status=1))

    def test_wrong_arguments_are_refused(self):
        base = self.add_parley("base", 42)
        self.assertIn("'no-such-thing' is neither a commit nor a program",
                      self.run_script("compare", base, "no-such-thing", status=1))
        self.assertIn("'0' is not a whole number above 0",
                      self.run_script("compare", base, base, "--runs", "0", status=2))
        self.assertIn("required: base", self.run_script("compare", status=2))
        self.assertEqual(self.calls(), [])


@unittest.skipUnless(shutil.which("git"), "needs git")
class CommitTest(ScriptTest):
    """A project of two commits whose program is a script."""

    def setUp(self):
        super().setUp()
        self.root = self.folder / "project"
        for folder in ("bench", "match"):
            shutil.copytree(ROOT / "tools" / folder, self.root / "tools" / folder,
                            ignore=shutil.ignore_patterns("__pycache__", "CMakeLists.txt"))
        (self.root / ".gitignore").write_text("/build/\n")
        self.add_program("programs/cmake", f"#!{sys.executable} -IS\n{CMAKE}")
        self.git("init", "--quiet")
        self.commit("old", 1000)
        (self.root / "tools" / "bench" / "CMakeLists.txt").write_text("")
        self.commit("new", 2000)

    def git(self, *words):
        subprocess.run(["git", "-C", self.root, "-c", "user.name=x", "-c", "user.email=x@localhost",
                        *words], check=True)

    def commit(self, name, nodes):
        self.set_nodes(nodes)
        self.add_program("project/program", COUNT.format(name=name, log=self.log, nodes=nodes))
        self.git("add", ".")
        self.git("commit", "--quiet", "--no-verify", "-m", name)
        self.git("tag", name)

    def set_nodes(self, nodes):
        path = self.root / "tests" / "signature" / "nodes.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{nodes}\n")

    def compare(self, *words, status=0):
        return self.run_script("compare", *words, status=status, path=self.folder / "programs",
                               scripts=self.root / "tools" / "bench")

    def test_commits_are_built_and_keep_their_programs(self):
        output = self.compare("old", "new", "--runs", "1", "--perft")
        self.assertEqual(self.calls(), ["old", "new"] * 2)
        self.assertIn("building old", output)
        self.assertIn("The search differs: signature 1000, then 2000", output)
        self.assertEqual(list((self.root / "build" / "match").glob("source-*")), [])
        self.assertNotIn("building", self.compare("old", "new", "--runs", "1", "--perft"))

    def test_the_working_tree_is_the_default(self):
        self.add_program("project/program", COUNT.format(name="tree", log=self.log, nodes=3000))
        self.set_nodes(3000)
        self.compare("new", "--runs", "1")
        self.assertEqual(self.calls(), ["new", "tree"])

    def test_a_signature_other_than_the_commits_is_an_error(self):
        self.set_nodes(2001)
        self.assertIn(".: bench searched 2000 nodes, expected 2001",
                      self.compare("old", "--runs", "1", status=1))

    def test_a_commit_without_benchmarks_is_refused(self):
        self.assertIn("old has no benchmarks: it is older than tools/bench",
                      self.compare("old", "new", "--filter", "x", status=1))
        self.assertEqual(self.calls(), [])


class PlotTest(ScriptTest):
    def picture(self, name):
        """The texts and the points of a picture, which must be well-formed."""
        tree = xml.etree.ElementTree.parse(self.folder / "out" / f"{name}.svg")
        space = "{http://www.w3.org/2000/svg}"
        points = [tuple(map(float, point.split(",")))
                  for point in tree.find(f"{space}polyline").get("points").split()]
        self.assertEqual(len(tree.findall(f"{space}circle")), len(points))
        return [text.text for text in tree.findall(f"{space}text")], points

    def plot(self, *words, status=0):
        return self.run_script("plot", *words, "--build", self.folder, "--output",
                               self.folder / "out", status=status)

    def test_the_last_report_of_each_search_counts(self):
        self.add_program("parley", ENGINE)
        output = self.plot("hash", "--values", "1,2,4", "--runs", "1")
        # 2000 nodes in 4 ms are 500,000 a second.
        for row in ("| 1 | 500 k | 500 k | 500 k |", "| 2 | 1 M |", "| 4 | 2 M |"):
            self.assertIn(row, output)
        texts, points = self.picture("hash")
        self.assertIn("Speed of the search by size of the hash table", texts)
        self.assertEqual([texts.count(word) for word in ("500 k", "2 M")], [1, 1])
        (x0, y0), (x1, y1), (x2, y2) = points
        self.assertAlmostEqual(x1 - x0, x2 - x1, delta=0.2)  # logarithmic
        self.assertAlmostEqual((y0 - y1) * 2, y1 - y2, delta=0.3)  # linear, upwards

    def test_perft_is_measured_by_depth(self):
        self.add_program("perft", COUNT.format(name='"$@"', log=self.log, nodes=1))
        self.assertIn("| 3 |", self.plot("perft", "--values", "2,3", "--runs", "2"))
        self.assertEqual(self.calls(), ["2", "3", "2", "3"])
        self.assertEqual(len(self.picture("perft")[1]), 2)

    def test_one_value_can_be_drawn(self):
        self.add_program("parley", ENGINE)
        self.plot("threads", "--values", "1", "--runs", "1")
        self.assertEqual(len(self.picture("threads")[1]), 1)

    def test_wrong_arguments_are_refused(self):
        self.assertIn(f"{self.folder}/perft is not a program", self.plot("perft", status=1))
        for value, reason in (("2,1", "'2,1' does not rise"), ("1,1", "'1,1' does not rise"),
                              ("0,1", "'0' is not a whole number"), ("x", "'x' is not a whole")):
            self.assertIn(reason, self.plot("perft", "--values", value, status=2))
        self.assertIn("invalid choice: 'speed'", self.plot("speed", status=2))
        self.assertIn("'0' is not a number above 0",
                      self.plot("hash", "--seconds", "0", status=2))

    def test_an_engine_that_ends_is_reported(self):
        self.add_program("parley", "#!/bin/sh\nread -r line\necho no network\n")
        self.assertIn("ended before it wrote readyok:\nno network", self.plot("hash", status=1))

    def test_ticks_hold_all_values(self):
        for lowest, highest in ((1, 1), (0.003, 7.5), (10, 1000), (999, 1001), (2, 6e9)):
            for log in (False, True):
                ticks = chart.ticks(lowest, highest, log)
                self.assertLessEqual(ticks[0], lowest)
                self.assertGreaterEqual(ticks[-1], highest)
                self.assertTrue(2 <= len(ticks) <= 12, ticks)
                self.assertEqual(sorted(set(ticks)), ticks)

    def test_labels_are_short(self):
        for value, label in ((0, "0"), (0.05, "0.05"), (64, "64"), (1024, "1024"),
                             (12_345, "12.3 k"), (4_865_609, "4.87 M"), (1.2e9, "1.2 G")):
            self.assertEqual(chart.number(value), label)


if __name__ == "__main__":
    unittest.main()
