#include "uci/uci_parser.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/text.hpp"

namespace uci {

namespace {

using core::Words;

ParsedCommand warning(std::string text) {
    return {Empty{}, {std::move(text)}};
}

/// A command that does not need the words behind it.
ParsedCommand followed_by(Words rest, UciCommand command) {
    return {std::move(command), {}, std::string{rest.peek().value_or("")}};
}

constexpr std::array<std::string_view, 17> commands{
    "uci",  "isready",   "ucinewgame", "setoption", "position", "go",
    "stop", "ponderhit", "register",   "debug",     "quit",     "bench",
    "d",    "eval",      "fen",        "why",       "help"};

// ---- go

constexpr std::array<std::string_view, 13> go_words{
    "searchmoves", "ponder", "wtime", "btime",    "winc",     "binc", "movestogo",
    "depth",       "nodes",  "mate",  "movetime", "infinite", "perft"};

bool is_go_word(std::string_view word) {
    return std::find(go_words.begin(), go_words.end(), word) != go_words.end();
}

constexpr std::string_view digits = "0123456789";

bool is_all_digits(std::string_view text) {
    return text.find_first_not_of(digits) == std::string_view::npos;
}

/// Reads an integer. A fraction is dropped, and a number that is too large becomes the largest.
std::optional<std::int64_t> read_amount(std::string_view text) {
    constexpr std::int64_t largest = 1'000'000'000'000'000;
    const auto whole = text.substr(0, text.find('.'));
    const auto fraction = text.substr(std::min(whole.size() + 1, text.size()));
    if (!is_all_digits(fraction))
        return std::nullopt;
    if (const auto number = core::read_integer(whole))
        return std::clamp(*number, -largest, largest);
    const bool negative = whole.starts_with('-');
    const auto number = whole.substr(negative || whole.starts_with('+') ? 1 : 0);
    if (number.empty() || !is_all_digits(number))
        return std::nullopt;
    return negative ? -largest : largest;
}

/// Parses the words after `go`. Parameters may come in any order; an invalid one is left out and
/// does not affect the others.
class GoParser {
public:
    GoParser(Words words, engine::TimePoint arrival) : words_{words} { limits_.arrival = arrival; }

    ParsedCommand parse() {
        while (const auto word = words_.next()) {
            if (*word == "searchmoves")
                parse_moves();
            else if (*word == "ponder")
                limits_.ponder = true;
            else if (*word == "infinite")
                limits_.infinite = true;
            else if (is_go_word(*word))
                parse_number(*word);
            else
                unknown_.push_back(*word);
        }
        if (!unknown_.empty())
            warnings_.push_back("go: " + core::quoted(unknown_.front())
                                + " is not a parameter of go");
        if (perft_)
            return {engine::Perft{*perft_}, std::move(warnings_)};
        if (wants_perft_)
            return {Empty{}, std::move(warnings_)};
        return {engine::Go{std::move(limits_)}, std::move(warnings_)};
    }

private:
    void parse_moves() {
        while (const auto word = words_.peek()) {
            if (is_go_word(*word))
                return;
            limits_.searchmoves.emplace_back(*word);
            words_.next();
        }
    }

    void parse_number(std::string_view name) {
        wants_perft_ = wants_perft_ || name == "perft";
        const auto word = words_.peek();
        if (!word || is_go_word(*word)) {
            warnings_.push_back(fmt::format("go: {} needs a number", name));
            return;
        }
        words_.next();
        const auto amount = read_amount(*word);
        if (amount)
            set_limit(name, *amount);
        else
            warnings_.push_back(
                fmt::format("go: {} must be an integer, not {}", name, core::quoted(*word)));
    }

    void set_limit(std::string_view name, std::int64_t amount) {
        constexpr std::int64_t max_plies = 1'000'000;
        const engine::Milliseconds time{amount};
        const int count = static_cast<int>(std::clamp<std::int64_t>(amount, 1, max_plies));
        auto& [white, black] = limits_.clocks;
        if (name == "wtime")
            white.time = time;
        else if (name == "btime")
            black.time = time;
        else if (name == "winc")
            white.increment = time;
        else if (name == "binc")
            black.increment = time;
        else if (name == "movestogo")
            limits_.movestogo = static_cast<int>(std::clamp<std::int64_t>(amount, 0, max_plies));
        else if (name == "movetime")
            limits_.movetime = time;
        else if (name == "depth")
            limits_.depth = count;
        else if (name == "mate")
            limits_.mate = count;
        else if (name == "nodes")
            limits_.nodes = static_cast<std::uint64_t>(std::max<std::int64_t>(amount, 0));
        else
            perft_ = std::min(count, 30);
    }

    Words words_;
    engine::Limits limits_;
    bool wants_perft_ = false;
    std::optional<int> perft_;
    std::vector<std::string_view> unknown_;
    std::vector<std::string> warnings_;
};

// ---- position, setoption, debug, bench

ParsedCommand parse_position(Words words) {
    engine::SetGame game;
    const auto kind = words.next();
    if (!kind || (*kind != "startpos" && *kind != "fen"))
        return warning("position refused: it begins with startpos or fen"
                       + (kind ? ", not with " + core::quoted(*kind) : std::string{}));
    if (*kind == "fen") {
        game.fen = "";
        while (words.peek() && *words.peek() != "moves")
            game.fen->append(*words.next()).append(" ");
    }
    if (const auto word = words.next(); word && *word != "moves")
        return warning("position refused: expected 'moves', found " + core::quoted(*word));
    while (const auto move = words.next())
        game.moves.emplace_back(*move);
    return {std::move(game), {}};
}

ParsedCommand parse_set_option(Words words) {
    if (words.next() != "name")
        return warning("setoption refused: it reads setoption name NAME value VALUE");
    std::string name;
    while (words.peek() && *words.peek() != "value")
        name.append(name.empty() ? "" : " ").append(*words.next());
    words.next();
    if (name.empty())
        return warning("setoption refused: the name is missing");
    return {engine::SetOption{std::move(name), std::string{words.rest()}}, {}};
}

ParsedCommand parse_debug(Words words) {
    const auto word = words.next();
    if (word != "on" && word != "off")
        return warning("debug is followed by on or off");
    return followed_by(words, Debug{word == "on"});
}

ParsedCommand parse_bench(Words words) {
    const auto word = words.next();
    if (!word)
        return {engine::Bench{}, {}};
    constexpr std::int64_t deepest = 60;
    const auto depth = core::read_integer(*word);
    if (!depth || *depth < 1 || *depth > deepest)
        return warning(
            fmt::format("bench is followed by a depth from 1 to {}, or by nothing", deepest));
    return followed_by(words, engine::Bench{static_cast<int>(*depth)});
}

ParsedCommand parse_why(Words words) {
    engine::Why why;
    if (const auto move = words.next())
        why.move = std::string{*move};
    if (const auto more = words.next())
        return warning("why is followed by one move, or by nothing");
    return {std::move(why), {}};
}

/// Parses a command and its words; nothing if the command is unknown.
std::optional<ParsedCommand> parse_known(std::string_view command,
                                         Words words,
                                         engine::TimePoint arrival) {
    if (command == "go")
        return GoParser{words, arrival}.parse();
    if (command == "position")
        return parse_position(words);
    if (command == "setoption")
        return parse_set_option(words);
    if (command == "debug")
        return parse_debug(words);
    if (command == "bench")
        return parse_bench(words);
    if (command == "why")
        return parse_why(words);
    const auto plain = [&](UciCommand value) { return followed_by(words, std::move(value)); };
    if (command == "d")
        return plain(Display{DisplayKind::diagram});
    if (command == "eval")
        return plain(Display{DisplayKind::evaluation});
    if (command == "fen")
        return plain(Display{DisplayKind::fen});
    if (command == "uci")
        return plain(Identify{});
    if (command == "isready")
        return plain(IsReady{});
    if (command == "ucinewgame")
        return plain(engine::NewGame{});
    if (command == "stop")
        return plain(engine::Stop{});
    if (command == "ponderhit")
        return plain(engine::PonderHit{});
    if (command == "quit")
        return plain(engine::Quit{});
    if (command == "help")
        return plain(Help{});
    if (command == "register")
        return ParsedCommand{};
    return std::nullopt;
}

}  // namespace

ParsedCommand parse_command(std::string_view line, engine::TimePoint arrival) {
    Words words{line};
    std::optional<std::string_view> unknown;
    while (const auto word = words.next()) {
        if (auto parsed = parse_known(*word, words, arrival))
            return *std::move(parsed);
        if (!unknown)
            unknown = word;
    }
    if (!unknown)
        return {};
    return warning("unknown command " + core::quoted(*unknown) + "; help lists the commands");
}

bool is_uci_command(std::string_view word) {
    return std::find(commands.begin(), commands.end(), word) != commands.end();
}

std::span<const std::string_view> uci_command_words() {
    return commands;
}

}  // namespace uci
