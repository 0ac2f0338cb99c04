#include "uci/chenserver/dispatcher.hpp"

#include <algorithm>
#include <utility>

#include "uci/chenserver/limits.hpp"

namespace uci::chenserver {

namespace {

constexpr const char* search_failed = "THINK_ERROR";
constexpr const char* game_closed = "GAME_CLOSED";

GameRegistry::Time now() {
    return std::chrono::steady_clock::now();
}

server::SearchJob job_for(const SearchRequest& request) {
    server::SearchJob job;
    job.game = request.game;
    job.game_id = request.game_name;
    job.slice_end = server::SliceEnd::resume;
    job.limits.elo = request.elo;
    // The number makes a limited-strength player err differently in each game under this name. No
    // name has a blank.
    if (request.elo)
        job.game_id += ' ' + std::to_string(request.game_number);
    if (request.kind == CommandKind::evaluate)
        job.kind = server::JobKind::evaluation;
    else
        job.limits.movetime = request.time;
    return job;
}

}  // namespace

server::SearchQueuePolicy search_policy() {
    server::SearchQueuePolicy policy;
    policy.max_waiting_players = max_waiting_searches;
    policy.max_jobs_per_client = max_searches_per_client;
    policy.player_round = think_round;
    policy.min_player_slice = min_think_slice;
    return policy;
}

Dispatcher::CommandId Dispatcher::submit(const std::string& line,
                                         Reply reply,
                                         const std::string& client) {
    const CommandId id = ++last_id_;
    if (has_ended_ || exit_reply_)
        return id;
    const auto parsed = parse_command(line);
    if (const auto* error = std::get_if<std::string>(&parsed)) {
        reply(*error);
        return id;
    }
    const auto& command = std::get<Command>(parsed);
    if (command.kind == CommandKind::exit) {
        exit_reply_ = std::move(reply);
        exit_if_idle();
        return id;
    }
    games_[command.game].waiting.push_back({id, line, std::move(reply), client});
    if (command.kind == CommandKind::halt)
        halt(command.game);
    execute_waiting(command.game);
    return id;
}

/// Ends the running search of a game. Its result may come at once.
void Dispatcher::halt(const std::string& game) {
    const auto found = games_.find(game);
    if (found != games_.end() && found->second.search && found->second.search->job)
        queue_.stop(*found->second.search->job);
}

void Dispatcher::abandon(CommandId id) {
    for (auto& [name, game] : games_) {
        if (game.search && game.search->id == id) {
            halt(std::string{name});
            return;
        }
        const auto found =
            std::find_if(game.waiting.begin(), game.waiting.end(),
                         [id](const PendingCommand& pending) { return pending.id == id; });
        if (found != game.waiting.end()) {
            game.waiting.erase(found);
            return;
        }
    }
}

void Dispatcher::end_game(const std::string& name, Reply reply) {
    const auto cancelled = std::exchange(games_[name].waiting, {});
    games_[name].waiting.push_back({++last_id_, "game " + name + " close", std::move(reply), {}});
    for (const auto& pending : cancelled)
        pending.reply(game_closed);
    halt(name);
    execute_waiting(name);
}

/// Executes the commands of a game up to the next one that needs a search.
void Dispatcher::execute_waiting(const std::string& game) {
    for (;;) {
        // A reply may add or remove games, so iterators are not kept across it.
        const auto found = games_.find(game);
        if (found == games_.end() || found->second.search)
            return;
        auto& waiting = found->second.waiting;
        if (waiting.empty()) {
            games_.erase(found);
            break;
        }
        const PendingCommand pending = std::move(waiting.front());
        waiting.pop_front();
        execute(pending);
    }
    exit_if_idle();
}

void Dispatcher::execute(const PendingCommand& pending) {
    const auto command = std::get<Command>(parse_command(pending.line));
    auto answer = handler_.execute(command, now(), pending.client);
    if (auto* request = std::get_if<SearchRequest>(&answer))
        begin_search(std::move(*request), pending);
    else
        pending.reply(std::get<std::string>(answer));
}

void Dispatcher::begin_search(SearchRequest request, const PendingCommand& pending) {
    const std::string name = request.game_name;
    auto job = job_for(request);
    job.client = pending.client;
    games_[name].search = RunningSearch{pending.id, std::move(request), pending.reply, {}};
    const auto id = queue_.submit(
        std::move(job), [this, name](const auto& result) { finish_search(name, result); });
    auto& game = games_[name];
    if (!id) {
        game.search.reset();
        pending.reply(search_failed);
        return;
    }
    game.search->job = id;
}

void Dispatcher::finish_search(const std::string& game, const server::SearchResult& result) {
    const RunningSearch search = std::move(*games_[game].search);
    games_[game].search.reset();
    const auto& best = result.best;
    if (search.request.kind == CommandKind::evaluate)
        search.reply("OK " + std::to_string(best.score));
    else if (best.move)
        search.reply(handler_.finish(search.request, *best.move, now()));
    else
        search.reply(search_failed);
    execute_waiting(game);
}

void Dispatcher::exit_if_idle() {
    if (!exit_reply_ || !games_.empty())
        return;
    has_ended_ = true;
    const Reply reply = std::exchange(exit_reply_, nullptr);
    reply("OK");
}

}  // namespace uci::chenserver
