#include "uci/json/session.hpp"

#include <algorithm>
#include <cassert>
#include <optional>

#include "core/castling.hpp"
#include "core/fen.hpp"
#include "core/mating_material.hpp"
#include "core/movegen.hpp"
#include "core/pgn.hpp"

#include "engine/analysis/explain/explainer.hpp"

namespace uci::json {

namespace {

/// How a game has ended by the rules. Insufficient material does not end it: the interface has no
/// reason for that.
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

Ending ending_by_timeout(const core::Position& position, core::Color player) {
    if (core::has_mating_material(position, ~player))
        return {~player, "timeout"};
    return {std::nullopt, "timeout_insufficient_material"};
}

/// Whether the messages can express a position: castling is a king's move of two squares, and at
/// most two pieces give check.
bool is_representable(const core::Position& position) {
    return !position.is_chess960() && position.checkers().count() <= 2;
}

GameClock::Time now() {
    return std::chrono::steady_clock::now();
}

/// The first legal move between two squares; for a promotion any of the four.
std::optional<core::Move> find_move(const core::Position& position, const PieceMove& request) {
    const auto legal = core::legal_moves(position);
    const auto* const found = std::find_if(legal.begin(), legal.end(), [&](core::Move move) {
        return move.from() == request.from && core::move_target(move) == request.to;
    });
    if (found == legal.end())
        return std::nullopt;
    return *found;
}

}  // namespace

Answer rejection() {
    return {{failure()}, Audience::rejected_sender_only};
}

Answer hint_answer(const core::Position& position, const engine::BestMove& best) {
    if (!best.move || !core::is_legal(position, *best.move))
        return rejection();
    return {{hint(*best.move, best.score)}, Audience::sender};
}

std::optional<ExplanationTask> explanation_task(const core::Game& game, const Explain& request) {
    ExplanationTask task{game, {}, request.language};
    if (request.ply) {
        if (*request.ply >= game.moves().size())
            return std::nullopt;
        const auto ply = static_cast<std::size_t>(*request.ply);
        task.move = game.moves()[ply];
        if (!task.game.undo(static_cast<int>(game.moves().size() - ply)))
            return std::nullopt;
    }
    if (request.from && request.to) {
        task.move = find_move(game.position(), {*request.from, *request.to});
        if (!task.move)
            return std::nullopt;
        if (task.move->is_promotion())
            task.move = core::Move::promotion(*request.from, task.move->to(), request.promotes_to);
    }
    if (engine::explain::end_of(task.game))
        return std::nullopt;
    return task;
}

Answer explanation_answer(const ExplanationTask& task,
                          const std::optional<engine::explain::Explanation>& explanation) {
    if (!explanation)
        return rejection();
    return {{json::explanation(task.game.position(), *explanation, task.language)},
            Audience::sender};
}

SessionState Session::state() const {
    const auto* thinking = std::get_if<Thinking>(&state_);
    SessionState state{game_, games_before_, promoting(), ending(),
                       thinking != nullptr && thinking->plays};
    if (clock_)
        state.clock = clock_->state(now());
    return state;
}

void Session::restore(const SessionState& state) {
    clock_.reset();
    if (state.clock)
        clock_.emplace(*state.clock, now());
    set_game(state.game);
    games_before_ = state.games_before;
    if (state.ending)
        end(*state.ending);
    if (!is_playing())
        return;
    const auto pawn_move =
        state.promoting ? find_move(game_.position(), *state.promoting) : std::nullopt;
    if (pawn_move && pawn_move->is_promotion())
        state_ = Promoting{*state.promoting};
    else if (state.is_searching)
        state_ = Thinking{true};
}

SessionResult Session::handle_message(std::string_view message) {
    const auto request = read_request(message);
    if (!request)
        return rejection();
    return handle_request(*request);
}

SessionResult Session::handle_request(const Request& request) {
    if (is_thinking())
        return rejection();
    return std::visit([this](const auto& known) { return handle(known); }, request);
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
    if (const auto ending = thinking->ending) {  // the flag fell
        state_ = *ending;
        return rejection();
    }
    state_ = Playing{};
    if (!plays)
        return hint_answer(game_.position(), best);
    if (!best.move || !core::is_legal(game_.position(), *best.move))
        return rejection();
    Answer answer = play(*best.move);
    answer.messages.insert(answer.messages.begin(), engine_move(*best.move, best.score));
    return answer;
}

Answer Session::finish(const ExplanationTask& task,
                       const std::optional<engine::explain::Explanation>& explanation) {
    const auto* thinking = std::get_if<Thinking>(&state_);
    assert(thinking != nullptr);
    if (const auto ending = thinking->ending)
        state_ = *ending;
    else
        state_ = Playing{};
    return explanation_answer(task, explanation);
}

std::optional<Answer> Session::end_by_clock() {
    if (!clock_ || !clock_->has_flag_fallen(now()))
        return std::nullopt;
    const Ending ending = ending_by_timeout(game_.position(), *clock_->running());
    auto* const thinking = std::get_if<Thinking>(&state_);
    if (thinking == nullptr)
        return end(ending);
    clock_->stop(now());
    thinking->ending = ending;
    return Answer{{game_end(ending)}};
}

Answer Session::agree_draw() {
    return is_playing() ? end({std::nullopt, "agreement"}) : rejection();
}

Answer Session::begin_rematch() {
    if (!is_over())
        return rejection();
    const core::Game game{game_.start()};
    if (clock_) {
        const auto& [white, black] = clock_->control();
        clock_.emplace(TimeControl{black, white}, game.position().side_to_move());
    }
    ++games_before_;
    set_game(game);
    return state_messages({});
}

SessionResult Session::handle(const PieceMove& request) {
    const auto move = is_playing() ? find_move(game_.position(), request) : std::nullopt;
    if (!move)
        return rejection();
    if (!move->is_promotion())
        return play(*move);
    state_ = Promoting{request};
    return Answer{{promotion_prompt()}, Audience::sender};
}

SessionResult Session::handle(const PromotionChoice& request) {
    const auto* promoting = std::get_if<Promoting>(&state_);
    if (promoting == nullptr)
        return rejection();
    return play(core::Move::promotion(promoting->move.from, promoting->move.to, request.piece));
}

SessionResult Session::handle(const NewGame& request) {
    if (!is_playing() && !is_over())
        return rejection();
    core::Game game;
    if (request.fen) {
        const auto position = core::read_fen(*request.fen);
        if (!position || !is_representable(*position))
            return rejection();
        game = core::Game{*position};
    }
    ++games_before_;
    clock_.reset();
    if (request.clock)
        clock_.emplace(*request.clock, game.position().side_to_move());
    set_game(std::move(game));
    return state_messages({});
}

SessionResult Session::handle(const ClockRequest& request) {
    if (request.control) {
        if (!is_playing() || !game_.moves().empty())
            return rejection();
        clock_.emplace(*request.control, game_.position().side_to_move());
    }
    if (!clock_)
        return rejection();
    return Answer{{clock_message(*clock_, now())}, Audience::sender};
}

SessionResult Session::handle(const LoadPgn& request) {
    if (!is_playing() && !is_over())
        return rejection();
    auto pgn = core::read_pgn(request.pgn);
    // A text without a game reads as a game without moves.
    if (!pgn || !is_representable(pgn->game.start())
        || (pgn->game.moves().empty() && pgn->tags.empty()))
        return rejection();
    ++games_before_;
    clock_.reset();
    set_game(pgn->game);
    return state_messages({});
}

SessionResult Session::handle(const GetLegalMoveset& /*request*/) {
    if (std::holds_alternative<Promoting>(state_))
        return Answer{{promotion_prompt()}, Audience::sender};
    return state_messages({});
}

SessionResult Session::handle(const Resignation& request) {
    return is_playing() ? end({~request.player, "resignation"}) : rejection();
}

SessionResult Session::handle(const Timeout& request) {
    if (!is_playing() || clock_)
        return rejection();
    return end(ending_by_timeout(game_.position(), request.player));
}

SessionResult Session::handle(const TakeBack& request) {
    core::Game game = game_;
    if ((!is_playing() && !is_over()) || !game.undo(request.plies))
        return rejection();
    if (clock_)
        clock_->take_back(request.plies, now());
    set_game(std::move(game));
    return state_messages({});
}

SessionResult Session::handle(const EngineMove& request) {
    if (request.player && *request.player != game_.position().side_to_move())
        return rejection();
    engine::Limits limits = request.limits;
    if (clock_) {
        limits.arrival = now();
        limits.clocks = clock_->limits(limits.arrival);
        if (!request.names_limit)
            limits.movetime = max_think_time;
    }
    return start_search(limits, true);
}

SessionResult Session::handle(const Hint& request) {
    return start_search(request.limits, false);
}

SessionResult Session::handle(const Explain& request) {
    const bool may = is_over() ? request.ply.has_value() : is_playing();
    auto task = may ? explanation_task(game_, request) : std::nullopt;
    if (!task)
        return rejection();
    state_ = Thinking{false, ending()};
    return *std::move(task);
}

SessionResult Session::handle(const Tablebase& /*request*/) {
    if (!is_playing() || !tablebases_)
        return rejection();
    // The games of this interface end by the fifty-move rule.
    const auto report = engine::tablebase::report_on(*tablebases_, game_, true);
    if (!report)
        return rejection();
    return Answer{{tablebase(*report)}, Audience::sender};
}

SessionResult Session::start_search(const engine::Limits& limits, bool plays) {
    if (!is_playing())
        return rejection();
    state_ = Thinking{plays};
    return limits;
}

Answer Session::play(core::Move move) {
    const Events events = events_of(game_.position(), move);
    core::Game game = std::move(game_);
    game.play(move);
    if (clock_)
        clock_->press(now());
    set_game(std::move(game));
    return state_messages(events);
}

/// Goes on with a game, which may have ended.
void Session::set_game(core::Game game) {
    game_ = std::move(game);
    state_ = Playing{};
    if (const auto ending = ending_of(game_))
        end(*ending);
}

Answer Session::end(const Ending& ending) {
    if (clock_)
        clock_->stop(now());
    state_ = ending;
    return {{game_end(ending)}};
}

/// The legal moves with the events of the last move, and the end of the game if it is over.
Answer Session::state_messages(const Events& events) const {
    Answer answer{{next_legal_moveset(game_.position(), events, is_over(), spelling_)}};
    if (const auto* ending = std::get_if<Ending>(&state_))
        answer.messages.push_back(game_end(*ending));
    return answer;
}

}  // namespace uci::json
