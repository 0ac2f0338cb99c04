#include "uci/uci_options.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

#include "engine/general_interface.hpp"

namespace uci {

namespace {

// Without the words that separate the parts of an option line: name, type, default, min, max, var.
std::string about() {
    using engine::GeneralInterface;
    return fmt::format("{} {} by {}, a free chess engine under the MIT licence",
                       GeneralInterface::name(), GeneralInterface::version(),
                       GeneralInterface::author());
}

}  // namespace

std::array<UciOptionDescription, 3> uci_option_descriptions() {
    return {{{UciOption::opponent, "UCI_Opponent", "<empty>"},
             {UciOption::engine_about, "UCI_EngineAbout", about()},
             {UciOption::debug_log_file, "Debug Log File", "<empty>"}}};
}

std::optional<UciOption> find_uci_option(std::string_view name) {
    const auto wanted = core::lowercase_no_blanks(name);
    for (const auto& description : uci_option_descriptions()) {
        if (core::lowercase_no_blanks(description.name) == wanted)
            return description.option;
    }
    return std::nullopt;
}

}  // namespace uci
