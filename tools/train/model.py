"""The network in plain PyTorch: what the kernel is checked against, and what a GPU runs."""
import collections

import numpy as np
import torch

import net_file

FEATURES = 768

# blend: the share of the game's result in what the network shall say, the rest is the search's
# score; scale: the score at which a player expects 73 % of the points.
Target = collections.namedtuple("Target", "blend scale")


def parameter_count(width):
    return (FEATURES + 3) * width + 1


def parts(parameters, width):
    """The feature weights, hidden biases, output weights and output bias within the parameters."""
    rows = parameters[:-1].reshape(FEATURES + 3, width)
    return rows[:FEATURES], rows[FEATURES], rows[FEATURES + 1:], parameters[-1]


def fresh_parameters(width, seed):
    """Where training begins."""
    chance = np.random.Generator(np.random.PCG64(seed))
    parameters = np.zeros(parameter_count(width), np.float32)
    features, hidden_bias, output, _ = parts(parameters, width)
    features[:] = chance.uniform(-1, 1, features.shape) / np.sqrt(6 * 20)
    hidden_bias[:] = 0.1
    output[:] = chance.uniform(-1, 1, output.shape) / np.sqrt(2 * width)
    return parameters


def take_over(parameters, width, net):
    """Puts a net that is no wider into fresh parameters. Neurons beyond its width say nothing at
    first, so that training begins with exactly what the net knows."""
    features, hidden_bias, output, _ = parts(parameters, width)
    known = net.width
    features[:, :known] = net.features / net_file.QA
    hidden_bias[:known] = net.hidden_bias / net_file.QA
    output[:, :known] = net.output / net.qb
    output[:, known:] = 0
    parameters[-1] = net.output_bias / (net_file.QA * net.qb)


def bits_of(numbers, count, step):
    """The bits of bytes in groups of `step`, the lowest first."""
    shifts = torch.arange(0, 8, step, device=numbers.device)
    groups = (numbers.long()[:, :, None] >> shifts) & ((1 << step) - 1)
    return groups.reshape(len(numbers), count)


def inputs(raw, dtype=torch.float32):
    """Both views of records, given as bytes [n, 32]: a 1 for each feature, two of [n, 768]."""
    occupied = bits_of(raw[:, :8], 64, 1)
    place = (occupied.cumsum(1) - 1).clamp(0, 31)
    code = bits_of(raw[:, 8:24], 32, 4).gather(1, place)
    square = torch.arange(64, device=raw.device)
    foreign, kind = code >> 3, 64 * (code & 7)
    mirror = [torch.where((king & 7) >= 4, 7, 0)[:, None] for king in (raw[:, 28].long(),
                                                                      raw[:, 29].long())]
    own = 384 * foreign + kind + (square ^ mirror[0])
    other = 384 * (1 - foreign) + kind + (square ^ mirror[1] ^ 56)
    views = []
    for features in (own, other):
        ones = torch.zeros(len(raw), FEATURES, dtype=dtype, device=raw.device)
        views.append(ones.scatter_add_(1, features, occupied.to(dtype)))
    return views


def targets(raw, target, dtype=torch.float32):
    """What the network shall say, as shares of the points."""
    low, high = raw[:, 24].to(dtype), raw[:, 25].to(torch.int8).to(dtype)
    expected = torch.sigmoid((256 * high + low) / target.scale)
    return target.blend * raw[:, 26].to(dtype) / 2 + (1 - target.blend) * expected


def forward(parameters, width, raw):
    """What the network says of records, before the sigmoid."""
    features, hidden_bias, output, output_bias = parts(parameters, width)
    total = output_bias
    for view, weights in zip(inputs(raw, parameters.dtype), output):
        neurons = (view @ features + hidden_bias).clamp(0, 1)
        total = total + (neurons * neurons) @ weights
    return total


def loss(parameters, width, raw, target):
    """The mean loss of records."""
    guess = torch.sigmoid(forward(parameters, width, raw))
    return ((guess - targets(raw, target, parameters.dtype)) ** 2).mean()
