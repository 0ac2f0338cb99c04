#include "uci/xboard/option.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace uci::xboard {

namespace {

using engine::OptionDescription;
using Kind = OptionDescription::Kind;

/// What the protocol has commands for, and what only UCI has a use for.
constexpr std::array<std::string_view, 7> not_offered{
    "Hash", "Threads", "Ponder", "SyzygyPath", "UCI_Chess960", "UCI_AnalyseMode", "UCI_ShowWDL"};

bool is_offered(const OptionDescription& option) {
    return std::find(not_offered.begin(), not_offered.end(), option.name) == not_offered.end();
}

/// The choices of a combo; a star marks the default.
std::string choices_of(const OptionDescription& option) {
    std::vector<std::string> choices;
    for (const auto choice : option.choices) {
        const bool is_default = choices.size() == static_cast<std::size_t>(option.default_value);
        choices.push_back((is_default ? "*" : "") + std::string{choice});
    }
    return fmt::format("{}", fmt::join(choices, " /// "));
}

std::string declaration(const OptionDescription& option) {
    switch (option.kind) {
        case Kind::spin:
            return fmt::format("{} -spin {} {} {}", option.name, option.default_value, option.min,
                               option.max);
        case Kind::check: return fmt::format("{} -check {}", option.name, option.default_value);
        case Kind::combo: return fmt::format("{} -combo {}", option.name, choices_of(option));
        case Kind::button: return fmt::format("{} -button", option.name);
        case Kind::string: break;
    }
    return fmt::format("{} -{} ", option.name, option.name.ends_with("File") ? "file" : "string");
}

}  // namespace

std::optional<OptionDescription> find_option(std::string_view name) {
    const auto options = engine::option_descriptions();
    const auto found = std::find_if(options.begin(), options.end(), [&](const auto& option) {
        return option.name == name && is_offered(option);
    });
    if (found == options.end())
        return std::nullopt;
    return *found;
}

std::string engine_value(const OptionDescription& option, std::string_view value) {
    if (option.kind == Kind::check && (value == "0" || value == "1"))
        return value == "1" ? "true" : "false";
    return std::string{value};
}

std::vector<std::string> option_declarations() {
    std::vector<std::string> declarations;
    for (const auto& option : engine::option_descriptions()) {
        if (is_offered(option))
            declarations.push_back(declaration(option));
    }
    return declarations;
}

}  // namespace uci::xboard
