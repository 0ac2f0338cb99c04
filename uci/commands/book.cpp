#include "uci/commands/book.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "core/fen.hpp"
#include "core/notation.hpp"
#include "core/paths.hpp"
#include "core/pgn.hpp"
#include "core/pgn_splitter.hpp"
#include "core/text.hpp"

#include "engine/book/book_builder.hpp"
#include "engine/book/opening_book.hpp"

#include "uci/command_line.hpp"

namespace uci::commands {

namespace {

namespace fs = std::filesystem;
using core::Error;
using core::Result;
using engine::book::BookBuilder;
using engine::book::BookMove;
using engine::book::PolyglotBook;
using engine::book::PolyglotEntry;
using Arguments = std::span<const std::string>;

/// Bytes of a game in PGN; a longer one is left out.
constexpr std::size_t max_game_bytes = 4U << 20U;

int fail(const std::string& reason) {
    return report_failure("book", reason);
}

/// Writes a book beside its name and renames it, so that a reader never sees half of one.
std::optional<Error> write_book(const std::string& path,
                                const std::vector<PolyglotEntry>& entries) {
    const fs::path target = core::utf8_path(path);
    fs::path unfinished{target};
    unfinished += ".new";
    std::ofstream file{unfinished, std::ios::binary | std::ios::trunc};
    for (const PolyglotEntry& entry : entries) {
        for (const std::uint8_t byte : entry.bytes())
            file.put(static_cast<char>(byte));
    }
    file.close();
    std::error_code failure;
    if (!file) {
        fs::remove(unfinished, failure);
        return Error{fmt::format("{} cannot be written", path)};
    }
    fs::rename(unfinished, target, failure);
    if (failure)
        return Error{fmt::format("{} cannot be written: {}", path, failure.message())};
    return std::nullopt;
}

/// Reads the games of PGN files into a book.
class GameFiles {
public:
    explicit GameFiles(engine::book::BuildRules rules) : builder_{std::move(rules)} {}

    /// "-" is standard input. Error: why the file cannot be read.
    std::optional<Error> add(const std::string& path) {
        std::ifstream file;
        if (path != "-") {
            file.open(core::utf8_path(path), std::ios::binary);
            if (!file)
                return Error{fmt::format("{} cannot be opened", path)};
        }
        std::istream& input = path == "-" ? std::cin : file;
        core::PgnSplitter splitter;
        std::string line;
        while (std::getline(input, line)) {
            if (const auto game = splitter.add_line(line))
                add_game(*game, path);
        }
        if (const auto game = splitter.finish())
            add_game(*game, path);
        if (input.bad())
            return Error{fmt::format("{} cannot be read", path)};
        return std::nullopt;
    }

    const BookBuilder& builder() const { return builder_; }
    int games() const { return games_; }
    int faulty_games() const { return faulty_games_; }

private:
    void add_game(std::string_view text, const std::string& path) {
        ++games_;
        const auto pgn = text.size() > max_game_bytes
                           ? Result<core::Pgn>{Error{"its text is longer than 4 MiB"}}
                           : core::read_pgn(text);
        if (pgn) {
            builder_.add(*pgn);
            return;
        }
        ++faulty_games_;
        fail(fmt::format("{}, game {} is left out: {}", path, games_, pgn.reason()));
    }

    BookBuilder builder_;
    int games_ = 0;
    int faulty_games_ = 0;
};

int make(Arguments arguments) {
    engine::book::BuildRules rules;
    std::string only;
    std::vector<std::string> paths;
    CommandLine line{"book make", "Makes a Polyglot book of the games in PGN files."};
    line.words("OUT GAMES...", paths, "The book to write, then the files to read; - is stdin");
    line.number("--max-ply", rules.max_ply, 1, 1024, "Plies of each game");
    line.number("--min-games", rules.min_games, 1, 1'000'000,
                "Games in which a move must have been played");
    line.number("--min-score", rules.min_score, 0, 100,
                "Percent of the points that its player must have got");
    line.number("--min-percent", rules.min_percent, 0, 100,
                "Percent of the weights of a position that a move must have");
    line.text("--only", only, "white|black", "Moves of this side alone");
    line.text("--player", rules.player, "NAME", "Moves of the player of this name alone");
    line.flag("--uniform", rules.uniform, "All moves get the weight 1");
    line.footer(
        "The weight of a move is two for each game that its player won and one for each draw, as\n"
        "polyglot make-book has it. A game with an illegal move is reported and left out.");
    if (const auto status = line.parse(arguments))
        return *status;
    if (paths.size() < 2)
        return line.refuse("the book to write and at least one PGN file are required");
    if (!only.empty() && only != "white" && only != "black")
        return line.refuse("--only must be white or black");
    if (!only.empty())
        rules.only = only == "white" ? core::Color::white : core::Color::black;

    GameFiles files{rules};
    for (std::size_t i = 1; i < paths.size(); ++i) {
        if (const auto error = files.add(paths[i]))
            return fail(error->reason);
    }
    const auto entries = files.builder().entries();
    if (entries.empty())
        return fail(fmt::format("no move of {} games fulfils the conditions; no book is written",
                                files.games()));
    if (const auto error = write_book(paths.front(), entries))
        return fail(error->reason);
    fmt::print("{}: {} moves of {} games\n", paths.front(), entries.size(),
               files.games() - files.faulty_games());
    return files.faulty_games() == 0 ? exit_success : exit_failure;
}

Result<std::vector<PolyglotEntry>> entries_of(const std::string& path) {
    auto book = PolyglotBook::open(path);
    auto entries = book ? (*book).entries() : book.error();
    if (!entries)
        return Error{fmt::format("{}: {}", path, entries.reason())};
    return entries;
}

int merge(Arguments arguments) {
    std::vector<std::string> paths;
    CommandLine line{"book merge", "Merges Polyglot books."};
    line.words("OUT BOOK...", paths, "The book to write, then those to read");
    line.footer("What several books know of a position comes from the first of them.");
    if (const auto status = line.parse(arguments))
        return *status;
    if (paths.size() < 2)
        return line.refuse("the book to write and at least one to read are required");
    std::vector<PolyglotEntry> merged;
    for (std::size_t i = 1; i < paths.size(); ++i) {
        const auto entries = entries_of(paths[i]);
        if (!entries)
            return fail(entries.reason());
        merged = engine::book::merge(merged, *entries);
    }
    if (const auto error = write_book(paths.front(), merged))
        return fail(error->reason);
    fmt::print("{}: {} moves\n", paths.front(), merged.size());
    return exit_success;
}

/// The game that words describe: a FEN, or moves from the start position.
Result<core::Game> game_of(Arguments words) {
    std::string text;
    for (const auto& word : words)
        text += (text.empty() ? "" : " ") + word;
    if (text.find('/') != std::string::npos) {
        const auto position = core::read_fen(text);
        if (!position)
            return position.error();
        return core::Game{*position};
    }
    core::Game game;
    std::vector<std::string> moves;
    for (core::Words split{text}; const auto move = split.next();)
        moves.emplace_back(*move);
    const auto played = game.play(moves);
    if (!played)
        return played.error();
    return game;
}

int show(Arguments arguments) {
    std::vector<std::string> words;
    CommandLine line{"book show", "Shows what a Polyglot book knows of a position."};
    line.words("BOOK [FEN | MOVES]", words,
               "The book, then a FEN or moves from the start position");
    if (const auto status = line.parse(arguments))
        return *status;
    if (words.empty())
        return line.refuse("a book is required");
    auto book = PolyglotBook::open(words.front());
    if (!book)
        return fail(fmt::format("{}: {}", words.front(), book.reason()));
    const auto game = game_of(Arguments{words}.subspan(1));
    if (!game)
        return line.refuse(game.reason());
    const auto moves = (*book).moves(*game);
    const auto total = engine::book::total_weight(moves);
    for (const BookMove& move : moves)
        fmt::print("{:<8}{:>6}{:>5} %\n", core::san(game->position(), move.move), move.weight,
                   engine::book::percent(move, total));
    if (moves.empty())
        fmt::print("the position is not in the book\n");
    return exit_success;
}

int dump(Arguments arguments) {
    std::vector<std::string> words;
    CommandLine line{"book dump", "Prints all entries of a Polyglot book."};
    line.words("BOOK", words, "The book");
    line.footer(
        "A line for each entry: key and code of the move in hexadecimal digits, weight, learn "
        "value.");
    if (const auto status = line.parse(arguments))
        return *status;
    if (words.size() != 1)
        return line.refuse("one book is required");
    const auto entries = entries_of(words.front());
    if (!entries)
        return fail(entries.reason());
    for (const PolyglotEntry& entry : *entries)
        fmt::print("{:016x} {:04x} {} {}\n", entry.key, entry.move, entry.weight, entry.learn);
    return exit_success;
}

struct Action {
    std::string_view name;
    std::string_view summary;
    int (*run)(Arguments);
};

constexpr std::array actions{
    Action{"make", "Make a book of games", make},
    Action{"merge", "Merge books", merge},
    Action{"show", "Show what a book knows of a position", show},
    Action{"dump", "Print all entries", dump},
};

void print_help() {
    fmt::print(
        "Makes, merges and shows Polyglot opening books.\n\n"
        "usage: parley book ACTION [ARGUMENT...]\n\n");
    for (const Action& action : actions)
        fmt::print("  {:<8}{}\n", action.name, action.summary);
    fmt::print("\n'parley book ACTION --help' lists the options of an action.\n");
}

}  // namespace

int book(Arguments arguments) {
    if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h")) {
        print_help();
        return status_with_output("book", exit_success);
    }
    const std::string name = arguments.empty() ? "" : arguments.front();
    if (name == CommandLine::help_as_json) {
        for (const Action& action : actions)
            action.run(arguments);
        return status_with_output("book", exit_success);
    }
    const auto* const found = std::find_if(
        actions.begin(), actions.end(), [&](const Action& action) { return action.name == name; });
    if (found != actions.end())
        return found->run(arguments.subspan(1));
    std::vector<std::string> names;
    names.reserve(actions.size());
    for (const Action& action : actions)
        names.emplace_back(action.name);
    fail(name.empty() ? "make, merge, show or dump is required"
                      : unknown_message("action", name, names));
    return exit_usage;
}

}  // namespace uci::commands
