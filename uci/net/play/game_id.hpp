#pragma once

#include <string>
#include <string_view>

#include "uci/net/randomness.hpp"

namespace uci::net::play {

/// A name that nobody can guess: 128 random bits in 32 hexadecimal digits.
std::string make_game_id(Randomness& randomness);

/// Whether a text could be such a name.
bool is_game_id(std::string_view text);

}  // namespace uci::net::play
