#include "uci/chenserver/notation.hpp"

#include <algorithm>
#include <functional>

#include "core/movegen.hpp"
#include "core/notation.hpp"

#include "tests/engine/random_positions.hpp"

using namespace uci::chenserver;

namespace {

using core::Move;
using core::Position;

std::vector<std::uint16_t> sorted(std::vector<Move> moves) {
    std::vector<std::uint16_t> bits;
    for (const Move move : moves)
        bits.push_back(move.bits());
    std::sort(bits.begin(), bits.end());
    return bits;
}

std::vector<Move> all_moves(const Position& position) {
    const auto moves = core::legal_moves(position);
    return {moves.begin(), moves.end()};
}

std::string text_of(const std::vector<Move>& moves, const Position& position) {
    std::vector<std::string> texts;
    for (const Move move : moves)
        texts.push_back(move_text(position, move, Format::squares));
    return tests::joined(texts);
}

std::optional<Move> read(const Position& position, std::string_view text) {
    return uci::chenserver::read_move_text(position, text);
}

/// Whether castling is that of standard chess, the only one that ChenServer knows.
bool castles_as_usual(const Position& position) {
    for (const auto color : core::both_colors) {
        for (const auto side : {core::Side::king_side, core::Side::queen_side}) {
            const auto rook = position.castling_rook(color, side);
            if (rook && (position.king(color).file() != 4 || rook->file() % 7 != 0))
                return false;
        }
    }
    return true;
}

/// The only move that a predicate holds for.
std::optional<Move> only(const std::vector<Move>& moves, const std::function<bool(Move)>& holds) {
    if (std::count_if(moves.begin(), moves.end(), holds) != 1)
        return std::nullopt;
    return *std::find_if(moves.begin(), moves.end(), holds);
}

}  // namespace

TEST_CASE("the legal moves in ChenServer's order are the legal moves", "[chenserver]") {
    tests::Dice dice{41};
    int positions = 0;
    for (int i = 0; i < 300; ++i) {
        core::Game game{
            tests::position_of(tests::varied_positions[dice.roll(tests::varied_positions.size())])};
        for (int ply = 0; ply < 40; ++ply, ++positions) {
            if (!castles_as_usual(game.position()))
                break;
            const auto moves = all_moves(game.position());
            CAPTURE(core::fen(game.position()), text_of(ordered_moves(game), game.position()));
            REQUIRE(sorted(ordered_moves(game)) == sorted(moves));
            if (moves.empty())
                break;
            game.play(moves[dice.roll(moves.size())]);
        }
    }
    CHECK(positions > 5'000);
}

TEST_CASE("a move that leaves the king in check is replaced by the last one", "[chenserver]") {
    core::Game game;
    for (const auto* move : {"e4", "d5", "exd5", "Qxd5", "Nc3", "Qe5"})
        game.play(tests::move_of(game.position(), move));
    CHECK(text_of(ordered_moves(game), game.position()) == "c3e2 d1e2 c3e4 g1e2 f1e2");
}

TEST_CASE("an en passant capture that uncovers the king is replaced too", "[chenserver]") {
    const auto fen = GENERATE("8/2p5/8/KP5r/8/8/8/7k b - - 0 1",  // the row is opened
                              "7k/2p5/b7/1P6/2K5/8/8/8 b - - 0 1");
    core::Game game{tests::position_of(fen)};
    game.play(tests::move_of(game.position(), "c5"));
    CHECK(game.en_passant_target());
    CHECK(sorted(ordered_moves(game)) == sorted(all_moves(game.position())));
}

TEST_CASE("every legal move is read as it is written", "[chenserver]") {
    for (const auto& position : tests::random_positions(600, 42)) {
        CAPTURE(core::fen(position));
        for (const Move move : core::legal_moves(position)) {
            std::string san = move_text(position, move, Format::pgn);
            CAPTURE(san);
            REQUIRE(read(position, move_text(position, move, Format::squares)) == move);
            REQUIRE(read(position, san) == move);
            if (san.back() == '+' || san.back() == '#')
                san.pop_back();
            for (const auto* end : {"", "+", "#"})
                REQUIRE(read(position, san + end) == move);
            for (const auto* end : {"!", "?", "++", "##", " ", "e.p.", "\n", "q", "Q"})
                REQUIRE_FALSE(read(position, san + end));
        }
    }
}

TEST_CASE("the origin of a piece may be given when it is right and sufficient", "[chenserver]") {
    for (const auto& position : tests::random_positions(250, 43)) {
        CAPTURE(core::fen(position));
        const auto moves = all_moves(position);
        for (const Move move : moves) {
            const auto piece = position.piece_on(move.from());
            const std::string san = core::san(position, move);
            if (piece->type() == core::PieceType::pawn || san.front() == 'O')
                continue;
            const std::string end = (position.is_capture(move) ? "x" : "") + move.to().name();
            const auto is_alike = [&](Move other) {
                return position.piece_on(other.from()) == piece && other.to() == move.to()
                    && other.kind() == move.kind();
            };
            CAPTURE(san);
            REQUIRE(read(position, san.substr(0, 1) + end) == only(moves, is_alike));
            for (int i = 0; i < 8; ++i) {
                const std::string file{static_cast<char>('a' + i)};
                const std::string rank{static_cast<char>('1' + i)};
                const auto from_file =
                    only(moves, [&](Move m) { return is_alike(m) && m.from().file() == i; });
                const auto from_rank =
                    only(moves, [&](Move m) { return is_alike(m) && m.from().rank() == i; });
                REQUIRE(read(position, san[0] + file + end) == from_file);
                REQUIRE(read(position, san[0] + rank + end) == from_rank);
            }
            REQUIRE(read(position, san[0] + move.from().name() + end) == move);
        }
    }
}

TEST_CASE("a text that is not exactly a move is refused", "[chenserver]") {
    const auto position =
        tests::position_of("r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/1PPBBPPP/R3K2R w KQkq - 0 1");
    const std::string text =
        GENERATE("", "e", "O", "0-0", "o-o", "O-o", "O-O-", "O-O-O-O", "e1h1", "e1a1", "Kg1",
                 "Ke1g1", "b7a8", "b7a8Q", "b7a8=q", "bxa8", "bxa8Q", "bxa8=q", "bxa8=K", "bxa8=P",
                 "bxa8=", "b7xa8=Q", "Ned7", "Ng6", "Nxd3", "nxd7", "Nxd7 ", " Nxd7", "Pd6",
                 "d5d6+", "d5-d6", "D5D6", "d5d6q", "dxe", "de6", "exd6", "Qf3xf6++", "Qhxf6",
                 "a1a1", "z9z9", "Nxd7!", "+", "#", "+#", "e1e1", "--", "0000", "(none)");
    CAPTURE(text);
    CHECK_FALSE(read(position, text));
}

TEST_CASE("a NUL ends the text of a move", "[chenserver]") {
    using namespace std::string_view_literals;
    CHECK(read(Position::start(), "e2e4\0junk"sv));
    CHECK(read(Position::start(), "Nf3\0"sv));
    CHECK_FALSE(read(Position::start(), "\0e2e4"sv));
}
