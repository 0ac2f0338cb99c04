#include "uci/mcp/position_argument.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/fen.hpp"
#include "core/movegen.hpp"
#include "core/notation.hpp"
#include "core/pgn.hpp"
#include "core/text.hpp"

namespace uci::mcp {

namespace {

using core::Error;
using core::PieceType;
using core::Square;

constexpr std::string_view name_of(core::Color color) {
    return color == core::Color::white ? "White" : "Black";
}

std::vector<std::string> legal_sans(const core::Position& position, std::optional<Square> from) {
    std::vector<std::string> sans;
    for (const auto move : core::legal_moves(position)) {
        if (!from || move.from() == *from)
            sans.push_back(core::san(position, move));
    }
    return sans;
}

/// The type of piece that a move in SAN begins with.
std::optional<PieceType> piece_of_san(std::string_view text) {
    constexpr std::string_view letters{"NBRQK"};
    constexpr std::array types{PieceType::knight, PieceType::bishop, PieceType::rook,
                               PieceType::queen, PieceType::king};
    if (text.starts_with('O') || text.starts_with('0'))
        return PieceType::king;
    const auto found = text.empty() ? std::string_view::npos : letters.find(text.front());
    return found == std::string_view::npos ? std::nullopt : std::optional{types[found]};
}

/// The squares of the pieces that a text may mean that is not a legal move.
std::vector<Square> squares_meant(const core::Position& position, std::string_view text) {
    const auto own = [&](PieceType type) {
        std::vector<Square> squares;
        for (const auto square : position.pieces(position.side_to_move(), type))
            squares.push_back(square);
        return squares;
    };
    if (const auto from = Square::read(text.substr(0, 2)); from && text.size() >= 4)
        return {*from};
    if (const auto type = piece_of_san(text))
        return own(*type);
    auto pawns = own(PieceType::pawn);
    std::erase_if(
        pawns, [&](Square square) { return text.empty() || square.file() != text.front() - 'a'; });
    return pawns;
}

/// "the rook on e1 can play Rd1 or Rf1"
std::string moves_from(const core::Position& position, Square square) {
    const auto piece = position.piece_on(square);
    if (!piece)
        return fmt::format("there is no piece on {}", square.name());
    if (piece->color() != position.side_to_move())
        return fmt::format("the {} on {} is {}'s", core::name(piece->type()), square.name(),
                           name_of(piece->color()));
    const auto sans = legal_sans(position, square);
    if (sans.empty())
        return fmt::format("the {} on {} has no legal move", core::name(piece->type()),
                           square.name());
    return fmt::format("the {} on {} can play {}", core::name(piece->type()), square.name(),
                       fmt::join(sans, ", "));
}

std::string refusal(const core::Position& position, std::string_view text) {
    const auto sans = legal_sans(position, {});
    if (sans.empty())
        return fmt::format("{} cannot be played: the game is over", core::quoted(text));
    auto reason = fmt::format("{} is not a legal move here. {} is to move", core::quoted(text),
                              name_of(position.side_to_move()));
    const auto squares = squares_meant(position, text);
    for (const auto square : squares)
        reason += "; " + moves_from(position, square);
    if (squares.empty())
        reason += fmt::format("; the legal moves are {}", fmt::join(sans, ", "));
    return reason + fmt::format(". FEN: {}", core::fen(position));
}

std::string numbered(const core::Position& position, std::string_view reason) {
    return fmt::format("move {}{}: {}", position.fullmove_number(),
                       position.side_to_move() == core::Color::white ? "" : "...", reason);
}

/// A move without its number: "12.e4", "12...", "12."
std::string_view without_number(std::string_view word) {
    const auto digits = std::min(word.find_first_not_of("0123456789"), word.size());
    if (digits == word.size())
        return "";
    if (digits == 0 || word[digits] != '.')
        return word;
    return word.substr(std::min(word.find_first_not_of('.', digits), word.size()));
}

std::optional<Error> play_words(core::Game& game, std::string_view text) {
    core::Words words{text};
    while (const auto word = words.next()) {
        const auto move_text = without_number(*word);
        if (move_text.empty())
            continue;
        const auto move = legal_move(game.position(), move_text);
        if (!move)
            return Error{numbered(game.position(), move.reason())};
        game.play(*move);
        if (game.moves().size() > max_plies)
            return Error{fmt::format("a game may have {} plies", max_plies)};
    }
    return std::nullopt;
}

core::Result<core::Game> game_of_pgn(std::string_view text) {
    const auto pgn = core::read_pgn(text);
    if (pgn && pgn->game.moves().size() > max_plies)
        return Error{fmt::format("a game may have {} plies", max_plies)};
    if (pgn)
        return pgn->game;
    if (const auto fault = core::illegal_move_in(text))
        return Error{"pgn: " + numbered(fault->position, refusal(fault->position, fault->text))};
    return Error{"pgn: " + pgn.reason()};
}

core::Result<core::Game> game_of_moves(const core::Position& start, const Json& moves) {
    core::Game game{start};
    const bool is_array = moves.is_array();
    if (!is_array && !moves.is_string())
        return Error{"moves must be text, such as \"e4 e5 Nf3\""};
    for (const auto& part : is_array ? moves : Json::array({moves})) {
        if (!part.is_string())
            return Error{"moves must be text, such as \"e4 e5 Nf3\""};
        if (auto error = play_words(game, part.get_ref<const std::string&>()))
            return *error;
    }
    return game;
}

}  // namespace

Json position_properties() {
    const auto text = [](std::string_view description) {
        return Json{{"type", "string"}, {"description", description}};
    };
    return {
        {"moves", text("The moves played so far, from the start position or from fen: SAN or "
                       "coordinates, such as \"1. e4 e5 2. Nf3\" or \"e2e4 e7e5\". Prefer this "
                       "or pgn to fen: a list of moves cannot describe a wrong position.")},
        {"pgn", text("A game in PGN, in the place of moves: its last position is meant. Of several "
                     "games the first counts.")},
        {"fen", text("The position from which moves begin, in FEN; alone, the position meant.")}};
}

core::Result<core::Move> legal_move(const core::Position& position, std::string_view text) {
    auto move = core::read_move(position, text);
    if (!move)
        return Error{refusal(position, text)};
    return move;
}

core::Result<core::Game> game_of(const Json& arguments) {
    const auto moves = arguments.find("moves");
    const auto pgn = arguments.find("pgn");
    const auto fen = arguments.find("fen");
    if (pgn != arguments.end() && (moves != arguments.end() || fen != arguments.end()))
        return Error{"give either pgn, or moves with or without fen"};
    if (pgn != arguments.end())
        return pgn->is_string() ? game_of_pgn(pgn->get_ref<const std::string&>())
                                : Error{"pgn must be text"};
    auto start = core::Position::start();
    if (fen != arguments.end()) {
        const auto position = fen->is_string() ? core::read_fen(fen->get_ref<const std::string&>())
                                               : Error{"it must be text"};
        if (!position)
            return Error{"fen: " + position.reason()};
        start = *position;
    }
    return moves == arguments.end() ? core::Result{core::Game{start}}
                                    : game_of_moves(start, *moves);
}

}  // namespace uci::mcp
