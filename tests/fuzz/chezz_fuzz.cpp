#include <algorithm>
#include <cstdlib>
#include <span>

#include "core/movegen.hpp"

#include "uci/chezz/codec/decode.hpp"
#include "uci/chezz/codec/encode.hpp"

namespace {

using namespace uci::chezz::codec;

void demand(bool holds) {
    if (!holds)
        std::abort();
}

/// What is accepted has exactly these bytes.
void decode_any(std::span<const std::uint8_t> bytes) {
    const auto decoded = decode(bytes);
    if (!decoded)
        return;
    const auto again = encode(decoded->game, decoded->format);
    demand(again && std::equal(again->begin(), again->end(), bytes.begin(), bytes.end()));
}

/// A legal game in which each byte chooses a move.
core::Game game_chosen_by(std::span<const std::uint8_t> bytes) {
    // Longer ones show nothing new, and take the time of other inputs.
    constexpr std::size_t longest = 120;
    core::Game game;
    for (const auto byte : bytes.first(std::min(bytes.size(), longest))) {
        const auto moves = core::legal_moves(game.position());
        if (moves.empty())
            break;
        game.play(moves[byte % moves.size()]);
    }
    return game;
}

/// Every legal game comes back from its bytes.
void encode_any(const core::Game& game) {
    for (const StateFormat form :
         {StateFormat::front_end, StateFormat::server, StateFormat::server_with_capture_bug}) {
        const auto bytes = encode(game, form);
        demand(static_cast<bool>(bytes));
        const auto decoded = decode(*bytes);
        demand(decoded && decoded->game.moves() == game.moves());
        decode_any(*bytes);
    }
}

/// Bytes that are right but for one: they reach deeper than arbitrary ones.
void decode_damaged(const core::Game& game, std::span<const std::uint8_t> input) {
    if (input.size() < 3)
        return;
    auto bytes = *encode(game, StateFormat::server);
    const auto at = static_cast<std::size_t>(input[0] | input[1] << 8) % bytes.size();
    bytes[at] = input[2];
    decode_any(bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span bytes{data, size};
    decode_any(bytes);
    const auto game = game_chosen_by(bytes);
    encode_any(game);
    decode_damaged(game, bytes);
    return 0;
}
