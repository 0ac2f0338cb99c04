#include "engine/analysis/explain/ending.hpp"

#include <cstdlib>

#include "engine/evaluate/endgames.hpp"

namespace engine::explain {

namespace {

using core::PieceType;
using core::Position;
using tablebase::WdlScore;

constexpr int fifty_moves = 100;

bool is_pawn_against_king(const Position& position) {
    return position.pieces().count() == 3 && position.pieces(PieceType::pawn).count() == 1;
}

EndingResult kpk_result(const Position& position) {
    const Score score = evaluate::apply_endgame_rules(position, draw);
    if (score == draw)
        return EndingResult::draw;
    return score > draw ? EndingResult::win : EndingResult::loss;
}

std::optional<EndingResult> table_result(const Position& position,
                                         const tablebase::Tablebases& tables) {
    const auto wdl = tables.probe_wdl(position);
    if (!wdl)
        return std::nullopt;
    if (*wdl == WdlScore::draw)
        return EndingResult::draw;
    // A win counts if the next capture or pawn move comes in time; the distance may be one too
    // small.
    const auto dtz = tables.probe_dtz(position);
    if ((*wdl != WdlScore::win && *wdl != WdlScore::loss) || !dtz
        || std::abs(*dtz) + 1 + position.halfmove_clock() > fifty_moves)
        return std::nullopt;
    return *wdl == WdlScore::win ? EndingResult::win : EndingResult::loss;
}

}  // namespace

std::optional<EndingResult> known_result(const Position& position,
                                         const tablebase::Tablebases* tables) {
    // A won pawn ending needs fewer moves than this to the next move of the pawn.
    constexpr int early = fifty_moves / 2;
    if (is_pawn_against_king(position) && position.halfmove_clock() < early)
        return kpk_result(position);
    if (!tables || position.pieces().count() > tables->largest())
        return std::nullopt;
    return table_result(position, *tables);
}

}  // namespace engine::explain
