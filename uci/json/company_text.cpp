#include "uci/json/company_text.hpp"

#include "core/fen.hpp"
#include "core/notation.hpp"

#include "uci/json/values.hpp"

namespace uci::json {

namespace {

/// A line is shown no further than this.
constexpr std::size_t longest_line = 12;

Json seats_in(const Company& company) {
    Json json = Json::array();
    for (const core::Color player : {core::Color::white, core::Color::black}) {
        if (company.is_taken[index_of(player)])
            json.push_back(small_name(player));
    }
    return json;
}

Json line_in(core::Position position, const std::vector<core::Move>& line) {
    Json json = Json::array();
    for (const core::Move move : line) {
        if (json.size() == longest_line)
            break;
        json.push_back(core::san(position, move));
        position = position.after(move);
    }
    return json;
}

void add_ending(Json& json, const Ending& ending) {
    json["end"]["victor"] = ending.victor ? small_name(*ending.victor) : "draw";
    json["end"]["reason"] = ending.reason;
}

std::string about(std::string_view what, core::Color player) {
    Json json = message(what);
    json["player"] = small_name(player);
    return json.dump();
}

}  // namespace

std::string game(std::string_view id,
                 const Session& session,
                 std::span<const std::string> moves,
                 const Company& company) {
    const core::Position& position = session.game().position();
    Json json = message("game");
    json["id"] = id;
    json["fen"] = core::fen(position);
    json["turn"] = small_name(position.side_to_move());
    json["moves"] = session.is_over() ? Json::object() : moves_in(position);
    json["played"] = moves;
    if (!session.game().moves().empty()) {
        const core::Move last = session.game().moves().back();
        json["last_move"] = from_to(last.from(), target_of(last));
    }
    if (position.in_check())
        json["check"] = check_in(position);
    if (const auto promoting = session.promoting())
        json["promoting"] = from_to(promoting->from, promoting->to);
    if (const auto ending = session.ending())
        add_ending(json, *ending);
    json["thinking"] = session.is_thinking();
    json["seats_taken"] = seats_in(company);
    json["present"] = company.present;
    return json.dump();
}

std::string analysis(const core::Game& game, const engine::Info& info) {
    const bool is_whites = game.position().side_to_move() == core::Color::white;
    Json json = message("analysis");
    json["ply"] = game.moves().size();
    json["depth"] = info.depth;
    json["score"] = score_in(is_whites ? info.score : -info.score);
    if (!info.line.empty()) {
        const core::Move best = info.line.front();
        json["best_move"] = from_to(best.from(), target_of(best));
    }
    json["line"] = line_in(game.position(), info.line);
    return json.dump();
}

std::string seat_taken(core::Color player) {
    return about("seat_taken", player);
}

std::string seat_left(core::Color player) {
    return about("seat_left", player);
}

std::string analysis_started() {
    return message("analysis_started").dump();
}

std::string analysis_stopped() {
    return message("analysis_stopped").dump();
}

}  // namespace uci::json
