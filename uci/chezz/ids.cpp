#include "uci/chezz/ids.hpp"

#include <algorithm>

#include "core/text.hpp"

#include "uci/util/base64.hpp"

namespace uci::chezz {

namespace {

// The epoch of chezz-back's snowflakes.
constexpr std::chrono::milliseconds epoch{1'288'834'974'657};
constexpr int bits_below_time = 22;
constexpr std::uint64_t random_mask = 0xFFFF'FFFF;
constexpr std::uint64_t number_mask = 0x7FFF'FFFF'FFFF'FFFF;

constexpr std::size_t max_session_id = 64;

bool is_session_id_character(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-'
        || c == '_';
}

}  // namespace

std::optional<GameId> read_game_id(std::string_view text) {
    const auto value = core::read_integer(text);
    if (!value || *value < 1)
        return std::nullopt;
    return GameId{*value};
}

std::int64_t snowflake(std::chrono::system_clock::time_point now, std::uint32_t random) {
    const auto since_1970 =
        std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch());
    const auto time = static_cast<std::uint64_t>((since_1970 - epoch).count()) << bits_below_time;
    return static_cast<std::int64_t>((time & ~random_mask & number_mask) | random);
}

std::string session_id(const util::Token128& token) {
    std::string text = util::unpadded_base64(token);
    std::replace(text.begin(), text.end(), '+', '-');
    std::replace(text.begin(), text.end(), '/', '_');
    return text;
}

bool is_session_id(std::string_view text) {
    return !text.empty() && text.size() <= max_session_id
        && std::all_of(text.begin(), text.end(), is_session_id_character);
}

}  // namespace uci::chezz
