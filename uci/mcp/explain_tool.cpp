#include "uci/mcp/explain_tool.hpp"

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/result.hpp"

#include "engine/analysis/explain/explainer.hpp"
#include "engine/analysis/explain/wording.hpp"

#include "uci/mcp/describe.hpp"
#include "uci/mcp/position_argument.hpp"

namespace uci::mcp {

namespace {

using core::Error;
using core::Result;
using engine::explain::Explanation;
using engine::explain::Language;

/// What is asked, checked.
struct Request {
    core::Game game;
    std::optional<core::Move> move;
    Language language = Language::english;
};

Result<std::optional<core::Move>> move_of(const Json& arguments, const core::Position& position) {
    const auto found = arguments.find("move");
    if (found == arguments.end())
        return std::optional<core::Move>{};
    if (!found->is_string())
        return Error{"move must be text, such as \"Nf3\""};
    const auto move = legal_move(position, found->get_ref<const std::string&>());
    if (!move)
        return move.error();
    return std::optional{*move};
}

Result<Language> language_of(const Json& arguments) {
    const auto found = arguments.find("language");
    if (found == arguments.end())
        return Language::english;
    const auto language = found->is_string()
                            ? engine::explain::language_named(found->get_ref<const std::string&>())
                            : std::nullopt;
    if (!language)
        return Error{R"(language must be "en" or "de")"};
    return *language;
}

Result<Request> request_of(const Json& arguments) {
    auto game = game_of(arguments);
    if (!game)
        return game.error();
    if (const auto over = engine::explain::end_of(*game))
        return Error{fmt::format("the game is over: {}", *over)};
    const auto move = move_of(arguments, game->position());
    if (!move)
        return move.error();
    const auto language = language_of(arguments);
    if (!language)
        return language.error();
    return Request{*std::move(game), *move, *language};
}

Json json_of(const engine::explain::Claim& claim, const core::Position& root) {
    Json json{{"kind", name(claim.kind)},
              {"motif", name(claim.motif)},
              {"amount", claim.amount},
              {"line", json_of_moves(root, claim.pv)},
              {"squares", Json::array()}};
    for (const auto square : claim.squares)
        json["squares"].push_back(square.name());
    return json;
}

}  // namespace

Json explain_input() {
    auto properties = position_properties();
    properties["move"] = {
        {"type", "string"},
        {"description", "The move to explain: SAN or coordinates. Without it the best one"}};
    properties["language"] = {{"type", "string"}, {"enum", {"en", "de"}}, {"default", "en"}};
    return properties;
}

Json explain_output() {
    const Json text{{"type", "string"}};
    const Json number{{"type", "integer"}};
    const Json texts{{"type", "array"}, {"items", text}};
    auto schema = schema_of_position();
    auto& properties = schema["properties"];
    properties["move"] = text;
    properties["better"] = text;
    properties["verdict"] = {{"type", "string"}, {"enum", {"best", "good", "worse"}}};
    properties["chance_of_move"] = number;
    properties["chance_of_better"] = number;
    properties["sentences"] = texts;
    properties["claim"] = object_schema({{"kind", text},
                                         {"motif", text},
                                         {"amount", number},
                                         {"line", schema_of_moves()},
                                         {"squares", texts}},
                                        {"kind", "motif", "amount", "line", "squares"});
    properties["only_move"] =
        object_schema({{"others_allow_mate", {{"type", "boolean"}}}, {"others_lose", number}},
                      {"others_allow_mate", "others_lose"});
    for (const char* name : {"move", "better", "verdict", "sentences"})
        schema["required"].push_back(name);
    return schema;
}

ToolResult explain(const Json& arguments, Analyser& analyser, const Progress& /*progress*/) {
    const auto request = request_of(arguments);
    if (!request)
        return {request.reason(), {}, true};
    const auto& [game, move, language] = *request;
    const auto& position = game.position();
    const auto explanation = analyser.explain(game, move);
    if (!explanation)
        return {"the explanation was interrupted", {}, true};
    const auto words = words_of(*explanation, position, language);
    auto json = json_of(game);
    json["move"] = json_of_moves(position, {explanation->move}).front()["san"];
    json["better"] = json_of_moves(position, {explanation->better}).front()["san"];
    json["verdict"] = name(explanation->verdict);
    json["chance_of_move"] = engine::explain::percent(explanation->score_of_move);
    json["chance_of_better"] = engine::explain::percent(explanation->score_of_better);
    json["sentences"] = words.sentences;
    if (const auto& only = explanation->only_move)
        json["only_move"] = {{"others_allow_mate", only->mate}, {"others_lose", only->amount}};
    if (const auto& claim = explanation->claim)
        json["claim"] = json_of(*claim, root_of(*claim, position, explanation->move));
    return {joined(words) + "\n", std::move(json)};
}

}  // namespace uci::mcp
