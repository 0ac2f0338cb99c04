#!/usr/bin/env python3
"""A miniature of training: games, gradients, nets, and the way from one to the other.

usage: run.py PARLEY KERNEL

Exit status 77 when this interpreter lacks what training needs.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True  # a test leaves nothing behind in the source tree
# The libraries' threads would wait for one another, busily, where other tests run beside them.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

try:
    import numpy as np
    import torch
except ImportError as missing:
    print(f"skipped: {sys.executable} has no {missing.name}; on Debian, apt install python3-torch")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "train"))

import data
import fit_win_rate
import kernel
import model
import net_file
import train

PARLEY, KERNEL = sys.argv[1:3]
LIBRARY = kernel.Kernel(KERNEL)
TARGET = model.Target(0.3, 200.0)
GAMES = 120


class Folder:
    """Games, and what comes of them; made once."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="parley-train-")
        self.path = pathlib.Path(self.folder.name)
        self.games = self.path / "games"
        subprocess.run([PARLEY, "datagen", self.games, "--games", str(GAMES), "--nodes", "30",
                        "--threads", "2"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        self.data = data.load(LIBRARY, [(path, None) for path in data.files_of([self.games])], 2)

    def train(self, name, *arguments, status=0):
        """Trains by command; what it says."""
        done = subprocess.run([sys.executable, "-B", ROOT / "tools" / "train" / "train.py",
                               "--kernel", KERNEL, "--out", self.path / f"{name}.nnue", *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == status, f"status {done.returncode}:\n{done.stdout}"
        return done.stdout


HERE = Folder()


def raw(records):
    return torch.from_numpy(records.view(np.uint8).reshape(-1, 32))


def trained_somewhat(width):
    """Parameters with numbers of all sizes, saturated and dead neurons among them."""
    parameters = model.fresh_parameters(width, 1)
    parameters += np.random.default_rng(2).normal(0, 0.1, len(parameters)).astype(np.float32)
    return parameters


def varied_fens():
    """The test suites' positions, and random ones with the kings on all files."""
    fens = []
    for suite in ("standard", "tricky", "chess960"):
        for line in (ROOT / "tests" / "data" / f"{suite}.epd").read_text().splitlines():
            if line and not line.startswith("#"):
                fens.append(line.split(";")[0].strip())
    chance = random.Random(3)
    for number in range(3000):
        board = [None] * 64
        own, other = chance.randrange(8), number % 64 // 8
        board[8 * chance.randrange(8) + number % 8] = "K"
        free = [square for square in range(other, 64, 8) if not board[square]]
        board[chance.choice(free)] = "k"
        for square in chance.sample([s for s in range(8, 56) if not board[s]], own):
            board[square] = chance.choice("PNBRQpnbrq")
        rows = []
        for rank in range(7, -1, -1):
            row = "".join(piece or "." for piece in board[8 * rank:8 * rank + 8])
            for length in range(8, 0, -1):
                row = row.replace("." * length, str(length))
            rows.append(row)
        fens.append(f"{'/'.join(rows)} {chance.choice('wb')} - - 0 1")
    return fens


class Features(unittest.TestCase):
    def test_features_of_fens_agree_in_three_implementations(self):
        seen = set()
        for fen in varied_fens():
            record = LIBRARY.record_of(fen)
            if record is None:
                continue  # the player who has moved is in check
            expected = [sorted(view) for view in net_file.features_of_fen(fen)]
            self.assertEqual([sorted(view) for view in LIBRARY.features(record)], expected, fen)
            views = [view[0].nonzero()[:, 0].tolist() for view in model.inputs(raw(record))]
            self.assertEqual(views, expected, fen)
            seen.add((fen.split()[1], int(record["king"][0]) % 8,
                      int(record["opponents_king"][0]) % 8))
        self.assertEqual(len(seen), 2 * 8 * 8)

    def test_mirrored_positions_and_exchanged_colours_look_the_same(self):
        fen = "r2qk3/pp3p2/8/3B4/2n5/8/PP4PP/4R1K1 w - - 0 1"
        mirrored = "3kq2r/2p3pp/8/4B3/5n2/8/PP4PP/1K1R4 w - - 0 1"
        exchanged = "4r1k1/pp4pp/8/2N5/3b4/8/PP3P2/R2QK3 b - - 0 1"
        views = [sorted(view) for view in net_file.features_of_fen(fen)]
        self.assertEqual([sorted(view) for view in net_file.features_of_fen(mirrored)], views)
        self.assertEqual([sorted(view) for view in net_file.features_of_fen(exchanged)], views)


class Games(unittest.TestCase):
    def test_all_usable_positions_are_read(self):
        said = subprocess.run([PARLEY, "datagen", "--stats", HERE.games], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        usable = int(next(line for line in said.splitlines() if "usable" in line).split()[1])
        self.assertEqual(HERE.data.games, GAMES)
        self.assertEqual(len(HERE.data.train) + len(HERE.data.validation), usable)

    def test_a_game_is_for_training_or_for_validation_wherever_it_is_read(self):
        whole = next(HERE.games.glob("*.vf")).read_bytes()
        _, first = LIBRARY.decode(whole[:5000], 2)
        apart = np.concatenate([LIBRARY.decode(whole[:first.bytes], 2)[0],
                                LIBRARY.decode(whole[first.bytes:], 2)[0]])
        records = LIBRARY.decode(whole, 2)[0]
        self.assertEqual(records.tobytes(), apart.tobytes())
        self.assertTrue(0.2 < records["validation"].mean() < 0.8)

    def test_a_game_that_is_cut_off_ends_its_file(self):
        whole = next(HERE.games.glob("*.vf")).read_bytes()
        records, decoded = LIBRARY.decode(whole[:-3], 50)
        self.assertEqual(decoded.games, GAMES - 1)
        self.assertIn("no end", decoded.complaint.decode())
        self.assertEqual(len(records), decoded.usable)

    def test_every_pass_has_all_positions_in_an_order_of_its_own(self):
        for size in (1, 2, 3, 17, 1000, 4097):
            passes = [LIBRARY.draw(1, size, i * size, size) for i in range(2)]
            for numbers in passes:
                self.assertEqual(sorted(numbers), list(range(size)))
            self.assertEqual(LIBRARY.draw(1, size, size // 2, size).tolist(),
                             np.concatenate(passes)[size // 2:size // 2 + size].tolist())
            if size > 3:
                self.assertNotEqual(passes[0].tolist(), passes[1].tolist())

    def test_the_fitted_scale_is_that_of_the_results(self):
        chance = np.random.default_rng(4)
        records = np.zeros(200_000, kernel.RECORD)
        records["score"] = chance.normal(0, 400, len(records))
        won = chance.random(len(records)) < 1 / (1 + np.exp(-records["score"] / 250.0))
        records["result"] = 2 * won
        self.assertAlmostEqual(data.fitted_scale(records), 250, delta=6)


class WinRate(unittest.TestCase):
    def test_material_is_counted_as_the_engine_does(self):
        for fen, material in (("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 78),
                              ("1n2k3/1p6/8/8/8/8/1R4Q1/2B1K3 w - - 0 1", 21)):
            self.assertEqual(fit_win_rate.material_of(LIBRARY.record_of(fen)).tolist(), [material])

    def test_a_model_is_found_again_in_games_that_follow_it(self):
        truth = torch.tensor([[1.6, -1.1, 0.4, 0.1], [0.9, -0.2, 0.1, 0.05]], dtype=torch.float64)
        chance = np.random.default_rng(6)
        score = chance.normal(0, 250, 400_000)
        material = chance.integers(10, 79, len(score)) / fit_win_rate.MIDDLE
        win, loss = (chances.numpy() for chances in fit_win_rate.chances(
            truth, torch.tensor(score), torch.tensor(material)))
        drawn = chance.random(len(score))
        result = np.where(drawn < win, 2, np.where(drawn < win + loss, 0, 1))
        found, surprise = fit_win_rate.fit(score, material, result, np.ones(len(score)))
        for material_here in (20, 40, 58, 78):
            powers = (material_here / fit_win_rate.MIDDLE) ** np.arange(4)
            for row, true_row in zip(found, 100 * truth.numpy()):
                self.assertAlmostEqual(row @ powers, true_row @ powers, delta=4)
        self.assertLess(surprise, 1.0)


class Gradient(unittest.TestCase):
    def test_the_kernel_computes_what_autograd_does(self):
        records = HERE.data.train[:2048]
        numbers = np.arange(len(records))[::-1].copy()
        for width in (32, 64, 96, 128):
            parameters = trained_somewhat(width)
            # Sums that are exact and never 0 or 1, where the gradient jumps.
            rows, bias, _, _ = model.parts(parameters, width)
            rows[:] = np.rint(rows * 2 ** 12) / 2 ** 12
            bias[:] = (np.rint(bias * 2 ** 12) + 0.5) / 2 ** 12
            gradient = np.empty_like(parameters)
            network = kernel.Network(LIBRARY, width)
            loss = network.loss(records, numbers, parameters, TARGET, gradient)
            exact = torch.tensor(parameters, dtype=torch.float64, requires_grad=True)
            exact_loss = model.loss(exact, width, raw(records[numbers]), TARGET)
            exact_loss.backward()
            self.assertAlmostEqual(loss, exact_loss.item(), delta=1e-6 * loss)
            for part, truth in zip(model.parts(gradient, width),
                                   model.parts(exact.grad.numpy(), width)):
                self.assertLess(np.abs(part - truth).max() / np.abs(truth).max(), 1e-5)
            says = model.forward(exact, width, raw(records[numbers])).detach().numpy()
            self.assertLess(np.abs(network.outputs(records, numbers, parameters) - says).max(),
                            1e-5)

    def test_the_number_of_threads_changes_nothing(self):
        parameters = trained_somewhat(64)
        numbers = np.arange(1000)
        found = []
        for threads in (1, 2, 4):
            gradient = np.empty_like(parameters)
            loss = kernel.Network(LIBRARY, 64, threads).loss(HERE.data.train, numbers, parameters,
                                                             TARGET, gradient)
            found.append((loss, gradient.tobytes()))
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], found[2])


def run_of(records, steps, **settings):
    settings = train.Settings(scale=200, **settings)
    settings.positions = steps * settings.batch
    trainer = (train.TorchTrainer(settings, records, 1) if settings.pure_torch
               else train.KernelTrainer(LIBRARY, settings, records, 2))
    return train.Run(settings, LIBRARY, records, trainer)


def losses_of(run):
    losses = []
    while run.step < run.steps:
        before = run.loss_sum
        run.take_step()
        losses.append(run.loss_sum - before)
    return losses


class Training(unittest.TestCase):
    def test_a_few_hundred_positions_are_learnt_by_heart(self):
        # What looks alike must be worth the same: of a position that came again, the first.
        looks = [LIBRARY.features(HERE.data.train[i:i + 1]) for i in range(500)]
        first = [i for i, look in enumerate(looks) if look not in looks[:i]]
        few = data.Data([], [HERE.data.train[first][:300]], 0, 0, [])
        losses = losses_of(run_of(few, 400, width=64, batch=300, rate=0.01))
        self.assertLess(losses[-1], 1e-4)
        self.assertLess(losses[-1], losses[0] / 300)

    def test_kernel_and_torch_train_alike(self):
        settings = {"width": 32, "batch": 256}
        self.assertTrue(np.allclose(
            losses_of(run_of(HERE.data, 15, **settings)),
            losses_of(run_of(HERE.data, 15, pure_torch=True, **settings)), rtol=1e-4))

    def test_weights_stay_within_what_integers_hold(self):
        run = run_of(HERE.data, 5, width=32, batch=64, rate=3.0)
        losses_of(run)
        largest = float(run.parameters.abs().max())
        self.assertAlmostEqual(largest, train.LARGEST_WEIGHT, places=5)
        net_file.quantised(*[part.numpy() for part in model.parts(run.parameters.detach(), 32)],
                           400)

    def test_a_sample_of_many_validation_positions_is_enough_to_check_a_net(self):
        run = run_of(HERE.data, 1, width=32, batch=64)
        with mock.patch.object(train, "CHECKED", len(HERE.data.validation) // 3):
            _, figures = train.exported(run.best, run)
        self.assertLess(figures["positions"], len(HERE.data.validation) / 2)
        self.assertLess(figures["mean"], 5)

    def test_from_games_to_a_net_by_command_and_again_after_an_interruption(self):
        settings = ["--width", "32", "--batch", "512", "--epochs", "8", "--seed", "5"]
        said = HERE.train("whole", HERE.games, *settings, "--threads", "1")
        self.assertIn("99 % within", said)
        summary = json.loads((HERE.path / "whole.train" / "run.json").read_text())
        self.assertLess(summary["export"]["best"]["mean"], 5)

        state = torch.load(HERE.path / "whole.train" / "checkpoint.pt")
        rows = (HERE.path / "whole.train" / "loss.csv").read_text().splitlines()
        first, last = ([float(row.split(",")[i]) for i in (3, 4)] for row in (rows[1], rows[-1]))
        self.assertLess(last[0], 0.9 * first[0])
        self.assertLess(last[1], 0.9 * first[1])
        self.assertLessEqual(summary["best_validation_loss"], last[1])
        part = train.Run(train.Settings(**state["settings"]), LIBRARY, HERE.data,
                         train.KernelTrainer(LIBRARY, train.Settings(**state["settings"]),
                                             HERE.data, 2))
        for _ in range(part.steps // 2):
            part.take_step()
            if part.validation_due():
                part.validate()
        folder = HERE.path / "part.train"
        folder.mkdir()
        torch.save(part.state(), folder / "checkpoint.pt")
        with next(HERE.games.glob("*.vf")).open("ab") as growing:
            growing.write(b"the beginning of a game that comes later")
        HERE.train("part", "--resume", "--threads", "2")
        for name in ("{}.nnue", "{}.train/last.nnue"):
            self.assertEqual((HERE.path / name.format("part")).read_bytes(),
                             (HERE.path / name.format("whole")).read_bytes())
        self.assertIn("--resume needs no settings",
                      HERE.train("part", "--resume", "--width", "64", status=1))


class Nets(unittest.TestCase):
    def setUp(self):
        parts = [part.astype(np.float64) for part in model.parts(trained_somewhat(64), 64)]
        self.net = net_file.quantised(*parts, 400, 12345)

    def test_a_net_is_read_as_it_was_written(self):
        data_ = net_file.write(self.net)
        self.assertEqual(len(data_), 64 + 2 * 64 * (768 + 1 + 2) + 64)
        again = net_file.read(data_)
        self.assertEqual(net_file.write(again), data_)
        self.assertEqual((again.width, again.run, again.scale), (64, 12345, 400))

    def test_a_damaged_net_is_refused(self):
        whole = net_file.write(self.net)
        for data_ in (b"", whole[:63], whole[:-1], whole + b"\0", b"X" + whole[1:],
                      whole[:5000] + b"?" + whole[5001:]):
            with self.assertRaises(net_file.NetError):
                net_file.read(data_)

    def test_integers_say_what_fractions_say_and_what_a_plain_loop_says(self):
        fens = varied_fens()[:300]
        views = net_file.views_of_fens(fens)
        scores, _, _ = net_file.integer_scores(self.net, views)
        self.assertLess(np.abs(scores - net_file.float_scores(self.net, views)).max(), 2)
        for fen, score in zip(fens[:20], scores):
            total = 0
            for features, weights in zip(net_file.features_of_fen(fen), self.net.output):
                for neuron in range(self.net.width):
                    v = int(self.net.hidden_bias[neuron])
                    v += sum(int(self.net.features[feature, neuron]) for feature in features)
                    v = min(max(v, 0), 255)
                    total += v * v * int(weights[neuron])
            product = (int(total / 255) + self.net.output_bias) * self.net.scale
            self.assertEqual(int(product / (255 * self.net.qb)), score, fen)

    def test_a_network_whose_numbers_could_overflow_is_refused(self):
        parts = [part.copy() for part in model.parts(trained_somewhat(32), 32)]
        for index, value in ((0, 5.0), (0, float("nan")), (2, 200.0), (2, 0.0)):
            bad = list(parts)
            bad[index] = np.full_like(bad[index], value)
            with self.assertRaises(net_file.NetError):
                net_file.quantised(*bad, 400)
        run = run_of(HERE.data, 1, width=256)
        huge = torch.full((model.parameter_count(256),), 1.9)
        with self.assertRaisesRegex(train.Refusal, "32 bits"):
            train.exported(huge, run)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
