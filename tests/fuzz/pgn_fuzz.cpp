#include "core/pgn.hpp"

#include "tests/fuzz/fuzz_target.hpp"

using namespace core;
using tests::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto pgn = read_pgn(tests::text_of(data, size));
    if (!pgn) {
        require(!pgn.reason().empty(), "a refusal has a reason");
        return 0;
    }
    const auto again = read_pgn(write_pgn(*pgn));
    require(static_cast<bool>(again), "a written game can be read");
    require(again->game.start() == pgn->game.start(), "a written game keeps its start");
    require(again->game.moves() == pgn->game.moves(), "a written game keeps its moves");
    require(again->result == pgn->result, "a written game keeps its result");
    return 0;
}
