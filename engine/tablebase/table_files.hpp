#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/tablebase/table.hpp"

namespace engine::tablebase {

/// The table files in some folders, found by their materials and opened when they are first needed.
class TableFiles {
public:
    /// Looks through the folders of a path. Error: the first folder that cannot be read, and why.
    std::optional<core::Error> scan(const std::string& path);

    /// The table of a material. Null if there is none, or if it has a problem.
    const Table* find(Material material, TableKind kind) const;
    /// Leaves a table out from now on; it has been found corrupt or unreadable.
    void leave_out(Material material, TableKind kind) const;

    int count(TableKind kind) const { return count_[static_cast<std::size_t>(kind)]; }
    /// The most men of a WDL table.
    int largest() const { return largest_; }
    /// What went wrong since the last call, in one sentence; nothing if all is well. Each problem
    /// is returned once.
    std::optional<std::string> new_problems() const;

private:
    enum class State : std::uint8_t { none, unopened, open, left_out };

    /// A file. Its state is `open` only when the table can be read by any thread.
    struct File {
        std::string path;
        std::atomic<State> state{State::none};
        std::optional<Table> table;
    };
    /// Both files of a material.
    struct Entry {
        explicit Entry(Material its_material) : material{its_material} {}
        File& file(TableKind kind) { return files[static_cast<std::size_t>(kind)]; }
        const File& file(TableKind kind) const { return files[static_cast<std::size_t>(kind)]; }
        Material material;
        std::array<File, 2> files;
    };
    void add(const std::string& folder, const std::string& name);
    Entry& entry_of(Material material);
    void note_missing_files();
    void note_problem(std::string problem) const;
    const Table* open(Material material, File& file, TableKind kind) const;

    std::deque<Entry> entries_;  ///< they never move
    /// By the material's key, and by that with colours swapped.
    std::unordered_map<std::uint64_t, Entry*> index_;
    std::array<int, 2> count_{};
    int largest_ = 0;

    mutable std::mutex mutex_;  ///< guards the opening of files, and problems_
    mutable std::vector<std::string> problems_;
};

}  // namespace engine::tablebase
