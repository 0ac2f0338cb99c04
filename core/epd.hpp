#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/position.hpp"

namespace core {

/// An operation of an EPD line, such as `bm Nf3 Nc3` or `id "a name"`.
struct EpdOperation {
    std::string opcode;
    std::string operands;  ///< as written, without the quotes around a single string
};

/// A line of Extended Position Description.
struct Epd {
    std::string fen;  ///< the fields as written
    Position position = Position::start();
    std::vector<EpdOperation> operations;
};

/// Parses an EPD line: the four fields of a FEN, or all six, and operations separated by ';'.
/// Error: the FEN field at fault and why.
[[nodiscard]] Result<Epd> read_epd(std::string_view line);

}  // namespace core
