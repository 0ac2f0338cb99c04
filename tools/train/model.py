"""The network in plain PyTorch: what the kernel is checked against, and what a GPU runs."""
import collections

import numpy as np
import torch

import kernel
import net_file

PIECE_FEATURES, FEATURES = net_file.PIECE_FEATURES, net_file.FEATURES
FIRST_THREAT, FIRST_PAIR = net_file.FIRST_THREAT, net_file.FIRST_PAIR
DIAGONAL, STRAIGHT = net_file.DIAGONAL, net_file.STRAIGHT

# wdl: the share of the game's result in the target, the rest is the search's score; scale: the
# score at which a player expects 73 % of the points.
Target = collections.namedtuple("Target", "wdl scale")

BUCKETS = net_file.BUCKETS
NEW_OUTPUT = 0.001  # of a fresh output weight, for neurons that a smaller net does not have
ROWS = FEATURES + 1 + 2 * BUCKETS


def parameter_count(width):
    return ROWS * width + BUCKETS


def parts(parameters, width):
    """The feature weights [4 * 768 + 6 * 768 + 1488][N], of pieces, threats and pawn pairs, hidden
    biases [N], output weights [8][2][N] and output biases [8] within the parameters."""
    rows = parameters[:-BUCKETS].reshape(ROWS, width)
    return (rows[:FEATURES], rows[FEATURES], rows[FEATURES + 1:].reshape(BUCKETS, 2, width),
            parameters[-BUCKETS:])


def fresh_parameters(width, seed):
    """Where training begins."""
    chance = np.random.Generator(np.random.PCG64(seed))
    parameters = np.zeros(parameter_count(width), np.float32)
    features, hidden_bias, output, _ = parts(parameters, width)
    # All buckets begin alike, and threats and pawn pairs with nothing.
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


def rays(boards, steps, empty):
    """For each direction what pieces on boards attack in it; in the way of sliding ones, which come
    with the empty squares, stands the first piece."""
    attacked = []
    for step in steps:
        moving = shifted(boards, step)
        attacked.append(moving)
        for _ in range(6 if empty is not None else 0):
            moving = shifted(moving & empty, step)
            attacked[-1] = attacked[-1] | moving
    return attacked


def count_of(boards):
    """How many of some boards have each square."""
    return torch.stack(boards).sum(0, dtype=torch.int8)


# A side: its pieces by type [6][n, 8, 8]; how many of them attack each square; where its pawns go.
Side = collections.namedtuple("Side", "pieces attackers forward")


def side_of(pieces, empty, forward):
    """The side with these pieces."""
    pawn, knight, bishop, rook, queen, king = pieces
    # At most one piece attacks a square from a direction.
    diagonal = [count_of(rays(sliders, DIAGONAL, empty)) for sliders in (bishop, queen)]
    straight = [count_of(rays(sliders, STRAIGHT, empty)) for sliders in (rook, queen)]
    attackers = [count_of(rays(pawn, [(forward, -1), (forward, 1)], None)),
                 count_of(rays(knight, net_file.KNIGHT, None)), diagonal[0], straight[0],
                 diagonal[1] + straight[1], count_of(rays(king, STRAIGHT + DIAGONAL, None))]
    return Side(pieces, attackers, forward)


def piece_threats(side, foe):
    """A side's pieces that are undefended, attacked by a lesser one, and outnumbered."""
    _, knight, bishop, rook, queen, king = side.pieces
    defenders, attackers = sum(side.attackers), sum(foe.attackers)
    pieces = torch.stack(side.pieces).any(0) & ~king
    by_pawns, by_minors, by_rooks = (sum(foe.attackers[:types]) > 0 for types in (1, 3, 4))
    lesser = (knight | bishop) & by_pawns | rook & by_minors | queen & by_rooks
    return [pieces & (attackers > 0) & (defenders == 0), lesser,
            pieces & (attackers > 1) & (defenders == 1) & ~lesser]


def pinned_pieces(side, foe, empty):
    """A side's pieces that are the first ones both for its king and for a slider that faces it."""
    _, _, bishop, rook, queen, _ = foe.pieces
    pinned = torch.zeros_like(empty)
    for steps, sliders in ((DIAGONAL, bishop | queen), (STRAIGHT, rook | queen)):
        opposite = [(-ranks, -files) for ranks, files in steps]
        for from_king, from_slider in zip(rays(side.pieces[5], steps, empty),
                                          rays(sliders, opposite, empty)):
            pinned |= from_king & from_slider
    return pinned & torch.stack(side.pieces).any(0)


def safe_checks(side, foe, empty):
    """For each type from knight to queen the squares of a side's safe checks."""
    king = foe.pieces[5]
    diagonal, straight = (torch.stack(rays(king, steps, empty)).any(0)
                          for steps in (DIAGONAL, STRAIGHT))
    knight = torch.stack(rays(king, net_file.KNIGHT, None)).any(0)
    attackers, defenders = sum(side.attackers), sum(foe.attackers)
    by_king_alone = (defenders == 1) & (foe.attackers[5] == 1)
    safe = (defenders == 0) | by_king_alone & (attackers > 1)
    safe &= ~torch.stack(side.pieces).any(0)
    return [safe & (attacked > 0) & near for attacked, near in zip(
        side.attackers[1:5], (knight, diagonal, straight, diagonal | straight))]


def passed_pawns(side, foe, empty):
    """A side's passed pawns, and for each square the state of the one in front of it."""
    pawns = foe.pieces[0]
    wide = pawns | shifted(pawns, (0, 1)) | shifted(pawns, (0, -1))
    stopped, = rays(wide, [(-side.forward, 0)], torch.ones_like(empty))
    attacked, by_foe = (sum(each.attackers) > 0 for each in (side, foe))
    state = empty * (1 + attacked.long() + 2 * by_foe.long())
    return side.pieces[0] & ~stopped, shifted(state, (-side.forward, 0))


def threats(occupied, code):
    """The threats, given what is on each square [n, 64]: to pieces, checks by type, and passed
    pawns. Of each, by square [n, 8, 8]: whether there is one, whether it is the opponent's, and its
    feature without colour and square."""
    occupied, code = occupied.view(-1, 8, 8) == 1, code.view(-1, 8, 8)
    empty = ~occupied
    sides = [side_of([occupied & (code == foreign + kind) for kind in range(6)], empty, forward)
             for foreign, forward in ((0, 1), (8, -1))]
    kind_of_piece = 64 * (code & 7)
    found = []
    for side, foe in (sides, sides[::-1]):
        pawns, state = passed_pawns(side, foe, empty)
        pieces = [*piece_threats(side, foe), pinned_pieces(side, foe, empty)]
        found.append([
            *((board, kind_of_piece + PIECE_FEATURES * kind) for kind, board in enumerate(pieces)),
            *((board, torch.full_like(code, 64 * kind + PIECE_FEATURES * net_file.CHECK))
              for kind, board in enumerate(safe_checks(side, foe, empty), 1)),
            (pawns, 64 * state + PIECE_FEATURES * net_file.PASSED)])
    # A square has each of these for one side alone.
    return [(ours | theirs, theirs, FIRST_THREAT + torch.where(theirs, foreign, own))
            for (ours, own), (theirs, foreign) in zip(*found)]


NO_PAWN = 2 * net_file.SIDE_PAWNS


def pair_table():
    """The features of pawn pairs by the numbers of both pawns, the larger first; FEATURES for pawns
    that are no pair."""
    table = torch.full((NO_PAWN + 1, NO_PAWN + 1), FEATURES)
    for (hi, lo), number in net_file.PAIRS.items():
        table[hi, lo] = FIRST_PAIR + number
    return table


PAIR_TABLE = pair_table()


def pawn_pairs(pawns):
    """The features of any two pawns [n, 120], FEATURES for those that are no pair. Pawns are given
    by their numbers, and NO_PAWN, in any order."""
    pawns = pawns.sort(1).values[:, :net_file.MAX_PAWNS]
    lower, higher = torch.triu_indices(net_file.MAX_PAWNS, net_file.MAX_PAWNS, 1,
                                       device=pawns.device)
    return PAIR_TABLE.to(pawns.device)[pawns[:, higher], pawns[:, lower]]


def inputs(raw):
    """Both perspectives of records, given as bytes [n, 32]: two of [n, 368], the features in order,
    and FEATURES where there are no more."""
    occupied = bits_of(raw[:, :8], 64, 1)
    place = (occupied.cumsum(1) - 1).clamp(0, 31)
    code = bits_of(raw[:, 8:24], 32, 4).gather(1, place)
    found = [[part.flatten(1) for part in group] for group in threats(occupied, code)]
    active, foreign, first = (torch.cat(parts, 1) for parts in zip(
        (occupied == 1, code >= 8, 64 * (code & 7)), *found))
    is_pawn = (occupied == 1) & ((code & 7) == 0)
    square = torch.arange(64, device=raw.device)
    perspectives = []
    for other, king in enumerate((raw[:, 28].long(), raw[:, 29].long() ^ 56)):
        mirror = torch.where((king & 7) >= 4, 7, 0)[:, None] ^ 56 * other
        foreign_here, seen = foreign ^ bool(other), square ^ mirror
        features = first + 384 * foreign_here + seen.repeat(1, first.shape[1] // 64)
        features[:, :64] += PIECE_FEATURES * king_buckets(king)[:, None]
        number = net_file.SIDE_PAWNS * foreign_here[:, :64] + seen - 8
        pairs = pawn_pairs(torch.where(is_pawn, number, NO_PAWN))
        features = torch.cat([torch.where(active, features, FEATURES), pairs], 1)
        perspectives.append(features.sort(1).values[:, :net_file.MAX_FEATURES].contiguous())
    return perspectives


def targets(raw, target, dtype=torch.float32):
    """The targets of records: expected shares of the points."""
    low, high = raw[:, 24].to(dtype), raw[:, 25].to(torch.int8).to(dtype)
    expected = torch.sigmoid((256 * high + low) / target.scale)
    result = raw[:, 26]
    known = target.wdl * result.to(dtype) / 2 + (1 - target.wdl) * expected
    return torch.where(result == kernel.NO_RESULT, expected, known)


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
