#include "uci/json/web/game_id.hpp"

#include <algorithm>

#include "uci/util/hex.hpp"

namespace uci::json::web {

std::string make_game_id(util::SecureRandom& randomness) {
    return util::hex(randomness.token());
}

bool is_game_id(std::string_view text) {
    return text.size() == 2 * sizeof(util::Token128)
        && std::all_of(text.begin(), text.end(), [](char letter) {
               return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f');
           });
}

}  // namespace uci::json::web
