#include <sstream>

#include "uci/logged_conversation.hpp"

#include "tests/fuzz/fuzz_target.hpp"

using tests::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::istringstream text{std::string{tests::text_of(data, size)}};
    const auto log = uci::read_debug_log(text);
    for (const auto& conversation : log.conversations) {
        for (const auto& search : conversation.sent.searches())
            require(!uci::first_difference(search, search), "a search is like itself");
        const auto& messages = conversation.sent.other_lines();
        require(uci::missing_messages(messages, messages).empty(), "messages are like themselves");
    }
    return 0;
}
