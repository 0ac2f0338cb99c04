#pragma once

#include <span>

#include "core/game.hpp"
#include "core/result.hpp"

#include "uci/chezz/codec/state_format.hpp"

namespace uci::chezz::codec {

/// A game and the format of its bytes.
struct DecodedGame {
    core::Game game;
    StateFormat format = StateFormat::front_end;
};

/// Decodes a game in any of the formats. Error: what is wrong with the bytes. Plays the moves by
/// the rules of chess and checks all other bytes against them, so encoding the result in its
/// format gives the same bytes.
core::Result<DecodedGame> decode(std::span<const std::uint8_t> bytes);

}  // namespace uci::chezz::codec
