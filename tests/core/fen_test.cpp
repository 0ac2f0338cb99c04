#include "core/fen.hpp"

#include <string>
#include <utility>
#include <vector>

#include "core/text.hpp"

#include "tests/core/positions.hpp"

using namespace core;
using tests::position_of;

namespace {

/// A field of a FEN, counted from 0.
std::string field(const std::string& fen, int number) {
    Words words{fen};
    while (number-- > 0)
        words.next();
    return std::string{words.next().value_or("")};
}

/// FENs with a fault, and how its description begins.
const std::vector<std::pair<std::string, std::string>> faulty_fens{
    {"", "a FEN has"},
    {"startpos", "a FEN has"},
    {"4k3/8/8/8/8/8/8/4K3 w -", "a FEN has"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 1 1", "expected at most 6 fields"},
    {"4k3/8/8/8/8/8/4K3 w - - 0 1", "board"},
    {"4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "board"},
    {"4k3/8/8/8/8/8/8/4K2 w - - 0 1", "board"},
    {"4k3/8/8/8/8/8/8/4K4 w - - 0 1", "board"},
    {"4k3/9/8/8/8/8/8/4K3 w - - 0 1", "board"},
    {"4k3/08/8/8/8/8/8/4K3 w - - 0 1", "board"},
    {"4k3//8/8/8/8/8/4K3 w - - 0 1", "board"},
    {"4k3/8/8/8/8/8/8/4K3/ w - - 0 1", "board"},
    {"4k3/8/8/7x/8/8/8/4K3 w - - 0 1", "board"},
    {"4k3/8/8/8/8/8/8/88888888888888888888888 w - - 0 1", "board"},
    {"8/8/8/8/8/8/8/4K3 w - - 0 1", "board: Black has no king"},
    {"4k3/8/8/8/8/8/8/8 w - - 0 1", "board: White has no king"},
    {"4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "board: White has 2 kings"},
    {"4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "board: a pawn cannot stand on h8"},
    {"4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "board: a pawn cannot stand on a1"},
    {"4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "board: White has 9 pawns"},
    {"qqqqkqqq/qqq5/8/8/8/8/8/4K3 b - - 0 1", "board: Black has 9 promoted pieces"},
    {"4k3/8/8/8/8/8/PPPPPPPP/NNN1K3 w - - 0 1", "board: White has 1 promoted"},
    {"4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move"},
    {"4k3/8/8/8/8/8/8/4K3 W - - 0 1", "side to move"},
    {"4k3/8/8/8/8/8/8/4K3 white - - 0 1", "side to move"},
    {"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "side to move: Black is in check"},
    {"4k3/4r3/8/8/8/8/8/4K3 b - - 0 1", "side to move: White is in check"},
    {"8/8/8/8/8/8/4k3/4K3 w - - 0 1", "side to move"},
    {"r3k2r/8/8/8/8/8/8/R3K2R w KQkqK - 0 1", "castling"},
    {"r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", "castling"},
    {"r3k2r/8/8/8/8/8/8/R3K2R w KH - 0 1", "castling"},
    {"r3k2r/8/8/8/8/8/8/R3K2R w X - 0 1", "castling"},
    {"r3k2r/8/8/8/8/8/8/R3K2R w i - 0 1", "castling"},
    {"r3k2r/8/8/8/8/8/8/R3K2R w -- - 0 1", "castling"},
    {"r3k2r/8/8/8/8/8/8/R3K2R w K- - 0 1", "castling"},
    {"r3k2r/8/8/8/8/8/8/4K2R w KQ - 0 1", "castling: White has no rook"},
    {"4k2r/8/8/8/8/8/8/R3K2R w q - 0 1", "castling: Black has no rook"},
    {"4k3/8/8/8/8/8/8/R3K2R w B - 0 1", "castling: White has no rook on b1"},
    {"4k3/8/8/8/8/8/4K3/R6R w K - 0 1", "castling: White has no rook"},
    {"4k3/8/8/8/8/8/4K3/R6R w H - 0 1", "castling: the king of White"},
    {"4k3/8/8/8/8/8/8/RR1K3R w AB - 0 1", "castling: White has two rooks"},
    {"4k3/8/8/8/8/8/8/4K2r w H - 0 1", "castling"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d 0 1", "en passant"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d9 0 1", "en passant"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - D6 0 1", "en passant"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1", "en passant"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - e3 0 1", "en passant"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - c6 0 1", "en passant"},
    {"4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", "en passant"},
    {"4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", "en passant"},
    {"4k3/8/8/3NP3/8/8/8/4K3 w - d6 0 1", "en passant"},
    {"4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock"},
    {"4k3/8/8/8/8/8/8/4K3 w - - x 1", "halfmove clock"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 1.5 1", "halfmove clock"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 30001 1", "halfmove clock"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "fullmove number"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 1x", "fullmove number"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999", "fullmove number"},
};

}  // namespace

TEST_CASE("the start position has its well-known FEN", "[fen]") {
    const auto text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    CHECK(fen(Position::start()) == text);
    CHECK(position_of(text) == Position::start());
}

TEST_CASE("a FEN is read with four to six fields and any blanks", "[fen]") {
    const auto text =
        GENERATE("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
                 "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0",
                 "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                 "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR   w  KQkq -  0 1 \r\n",
                 "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\tw\tKQkq\t-\t0\t1",
                 "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 0 0",
                 "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
                 "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KAhq - +0 01",
                 "rnbqkbnr/pppppppp/8/8/44/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                 "rnbqkbnr/pppppppp/8/8/112112/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    CAPTURE(text);
    CHECK(position_of(text) == Position::start());
}

TEST_CASE("every position comes back from its FEN", "[fen]") {
    for (const auto* text : tests::varied_positions) {
        CAPTURE(text);
        const auto position = position_of(text);
        CHECK(position_of(fen(position)) == position);
    }
}

TEST_CASE("counters are kept up to the largest", "[fen]") {
    const auto position = position_of("4k3/8/8/8/8/8/8/R3K3 w Q - 99 30000");
    CHECK(position.halfmove_clock() == 99);
    CHECK(position.fullmove_number() == 30000);
    CHECK(fen(position) == "4k3/8/8/8/8/8/8/R3K3 w Q - 99 30000");
    const auto oldest = position_of("4k3/8/8/8/8/8/8/R3K3 b Q - 30000 30000");
    CHECK(fen(oldest.after(tests::move_of(oldest, "Kd8")))
          == "3k4/8/8/8/8/8/8/R3K3 w Q - 30000 30000");
}

TEST_CASE("castling rights are written as in X-FEN", "[fen]") {
    const auto [given, written] = GENERATE(table<std::string, std::string>({
        // The outermost rook is K or Q, however it was written.
        {"4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "KQ"},
        {"r1k1r3/8/8/8/8/8/8/1RK1R3 w EBea - 0 1", "KQkq"},
        {"4k3/8/8/8/8/8/8/1R1K1R2 w KQ - 0 1", "KQ"},
        // An inner rook is written as its file.
        {"4k3/8/8/8/8/8/8/RR1K1R1R w FB - 0 1", "FB"},
        {"4k3/8/8/8/8/8/8/RR1K1R1R w KB - 0 1", "KB"},
        {"4k3/8/8/8/8/8/8/RR1K1R1R w HA - 0 1", "KQ"},
        {"1r1kr1r1/8/8/8/8/8/8/4K3 w eq - 0 1", "eq"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "-"},
    }));
    CAPTURE(given);
    const auto text = fen(position_of(given));
    CHECK(field(text, 2) == written);
    CHECK(position_of(text) == position_of(given));
}

TEST_CASE("the en passant square is kept only if a legal capture exists", "[fen]") {
    const auto [text, kept] = GENERATE(table<std::string, bool>({
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", true},
        {"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", true},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", false},
        // No capture across the edge of the board.
        {"4k3/8/7P/p7/8/8/8/4K3 w - a6 0 2", false},
        {"4k3/8/8/p6P/8/8/8/4K3 w - a6 0 2", false},
        // Both pawns leave the rank and open it.
        {"8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2", false},
        {"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", false},
        {"8/8/8/KP1pP2r/8/8/8/4k3 w - d6 0 2", true},
        // The capturing pawn is pinned across and along its path.
        {"4k3/4r3/8/3pP3/8/8/8/4K3 w - d6 0 2", false},
        {"4k3/2b5/8/3pP3/5K2/8/8/8 w - d6 0 2", true},
        {"4k3/6b1/8/3pP3/3K4/8/8/8 w - d6 0 2", false},
        // One of two capturers is enough.
        {"4k3/6b1/8/2PpP3/3K4/8/8/8 w - d6 0 2", true},
        // The capture answers a check by the pawn, not one by another piece.
        {"4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 2", true},
        {"4k3/8/8/3pP3/8/8/4r3/4K3 w - d6 0 2", false},
    }));
    CAPTURE(text);
    const auto position = position_of(text);
    CHECK(position.en_passant().has_value() == kept);
    CHECK(field(fen(position), 3) == (kept ? field(text, 3) : "-"));
}

TEST_CASE("the en passant field can be chosen", "[fen]") {
    CHECK(fen_with_en_passant(Position::start(), "e3"_sq)
          == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1");
    CHECK(fen_with_en_passant(Position::start(), std::nullopt) == fen(Position::start()));
}

TEST_CASE("an error names the FEN field at fault", "[fen]") {
    for (const auto& [text, field] : faulty_fens) {
        CAPTURE(text);
        const auto position = read_fen(text);
        REQUIRE_FALSE(position);
        CAPTURE(position.reason());
        CHECK(position.reason().substr(0, field.size()) == field);
    }
}

TEST_CASE("an error has no control characters", "[fen]") {
    const auto position = read_fen("\x1B[2J/8/8/8/8/8/8/4K3 w - - 0 1");
    REQUIRE_FALSE(position);
    for (const char letter : position.reason())
        CHECK((letter >= ' ' && letter <= '~'));
}
