#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/position.hpp"

#include "engine/tablebase/compressed_values.hpp"
#include "engine/tablebase/encoding.hpp"
#include "engine/tablebase/mapped_file.hpp"
#include "engine/tablebase/wdl_score.hpp"

namespace engine::tablebase {

/// The two files of a material: .rtbw has wins, draws and losses, .rtbz the distances to zeroing.
enum class TableKind : std::uint8_t { wdl, dtz };

/// One table file. Any thread may read it; nothing changes after it was opened.
class Table {
public:
    /// Opens a file and checks everything that its header says: all offsets and lengths add up to
    /// its size. Error: why the file is not the table of that material and kind.
    static core::Result<Table> open(const std::string& path, Material material, TableKind kind);
    /// Checks the first bytes of a file and its size only. Error: why it is no table of that kind.
    static std::optional<core::Error> check_start(const std::string& path, TableKind kind);

    /// What a WDL table stores of a position, which must have its material. If a capture is at
    /// least as good, that may be less than the truth. Nothing after a read error or in a corrupt
    /// file.
    std::optional<WdlScore> wdl(const core::Position& position) const;

    /// What a DTZ table stores: the distance, or that it has only positions of the other side.
    struct Distance {
        bool is_other_side = false;
        int plies = 0;  ///< beyond dtz_before_zeroing() of its score; not negative
    };
    /// The distance of a position, which must have the table's material. `score` must be its true
    /// WDL, not a draw. Nothing after a read error or in a corrupt file.
    std::optional<Distance> distance(const core::Position& position, WdlScore score) const;

private:
    struct SubTable {
        Encoding encoding;
        CompressedValues values;
    };
    /// Where a DTZ file has the distances of one class, ordered by frequency.
    struct ValueMap {
        std::uint64_t offset = 0;
        int count = 0;
    };
    struct Maps {
        std::array<ValueMap, 4> of_class{};
        bool is_wide = false;  ///< two bytes for each value
    };
    /// How a position must be turned to be found in the table.
    struct Orientation {
        bool is_flipped = false;  ///< the table has the colours the other way round
        int side = 0;             ///< to move: 0 is the table's White
    };

    Table(MappedFile file, Material material, TableKind kind);

    std::optional<core::Error> read();
    std::vector<Encoding::Description> read_descriptions(core::ByteReader& reader) const;
    bool read_sub_tables(core::ByteReader& reader);
    void read_maps(core::ByteReader& reader);
    int sides() const { return kind_ == TableKind::wdl && !material_.is_symmetric() ? 2 : 1; }
    int files() const { return material_.has_pawns() ? pawn_files : 1; }

    Orientation orientation_of(const core::Position& position) const;
    std::size_t file_of(const core::Position& position, Orientation orientation) const;
    const SubTable& sub_table(std::size_t file, int side) const;
    std::optional<int> stored(const core::Position& position,
                              Orientation orientation,
                              const SubTable& sub_table) const;
    std::optional<int> mapped(int stored, std::size_t file, WdlScore score) const;
    core::Bitboard men(const core::Position& position,
                       PieceCode code,
                       Orientation orientation) const;

    MappedFile file_;
    Material material_;
    TableKind kind_;
    std::vector<SubTable> sub_tables_;  ///< by the leading pawn's file, then by the side to move
    std::vector<Maps> maps_;            ///< by the leading pawn's file; only in DTZ tables
};

}  // namespace engine::tablebase
