#include "uci/json/session.hpp"

#include <algorithm>
#include <cassert>
#include <optional>

#include "core/fen.hpp"
#include "core/mating_material.hpp"
#include "core/movegen.hpp"

#include "uci/json/values.hpp"

namespace uci::json {

namespace {

/// How a game has ended by itself. Lack of material ends none: the interface has no word for it.
std::optional<Ending> ending_of(const core::Game& game) {
    const core::Position& position = game.position();
    if (core::count_legal_moves(position) == 0) {
        if (position.in_check())
            return Ending{~position.side_to_move(), "checkmate"};
        return Ending{std::nullopt, "stalemate"};
    }
    if (game.occurrences() >= 3)
        return Ending{std::nullopt, "threefold_repetition"};
    if (position.halfmove_clock() >= 100)
        return Ending{std::nullopt, "fifty_move_rule"};
    return std::nullopt;
}

/// Whether the messages can name everything in a position: castling as a king's move of two
/// squares, and no more threats than two.
bool can_be_told(const core::Position& position) {
    return !position.castles_unusually() && position.checkers().count() <= 2;
}

/// The first legal move between two squares; of promotions that is any of the four.
std::optional<core::Move> find_move(const core::Position& position, const PieceMove& wanted) {
    const auto legal = core::legal_moves(position);
    const auto* const found = std::find_if(legal.begin(), legal.end(), [&](core::Move move) {
        return move.from() == wanted.from && target_of(move) == wanted.to;
    });
    if (found == legal.end())
        return std::nullopt;
    return *found;
}

}  // namespace

Answer refused() {
    return {{failure()}, Audience::sender_refused};
}

Step Session::take(std::string_view message) {
    const auto request = read_request(message);
    if (!request)
        return refused();
    return take(*request);
}

Step Session::take(const Request& request) {
    if (is_thinking())
        return refused();
    return std::visit([this](const auto& wish) { return handle(wish); }, request);
}

std::optional<PieceMove> Session::promoting() const {
    if (const auto* promoting = std::get_if<Promoting>(&state_))
        return promoting->move;
    return std::nullopt;
}

std::optional<Ending> Session::ending() const {
    if (const auto* ending = std::get_if<Ending>(&state_))
        return *ending;
    return std::nullopt;
}

Answer Session::finish(const engine::BestMove& best) {
    const auto* thinking = std::get_if<Thinking>(&state_);
    assert(thinking != nullptr);
    const bool plays = thinking != nullptr && thinking->plays;
    state_ = Playing{};
    if (!best.move || !core::is_legal(game_.position(), *best.move))
        return refused();
    if (!plays)
        return {{hint(*best.move, best.score)}, Audience::sender};
    Answer answer = play(*best.move);
    answer.messages.insert(answer.messages.begin(), engine_move(*best.move, best.score));
    return answer;
}

Step Session::handle(const PieceMove& request) {
    const auto move = is_playing() ? find_move(game_.position(), request) : std::nullopt;
    if (!move)
        return refused();
    if (!move->is_promotion())
        return play(*move);
    state_ = Promoting{request};
    return Answer{{promotion_prompt()}, Audience::sender};
}

Step Session::handle(const PromotionChoice& request) {
    const auto* promoting = std::get_if<Promoting>(&state_);
    if (promoting == nullptr)
        return refused();
    return play(core::Move::promotion(promoting->move.from, promoting->move.to, request.piece));
}

Step Session::handle(const NewGame& request) {
    if (!is_playing() && !is_over())
        return refused();
    core::Game game;
    if (request.fen) {
        const auto position = core::read_fen(*request.fen);
        if (!position || !can_be_told(*position))
            return refused();
        game = core::Game{*position};
    }
    game_ = std::move(game);
    state_ = Playing{};
    if (const auto ending = ending_of(game_))
        state_ = *ending;
    return situation({});
}

Step Session::handle(const GetLegalMoveset& /*request*/) {
    if (std::holds_alternative<Promoting>(state_))
        return Answer{{promotion_prompt()}, Audience::sender};
    return situation({});
}

Step Session::handle(const Resignation& request) {
    return is_playing() ? end({~request.player, "resignation"}) : refused();
}

Step Session::handle(const Timeout& request) {
    if (!is_playing())
        return refused();
    if (core::has_mating_material(game_.position(), ~request.player))
        return end({~request.player, "timeout"});
    return end({std::nullopt, "timeout_insufficient_material"});
}

Step Session::handle(const EngineMove& request) {
    if (request.player && *request.player != game_.position().side_to_move())
        return refused();
    return think(request.limits, true);
}

Step Session::handle(const Hint& request) {
    return think(request.limits, false);
}

Step Session::think(const engine::Limits& limits, bool plays) {
    if (!is_playing())
        return refused();
    state_ = Thinking{plays};
    return limits;
}

Answer Session::play(core::Move move) {
    const Events events = events_of(game_.position(), move);
    game_.play(move);
    state_ = Playing{};
    if (const auto ending = ending_of(game_))
        state_ = *ending;
    return situation(events);
}

Answer Session::end(const Ending& ending) {
    state_ = ending;
    return {{game_end(ending)}};
}

/// Where the game stands after what has happened.
Answer Session::situation(const Events& events) const {
    Answer answer{{next_legal_moveset(game_.position(), events, is_over(), spelling_)}};
    if (const auto* ending = std::get_if<Ending>(&state_))
        answer.messages.push_back(game_end(*ending));
    return answer;
}

}  // namespace uci::json
