#include "uci/xboard/session.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/fen.hpp"
#include "core/movegen.hpp"
#include "core/notation.hpp"
#include "core/text.hpp"

#include "uci/xboard/writer.hpp"

namespace uci::xboard {

namespace {

using engine::Milliseconds;

/// A client that sends this many lines while the engine thinks wants it to move.
constexpr std::size_t max_waiting_lines = 10'000;
/// The time for a move under a limit that the client rounded to 0 seconds.
constexpr Milliseconds min_movetime{100};
/// A clock this much lower than a ponder search has assumed needs a new search.
constexpr Milliseconds clock_tolerance{200};

constexpr std::string_view not_now = "command not legal now";

template <typename Clocks>
auto& clock_of(Clocks& clocks, core::Color side) {
    return clocks[core::index_of(side)];
}

bool has_moves(const core::Game& game) {
    return core::count_legal_moves(game.position()) > 0;
}

}  // namespace

/// Carries out a command.
class Session::Executor {
public:
    explicit Executor(Session& session) : session_{session} {}

    void operator()(const Ignored& /*command*/) const {}
    void operator()(const Protover& /*command*/) const {
        for (auto& line : feature_lines())
            session_.write(std::move(line));
    }
    void operator()(const AcceptedDebug& /*command*/) const { session_.debug_ = true; }
    void operator()(const NewGame& /*command*/) const { session_.new_game(); }
    void operator()(const SetVariant& command) const { session_.chess960_ = command.chess960; }
    void operator()(const Force& /*command*/) const {
        session_.abandon();
        session_.mode_ = Mode::force;
    }
    void operator()(const TakeSide& command) const {
        const auto to_move = session_.game_.position().side_to_move();
        session_.take_side(command.to_move ? to_move : ~to_move);
    }
    void operator()(const ToMove& command) const {
        if (command.side == session_.game_.position().side_to_move())
            session_.take_side(~command.side);
        else
            session_.refuse(not_now);
    }
    void operator()(const Level& command) const {
        session_.level_ = command;
        session_.move_time_.reset();
        session_.plies_at_level_ = session_.game_.moves().size();
        session_.own_time_.reset();
        session_.opponent_time_.reset();
    }
    void operator()(const MoveTime& command) const {
        session_.move_time_ = command;
        session_.own_time_.reset();
    }
    void operator()(const DepthLimit& command) const { session_.depth_ = command.depth; }
    void operator()(const ClockTime& command) const {
        (command.own ? session_.own_time_ : session_.opponent_time_) = command.time;
    }
    void operator()(const UserMove& command) const { session_.play(command.move); }
    void operator()(const MoveNow& /*command*/) const {
        if (session_.is_thinking())
            session_.post(engine::Stop{});
    }
    void operator()(const AskStatus& /*command*/) const {
        if (session_.mode_ == Mode::analyse || session_.running())
            session_.write(session_.status());
        else
            session_.refuse(not_now);
    }
    void operator()(const Ping& command) const {
        session_.ping_ = command;
        session_.sync();
    }
    void operator()(const OfferDraw& /*command*/) const { session_.offer_draw(); }
    void operator()(const GameResult& /*command*/) const {
        if (session_.mode_ != Mode::play)
            return;
        session_.abandon();
        session_.mode_ = Mode::force;
    }
    void operator()(const SetBoard& command) const { session_.set_board(command.fen); }
    void operator()(const TakeBack& command) const { session_.take_back(command.plies); }
    void operator()(const SetPondering& command) const {
        session_.pondering_ = command.on;
        const auto* search = session_.running();
        if (!command.on && search && search->purpose == Purpose::ponder)
            session_.abandon();
    }
    void operator()(const SetPosting& command) const { session_.posting_ = command.on; }
    void operator()(const Analyze& /*command*/) const {
        if (!session_.has_position_)
            return session_.refuse(not_now);
        if (session_.mode_ == Mode::analyse)
            return;
        session_.abandon();
        session_.mode_ = Mode::analyse;
        session_.proceed();
    }
    void operator()(const ExitAnalysis& /*command*/) const {
        if (session_.mode_ != Mode::analyse)
            return session_.refuse(not_now);
        session_.abandon();
        session_.mode_ = Mode::force;
    }
    void operator()(const RestrictMoves& command) const { session_.restrict_moves(command); }
    void operator()(const AskHint& /*command*/) const {
        const auto& position = session_.game_.position();
        if (session_.expected_move_ && core::is_legal(position, *session_.expected_move_))
            session_.write("Hint: " + move_text(*session_.expected_move_, session_.chess960_));
    }
    // A line of the book begins with a blank, and an empty line ends it.
    void operator()(const AskBook& /*command*/) const {
        session_.write(" The book cannot be listed.\n");
    }
    void operator()(const SetEngineOption& command) const { session_.set_engine_option(command); }

private:
    Session& session_;
};

// ---- lines

Actions Session::handle_line(std::string_view line, engine::TimePoint arrival) {
    pending_.push_back({std::string{line}, arrival});
    handle_pending();
    return std::exchange(actions_, {});
}

void Session::handle_pending() {
    while (!syncing_ && !pending_.empty()) {
        const Line line = std::move(pending_.front());
        pending_.pop_front();
        execute(line);
    }
}

void Session::execute(const Line& line) {
    line_ = line.text;
    arrival_ = line.arrival;
    const auto command = parse_command(line.text);
    if (!command) {
        refuse(command.reason());
    }
    else if (waits_for_move(*command)) {
        waiting_.push_back(line);
        if (waiting_.size() == max_waiting_lines)
            post(engine::Stop{});
    }
    else {
        std::visit(Executor{*this}, *command);
    }
}

/// While the engine thinks, what would interrupt it waits, and so does the answer to `ping`.
bool Session::waits_for_move(const Command& command) {
    return is_thinking()
        && (std::holds_alternative<Ping>(command)
            || std::holds_alternative<SetEngineOption>(command));
}

void Session::sync() {
    syncing_ = true;
    actions_.emplace_back(Sync{});
}

Actions Session::handle_synced() {
    syncing_ = false;
    if (const auto ping = std::exchange(ping_, std::nullopt))
        write(fmt::format("pong {}", ping->number));
    else if (mode_ == Mode::analyse)
        proceed();
    handle_pending();
    return std::exchange(actions_, {});
}

Actions Session::finish() {
    ending_ = true;
    if (!is_thinking())
        abandon();
    return std::exchange(actions_, {});
}

void Session::write_error(std::string_view kind, std::string_view line) {
    write(error_line(kind, line));
}

void Session::note(const std::string& text) {
    if (debug_)
        write("# " + text);
}

// ---- searches

Session::RunningSearch* Session::running() {
    return searches_.empty() || searches_.back().abandoned ? nullptr : &searches_.back();
}

bool Session::is_thinking() {
    const auto* search = running();
    return search && search->purpose == Purpose::think;
}

void Session::start(Purpose purpose, core::Game game) {
    auto limits = this->limits(purpose, game);
    post(engine::SetGameTo{game});
    post(engine::Go{limits});
    searches_.push_back({purpose, std::move(game), std::move(limits), false, {}, {}});
}

/// Ends the running search; its move will not be played.
void Session::abandon() {
    auto* search = running();
    if (!search)
        return;
    if (search->purpose == Purpose::think) {
        pending_.insert(pending_.begin(), waiting_.begin(), waiting_.end());
        waiting_.clear();
    }
    search->abandoned = true;
    post(engine::Stop{});
}

engine::Limits Session::limits(Purpose purpose, const core::Game& game) const {
    engine::Limits limits;
    limits.arrival = arrival_;
    limits.searchmoves = searchmoves(game);
    limits.depth = depth_;
    if (purpose == Purpose::analyse) {
        limits.analysis = limits.infinite = true;
        return limits;
    }
    limits.ponder = purpose == Purpose::ponder;
    if (move_time_) {
        auto time = std::max(move_time_->time, min_movetime);
        if (own_time_)
            time = move_time_->time.count() > 0 ? std::min(time, *own_time_) : *own_time_;
        limits.movetime = std::max(time, Milliseconds{1});
        return limits;
    }
    clock_of(limits.clocks, engine_side_) = {own_time_.value_or(level_.base), level_.increment};
    clock_of(limits.clocks, ~engine_side_) = {opponent_time_.value_or(level_.base),
                                              level_.increment};
    limits.movestogo = movestogo(game);
    return limits;
}

/// The root moves that are left; empty if all are.
std::vector<std::string> Session::searchmoves(const core::Game& game) const {
    std::vector<std::string> moves;
    if (excluded_.empty() || game.moves() != game_.moves())
        return moves;
    for (const core::Move move : core::legal_moves(game.position())) {
        if (std::find(excluded_.begin(), excluded_.end(), move) == excluded_.end())
            moves.push_back(core::to_uci(move, core::CastlingStyle::king_takes_rook));
    }
    return moves;
}

/// The engine's moves to the next time control. The `level` command gives their number at the time
/// it arrives.
std::optional<int> Session::movestogo(const core::Game& game) const {
    if (level_.moves == 0)
        return std::nullopt;
    const auto plies = game.moves().size();
    const auto since = plies - std::min(plies, plies_at_level_);
    // The engine is to move: it has made every second of these plies, rounded down.
    const auto own = static_cast<int>(since / 2);
    return level_.moves - own % level_.moves;
}

// ---- the game

void Session::play(const std::string& text) {
    if (!has_position_)
        return refuse(not_now);
    const auto move = core::read_move(game_.position(), text);
    if (!move)
        return write("Illegal move: " + core::printable(text));
    if (mode_ == Mode::play && ponder_hit(*move))
        return;
    auto game = game_;
    game.play(*move);
    reach(std::move(game));
}

/// Goes on from another position.
void Session::reach(core::Game game) {
    abandon();
    game_ = std::move(game);
    excluded_.clear();
    proceed();
}

/// Does what the mode asks for in the position that has been reached.
void Session::proceed() {
    if (!has_position_)
        return;
    if (mode_ == Mode::analyse) {
        const bool all_excluded = !excluded_.empty() && searchmoves(game_).empty();
        if (!running() && has_moves(game_) && !all_excluded)
            start(Purpose::analyse, game_);
    }
    else if (mode_ == Mode::play && !claim_result()) {
        think();
    }
}

/// Claims the result if the game is over.
bool Session::claim_result() {
    if (game_.outcome() == core::Outcome::open)
        return false;
    write(result_text(game_));
    return true;
}

void Session::think() {
    const bool all_excluded = !excluded_.empty() && searchmoves(game_).empty();
    if (game_.position().side_to_move() == engine_side_ && !all_excluded)
        start(Purpose::think, game_);
}

/// Thinks about the answer to the expected move, until the opponent makes a move.
void Session::ponder(const engine::BestMove& best) {
    expected_move_ = best.ponder;
    if (!pondering_ || ending_ || !best.ponder || !core::is_legal(game_.position(), *best.ponder))
        return;
    auto game = game_;
    game.play(*best.ponder);
    if (game.outcome() != core::Outcome::open)
        return;
    if (posting_)
        write("Hint: " + move_text(*best.ponder, chess960_));
    start(Purpose::ponder, std::move(game));
}

/// Goes on with the ponder search if it is about this move and its clock is still right.
bool Session::ponder_hit(core::Move move) {
    auto* search = running();
    if (!search || search->purpose != Purpose::ponder || search->game.moves().back() != move)
        return false;
    const auto assumed = clock_of(search->limits.clocks, engine_side_).time;
    if (assumed && own_time_ && *own_time_ + clock_tolerance < *assumed)
        return false;
    game_ = search->game;
    excluded_.clear();
    search->purpose = Purpose::think;
    search->limits.arrival = arrival_;
    post(engine::PonderHit{});
    return true;
}

void Session::take_back(int plies) {
    // The engine keeps its side, so it must be the opponent's turn after the move too.
    const bool is_allowed =
        mode_ != Mode::play || (plies == 2 && game_.position().side_to_move() != engine_side_);
    auto game = game_;
    if (!is_allowed || !has_position_ || !game.undo(plies))
        return refuse(not_now);
    last_score_.reset();
    reach(std::move(game));
}

void Session::set_board(const std::string& fen) {
    const auto position = core::read_fen(fen);
    abandon();
    draw_offered_ = false;
    last_score_.reset();
    if (mode_ == Mode::play)
        mode_ = Mode::force;
    has_position_ = static_cast<bool>(position);
    if (!position)
        return write("tellusererror Illegal position: " + without_failure_words(position.reason()));
    reach(core::Game{*position});
    plies_at_level_ = 0;
}

void Session::new_game() {
    abandon();
    post(engine::NewGame{});
    has_position_ = true;
    chess960_ = false;
    depth_.reset();
    own_time_.reset();
    opponent_time_.reset();
    plies_at_level_ = 0;
    draw_offered_ = false;
    last_score_.reset();
    expected_move_.reset();
    engine_side_ = core::Color::black;
    if (mode_ != Mode::analyse)
        mode_ = Mode::play;
    reach(core::Game{});
}

void Session::take_side(core::Color side) {
    if (!has_position_)
        return refuse(not_now);
    if (is_thinking() && mode_ == Mode::play && side == engine_side_)
        return;
    abandon();
    last_score_.reset();
    mode_ = Mode::play;
    engine_side_ = side;
    proceed();
}

void Session::restrict_moves(const RestrictMoves& command) {
    if (!has_position_)
        return refuse(not_now);
    std::vector<core::Move> moves;
    if (command.move) {
        const auto move = core::read_move(game_.position(), *command.move);
        if (!move)
            return write("Illegal move: " + core::printable(*command.move));
        moves = {*move};
    }
    else {
        const auto legal = core::legal_moves(game_.position());
        moves.assign(legal.begin(), legal.end());
    }
    for (const core::Move move : moves) {
        std::erase(excluded_, move);
        if (command.exclude)
            excluded_.push_back(move);
    }
    if (mode_ == Mode::analyse) {
        abandon();
        proceed();
    }
}

/// Sets an option and waits until that has been done. An analysis goes on afterwards.
void Session::set_engine_option(const SetEngineOption& command) {
    abandon();
    post(engine::SetOption{command.name, command.value});
    sync();
}

void Session::offer_draw() {
    if (mode_ != Mode::play)
        return refuse(not_now);
    draw_offered_ = true;
    if (!is_thinking() && accepts_draw()) {
        draw_offered_ = false;
        write("offer draw");
    }
}

/// A draw is welcome when the engine sees no advantage late in a game, or is clearly worse. Before
/// its first move it does not know: the offer then stands until that move.
bool Session::accepts_draw() const {
    constexpr int late = 30;
    constexpr engine::Score clearly_worse = -100;
    const bool is_late = game_.position().fullmove_number() >= late;
    return last_score_ && *last_score_ <= (is_late ? engine::draw : clearly_worse);
}

/// "stat01: TIME NODES DEPTH LEFT TOTAL MOVE": LEFT root moves of TOTAL are still to be searched.
std::string Session::status() {
    const auto* search = running();
    if (!search || !search->last_info)
        return "stat01: 0 0 0 0 0";
    const auto& position = search->game.position();
    const int total = core::count_legal_moves(position);
    const int number = search->current_move ? search->current_move->currmovenumber : 1;
    auto text = fmt::format(
        "stat01: {} {} {} {} {}", engine::since(search->limits.arrival).count() / 10,
        search->last_info->nodes, search->last_info->depth, std::max(0, total - number), total);
    if (search->current_move)
        text += ' ' + core::san(position, search->current_move->move);
    return text;
}

// ---- responses

Actions Session::handle_response(const engine::Response& response) {
    std::visit([this](const auto& value) { handle(value); }, response);
    handle_pending();
    return std::exchange(actions_, {});
}

void Session::handle(const engine::Info& info) {
    if (searches_.empty() || searches_.front().abandoned || info.pv.empty())
        return;
    auto& search = searches_.front();
    if (posting_)
        write(thinking_line(info, search.game.position()));
    search.last_info = info;
}

void Session::handle(const engine::CurrentMove& current) {
    if (!searches_.empty())
        searches_.front().current_move = current;
}

void Session::handle(const engine::BestMove& best) {
    if (searches_.empty())
        return;
    const auto search = std::move(searches_.front());
    searches_.pop_front();
    if (search.abandoned || search.purpose != Purpose::think)
        return;
    finish_thinking(search, best);
    pending_.insert(pending_.begin(), waiting_.begin(), waiting_.end());
    waiting_.clear();
}

void Session::finish_thinking(const RunningSearch& search, const engine::BestMove& best) {
    charge_clock(search);
    if (!best.move)
        return;
    last_score_ = best.score;
    if (std::exchange(draw_offered_, false) && accepts_draw())
        write("offer draw");
    write("move " + move_text(*best.move, chess960_));
    game_.play(*best.move);
    excluded_.clear();
    if (!claim_result())
        ponder(best);
}

/// Takes the time of a move from the engine's clock; the client's next `time` will be more exact.
void Session::charge_clock(const RunningSearch& search) {
    if (move_time_)
        return own_time_.reset();
    own_time_ =
        own_time_.value_or(level_.base) - engine::since(search.limits.arrival) + level_.increment;
    if (movestogo(search.game) == 1)
        *own_time_ += level_.base;
}

void Session::handle(const engine::Refused& refused) {
    write_error(without_failure_words(refused.reason), line_);
}

void Session::handle(const engine::Notice& notice) {
    note(without_failure_words(notice.text));
}

}  // namespace uci::xboard
