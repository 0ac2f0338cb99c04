#pragma once

#include <span>
#include <string>

#include "uci/json/web/game_reviews.hpp"

namespace uci::json::web {

/// `parley serve`: JSON messages over HTTP and WebSocket, and a page to play on. Takes the
/// arguments after `serve`, and how reviews are written; returns the exit status.
int serve(std::span<const std::string> arguments, WriteReview write_review);

}  // namespace uci::json::web
