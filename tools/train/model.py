"""The network in plain PyTorch: what the kernel is checked against, and what a GPU runs."""
import collections

import numpy as np
import torch

import net_file

PIECE_FEATURES, FEATURES = net_file.PIECE_FEATURES, net_file.FEATURES
FIRST_THREAT = net_file.FIRST_THREAT

# wdl: the share of the game's result in the target, the rest is the search's score; scale: the
# score at which a player expects 73 % of the points.
Target = collections.namedtuple("Target", "wdl scale")

BUCKETS = net_file.BUCKETS
NEW_OUTPUT = 0.001  # of a fresh output weight, for neurons that a smaller net does not have
ROWS = FEATURES + 1 + 2 * BUCKETS


def parameter_count(width):
    return ROWS * width + BUCKETS


def parts(parameters, width):
    """The feature weights [4 * 768 + 2 * 768][N], of pieces and threats, hidden biases [N], output
    weights [8][2][N] and output biases [8] within the parameters."""
    rows = parameters[:-BUCKETS].reshape(ROWS, width)
    return (rows[:FEATURES], rows[FEATURES], rows[FEATURES + 1:].reshape(BUCKETS, 2, width),
            parameters[-BUCKETS:])


def fresh_parameters(width, seed):
    """Where training begins."""
    chance = np.random.Generator(np.random.PCG64(seed))
    parameters = np.zeros(parameter_count(width), np.float32)
    features, hidden_bias, output, _ = parts(parameters, width)
    # All buckets begin alike, and threats with nothing.
    of_bucket = chance.uniform(-1, 1, (PIECE_FEATURES, width)) / np.sqrt(6 * 20)
    features[:FIRST_THREAT] = np.tile(of_bucket, (net_file.KING_BUCKETS, 1))
    hidden_bias[:] = 0.1
    output[:] = chance.uniform(-1, 1, output.shape[1:]) / np.sqrt(2 * width)
    return parameters


def tie_king_buckets(gradient, width):
    """Gives all king buckets the same gradient, so that buckets that are equal stay so."""
    features = parts(gradient, width)[0][:FIRST_THREAT].view(
        net_file.KING_BUCKETS, PIECE_FEATURES, width)
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


def shifted(boards, step):
    """Boards [..., 8, 8] moved by some ranks and files; nothing comes in at the edges."""
    ranks, files = step
    return torch.nn.functional.pad(boards, (files, -files, ranks, -ranks))


def attacked_along(boards, steps, empty):
    """What pieces on boards attack in any of these directions; in the way of sliding ones, which
    come with the empty squares, stands the first piece."""
    attacked = torch.zeros_like(boards)
    for step in steps:
        moving = shifted(boards, step)
        attacked |= moving
        for _ in range(6 if empty is not None else 0):
            moving = shifted(moving & empty, step)
            attacked |= moving
    return attacked


def attacks(pieces, empty, forward):
    """What a side attacks with pieces [6][n, 8, 8]: with pawns, which move forward by one rank or
    by -1; with pawns and minor pieces; with these and rooks; with all."""
    pawn, knight, bishop, rook, queen, king = pieces
    diagonal, straight = net_file.DIAGONAL, net_file.STRAIGHT
    by_pawns = attacked_along(pawn, [(forward, -1), (forward, 1)], None)
    # Bishops and rooks apart from the queens in the same directions.
    by_bishops, by_queens = attacked_along(torch.stack([bishop, queen]), diagonal, empty)
    by_rooks, straight_by_queens = attacked_along(torch.stack([rook, queen]), straight, empty)
    by_minors = by_pawns | attacked_along(knight, net_file.KNIGHT, None) | by_bishops
    by_rooks |= by_minors
    by_any = (by_rooks | by_queens | straight_by_queens
              | attacked_along(king, straight + diagonal, None))
    return by_pawns, by_minors, by_rooks, by_any


def threats(occupied, code):
    """Which pieces are threatened, given what is on each square [n, 64]: for each kind of threat
    truths [n, 64]."""
    occupied, code = occupied.view(-1, 8, 8) == 1, code.view(-1, 8, 8)
    pieces = [[occupied & (code == side + kind) for kind in range(6)] for side in (0, 8)]
    attacked = [attacks(own, ~occupied, forward) for own, forward in zip(pieces, (1, -1))]
    undefended, lesser = torch.zeros_like(occupied), torch.zeros_like(occupied)
    for own, ours, theirs in zip(pieces, attacked, attacked[::-1]):
        pawn, knight, bishop, rook, queen, _ = own
        by_pawns, by_minors, by_rooks, by_any = theirs
        undefended |= (pawn | knight | bishop | rook | queen) & by_any & ~ours[3]
        lesser |= (knight | bishop) & by_pawns | rook & by_minors | queen & by_rooks
    return undefended.flatten(1), lesser.flatten(1)


def inputs(raw):
    """Both perspectives of records, given as bytes [n, 32]: two of [n, 92], the features in order,
    and FEATURES where there are no more."""
    occupied = bits_of(raw[:, :8], 64, 1)
    place = (occupied.cumsum(1) - 1).clamp(0, 31)
    code = bits_of(raw[:, 8:24], 32, 4).gather(1, place)
    square = torch.arange(64, device=raw.device)
    foreign, kind = code >> 3, 64 * (code & 7)
    kings = raw[:, 28].long(), raw[:, 29].long() ^ 56
    mirror = [torch.where((king & 7) >= 4, 7, 0)[:, None] for king in kings]
    first = [PIECE_FEATURES * king_buckets(king)[:, None] for king in kings]
    own = 384 * foreign + kind + (square ^ mirror[0])
    other = 384 * (1 - foreign) + kind + (square ^ mirror[1] ^ 56)
    active = torch.cat([occupied == 1, *threats(occupied, code)], 1)
    perspectives = []
    for index, first_feature in zip((own, other), first):
        features = torch.cat([first_feature + index, *(
            FIRST_THREAT + PIECE_FEATURES * threat + index
            for threat in range(net_file.THREAT_KINDS))], 1)
        features = torch.where(active, features, FEATURES).sort(1).values
        perspectives.append(features[:, :net_file.MAX_FEATURES].contiguous())
    return perspectives


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
    _, hidden_bias, output, output_bias = parts(parameters, width)
    bucket = buckets(raw)
    total = output_bias[bucket]
    # The row FEATURES, after the features, is not added.
    rows = parameters[:-BUCKETS].view(ROWS, width)
    for perspective, weights in zip(inputs(raw), output.unbind(1)):
        accumulator = hidden_bias + torch.nn.functional.embedding_bag(
            perspective, rows, mode="sum", padding_idx=FEATURES)
        neurons = accumulator.clamp(0, 1)
        total = total + (neurons * neurons * weights[bucket]).sum(1)
    return total


def loss(parameters, width, raw, target):
    """The mean loss of records."""
    guess = torch.sigmoid(forward(parameters, width, raw))
    return ((guess - targets(raw, target, parameters.dtype)) ** 2).mean()
