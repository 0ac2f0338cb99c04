#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/result.hpp"

// Files of games and their checksums. Beside FILE.vf stands FILE.vf.crc with one line, "BYTES CRC":
// the CRC-32 (hexadecimal, as zlib computes it) of the file's first BYTES bytes. Bytes beyond
// these were written by a run that ended before it could write their checksum.
namespace engine::datagen {

struct Checksum {
    std::uint64_t bytes = 0;
    std::uint32_t crc = 0;

    /// The checksum of these bytes appended to those it covers.
    Checksum extended_by(std::string_view appended) const;
    friend bool operator==(const Checksum&, const Checksum&) = default;
};

/// The file with a number; it holds the games from number * games_per_file on.
std::filesystem::path game_file(const std::filesystem::path& folder, std::uint64_t number);

/// The contents of a game file, compared with its checksum where it has one; nothing when there is
/// no file. Error: the file cannot be read, or is damaged.
core::Result<std::optional<std::string>> read_game_file(const std::filesystem::path& path);

/// Writes the checksum of a game file, so that at any time either the old or the new one is there.
/// False when it cannot be written.
bool write_checksum(const std::filesystem::path& game_file, const Checksum& checksum);

}  // namespace engine::datagen
