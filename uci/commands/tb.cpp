#include "uci/commands/tb.hpp"

#include <cstdio>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/fen.hpp"
#include "core/game.hpp"
#include "core/notation.hpp"

#include "engine/tablebase/position_report.hpp"

#include "uci/command_line.hpp"
#include "uci/transport/stdio_transport.hpp"

namespace uci::commands {

namespace {

using core::Result;
using engine::tablebase::name;
using engine::tablebase::PositionReport;
using engine::tablebase::RankedMove;
using engine::tablebase::Tablebases;
// Ordered: the keys are printed in the order in which they are set.
using Json = nlohmann::ordered_json;

constexpr const char* explanation =
    "FEN may be one argument or several. Without it positions are read from standard input,\n"
    "one FEN on each line, and each gets one answer; one that begins with \"error: \", or in\n"
    "JSON has an \"error\", says why the position has no answer.\n"
    "\n"
    "WDL is the result if the halfmove clock were 0; a cursed win or a blessed loss is a draw\n"
    "by the fifty-move rule. DTZ is the number of plies to the next capture or pawn move, or\n"
    "mate, and may be one too small. A move's result is that of its player with the halfmove\n"
    "clock of the FEN; its DTZ counts the move itself.";

struct Options {
    std::vector<std::string> fen;
    std::string path;
    bool json = false;
    bool no_fifty_move_rule = false;
};

/// A position and what the tables say of it.
struct Answer {
    core::Position position;
    PositionReport report;
};

Result<Answer> answer_to(const Tablebases& tables, std::string_view fen, bool fifty_move_rule) {
    const auto position = core::read_fen(fen);
    if (!position)
        return position.error();
    auto report = engine::tablebase::report_on(tables, core::Game{*position}, fifty_move_rule);
    if (!report)
        return report.error();
    return Answer{*position, std::move(*report)};
}

std::string dtz_text(const std::optional<int>& dtz) {
    return dtz ? std::to_string(*dtz) : "unknown";
}

std::string text_of(const Answer& answer) {
    const auto& [position, report] = answer;
    std::string text = fmt::format("{}\nWDL {}, DTZ {}", core::fen(position), name(report.wdl),
                                   dtz_text(report.dtz));
    for (const RankedMove& ranked : report.moves)
        text += fmt::format("\n  {:<8}{:<14}DTZ {}", core::san(position, ranked.move),
                            name(ranked.outcome), dtz_text(ranked.dtz));
    return text;
}

Json json_of(const std::optional<int>& dtz) {
    return dtz ? Json(*dtz) : Json(nullptr);
}

Json json_of(const Answer& answer) {
    const auto& [position, report] = answer;
    Json json = Json::object();
    json["fen"] = core::fen(position);
    json["wdl"] = name(report.wdl);
    json["dtz"] = json_of(report.dtz);
    json["moves"] = Json::array();
    for (const RankedMove& ranked : report.moves) {
        Json move = Json::object();
        move["uci"] = core::to_uci(ranked.move, core::CastlingStyle::king_moves_two);
        move["san"] = core::san(position, ranked.move);
        move["result"] = name(ranked.outcome);
        move["dtz"] = json_of(ranked.dtz);
        json["moves"].push_back(std::move(move));
    }
    return json;
}

std::string error_json(std::string_view fen, const std::string& reason) {
    Json json = Json::object();
    json["fen"] = fen;
    json["error"] = reason;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Prints what the tables say of one position. False if they say nothing.
bool print_answer(const Tablebases& tables, std::string_view fen, const Options& options) {
    const auto answer = answer_to(tables, fen, !options.no_fifty_move_rule);
    if (answer)
        fmt::print("{}\n", options.json ? json_of(*answer).dump() : text_of(*answer));
    else if (options.json)
        fmt::print("{}\n", error_json(fen, answer.reason()));
    else
        fmt::print("error: {}\n", answer.reason());
    static_cast<void>(std::fflush(stdout));
    return static_cast<bool>(answer);
}

int answer_all(const Tablebases& tables, const Options& options) {
    if (!options.fen.empty()) {
        std::string fen;
        for (const auto& word : options.fen)
            fen += (fen.empty() ? "" : " ") + word;
        return print_answer(tables, fen, options) ? exit_success : exit_failure;
    }
    transport::StdioTransport input;
    bool all_known = true;
    while (const auto line = input.read_line())
        all_known = print_answer(tables, *line, options) && all_known;
    return all_known ? exit_success : exit_failure;
}

}  // namespace

int tb(std::span<const std::string> arguments) {
    Options options;
    CommandLine line{"tb", "Tells what the Syzygy endgame tables say of a position and its moves."};
    line.words("FEN", options.fen, "The position", "[FEN]");
    add_syzygy_option(line, options.path);
    line.flag("--json", options.json, "Answer in JSON, one line for each position");
    line.flag("--no-fifty-move-rule", options.no_fifty_move_rule, "Cursed wins are wins");
    line.footer(explanation);
    if (const auto status = line.parse(arguments))
        return *status;
    if (options.path.empty())
        return line.refuse("--syzygy (or PARLEY_SYZYGY) must name the folder of the tables");
    const auto tables = Tablebases::open(options.path);
    if (!tables)
        return report_failure("tb", "--syzygy: " + tables.reason());
    const int status = answer_all(**tables, options);
    if (const auto problems = (*tables)->new_problems())
        report_failure("tb", *problems);
    return status_with_output("tb", status);
}

}  // namespace uci::commands
