#include "uci/json/web/room_messages.hpp"

#include <algorithm>
#include <cmath>

#include "core/castling.hpp"
#include "core/fen.hpp"
#include "core/notation.hpp"
#include "core/opening_names.hpp"
#include "core/text.hpp"

#include "uci/json/json_values.hpp"
#include "uci/json/web/limits.hpp"

namespace uci::json::web {

namespace {

/// Moves of a pv that are sent.
constexpr std::size_t max_pv_length = 12;

Json taken_seats(const RoomStatus& status) {
    Json json = Json::array();
    for (const core::Color player : {core::Color::white, core::Color::black}) {
        if (status.is_taken[index_of(player)])
            json.push_back(color_name(player));
    }
    return json;
}

Json san_line(core::Position position, const std::vector<core::Move>& pv) {
    Json json = Json::array();
    for (const core::Move move : pv) {
        if (json.size() == max_pv_length)
            break;
        json.push_back(core::san(position, move));
        position = position.after(move);
    }
    return json;
}

/// A position, with the move that led there.
Json position_json(const core::Position& position, const std::optional<core::Move>& last) {
    Json json{{"fen", core::fen(position)}};
    if (last)
        json["last_move"] = move_json(last->from(), core::move_target(*last));
    return json;
}

void add_pv(Json& json, const core::Position& position, const engine::Info& info) {
    const bool is_white = position.side_to_move() == core::Color::white;
    json["depth"] = info.depth;
    json["score"] = score_json(is_white ? info.score : -info.score);
    if (!info.pv.empty()) {
        const core::Move best = info.pv.front();
        json["best_move"] = move_json(best.from(), core::move_target(best));
    }
    json["line"] = san_line(position, info.pv);
}

void add_ending(Json& json, const Ending& ending) {
    json["end"]["victor"] = ending.victor ? color_name(*ending.victor) : "draw";
    json["end"]["reason"] = ending.reason;
}

/// The clocks now, and what a PGN has of them: the times at the start and after each move.
void add_clock_with_history(Json& json, const GameClock& clock, GameClock::Time now) {
    add_clock(json, clock, now);
    for (const core::Color player : {core::Color::white, core::Color::black})
        json[std::string{color_name(player)} + "_base"] =
            clock.control()[index_of(player)].base.count();
    json["left"] = Json::array();
    for (const auto time : clock.left_after())
        json["left"].push_back(time.count());
}

std::string player_message(std::string_view type, core::Color player) {
    Json json = message_json(type);
    json["player"] = color_name(player);
    return json.dump();
}

}  // namespace

std::string game_message(std::string_view id,
                         const Session& session,
                         std::span<const std::string> moves,
                         const RoomStatus& status) {
    const core::Position& position = session.game().position();
    Json json = message_json("game");
    json["id"] = id;
    json["fen"] = core::fen(position);
    json["turn"] = color_name(position.side_to_move());
    json["moves"] = session.is_over() ? Json::object() : legal_moves_json(position);
    json["played"] = moves;
    const auto start = core::fen(session.game().start());
    if (start != core::fen(core::Position::start()))
        json["start_fen"] = start;
    if (const auto opening = core::opening_of(session.game()))
        json["opening"] = {{"eco", opening->eco}, {"name", opening->name}};
    if (!session.game().moves().empty()) {
        const core::Move last = session.game().moves().back();
        json["last_move"] = move_json(last.from(), core::move_target(last));
    }
    if (position.in_check())
        json["check"] = check_json(position);
    if (const auto promoting = session.promoting())
        json["promoting"] = move_json(promoting->from, promoting->to);
    if (const auto ending = session.ending())
        add_ending(json, *ending);
    json["thinking"] = session.is_thinking();
    json["seats_taken"] = taken_seats(status);
    for (const core::Color player : {core::Color::white, core::Color::black}) {
        if (const auto& name = status.names[index_of(player)]; !name.empty())
            json["names"][std::string{color_name(player)}] = name;
    }
    json["present"] = status.present;
    if (status.draw_offer)
        json["draw_offer"] = color_name(*status.draw_offer);
    if (status.rematch_offer)
        json["rematch_offer"] = color_name(*status.rematch_offer);
    if (status.rematches > 0)
        json["rematches"] = status.rematches;
    if (session.clock() && status.now)
        add_clock_with_history(json["clock"], *session.clock(), *status.now);
    return json.dump();
}

std::string positions_message(const core::Game& game, std::size_t from) {
    Json json = message_json("positions");
    json["from"] = from;
    json["positions"] = Json::array();
    core::Position position = game.start();
    for (std::size_t ply = 0; ply <= game.moves().size(); ++ply) {
        if (ply > 0)
            position.play(game.moves()[ply - 1]);
        if (ply < from)
            continue;
        if (ply == from + max_positions)
            break;
        const auto last = ply > 0 ? std::optional{game.moves()[ply - 1]} : std::nullopt;
        json["positions"].push_back(position_json(position, last));
    }
    return json.dump();
}

std::optional<std::string> line_positions_message(const core::Game& game,
                                                  std::size_t from,
                                                  const std::string& line) {
    core::Position position = game.start();
    std::optional<core::Move> last;
    for (std::size_t ply = 0; ply < from; ++ply) {
        last = game.moves()[ply];
        position.play(*last);
    }
    Json json = message_json("positions");
    json["from"] = from;
    json["line"] = line;
    json["positions"] = Json::array({position_json(position, last)});
    core::Words words{line};
    while (const auto text = words.next()) {
        const auto move = core::read_move(position, *text);
        if (!move || json["positions"].size() == max_positions)
            return std::nullopt;
        position.play(*move);
        json["positions"].push_back(position_json(position, *move));
    }
    return json.dump();
}

std::string analysis_message(const core::Game& game,
                             std::span<const engine::Info> pvs,
                             int max_lines) {
    Json json = message_json("analysis");
    json["ply"] = game.moves().size();
    add_pv(json, game.position(), pvs.front());
    if (max_lines == 1)
        return json.dump();
    json["lines"] = Json::array();
    for (const auto& info : pvs.first(std::min(pvs.size(), static_cast<std::size_t>(max_lines)))) {
        Json pv;
        add_pv(pv, game.position(), info);
        json["lines"].push_back(std::move(pv));
    }
    return json.dump();
}

std::string seat_taken(core::Color player) {
    return player_message("seat_taken", player);
}

std::string seat_left(core::Color player) {
    return player_message("seat_left", player);
}

std::string offer_message(std::string_view type, core::Color player) {
    return player_message(type, player);
}

std::string analysis_started() {
    return message_json("analysis_started").dump();
}

std::string analysis_stopped() {
    return message_json("analysis_stopped").dump();
}

std::string search_stopped() {
    return message_json("search_stopped").dump();
}

std::string review_message(const ReviewStatus& status) {
    using State = ReviewStatus::State;
    Json json = message_json("review");
    json["state"] = status.state == State::running ? "running" : "ready";
    if (status.state == State::running) {
        json["step"] = status.explains ? "mistakes" : "positions";
        json["done"] = status.done;
        json["total"] = status.total;
    }
    for (const core::Color player : {core::Color::white, core::Color::black}) {
        if (const auto accuracy = status.accuracy[index_of(player)])
            json["accuracy"][color_name(player)] = std::round(*accuracy * 10) / 10;
    }
    return json.dump();
}

}  // namespace uci::json::web
