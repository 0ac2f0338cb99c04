#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/game.hpp"

#include "engine/response.hpp"

// What the engine says, as lines of xboard's protocol. Pure functions: values in, text out.
namespace uci::xboard {

/// The answer to `protover`: one feature line after the other. Each option has a line of its own,
/// because xboard 4.9.1 frees a wrong pointer when an option follows a feature that it does not
/// know.
std::vector<std::string> feature_lines();

/// A move for the client: coordinates, and in Chess960 O-O or O-O-O.
std::string move_text(core::Move move, bool chess960);

/// A line of thinking about a position: depth, score, centiseconds, nodes, moves in SAN.
std::string thinking_line(const engine::Info& info, const core::Position& position);

/// The result of a finished game, as a claim: "1-0 {White mates}".
std::string result_text(const core::Game& game);

/// "Error (KIND): LINE".
std::string error_line(std::string_view kind, std::string_view line);

/// A text from the engine or the system without words by which xboard recognises a failed start of
/// the engine, such as "not found". They are replaced by others.
std::string without_failure_words(std::string text);

}  // namespace uci::xboard
