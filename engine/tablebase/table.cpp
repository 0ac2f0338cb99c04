#include "engine/tablebase/table.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "core/paths.hpp"

namespace engine::tablebase {

namespace {

using core::Bitboard;
using core::Color;
using core::PieceType;
using core::Position;
using core::Square;

constexpr std::size_t magic_size = 4;
constexpr std::array<std::uint8_t, magic_size> wdl_magic{0x71, 0xE8, 0x23, 0x5D};
constexpr std::array<std::uint8_t, magic_size> dtz_magic{0xD7, 0x66, 0x0C, 0xA5};

// The sections of a file are aligned, and a checksum follows them.
constexpr std::uint64_t alignment = 64;
constexpr std::uint64_t checksum_size = 16;

// The byte behind the magic.
constexpr unsigned split_flag = 1;  ///< both sides to move are stored
constexpr unsigned pawns_flag = 2;

// The flags of a DTZ sub-table.
constexpr unsigned black_to_move_flag = 1;
constexpr unsigned maps_flag = 2;
constexpr unsigned exact_wins_flag = 4;  ///< counted in plies, not in moves
constexpr unsigned exact_losses_flag = 8;
constexpr unsigned wide_maps_flag = 16;

const auto& magic_of(TableKind kind) {
    return kind == TableKind::wdl ? wdl_magic : dtz_magic;
}

std::optional<core::Error> check_start(std::span<const std::uint8_t> start,
                                       std::uint64_t size,
                                       TableKind kind) {
    if (size < magic_size + checksum_size)
        return core::Error{"truncated"};
    if (!std::equal(start.begin(), start.begin() + magic_size, magic_of(kind).begin()))
        return core::Error{"not a Syzygy table"};
    if (size % alignment != checksum_size)
        return core::Error{"truncated"};
    return std::nullopt;
}

/// The place of the map of a class that is not a draw.
std::size_t map_of(WdlScore score) {
    switch (score) {
        case WdlScore::win: return 0;
        case WdlScore::loss: return 1;
        case WdlScore::cursed_win: return 2;
        default: return 3;
    }
}

bool is_exact(WdlScore score, unsigned flags) {
    return (score == WdlScore::win && (flags & exact_wins_flag) != 0)
        || (score == WdlScore::loss && (flags & exact_losses_flag) != 0);
}

}  // namespace

Table::Table(MappedFile file, Material material, TableKind kind)
    : file_{std::move(file)},
      material_{material},
      kind_{kind} {}

std::optional<core::Error> Table::check_start(const std::string& path, TableKind kind) {
    std::error_code error;
    const auto file_path = core::utf8_path(path);
    if (!std::filesystem::is_regular_file(file_path, error))
        return core::Error{error ? error.message() : "not a file"};
    const auto size = std::filesystem::file_size(file_path, error);
    if (error)
        return core::Error{error.message()};
    std::ifstream file{file_path, std::ios::binary};
    std::array<char, magic_size> letters{};
    if (!file.read(letters.data(), letters.size()))
        return core::Error{file.is_open() ? "truncated" : "cannot be read"};
    std::array<std::uint8_t, magic_size> start{};
    std::transform(letters.begin(), letters.end(), start.begin(),
                   [](char letter) { return static_cast<std::uint8_t>(letter); });
    return tablebase::check_start(start, size, kind);
}

core::Result<Table> Table::open(const std::string& path, Material material, TableKind kind) {
    auto file = MappedFile::open(path);
    if (!file)
        return file.error();
    Table table{std::move(*file), material, kind};
    if (auto error = table.read())
        return *error;
    return table;
}

/// Reads the header, and from it where everything else is.
std::optional<core::Error> Table::read() {
    const auto bytes = file_.bytes();
    if (auto error = tablebase::check_start(bytes, bytes.size(), kind_))
        return error;
    core::ByteReader reader{std::as_bytes(bytes)};
    reader.skip(magic_size);
    const unsigned flags = reader.u8();
    if (((flags & pawns_flag) != 0) != material_.has_pawns()
        || (kind_ == TableKind::wdl && ((flags & split_flag) != 0) == material_.is_symmetric()))
        return core::Error{"the header is not that of this table"};
    if (!read_sub_tables(reader))
        return core::Error{"corrupt header"};
    if (kind_ == TableKind::dtz)
        read_maps(reader);
    for (SubTable& sub_table : sub_tables_)
        sub_table.values.read_sparse_index(reader);
    for (SubTable& sub_table : sub_tables_)
        sub_table.values.read_block_lengths(reader);
    for (SubTable& sub_table : sub_tables_)
        sub_table.values.read_blocks(reader);
    reader.align(alignment);
    reader.skip(checksum_size);
    if (reader.offset() != bytes.size())
        return core::Error{reader.is_inside() ? "too long, or corrupt" : "truncated, or corrupt"};
    if (file_.has_failed())
        return core::Error{"read error"};
    return std::nullopt;
}

/// Reads, for every sub-table, the order of the factors and of the men. The lower half of each byte
/// is for the table's White to move, the upper half for Black.
std::vector<Encoding::Description> Table::read_descriptions(core::ByteReader& reader) const {
    const bool both_have_pawns = material_.count(Color::white, PieceType::pawn) > 0
                              && material_.count(Color::black, PieceType::pawn) > 0;
    std::vector<Encoding::Description> descriptions;
    for (int file = 0; file < files(); ++file) {
        std::array<std::uint8_t, max_men + 2> bytes{};
        const int places = both_have_pawns ? 2 : 1;
        const int count = material_.men() + places;
        for (int i = 0; i < count; ++i)
            bytes[static_cast<std::size_t>(i)] = reader.u8();
        for (int side = 0; side < sides(); ++side) {
            const auto half = [&](int i) {
                return static_cast<PieceCode>(bytes[static_cast<std::size_t>(i)] >> (4 * side)
                                              & 15);
            };
            Encoding::Description description;
            description.pawn_file = file;
            description.leading_place = half(0);
            description.other_pawns_place = both_have_pawns ? half(1) : 0;
            for (int man = 0; man < material_.men(); ++man)
                description.pieces[static_cast<std::size_t>(man)] = half(places + man);
            descriptions.push_back(description);
        }
    }
    reader.align(2);
    return descriptions;
}

bool Table::read_sub_tables(core::ByteReader& reader) {
    for (const auto& description : read_descriptions(reader)) {
        const auto encoding = Encoding::make(material_, description);
        if (!encoding)
            return false;
        auto values = CompressedValues::read_header(reader, encoding->size());
        if (!values)
            return false;
        sub_tables_.push_back({*encoding, std::move(*values)});
    }
    return reader.is_inside();
}

void Table::read_maps(core::ByteReader& reader) {
    for (const SubTable& sub_table : sub_tables_) {
        Maps& maps = maps_.emplace_back();
        const unsigned flags = sub_table.values.flags();
        if ((flags & maps_flag) == 0)
            continue;
        maps.is_wide = (flags & wide_maps_flag) != 0;
        if (maps.is_wide)
            reader.align(2);
        for (ValueMap& map : maps.of_class) {
            map.count = maps.is_wide ? reader.u16() : reader.u8();
            map.offset = reader.offset();
            reader.skip(static_cast<std::uint64_t>(map.count) * (maps.is_wide ? 2 : 1));
        }
    }
    reader.align(2);
}

/// A symmetric table has only positions with White to move; another one has its White as the first
/// side of its name.
Table::Orientation Table::orientation_of(const Position& position) const {
    const bool white_to_move = position.side_to_move() == Color::white;
    if (material_.is_symmetric())
        return {!white_to_move, 0};
    const bool is_flipped = Material::of(position) != material_;
    return {is_flipped, white_to_move == is_flipped ? 1 : 0};
}

Bitboard Table::men(const Position& position, PieceCode code, Orientation orientation) const {
    const Color color = orientation.is_flipped ? ~color_of(code) : color_of(code);
    return position.pieces(color, type_of(code));
}

/// The sub-table that has a position with pawns.
std::size_t Table::file_of(const Position& position, Orientation orientation) const {
    if (!material_.has_pawns())
        return 0;
    // All sub-tables have the same leading pawns.
    const PieceCode code = sub_tables_[0].encoding.pieces()[0];
    Squares squares{};
    std::size_t count = 0;
    for (const Square square : men(position, code, orientation))
        squares[count++] = orientation.is_flipped ? Square{square.index() ^ 56} : square;
    return static_cast<std::size_t>(pawn_file(leading_pawn(std::span{squares}.first(count))));
}

const Table::SubTable& Table::sub_table(std::size_t file, int side) const {
    return sub_tables_[file * static_cast<std::size_t>(sides())
                       + static_cast<std::size_t>(sides() == 2 ? side : 0)];
}

std::optional<int> Table::stored(const Position& position,
                                 Orientation orientation,
                                 const SubTable& sub_table) const {
    const bool mirror = orientation.is_flipped && material_.has_pawns();
    const auto& pieces = sub_table.encoding.pieces();
    Squares squares{};
    const auto count = static_cast<std::size_t>(material_.men());
    for (std::size_t at = 0; at < count;) {
        for (const Square square : men(position, pieces[at], orientation)) {
            assert(at < count);
            squares[at++] = mirror ? Square{square.index() ^ 56} : square;
        }
    }
    const auto index = sub_table.encoding.index(squares);
    if (!index)
        return std::nullopt;
    const auto value = sub_table.values.at(file_.bytes(), *index);
    if (file_.has_failed())
        return std::nullopt;
    return value;
}

std::optional<WdlScore> Table::wdl(const Position& position) const {
    assert(kind_ == TableKind::wdl && Material::of(position).canonical() == material_);
    const Orientation orientation = orientation_of(position);
    const auto value =
        stored(position, orientation, sub_table(file_of(position, orientation), orientation.side));
    if (!value || *value > 4)
        return std::nullopt;
    return static_cast<WdlScore>(*value - 2);
}

std::optional<Table::Distance> Table::distance(const Position& position, WdlScore score) const {
    assert(kind_ == TableKind::dtz && Material::of(position).canonical() == material_);
    assert(score != WdlScore::draw);
    const Orientation orientation = orientation_of(position);
    const std::size_t file = file_of(position, orientation);
    const SubTable& sub_table = this->sub_table(file, 0);
    const unsigned flags = sub_table.values.flags();
    const int stored_side = (flags & black_to_move_flag) != 0 ? 1 : 0;
    if (!material_.is_symmetric() && orientation.side != stored_side)
        return Distance{true, 0};
    // A single value in a DTZ file is zero, whatever its byte says.
    const auto value = sub_table.values.is_single_value()
                         ? std::optional{0}
                         : stored(position, orientation, sub_table);
    const auto moves = value ? mapped(*value, file, score) : std::nullopt;
    if (!moves)
        return std::nullopt;
    return Distance{false, is_exact(score, flags) ? *moves : 2 * *moves};
}

std::optional<int> Table::mapped(int stored, std::size_t file, WdlScore score) const {
    const Maps& maps = maps_[file];
    const unsigned flags = sub_table(file, 0).values.flags();
    if ((flags & maps_flag) == 0)
        return stored;
    const ValueMap& map = maps.of_class[map_of(score)];
    if (stored >= map.count)
        return std::nullopt;
    core::ByteReader reader{std::as_bytes(file_.bytes())};
    reader.skip(map.offset + static_cast<std::uint64_t>(stored) * (maps.is_wide ? 2 : 1));
    const int value = maps.is_wide ? reader.u16() : reader.u8();
    if (file_.has_failed())
        return std::nullopt;
    return value;
}

}  // namespace engine::tablebase
