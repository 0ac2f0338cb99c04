#include "uci/chenserver/command_handler.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/fen.hpp"
#include "core/pgn.hpp"
#include "core/text.hpp"

#include "engine/strength_level.hpp"

#include "uci/chenserver/limits.hpp"
#include "uci/chenserver/notation.hpp"

namespace uci::chenserver {

namespace {

using Arguments = std::vector<std::string>;

std::string bad_args() {
    return "BAD_ARGS";
}

/// The format that `legal` or `history` asks for; or the error that answers it.
std::variant<Format, std::string> read_format(const Arguments& arguments) {
    if (arguments.empty())
        return Format::squares;
    const bool pgn = arguments[0] == "pgn";
    if (!pgn && arguments[0] != "alg")
        return "BAD_FORMAT";
    if (arguments.size() > 1)
        return bad_args();
    return pgn ? Format::pgn : Format::squares;
}

std::string list(const std::vector<std::string>& moves) {
    std::string text = "OK " + std::to_string(moves.size());
    for (const auto& move : moves)
        text += ' ' + move;
    return text;
}

std::string legal(const core::Game& game, const Arguments& arguments) {
    const auto format = read_format(arguments);
    if (const auto* error = std::get_if<std::string>(&format))
        return *error;
    std::vector<std::string> moves;
    for (const core::Move move : ordered_moves(game))
        moves.push_back(move_text(game.position(), move, std::get<Format>(format)));
    return list(moves);
}

std::string history(const core::Game& game, const Arguments& arguments) {
    const auto format = read_format(arguments);
    if (const auto* error = std::get_if<std::string>(&format))
        return *error;
    std::vector<std::string> moves;
    core::Position position = game.start();
    for (const core::Move move : game.moves()) {
        moves.push_back(move_text(position, move, std::get<Format>(format)));
        position = position.after(move);
    }
    return list(moves);
}

std::string status(const core::Game& game) {
    return core::result_of(game) + ' ' + game.fen_with_en_passant_target();
}

std::string move(core::Game& game, const Arguments& arguments, std::size_t ply_limit) {
    core::Game longer = game;
    for (const auto& text : arguments) {
        const auto move = read_move_text(longer.position(), text);
        if (!move || longer.moves().size() >= ply_limit)
            return "BAD_MOVE " + text;
        longer.play(*move);
    }
    game = std::move(longer);
    return "OK " + std::to_string(arguments.size());
}

std::string describe(const core::Position& position, core::Move move) {
    return "OK " + move_text(position, move, Format::squares) + ' '
         + move_text(position, move, Format::pgn);
}

std::string test(const core::Game& game, const Arguments& arguments) {
    if (arguments.size() != 1)
        return bad_args();
    const auto move = read_move_text(game.position(), arguments[0]);
    return move ? describe(game.position(), *move) : "ILLEGAL";
}

std::string undo(core::Game& game, const Arguments& arguments) {
    if (arguments.size() != 1)
        return bad_args();
    const auto plies = core::read_integer(arguments[0]);
    if (!plies || *plies < 1 || static_cast<std::uint64_t>(*plies) > game.moves().size())
        return "BAD_NUM_TURNS";
    return game.undo(static_cast<int>(*plies)) ? "OK" : "BAD_NUM_TURNS";
}

/// The time for `think` or `hint`; or the error that answers it.
std::variant<engine::Milliseconds, std::string> read_time(const core::Game& game,
                                                          const Arguments& arguments,
                                                          std::size_t ply_limit) {
    if (arguments.size() != 1)
        return bad_args();
    if (game.outcome() != core::Outcome::open || game.moves().size() >= ply_limit)
        return "GAME_OVER";
    const auto time = core::read_integer(arguments[0]);
    if (!time || *time < 1 || *time > max_think_time)
        return "BAD_THINK_TIME";
    return engine::Milliseconds{*time};
}

std::string setup(core::Game& game, const Arguments& arguments) {
    if (arguments.empty())
        return bad_args();
    if (arguments.size() == 1 && arguments[0] == "start") {
        game = core::Game{};
        return "OK";
    }
    std::string fen;
    for (const auto& word : arguments)
        fen += word + ' ';
    const auto position = core::read_fen(fen);
    if (!position)
        return "BAD_POSITION " + position.reason();
    // In Chess960, castling written as two squares (e1g1) would be ambiguous.
    if (position->is_chess960())
        return "BAD_POSITION castling: only that of standard chess is possible here";
    game = core::Game{*position};
    return "OK";
}

/// Sets the strength of the engine in a game, or tells it.
std::string level(std::optional<int>& elo, const Arguments& arguments) {
    if (arguments.size() > 1)
        return bad_args();
    if (arguments.empty())
        return "OK " + (elo ? std::to_string(*elo) : "full");
    const auto number = core::read_integer(arguments[0]);
    if (arguments[0] != "full"
        && (!number || *number < engine::min_elo || *number > engine::max_elo))
        return "BAD_LEVEL";
    elo = number ? std::optional{static_cast<int>(*number)} : std::nullopt;
    return "OK";
}

std::string pgn(const core::Game& game) {
    core::Pgn record;
    record.game = game;
    record.result = core::result_of(game);
    std::string text = "OK " + core::write_pgn(record);
    std::replace(text.begin(), text.end(), '\n', ' ');
    const auto doubled = [](char a, char b) { return a == ' ' && b == ' '; };
    text.erase(std::unique(text.begin(), text.end(), doubled), text.end());
    if (text.back() == ' ')
        text.pop_back();
    return text;
}

}  // namespace

std::variant<std::string, SearchRequest> CommandHandler::execute(const Command& command,
                                                                 GameRegistry::Time now,
                                                                 const std::string& client) {
    if (command.kind == CommandKind::close) {
        games_.remove(command.game);
        return "OK";
    }
    ServedGame* served = games_.find(command.game, now);
    // A command that only reads adds no game.
    ServedGame not_begun;
    const bool is_new = !served && is_mutating(command.kind);
    if (!served)
        served = is_mutating(command.kind) ? games_.add(command.game, now, client) : &not_begun;
    if (!served)
        return "TOO_MANY_GAMES";
    auto before = progress_of(*served);
    if (is_new)
        before.number.reset();
    auto answer = execute_on(*served, command);
    log_progress(command.game, before, *served);
    games_.count_plies(command.game);
    return answer;
}

CommandHandler::Progress CommandHandler::progress_of(const ServedGame& served) const {
    return log_ ? Progress{served.number, core::result_of(served.game)} : Progress{0, {}};
}

/// Logs that a game has begun or ended by a command.
void CommandHandler::log_progress(const std::string& name,
                                  const Progress& before,
                                  ServedGame& now) const {
    if (!log_)
        return;
    const auto after = progress_of(now);
    if (after.number != before.number)
        log_->begun(name);
    const bool has_ended =
        after.result != before.result && after.result != core::result_of(core::Game{});
    if (has_ended && std::exchange(now.ended_number, now.number) != now.number)
        log_->ended(name, now.game.moves().size(), after.result);
}

std::variant<std::string, SearchRequest> CommandHandler::execute_on(ServedGame& served,
                                                                    const Command& command) {
    core::Game* const game = &served.game;
    const auto ply_limit = games_.max_plies_of(command.game);
    if (command.kind == CommandKind::new_game || command.kind == CommandKind::setup)
        ++served.number;
    const auto& arguments = command.arguments;
    switch (command.kind) {
        case CommandKind::close:
        case CommandKind::exit:
        case CommandKind::halt: return "OK";
        case CommandKind::new_game: *game = core::Game{}; return "OK";
        case CommandKind::status: return status(*game);
        case CommandKind::legal: return legal(*game, arguments);
        case CommandKind::history: return history(*game, arguments);
        case CommandKind::move: return move(*game, arguments, ply_limit);
        case CommandKind::test: return test(*game, arguments);
        case CommandKind::undo: return undo(*game, arguments);
        case CommandKind::setup: return setup(*game, arguments);
        case CommandKind::pgn: return pgn(*game);
        case CommandKind::evaluate:
            return SearchRequest{command.kind, command.game, *game, {}, {}, 0};
        case CommandKind::level: return level(served.elo, arguments);
        case CommandKind::think:
        case CommandKind::hint: break;
    }
    const auto time = read_time(*game, arguments, ply_limit);
    if (const auto* error = std::get_if<std::string>(&time))
        return *error;
    // A hint is for a person, at full strength.
    const auto elo = command.kind == CommandKind::think ? served.elo : std::nullopt;
    return SearchRequest{command.kind, command.game, *game, std::get<engine::Milliseconds>(time),
                         elo,          served.number};
}

std::string CommandHandler::finish(const SearchRequest& request,
                                   core::Move move,
                                   GameRegistry::Time now) {
    if (request.kind == CommandKind::think) {
        if (ServedGame* const served = games_.find(request.game_name, now)) {
            const auto before = progress_of(*served);
            served->game.play(move);
            log_progress(request.game_name, before, *served);
        }
        games_.count_plies(request.game_name);
    }
    return describe(request.game.position(), move);
}

}  // namespace uci::chenserver
