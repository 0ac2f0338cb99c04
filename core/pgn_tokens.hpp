#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace core {

inline constexpr std::array<std::string_view, 4> pgn_results{"1-0", "0-1", "1/2-1/2", "*"};

/// Whether a token ends the moves of a game.
[[nodiscard]] inline bool is_pgn_result(std::string_view token) {
    return std::find(pgn_results.begin(), pgn_results.end(), token) != pgn_results.end();
}

[[nodiscard]] inline std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view mark{"\xEF\xBB\xBF"};
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

}  // namespace core
