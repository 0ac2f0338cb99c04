#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/json_conversation.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string lines{data, data + size};
    if (const auto fault = tests::fault_in_json_conversation(lines)) {
        static_cast<void>(std::fprintf(stderr, "%s\n", fault->c_str()));
        std::abort();
    }
    return 0;
}
