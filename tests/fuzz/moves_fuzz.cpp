#include "core/fen.hpp"
#include "core/game.hpp"
#include "core/movegen.hpp"
#include "core/notation.hpp"
#include "core/text.hpp"

#include "tests/fuzz/fuzz_target.hpp"

using namespace core;
using tests::require;

namespace {

void check_move(const Position& position, Move move) {
    require(is_legal(position, move), "a move that was read is legal");
    const auto from_san = read_move(position, san(position, move));
    require(from_san && *from_san == move, "a move comes back from its SAN");
    for (const auto style : {CastlingStyle::king_moves_two, CastlingStyle::king_takes_rook}) {
        const auto from_uci = read_move(position, to_uci(move, style));
        require(from_uci && *from_uci == move, "a move comes back from its coordinates");
    }
}

Position start_of(std::string_view line) {
    const auto position = read_fen(line);
    return position ? *position : Position::start();
}

}  // namespace

/// The first line is a FEN, or the start position if it is none. Every word after it is a move in
/// SAN or coordinates; a move that is refused is skipped.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = tests::text_of(data, size);
    const auto line_end = std::min(text.find('\n'), text.size());
    Game game{start_of(text.substr(0, line_end))};
    Words words{text.substr(line_end)};
    while (const auto word = words.next()) {
        const auto move = read_move(game.position(), *word);
        if (!move) {
            require(!move.reason().empty(), "a refusal has a reason");
            continue;
        }
        check_move(game.position(), *move);
        game.play(*move);
    }
    const auto plies = static_cast<int>(game.moves().size());
    require(game.undo(plies) && game.position() == game.start(), "undo leads back to the start");
    return 0;
}
