#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace uci::net::play {

/// A name that nobody can guess: 128 random bits of the operating system's, in 32 hexadecimal
/// digits. Nothing when the system gives none.
std::optional<std::string> make_game_id();

/// Whether a text could be such a name.
bool is_game_id(std::string_view text);

}  // namespace uci::net::play
