#include "uci/chezz/identity.hpp"

#include <algorithm>

#include "core/text.hpp"

#include "uci/chezz/base64.hpp"

namespace uci::chezz {

namespace {

/// Where the time of all snowflakes begins, as with chezz-back.
constexpr std::chrono::milliseconds epoch{1'288'834'974'657};
constexpr int bits_below_time = 22;
constexpr std::uint64_t chance_mask = 0xFFFF'FFFF;
constexpr std::uint64_t number_mask = 0x7FFF'FFFF'FFFF'FFFF;

constexpr std::size_t longest_session_id = 64;

bool is_letter_of_session(char letter) {
    return (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z')
        || (letter >= 'a' && letter <= 'z') || letter == '-' || letter == '_';
}

}  // namespace

std::optional<GameId> read_game_id(std::string_view text) {
    const auto value = core::read_integer(text);
    if (!value || *value < 1)
        return std::nullopt;
    return GameId{*value};
}

std::int64_t snowflake(std::chrono::system_clock::time_point now, std::uint32_t chance) {
    const auto since_1970 =
        std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch());
    const auto time = static_cast<std::uint64_t>((since_1970 - epoch).count()) << bits_below_time;
    return static_cast<std::int64_t>((time & ~chance_mask & number_mask) | chance);
}

std::string session_id(const Secret& secret) {
    std::string text = unpadded_base64(secret);
    std::replace(text.begin(), text.end(), '+', '-');
    std::replace(text.begin(), text.end(), '/', '_');
    return text;
}

bool is_session_id(std::string_view text) {
    return !text.empty() && text.size() <= longest_session_id
        && std::all_of(text.begin(), text.end(), is_letter_of_session);
}

}  // namespace uci::chezz
