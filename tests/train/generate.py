#!/usr/bin/env python3
"""tools/train/generate: plays games in the background, continues them, and counts them.

usage: generate.py PARLEY
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARLEY = pathlib.Path(sys.argv[1]).resolve()
PATIENCE = 60  # seconds


class Generate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parley-generate-")
        self.addCleanup(folder.cleanup)
        self.pool = pathlib.Path(folder.name) / "pool"
        self.addCleanup(self.call, "stop", status=None)

    def call(self, action, *arguments, status=0):
        """Runs generate and returns what it says. A status of None accepts any."""
        done = subprocess.run([sys.executable, "-B", ROOT / "tools" / "train" / "generate", action,
                               self.pool, *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False, timeout=PATIENCE)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def start(self, *arguments, status=0):
        return self.call("start", "--program", PARLEY, "--nodes", "30", "--threads", "1",
                         *arguments, status=status)

    def wait_for(self, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end, self.call("status"))
            time.sleep(0.1)

    def games(self):
        return int(re.search(r"together (\d+) games", self.call("status"))[1])

    def sets(self):
        return sorted(path.name for path in self.pool.glob("*-*") if path.is_dir())

    def test_games_end_at_their_number_and_are_counted(self):
        self.start("--normal", "--games", "40")
        self.wait_for(lambda: "nothing is playing" in self.call("status"))
        self.assertEqual(self.games(), 40)
        self.assertRegex(self.sets()[0], r"^001-\d+$")

    def test_the_same_settings_continue_a_folder_and_others_begin_the_next(self):
        for games in (10, 20):
            self.start("--normal", "--games", str(games))
            self.wait_for(lambda: "nothing is playing" in self.call("status"))
        self.assertEqual(self.games(), 20)
        self.start("--normal", "--games", "5", "--nodes", "31")
        self.wait_for(lambda: self.games() == 25)
        self.assertEqual([name[:3] for name in self.sets()], ["001", "002"])
        self.start("--normal", "--games", "5", "--nodes", "31", "--sidelines", "0")
        self.wait_for(lambda: self.games() == 30)
        self.assertEqual([name[:3] for name in self.sets()], ["001", "002", "003"])
        self.assertIn("sideline percent 0\n",
                      (self.pool / self.sets()[2] / "rules.txt").read_text())
        rules = (self.pool / self.sets()[1] / "rules.txt").read_text()
        self.assertIn("seed 2\nnodes 31\n", rules)

    def test_shares_beyond_a_hundred_percent_are_refused_before_a_folder_is_made(self):
        for option in ("--sidelines", "--chess960"):
            for value in ("101", "-1", "many"):
                self.assertIn("is not a whole number from 0 to 100",
                              self.start(f"{option}={value}", status=2))
        self.assertEqual(self.sets(), [])

    def test_it_plays_until_it_is_stopped_and_only_once(self):
        self.start("--normal")
        self.wait_for(lambda: list(self.pool.glob("*/*.vf")))
        self.assertIn("played already", self.start(status=1))
        self.assertIn("process", self.call("status"))
        self.call("stop")
        self.assertIn("nothing is playing", self.call("status"))
        self.assertGreater(self.games(), 0)
        self.call("stop", status=1)

    @unittest.skipUnless(pathlib.Path("/proc/self/stat").exists(), "needs /proc")
    def test_a_pause_uses_no_processor_time_and_a_paused_run_can_be_stopped(self):
        process = int(re.search(r"process (\d+)", self.start())[1])
        self.assertEqual(os.sched_getscheduler(process), os.SCHED_IDLE)
        self.call("pause")

        def used():
            return pathlib.Path(f"/proc/{process}/stat").read_text().split()[13:15]
        self.wait_for(lambda: pathlib.Path(f"/proc/{process}/stat").read_text().split()[2] == "T")
        before = used()
        time.sleep(0.5)
        self.assertEqual(used(), before)
        self.call("resume")
        self.wait_for(
            lambda: pathlib.Path(f"/proc/{process}/stat").read_text().split()[2] != "T")
        self.call("pause")
        self.call("stop")

    def test_wrong_use_is_refused_with_the_reason(self):
        self.assertIn("no program", self.call("start", "--program", "nowhere", status=1))
        self.assertIn("no games are being played", self.call("pause", status=1))
        self.assertIn("whole number", self.call("start", "--nodes", "0", status=2))
        self.assertIn("datagen", self.start("--syzygy", "/nowhere", status=1))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
