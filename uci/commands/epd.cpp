#include "uci/commands/epd.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/fen.hpp"
#include "core/notation.hpp"
#include "core/paths.hpp"
#include "core/text.hpp"

#include "engine/analysis/epd/suite_runner.hpp"

#include "uci/command_line.hpp"
#include "uci/commands/queue_option.hpp"
#include "uci/util/interrupt.hpp"
#include "uci/util/line_reader.hpp"
#include "uci/util/platform.hpp"

namespace uci::commands {

namespace {

using engine::epd::Answer;
using engine::epd::Task;
using engine::epd::TaskScore;
// Ordered: the keys are printed in the order in which they are set.
using Json = nlohmann::ordered_json;

struct Options {
    std::vector<std::string> paths;
    std::int64_t milliseconds = 0;
    std::uint64_t nodes = 0;
    int depth = 0;
    engine::epd::SuiteRules rules;
    bool json = false;
    std::string queue{};  ///< empty: search in this process
};

void add_options(CommandLine& line, Options& options) {
    constexpr std::int64_t many = 1'000'000'000'000;
    constexpr std::int64_t day = 86'400'000;  // in milliseconds
    line.words("FILE", options.paths, "The suites; - is standard input, as without any",
               "[FILE...]");
    line.number("--movetime", options.milliseconds, 1, day,
                "Milliseconds for each position; 1000 without any limit");
    line.number("--nodes", options.nodes, 1, many, "Nodes for each position");
    line.number("--depth", options.depth, 1, engine::max_ply - 1, "Plies for each position");
    line.number("--threads", options.rules.threads, 1, 1024, "Threads for each position");
    line.number("--hash", options.rules.megabytes, 1, 1'048'576,
                "MB of the transposition table for each position");
    line.number("--concurrency", options.rules.at_once, 1, 1024,
                "Positions searched at the same time");
    line.flag("--json", options.json, "Write JSON, one position on each line, and then the sums");
    add_queue_option(line, options.queue);
    line.footer(
        "A position is solved when the final move is one of bm, none of am, and the score a mate "
        "in at\n"
        "most dm moves, as far as its line has these. Points for moves are read from c0 (\"Nf3=10, "
        "e4=5\")\n"
        "or from c9 and c8. Positions without any of this, and plain FENs, are only searched. A "
        "line that\n"
        "cannot be read is reported and left out; then the exit status is 1.");
}

/// The tasks of all files, and where they come from.
class Suite {
public:
    static constexpr std::size_t max_line_bytes = 65'536;

    /// "-" is standard input. Reports what cannot be read.
    void add_file(const std::string& path) {
        std::ifstream file;
        if (path != "-") {
            file.open(core::utf8_path(path), std::ios::binary);
            if (!file) {
                report(path, "cannot be opened");
                return;
            }
        }
        std::istream& input = path == "-" ? std::cin : file;
        util::LineReader lines{input, max_line_bytes};
        for (int number = 1; auto line = lines.next(); ++number) {
            constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
            const auto place = fmt::format("{}:{}", path, number);
            if (number == 1 && line->text.starts_with(byte_order_mark))
                line->text.erase(0, byte_order_mark.size());
            if (line->is_whole)
                add_line(line->text, place);
            else
                report(place, fmt::format("longer than {} bytes", max_line_bytes));
        }
        if (input.bad())
            report(path, "cannot be read");
    }

    const std::vector<Task>& tasks() const { return tasks_; }
    /// The file and line of a task: "FILE:LINE".
    const std::string& place(std::size_t index) const { return places_[index]; }
    /// How many lines and files have been left out.
    int faults() const { return faults_; }

private:
    void add_line(const std::string& line, std::string place) {
        if (engine::epd::is_comment(line))
            return;
        auto task = engine::epd::read_task(line);
        if (!task) {
            report(place, task.reason());
            return;
        }
        tasks_.push_back(std::move(*task));
        places_.push_back(std::move(place));
    }
    void report(const std::string& place, const std::string& problem) {
        ++faults_;
        fmt::print(stderr, "{}: {}\n", place, problem);
    }

    std::vector<Task> tasks_;
    std::vector<std::string> places_;
    int faults_ = 0;
};

/// What some positions have come to.
struct Sums {
    std::string name;
    int positions = 0;
    int scored = 0;
    int solved = 0;
    int points = 0;
    int most_points = 0;
    engine::Milliseconds found{0};  ///< until the solutions were found for good
    engine::Milliseconds time{0};
    std::uint64_t nodes = 0;

    void add(const Task& task, const Answer& answer, const TaskScore& task_score) {
        ++positions;
        scored += task.is_scored() ? 1 : 0;
        solved += task_score.solved ? 1 : 0;
        points += task_score.points;
        most_points += task.most_points();
        time += answer.end.time;
        nodes += answer.end.nodes;
        if (answer.found)
            found += answer.found->time;
    }
};

/// The name of the suite that an id like "WAC.003" belongs to: what is before its number.
std::string suite_name(std::string_view id) {
    const auto last = id.find_last_not_of("0123456789");
    const auto end =
        id.substr(0, last == std::string_view::npos ? 0 : last + 1).find_last_not_of(" .#:-_");
    return std::string{id.substr(0, end == std::string_view::npos ? 0 : end + 1)};
}

std::string list_of(const core::Position& position, const std::vector<core::Move>& moves) {
    std::string text;
    for (const auto move : moves) {
        if (!text.empty())
            text += ' ';
        text += core::san(position, move);
    }
    return text;
}

std::string score_text(engine::Score score) {
    if (!engine::is_mate(score))
        return fmt::format("{:+.2f}", engine::centipawns(score) / 100.0);
    const int moves = (engine::plies_to_mate(score) + 1) / 2;
    return fmt::format("{}#{}", score > 0 ? "" : "-", moves);
}

/// What would have been right.
std::string wanted_text(const Task& task) {
    std::string text;
    if (!task.best_moves.empty())
        text += ", wanted " + list_of(task.position, task.best_moves);
    if (!task.avoid_moves.empty())
        text += ", to avoid " + list_of(task.position, task.avoid_moves);
    if (task.mate_in)
        text += fmt::format(", wanted mate in {}", *task.mate_in);
    return text;
}

std::string line_of(const Task& task,
                    const std::string& name,
                    const Answer& answer,
                    const TaskScore& task_score) {
    std::string_view mark = "  ";
    if (task.is_scored())
        mark = task_score.solved ? "ok" : "--";
    auto text = fmt::format("{} {:<16} {:<7} {:>7}  depth {}", mark, name,
                            answer.move ? core::san(task.position, *answer.move) : "none",
                            score_text(answer.score), answer.end.depth);
    if (!task.points.empty())
        text += fmt::format(", {} of {} points", task_score.points, task.most_points());
    if (answer.found)
        text += fmt::format(", found after {:.2f} s, {} nodes",
                            static_cast<double>(answer.found->time.count()) / 1000,
                            answer.found->nodes);
    return task_score.solved || !task.is_scored() ? text : text + wanted_text(task);
}

Json json_of(const engine::epd::Moment& moment) {
    Json json = Json::object();
    json["ms"] = moment.time.count();
    json["nodes"] = moment.nodes;
    json["depth"] = moment.depth;
    return json;
}

Json json_of(const Task& task, const Answer& answer, const TaskScore& task_score) {
    Json json = Json::object();
    json["id"] = task.id;
    json["fen"] = core::fen(task.position);
    if (task.is_scored())
        json["solved"] = task_score.solved;
    if (answer.move) {
        json["san"] = core::san(task.position, *answer.move);
        json["uci"] = core::to_uci(*answer.move, core::CastlingStyle::king_moves_two);
    }
    if (engine::is_mate(answer.score))
        json["mate"] =
            (answer.score > 0 ? 1 : -1) * ((engine::plies_to_mate(answer.score) + 1) / 2);
    else
        json["centipawns"] = engine::centipawns(answer.score);
    if (!task.points.empty()) {
        json["points"] = task_score.points;
        json["most_points"] = task.most_points();
    }
    json["end"] = json_of(answer.end);
    json["found"] = answer.found ? json_of(*answer.found) : Json(nullptr);
    json["pv"] = Json::array();
    for (const auto move : answer.pv)
        json["pv"].push_back(core::to_uci(move, core::CastlingStyle::king_moves_two));
    return json;
}

Json json_of(const Sums& sums) {
    Json json = Json::object();
    json["name"] = sums.name;
    json["positions"] = sums.positions;
    json["scored"] = sums.scored;
    json["solved"] = sums.solved;
    json["points"] = sums.points;
    json["most_points"] = sums.most_points;
    json["found_ms"] = sums.found.count();
    json["ms"] = sums.time.count();
    json["nodes"] = sums.nodes;
    return json;
}

void print(const Json& json) {
    fmt::print("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// Prints answers as they come, and keeps the sums.
class Report {
public:
    Report(const Suite& suite, bool json) : suite_{suite}, json_{json} { total_.name = "total"; }

    /// False if it cannot be written.
    bool add(std::size_t index, const Answer& answer) {
        const auto& task = suite_.tasks()[index];
        const auto task_score =
            answer.move ? engine::epd::score_answer(task, *answer.move, answer.score) : TaskScore{};
        total_.add(task, answer, task_score);
        sums_of(suite_name(task.id)).add(task, answer, task_score);
        if (json_) {
            Json json = Json::object();
            json["place"] = suite_.place(index);
            json.update(json_of(task, answer, task_score));
            print(json);
        }
        else {
            const auto name = task.id.empty() ? suite_.place(index) : core::printable(task.id);
            fmt::print("{}\n", line_of(task, name, answer, task_score));
        }
        return output_is_written();
    }

    void print_sums() const {
        if (json_) {
            Json json = json_of(total_);
            json["left_out"] = suite_.faults();
            json["suites"] = Json::array();
            for (const auto& sums : suites_)
                json["suites"].push_back(json_of(sums));
            print(json);
            return;
        }
        fmt::print("\n");
        if (suites_.size() > 1) {
            for (const auto& sums : suites_)
                print_line(sums);
        }
        print_line(total_);
        if (suite_.faults() > 0)
            fmt::print("{} left out, see above\n", suite_.faults());
    }

private:
    Sums& sums_of(const std::string& name) {
        const auto found = std::find_if(suites_.begin(), suites_.end(),
                                        [&](const Sums& sums) { return sums.name == name; });
        if (found != suites_.end())
            return *found;
        suites_.emplace_back().name = name;
        return suites_.back();
    }
    static void print_line(const Sums& sums) {
        fmt::print("{:<24} ", sums.name.empty() ? "(no name)" : core::printable(sums.name));
        if (sums.scored > 0)
            fmt::print("{} of {} solved, {:.1f} %; ", sums.solved, sums.scored,
                       100.0 * sums.solved / sums.scored);
        if (sums.most_points > 0)
            fmt::print("{} of {} points; ", sums.points, sums.most_points);
        if (sums.positions > sums.scored)
            fmt::print("{} only searched; ", sums.positions - sums.scored);
        if (sums.scored > 0)
            fmt::print("found after {:.2f} s together, ",
                       static_cast<double>(sums.found.count()) / 1000);
        fmt::print("{} nodes in {:.2f} s searched\n", sums.nodes,
                   static_cast<double>(sums.time.count()) / 1000);
    }

    const Suite& suite_;
    bool json_;
    Sums total_;
    std::vector<Sums> suites_;
};

void set_limits(Options& options) {
    auto& limits = options.rules.limits;
    if (options.nodes > 0)
        limits.nodes = options.nodes;
    if (options.depth > 0)
        limits.depth = options.depth;
    if (options.milliseconds == 0 && options.nodes == 0 && options.depth == 0)
        options.milliseconds = 1'000;
    if (options.milliseconds > 0)
        limits.movetime = engine::Milliseconds{options.milliseconds};
}

}  // namespace

int epd(std::span<const std::string> arguments) {
    Options options;
    CommandLine line{"epd",
                     "Searches the positions of EPD suites and tells which ones are solved."};
    add_options(line, options);
    if (const auto status = line.parse(arguments))
        return *status;
    if (!options.queue.empty() && options.rules.threads > 1)
        return line.refuse("with --queue each position is searched by one thread");
    if (options.paths.empty())
        options.paths = {"-"};
    set_limits(options);
    util::prepare_standard_streams();
    Suite suite;
    for (const auto& path : options.paths)
        suite.add_file(path);
    const auto& stop = util::interrupt_requested();
    Report report{suite, options.json};
    const auto runner = runner_for(options.queue, options.rules.at_once, "epd");
    const auto error = engine::epd::SuiteRunner{options.rules, runner.get()}.run(
        suite.tasks(), stop,
        [&](std::size_t index, const Answer& answer) { return report.add(index, answer); });
    report.print_sums();
    if (error)
        report_failure("epd", error->reason);
    const bool is_complete = suite.faults() == 0 && !stop && !error;
    return status_with_output("epd", is_complete ? exit_success : exit_failure);
}

}  // namespace uci::commands
