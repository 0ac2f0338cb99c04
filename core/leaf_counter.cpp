#include "core/leaf_counter.hpp"

#include <vector>

namespace core {

#if defined(__x86_64__) && defined(__GNUC__)
extern const LeafCounter avx2_leaf_counter;
extern const LeafCounter avx512_leaf_counter;
#endif

namespace {

template <Color us>
int count_by_rules(const PerftBoard& board) {
    const auto limits = rules::checks_and_pins(board, us);
    return rules::Generator<us, MoveKinds::all, PerftBoard, rules::MoveCountSink>{board, limits, {}}
        .run()
        .count();
}

constexpr LeafCounter plain_leaf_counter{
    "plain",
    {count_by_rules<Color::white>, count_by_rules<Color::black>}};

std::vector<const LeafCounter*> find_runnable() {
    std::vector<const LeafCounter*> counters;
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
                   && __builtin_cpu_supports("popcnt");
    if (avx2 && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq"))
        counters.push_back(&avx512_leaf_counter);
    if (avx2)
        counters.push_back(&avx2_leaf_counter);
#endif
    counters.push_back(&plain_leaf_counter);
    return counters;
}

}  // namespace

PerftBoard::PerftBoard(const Position& position) : rooks_with_rights{position.castling_rooks()} {
    for (const PieceType type : all_piece_types)
        types[index_of(type)] = position.pieces(type);
    for (const Color color : both_colors)
        colors[index_of(color)] = position.pieces(color);
    if (const auto target = position.en_passant())
        en_passant_target = Bitboard{*target};
}

std::span<const LeafCounter* const> runnable_leaf_counters() {
    static const std::vector<const LeafCounter*> counters = find_runnable();
    return counters;
}

}  // namespace core
