#include "engine/tablebase/table_files.hpp"

#include <algorithm>
#include <filesystem>
#include <new>
#include <set>
#include <system_error>
#include <utility>

#include "core/paths.hpp"
#include "core/text.hpp"

namespace engine::tablebase {

namespace {

using core::Color;
using core::PieceType;

constexpr std::array kinds{TableKind::wdl, TableKind::dtz};
constexpr std::array<std::string_view, 2> extensions{".rtbw", ".rtbz"};

std::string_view extension_of(TableKind kind) {
    return extensions[static_cast<std::size_t>(kind)];
}

/// The most problems that a message names; it only counts the others.
constexpr std::size_t max_named_problems = 4;

/// The materials with one piece less, which a capture leads to.
std::vector<Material> materials_after_captures(Material material) {
    std::vector<Material> found;
    for (const Color color : core::both_colors) {
        for (const PieceType type : core::all_piece_types) {
            if (type != PieceType::king && material.count(color, type) > 0)
                found.push_back(material.without(color, type).canonical());
        }
    }
    return found;
}

std::string failure(const std::string& path, const std::string& reason) {
    return core::printable(path) + ": " + reason;
}

}  // namespace

std::optional<core::Error> TableFiles::scan(const std::string& path) {
    for (const std::string& folder : core::split_paths(path)) {
        std::error_code error;
        std::filesystem::directory_iterator file{core::utf8_path(folder), error};
        for (; !error && file != std::filesystem::directory_iterator{}; file.increment(error))
            add(folder, core::utf8_text(file->path().filename()));
        if (error)
            return core::Error{"cannot read the folder '" + core::printable(folder)
                               + "': " + error.message()};
    }
    note_missing_files();
    return std::nullopt;
}

/// Notes a file if its name is that of a table. If several folders have the table, the first good
/// one counts.
void TableFiles::add(const std::string& folder, const std::string& name) {
    for (const TableKind kind : kinds) {
        if (!name.ends_with(extension_of(kind)))
            continue;
        const auto material = Material::read(std::string_view{name}.substr(0, name.find('.')));
        if (!material)
            continue;
        File& file = entry_of(*material).file(kind);
        if (file.state == State::unopened)
            continue;
        const auto path = core::utf8_text(core::utf8_path(folder) / core::utf8_path(name));
        if (const auto error = Table::check_start(path, kind)) {
            note_problem(failure(path, error->reason));
            continue;
        }
        file.path = path;
        file.state = State::unopened;
        ++count_[static_cast<std::size_t>(kind)];
        if (kind == TableKind::wdl)
            largest_ = std::max(largest_, material->men());
    }
}

TableFiles::Entry& TableFiles::entry_of(Material material) {
    auto& entry = index_[material.key()];
    if (entry == nullptr) {
        entry = &entries_.emplace_back(material);
        index_[material.with_colors_swapped().key()] = entry;
    }
    return *entry;
}

/// A DTZ table needs its WDL table, and a WDL table needs those that its captures lead to.
void TableFiles::note_missing_files() {
    std::set<std::string> missing;
    const auto has = [&](Material material, TableKind kind) {
        const auto found = index_.find(material.key());
        return found != index_.end() && found->second->file(kind).state != State::none;
    };
    for (const Entry& entry : entries_) {
        for (const TableKind kind : kinds) {
            if (!has(entry.material, kind))
                missing.insert(entry.material.name() + std::string{extension_of(kind)});
        }
        for (const Material material : materials_after_captures(entry.material)) {
            if (material.men() > 2 && !has(material, TableKind::wdl))
                missing.insert(material.name() + std::string{extension_of(TableKind::wdl)});
        }
    }
    for (const auto& name : missing)
        note_problem(name + " is missing");
}

const Table* TableFiles::find(Material material, TableKind kind) const {
    const auto found = index_.find(material.key());
    if (found == index_.end())
        return nullptr;
    File& file = found->second->file(kind);
    // Acquire: whoever sees the table as open sees all of it.
    switch (file.state.load(std::memory_order_acquire)) {
        case State::open: return &*file.table;
        case State::unopened: return open(found->second->material, file, kind);
        default: return nullptr;
    }
}

const Table* TableFiles::open(Material material, File& file, TableKind kind) const {
    const std::lock_guard lock{mutex_};
    if (file.state == State::unopened) {
        auto table = [&]() -> core::Result<Table> {
            try {
                return Table::open(file.path, material, kind);
            }
            catch (const std::bad_alloc&) {
                return core::Error{"not enough memory"};
            }
        }();
        if (table)
            file.table.emplace(std::move(*table));
        else
            problems_.push_back(failure(file.path, table.reason()));
        file.state.store(table ? State::open : State::left_out, std::memory_order_release);
    }
    return file.state == State::open ? &*file.table : nullptr;
}

void TableFiles::leave_out(Material material, TableKind kind) const {
    const auto found = index_.find(material.key());
    if (found == index_.end())
        return;
    File& file = found->second->file(kind);
    // The table stays open: other threads may be reading it.
    State expected = State::open;
    if (file.state.compare_exchange_strong(expected, State::left_out))
        note_problem(failure(file.path, "corrupt or unreadable"));
}

void TableFiles::note_problem(std::string problem) const {
    const std::lock_guard lock{mutex_};
    problems_.push_back(std::move(problem));
}

std::optional<std::string> TableFiles::new_problems() const {
    const std::lock_guard lock{mutex_};
    if (problems_.empty())
        return std::nullopt;
    const auto named = std::min(problems_.size(), max_named_problems);
    std::string text;
    for (std::size_t i = 0; i < named; ++i)
        text += (i == 0 ? "" : "; ") + problems_[i];
    if (problems_.size() > named)
        text += "; and " + std::to_string(problems_.size() - named) + " more";
    problems_.clear();
    return text;
}

}  // namespace engine::tablebase
