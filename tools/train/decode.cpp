#include "tools/train/decode.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tools/train/shuffle.hpp"

namespace train {

namespace {

/// FNV-1a, its bits mixed once more.
std::uint64_t hash_of(std::string_view bytes) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char byte : bytes)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3ULL;
    return mixed(hash);
}

/// What turns a score into a share of the points; train.py's --scale is the same without reason to
/// change it.
constexpr double scale = 250;

// How scores are smoothed. These values bring scores of 300 nodes nearest to those of 4,000, over
// the games of net 8: the mean square of the difference, as shares of the points, falls from
// 0.00377 to 0.00285 (with the plies before and after alone, half as much as the ply itself, to
// 0.00341).
constexpr double weight_of_ply_before = 0.25;
constexpr double weight_of_next_ply = 0.55;  // of the one after that the square of this, and so on
constexpr std::size_t plies_after = 8;
/// What it is worth to be to move: a mean over plies of both sides loses that.
constexpr double tempo = 15;

/// The share of the points that White can expect, by the scores of a game's plies.
std::vector<double> expected_points(const std::vector<engine::datagen::RecordedMove>& moves) {
    std::vector<double> points;
    points.reserve(moves.size());
    for (const auto& move : moves)
        points.push_back(1 / (1 + std::exp(-move.score / scale)));
    return points;
}

/// The score of a ply for White, smoothed: that of the mean of what searches expect there, on the
/// ply before and on those after it. Later searches have seen more of what comes.
engine::Score smoothed_score(const std::vector<double>& points,
                             std::size_t ply,
                             core::Color side_to_move) {
    double weight = 1;
    double sum = points[ply];
    double weights = 1;
    for (std::size_t i = ply + 1; i < std::min(points.size(), ply + 1 + plies_after); ++i) {
        weight *= weight_of_next_ply;
        sum += weight * points[i];
        weights += weight;
    }
    if (ply > 0) {
        sum += weight_of_ply_before * points[ply - 1];
        weights += weight_of_ply_before;
    }
    const double mean = sum / weights;
    const double score =
        scale * std::log(mean / (1 - mean)) + (side_to_move == core::Color::white ? tempo : -tempo);
    constexpr double most = engine::known_win - 1;
    return static_cast<engine::Score>(std::lround(std::clamp(score, -most, most)));
}

}  // namespace

Decoded decode(std::string_view bytes, const Decoding& decoding, Record* records) {
    Decoded decoded;
    engine::datagen::GameReader reader{bytes};
    // Read so far, with the sidelines of a game that is not complete yet.
    std::int64_t read = 0;
    std::int64_t plies = 0;
    while (!reader.at_end()) {
        const std::size_t begin = reader.offset();
        const auto game = reader.next();
        if (!game) {
            game.reason().copy(decoded.warning.data(), decoded.warning.size() - 1);
            break;
        }
        const auto points = expected_points(game->moves);
        core::Position position = game->start;
        for (std::size_t ply = 0; ply < game->moves.size(); ++ply) {
            const auto& recorded = game->moves[ply];
            if (engine::datagen::is_training_position(position, recorded)) {
                const engine::Score score = decoding.scores == Scores::smoothed
                                              ? smoothed_score(points, ply, position.side_to_move())
                                              : recorded.score;
                records[read++] = record_of(position, score, game->result);
            }
            position = position.after(recorded.move);
        }
        plies += static_cast<std::int64_t>(game->moves.size());
        if (!game->result)
            continue;
        // Sidelines go with the game that follows them, because their positions resemble its own.
        const auto hash = hash_of(bytes.substr(begin, reader.offset() - begin));
        const bool validates = hash % static_cast<std::uint64_t>(decoding.one_in) == 0;
        for (; decoded.records < read; ++decoded.records)
            records[decoded.records].validation = validates ? 1 : 0;
        ++decoded.games;
        decoded.plies = plies;
        decoded.bytes = static_cast<std::int64_t>(reader.offset());
    }
    if (plies > decoded.plies && decoded.warning[0] == '\0')
        std::string_view{"the last sidelines have no game"}.copy(decoded.warning.data(),
                                                                 decoded.warning.size() - 1);
    return decoded;
}

}  // namespace train
