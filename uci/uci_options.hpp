#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace uci {

/// The options that concern the conversation and not the engine; all of them are strings.
enum class UciOption : unsigned char { opponent, engine_about, debug_log_file };

struct UciOptionDescription {
    UciOption option;
    std::string_view name;
    std::string default_value;
};

/// All of them, in the order in which a client gets them.
std::array<UciOptionDescription, 3> uci_option_descriptions();

/// The option with this name (case and blanks do not matter), if it is one of these.
std::optional<UciOption> find_uci_option(std::string_view name);

}  // namespace uci
