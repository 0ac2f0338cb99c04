#include "engine/book/polyglot_book.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/paths.hpp"

namespace engine::book {

core::Result<PolyglotBook> PolyglotBook::open(const std::string& path) {
    const auto file_path = core::utf8_path(path);
    std::error_code failure;
    const auto size = std::filesystem::file_size(file_path, failure);
    if (failure)
        return core::Error{failure.message()};
    if (!std::filesystem::is_regular_file(file_path, failure))
        return core::Error{"not a regular file"};
    if (size == 0)
        return core::Error{"empty file"};
    if (size % PolyglotEntry::size != 0)
        return core::Error{"not a Polyglot book: " + std::to_string(size)
                           + " bytes are not a multiple of " + std::to_string(PolyglotEntry::size)};
    errno = 0;
    std::ifstream file{file_path, std::ios::binary};
    if (!file)
        return core::Error{std::generic_category().message(errno)};
    PolyglotBook book{std::move(file), size / PolyglotEntry::size};
    if (const auto error = book.check_order())
        return *error;
    return book;
}

std::optional<core::Error> PolyglotBook::check_order() {
    core::Key last = 0;
    go_to(0);
    for (std::uint64_t i = 0; i < entry_count_; ++i) {
        const auto entry = read_next();
        if (!entry)
            return core::Error{"cannot be read"};
        if (entry->key < last)
            return core::Error{"not a Polyglot book: entry " + std::to_string(i + 1)
                               + " is not in the order of the keys"};
        last = entry->key;
    }
    return std::nullopt;
}

void PolyglotBook::go_to(std::uint64_t index) {
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(index * PolyglotEntry::size));
}

std::optional<PolyglotEntry> PolyglotBook::read_next() {
    std::array<char, PolyglotEntry::size> bytes{};
    if (!file_.read(bytes.data(), bytes.size()))
        return std::nullopt;
    std::array<std::uint8_t, PolyglotEntry::size> numbers{};
    std::copy(bytes.begin(), bytes.end(), numbers.begin());
    return PolyglotEntry::read(numbers);
}

core::Result<std::vector<PolyglotEntry>> PolyglotBook::entries() {
    std::vector<PolyglotEntry> entries;
    go_to(0);
    while (entries.size() < entry_count_) {
        const auto entry = read_next();
        if (!entry)
            return core::Error{"cannot be read"};
        entries.push_back(*entry);
    }
    return entries;
}

/// The index of the first entry whose key is not smaller.
std::uint64_t PolyglotBook::first_at_least(core::Key key) {
    std::uint64_t first = 0;
    std::uint64_t end = entry_count_;
    while (first < end) {
        const std::uint64_t middle = first + (end - first) / 2;
        go_to(middle);
        const auto entry = read_next();
        if (entry && entry->key < key)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

std::vector<BookMove> PolyglotBook::moves(const core::Game& game) {
    const core::Key key = polyglot_key(game);
    std::vector<BookMove> moves;
    go_to(first_at_least(key));
    for (auto entry = read_next(); entry && entry->key == key; entry = read_next()) {
        if (const auto move = move_of_code(game.position(), entry->move))
            moves.push_back({*move, entry->weight});
    }
    std::stable_sort(moves.begin(), moves.end(),
                     [](const auto& a, const auto& b) { return a.weight > b.weight; });
    return moves;
}

}  // namespace engine::book
