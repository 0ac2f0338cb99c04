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
struct TableImage {
    std::span<std::byte> bytes;
    std::uint32_t layout = 0;
    std::uint32_t network = 0;
    std::uint32_t generation = 0;
};

/// Writes a table to a file beside that path and gives it the name at the end, so that a file of that
/// name is always a whole one. Error: why not; the file of before is still there then.
std::optional<core::Error> save_table(const std::string& path, const TableImage& image);

/// Reads a file into a table; it must belong to the same layout, network and size. Returns its
/// generation. Error: why it does not fit; the table is what it was. Only if the file changes while it
/// is read can the table be lost: then it is empty.
core::Result<std::uint32_t> load_table(const std::string& path, const TableImage& image);

}  // namespace engine
