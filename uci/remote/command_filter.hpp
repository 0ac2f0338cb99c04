#pragma once

#include <optional>
#include <string>
#include <string_view>

// Which commands and options a remote client may use: what is not named in command_filter.cpp is
// not available. Pure functions of text.
namespace uci::remote {

/// What a client may take of the machine.
struct MachineLimits {
    int threads = 1;
    int hash = 1'024;  ///< in MB
};

/// Stands between a remote client and its engine.
class CommandFilter {
public:
    explicit CommandFilter(MachineLimits limits) : limits_{limits} {}

    /// What becomes of a client's line.
    struct Filtered {
        std::string line{};  ///< for the engine, beginning with the command; empty for nothing
        std::string note{};  ///< for the client: what was refused or changed; empty for nothing
        bool quits = false;  ///< the client leaves
    };
    Filtered filter(std::string_view line) const;

    /// A line of the engine as the client gets it: an option is declared only if it may be set, and
    /// with its limit. Nothing if the line is left out.
    std::optional<std::string> filter_answer(std::string_view line) const;

private:
    Filtered filter_option(std::string_view line) const;
    std::optional<int> limit_of(std::string_view option) const;

    MachineLimits limits_;
};

/// The name of an option that a remote client may set, as the engine writes it, for a name in which
/// case and blanks do not matter.
std::optional<std::string_view> remote_option(std::string_view name);

/// The name and value of "setoption name NAME value VALUE"; nothing for a line without a name.
struct OptionSetting {
    std::string name;
    std::string value;
};
std::optional<OptionSetting> read_option_setting(std::string_view line);

}  // namespace uci::remote
