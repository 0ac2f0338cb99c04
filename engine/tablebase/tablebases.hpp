#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/position.hpp"

#include "engine/tablebase/table_files.hpp"
#include "engine/tablebase/wdl_score.hpp"

namespace engine::tablebase {

/// The Syzygy tables in some folders. Any number of threads may probe them at the same time: a
/// table is opened under a lock when it is first needed, and nothing else ever changes. Probes of
/// open tables take no lock and allocate nothing.
class Tablebases {
public:
    /// Finds the tables in the folders of a path (core::split_paths()). Files that are not what
    /// their names say are left out; new_problems() names them. Error: a folder that cannot be
    /// read, or that no folder has a table.
    static core::Result<std::shared_ptr<const Tablebases>> open(const std::string& path);

    ~Tablebases() = default;
    Tablebases(const Tablebases&) = delete;
    Tablebases& operator=(const Tablebases&) = delete;
    Tablebases(Tablebases&&) = delete;
    Tablebases& operator=(Tablebases&&) = delete;

    /// The most men, kings included, of a position that has a WDL table.
    int largest() const { return files_.largest(); }
    /// How many tables of a kind have been found.
    int count(TableKind kind) const { return files_.count(kind); }

    /// What a position is worth if its halfmove clock is 0. Nothing if castling is still possible,
    /// or if a table that is needed is missing, corrupt or unreadable.
    std::optional<WdlScore> probe_wdl(const core::Position& position) const;
    /// The plies to the next capture or pawn move if both sides make the best of it: positive if
    /// the side to move wins, 0 in a draw; beyond 100 for cursed wins and blessed losses. May be
    /// one less than the truth, as the tables count most distances in moves. -1 if checkmated.
    /// Nothing as above.
    std::optional<int> probe_dtz(const core::Position& position) const;

    /// Which files are missing or were left out since the last call, and why: one sentence. Nothing
    /// if there are none.
    std::optional<std::string> new_problems() const { return files_.new_problems(); }

private:
    /// A WDL, and whether a capture is among the best moves and decides it.
    struct Wdl {
        int score = 0;
        bool by_capture = false;
    };

    Tablebases() = default;

    bool covers(const core::Position& position) const;
    std::optional<int> stored_wdl(const core::Position& position) const;
    std::optional<int> search_captures(const core::Position& position, int alpha, int beta) const;
    std::optional<Wdl> wdl(const core::Position& position) const;
    std::optional<int> dtz(const core::Position& position) const;
    std::optional<bool> has_pawn_move_to(const core::Position& position, int score) const;
    std::optional<int> dtz_by_moves(const core::Position& position, int score) const;

    TableFiles files_;
};

}  // namespace engine::tablebase
