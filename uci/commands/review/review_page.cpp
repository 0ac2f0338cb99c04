#include "uci/commands/review/review_page.hpp"

#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "core/fen.hpp"
#include "core/movegen.hpp"
#include "core/notation.hpp"
#include "core/text.hpp"

#include "engine/analysis/explain/wording.hpp"
#include "engine/analysis/review/winning_chance.hpp"

#include "uci/commands/review/review_json.hpp"

// The page that page/assemble.cmake makes, embedded by the build.
extern "C" {
extern const unsigned char parley_review_page[];
extern const std::uint64_t parley_review_page_size;
}

namespace uci::commands {

namespace {

using engine::review::GameReview;
using engine::review::Judgement;
using engine::review::MoveReview;

/// The text of the page before the games, and after them.
std::pair<std::string_view, std::string_view> halves() {
    constexpr std::string_view mark = "@GAMES@";
    const std::string_view page{reinterpret_cast<const char*>(parley_review_page),
                                static_cast<std::size_t>(parley_review_page_size)};
    const auto place = page.find(mark);
    return {page.substr(0, place), page.substr(place + mark.size())};
}

/// JSON between script tags: nothing in it can end the element.
std::string without_markup(std::string_view json) {
    std::string text;
    for (const char letter : json) {
        if (letter == '<' || letter == '>' || letter == '&')
            text += letter == '<' ? "\\u003c" : letter == '>' ? "\\u003e" : "\\u0026";
        else
            text += letter;
    }
    return text;
}

/// The first field of a FEN.
std::string placement(const core::Position& position) {
    const auto text = core::fen(position);
    return text.substr(0, text.find(' '));
}

/// White's winning chance in percent.
double chance(engine::Score score) {
    return rounded(50 + 50 * engine::review::winning_chance(score));
}

/// Comments as people wrote them: without commands such as [%eval 0.34].
std::string words_of(std::string_view comment) {
    std::string text;
    while (!comment.empty()) {
        const auto start = std::min(comment.find("[%"), comment.size());
        text += comment.substr(0, start);
        const auto end = comment.find(']', start);
        comment.remove_prefix(end == std::string_view::npos ? comment.size() : end + 1);
    }
    return std::string{core::Words{text}.rest()};
}

/// The comments on each move of the main line, and before the first one.
std::vector<std::string> comments_of(const core::AnnotatedGame& game) {
    std::vector<std::string> comments{""};
    for (const auto& element : game.elements) {
        if (std::holds_alternative<core::Move>(element.content)
            || std::holds_alternative<core::PgnNullMove>(element.content))
            comments.emplace_back();
        const auto* const comment = std::get_if<core::PgnComment>(&element.content);
        const auto words = comment == nullptr ? "" : words_of(comment->text);
        if (!words.empty())
            comments.back() += (comments.back().empty() ? "" : " ") + words;
    }
    return comments;
}

Json json_of(const std::vector<core::Move>& line, core::Position position) {
    auto json = Json::array();
    for (const auto move : line) {
        Json step{{"san", core::san(position, move)}, {"uci", uci_of(move)}};
        position.play(move);
        step["board"] = placement(position);
        json.push_back(std::move(step));
    }
    return json;
}

/// What is needed to judge a reader's own move: where each leads, and the chances of the best.
Json lesson(const MoveReview& move, const core::Position& position) {
    Json json;
    for (const auto legal : core::legal_moves(position))
        json["moves"][uci_of(legal)] = {{"san", core::san(position, legal)},
                                        {"board", placement(position.after(legal))}};
    const double sign = position.side_to_move() == core::Color::white ? 1 : -1;
    for (const auto& line : move.pvs) {
        auto& known = json["moves"][uci_of(line.moves.front())];
        add_score(known, line.score);
        const auto lost = sign
                        * (engine::review::winning_chance(move.pvs.front().score)
                           - engine::review::winning_chance(line.score));
        known["judgement"] = engine::review::name(engine::review::judgement(lost));
    }
    return json;
}

/// The sentences, and the line of the claim with the plies between the move before and its first.
Json json_of(const engine::explain::Explanation& explanation,
             const core::Position& position,
             engine::explain::Language language) {
    Json json;
    json["sentences"] = words_of(explanation, position, language).sentences;
    if (const auto& claim = explanation.claim; claim && !claim->pv.empty()) {
        const auto root = root_of(*claim, position, explanation.move);
        json["line"] = json_of(claim->pv, root);
        json["offset"] = root.side_to_move() == position.side_to_move() ? 0 : 1;
    }
    return json;
}

Json json_of(const MoveReview& move, const core::Game& before, const core::Game& after) {
    const auto& position = before.position();
    Json json;
    json["san"] = move.move ? core::san(position, *move.move) : "--";
    if (move.move)
        json["uci"] = uci_of(*move.move);
    json["board"] = placement(after.position());
    add_score(json, move.after.score);
    json["chance"] = chance(move.after.score);
    json["depth"] = move.after.depth;
    if (!move.move)
        return json;
    json["accuracy"] = rounded(move.accuracy);
    json["judgement"] = engine::review::name(move.judgement);
    if (move.judgement != Judgement::fine) {
        json["better"] = json_of(move.before.pv, position);
        json["lesson"] = lesson(move, position);
    }
    return json;
}

}  // namespace

ReviewPage::ReviewPage(std::ostream& out, engine::explain::Language language)
    : out_{out},
      language_{language} {
    constexpr std::string_view mark = "@LANGUAGE@";
    const auto first = halves().first;
    const auto place = first.find(mark);
    out_ << first.substr(0, place) << code_of(language) << first.substr(place + mark.size());
}

void ReviewPage::add(const core::AnnotatedGame& game,
                     const std::vector<core::Game>& positions,
                     const GameReview& review,
                     std::optional<core::Color> player) {
    auto json = json_of_game(game, review);
    if (player)
        json["player"] = *player == core::Color::white ? "white" : "black";
    const auto& start = positions.front().position();
    json["board"] = placement(start);
    json["white_begins"] = start.side_to_move() == core::Color::white;
    json["number"] = start.fullmove_number();
    if (!review.moves.empty()) {
        add_score(json, review.moves.front().before.score);
        json["chance"] = chance(review.moves.front().before.score);
    }
    const auto comments = comments_of(game);
    json["comment"] = comments.front();
    json["moves"] = Json::array();
    for (std::size_t i = 0; i < review.moves.size(); ++i) {
        auto move = json_of(review.moves[i], positions[i], positions[i + 1]);
        if (const auto& explanation = review.moves[i].explanation)
            move["explanation"] = json_of(*explanation, positions[i].position(), language_);
        if (!comments[i + 1].empty())
            move["comment"] = comments[i + 1];
        json["moves"].push_back(std::move(move));
    }
    out_ << (std::exchange(is_first_, false) ? "\n" : ",\n") << without_markup(text_of(json));
}

void ReviewPage::finish() {
    out_ << "\n" << halves().second;
}

std::string review_page(const core::AnnotatedGame& game,
                        const std::vector<core::Game>& positions,
                        const GameReview& review,
                        engine::explain::Language language) {
    std::ostringstream text;
    ReviewPage page{text, language};
    page.add(game, positions, review, {});
    page.finish();
    return text.str();
}

}  // namespace uci::commands
