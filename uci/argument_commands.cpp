#include "uci/argument_commands.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.hpp"

#include "uci/command_line.hpp"
#include "uci/uci_parser.hpp"

namespace uci {

namespace {

std::string_view first_word(std::string_view command) {
    return core::Words{command}.next().value_or("");
}

std::vector<std::string> split(std::span<const std::string> arguments) {
    const bool has_blank =
        std::any_of(arguments.begin(), arguments.end(), [](const std::string& argument) {
            return std::any_of(argument.begin(), argument.end(), core::is_blank);
        });
    if (has_blank || are_uci_commands(arguments))
        return {arguments.begin(), arguments.end()};
    return {fmt::format("{}", fmt::join(arguments, " "))};
}

/// What is wrong with a command.
std::optional<core::Error> fault_of(const std::string& command) {
    const auto word = first_word(command);
    if (!is_uci_command(word)) {
        const auto words = uci_command_words();
        return core::Error{
            unknown_message("command", word, std::vector<std::string>{words.begin(), words.end()})};
    }
    const auto parsed = parse_command(command, {});
    if (!parsed.warnings.empty())
        return core::Error{parsed.warnings.front()};
    if (!parsed.surplus.empty())
        return core::Error{fmt::format("unexpected word {} in {}", core::quoted(parsed.surplus),
                                       core::quoted(command))};
    return std::nullopt;
}

}  // namespace

bool are_uci_commands(std::span<const std::string> arguments) {
    return std::all_of(arguments.begin(), arguments.end(), [](const std::string& argument) {
        return is_uci_command(first_word(argument));
    });
}

core::Result<std::vector<std::string>> read_argument_commands(
    std::span<const std::string> arguments) {
    auto commands = split(arguments);
    for (const auto& command : commands) {
        if (const auto fault = fault_of(command))
            return *fault;
    }
    return commands;
}

}  // namespace uci
