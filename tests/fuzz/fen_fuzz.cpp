#include "core/fen.hpp"

#include "core/movegen.hpp"

#include "tests/fuzz/fuzz_target.hpp"

using namespace core;
using tests::require;

namespace {

void check_moves(const Position& position) {
    const auto moves = legal_moves(position);
    require(static_cast<int>(moves.size()) == count_legal_moves(position),
            "the list of moves is as long as their number");
    for (const Move move : moves) {
        require(is_legal(position, move), "a generated move is legal");
        const auto next = position.after(move);
        require(next.key() == next.compute_key(), "the incremental key is the fresh one");
        require(next.part_keys() == next.compute_part_keys(), "so are the keys of some pieces");
        const auto again = read_fen(fen(next));
        require(again && *again == next, "a position after a move comes back from its FEN");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto position = read_fen(tests::text_of(data, size));
    if (!position) {
        require(!position.reason().empty(), "a refusal has a reason");
        return 0;
    }
    const auto again = read_fen(fen(*position));
    require(again && *again == *position, "a position comes back from its FEN");
    check_moves(*position);
    return 0;
}
