#include "uci/remote/relay.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/fen.hpp"
#include "core/movegen.hpp"
#include "core/notation.hpp"
#include "core/text.hpp"

namespace uci::remote {

namespace {

using Milliseconds = Relay::Milliseconds;
using Time = Relay::Time;

/// How long a server may be waited for: a tenth of the clock, a fifth of a movetime.
constexpr int clock_share = 10;
constexpr int movetime_share = 5;
constexpr Milliseconds least_patience{20};
constexpr Milliseconds most_patience{5'000};
constexpr Milliseconds patience_without_clock{3'000};
/// How long a server may be silent in a search: a tenth of the clock within these limits, and the
/// lag.
constexpr Milliseconds least_silence{100};
constexpr Milliseconds most_silence{3'000};
/// The same between searches, and how long after the GUI's last word a connection is kept up.
constexpr Milliseconds idle_silence{10'000};
constexpr Milliseconds idle_time{60'000};
/// The same while a setting takes effect: a large table is emptied.
constexpr Milliseconds settling_silence{60'000};
/// A clock with less than this, and the lag, is left to the local engine.
constexpr Milliseconds least_remote_time{100};
/// How long a search that was stopped may take to answer.
constexpr Milliseconds stop_time{300};
constexpr Milliseconds local_stop_time{1'000};
constexpr std::string_view quick_search = "go movetime 50";
/// How long a search may still run after the end of the input.
constexpr Milliseconds end_time{3'000};
constexpr std::size_t max_info = 8'192;
constexpr int lags_of_silence = 4;

/// The text of the first word that follows `key`.
std::optional<std::string_view> word_after(std::string_view line, std::string_view key) {
    core::Words words{line};
    while (const auto word = words.next()) {
        if (*word == key)
            return words.next();
    }
    return std::nullopt;
}

/// The line in printable ASCII and of a length that GUIs can read.
std::string cleaned(std::string_view line) {
    std::string text{line.substr(0, max_info)};
    while (!text.empty() && core::is_blank(text.back()))
        text.pop_back();
    std::replace_if(
        text.begin(), text.end(), [](char letter) { return letter < ' ' || letter > '~'; }, '?');
    return text;
}

/// The game of a `position` line. Error: what is wrong with it.
core::Result<core::Game> read_game(std::string_view line) {
    core::Words words{line};
    words.next();
    const auto kind = words.next();
    core::Game game;
    if (kind == "fen") {
        std::string text;
        while (words.peek() && *words.peek() != "moves")
            text.append(*words.next()).append(" ");
        const auto position = core::read_fen(text);
        if (!position)
            return position.error();
        game = core::Game{*position};
    }
    else if (kind != "startpos") {
        return core::Error{"it begins with startpos or fen"};
    }
    if (const auto word = words.next(); word && *word != "moves")
        return core::Error{"expected 'moves', found " + core::quoted(*word)};
    std::vector<std::string> moves;
    while (const auto move = words.next())
        moves.emplace_back(*move);
    if (const auto played = game.play(moves); !played)
        return played.error();
    return game;
}

/// A move in coordinate notation; nothing for anything else, and for moves that are not legal.
std::optional<core::Move> read_coordinates(const core::Position& position, std::string_view text) {
    const auto is_square = [&](std::size_t at) {
        return text[at] >= 'a' && text[at] <= 'h' && text[at + 1] >= '1' && text[at + 1] <= '8';
    };
    if (text.size() < 4 || text.size() > 5 || !is_square(0) || !is_square(2))
        return std::nullopt;
    const auto move = core::read_move(position, text);
    return move ? std::optional{*move} : std::nullopt;
}

}  // namespace

Relay::Relay(Outputs outputs, std::string identification, MachineLimits local_limits)
    : outputs_{std::move(outputs)},
      identification_{std::move(identification)},
      local_limits_{local_limits},
      server_{[this](std::string line) {
          if (is_up_)
              outputs_.server(std::move(line));
      }},
      local_{[this](std::string line) { outputs_.local(std::move(line)); }},
      last_gui_{std::chrono::steady_clock::now()} {}

// ---- the GUI

void Relay::on_gui_line(std::string_view line, Time now) {
    last_gui_ = now;
    const auto filtered = filter_.filter(line);
    if (filtered.quits) {
        if (search_)
            answer_now();
        server_.say("quit");
        over_ = true;
        return;
    }
    if (!filtered.note.empty())
        say_info(filtered.note);
    if (!filtered.line.empty())
        execute(*core::Words{filtered.line}.peek(), filtered.line, now);
}

void Relay::execute(std::string_view command, std::string_view line, Time now) {
    if (command == "uci") {
        outputs_.gui(identification_);
        identified_ = true;
        if (is_up_)
            say_info("connected to " + host_);
        for (const auto& text : missed_)
            say_info(text);
    }
    else if (command == "isready") {
        outputs_.gui("readyok");
    }
    else if (command == "setoption") {
        set_option(line);
    }
    else if (command == "ucinewgame") {
        has_new_game_ = true;
        server_.set("ucinewgame");
        local_.say("ucinewgame");
    }
    else if (command == "position") {
        set_position(line);
    }
    else if (command == "go") {
        go(line, now);
    }
    else if (command == "stop") {
        stop(now);
    }
    else if (command == "ponderhit") {
        ponder_hit(now);
    }
    else if (command == "d" || command == "eval" || command == "fen") {
        display(line);
    }
}

/// Answered by the local engine, which knows the same positions.
void Relay::display(std::string_view line) {
    if (search_) {
        say_info("not available during a search");
        return;
    }
    local_.say(position_);
    local_.say(std::string{line});
}

void Relay::set_option(std::string_view line) {
    const auto setting = read_option_setting(line);
    if (!setting)
        return;
    const auto name = std::string{remote_option(setting->name).value_or(setting->name)};
    local_.say(CommandFilter{local_limits_}.filter(line).line);
    if (name == "Clear Hash") {
        server_.set(std::string{line});
        return;
    }
    const auto known = std::find_if(options_.begin(), options_.end(),
                                    [&](const auto& option) { return option.first == name; });
    if (known != options_.end())
        options_.erase(known);
    options_.emplace_back(name, setting->value);
    if (name == "Move Overhead")
        set_server_overhead();
    else
        server_.set(std::string{line});
}

/// The server must leave time for the way of each move.
void Relay::set_server_overhead() {
    constexpr Milliseconds usual{10};
    constexpr Milliseconds most{5'000};
    Milliseconds overhead = usual;
    for (const auto& [name, value] : options_) {
        const auto number = name == "Move Overhead" ? core::read_integer(value) : std::nullopt;
        if (number)
            overhead = std::clamp(Milliseconds{*number}, Milliseconds{0}, most);
    }
    server_.say(fmt::format("setoption name Move Overhead value {}",
                            std::min(most, overhead + lag_).count()));
}

void Relay::set_position(std::string_view line) {
    auto game = read_game(line);
    if (!game) {
        say_info("position refused: " + game.reason());
        return;
    }
    game_ = std::move(*game);
    position_ = line;
}

void Relay::go(std::string_view line, Time now) {
    // A client that does not wait gets the answer to its last search first.
    if (search_)
        answer_now();
    const GoLine parsed{line};
    search_ = Search{.go = parsed,
                     .position = position_,
                     .game = game_,
                     .began = now,
                     .pondering = parsed.is_ponder(),
                     .endless = parsed.is_endless() && !parsed.is_ponder()};
    if (core::count_legal_moves(game_.position()) == 0)
        play_locally(now);
    else
        ask_server_or_wait(now);
}

void Relay::stop(Time now) {
    if (!search_ || search_->answer_at)
        return;
    if (search_->is_decided) {
        answer_now();
        return;
    }
    switch (search_->player) {
        case Player::server:
            server_.say("stop");
            search_->answer_at = now + stop_time + lag_;
            return;
        case Player::local:
            local_.say("stop");
            search_->answer_at = now + local_stop_time;
            return;
        case Player::nobody: break;
    }
    if (!search_->best.empty()) {
        answer_now();
        return;
    }
    search_->go = GoLine{quick_search};
    search_->pondering = search_->endless = false;
    search_->began = now;
    play_locally(now);
    search_->answer_at = now + local_stop_time;
}

void Relay::ponder_hit(Time now) {
    if (!search_ || !search_->pondering)
        return;
    search_->pondering = false;
    search_->began = now;
    search_->go.end_pondering();
    search_->endless = search_->go.is_endless();
    if (search_->is_decided && !search_->endless)
        answer_now();
    else if (search_->player == Player::server)
        server_.say("ponderhit");
    else if (search_->player == Player::local)
        local_.say("ponderhit");
    else if (search_->give_up_at)
        search_->give_up_at = now + patience(now);
}

void Relay::on_gui_end(Time now) {
    if (!search_ || search_->endless || search_->pondering)
        on_gui_line("quit", now);
    else
        end_at_ = now + end_time;
}

// ---- who plays

void Relay::ask_server_or_wait(Time now) {
    const auto left = time_left(now);
    if (left && *left < least_remote_time + lags_of_silence * lag_)
        play_locally(now);
    else if (is_up_)
        play_on_server(now);
    else
        wait_for_server(now);
}

void Relay::play_on_server(Time now) {
    const auto used = search_->pondering
                        ? Milliseconds{0}
                        : std::chrono::duration_cast<Milliseconds>(now - search_->began);
    local_.abandon();
    search_->player = Player::server;
    search_->give_up_at.reset();
    if (server_.is_settling() && time_left(now))
        search_->give_up_at = now + patience(now);
    last_heard_ = now;
    server_.begin(search_->position,
                  search_->go.text(search_->game.position().side_to_move(), used, lag_));
}

void Relay::play_locally(Time now) {
    const auto used = search_->pondering
                        ? Milliseconds{0}
                        : std::chrono::duration_cast<Milliseconds>(now - search_->began);
    server_.abandon();
    search_->player = Player::local;
    search_->give_up_at.reset();
    local_.begin(search_->position,
                 search_->go.text(search_->game.position().side_to_move(), used, Milliseconds{0}));
}

void Relay::wait_for_server(Time now) {
    search_->player = Player::nobody;
    search_->give_up_at = now + patience(now);
}

// ---- the server

void Relay::on_server_up(const std::string& host, Milliseconds lag, Time now) {
    is_up_ = true;
    host_ = host;
    lag_ = lag;
    last_heard_ = now;
    missed_.clear();
    server_.reset();
    set_server_overhead();
    say_info("connected to " + host_);
    if (!search_ || search_->answer_at || search_->is_decided)
        return;
    // What the local engine has begun it also finishes, unless that may take for ever.
    const bool is_waiting = search_->player == Player::nobody;
    const bool can_change = search_->player == Player::local
                         && (search_->endless || search_->pondering)
                         && core::count_legal_moves(search_->game.position()) > 0;
    if (is_waiting || can_change)
        ask_server_or_wait(now);
}

void Relay::on_server_line(std::string_view line, Time now) {
    last_heard_ = now;
    core::Words words{line};
    const auto word = words.next().value_or("");
    if (word == "readyok") {
        server_.on_readyok();
        if (search_ && search_->player == Player::server && !server_.is_settling())
            search_->give_up_at.reset();
    }
    else if (word == "bestmove") {
        on_bestmove(line, true, now);
    }
    else if (word == "info" && words.peek() == "string") {
        words.next();
        say_info(cleaned(words.rest()));
    }
    else if (word == "info" && search_ && search_->player == Player::server
             && server_.speaks_of_present_search()) {
        on_info(line);
    }
}

void Relay::on_server_down(const std::string& reason, Time now) {
    if (is_up_)
        lose_server(reason, now);
}

void Relay::lose_server(const std::string& reason, Time now) {
    is_up_ = false;
    server_.reset();
    say_info(fmt::format("the connection to {} is lost: {}", host_, reason));
    if (!search_ || search_->player != Player::server)
        return;
    if (search_->answer_at)
        answer_now();
    else
        wait_for_server(now);
}

void Relay::on_server_missed(const std::string& host, const std::string& reason) {
    // Once for each outage, for the next attempts will fail alike.
    const auto text = fmt::format("no connection to {}: {}", host, reason);
    if (std::find(missed_.begin(), missed_.end(), text) != missed_.end())
        return;
    missed_.push_back(text);
    say_info(text);
}

// ---- what the engines say

void Relay::on_local_line(std::string_view line, Time now) {
    const auto word = core::Words{line}.peek().value_or("");
    if (word == "readyok")
        local_.on_readyok();
    else if (word == "bestmove")
        on_bestmove(line, false, now);
    else if (word != "info" && !search_)
        outputs_.gui(std::string{line});  // the answer to display()
    else if (word == "info" && search_ && search_->player == Player::local
             && local_.speaks_of_present_search())
        on_info(line);
}

void Relay::on_info(std::string_view line) {
    const auto text = cleaned(line);
    const auto move = word_after(text, "pv");
    if (move && word_after(text, "multipv").value_or("1") == "1" && is_playable(*move))
        search_->best = *move;
    outputs_.gui(text);
}

void Relay::on_bestmove(std::string_view line, bool is_server, Time now) {
    auto& peer = is_server ? server_ : local_;
    if (!peer.on_bestmove() || !search_
        || search_->player != (is_server ? Player::server : Player::local))
        return;
    const auto text = cleaned(line);
    core::Words words{text};
    words.next();
    const std::string move{words.next().value_or("")};
    const bool has_moves = core::count_legal_moves(search_->game.position()) > 0;
    if (has_moves && !is_playable(move)) {
        say_info(fmt::format("{} is no move here; the local engine plays", core::quoted(move)));
        if (!is_server) {
            answer_now();
            return;
        }
        is_up_ = false;
        server_.reset();
        outputs_.cut(true);
        play_locally(now);
        return;
    }
    if ((search_->endless || search_->pondering) && !search_->answer_at) {
        // Too early: it is withheld until `stop` or `ponderhit`.
        search_->best = move;
        search_->is_decided = has_moves;
        search_->player = Player::nobody;
        return;
    }
    if (!has_moves) {
        finish("bestmove (none)");
        return;
    }
    const auto ponder = word_after(text, "ponder");
    const auto move_played = read_coordinates(search_->game.position(), move);
    const bool has_ponder =
        ponder && read_coordinates(search_->game.position().after(*move_played), *ponder);
    finish("bestmove " + move + (has_ponder ? " ponder " + std::string{*ponder} : ""));
}

/// Without waiting for anybody any more.
void Relay::answer_now() {
    const auto move = search_->best.empty() ? any_move() : search_->best;
    finish("bestmove " + (move.empty() ? "(none)" : move));
}

void Relay::finish(std::string line) {
    server_.abandon();
    local_.abandon();
    search_.reset();
    outputs_.gui(std::move(line));
    if (end_at_)
        over_ = true;
}

void Relay::say_info(const std::string& text) const {
    if (identified_)
        outputs_.gui("info string " + text);
}

bool Relay::is_playable(std::string_view move) const {
    const auto& position = search_->game.position();
    const auto wanted = read_coordinates(position, move);
    if (!wanted)
        return false;
    bool has_searchmoves = false;
    for (const auto& text : search_->go.searchmoves()) {
        const auto allowed = core::read_move(position, text);
        if (allowed && *allowed == *wanted)
            return true;
        has_searchmoves = has_searchmoves || allowed;
    }
    return !has_searchmoves;
}

/// A legal move of the searchmoves, or else any; empty if there is none.
std::string Relay::any_move() const {
    const auto& position = search_->game.position();
    const bool chess960 = std::any_of(options_.begin(), options_.end(), [](const auto& option) {
        return option.first == "UCI_Chess960" && core::lowercase(option.second) == "true";
    });
    const auto style =
        chess960 ? core::CastlingStyle::king_takes_rook : core::CastlingStyle::king_moves_two;
    for (const auto move : core::legal_moves(position)) {
        if (auto text = core::to_uci(move, style); is_playable(text))
            return text;
    }
    return {};
}

// ---- time

/// What the side to move has left on its clock or of its movetime; nothing without such a limit.
std::optional<Milliseconds> Relay::time_left(Time now) const {
    if (search_->pondering || search_->endless)
        return std::nullopt;
    const auto used = std::chrono::duration_cast<Milliseconds>(now - search_->began);
    const auto movetime = search_->go.movetime();
    const auto clock = search_->go.clock(search_->game.position().side_to_move());
    if (!movetime && !clock)
        return std::nullopt;
    return std::min(movetime.value_or(Milliseconds::max() / 2),
                    clock.value_or(Milliseconds::max() / 2))
         - used;
}

Milliseconds Relay::patience(Time now) const {
    const auto left = time_left(now);
    if (!left)
        return patience_without_clock;
    const int share = search_->go.movetime() ? movetime_share : clock_share;
    return std::clamp(*left / share, least_patience, most_patience);
}

Milliseconds Relay::silence_limit(Time now) const {
    if (server_.is_settling())
        return settling_silence;
    if (!search_)
        return idle_silence;
    const auto left = time_left(now);
    const auto share = left ? *left / clock_share : most_silence;
    return std::clamp(share, least_silence, most_silence) + lags_of_silence * lag_;
}

/// When the answer must be given, whoever searches, so that the clock does not run out.
std::optional<Time> Relay::last_moment() const {
    constexpr Milliseconds least_reserve{30};
    constexpr Milliseconds most_reserve{1'000};
    constexpr Milliseconds movetime_excess{100};
    const auto left = time_left(search_->began);
    if (!left)
        return std::nullopt;
    if (search_->go.movetime() && *search_->go.movetime() == *left)
        return search_->began + *left + movetime_excess;
    const auto reserve = std::clamp(*left / clock_share, least_reserve, most_reserve);
    return search_->began + std::max(least_reserve, *left - reserve);
}

std::optional<Time> Relay::next_server_check(Time now) const {
    const bool is_heard_of =
        is_up_ && (search_ ? search_->player == Player::server : now - last_gui_ < idle_time);
    if (!is_heard_of)
        return std::nullopt;
    const auto limit = silence_limit(now);
    return last_heard_ + (server_.owes_readyok() ? limit : limit / 3);
}

std::optional<Time> Relay::next_wake(Time now) const {
    auto next = next_server_check(now);
    const auto consider = [&](const std::optional<Time>& time) {
        if (time && (!next || *time < *next))
            next = time;
    };
    consider(end_at_);
    if (search_) {
        consider(search_->give_up_at);
        consider(search_->answer_at);
        consider(last_moment());
    }
    return next;
}

void Relay::on_time(Time now) {
    check_server(now);
    if (end_at_ && now >= *end_at_) {
        on_gui_line("quit", now);
        return;
    }
    if (!search_)
        return;
    const auto last = last_moment();
    if ((search_->answer_at && now >= *search_->answer_at) || (last && now >= *last)) {
        answer_now();
    }
    else if (search_->give_up_at && now >= *search_->give_up_at) {
        say_info("no server answers: the local engine plays");
        play_locally(now);
    }
}

/// A line that is dead without saying so is found out by what does not come.
void Relay::check_server(Time now) {
    const auto due = next_server_check(now);
    if (!due || now < *due)
        return;
    if (!server_.owes_readyok()) {
        server_.probe();
        return;
    }
    outputs_.cut(false);
    lose_server("it does not answer", now);
}

std::vector<std::string> Relay::settings() const {
    std::vector<std::string> lines;
    for (const auto& [name, value] : options_)
        lines.push_back(fmt::format("setoption name {} value {}", name, value));
    if (has_new_game_)
        lines.emplace_back("ucinewgame");
    return lines;
}

bool Relay::wants_server(Time now) const {
    return !over_ && (search_ || now - last_gui_ < idle_time);
}

}  // namespace uci::remote
