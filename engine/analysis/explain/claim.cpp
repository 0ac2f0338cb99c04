#include "engine/analysis/explain/claim.hpp"

#include <array>

namespace engine::explain {

namespace {

constexpr std::array<std::string_view, 13> kinds{
    "mate_allowed", "material_lost",  "draw_allowed", "game_drawn",      "win_given_up",
    "ending_lost",  "mate_missed",    "mate_delayed", "material_missed", "mates",
    "material_won", "threat_stopped", "mate_stopped"};

constexpr std::array<std::string_view, 19> motifs{"none",
                                                  "undefended",
                                                  "moved_into_attack",
                                                  "poor_trade",
                                                  "pinned_defender",
                                                  "defender_left",
                                                  "line_opened",
                                                  "overloaded",
                                                  "defender_removed",
                                                  "exchange",
                                                  "fork",
                                                  "skewer",
                                                  "pin",
                                                  "pinned_piece",
                                                  "discovered_attack",
                                                  "double_attack",
                                                  "trapped",
                                                  "promotion",
                                                  "back_rank"};

constexpr std::array<std::string_view, 3> verdicts{"best", "good", "worse"};

static_assert(kinds.size() == static_cast<std::size_t>(Kind::mate_stopped) + 1);
static_assert(motifs.size() == static_cast<std::size_t>(Motif::back_rank) + 1);

}  // namespace

std::string_view name(Kind kind) {
    return kinds[static_cast<std::size_t>(kind)];
}

std::string_view name(Motif motif) {
    return motifs[static_cast<std::size_t>(motif)];
}

std::string_view name(Verdict verdict) {
    return verdicts[static_cast<std::size_t>(verdict)];
}

}  // namespace engine::explain
