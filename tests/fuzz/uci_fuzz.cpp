#include <algorithm>

#include "uci/uci_parser.hpp"

#include "tests/fuzz/fuzz_target.hpp"

using tests::require;

/// Every line of the input is a command.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto rest = tests::text_of(data, size);
    while (!rest.empty()) {
        const auto line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const auto parsed = uci::parse_command(line, engine::TimePoint{});
        for (const auto& warning : parsed.warnings) {
            require(!warning.empty(), "a warning says something");
            require(warning.find('\n') == std::string::npos, "a warning is one line");
        }
    }
    return 0;
}
