#include "engine/main_task.hpp"

#include <algorithm>

#include "core/fen.hpp"
#include "core/movegen.hpp"
#include "core/perft.hpp"
#include "core/text.hpp"

#include "engine/analysis/explain/explainer.hpp"
#include "engine/bench.hpp"
#include "engine/clock.hpp"
#include "engine/tablebase/pv_extension.hpp"
#include "engine/threading.hpp"
#include "engine/wdl.hpp"

namespace engine {

namespace {

/// One report takes at most this long, so that a stop is handled soon.
constexpr Milliseconds max_pause{50};

/// The time that a search may spend on extending pvs to mate by the endgame tables: at most `max`,
/// and at most as long as it has searched, plus a little for the first pv.
struct PvExtensionTime {
    Milliseconds max{0};
    Milliseconds spent{0};

    Milliseconds left(Milliseconds searched) const {
        constexpr Milliseconds first_pv{100};
        return std::min({max - spent, first_pv + searched - spent, max_pause});
    }
};

PvExtensionTime pv_extension_time_of(const TimeBudget& budget) {
    return {budget.hard ? *budget.hard / 20 : Milliseconds::max()};
}

}  // namespace

/// Connects a search to the queue. Adds to its reports what the search does not know: WDL,
/// castling style, normalised scores. Answers snapshot requests while it runs.
class MainTask::Listener final : public SearchListener {
public:
    enum class Reports : unsigned char { none, all };

    explicit Listener(const MainTask& task,
                      Reports reports = Reports::all,
                      PvExtensionTime pv_extension_time = {})
        : SearchListener{task.queue_.interrupt_flag()},
          task_{task},
          reports_{reports},
          pv_extension_time_{pv_extension_time} {}

    std::optional<Interrupt> take_interrupt() override {
        while (const auto command = task_.queue_.take_interrupt()) {
            if (const auto* request = std::get_if<Ask>(&*command))
                task_.queue_.send(task_.snapshot(*request));
            else
                return std::holds_alternative<Stop>(*command) ? Interrupt::stop
                                                              : Interrupt::ponder_hit;
        }
        return std::nullopt;
    }
    Interrupt wait_for_interrupt() override {
        for (;;) {
            task_.queue_.wait_for_interrupt();
            if (const auto interrupt = take_interrupt())
                return *interrupt;
        }
    }

    bool wants_reports() const override { return reports_ == Reports::all; }
    void report(Info info) override {
        if (task_.options_.show_wdl)
            info.wdl = wdl(info.score, task_.game_.position());
        if (is_tablebase_result(info.score) && info.bound == Bound::exact)
            extend_pv(info);
        info.score = normalised(info.score);
        info.castling = task_.castling();
        task_.queue_.send(std::move(info));
    }
    void report(CurrentMove current) override {
        current.castling = task_.castling();
        task_.queue_.send(current);
    }

private:
    /// Extends a pv to mate by the endgame tables; the search itself has only proven the win.
    void extend_pv(Info& info) {
        const auto left = pv_extension_time_.left(info.time);
        if (!task_.tablebases_ || left <= Milliseconds{0})
            return;
        const auto start = std::chrono::steady_clock::now();
        info.pv = tablebase::extend_pv(*task_.tablebases_, task_.game_, info.pv,
                                       task_.options_.syzygy_fifty_moves, start + left);
        pv_extension_time_.spent += since(start);
    }

    const MainTask& task_;
    Reports reports_;
    PvExtensionTime pv_extension_time_;
};

MainTask::MainTask(CommandsResponses& queue)
    : queue_{queue},
      search_{static_cast<std::size_t>(options_.hash), evaluate_} {}

void MainTask::run() {
    for (;;) {
        const Command command = queue_.take();
        if (std::holds_alternative<Quit>(command))
            break;
        std::visit([this](const auto& request) { handle(request); }, command);
    }
    queue_.close();
}

void MainTask::handle(const SetOption& command) {
    const Options before = options_;
    const auto effect = set_option(options_, command.name, command.value);
    if (!effect) {
        queue_.send(Refused{effect.reason()});
        return;
    }
    switch (*effect) {
        case OptionEffect::load_network: return load_network(command.value);
        case OptionEffect::load_tablebases: return load_tablebases(command.value);
        case OptionEffect::load_book: return load_book(command.value);
        case OptionEffect::set_hash_file:
            hash_file_ = command.value == "<empty>" ? "" : command.value;
            return;
        case OptionEffect::save_hash: return save_hash();
        case OptionEffect::load_hash: return load_hash();
        default: break;
    }
    if (apply(*effect))
        return;
    options_ = before;
    queue_.send(Refused{command.name + " not changed: not enough memory or threads"});
}

/// An empty name means the network in the program.
void MainTask::load_network(const std::string& path) {
    if (path.empty() || path == "<empty>") {
        evaluate_ = evaluate::Evaluate{};
    }
    else {
        auto network = nnue::Network::load(path);
        if (!network) {
            queue_.send(
                Refused{"EvalFile not changed: " + core::quoted(path) + ": " + network.reason()});
            return;
        }
        evaluate_.use_network(std::move(*network));
    }
    search_.evaluation_changed();
}

/// An empty path means none. Clears the transposition table, which has results of the old tables.
void MainTask::load_tablebases(const std::string& path) {
    if (path.empty() || path == "<empty>") {
        tablebases_.reset();
        tablebase_path_.clear();
    }
    else {
        auto tablebases = tablebase::Tablebases::open(path);
        if (!tablebases) {
            const auto old = tablebase_path_.empty() ? "empty" : core::quoted(tablebase_path_);
            queue_.send(Refused{"SyzygyPath stays " + old + ": " + tablebases.reason()});
            return;
        }
        tablebases_ = std::move(*tablebases);
        tablebase_path_ = path;
        report_missing_tables();
    }
    search_.clear_tt();
}

/// An empty path means none.
void MainTask::load_book(const std::string& path) {
    if (path.empty() || path == "<empty>") {
        book_.reset();
        book_path_.clear();
        return;
    }
    auto book = book::OpeningBook::open(path);
    if (!book) {
        const auto old = book_path_.empty() ? "empty" : core::quoted(book_path_);
        queue_.send(Refused{"Book File stays " + old + ": " + book.reason()});
        return;
    }
    book_ = std::move(*book);
    book_path_ = path;
}

void MainTask::save_hash() {
    if (hash_file_.empty())
        queue_.send(Refused{"SaveHash: HashFile names no file"});
    else if (const auto error = search_.save_tt(hash_file_))
        queue_.send(Refused{"SaveHash: " + core::quoted(hash_file_) + ": " + error->reason});
    else
        queue_.send(Notice{"hash saved to " + core::quoted(hash_file_)});
}

void MainTask::load_hash() {
    if (hash_file_.empty())
        queue_.send(Refused{"LoadHash: HashFile names no file"});
    else if (const auto error = search_.load_tt(hash_file_))
        queue_.send(Refused{"LoadHash: " + core::quoted(hash_file_) + ": " + error->reason});
    else
        queue_.send(Notice{"hash loaded from " + core::quoted(hash_file_)});
}

/// A move from the book, if a game is played and the limits do not require a search.
std::optional<core::Move> MainTask::book_move(const Limits& limits) {
    if (!options_.own_book || !book_ || options_.analyse_mode || options_.multipv > 1
        || limits.analysis || limits.infinite || limits.ponder || limits.mate
        || !limits.searchmoves.empty() || game_.position().game_ply() >= options_.book_depth)
        return std::nullopt;
    const auto choice =
        book_->choose(game_, static_cast<book::Variety>(options_.book_variety), random_());
    if (!choice)
        return std::nullopt;
    std::string text = "book " + core::quoted(choice->file) + ":";
    const auto total = book::total_weight(choice->candidates);
    for (const auto& candidate : choice->candidates)
        text += (&candidate == &choice->candidates.front() ? " " : ", ")
              + core::to_uci(candidate.move, castling()) + " "
              + std::to_string(book::percent(candidate, total)) + " %";
    queue_.send(Notice{text});
    return choice->move;
}

void MainTask::report_missing_tables() {
    if (const auto problems = tablebases_ ? tablebases_->new_problems() : std::nullopt)
        queue_.send(Notice{"SyzygyPath: " + *problems});
}

bool MainTask::apply(OptionEffect effect) {
    switch (effect) {
        case OptionEffect::resize_tt:
            return search_.resize_tt(static_cast<std::size_t>(options_.hash));
        case OptionEffect::change_threads: return search_.set_threads(options_.threads);
        case OptionEffect::clear_tt: search_.clear_tt(); return true;
        default: return true;
    }
}

void MainTask::handle(const NewGame& /*command*/) {
    search_.clear();
    game_seed_ = random_();
}

void MainTask::handle(const SetGame& command) {
    core::Game game;
    if (command.fen) {
        const auto position = core::read_fen(*command.fen);
        if (!position) {
            queue_.send(Refused{"position refused: " + position.reason()});
            return;
        }
        game = core::Game{*position};
    }
    const auto played = game.play(command.moves);
    if (!played) {
        queue_.send(Refused{"position refused: " + played.reason()});
        return;
    }
    game_ = std::move(game);
    salt_ = command.salt;
    level_seed_ = 0;
}

void MainTask::handle(const SetGameTo& command) {
    game_ = command.game;
    salt_ = command.salt;
    level_seed_ = command.level_seed;
}

void MainTask::handle(const Go& command) {
    BestMove best;
    best.move = book_move(command.limits);
    best.score = -infinite;
    if (!best.move)
        best = find_best_move(command.limits);
    if (best.score == -infinite)  // from the book, or stopped before any move had a score
        best.score = evaluate_(game_.position());
    best.score = normalised(best.score);
    best.castling = castling();
    queue_.send(best);
}

/// The level to play at; none is full strength.
std::optional<StrengthLevel> MainTask::level(const Limits& limits) const {
    if (options_.analyse_mode || limits.analysis || limits.infinite || limits.mate)
        return std::nullopt;
    if (limits.elo)
        return strength_level(*limits.elo);
    if (options_.limit_strength)
        return strength_level(options_.elo);
    if (options_.skill_level < max_skill)
        return strength_level(elo_of_skill(options_.skill_level));
    return std::nullopt;
}

std::uint64_t MainTask::level_seed() const {
    if (options_.level_seed > 0)
        return static_cast<std::uint64_t>(options_.level_seed);
    return level_seed_ != 0 ? level_seed_ : game_seed_;
}

BestMove MainTask::find_best_move(const Limits& wanted) {
    auto level = this->level(wanted);
    if (level)
        level = with_technique(*level, game_.position());
    const Limits limits = level ? limited(wanted, *level) : wanted;
    const Clock clock{limits, game_.position().side_to_move(),
                      Milliseconds{options_.move_overhead}};
    Listener listener{*this, Listener::Reports::all, pv_extension_time_of(clock.budget())};
    SearchControl control{limits, clock, listener};
    const LongTaskGuard guard{queue_, LongTask::search};
    search::SearchRequest request{game_,
                                  root_moves(limits.searchmoves),
                                  options_.multipv,
                                  salt_,
                                  {tablebases_.get(), options_.syzygy_probe_depth,
                                   options_.syzygy_probe_limit, options_.syzygy_fifty_moves}};
    if (request.root_moves.empty())
        return game_over(control);
    if (level) {
        request.salt = salt_of_level(salt_, *level, level_seed());
        request.noise = LeafNoise{level->noise, request.salt};
        request.one_thread = true;
    }
    const BestMove best = search_.run(request, control);
    report_missing_tables();
    return best;
}

/// Reports the result of a game that is over and waits until the client may be answered.
BestMove MainTask::game_over(SearchControl& control) {
    Info info;
    const bool is_mate = game_.position().in_check();
    info.score = is_mate ? mated_in(0) : draw;
    if (options_.show_wdl)
        info.wdl = is_mate ? Wdl{0, 0, 1000} : Wdl{0, 1000, 0};
    queue_.send(info);
    control.wait_for_release();
    BestMove none;
    none.score = info.score;
    return none;
}

/// The moves to search: the legal ones among `wanted`, or all legal moves if there are none.
std::vector<core::Move> MainTask::root_moves(const std::vector<std::string>& wanted) {
    const auto legal = core::legal_moves(game_.position());
    std::vector<core::Move> chosen;
    std::size_t illegal = 0;
    for (const auto& text : wanted) {
        const auto move = core::read_move(game_.position(), text);
        illegal += move ? 0U : 1U;
        if (move && std::find(chosen.begin(), chosen.end(), *move) == chosen.end())
            chosen.push_back(*move);
    }
    if (illegal > 0)
        queue_.send(Notice{"illegal moves in searchmoves: " + std::to_string(illegal)
                           + (chosen.empty() ? "; all moves are searched" : "")});
    if (chosen.empty())
        chosen.assign(legal.begin(), legal.end());
    return chosen;
}

void MainTask::handle(const Perft& command) {
    if (const auto report = count_leaves(command.depth))
        queue_.send(*report);
    else
        queue_.send(Notice{"perft was stopped"});
}

std::optional<PerftReport> MainTask::count_leaves(int depth) {
    const auto start = std::chrono::steady_clock::now();
    const LongTaskGuard guard{queue_, LongTask::perft_or_bench};
    PerftReport report;
    report.castling = castling();
    const auto should_stop = [this] {
        give_way();
        return queue_.interrupt_pending() && queue_.take_interrupt();
    };
    for (const core::Move move : core::legal_moves(game_.position())) {
        const auto leaves = core::perft(game_.position().after(move), depth - 1, should_stop);
        if (!leaves)
            return std::nullopt;
        report.leaves.emplace_back(move, *leaves);
        report.total += *leaves;
    }
    report.time = since(start);
    return report;
}

void MainTask::handle(const Bench& command) {
    const auto report = [&] {
        const LongTaskGuard guard{queue_, LongTask::perft_or_bench};
        Listener listener{*this, Listener::Reports::none};
        return run_bench(command.depth, evaluate_, listener);
    }();
    if (report)
        queue_.send(*report);
    else
        queue_.send(Notice{"bench was stopped"});
}

void MainTask::handle(const Why& command) {
    if (const auto over = explain::end_of(game_)) {
        queue_.send(Refused{"no explanation: the game is over: " + std::string{*over}});
        return;
    }
    std::optional<core::Move> move;
    if (command.move) {
        const auto read = core::read_move(game_.position(), *command.move);
        if (!read) {
            queue_.send(Refused{"no explanation: " + read.reason()});
            return;
        }
        move = *read;
    }
    const auto explanation = [&] {
        const LongTaskGuard guard{queue_, LongTask::search};
        Listener listener{*this, Listener::Reports::none};
        explain::ExplainRules rules = explain::interactive_rules;
        rules.tables = tablebases_.get();
        return explain::explain(game_, move, rules, evaluate_, listener);
    }();
    if (explanation)
        queue_.send(Explained{game_.position(), *explanation});
    else
        queue_.send(Notice{"the explanation was stopped"});
}

void MainTask::handle(const Ask& command) {
    queue_.send(snapshot(command));
}

Snapshot MainTask::snapshot(const Ask& request) const {
    const auto& position = game_.position();
    Snapshot snapshot;
    snapshot.id = request.id;
    snapshot.game = game_;
    snapshot.castling = castling();
    if (request.detail >= SnapshotDetail::evaluation) {
        const Score evaluation = evaluate_(position);
        snapshot.evaluation = normalised(evaluation);
        snapshot.wdl = wdl(evaluation, position);
    }
    if (request.detail >= SnapshotDetail::contributions) {
        snapshot.contributions = evaluate_.contributions(position);
        for (auto& score : snapshot.contributions) {
            if (score)
                score = normalised(*score);
        }
    }
    return snapshot;
}

core::CastlingStyle MainTask::castling() const {
    return options_.chess960 ? core::CastlingStyle::king_takes_rook
                             : core::CastlingStyle::king_moves_two;
}

}  // namespace engine
