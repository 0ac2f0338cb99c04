#pragma once

#include "core/game.hpp"
#include "core/result.hpp"

#include "uci/chezz/codec/state_format.hpp"

namespace uci::chezz::codec {

/// Encodes a game. Error: it does not begin with the start position, which the format cannot
/// express.
core::Result<Bytes> encode(const core::Game& game, StateFormat format);

}  // namespace uci::chezz::codec
