#include "uci/chezz/record.hpp"

#include "tests/fuzz/fuzz_target.hpp"

using namespace uci::chezz;
using tests::require;

/// The input as a stored game and as a stored session.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = tests::text_of(data, size);
    const auto table = read_game_record(text);
    if (table) {
        const auto written = game_record(*table);
        const auto again = read_game_record(written);
        require(static_cast<bool>(again), "a written record can be read");
        require(game_record(*again) == written, "a record comes back from its text");
    }
    else {
        require(!table.reason().empty(), "a refusal has a reason");
    }
    const auto user = read_session_record(text);
    require(user || !user.reason().empty(), "a refusal has a reason");
    return 0;
}
