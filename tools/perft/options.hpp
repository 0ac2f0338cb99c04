#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/position.hpp"
#include "core/result.hpp"

namespace tools::perft {

/// The options of the command line.
struct Options {
    core::Position position = core::Position::start();
    std::optional<int> depth;  ///< set unless a suite is run to its end
    std::string suite;         ///< the file of a suite; empty when one position is counted
    int threads = 1;
    int hash_megabytes = 0;
    bool divide = false;
    bool chess960 = false;
    bool help = false;
};

/// Parses the arguments after the program's name. Error: the argument at fault and why.
core::Result<Options> read_options(std::span<const std::string_view> arguments);

}  // namespace tools::perft
