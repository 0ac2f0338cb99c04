#include "uci/remote/command_filter.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/text.hpp"

namespace uci::remote {

namespace {

/// Commands that neither read nor write files nor take long outside a search.
constexpr std::array<std::string_view, 14> commands{
    "uci",  "isready",   "ucinewgame", "setoption", "position", "go",   "stop",
    "quit", "ponderhit", "register",   "debug",     "d",        "eval", "fen"};

/// Options that name no file. SyzygyPath, EvalFile, Book File, HashFile and Debug Log File are
/// those of whoever runs the server.
constexpr std::array<std::string_view, 16> client_options{"Hash",
                                                          "Clear Hash",
                                                          "Threads",
                                                          "MultiPV",
                                                          "Ponder",
                                                          "Move Overhead",
                                                          "SyzygyProbeDepth",
                                                          "SyzygyProbeLimit",
                                                          "Syzygy50MoveRule",
                                                          "UCI_Chess960",
                                                          "UCI_AnalyseMode",
                                                          "UCI_LimitStrength",
                                                          "UCI_Elo",
                                                          "Skill Level",
                                                          "Level Seed",
                                                          "UCI_ShowWDL"};

bool is_command(std::string_view word) {
    return std::find(commands.begin(), commands.end(), word) != commands.end();
}

bool has_word(std::string_view line, std::string_view wanted) {
    core::Words words{line};
    while (const auto word = words.next()) {
        if (*word == wanted)
            return true;
    }
    return false;
}

/// The line from its first known command on, as UCI demands; empty if it has none.
std::string_view from_command(std::string_view line) {
    core::Words words{line};
    while (const auto word = words.peek()) {
        if (is_command(*word))
            return words.rest();
        words.next();
    }
    return {};
}

}  // namespace

std::optional<std::string_view> remote_option(std::string_view name) {
    const auto wanted = core::lowercase_no_blanks(name);
    const auto* const found = std::find_if(
        client_options.begin(), client_options.end(),
        [&](std::string_view option) { return core::lowercase_no_blanks(option) == wanted; });
    return found == client_options.end() ? std::nullopt : std::optional{*found};
}

std::optional<OptionSetting> read_option_setting(std::string_view line) {
    core::Words words{line};
    if (words.next() != "setoption" || words.next() != "name")
        return std::nullopt;
    OptionSetting setting;
    while (words.peek() && *words.peek() != "value")
        setting.name.append(setting.name.empty() ? "" : " ").append(*words.next());
    words.next();
    if (setting.name.empty())
        return std::nullopt;
    setting.value = words.rest();
    return setting;
}

CommandFilter::Filtered CommandFilter::filter(std::string_view line) const {
    const auto rest = from_command(line);
    if (rest.empty()) {
        const auto first = core::Words{line}.peek();
        if (!first)
            return {};
        return {.note = core::quoted(*first) + " is not available to remote clients"};
    }
    const auto command = *core::Words{rest}.peek();
    if (command == "quit")
        return {.quits = true};
    if (command == "setoption")
        return filter_option(rest);
    if (command == "go" && has_word(rest, "perft"))
        return {.note = "'go perft' is not available to remote clients"};
    return {.line = std::string{rest}};
}

std::optional<int> CommandFilter::limit_of(std::string_view option) const {
    if (option == "Threads")
        return limits_.threads;
    return option == "Hash" ? std::optional{limits_.hash} : std::nullopt;
}

CommandFilter::Filtered CommandFilter::filter_option(std::string_view line) const {
    const auto setting = read_option_setting(line);
    if (!setting)
        return {.line = std::string{line}};  // the engine says what is missing
    const auto name = remote_option(setting->name);
    if (!name)
        return {.note = fmt::format("option {} cannot be set by remote clients",
                                    core::quoted(setting->name))};
    Filtered filtered{.line = fmt::format("setoption name {} value {}", *name, setting->value)};
    const auto limit = limit_of(*name);
    const auto number = core::read_integer(setting->value);
    if (limit && number && *number > *limit) {
        filtered.line = fmt::format("setoption name {} value {}", *name, *limit);
        filtered.note = fmt::format("{} is limited to {} here", *name, *limit);
    }
    return filtered;
}

std::optional<std::string> CommandFilter::filter_answer(std::string_view line) const {
    constexpr std::string_view beginning = "option name ";
    if (!line.starts_with(beginning))
        return std::string{line};
    const auto end = line.find(" type ");
    const auto name =
        remote_option(line.substr(beginning.size(), end - std::min(end, beginning.size())));
    if (!name || end == std::string_view::npos)
        return std::nullopt;
    const auto limit = limit_of(*name);
    if (!limit)
        return std::string{line};
    core::Words words{line.substr(end)};
    std::string type;
    while (const auto word = words.next()) {
        const bool is_number = type.ends_with(" default") || type.ends_with(" max");
        const auto number = is_number ? core::read_integer(*word) : std::nullopt;
        type.append(" ").append(number && *number > *limit ? std::to_string(*limit)
                                                           : std::string{*word});
    }
    return fmt::format("{}{}{}", beginning, *name, type);
}

}  // namespace uci::remote
