#include "engine/search/see.hpp"

#include "core/attacks.hpp"

#include "engine/search/parameters.hpp"

#include "tests/engine/random_positions.hpp"

using namespace engine;
using namespace engine::search;
using core::Bitboard;
using core::PieceType;
using core::Position;
using core::Square;

namespace {

constexpr Score value_of(PieceType type) {
    return parameters::see_value[core::index_of(type)];
}

constexpr Score pawn = value_of(PieceType::pawn);
constexpr Score knight = value_of(PieceType::knight);
constexpr Score bishop = value_of(PieceType::bishop);
constexpr Score rook = value_of(PieceType::rook);
constexpr Score queen = value_of(PieceType::queen);

/// An exchange played out with a board of its own, one capture after the other.
class Exchange {
public:
    explicit Exchange(const Position& position) {
        for (int i = 0; i < Square::count; ++i)
            board_[static_cast<std::size_t>(i)] = position.piece_on(Square{i});
    }

    Score value_of_move(core::Move move, core::Color player) {
        const auto captured = at(move.to());
        Score gain = captured ? value_of(captured->type()) : 0;
        if (move.kind() == core::Move::Kind::en_passant) {
            gain = pawn;
            at(Square::at(move.to().file(), move.from().rank())).reset();
        }
        at(move.to()) = at(move.from());
        at(move.from()).reset();
        if (move.is_promotion()) {
            at(move.to()) = core::Piece{player, move.promoted_to()};
            gain += value_of(move.promoted_to()) - pawn;
        }
        return gain - best_capture(move.to(), ~player);
    }

private:
    std::optional<core::Piece>& at(Square square) {
        return board_[static_cast<std::size_t>(square.index())];
    }

    Bitboard occupied() {
        Bitboard set;
        for (int i = 0; i < Square::count; ++i) {
            if (at(Square{i}))
                set |= Bitboard{Square{i}};
        }
        return set;
    }

    /// The least valuable piece of a player that could take on the square.
    std::optional<Square> capturer(Square target, core::Color player) {
        const Bitboard blockers = occupied();
        std::optional<Square> found;
        for (int i = 0; i < Square::count; ++i) {
            const auto piece = at(Square{i});
            if (!piece || piece->color() != player)
                continue;
            const Bitboard attacked = piece->type() == PieceType::pawn
                                        ? core::pawn_attacks(player, Square{i})
                                        : core::piece_attacks(piece->type(), Square{i}, blockers);
            if (attacked.contains(target) && (!found || at(*found)->type() > piece->type()))
                found = Square{i};
        }
        return found;
    }

    /// What a player wins by taking on the square, or nothing by leaving it.
    Score best_capture(Square target, core::Color player) {
        const auto from = capturer(target, player);
        if (!from)
            return 0;
        const Score gain = value_of(at(target)->type());
        const bool king = at(*from)->type() == PieceType::king;
        at(target) = at(*from);
        at(*from).reset();
        if (king && capturer(target, ~player))
            return 0;
        return std::max(0, gain - best_capture(target, ~player));
    }

    std::array<std::optional<core::Piece>, 64> board_;
};

}  // namespace

TEST_CASE("an exchange wins what it should and no more", "[exchange]") {
    const auto [fen, text, value] = GENERATE(table<const char*, const char*, Score>({
        // Nobody takes back.
        {"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", pawn},
        {"4k3/8/8/4b3/8/3N4/8/4K3 w - - 0 1", "d3e5", bishop},
        {"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "e1e2", pawn},
        {"4k3/8/8/8/8/5N2/8/4K3 w - - 0 1", "f3e5", 0},
        // One piece takes back.
        {"4k3/8/3p4/4p3/3P4/8/8/4K3 w - - 0 1", "d4e5", 0},
        {"4k3/8/3p4/4p3/8/8/8/4R1K1 w - - 0 1", "e1e5", pawn - rook},
        {"4k3/8/3p4/4r3/8/3N4/8/4K3 w - - 0 1", "d3e5", rook - knight},
        {"3qk3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1d8", 0},
        {"4k3/8/3p4/8/8/5N2/8/4K3 w - - 0 1", "f3e5", -knight},
        {"8/8/8/3k4/4p3/8/8/4R1K1 w - - 0 1", "e1e4", pawn - rook},
        // A piece that is guarded may move to where it is attacked.
        {"4k3/8/3p4/8/3P4/5N2/8/4K3 w - - 0 1", "f3e5", pawn - knight},
        // Pieces behind others join in.
        {"4k3/8/5p2/4p3/3P4/2B5/8/4K3 w - - 0 1", "d4e5", pawn},
        {"4k3/4r3/8/4p3/8/8/4R3/4R1K1 w - - 0 1", "e2e5", pawn},
        {"4r1k1/4r3/8/4p3/8/8/4R3/4R1K1 w - - 0 1", "e2e5", pawn - rook},
        {"6k1/8/5b2/4p3/8/2Q5/1B6/6K1 w - - 0 1", "c3e5", pawn - queen + bishop},
        {"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", pawn - knight},
        // The cheapest piece takes first, and nobody has to go on.
        {"4k3/8/2p5/3p4/2P1P3/8/8/3Q1K2 w - - 0 1", "c4d5", pawn},
        {"3rk3/8/2p5/3p4/2P5/8/8/3Q1K2 w - - 0 1", "c4d5", 0},
        // A king takes what is not guarded, and only that.
        {"3qk3/8/8/8/8/8/3Q4/3RK3 w - - 0 1", "d2d8", queen},
        {"8/8/8/3k4/4p3/8/4R3/4R1K1 w - - 0 1", "e2e4", pawn},
        // Black takes too.
        {"4r1k1/4r3/8/8/4P3/8/4R3/4R1K1 b - - 0 1", "e7e4", pawn - rook},
        {"4k3/5n2/8/4P3/3P4/8/6K1/8 b - - 0 1", "f7e5", pawn - knight},
        // En passant: alone, taken back, and opening a file behind either pawn.
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", pawn},
        {"4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0},
        {"3rk3/8/8/3pP3/8/8/8/3RK3 w - d6 0 1", "e5d6", pawn},
        {"3rk3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0},
        // Promotions: free, taken back, with a capture, and to a knight.
        {"8/4P3/8/8/8/8/k6K/8 w - - 0 1", "e7e8q", queen - pawn},
        {"r7/4P3/8/8/8/8/k6K/8 w - - 0 1", "e7e8q", -pawn},
        {"3r4/4P3/8/8/8/8/k6K/8 w - - 0 1", "e7d8q", rook + queen - pawn},
        {"r2r4/4P3/8/8/8/8/k6K/8 w - - 0 1", "e7d8q", rook - pawn},
        {"r7/4P3/8/8/8/8/k6K/8 w - - 0 1", "e7e8n", -pawn},
        {"8/4P3/8/8/8/8/k6K/8 w - - 0 1", "e7e8n", knight - pawn},
        // Castling exchanges nothing. A pin is not seen.
        {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0},
        {"4k3/4n3/8/3p4/8/8/8/3RR1K1 w - - 0 1", "d1d5", pawn - rook},
    }));
    CAPTURE(fen, text, value);
    const auto position = tests::position_of(fen);
    const auto move = tests::move_of(position, text);
    CHECK(see_ge(position, move, value));
    CHECK(see_ge(position, move, value - 1));
    CHECK(see_ge(position, move, -5'000));
    CHECK_FALSE(see_ge(position, move, value + 1));
    CHECK_FALSE(see_ge(position, move, 5'000));
}

TEST_CASE("an exchange is worth what playing it out gives", "[exchange]") {
    int moves = 0;
    for (const auto& position : tests::random_positions(4'000, 1)) {
        for (const core::Move move : core::legal_moves(position)) {
            if (move.kind() == core::Move::Kind::castling)
                continue;
            ++moves;
            const Score value = Exchange{position}.value_of_move(move, position.side_to_move());
            for (const Score least : {value, value + 1, value - 1, 0, 1, -pawn, pawn}) {
                if (see_ge(position, move, least) == (value >= least))
                    continue;
                CAPTURE(core::fen(position), core::san(position, move), value, least);
                FAIL_CHECK("the exchange is misjudged");
            }
        }
    }
    CHECK(moves > 50'000);
}
