#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/game.hpp"
#include "core/notation.hpp"

#include "engine/limits.hpp"
#include "engine/score.hpp"
#include "engine/win_rate.hpp"

namespace engine {

/// How a search is getting on: one of its best lines.
struct Info {
    int depth = 0;
    int selective_depth = 0;
    int line_number = 1;             ///< 1 is the best line, 2 the next ...
    Score score = draw;              ///< as told() has it
    std::optional<Chances> chances;  ///< if they are wanted
    Bound bound = Bound::exact;
    std::uint64_t nodes = 0;
    Milliseconds time{0};
    int table_permill = 0;  ///< how full the transposition table is
    std::vector<core::Move> line;
    core::CastlingStyle castling{};
};

/// The root move that a long search is looking at now.
struct CurrentMove {
    core::Move move{};
    int number = 1;
    core::CastlingStyle castling{};
};

/// The end of a search, exactly one for each Go. There is no move when none is legal.
struct BestMove {
    std::optional<core::Move> move;
    std::optional<core::Move> ponder;
    core::CastlingStyle castling{};
    Score score = draw;  ///< of the move, for the player to move; as told() has it
};

/// The state of the Main Task, for those who asked.
struct Snapshot {
    std::string subject;  ///< as it was asked
    core::Game game;
    Score evaluation = draw;  ///< for the player to move, as told() has it
    core::CastlingStyle castling{};
    Chances chances{};  ///< of the player to move, by the evaluation
    /// What the evaluation would lose without the piece on each square; for kings, nothing.
    std::array<std::optional<Score>, core::Square::count> contributions{};
};

/// A command that was not obeyed, with a sentence saying why; nothing has changed.
struct Refused {
    std::string reason;
};

/// A command that was obeyed in a way its sender should know about.
struct Notice {
    std::string text;
};

struct PerftReport {
    std::vector<std::pair<core::Move, std::uint64_t>> leaves;  ///< after each root move
    std::uint64_t total = 0;
    Milliseconds time{0};
    core::CastlingStyle castling{};
};

struct BenchReport {
    std::uint64_t nodes = 0;
    Milliseconds time{0};
};

/// Words that were handed in to be said in their turn, after all responses before them.
struct Echo {
    std::string text;
};

using Response = std::
    variant<Info, CurrentMove, BestMove, Snapshot, Refused, Notice, PerftReport, BenchReport, Echo>;

}  // namespace engine
