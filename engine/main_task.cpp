#include "engine/main_task.hpp"

#include <algorithm>

#include "core/fen.hpp"
#include "core/movegen.hpp"
#include "core/perft.hpp"
#include "core/text.hpp"

#include "engine/bench.hpp"
#include "engine/clock.hpp"
#include "engine/evaluate/nnue/embedded.hpp"
#include "engine/evaluate/nnue/views.hpp"
#include "engine/win_rate.hpp"

namespace engine {

namespace {

Milliseconds since(TimePoint start) {
    return std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() - start);
}

/// A long task runs as long as this lives.
class Running {
public:
    Running(CommandsResponses& link, LongTask task) : link_{link} { link_.begin(task); }
    ~Running() { link_.end_long_task(); }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    Running(Running&&) = delete;
    Running& operator=(Running&&) = delete;

private:
    CommandsResponses& link_;
};

}  // namespace

MainTask::MainTask(CommandsResponses& link)
    : link_{link},
      search_{static_cast<std::size_t>(options_.hash)} {}

void MainTask::run() {
    for (;;) {
        const Command command = link_.take();
        if (std::holds_alternative<Quit>(command))
            break;
        std::visit([this](const auto& request) { handle(request); }, command);
    }
    link_.close();
}

void MainTask::handle(const SetOption& command) {
    const Options before = options_;
    const auto effect = set_option(options_, command.name, command.value);
    if (!effect) {
        link_.send(Refused{effect.reason()});
        return;
    }
    if (*effect == OptionEffect::load_network) {
        load_network(command.value);
        return;
    }
    if (apply(*effect))
        return;
    options_ = before;
    link_.send(Refused{command.name + " stays as it was: the system does not give so much"});
}

/// An empty name stands for the network in the program.
void MainTask::load_network(const std::string& path) {
    if (path.empty() || path == "<empty>") {
        search_.use_network(nnue::embedded_network());
        return;
    }
    auto network = nnue::Network::load(path);
    if (network)
        search_.use_network(std::move(*network));
    else
        link_.send(Refused{"EvalFile stays as it was: '" + core::printable(path)
                           + "': " + network.reason()});
}

bool MainTask::apply(OptionEffect effect) {
    switch (effect) {
        case OptionEffect::resize_table:
            return search_.resize_table(static_cast<std::size_t>(options_.hash));
        case OptionEffect::change_threads: return search_.set_threads(options_.threads);
        case OptionEffect::clear_table: search_.clear_table(); return true;
        default: return true;
    }
}

void MainTask::handle(const NewGame& /*command*/) {
    search_.clear();
}

void MainTask::handle(const SetGame& command) {
    core::Game game;
    if (command.fen) {
        const auto position = core::read_fen(*command.fen);
        if (!position) {
            link_.send(Refused{"position refused: " + position.reason()});
            return;
        }
        game = core::Game{*position};
    }
    const auto played = game.play(command.moves);
    if (!played) {
        link_.send(Refused{"position refused: " + played.reason()});
        return;
    }
    game_ = std::move(game);
}

void MainTask::handle(const TakeGame& command) {
    game_ = command.game;
}

void MainTask::handle(const Go& command) {
    const Limits& limits = command.limits;
    const Clock clock{limits, game_.position().side_to_move(),
                      Milliseconds{options_.move_overhead}};
    SearchControl control{limits, clock, link_,
                          [this](const Ask& question) { return snapshot(question); }};
    link_.send(find_best_move(limits, control));
}

BestMove MainTask::find_best_move(const Limits& limits, SearchControl& control) {
    const Running running{link_, LongTask::search};
    SearchRequest request{game_, root_moves(limits.search_moves), options_.multi_pv, castling(),
                          options_.show_chances};
    if (!request.root_moves.empty()) {
        BestMove best = search_.run(request, control);
        best.score = told(best.score);
        return best;
    }
    Info info;
    info.score = game_.position().in_check() ? mated_in(0) : draw;
    if (options_.show_chances)
        info.chances = info.score == draw ? Chances{0, 1000, 0} : Chances{0, 0, 1000};
    control.report(info);
    control.wait_for_release();
    return BestMove{std::nullopt, std::nullopt, castling(), info.score};
}

/// The legal moves that are wanted; all of them when none is wanted or none of those is legal.
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
        link_.send(Notice{std::to_string(illegal) + " of the searchmoves are no legal moves here"
                          + (chosen.empty() ? "; all moves are searched" : "")});
    if (chosen.empty())
        chosen.assign(legal.begin(), legal.end());
    return chosen;
}

void MainTask::handle(const Perft& command) {
    if (const auto report = count_leaves(command.depth))
        link_.send(*report);
    else
        link_.send(Notice{"perft was stopped"});
}

std::optional<PerftReport> MainTask::count_leaves(int depth) {
    const auto start = std::chrono::steady_clock::now();
    const Running running{link_, LongTask::count};
    PerftReport report;
    report.castling = castling();
    const auto should_stop = [this] {
        return link_.concerns_long_task() && link_.take_for_long_task();
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
        const Running running{link_, LongTask::count};
        return run_bench(command.depth, link_, search_.network());
    }();
    if (report)
        link_.send(*report);
    else
        link_.send(Notice{"bench was stopped"});
}

void MainTask::handle(const Ask& command) {
    link_.send(snapshot(command));
}

Snapshot MainTask::snapshot(const Ask& question) const {
    const auto& position = game_.position();
    const Score evaluation = search_.evaluate(position);
    Snapshot snapshot{question.subject,
                      game_,
                      told(evaluation),
                      castling(),
                      chances_of(evaluation, position),
                      nnue::contributions(*search_.network(), position)};
    for (auto& score : snapshot.contributions) {
        if (score)
            score = told(*score);
    }
    return snapshot;
}

core::CastlingStyle MainTask::castling() const {
    return options_.chess960 ? core::CastlingStyle::king_takes_rook
                             : core::CastlingStyle::king_moves_two;
}

}  // namespace engine
