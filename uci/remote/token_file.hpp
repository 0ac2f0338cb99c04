#pragma once

#include <optional>
#include <string>

#include "core/result.hpp"

#include "uci/command_line.hpp"

namespace uci::remote {

/// How a sub-command is given the token that client and server share.
struct TokenOptions {
    std::string token{};
    std::string file{};
};

/// Adds --token and --token-file. Blank values are refused.
void add_token_options(CommandLine& line, TokenOptions& options);

/// The token: that of --token, or the first line of the file; empty without both. Error: why the
/// file has none.
core::Result<std::string> read_token(const TokenOptions& options);

}  // namespace uci::remote
