#include "uci/remote/token_file.hpp"

#include <fstream>
#include <optional>

#include "core/paths.hpp"
#include "core/text.hpp"

#include "uci/util/line_reader.hpp"

namespace uci::remote {

namespace {

constexpr std::size_t max_token = 4'096;

std::string_view trimmed(std::string_view text) {
    return core::Words{text}.rest();
}

/// An empty value is most often a shell variable that is not set. Without a token everybody could
/// use the server.
std::optional<core::Error> check_value(const std::string& text) {
    if (trimmed(text).empty())
        return core::Error{"the value is empty"};
    return std::nullopt;
}

}  // namespace

void add_token_options(CommandLine& line, TokenOptions& options) {
    line.text("--token", options.token, "TOKEN",
              "A secret that client and server share, at best 32 random characters; other users of "
              "the machine can see it in the list of processes",
              check_value);
    line.text("--token-file", options.file, "FILE", "A file with the token in its first line",
              check_value);
}

core::Result<std::string> read_token(const TokenOptions& options) {
    if (!options.token.empty() && !options.file.empty())
        return core::Error{"--token and --token-file cannot be combined"};
    if (options.file.empty())
        return std::string{trimmed(options.token)};
    std::ifstream file{core::utf8_path(options.file), std::ios::binary};
    if (!file)
        return core::Error{"--token-file: " + core::quoted(options.file) + " cannot be read"};
    const auto line = util::LineReader{file, max_token}.next();
    const auto token = line && line->is_whole ? trimmed(line->text) : std::string_view{};
    if (token.empty())
        return core::Error{"--token-file: the first line of " + core::quoted(options.file)
                           + " has no token"};
    return std::string{token};
}

}  // namespace uci::remote
