#!/usr/bin/env python3
"""Trains Parley's network on games that `parley datagen` has written."""
import argparse
import csv
import dataclasses
import datetime
import hashlib
import json
import math
import os
import pathlib
import signal
import sys
import time

try:
    import numpy as np
    import torch
except ImportError as missing:
    sys.exit(f"train.py needs {missing.name}, which {sys.executable} does not have. On Debian:\n"
             "  apt install python3-torch python3-matplotlib\n"
             "and then run it with /usr/bin/python3. Elsewhere: pip install torch numpy matplotlib")

import data
import kernel
import model
import net_file

# With QA standing for 1, 16 bits hold 32 weights of pieces and a bias, 288 weights of threats (5
# kinds for 32 pieces, and 2 checks from each of 64 squares), and 120 weights of pawn pairs:
# 33 * 440 + 288 * 48 + 120 * 36 = 32,664.
MAX_WEIGHT, MAX_THREAT, MAX_PAIR = 440 / net_file.QA, 48 / net_file.QA, 36 / net_file.QA
QUANTISED = 0.5     # the last share of the steps: the net computes with rounded weights, as it will in
                    # the program (quantisation-aware training)
TIED = 0.5          # the first share of the steps of a training from nothing: the king buckets learn
                    # the same, from all positions
MAX_OUTPUT = 0.99   # so that 128 stands for 1 in the output weights, or more
FIRST_RATE, LAST_RATE = 1e-3, 2.4e-6
WARM_UP = 0.01          # of all steps
DECAY = 0.01
VALIDATIONS = 50        # while training
SHARES = 4              # of a batch: the net is the same with 1 to 4 threads
EPOCHS, MIN_STEPS = 20, 500
CHECKED = 20_000        # validation positions, at most, that an exported net is tried on
OVERFIT, GAP = 0.02, 0.15  # warn when the validation loss is this much above its best, or above
                           # the training loss
LINE_EVERY = 30         # seconds between lines of progress, if the output is no terminal
WRITE_EVERY = 15        # seconds, at the least, between checkpoints


@dataclasses.dataclass
class Settings:
    """What a run depends on, beside its data."""
    width: int = 64
    positions: int = 0
    batch: int = 16_384
    wdl: float = 0.1
    scale: int = 250
    rate: float = FIRST_RATE
    seed: int = 1
    begin: str = ""     # SHA-256 of the nets to begin with
    shares: int = SHARES
    pure_torch: bool = False


class Refusal(Exception):
    """Why a run does not begin, or cannot go on."""


def read_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__ + " One command from game files to a net; interrupted, it goes on with "
        "--resume.",
        epilog="Beside NET.nnue a folder NET.train is made: loss.csv and loss.png, run.json (all "
        "that the net depends on), last.nnue (NET.nnue is the one with the least validation loss) "
        "and checkpoint.pt, from which --resume goes on to exactly the net that an uninterrupted "
        "run would have given. The same data, settings and seed give the same net on the same "
        "machine, with any number of threads up to four.")
    add = parser.add_argument
    add("folders", nargs="*", metavar="FOLDER", help="of game files (*.vf), or such files")
    add("--out", required=True, metavar="NET.nnue", help="the net's file")
    add("--width", type=int, metavar="N",
        help="hidden size: neurons of a perspective, a multiple of 32 (default 64); they want about "
        "500 to 1000 positions for each of their 768 weights in a king bucket: 64 neurons 25 to 50 "
        "million")
    add("--epochs", type=float, metavar="N", help="passes over the data (default "
        f"{EPOCHS}, and {MIN_STEPS} steps at the least)")
    add("--positions-seen", type=float, metavar="N", help="the same as a number: 2e9")
    add("--wdl", "--lambda", dest="wdl", type=float, metavar="X",
        help="the share of the game's result in the target; the rest is the search's score "
        "(default 0.1; results of games with few nodes a move are noisy)")
    add("--scale", type=int, metavar="K", help="what turns scores into shares of the points, "
        "sigmoid(score / K), and what the net says into the same centipawns (default 250)")
    add("--begin", dest="nets", action="append", default=[], metavar="NET.nnue", help="start from "
        "the weights of this net, which may have fewer neurons: then less data is enough; from the "
        "mean of several when repeated, which must have grown out of one another")
    add("--batch", type=int, metavar="N", help="positions for each step (default 16384)")
    add("--rate", type=float, metavar="X", help="learning rate after the warm-up; it falls to "
        "nothing as a cosine (default 0.001)")
    add("--seed", type=int, metavar="N", help="of the first weights and the shuffling (default 1)")
    add("--threads", type=int, metavar="N", help="default: one for each processor")
    add("--pure-torch", action="store_const", const=True,
        help="train with PyTorch alone; it does so on its own where there is CUDA. Without a GPU "
        "this is more than a hundred times slower: for comparison only")
    add("--resume", action="store_true", help="continue an interrupted run; all settings, and "
        "which data, come from its checkpoint")
    add("--kernel", metavar="FILE", help="a built C++ part to use, instead of building it")
    arguments = parser.parse_args()
    if arguments.epochs and arguments.positions_seen:
        parser.error("--epochs and --positions-seen say the same")
    if not arguments.resume and not arguments.folders:
        parser.error("a folder of game files is needed")
    if arguments.width is not None and (arguments.width < 32 or arguments.width % 32):
        parser.error("--width must be a multiple of 32")
    if arguments.wdl is not None and not 0 <= arguments.wdl <= 1:
        parser.error("--wdl must be from 0 to 1")
    if not arguments.out.endswith(".nnue"):
        parser.error("--out must end with .nnue")
    return arguments


class KernelTrainer:
    """Computes losses and gradients in the C++ kernel."""

    def __init__(self, library, settings, records, threads):
        torch.set_num_threads(1)  # for the optimiser; the kernel has threads of its own
        self.network = kernel.Network(library, settings.width, threads, settings.shares)
        self.records, self.settings = records, settings
        self.target = model.Target(settings.wdl, settings.scale)

    def place(self, parameters):
        return parameters

    def gradient(self, parameters, numbers):
        """The loss of a batch; the parameters get their gradient."""
        if parameters.grad is None:
            parameters.grad = torch.empty_like(parameters)
        return self.network.loss(self.records.train, numbers, parameters.detach().numpy(),
                                 self.target, parameters.grad.numpy())

    def validation_loss(self, parameters):
        records = self.records.validation
        return self.network.loss(records, np.arange(len(records)), parameters.detach().numpy(),
                                 self.target)


class TorchTrainer:
    """Computes losses and gradients in PyTorch alone, on the GPU where there is one."""

    def __init__(self, settings, records, threads):
        torch.set_num_threads(threads)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.settings = settings
        self.target = model.Target(settings.wdl, settings.scale)
        self.train, self.validation = (
            torch.from_numpy(part.view(np.uint8).reshape(-1, 32)).to(self.device)
            for part in (records.train, records.validation))
        # What is worked on at once should fit a processor's caches, but fill a GPU.
        self.at_once = 16_384 if self.device.type == "cuda" else 1_024

    def place(self, parameters):
        return parameters.to(self.device)

    def gradient(self, parameters, numbers):
        parameters.grad = None
        numbers = torch.from_numpy(numbers).to(self.device)
        total = 0.0
        for part in numbers.split(self.at_once):
            loss = model.loss(parameters, self.settings.width, self.train[part], self.target)
            loss = loss * (len(part) / len(numbers))
            loss.backward()
            total = total + loss.detach()
        return float(total)

    def validation_loss(self, parameters):
        total = 0.0
        with torch.no_grad():
            for part in self.validation.split(self.at_once):
                total += len(part) * float(
                    model.loss(parameters, self.settings.width, part, self.target))
        return total / len(self.validation)


def rate_at(step, steps, first):
    """The learning rate of a step: a short rise, then half a cosine."""
    warm_up = max(1, round(WARM_UP * steps))
    if step < warm_up:
        return first * (step + 1) / warm_up
    part = (step - warm_up) / max(1, steps - warm_up)
    return LAST_RATE + (first - LAST_RATE) * (1 + math.cos(math.pi * part)) / 2


class Run:
    """A run of training: its state, which a checkpoint holds, and its steps."""

    def __init__(self, settings, library, records, trainer, nets=()):
        self.settings, self.kernel, self.records, self.trainer = (settings, library, records,
                                                                  trainer)
        self.steps = max(1, round(settings.positions / settings.batch))
        self.step = 0
        self.rows = []           # of loss.csv
        self.loss_sum, self.loss_steps = 0.0, 0
        self.seconds = 0.0
        start = model.fresh_parameters(settings.width, settings.seed)
        if nets:
            model.init_from(start, settings.width, nets)
        self.parameters = trainer.place(torch.from_numpy(start)).requires_grad_()
        self.best = self.parameters.detach().cpu().clone()
        self.best_loss = math.inf
        self.best_is_whole = False
        self.unrounded = None    # the parameters as the optimiser moves them, once those in use are
                                 # rounded
        self.optimiser = torch.optim.AdamW([self.parameters], lr=settings.rate, eps=1e-8,
                                           betas=(0.9, 0.999), weight_decay=DECAY)

    def validation_due(self):
        return self.step == self.steps or (
            self.step * VALIDATIONS // self.steps != (self.step - 1) * VALIDATIONS // self.steps)

    def take_step(self):
        settings = self.settings
        numbers = self.kernel.draw(settings.seed, len(self.records.train),
                                   self.step * settings.batch, settings.batch)
        if self.unrounded is None and self.step >= (1 - QUANTISED) * self.steps:
            self.unrounded = self.parameters.detach().clone()
            self.round_weights()
        loss = self.trainer.gradient(self.parameters, numbers)
        if not math.isfinite(loss):
            raise Refusal(f"the loss is no longer a number after {self.step} steps; "
                          "a smaller --rate helps")
        if not settings.begin and self.step < TIED * self.steps:
            model.tie_king_buckets(self.parameters.grad, settings.width)
        self.optimiser.param_groups[0]["lr"] = rate_at(self.step, self.steps, settings.rate)
        with torch.no_grad():
            features, _, output, _ = model.parts(self.parameters, settings.width)
            # The gradient is that of the rounded weights, and moves the unrounded ones: steps too
            # small for rounding add up (straight-through estimator).
            if self.unrounded is not None:
                self.parameters.copy_(self.unrounded)
            self.optimiser.step()
            self.parameters.clamp_(-MAX_WEIGHT, MAX_WEIGHT)
            features[model.FIRST_THREAT:model.FIRST_PAIR].clamp_(-MAX_THREAT, MAX_THREAT)
            features[model.FIRST_PAIR:].clamp_(-MAX_PAIR, MAX_PAIR)
            output.clamp_(-MAX_OUTPUT, MAX_OUTPUT)
            if self.unrounded is not None:
                self.unrounded.copy_(self.parameters)
                self.round_weights()
        self.step += 1
        self.loss_sum += loss
        self.loss_steps += 1

    def round_weights(self):
        """Rounds the weights as the file of the net does."""
        with torch.no_grad():
            hidden = self.parameters[:(model.FEATURES + 1) * self.settings.width]
            hidden.copy_(torch.round(net_file.QA * hidden) / net_file.QA)
            output = model.parts(self.parameters, self.settings.width)[2]
            step = net_file.output_step(float(output.abs().max()))
            output.copy_(torch.round(step * output) / step)

    def validate(self):
        """Adds a row to the curve and keeps the network if it is the best so far."""
        loss = self.trainer.validation_loss(self.parameters)
        seen = self.step * self.settings.batch
        self.rows.append([seen, round(seen / len(self.records.train), 3),
                          rate_at(self.step - 1, self.steps, self.settings.rate),
                          self.loss_sum / self.loss_steps, loss, round(self.seconds, 1)])
        self.loss_sum, self.loss_steps = 0.0, 0
        # What is whole by then is judged among its equals.
        first_whole = self.unrounded is not None and not self.best_is_whole
        if loss < self.best_loss or first_whole:
            self.best_is_whole = self.unrounded is not None
            self.best_loss = loss
            self.best = self.parameters.detach().cpu().clone()

    def overfitting(self):
        """What the last row says about overfitting; nothing when all is well."""
        _, _, _, train, validation, _ = self.rows[-1]
        signs = []
        if validation > (1 + OVERFIT) * self.best_loss:
            signs.append(f"the validation loss is {validation / self.best_loss - 1:.1%} above its "
                         "best")
        if validation > (1 + GAP) * train:
            signs.append(f"the validation loss is {validation / train - 1:.0%} above the training "
                         "loss")
        return signs

    def state(self):
        return {"settings": dataclasses.asdict(self.settings), "sources": self.records.sources,
                "step": self.step, "rows": self.rows, "loss_sum": self.loss_sum,
                "loss_steps": self.loss_steps, "seconds": self.seconds,
                "parameters": self.parameters.detach().cpu(), "best": self.best,
                "best_loss": self.best_loss, "unrounded": self.unrounded,
                "best_is_whole": self.best_is_whole, "optimiser": self.optimiser.state_dict()}

    def restore(self, state):
        self.step, self.rows, self.seconds = state["step"], state["rows"], state["seconds"]
        self.loss_sum, self.loss_steps = state["loss_sum"], state["loss_steps"]
        self.best, self.best_loss = state["best"], state["best_loss"]
        self.unrounded, self.best_is_whole = state["unrounded"], state["best_is_whole"]
        with torch.no_grad():
            self.parameters.copy_(state["parameters"])
        self.optimiser.load_state_dict(state["optimiser"])

    def hash(self):
        """A number that tells this run from others: of its settings and its data."""
        text = json.dumps([dataclasses.asdict(self.settings), self.records.digest()])
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def replace(path, write):
    """Writes a file so that it is whole, the old one or the new one, at any time."""
    new = path.with_name(path.name + ".new")
    write(new)
    os.replace(new, path)


class Report:
    """What a run tells: on the screen, and in the folder beside the net."""

    def __init__(self, run, folder):
        self.run, self.folder = run, folder
        self.first_step, self.begin = run.step, time.monotonic()
        self.last_line = self.last_write = self.begin
        self.warned = set()

    def line(self):
        """How far the run is."""
        run = self.run
        elapsed = max(1e-9, time.monotonic() - self.begin)
        rate = max(1e-9, (run.step - self.first_step) / elapsed)
        left = datetime.timedelta(seconds=round((run.steps - run.step) / rate))
        epoch = run.step * run.settings.batch / len(run.records.train)
        return (f"{run.step / run.steps:6.1%}  epoch {epoch:.1f}  "
                f"{rate * run.settings.batch / 1e6:.3g} M positions/s  {left} left")

    def progress(self):
        now = time.monotonic()
        seen = sys.stdout.isatty()
        if now - self.last_line < (0.5 if seen else LINE_EVERY):
            return
        self.last_line = now
        print(f"\r\033[K{self.line()}" if seen else self.line(), end="" if seen else "\n",
              flush=True)

    def validated(self):
        """After a validation: a line that stays, the curve, the checkpoint."""
        row, clear = self.run.rows[-1], "\r\033[K" if sys.stdout.isatty() else ""
        best = " *" if row[4] == self.run.best_loss else "  "
        print(f"{clear}{self.line()}  loss {row[3]:.6f}  validation {row[4]:.6f}{best}", flush=True)
        for sign in self.run.overfitting():
            kind = sign.split(" above ")[1]
            if kind not in self.warned:
                self.warned.add(kind)
                print(f"  a sign of overfitting: {sign}. More positions, fewer neurons or fewer "
                      "epochs help", flush=True)
        self.last_line = time.monotonic()
        if self.run.step == self.run.steps or self.last_line > self.last_write + WRITE_EVERY:
            self.write()

    def write(self):
        replace(self.folder / "checkpoint.pt", lambda path: torch.save(self.run.state(), path))
        replace(self.folder / "loss.csv", self.write_csv)
        self.draw()
        self.last_write = time.monotonic()

    def write_csv(self, path):
        with open(path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["positions", "epoch", "learning_rate", "train_loss", "validation_loss",
                             "seconds"])
            writer.writerows(self.run.rows)

    def draw(self):
        """The curve as a picture, where there is matplotlib."""
        if not self.run.rows:
            return
        try:
            import matplotlib
            matplotlib.use("Agg")
            from matplotlib import pyplot
        except ImportError:
            return
        seen = [row[0] / 1e6 for row in self.run.rows]
        figure, axes = pyplot.subplots(figsize=(9, 5))
        axes.plot(seen, [row[3] for row in self.run.rows], label="training")
        axes.plot(seen, [row[4] for row in self.run.rows], label="validation")
        # The first losses would flatten all others.
        losses = sorted(loss for row in self.run.rows for loss in row[3:5])
        low, high = losses[0], losses[int(0.95 * (len(losses) - 1))]
        axes.set_ylim(low - 0.05 * (high - low), high + 0.05 * (high - low) + 1e-9)
        axes.set_xlabel("million positions seen")
        axes.set_ylabel("mean squared error")
        axes.grid(alpha=0.3)
        axes.legend()
        replace(self.folder / "loss.png",
                lambda path: figure.savefig(path, dpi=100, format="png", bbox_inches="tight"))
        pyplot.close(figure)


def exported(parameters, run):
    """A network as a net of integers, and what it loses by that on validation positions. Refuses
    one whose sums could overflow."""
    parts = [part.numpy() for part in model.parts(parameters, run.settings.width)]
    net = net_file.quantised(*parts, run.settings.scale, run.hash())
    # Rounded weights shift the scores on average; the biases correct that.
    bias = losses(net, parameters, run)["bias"]
    net.output_bias -= np.int32(round(bias * net_file.QA * net.qb / net.scale))
    figures = losses(net, parameters, run)
    figures["largest_weights"] = [float(np.abs(part).max()) for part in parts]
    return net, figures


def losses(net, parameters, run):
    """What integers lose on validation positions, and how large they become."""
    settings = run.settings
    records = run.records.validation
    chosen = np.ascontiguousarray(records[::max(1, math.ceil(len(records) / CHECKED))])
    errors, active, saturated, gross, product, count = [], 0, 0, 0, 0, 0
    for at in range(0, len(chosen), 8192):
        raw = torch.from_numpy(chosen[at:at + 8192].view(np.uint8).reshape(-1, 32))
        perspectives = [perspective.numpy() for perspective in model.inputs(raw)]
        scores, sums, products = net_file.integer_scores(net, perspectives)
        exact = model.forward(parameters.double(), settings.width, raw).numpy()
        errors.append(scores - settings.scale * exact)
        gross = max(gross, int(sums.max()))
        product = max(product, int(np.abs(products).max()))
        for accumulator in net_file.accumulators(net, perspectives):
            active = active + (accumulator > 0).sum(axis=0)
            saturated += int((accumulator >= net_file.QA).sum())
            count += accumulator.size
    if gross > net_file.MAX_SUM:
        raise Refusal(f"not exported: a sum comes to {gross:,}, more than the "
                      f"{net_file.MAX_SUM:,} that are safe in 32 bits")
    if product > net_file.MAX_PRODUCT:
        raise Refusal(f"not exported: a product comes to {product:,}, more than 32 bits hold")
    errors = np.concatenate(errors)
    return {
        "positions": len(errors), "bias": float(errors.mean()),
        "mean": float(np.abs(errors).mean()), "p99": float(np.quantile(np.abs(errors), 0.99)),
        "largest_sum": gross, "qb": net.qb, "dead_neurons": int((active == 0).sum()),
        "saturated": saturated / count}


def finish(run, out, folder):
    """Writes the best net and the last, with the error that whole numbers make, and run.json."""
    figures = {}
    for name, parameters, path in (("last", run.parameters.detach().cpu(), folder / "last.nnue"),
                                   ("best", run.best, out)):
        net, figures[name] = exported(parameters, run)
        replace(path, lambda new, net=net: new.write_bytes(net_file.write(net)))
    rules = {str(path): path.read_text() for path in sorted(
        {pathlib.Path(source[0]).with_name("rules.txt") for source in run.records.sources})
        if path.exists()}
    summary = {"net": out.name, "run": f"{run.hash():016x}",
               "settings": dataclasses.asdict(run.settings), "data": run.records.digest(),
               "games": run.records.games, "plies": run.records.plies,
               "train": len(run.records.train), "validation": len(run.records.validation),
               "loss": run.rows[-1][3], "validation_loss": run.rows[-1][4],
               "best_validation_loss": run.best_loss, "seconds": round(run.seconds),
               "export": figures, "rules": rules, "sources": run.records.sources}
    replace(folder / "run.json", lambda path: path.write_text(json.dumps(summary, indent=1)))
    net, best = net_file.read(out.read_bytes()), figures["best"]
    start = net_file.perspectives_of_fens(["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"])
    largest = best["largest_weights"]
    print(f"{out}: {out.stat().st_size:,} bytes, run {run.hash():016x}, "
          f"validation loss {run.best_loss:.6f} (the last: {run.rows[-1][4]:.6f})\n"
          f"  error of whole numbers on {best['positions']:,} validation positions, in "
          f"centipawns: mean {best['mean']:.2f}, 99 % within {best['p99']:.2f}, bias {best['bias']:+.2f}\n"
          f"  QB {best['qb']}, largest sum {best['largest_sum'] / net_file.MAX_SUM:.1%} of what "
          f"is allowed, largest weights {largest[0]:.2f} and {largest[2]:.2f}\n"
          f"  {best['dead_neurons']} of {run.settings.width} neurons are never active, "
          f"{best['saturated']:.1%} of all values are saturated; the start position is worth "
          f"{net_file.integer_scores(net, start)[0][0]:+d}")


def settings_of(arguments):
    """Those of the command line, or of the checkpoint; then without contradiction."""
    wanted = {field.name: getattr(arguments, field.name)
              for field in dataclasses.fields(Settings) if getattr(arguments, field.name, None)
              is not None}
    if not arguments.resume:
        return Settings(**wanted), None
    path = folder_of(arguments.out) / "checkpoint.pt"
    if not path.exists():
        raise Refusal(f"there is no {path} to resume from")
    state = torch.load(path, map_location="cpu")
    try:
        settings = Settings(**state["settings"])
    except TypeError as error:
        raise Refusal(f"{path} is of another version of train.py") from error
    if "unrounded" not in state or (
            len(state["parameters"]) != model.parameter_count(settings.width)):
        raise Refusal(f"{path} is of another version of train.py")
    for name, value in wanted.items():
        if getattr(settings, name) != value:
            raise Refusal(f"the run was started with {name} {getattr(settings, name)}, "
                          f"not {value}; --resume needs no settings")
    if arguments.nets or arguments.epochs or arguments.positions_seen:
        raise Refusal("how long the run takes, and from which net, was settled when it began; "
                      "--resume needs no settings")
    return settings, state


def first_nets(paths, settings):
    """The nets to begin with, if any; the settings get their hashes."""
    nets, hashes = [], []
    for path in paths:
        content = pathlib.Path(path).read_bytes()
        net = net_file.read(content)
        if net.width > settings.width:
            raise Refusal(f"{path} has {net.width} neurons, more than {settings.width}")
        nets.append(net)
        hashes.append(hashlib.sha256(content).hexdigest())
    settings.begin = " ".join(hashes)
    return nets


def folder_of(out):
    return pathlib.Path(out).with_suffix(".train")


def load_data(arguments, settings, state, library, threads):
    """The records, and the settings that depend on them."""
    if state:
        sources = [(path, size) for path, size, _ in state["sources"]]
    else:
        sources = [(path, None) for path in data.files_of(arguments.folders)]
    records = data.load(library, sources, threads, smoothed=True)
    print(records)
    for warning in records.warnings:
        print(f"  {warning}")
    if state:
        if records.sources != state["sources"]:
            raise Refusal("the game files are not those with which the run began")
        return records
    if len(records.train) == 0 or len(records.validation) == 0:
        raise Refusal("too few games: one in 50 is for validation, and both parts need positions")
    min_positions = MIN_STEPS * settings.batch
    settings.positions = round(arguments.positions_seen or max(
        (arguments.epochs or EPOCHS) * len(records.train), 0 if arguments.epochs else min_positions))
    print(f"in these games a score of {data.fitted_scale(records.train):.0f} is worth 73 % of the "
          "points")
    if len(records.train) < 100 * 768 * settings.width:
        print(f"note: {len(records.train) / (768 * settings.width):.0f} positions for each weight "
              "of a king bucket; the net wants 500 and more")
    return records


def train(run, report):
    """All steps that are left; false when interrupted."""
    interrupted = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: interrupted.append(True))
    while run.step < run.steps and not interrupted:
        begin = time.monotonic()
        run.take_step()
        due = run.validation_due()
        if due:
            run.validate()
        run.seconds += time.monotonic() - begin
        report.validated() if due else report.progress()
    if interrupted:
        report.write()
    return run.step == run.steps


def main():
    arguments = read_arguments()
    threads = arguments.threads or os.cpu_count()
    library = kernel.Kernel(arguments.kernel)
    settings, state = settings_of(arguments)
    nets = []
    if not state:
        nets = first_nets(arguments.nets, settings)
        settings.shares = max(SHARES, threads)
        settings.pure_torch = bool(settings.pure_torch or torch.cuda.is_available())
    records = load_data(arguments, settings, state, library, threads)
    trainer = (TorchTrainer(settings, records, threads) if settings.pure_torch
               else KernelTrainer(library, settings, records, threads))
    run = Run(settings, library, records, trainer, nets)
    if state:
        run.restore(state)
    out, folder = pathlib.Path(arguments.out), folder_of(arguments.out)
    folder.mkdir(parents=True, exist_ok=True)
    print(f"{net_file.architecture_of(settings.width)}, {run.steps:,} steps of "
          f"{settings.batch:,} positions, wdl {settings.wdl}, "
          f"{'PyTorch on ' + trainer.device.type if settings.pure_torch else 'kernel'}, "
          f"{threads} threads", flush=True)
    if not train(run, Report(run, folder)):
        print(f"interrupted after {run.step:,} steps; to go on: {sys.argv[0]} --resume --out {out}")
        return 130
    finish(run, out, folder)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Refusal, data.DataError, kernel.KernelError, net_file.NetError, OSError) as error:
        sys.exit(f"train.py: {error}")
