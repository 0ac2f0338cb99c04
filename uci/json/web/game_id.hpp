#pragma once

#include <string>
#include <string_view>

#include "uci/util/secure_random.hpp"

namespace uci::json::web {

/// A game id that cannot be guessed: 128 random bits as 32 hexadecimal digits.
std::string make_game_id(util::SecureRandom& randomness);

/// Whether a text has the form of a game id.
bool is_game_id(std::string_view text);

}  // namespace uci::json::web
