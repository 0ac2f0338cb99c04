#include "core/notation.hpp"

#include "core/movegen.hpp"

#include "tests/core/positions.hpp"

using namespace core;
using tests::position_of;

namespace {

const char* const standard_castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const char* const promotions = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";

}  // namespace

TEST_CASE("SAN has the least disambiguation that is needed", "[notation]") {
    const auto [fen, move, text] = GENERATE(table<std::string, std::string, std::string>({
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Nf3"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e4"},
        // Captures.
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
        {"4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", "Nxd5"},
        // Disambiguated by file, by rank, by both.
        {"4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"},
        {"4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3", "R1a3"},
        {"8/k7/8/4Q2Q/8/8/8/2K4Q w - - 0 1", "h5e2", "Qhe2"},
        {"8/7k/8/8/8/Q7/8/Q1Q1K3 w - - 0 1", "a1b2", "Qa1b2"},
        {"7k/8/8/8/2N1N3/8/8/4K1N1 w - - 0 1", "e4f6", "Nf6"},
        // A pinned piece, or one that moves elsewhere, needs no disambiguation.
        {"4k3/4r3/8/8/4N3/8/8/N3K3 w - - 0 1", "a1c2", "Nc2"},
        {"4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"},
        // Castling.
        {standard_castling, "e1g1", "O-O"},
        {standard_castling, "e1c1", "O-O-O"},
        {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
        {"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"},
        // Promotions.
        {promotions, "a7a8q", "a8=Q"},
        {promotions, "a7a8n", "a8=N"},
        {promotions, "a7b8r", "axb8=R+"},
        // Check and mate.
        {"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8+"},
        {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"},
        {"7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6g7", "Qg7#"},
        // A stalemate is no check.
        {"7k/8/6K1/8/8/5Q2/8/8 w - - 0 1", "f3f7", "Qf7"},
    }));
    CAPTURE(fen, move);
    const auto position = position_of(fen);
    CHECK(san(position, tests::move_of(position, move)) == text);
    CHECK(tests::move_of(position, text) == tests::move_of(position, move));
}

TEST_CASE("every usual spelling of a move is read", "[notation]") {
    using Texts = std::vector<std::string>;
    const auto [fen, move, texts] = GENERATE(table<std::string, Move, Texts>({
        {"4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1", Move::normal("g1"_sq, "f3"_sq),
         Texts{"g1f3", "Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Nf3!", "Nf3?!", "Nf3+", "Nf3#"}},
        {"4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1", Move::normal("e2"_sq, "e4"_sq),
         Texts{"e2e4", "e4", "ee4", "e2-e4", "e4!!", "e4??"}},
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", Move::normal("e4"_sq, "d5"_sq),
         Texts{"e4d5", "exd5", "ed5", "e4xd5", "exd5+"}},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Move::en_passant("e5"_sq, "d6"_sq),
         Texts{"e5d6", "exd6", "ed6", "e5xd6"}},
        {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", Move::castling("e1"_sq, "h1"_sq),
         Texts{"e1g1", "e1h1", "O-O", "0-0", "O-O+", "0-0+", "O-O!"}},
        {standard_castling, Move::castling("e1"_sq, "a1"_sq),
         Texts{"e1c1", "e1a1", "O-O-O", "0-0-0"}},
        {promotions, Move::promotion("a7"_sq, "a8"_sq, PieceType::queen),
         Texts{"a7a8q", "a7a8Q", "a8=Q", "a8Q", "a8q", "a8=q", "a7a8=Q", "a7-a8=Q", "a8=Q!"}},
        {promotions, Move::promotion("a7"_sq, "b8"_sq, PieceType::knight),
         Texts{"a7b8n", "axb8=N", "ab8N", "axb8N", "a7xb8=N"}},
    }));
    const auto position = position_of(fen);
    for (const auto& text : texts) {
        CAPTURE(fen, text);
        CHECK(tests::move_of(position, text) == move);
    }
}

TEST_CASE("an ambiguous move is refused", "[notation]") {
    const auto [fen, text] = GENERATE(table<std::string, std::string>({
        {"4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2"},
        {"4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "Raa3"},
        {"8/7k/8/8/8/Q7/8/Q1Q1K3 w - - 0 1", "Qab2"},
        {"8/7k/8/8/8/Q7/8/Q1Q1K3 w - - 0 1", "Q1b2"},
        {"4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "d5"},
    }));
    CAPTURE(fen, text);
    const auto move = read_move(position_of(fen), text);
    REQUIRE_FALSE(move);
    CHECK(move.reason() == "'" + text + "' is ambiguous: more than one move matches");
}

TEST_CASE("a move that is not legal here is refused", "[notation]") {
    const auto [fen, text] = GENERATE(table<std::string, std::string>({
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e5"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e7e5"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e1g1"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e1h1"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "O-O"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "O-O-O"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Ke2"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e5"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4q"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4=Q"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "a3a4"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Nhf3"},
        {"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e1c1"},
        {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1c1"},
        {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Rd1"},
        {"4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O"},
        {"4k3/4r3/8/8/4N3/8/8/4K3 w - - 0 1", "Nc3"},
        {promotions, "a7a8"},
        {promotions, "a8"},
        {promotions, "a7a8p"},
        {promotions, "a8=K"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "exd6"},
        {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Kg8"},
    }));
    CAPTURE(fen, text);
    CHECK_FALSE(read_move(position_of(fen), text));
}

TEST_CASE("a text that is not a move is refused", "[notation]") {
    const auto text =
        GENERATE("", " ", "x", "+", "#", "=", "=Q", "x=Q", "e", "4", "e9", "i4", "N", "Nx", "K+",
                 "e2e", "e2e4e5", "e2 e4", "E2E4", "nf3", "Pe4x", "Nf3f", "O-", "O-O-O-O", "o-o",
                 "0000", "--", "null", "(none)", "Nxxf3", "e8==Q",
                 "\xE2\x99\x98"
                 "f3");
    CAPTURE(text);
    const auto move = read_move(Position::start(), text);
    REQUIRE_FALSE(move);
    CHECK_FALSE(move.reason().empty());
}

TEST_CASE("standard castling is written in either style", "[notation]") {
    const auto kingside = Move::castling("e1"_sq, "h1"_sq);
    const auto queenside = Move::castling("e8"_sq, "a8"_sq);
    CHECK(to_uci(kingside, CastlingStyle::king_moves_two) == "e1g1");
    CHECK(to_uci(kingside, CastlingStyle::king_takes_rook) == "e1h1");
    CHECK(to_uci(queenside, CastlingStyle::king_moves_two) == "e8c8");
    CHECK(to_uci(queenside, CastlingStyle::king_takes_rook) == "e8a8");
}

TEST_CASE("Chess960 castling is always written as taking the rook", "[notation]") {
    for (const Move move : {Move::castling("b1"_sq, "a1"_sq), Move::castling("f8"_sq, "g8"_sq),
                            Move::castling("e1"_sq, "g1"_sq)}) {
        const auto text = move.from().name() + move.to().name();
        CHECK(to_uci(move, CastlingStyle::king_moves_two) == text);
        CHECK(to_uci(move, CastlingStyle::king_takes_rook) == text);
    }
}

TEST_CASE("a king move next to its castling rook is not castling", "[notation]") {
    const auto position = position_of("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1");
    CHECK(tests::move_of(position, "f1g1") == Move::normal("f1"_sq, "g1"_sq));
    CHECK(tests::move_of(position, "f1h1") == Move::castling("f1"_sq, "h1"_sq));
    CHECK(tests::move_of(position, "O-O") == Move::castling("f1"_sq, "h1"_sq));
    CHECK(tests::move_of(position, "f1c1") == Move::castling("f1"_sq, "a1"_sq));
    CHECK(tests::move_of(position, "Kg1") == Move::normal("f1"_sq, "g1"_sq));
}

TEST_CASE("coordinates are written in lower case", "[notation]") {
    CHECK(to_uci(Move::normal("g1"_sq, "f3"_sq), CastlingStyle::king_moves_two) == "g1f3");
    CHECK(to_uci(Move::en_passant("e5"_sq, "d6"_sq), CastlingStyle::king_takes_rook) == "e5d6");
    CHECK(to_uci(Move::promotion("a7"_sq, "b8"_sq, PieceType::queen), CastlingStyle::king_moves_two)
          == "a7b8q");
    CHECK(
        to_uci(Move::promotion("a2"_sq, "a1"_sq, PieceType::knight), CastlingStyle::king_moves_two)
        == "a2a1n");
}
