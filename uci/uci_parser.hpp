#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/command.hpp"

// Lines of UCI as command values. Pure functions: text in, values out. The protocol is that of
// April 2006 by Stefan Meyer-Kahlen, with the extensions that clients have since come to expect.
namespace uci {

// Commands that are UCI's own; the others are the engine's.
struct Empty {};
struct Identify {};
struct IsReady {};
struct Debug {
    bool on = false;
};
/// What `d`, `eval` and `fen` print; the id of the engine::Ask, and so of its Snapshot.
enum class DisplayKind : unsigned char { diagram, evaluation, fen };
struct Display {
    DisplayKind kind = DisplayKind::diagram;
};
struct Help {};

using UciCommand = std::variant<Empty,
                                Identify,
                                IsReady,
                                Debug,
                                Display,
                                Help,
                                engine::SetOption,
                                engine::NewGame,
                                engine::SetGame,
                                engine::Go,
                                engine::Perft,
                                engine::Bench,
                                engine::Why,
                                engine::Stop,
                                engine::PonderHit,
                                engine::Quit>;

/// A parsed line.
struct ParsedCommand {
    UciCommand command;
    /// What is wrong with the line, for its sender. If there is a command nevertheless, that part
    /// was left out.
    std::vector<std::string> warnings;
    /// The first word behind a command that takes none, or no more; empty for none. UCI ignores it.
    std::string surplus{};
};

/// Parses a line that arrived at that time. Words before the first known command are skipped;
/// invalid parameters are left out, with a warning.
ParsedCommand parse_command(std::string_view line, engine::TimePoint arrival);

/// Whether a word is a command that parse_command() knows.
bool is_uci_command(std::string_view word);
/// All such words.
std::span<const std::string_view> uci_command_words();

}  // namespace uci
