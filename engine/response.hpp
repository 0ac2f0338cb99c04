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

#include "engine/analysis/explain/claim.hpp"
#include "engine/limits.hpp"
#include "engine/score.hpp"
#include "engine/wdl.hpp"

namespace engine {

/// Progress of a search: one of its principal variations. The Main Task fills in what the search
/// does not know: wdl, castling and the scale of the score.
struct Info {
    int depth = 0;
    int seldepth = 0;
    int multipv = 1;         ///< 1 is the best pv, 2 the next ...
    Score score = draw;      ///< normalised() in responses, raw inside the search
    std::optional<Wdl> wdl;  ///< with UCI_ShowWDL
    Bound bound = Bound::exact;
    std::uint64_t nodes = 0;
    Milliseconds time{0};
    int hashfull = 0;          ///< used part of the transposition table, in thousandths
    std::uint64_t tbhits = 0;  ///< positions that the endgame tables knew
    std::vector<core::Move> pv;
    core::CastlingStyle castling{};
    bool best_move_follows = false;  ///< at once: both may be written together
};

/// The root move that a long search is searching now.
struct CurrentMove {
    core::Move move{};
    int currmovenumber = 1;  ///< counted from 1
    core::CastlingStyle castling{};
};

/// The end of a search, exactly one for each Go. There is no move when none is legal.
struct BestMove {
    std::optional<core::Move> move;
    std::optional<core::Move> ponder;
    core::CastlingStyle castling{};
    Score score = draw;  ///< of the move, for the side to move; normalised() in responses
    /// The nodes searched when the search was stopped in the middle of an iteration; nothing if it
    /// ended between two. With one thread, that limit of nodes, or else the depth, repeats it.
    std::optional<std::uint64_t> aborted_at{};
};

/// The state of the Main Task: the answer to an Ask.
struct Snapshot {
    std::uint64_t id = 0;  ///< of the Ask
    core::Game game;
    core::CastlingStyle castling{};
    std::optional<Score> evaluation;  ///< for the side to move, normalised(); if requested
    std::optional<Wdl> wdl;           ///< of the side to move, from the evaluation; if requested
    /// By how much the evaluation drops without the piece on each square; if requested. Empty
    /// squares and kings have none.
    std::array<std::optional<Score>, core::Square::count> contributions{};
};

/// A command that was rejected, and why; nothing has changed.
struct Refused {
    std::string reason;
};

/// A command that was carried out, but not as its sender may expect.
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

/// The answer to a Why.
struct Explained {
    core::Position position = core::Position::start();  ///< before the move
    explain::Explanation explanation;
};

/// A marker that GeneralInterface::sync() put among the responses.
struct Synced {
    std::uint64_t id = 0;
};

using Response = std::variant<Info,
                              CurrentMove,
                              BestMove,
                              Snapshot,
                              Refused,
                              Notice,
                              PerftReport,
                              BenchReport,
                              Explained,
                              Synced>;

}  // namespace engine
