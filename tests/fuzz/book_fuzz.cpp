#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "core/movegen.hpp"

#include "engine/book/book_builder.hpp"
#include "engine/book/opening_book.hpp"

#include "tests/fuzz/fuzz_target.hpp"
#include "tests/temporary_folder.hpp"

using namespace engine::book;
using tests::require;

namespace {

/// The bytes as entries, the first of them for the start position: chance would never hit its key.
void write_book(const std::filesystem::path& path, std::string_view bytes) {
    std::ofstream file{path, std::ios::binary};
    if (bytes.size() >= PolyglotEntry::size) {
        std::array<std::uint8_t, PolyglotEntry::size> first{};
        std::copy_n(bytes.begin(), first.size(), first.begin());
        auto entry = PolyglotEntry::read(first);
        entry.key = core::Position::start().key();
        for (const std::uint8_t byte : entry.bytes())
            file.put(static_cast<char>(byte));
        bytes.remove_prefix(PolyglotEntry::size);
    }
    file << bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const tests::TemporaryFolder folder;
    const auto path = folder.path() / "fuzz.bin";
    write_book(path, tests::text_of(data, size));
    auto book = PolyglotBook::open(path.string());
    if (!book) {
        require(!book.reason().empty(), "a refusal has a reason");
        return 0;
    }
    const auto entries = (*book).entries();
    require(entries && entries->size() * PolyglotEntry::size == size, "every entry is read");
    require(merge(*entries, *entries).size() == entries->size(), "a book merged with itself stays");
    const core::Game start;
    for (const auto& known : (*book).moves(start))
        require(core::is_legal(start.position(), known.move), "only legal moves are given");
    auto opening_book = OpeningBook::open(path.string());
    require(static_cast<bool>(opening_book), "what is a book is one among several");
    for (const Variety variety : {Variety::best, Variety::weighted, Variety::even}) {
        const auto choice = (*opening_book).choose(start, variety, UINT64_MAX / 3);
        require(!choice || core::is_legal(start.position(), choice->move),
                "a legal move is chosen");
    }
    return 0;
}
