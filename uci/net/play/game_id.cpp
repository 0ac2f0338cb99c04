#include "uci/net/play/game_id.hpp"

#include <algorithm>

#include "uci/chezz/hex.hpp"

namespace uci::net::play {

std::string make_game_id(Randomness& randomness) {
    return chezz::hex(randomness.secret());
}

bool is_game_id(std::string_view text) {
    return text.size() == 2 * sizeof(chezz::Secret)
        && std::all_of(text.begin(), text.end(), [](char letter) {
               return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f');
           });
}

}  // namespace uci::net::play
