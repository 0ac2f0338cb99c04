#include "uci/commands/review/review_json.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "core/notation.hpp"

#include "engine/analysis/explain/wording.hpp"

namespace uci::commands {

using engine::review::GameReview;
using engine::review::MoveReview;

namespace {

Json json_of(const std::vector<core::Move>& line) {
    auto json = Json::array();
    for (const auto move : line)
        json.push_back(uci_of(move));
    return json;
}

Json json_of(const engine::explain::Explanation& explanation,
             const core::Position& position,
             engine::explain::Language language) {
    const auto words = words_of(explanation, position, language);
    Json json;
    json["kind"] = explanation.claim ? Json(name(explanation.claim->kind)) : Json(nullptr);
    json["motif"] = explanation.claim ? Json(name(explanation.claim->motif)) : Json(nullptr);
    json["sentences"] = words.sentences;
    json["line"] = words.pv;
    return json;
}

Json json_of(const MoveReview& move,
             const core::Position& position,
             engine::explain::Language language) {
    Json json;
    json["san"] = move.move ? core::san(position, *move.move) : "--";
    if (move.move)
        json["uci"] = uci_of(*move.move);
    add_score(json, move.after.score);
    json["depth"] = move.after.depth;
    if (!move.move)
        return json;
    json["accuracy"] = rounded(move.accuracy);
    json["judgement"] = engine::review::name(move.judgement);
    json["best_line"] = json_of(move.before.pv);
    for (const auto& line : move.pvs) {
        Json other;
        add_score(other, line.score);
        other["line"] = json_of(line.moves);
        json["lines"].push_back(std::move(other));
    }
    if (move.explanation)
        json["explanation"] = json_of(*move.explanation, position, language);
    return json;
}

}  // namespace

void add_score(Json& json, engine::Score score) {
    if (engine::is_mate(score)) {
        const int moves = (engine::plies_to_mate(score) + 1) / 2;
        json["mate"] = score > 0 ? moves : -moves;
    }
    else {
        json["eval"] = engine::centipawns(score) / 100.0;
    }
}

double rounded(double percent) {
    return static_cast<double>(std::lround(percent * 10)) / 10;
}

std::string uci_of(core::Move move) {
    return core::to_uci(move, core::CastlingStyle::king_moves_two);
}

Json json_of_game(const core::AnnotatedGame& game, const GameReview& review) {
    Json json;
    json["tags"] = Json::object();
    for (const auto& [name, value] : game.tags)
        json["tags"].emplace(name, value);  // the first counts, as for tag_of()
    json["result"] = game.result;
    if (review.opening)
        json["opening"] = {{"eco", review.opening->eco}, {"name", review.opening->name}};
    constexpr std::array names{"white_accuracy", "black_accuracy"};
    for (std::size_t color = 0; color < 2; ++color) {
        if (review.accuracy[color])
            json[names[color]] = rounded(*review.accuracy[color]);
    }
    return json;
}

std::string review_as_json(const core::AnnotatedGame& game,
                           const std::vector<core::Game>& positions,
                           const GameReview& review,
                           engine::explain::Language language) {
    auto json = json_of_game(game, review);
    json["moves"] = Json::array();
    for (std::size_t i = 0; i < review.moves.size(); ++i)
        json["moves"].push_back(json_of(review.moves[i], positions[i].position(), language));
    return text_of(json);
}

std::string text_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace uci::commands
