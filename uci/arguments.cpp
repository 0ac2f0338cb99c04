#include "uci/arguments.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"

namespace uci {

namespace {

using core::Error;

/// An argument cut at its equals sign, if it is an option with one.
std::pair<std::string, std::optional<std::string>> split(const std::string& argument) {
    const auto equals = argument.find('=');
    if (argument.substr(0, 2) != "--" || equals == std::string::npos)
        return {argument, std::nullopt};
    return {argument.substr(0, equals), argument.substr(equals + 1)};
}

}  // namespace

ProgramOption flag(std::string name, bool& target) {
    return {std::move(name), false, [&target](const std::string& /*nothing*/) {
                target = true;
                return std::optional<Error>{};
            }};
}

ProgramOption text(std::string name, std::string& target) {
    return {std::move(name), true, [&target](const std::string& value) {
                target = value;
                return std::optional<Error>{};
            }};
}

core::Result<std::int64_t> read_number(const std::string& name,
                                       const std::string& text,
                                       std::int64_t least,
                                       std::int64_t most) {
    const auto value = core::read_integer(text);
    if (!value || *value < least || *value > most)
        return Error{name + ": '" + core::printable(text) + "' is no number from "
                     + std::to_string(least) + " to " + std::to_string(most)};
    return *value;
}

core::Result<std::vector<std::string>> read_arguments(std::span<const std::string> arguments,
                                                      const std::vector<ProgramOption>& options) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        auto [name, value] = split(arguments[i]);
        if (name.empty() || name.front() != '-') {
            words.push_back(arguments[i]);
            continue;
        }
        const auto option =
            std::find_if(options.begin(), options.end(),
                         [&wanted = name](const auto& known) { return known.name == wanted; });
        if (option == options.end())
            return Error{"there is no option '" + core::printable(name) + "'"};
        if (option->has_value && !value) {
            if (i + 1 == arguments.size())
                return Error{name + " needs a value after it"};
            value = arguments[++i];
        }
        if (!option->has_value && value)
            return Error{name + " takes no value"};
        if (auto error = option->take(value.value_or("")))
            return *std::move(error);
    }
    return words;
}

}  // namespace uci
