#include "uci/commands/annotate.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <new>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/paths.hpp"
#include "core/pgn.hpp"
#include "core/pgn_splitter.hpp"
#include "core/text.hpp"

#include "engine/analysis/explain/texts.hpp"
#include "engine/analysis/review/annotate.hpp"
#include "engine/analysis/review/game_review.hpp"
#include "engine/build_info.hpp"

#include "uci/command_line.hpp"
#include "uci/commands/queue_option.hpp"
#include "uci/commands/review/progress.hpp"
#include "uci/commands/review/review_json.hpp"
#include "uci/commands/review/review_page.hpp"
#include "uci/util/interrupt.hpp"
#include "uci/util/platform.hpp"

namespace uci::commands {

namespace {

using core::Color;

/// Bytes of a game in PGN; a longer one is copied as it is.
constexpr std::size_t max_game_bytes = std::size_t{4} << 20;

struct Options {
    engine::review::ReviewRules rules;
    int milliseconds = 0;
    int depth = 0;
    int lines = 1;
    bool replace = false;
    bool words = false;
    std::string language = "en";
    bool json = false;
    std::string player;
    std::string out;      ///< empty: standard output, or nothing with --html alone
    std::string html;     ///< empty: none
    std::string queue{};  ///< empty: search in this process
    std::vector<std::string> paths;
};

/// The size of all files together; nothing if one of them is a stream.
std::optional<std::uint64_t> size_of(const std::vector<std::string>& paths) {
    std::uint64_t size = 0;
    for (const auto& path : paths) {
        std::error_code failure;
        const auto file = core::utf8_path(path);
        if (path == "-" || !std::filesystem::is_regular_file(file, failure))
            return std::nullopt;
        size += std::filesystem::file_size(file, failure);
    }
    return size;
}

/// The file to write, opened; or standard output.
class Output {
public:
    /// An empty name means standard output.
    explicit Output(const std::string& name) : name_{name.empty() || name == "-" ? "" : name} {
        if (!name_.empty())
            file_.open(core::utf8_path(name_), std::ios::binary);
    }
    std::ostream& stream() { return name_.empty() ? std::cout : file_; }
    /// Error: the file cannot be written.
    std::optional<core::Error> check() {
        if (stream().flush())
            return std::nullopt;
        return core::Error{
            fmt::format("{} cannot be written", name_.empty() ? "standard output" : name_)};
    }

private:
    const std::string name_;
    std::ofstream file_;
};

/// Which player's moves to judge.
struct Side {
    bool plays = true;           ///< whether the game is one of theirs
    std::optional<Color> color;  ///< nothing: both
};

Side side_of(const std::string& player, const core::PgnTags& tags) {
    if (player.empty())
        return {};
    const auto name = core::lowercase(player);
    const auto plays = [&](std::string_view tag) {
        return core::lowercase(core::tag_of(tags, tag)).find(name) != std::string::npos;
    };
    const bool white = plays("White");
    const bool black = plays("Black");
    if (white == black)
        return {white, {}};
    return {true, white ? Color::white : Color::black};
}

/// "game 3 (Smith - Jones)"
std::string name_of_game(int number, const core::PgnTags& tags) {
    const auto white = core::tag_of(tags, "White");
    const auto black = core::tag_of(tags, "Black");
    if (white.empty() && black.empty())
        return fmt::format("game {}", number);
    return fmt::format("game {} ({} - {})", number, core::printable(white), core::printable(black));
}

/// Reads games and writes them with their reviews, one after the other.
class Annotator {
public:
    /// `out` and `page` may be null: then there is no such output. Without a runner, this process
    /// searches.
    Annotator(const Options& options,
              std::ostream* out,
              ReviewPage* page,
              engine::jobs::JobRunner* runner)
        : options_{options},
          out_{out},
          page_{page},
          language_{engine::explain::language_named(options.language).value()},
          reviewer_{options.rules, runner},
          progress_{size_of(options.paths)} {}

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
    bool is_interrupted() const { return stop_; }
    /// Whether every game has been reviewed.
    bool is_complete() const { return faulty_games_ == 0 && !stop_; }

private:
    void add_game(const std::string& text) {
        ++games_;
        auto game =
            text.size() > max_game_bytes
                ? core::Result<core::AnnotatedGame>{core::Error{"its text is longer than 4 MiB"}}
                : core::read_annotated_game(text);
        if (!game)
            leave(text, core::read_pgn_tags(text.substr(0, max_game_bytes)), game.error());
        else if (const auto side = side_of(options_.player, game->tags); side.plays)
            review(*game, side.color, text);
        else
            copy(text);
        progress_.end_game(text.size());
    }

    /// Copies a game that cannot be reviewed, and reports why.
    void leave(const std::string& text, const core::PgnTags& tags, const core::Error& error) {
        ++faulty_games_;
        progress_.erase();
        report_failure("annotate", fmt::format("{} is left as it is: {}",
                                               name_of_game(games_, tags), error.reason));
        copy(text);
    }

    void review(core::AnnotatedGame& game, std::optional<Color> player, const std::string& text) {
        const auto positions = engine::review::positions_of(game);
        progress_.begin_game(text.size(), positions.size());
        const auto review = review_of(positions, player);
        progress_.erase();
        if (review)
            write(game, positions, *review, player);
        else if (!stop_)
            leave(text, game.tags, review.error());
    }

    core::Result<engine::review::GameReview> review_of(const std::vector<core::Game>& positions,
                                                       std::optional<Color> player) {
        const auto reviews =
            reviewer_.review(positions, stop_, [this] { progress_.add_position(); });
        if (!reviews)
            return reviews.error();
        auto review = engine::review::review_of(positions, *reviews, player);
        const int lines = std::max(options_.lines, page_ == nullptr ? 1 : lines_to_learn_from);
        auto error = reviewer_.add_pvs(review, positions, lines, stop_);
        if (!error && options_.words)
            error = reviewer_.add_explanations(review, positions, stop_);
        if (error)
            return *error;
        return review;
    }

    void write(core::AnnotatedGame& game,
               const std::vector<core::Game>& positions,
               const engine::review::GameReview& review,
               std::optional<Color> player) {
        if (page_ != nullptr)
            page_->add(game, positions, review, player);
        if (out_ == nullptr)
            return;
        if (options_.json) {
            // The page needs more lines than were asked for here.
            auto shown = review;
            const auto most = static_cast<std::size_t>(options_.lines > 1 ? options_.lines : 0);
            for (auto& move : shown.moves)
                move.pvs.resize(std::min(move.pvs.size(), most));
            *out_ << review_as_json(game, positions, shown, language_) << std::endl;
            return;
        }
        engine::review::AnnotationRules rules;
        rules.annotator = "Parley " + std::string{engine::version()};
        rules.replace_evals = options_.replace;
        rules.max_variations = static_cast<std::size_t>(options_.lines);
        rules.language = language_;
        engine::review::annotate(game, review, rules);
        copy(core::write_annotated_game(game));
    }

    /// A game of PGN, with a blank line before all but the first.
    void copy(std::string_view text) {
        if (out_ == nullptr || options_.json)
            return;
        if (!std::exchange(is_first_, false))
            *out_ << '\n';
        *out_ << text << std::flush;
    }

    const Options& options_;
    std::ostream* const out_;
    ReviewPage* const page_;
    const engine::explain::Language language_;
    engine::review::PositionReviewer reviewer_;
    const std::atomic<bool>& stop_ = util::interrupt_requested();
    Progress progress_;
    int games_ = 0;
    int faulty_games_ = 0;
    bool is_first_ = true;
};

void add_options(CommandLine& line, Options& options) {
    constexpr std::int64_t many = 1'000'000'000'000;
    constexpr std::int64_t day = 86'400'000;  // in milliseconds
    line.words("PGN", options.paths, "The games; - is standard input, as without any", "[PGN...]");
    line.text("--out", options.out, "FILE",
              "The file to write; without it standard output, or nothing with --html");
    line.text("--html", options.html, "FILE", "Write a page that shows the games, in one file");
    line.flag("--json", options.json, "Write JSON in the place of PGN, one game on each line");
    line.number("--nodes", options.rules.nodes, 100, many,
                "Nodes for each position. The result is the same with any number of threads");
    line.number("--movetime", options.milliseconds, 1, day,
                "Milliseconds for each position, in the place of nodes");
    line.number("--depth", options.depth, 1, 240, "Plies for each position, in the place of nodes");
    line.number("--threads", options.rules.threads, 1, 1024, "Search threads");
    line.number("--hash", options.rules.megabytes, 1, 1'048'576,
                "MB of the transposition table, with --movetime or --depth");
    line.text("--player", options.player, "NAME",
              "Judge only the moves of this player, whose name contains NAME; games of others are "
              "copied");
    line.number("--lines", options.lines, 1, 10, "Most better lines for each mistake");
    line.flag(
        "--words", options.words,
        "Explain mistakes in words: only what can be proved on the board. Takes up to a second "
        "for each");
    line.text("--language", options.language, "en|de", "The language of --words and of the page");
    line.flag("--replace", options.replace, "Replace the evaluations that are there already");
    add_queue_option(line, options.queue);
    line.footer(
        "Each move gets [%eval PAWNS,DEPTH] for White (#N: mate in N moves). One that loses 10, 20 "
        "or\n"
        "30 % of the chance to win more than the best one is marked ?!, ? or ??, and the better "
        "line\n"
        "is added. Accuracies are the mean of those of a player's moves "
        "(lichess.org/page/accuracy).\n"
        "The opening is named. Comments, variations, NAGs and clocks stay. A game with an illegal\n"
        "move is reported and copied as it is; then the exit status is 1. Ctrl-C ends the work; "
        "the\n"
        "games reviewed until then are written.\n"
        "With --movetime or --depth the positions are searched from the last one of a game to the\n"
        "first, so that what comes later is known; results differ from run to run.");
}

/// Where a file is, or will be when it is written.
std::filesystem::path place_of(const std::string& name) {
    std::error_code failure;
    const auto absolute = std::filesystem::absolute(core::utf8_path(name), failure);
    return std::filesystem::weakly_canonical(absolute, failure);
}

bool is_same_file(const std::string& one, const std::string& other) {
    std::error_code failure;
    return std::filesystem::equivalent(core::utf8_path(one), core::utf8_path(other), failure);
}

/// Files must not be the same: reading and writing go on side by side. Error: which ones are.
std::optional<core::Error> check_files(const Options& options) {
    const auto is_input = [&](const std::string& output) {
        return !output.empty() && output != "-"
            && std::any_of(options.paths.begin(), options.paths.end(),
                           [&](const auto& path) { return is_same_file(path, output); });
    };
    if (is_input(options.out))
        return core::Error{"--out is one of the files to read"};
    if (is_input(options.html))
        return core::Error{"--html is one of the files to read"};
    // Without --out, JSON goes to standard output even when there is a page.
    const bool is_out_standard = options.out == "-" || (options.out.empty() && options.json);
    const bool both_standard = options.html == "-" && is_out_standard;
    const bool both_files = !options.html.empty() && options.html != "-" && !options.out.empty()
                         && options.out != "-" && place_of(options.html) == place_of(options.out);
    if (both_standard || both_files)
        return core::Error{"--html and --out are the same file"};
    return std::nullopt;
}

std::optional<core::Error> add_files(Annotator& annotator, const Options& options) {
    for (const auto& path : options.paths) {
        if (auto error = annotator.add_file(path))
            return error;
    }
    if (annotator.is_interrupted())
        return core::Error{fmt::format("interrupted in game {}; the games before it are written",
                                       annotator.games())};
    if (annotator.games() == 0)
        return core::Error{"there is no game"};
    return std::nullopt;
}

int run(const Options& options) {
    const bool wants_text = options.html.empty() || !options.out.empty() || options.json;
    std::optional<Output> text;
    std::optional<Output> html;
    std::optional<ReviewPage> page;
    if (wants_text)
        text.emplace(options.out);
    if (!options.html.empty())
        page.emplace(html.emplace(options.html).stream(),
                     engine::explain::language_named(options.language).value());
    for (auto* output : {&text, &html}) {
        if (const auto error = *output ? (*output)->check() : std::nullopt)
            return report_failure("annotate", error->reason);
    }
    const auto runner =
        runner_for(options.queue, static_cast<std::size_t>(options.rules.threads), "annotate");
    Annotator annotator{options, text ? &text->stream() : nullptr, page ? &*page : nullptr,
                        runner.get()};
    std::optional<core::Error> error;
    try {
        error = add_files(annotator, options);
    }
    catch (const std::bad_alloc&) {  // the page is finished nevertheless
        error = core::Error{"not enough memory"};
    }
    if (page)
        page->finish();
    for (auto* output : {&text, &html}) {
        if (!error && *output)
            error = (*output)->check();
    }
    if (error)
        return report_failure("annotate", error->reason);
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
    if (options.depth > 0)
        options.rules.depth = options.depth;
    if (options.paths.empty())
        options.paths = {"-"};
    if (!engine::explain::language_named(options.language))
        return line.refuse("--language must be en or de");
    if (const auto error = check_files(options))
        return line.refuse(error->reason);
    util::prepare_standard_streams();
    return run(options);
}

}  // namespace uci::commands
