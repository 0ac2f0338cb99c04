#include "uci/commands/explain.hpp"

#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/fen.hpp"
#include "core/game.hpp"
#include "core/notation.hpp"
#include "core/text.hpp"

#include "engine/analysis/explain/explainer.hpp"
#include "engine/analysis/explain/wording.hpp"

#include "uci/command_line.hpp"
#include "uci/transport/stdio_transport.hpp"

namespace uci::commands {

namespace {

using core::Error;
using core::Result;
using engine::explain::Claim;
using engine::explain::Explanation;
using engine::explain::Language;
// Ordered: the keys are printed in the order in which they are set.
using Json = nlohmann::ordered_json;

constexpr const char* explanation_of_arguments =
    "POSITION is a FEN, or \"startpos\", with \"moves\" and moves behind it, or only the moves of "
    "a\n"
    "game. MOVE is in coordinates or SAN; without it the best move is explained. Without POSITION\n"
    "positions are read from standard input, \"POSITION\" or \"POSITION; MOVE\" on each line, and "
    "each\n"
    "gets one answer; \"error: \", or in JSON an \"error\", says why there is no other.\n"
    "\n"
    "What is said of material and mates is proved against every answer in a search of its own, and "
    "a\n"
    "search with twice the nodes must agree that the move is worse. Where nothing is proved, only "
    "the\n"
    "better move and the chances to win are shown.";

struct Options {
    std::vector<std::string> words;
    std::uint64_t nodes = 0;
    std::string language = "en";
    std::string syzygy_path;
    bool json = false;
};

/// What to explain.
struct ExplainRequest {
    core::Game game;
    std::optional<core::Move> move;
};

/// The words of moves without the numbers of a game score: "1." and "1.e4" are allowed.
std::string_view without_number(std::string_view word) {
    const auto digits = word.find_first_not_of("0123456789");
    if (digits == std::string_view::npos || digits == 0 || word[digits] != '.')
        return word;
    const auto rest = word.find_first_not_of('.', digits);
    return rest == std::string_view::npos ? std::string_view{} : word.substr(rest);
}

Result<core::Game> read_game(std::string_view text) {
    core::Words words{text};
    core::Game game;
    const auto first = words.peek().value_or("");
    if (first == "startpos") {
        words.next();
    }
    else if (first.find('/') != std::string_view::npos) {
        std::string fen;
        while (words.peek() && *words.peek() != "moves")
            fen.append(*words.next()).append(" ");
        const auto position = core::read_fen(fen);
        if (!position)
            return position.error();
        game = core::Game{*position};
    }
    if (words.peek() == "moves")
        words.next();
    std::vector<std::string> moves;
    while (const auto word = words.next()) {
        if (const auto move = without_number(*word); !move.empty())
            moves.emplace_back(move);
    }
    if (const auto played = game.play(moves); !played)
        return played.error();
    return game;
}

Result<ExplainRequest> read_request(std::string_view position,
                                    std::optional<std::string_view> move) {
    auto game = read_game(position);
    if (!game)
        return game.error();
    if (const auto over = engine::explain::end_of(*game))
        return Error{fmt::format("the game is over: {}", *over)};
    ExplainRequest request{*std::move(game), {}};
    if (move) {
        const auto read = core::read_move(request.game.position(), *move);
        if (!read)
            return read.error();
        request.move = *read;
    }
    return request;
}

std::string uci_of(core::Move move) {
    return core::to_uci(move, core::CastlingStyle::king_moves_two);
}

Json json_of(const Claim& claim) {
    Json json;
    json["kind"] = name(claim.kind);
    json["motif"] = name(claim.motif);
    json["amount"] = claim.amount;
    json["plies"] = claim.plies;
    json["line"] = Json::array();
    for (const auto move : claim.pv)
        json["line"].push_back(uci_of(move));
    json["squares"] = Json::array();
    for (const auto square : claim.squares)
        json["squares"].push_back(square.name());
    json["won_piece"] = claim.won_piece ? Json(core::name(*claim.won_piece)) : Json(nullptr);
    json["was_threat"] = claim.was_threat;
    return json;
}

Json json_of(const engine::explain::OnlyMove& only) {
    Json json;
    json["mate"] = only.mate;
    json["amount"] = only.amount;
    json["plies"] = only.plies;
    return json;
}

std::string json_of(const ExplainRequest& request,
                    const Explanation& explanation,
                    const engine::explain::Words& words) {
    Json json;
    json["fen"] = core::fen(request.game.position());
    json["move"] = uci_of(explanation.move);
    json["better"] = uci_of(explanation.better);
    json["verdict"] = name(explanation.verdict);
    json["only_legal"] = explanation.only_legal;
    json["only_move"] = explanation.only_move ? json_of(*explanation.only_move) : Json(nullptr);
    json["chance_of_better"] = engine::explain::percent(explanation.score_of_better);
    json["chance_of_move"] = engine::explain::percent(explanation.score_of_move);
    json["claim"] = explanation.claim ? json_of(*explanation.claim) : Json(nullptr);
    json["sentences"] = words.sentences;
    json["line"] = words.pv;
    return json.dump();
}

/// Answers requests, one after the other.
class Answerer {
public:
    Answerer(const Options& options, std::shared_ptr<const engine::tablebase::Tablebases> tables)
        : options_{options},
          tables_{std::move(tables)},
          language_{engine::explain::language_named(options.language).value()} {
        if (options.nodes > 0)
            rules_ = {options.nodes, std::nullopt, nullptr};
        rules_.tables = tables_.get();
    }

    /// False if there was no answer.
    bool answer(std::string_view position, std::optional<std::string_view> move) const {
        const auto request = read_request(position, move);
        if (!request)
            return fail(position, request.reason());
        engine::SearchListener listener;
        const auto explanation =
            engine::explain::explain(request->game, request->move, rules_, evaluate_, listener);
        if (!explanation)
            return fail(position, "there is not time enough for a search");
        const auto words = words_of(*explanation, request->game.position(), language_);
        print(options_.json ? json_of(*request, *explanation, words) : joined(words));
        return true;
    }

private:
    bool fail(std::string_view position, const std::string& reason) const {
        Json json;
        json["position"] = position;
        json["error"] = reason;
        print(options_.json ? json.dump(-1, ' ', false, Json::error_handler_t::replace)
                            : "error: " + reason);
        return false;
    }

    static void print(const std::string& text) {
        fmt::print("{}\n", text);
        static_cast<void>(std::fflush(stdout));
    }

    const Options& options_;
    std::shared_ptr<const engine::tablebase::Tablebases> tables_;
    Language language_;
    engine::explain::ExplainRules rules_ = engine::explain::interactive_rules;
    engine::evaluate::Evaluate evaluate_;
};

int answer_all(const Answerer& answerer, const Options& options) {
    const auto& words = options.words;
    if (!words.empty()) {
        const auto move =
            words.size() > 1 ? std::optional<std::string_view>{words[1]} : std::nullopt;
        return answerer.answer(words[0], move) ? exit_success : exit_failure;
    }
    transport::StdioTransport input;
    bool all_answered = true;
    while (const auto line = output_is_written() ? input.read_line() : std::nullopt) {
        const auto separator = line->find(';');
        std::optional<std::string_view> move;
        if (separator != std::string::npos)
            move = core::Words{std::string_view{*line}.substr(separator + 1)}.rest();
        all_answered =
            answerer.answer(std::string_view{*line}.substr(0, separator), move) && all_answered;
    }
    return all_answered ? exit_success : exit_failure;
}

}  // namespace

int explain(std::span<const std::string> arguments) {
    Options options;
    CommandLine line{"explain", "Explains a move in words: only what can be proved on the board."};
    constexpr std::int64_t max_nodes = 1'000'000'000;
    line.words("POSITION [MOVE]", options.words, "The position and the move", "[POSITION [MOVE]]");
    line.number("--nodes", options.nodes, 1000, max_nodes,
                "Nodes for each position, and twice as many to make sure; then the answer is the "
                "same each time. Without it two seconds");
    line.text("--language", options.language, "en|de", "The language, English or German");
    add_syzygy_option(line, options.syzygy_path);
    line.flag("--json", options.json, "Answer in JSON, one line for each position");
    line.footer(explanation_of_arguments);
    if (const auto status = line.parse(arguments))
        return *status;
    if (!engine::explain::language_named(options.language))
        return line.refuse("--language must be en or de");
    if (options.words.size() > 2)
        return line.refuse("the position must be one argument: put it in quotes");
    auto tables = open_tablebases(options.syzygy_path);
    if (!tables) {
        fmt::print(stderr, "parley: {}\n", tables.reason());
        return exit_failure;
    }
    return status_with_output("explain",
                              answer_all(Answerer{options, *std::move(tables)}, options));
}

}  // namespace uci::commands
