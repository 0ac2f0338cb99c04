#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/result.hpp"

// A transposition table in a file. All numbers are little-endian.
//
//   8 bytes   PARLEYTT
//   4         version of the format: 1
//   4         layout of the table's entries (TranspositionTable::layout)
//   4         checksum of the network whose scores the entries have
//   4         generation of the table
//   8         how many bytes the table has
//   4         CRC-32 of the bytes before
//
// and then the bytes of the table, each MiB, or what is left of one, followed by its CRC-32.
namespace engine {

/// The bytes of a transposition table and what they belong to. This file knows nothing of entries.
struct TTImage {
    std::span<std::byte> bytes;
    std::uint32_t layout = 0;      ///< TranspositionTable::layout
    std::uint32_t network = 0;     ///< Network::checksum()
    std::uint32_t generation = 0;  ///< TranspositionTable::generation()
};

/// Writes a table to PATH.part and renames it at the end, so that a file at the path is always
/// complete. Error: why not; an older file at the path is then unchanged.
std::optional<core::Error> save_tt_file(const std::string& path, const TTImage& image);

/// Reads a file into a table of the same layout, network and size. Returns its generation. Error:
/// why it does not fit; the table is unchanged, unless the file changes while it is read: then the
/// table is empty.
core::Result<std::uint32_t> load_tt_file(const std::string& path, const TTImage& image);

}  // namespace engine
