#include "uci/commands/annotate.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/notation.hpp"
#include "core/paths.hpp"
#include "core/pgn.hpp"
#include "core/pgn_splitter.hpp"
#include "core/text.hpp"

#include "engine/build_info.hpp"
#include "engine/review/annotate.hpp"
#include "engine/review/game_review.hpp"

#include "uci/command_line.hpp"
#include "uci/util/interrupt.hpp"
#include "uci/util/platform.hpp"

namespace uci::commands {

namespace {

using core::Color;
using engine::review::GameReview;
using engine::review::MoveReview;
// Ordered: the keys are printed in the order in which they are set.
using Json = nlohmann::ordered_json;

constexpr std::size_t longest_game = std::size_t{4} << 20;  // bytes of text

struct Options {
    engine::review::ReviewRules rules;
    int milliseconds = 0;
    bool replace = false;
    bool json = false;
    std::string out = "-";
    std::vector<std::string> paths;
};

/// A line on the terminal that is written again and again; nothing where nobody watches.
class Progress {
public:
    void begin_game(int number, std::size_t positions) {
        const std::lock_guard lock{mutex_};
        game_ = number;
        positions_ = positions;
        done_ = 0;
        began_ = std::chrono::steady_clock::now();
    }
    /// From any thread.
    void add_position() {
        const std::lock_guard lock{mutex_};
        ++done_;
        if (!shown_)
            return;
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - began_;
        const double left =
            spent.count() / static_cast<double>(done_) * static_cast<double>(positions_ - done_);
        fmt::print(stderr, "\rgame {}, position {} of {}, {:.0f} s left   ", game_, done_,
                   positions_, left);
        static_cast<void>(std::fflush(stderr));
    }
    void erase() const {
        if (shown_)
            fmt::print(stderr, "\r{:60}\r", "");
    }

private:
    const bool shown_ = util::standard_error_is_terminal();
    std::mutex mutex_;  ///< guards what follows
    int game_ = 0;
    std::size_t positions_ = 0;
    std::size_t done_ = 0;
    std::chrono::steady_clock::time_point began_;
};

std::string uci_of(core::Move move) {
    return core::to_uci(move, core::CastlingStyle::king_moves_two);
}

/// A score for White: "eval" in pawns, or "mate" in moves.
void add_score(Json& json, engine::Score score) {
    if (engine::is_mate(score)) {
        const int moves = (engine::plies_to_mate(score) + 1) / 2;
        json["mate"] = score > 0 ? moves : -moves;
    }
    else {
        json["eval"] = engine::centipawns(score) / 100.0;
    }
}

Json json_of(const MoveReview& move, const core::Position& position) {
    Json json;
    json["san"] = move.move ? core::san(position, *move.move) : "--";
    if (move.move)
        json["uci"] = uci_of(*move.move);
    add_score(json, move.after.score);
    json["depth"] = move.after.depth;
    if (!move.move)
        return json;
    json["accuracy"] = static_cast<double>(std::lround(move.accuracy * 10)) / 10;
    json["judgement"] = engine::review::name(move.judgement);
    auto line = Json::array();
    for (const auto better : move.before.line)
        line.push_back(uci_of(better));
    json["best_line"] = std::move(line);
    return json;
}

std::string json_of(const core::AnnotatedGame& game,
                    const std::vector<core::Game>& positions,
                    const GameReview& review) {
    Json json;
    json["tags"] = Json::object();
    for (const auto& [name, value] : game.tags)
        json["tags"][name] = value;
    json["result"] = game.result;
    json["moves"] = Json::array();
    for (std::size_t i = 0; i < review.moves.size(); ++i)
        json["moves"].push_back(json_of(review.moves[i], positions[i].position()));
    constexpr std::array names{"white_accuracy", "black_accuracy"};
    for (std::size_t color = 0; color < 2; ++color) {
        if (review.accuracy[color])
            json[names[color]] =
                static_cast<double>(std::lround(*review.accuracy[color] * 10)) / 10;
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Reads games and writes them with their reviews, one after the other.
class Annotator {
public:
    Annotator(const Options& options, std::ostream& out)
        : options_{options},
          out_{out},
          reviewer_{options.rules} {}

    /// "-" is standard input. Error: why the file cannot be read.
    std::optional<core::Error> add_file(const std::string& path) {
        std::ifstream file;
        if (path != "-") {
            file.open(core::utf8_path(path), std::ios::binary);
            if (!file)
                return core::Error{fmt::format("{} cannot be opened", path)};
        }
        std::istream& input = path == "-" ? std::cin : file;
        core::PgnSplitter splitter;
        std::string line;
        while (!stop_ && std::getline(input, line)) {
            if (const auto game = splitter.add_line(line))
                add_game(*game);
        }
        if (const auto game = stop_ ? std::nullopt : splitter.finish())
            add_game(*game);
        if (input.bad())
            return core::Error{fmt::format("{} cannot be read", path)};
        return std::nullopt;
    }

    int games() const { return games_; }
    /// Whether every game has been reviewed.
    bool is_complete() const { return faulty_games_ == 0 && !stop_; }

private:
    void add_game(const std::string& text) {
        ++games_;
        auto game =
            text.size() > longest_game
                ? core::Result<core::AnnotatedGame>{core::Error{"its text is longer than 4 MiB"}}
                : core::read_annotated_game(text);
        if (!game) {
            ++faulty_games_;
            progress_.erase();
            fmt::print(stderr, "parley annotate: game {} is left as it is: {}\n", games_,
                       game.reason());
            if (!options_.json)
                write(text);
            return;
        }
        const auto positions = engine::review::positions_of(*game);
        progress_.begin_game(games_, positions.size());
        const auto reviews =
            reviewer_.review(positions, stop_, [this] { progress_.add_position(); });
        progress_.erase();
        if (!reviews)
            return;
        const auto review = engine::review::review_of(positions, *reviews);
        if (options_.json) {
            out_ << json_of(*game, positions, review);
            return;
        }
        engine::review::annotate(*game, review,
                                 {"Parley " + std::string{engine::version()}, options_.replace});
        write(core::write_annotated_game(*game));
    }

    /// A game of PGN, with a blank line before all but the first.
    void write(std::string_view text) {
        if (!std::exchange(is_first_, false))
            out_ << '\n';
        out_ << text << std::flush;
    }

    const Options& options_;
    std::ostream& out_;
    const engine::review::PositionReviewer reviewer_;
    const std::atomic<bool>& stop_ = util::interrupt_requested();
    Progress progress_;
    int games_ = 0;
    int faulty_games_ = 0;
    bool is_first_ = true;
};

void add_options(CommandLine& line, Options& options) {
    constexpr std::int64_t many = 1'000'000'000'000;
    constexpr std::int64_t day = 86'400'000;  // in milliseconds
    line.words("PGN", options.paths, "The games; - is standard input, as without any");
    line.text("--out", options.out, "FILE", "The file to write; without it standard output");
    line.flag("--json", options.json, "Write JSON, one game on each line");
    line.number("--nodes", options.rules.nodes, 100, many,
                "Nodes for each position. The result is the same with any number of threads");
    line.number("--movetime", options.milliseconds, 1, day,
                "Milliseconds for each position, in the place of nodes");
    line.number("--threads", options.rules.threads, 1, 1024, "Positions searched at a time");
    line.number("--hash", options.rules.megabytes, 1, 1'048'576,
                "MB of the transposition table, with --movetime");
    line.flag("--replace", options.replace, "Replace the evaluations that are there already");
    line.footer(
        "Each move gets [%eval PAWNS,DEPTH] for White (#N: mate in N moves). One that loses 10, 20 "
        "or\n"
        "30 % of the chance to win more than the best one is marked ?!, ? or ??, and the better "
        "line\n"
        "is added. Accuracies are the mean of those of a player's moves "
        "(lichess.org/page/accuracy).\n"
        "Comments, variations, NAGs and clocks stay. A game with an illegal move is reported and\n"
        "copied as it is; then the exit status is 1.");
}

/// Two files must not be the same: reading and writing go on side by side.
bool is_input(const Options& options) {
    return options.out != "-"
        && std::any_of(options.paths.begin(), options.paths.end(), [&](const auto& path) {
               std::error_code failure;
               return std::filesystem::equivalent(core::utf8_path(path),
                                                  core::utf8_path(options.out), failure);
           });
}

std::string_view name_of_output(const Options& options) {
    return options.out == "-" ? "standard output" : std::string_view{options.out};
}

int run(const Options& options) {
    std::ofstream file;
    if (options.out != "-") {
        file.open(core::utf8_path(options.out), std::ios::binary);
        if (!file) {
            fmt::print(stderr, "parley annotate: {} cannot be written\n", name_of_output(options));
            return exit_failure;
        }
    }
    std::ostream& out = options.out == "-" ? std::cout : file;
    Annotator annotator{options, out};
    for (const auto& path : options.paths) {
        if (const auto error = annotator.add_file(path)) {
            fmt::print(stderr, "parley annotate: {}\n", error->reason);
            return exit_failure;
        }
    }
    if (!out.flush()) {
        fmt::print(stderr, "parley annotate: {} cannot be written\n", name_of_output(options));
        return exit_failure;
    }
    if (annotator.games() == 0) {
        fmt::print(stderr, "parley annotate: there is no game\n");
        return exit_failure;
    }
    return annotator.is_complete() ? exit_success : exit_failure;
}

}  // namespace

int annotate(std::span<const std::string> arguments) {
    Options options;
    options.rules.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    CommandLine line{"annotate",
                     "Reviews games: evaluations, mistakes and better lines, written into PGN."};
    add_options(line, options);
    if (const auto status = line.parse(arguments))
        return *status;
    if (options.milliseconds > 0)
        options.rules.time = std::chrono::milliseconds{options.milliseconds};
    if (options.paths.empty())
        options.paths = {"-"};
    if (is_input(options))
        return line.refuse("--out is one of the files to read");
    util::prepare_standard_streams();
    return run(options);
}

}  // namespace uci::commands
