#include "engine/datagen/game_record.hpp"

#include "tests/fuzz/fuzz_target.hpp"

using engine::datagen::GameReader;
using tests::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    GameReader reader{tests::text_of(data, size)};
    while (!reader.at_end()) {
        const auto offset = reader.offset();
        const auto game = reader.next();
        if (!game) {
            require(!game.reason().empty(), "a refusal has a reason");
            require(reader.offset() == offset, "the reader stays before a game it refuses");
            break;
        }
        require(reader.offset() > offset, "the reader moves on");
        const auto bytes = engine::datagen::write_game(*game);
        const auto again = GameReader{bytes}.next();
        require(again && *again == *game, "a game comes back from its bytes");
    }
    return 0;
}
