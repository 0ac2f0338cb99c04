#include "tools/train/decode.hpp"

#include <cmath>
#include <cstdlib>
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

/// Smooths the score of a ply, White's. A search with few nodes favours its side to move: the mean
/// score of net 7's games is 13 centipawns with 300 nodes, 1 with 2,000. The searches of the plies
/// before and after favour the other side.
engine::Score smoothed_score(const std::vector<engine::datagen::RecordedMove>& moves,
                             std::size_t ply) {
    int sum = 2 * moves[ply].score;
    int weight = 2;
    const auto add = [&](engine::Score score) {
        if (std::abs(score) >= engine::known_win)
            return;
        sum += score;
        ++weight;
    };
    if (ply > 0)
        add(moves[ply - 1].score);
    if (ply + 1 < moves.size())
        add(moves[ply + 1].score);
    return static_cast<engine::Score>(std::lround(static_cast<double>(sum) / weight));
}

}  // namespace

Decoded decode(std::string_view bytes, const Decoding& decoding, Record* records) {
    Decoded decoded;
    engine::datagen::GameReader reader{bytes};
    while (!reader.at_end()) {
        const std::size_t begin = reader.offset();
        const auto game = reader.next();
        if (!game) {
            game.reason().copy(decoded.warning.data(), decoded.warning.size() - 1);
            break;
        }
        const auto hash = hash_of(bytes.substr(begin, reader.offset() - begin));
        core::Position position = game->start;
        for (std::size_t ply = 0; ply < game->moves.size(); ++ply) {
            const auto& recorded = game->moves[ply];
            if (engine::datagen::is_training_position(position, recorded)) {
                const engine::Score score = decoding.scores == Scores::smoothed
                                              ? smoothed_score(game->moves, ply)
                                              : recorded.score;
                Record record = record_of(position, score, game->result);
                record.validation = hash % static_cast<std::uint64_t>(decoding.one_in) == 0 ? 1 : 0;
                records[decoded.records++] = record;
            }
            position = position.after(recorded.move);
        }
        ++decoded.games;
        decoded.plies += static_cast<std::int64_t>(game->moves.size());
        decoded.bytes = static_cast<std::int64_t>(reader.offset());
    }
    return decoded;
}

}  // namespace train
