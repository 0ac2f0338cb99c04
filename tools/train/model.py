"""The network in plain PyTorch: what the kernel is checked against, and what a GPU runs."""
import collections

import numpy as np
import torch

import net_file

PIECE_FEATURES, FEATURES = net_file.PIECE_FEATURES, net_file.FEATURES

# wdl: the share of the game's result in the target, the rest is the search's score; scale: the
# score at which a player expects 73 % of the points.
Target = collections.namedtuple("Target", "wdl scale")

BUCKETS = net_file.BUCKETS
NEW_OUTPUT = 0.001  # of a fresh output weight, for neurons that a smaller net does not have
ROWS = FEATURES + 1 + 2 * BUCKETS


def parameter_count(width):
    return ROWS * width + BUCKETS


def parts(parameters, width):
    """The feature weights [4 * 768][N], hidden biases [N], output weights [8][2][N] and output biases
    [8] within the parameters."""
    rows = parameters[:-BUCKETS].reshape(ROWS, width)
    return (rows[:FEATURES], rows[FEATURES], rows[FEATURES + 1:].reshape(BUCKETS, 2, width),
            parameters[-BUCKETS:])


def fresh_parameters(width, seed):
    """Where training begins."""
    chance = np.random.Generator(np.random.PCG64(seed))
    parameters = np.zeros(parameter_count(width), np.float32)
    features, hidden_bias, output, _ = parts(parameters, width)
    # All buckets begin alike.
    of_bucket = chance.uniform(-1, 1, (PIECE_FEATURES, width)) / np.sqrt(6 * 20)
    features[:] = np.tile(of_bucket, (net_file.KING_BUCKETS, 1))
    hidden_bias[:] = 0.1
    output[:] = chance.uniform(-1, 1, output.shape[1:]) / np.sqrt(2 * width)
    return parameters


def tie_king_buckets(gradient, width):
    """Gives all king buckets the same gradient, so that buckets that are equal stay so."""
    features = parts(gradient, width)[0].view(net_file.KING_BUCKETS, PIECE_FEATURES, width)
    features.copy_(features.sum(0, keepdim=True).expand_as(features))


def init_from(parameters, width, nets):
    """Copies the mean of nets that are no wider into fresh parameters."""
    parameters[:] = np.mean([weights_of(net, parameters, width) for net in nets], axis=0)


def weights_of(net, fresh, width):
    """Fresh parameters with a net's weights. Neurons beyond its width get output weights so small
    that the scores hardly change, but are not 0: from there they can learn."""
    parameters = fresh.copy()
    features, hidden_bias, output, _ = parts(parameters, width)
    known = net.width
    features[:, :known] = net.features / net_file.QA
    hidden_bias[:known] = net.hidden_bias / net_file.QA
    output[:, :, :known] = net.output / net.qb
    output[:, :, known:] *= NEW_OUTPUT
    parameters[-BUCKETS:] = net.output_bias / (net_file.QA * net.qb)
    return parameters


def bits_of(numbers, count, step):
    """The bits of bytes in groups of `step`, the lowest first."""
    shifts = torch.arange(0, 8, step, device=numbers.device)
    groups = (numbers.long()[:, :, None] >> shifts) & ((1 << step) - 1)
    return groups.reshape(len(numbers), count)


def king_buckets(kings):
    """The king buckets for kings on squares as their players see them."""
    return torch.tensor([net_file.king_bucket(square) for square in range(64)],
                        device=kings.device)[kings]


def inputs(raw):
    """Both perspectives of records, given as bytes [n, 32]: two of [n, 32], the features in order,
    and FEATURES where there are no more."""
    occupied = bits_of(raw[:, :8], 64, 1)
    place = (occupied.cumsum(1) - 1).clamp(0, 31)
    code = bits_of(raw[:, 8:24], 32, 4).gather(1, place)
    square = torch.arange(64, device=raw.device)
    foreign, kind = code >> 3, 64 * (code & 7)
    kings = raw[:, 28].long(), raw[:, 29].long() ^ 56
    mirror = [torch.where((king & 7) >= 4, 7, 0)[:, None] for king in kings]
    first = [PIECE_FEATURES * king_buckets(king)[:, None] for king in kings]
    own = first[0] + 384 * foreign + kind + (square ^ mirror[0])
    other = first[1] + 384 * (1 - foreign) + kind + (square ^ mirror[1] ^ 56)
    return [torch.where(occupied == 1, features, FEATURES).sort(1).values[:, :net_file.MAX_PIECES]
            for features in (own, other)]


def targets(raw, target, dtype=torch.float32):
    """The targets of records: expected shares of the points."""
    low, high = raw[:, 24].to(dtype), raw[:, 25].to(torch.int8).to(dtype)
    expected = torch.sigmoid((256 * high + low) / target.scale)
    return target.wdl * raw[:, 26].to(dtype) / 2 + (1 - target.wdl) * expected


def buckets(raw):
    """The output bucket of records, by their number of pieces."""
    return (bits_of(raw[:, :8], 64, 1).sum(1) - 2) // 4


def forward(parameters, width, raw):
    """The outputs of the network for records, before the sigmoid."""
    features, hidden_bias, output, output_bias = parts(parameters, width)
    bucket = buckets(raw)
    total = output_bias[bucket]
    rows = torch.cat([features, torch.zeros_like(features[:1])])
    for perspective, weights in zip(inputs(raw), output.unbind(1)):
        accumulator = torch.nn.functional.embedding_bag(perspective, rows, mode="sum") + hidden_bias
        neurons = accumulator.clamp(0, 1)
        total = total + (neurons * neurons * weights[bucket]).sum(1)
    return total


def loss(parameters, width, raw, target):
    """The mean loss of records."""
    guess = torch.sigmoid(forward(parameters, width, raw))
    return ((guess - targets(raw, target, parameters.dtype)) ** 2).mean()
