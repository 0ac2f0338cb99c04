#include <map>
#include <set>

#include "core/movegen.hpp"

#include "tests/engine/random_positions.hpp"
#include "tests/uci/json/client.hpp"

using namespace tests;
using core::Color;
using core::Move;
using core::Piece;
using core::PieceType;
using core::Position;
using core::Square;

namespace {

std::string upper(Square square) {
    auto name = square.name();
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return name;
}

/// The target square of the king, computed independently of the code under test.
Square king_target(Move move) {
    if (move.kind() != Move::Kind::castling)
        return move.to();
    return Square::at(move.to().file() == 7 ? 6 : 2, move.to().rank());
}

/// The legal moves as the messages write them.
Json moves_of(const Position& position) {
    std::map<std::string, std::set<std::string>> moves;
    for (const Move move : core::legal_moves(position))
        moves[upper(move.from())].insert(upper(king_target(move)));
    Json json = Json::object();
    for (const auto& [from, targets] : moves)
        json[from] = targets;
    return json;
}

/// The events of a move, found by comparing the boards before and after it.
Json events_of(const Position& before, Move move, const Position& after) {
    Json json = Json::object();
    const Color player = before.side_to_move();
    const Piece rook{player, PieceType::rook};
    for (int i = 0; i < Square::count; ++i) {
        const Square square{i};
        const auto piece = before.piece_on(square);
        if (piece && piece->color() != player && after.piece_on(square) != piece)
            json["capture"] = upper(square);
    }
    if (json.contains("capture") && json["capture"] != upper(move.to()))
        json["en_passant_capture"] = json["capture"];
    if (before.piece_on(move.from()) == Piece{player, PieceType::pawn}
        && after.piece_on(move.to()) != Piece{player, PieceType::pawn}) {
        json["promote"]["space"] = upper(move.to());
        json["promote"]["piece"] = core::name(after.piece_on(move.to())->type());
    }
    if (before.piece_on(move.from()) == Piece{player, PieceType::king}
        && std::abs(king_target(move).file() - move.from().file()) == 2) {
        for (const int file : {0, 7, 3, 5}) {
            const Square square = Square::at(file, move.from().rank());
            if ((before.piece_on(square) == rook) != (after.piece_on(square) == rook))
                json["also_move_rook"][file % 7 == 0 ? "from" : "to"] = upper(square);
        }
    }
    if (after.in_check()) {
        std::set<std::string> threats;
        for (const Square square :
             after.attackers(after.king(~player), after.pieces()) & after.pieces(player))
            threats.insert(upper(square));
        json["check"]["in_check"] = player == Color::white ? "black" : "white";
        json["check"]["threats"] = threats;
        json["check"]["king_space"] = upper(after.king(~player));
    }
    return json;
}

std::vector<std::string> play(uci::json::Session& session, Move move) {
    auto messages =
        messages_after(session, move_request(upper(move.from()), upper(king_target(move))));
    if (!move.is_promotion())
        return messages;
    CHECK(messages == std::vector{request("promotion_prompt")});
    return messages_after(session, choice_request(core::name(move.promoted_to())));
}

/// Whether a game is over by the rules of the interface.
bool is_over(const core::Game& game) {
    return core::legal_moves(game.position()).empty() || game.occurrences() >= 3
        || game.position().halfmove_clock() >= 100;
}

/// Whether a game can be played from there: the interface cannot express Chess960 castling.
bool can_begin(const char* fen) {
    uci::json::Session session;
    const auto answer = answer_to(session, new_game_request(fen));
    return answer.audience == uci::json::Audience::everyone && !session.is_over();
}

/// Plays a random game to its end; returns the number of plies.
int play_game(const char* fen, Dice& dice) {
    auto session = session_at(fen);
    core::Game game{position_of(fen)};
    int plies = 0;
    for (; !is_over(game) && plies < 300; ++plies) {
        const Move move = dice.pick(core::legal_moves(game.position()));
        const Position before = game.position();
        game.play(move);
        const auto messages = play(session, move);
        Json expected;
        expected["message_type"] = "next_legal_moveset";
        expected["moves"] = is_over(game) ? Json::object() : moves_of(game.position());
        expected["events"] = events_of(before, move, game.position());
        CAPTURE(core::fen(before));
        REQUIRE(messages.at(0) == expected.dump());
        REQUIRE(messages.size() == (is_over(game) ? 2U : 1U));
    }
    CHECK(session.game().keys().back() == game.position().key());
    return plies;
}

}  // namespace

TEST_CASE("the messages of random games match the boards", "[json]") {
    constexpr int games = 300;
    Dice dice{20};
    int plies = 0;
    for (int i = 0; i < games; ++i) {
        const char* fen = varied_positions[dice.one_in(2) ? 0 : dice.roll(varied_positions.size())];
        if (can_begin(fen))
            plies += play_game(fen, dice);
    }
    CHECK(plies > 20'000);
}
