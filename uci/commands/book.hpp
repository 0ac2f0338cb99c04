#pragma once

#include <span>
#include <string>

namespace uci::commands {

/// `parley book`: makes, merges and shows Polyglot opening books. Takes the arguments after that
/// word; returns the exit status of the program.
int book(std::span<const std::string> arguments);

}  // namespace uci::commands
