#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/command.hpp"
#include "engine/response.hpp"

// What UCI says, as values, and back: no state, no side effects. The protocol is that of
// April 2006 by Stefan Meyer-Kahlen, with the habits that clients have since come to expect.
namespace uci::uci_text {

// Commands that the engine's own do not cover.
struct Hello {};
struct IsReady {};
struct Debug {
    bool on = false;
};
struct Show {
    std::string what;  ///< "d", "eval" or "fen"
};
struct Help {};
struct Nothing {};

using Command = std::variant<Nothing,
                             Hello,
                             IsReady,
                             Debug,
                             Show,
                             Help,
                             engine::SetOption,
                             engine::NewGame,
                             engine::SetGame,
                             engine::Go,
                             engine::Perft,
                             engine::Bench,
                             engine::Stop,
                             engine::PonderHit,
                             engine::Quit>;

/// What a line asks for, and what was wrong with it: sentences for the sender.
struct Reading {
    Command command;
    std::vector<std::string> complaints;
};

/// Reads a line that arrived at that time. Words before the first known command are skipped;
/// what cannot be understood is left out and complained about.
Reading read_command(std::string_view line, engine::TimePoint arrival);

/// The answer to `uci`: who the engine is, its options, uciok.
std::string hello();
std::string help();

/// A response in words: one line or several, without the last line end.
std::string write(const engine::Response& response);

/// A complaint in words.
std::string info_string(std::string_view text);

}  // namespace uci::uci_text
