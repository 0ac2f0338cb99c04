#include "uci/uci_text.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/fen.hpp"
#include "core/movegen.hpp"
#include "core/text.hpp"

#include "engine/general_interface.hpp"
#include "engine/options.hpp"

namespace uci::uci_text {

namespace {

using core::Words;

Reading complaint(std::string text) {
    return {Nothing{}, {std::move(text)}};
}

std::string quoted(std::string_view text) {
    return "'" + core::printable(text) + "'";
}

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

/// A whole number; a fraction is dropped, and what is too large counts as the largest.
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

/// Reads the words after `go`. Parameters may come in any order; what is wrong with one does
/// not touch the others.
class GoReader {
public:
    GoReader(Words words, engine::TimePoint arrival) : words_{words} { limits_.arrival = arrival; }

    Reading read() {
        while (const auto word = words_.next()) {
            if (*word == "searchmoves")
                read_moves();
            else if (*word == "ponder")
                limits_.ponder = true;
            else if (*word == "infinite")
                limits_.infinite = true;
            else if (is_go_word(*word))
                read_number(*word);
            else
                unknown_.push_back(*word);
        }
        if (!unknown_.empty())
            complaints_.push_back("go: " + quoted(unknown_.front())
                                  + " is not a parameter of go and was left out");
        if (perft_)
            return {engine::Perft{*perft_}, std::move(complaints_)};
        if (wants_perft_)
            return {Nothing{}, std::move(complaints_)};
        return {engine::Go{std::move(limits_)}, std::move(complaints_)};
    }

private:
    void read_moves() {
        while (const auto word = words_.peek()) {
            if (is_go_word(*word))
                return;
            limits_.search_moves.emplace_back(*word);
            words_.next();
        }
    }

    void read_number(std::string_view name) {
        wants_perft_ = wants_perft_ || name == "perft";
        const auto word = words_.peek();
        if (!word || is_go_word(*word)) {
            complaints_.push_back(fmt::format("go: {} needs a number and was left out", name));
            return;
        }
        words_.next();
        const auto amount = read_amount(*word);
        if (amount)
            take(name, *amount);
        else
            complaints_.push_back(fmt::format(
                "go: {} needs a whole number, {} is none; it was left out", name, quoted(*word)));
    }

    void take(std::string_view name, std::int64_t amount) {
        constexpr std::int64_t most_plies = 1'000'000;
        const engine::Milliseconds time{amount};
        const int count = static_cast<int>(std::clamp<std::int64_t>(amount, 1, most_plies));
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
            limits_.moves_to_go = static_cast<int>(std::clamp<std::int64_t>(amount, 0, most_plies));
        else if (name == "movetime")
            limits_.move_time = time;
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
    std::vector<std::string> complaints_;
};

// ---- position, setoption, debug, bench

Reading read_position(Words words) {
    engine::SetGame game;
    const auto kind = words.next();
    if (!kind || (*kind != "startpos" && *kind != "fen"))
        return complaint("position refused: it begins with startpos or fen"
                         + (kind ? ", not with " + quoted(*kind) : std::string{}));
    if (*kind == "fen") {
        game.fen = "";
        while (words.peek() && *words.peek() != "moves")
            game.fen->append(*words.next()).append(" ");
    }
    if (const auto word = words.next(); word && *word != "moves")
        return complaint("position refused: after startpos comes moves, not " + quoted(*word));
    while (const auto move = words.next())
        game.moves.emplace_back(*move);
    return {std::move(game), {}};
}

Reading read_set_option(Words words) {
    if (words.next() != "name")
        return complaint("setoption refused: it reads setoption name NAME value VALUE");
    std::string name;
    while (words.peek() && *words.peek() != "value")
        name.append(name.empty() ? "" : " ").append(*words.next());
    words.next();
    if (name.empty())
        return complaint("setoption refused: the name is missing");
    return {engine::SetOption{std::move(name), std::string{words.rest()}}, {}};
}

Reading read_debug(Words words) {
    const auto word = words.next();
    if (word != "on" && word != "off")
        return complaint("debug is followed by on or off");
    return {Debug{word == "on"}, {}};
}

Reading read_bench(Words words) {
    const auto word = words.next();
    if (!word)
        return {engine::Bench{}, {}};
    constexpr std::int64_t deepest = 60;
    const auto depth = core::read_integer(*word);
    if (!depth || *depth < 1 || *depth > deepest)
        return complaint(
            fmt::format("bench is followed by a depth from 1 to {}, or by nothing", deepest));
    return {engine::Bench{static_cast<int>(*depth)}, {}};
}

/// The reading of a command and its words; nothing when the command is unknown.
std::optional<Reading> read_known(std::string_view command,
                                  Words words,
                                  engine::TimePoint arrival) {
    if (command == "go")
        return GoReader{words, arrival}.read();
    if (command == "position")
        return read_position(words);
    if (command == "setoption")
        return read_set_option(words);
    if (command == "debug")
        return read_debug(words);
    if (command == "bench")
        return read_bench(words);
    if (command == "d" || command == "eval" || command == "fen")
        return Reading{Show{std::string{command}}, {}};
    constexpr auto plain = [](Command value) { return Reading{std::move(value), {}}; };
    if (command == "uci")
        return plain(Hello{});
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
        return plain(Nothing{});
    return std::nullopt;
}

// ---- responses

std::string score_text(engine::Score score) {
    if (!engine::is_decisive(score))
        return fmt::format("cp {}", score);
    const int moves = (engine::plies_to_mate(score) + 1) / 2;
    return fmt::format("mate {}", score > 0 ? moves : -moves);
}

std::string line_text(const std::vector<core::Move>& line, core::CastlingStyle style) {
    std::string text;
    for (const core::Move move : line)
        text.append(" ").append(core::coordinates(move, style));
    return text;
}

std::string_view bound_text(engine::Bound bound) {
    if (bound == engine::Bound::lower)
        return " lowerbound";
    return bound == engine::Bound::upper ? " upperbound" : "";
}

std::string chances_text(const std::optional<engine::Chances>& chances) {
    return chances ? fmt::format(" wdl {} {} {}", chances->win, chances->draw, chances->loss) : "";
}

std::uint64_t per_second(std::uint64_t nodes, engine::Milliseconds time) {
    return nodes * 1000 / static_cast<std::uint64_t>(std::max<std::int64_t>(1, time.count()));
}

/// Says each response in UCI's words.
struct Writer {
    std::string operator()(const engine::Info& info) const {
        if (info.line.empty())
            return fmt::format("info depth {} score {}{}", info.depth, score_text(info.score),
                               chances_text(info.chances));
        return fmt::format(
            "info depth {} seldepth {} multipv {} score {}{}{} nodes {} nps {} hashfull {} "
            "tbhits 0 time {} pv{}",
            info.depth, info.selective_depth, info.line_number, score_text(info.score),
            bound_text(info.bound), chances_text(info.chances), info.nodes,
            per_second(info.nodes, info.time), info.table_permill, info.time.count(),
            line_text(info.line, info.castling));
    }

    std::string operator()(const engine::CurrentMove& current) const {
        return fmt::format("info currmove {} currmovenumber {}",
                           core::coordinates(current.move, current.castling), current.number);
    }

    std::string operator()(const engine::BestMove& best) const {
        if (!best.move)
            return "bestmove (none)";
        std::string text = "bestmove " + core::coordinates(*best.move, best.castling);
        if (best.ponder)
            text += " ponder " + core::coordinates(*best.ponder, best.castling);
        return text;
    }

    std::string operator()(const engine::Snapshot& snapshot) const {
        const auto& position = snapshot.game.position();
        if (snapshot.subject == "fen")
            return core::fen(position);
        if (snapshot.subject == "eval")
            return evaluation(snapshot);
        return diagram(snapshot);
    }

    std::string operator()(const engine::Refused& refused) const {
        return info_string(refused.reason);
    }
    std::string operator()(const engine::Notice& notice) const { return info_string(notice.text); }
    std::string operator()(const engine::Echo& echo) const { return echo.text; }

    std::string operator()(const engine::PerftReport& report) const {
        std::string text;
        for (const auto& [move, leaves] : report.leaves)
            text += fmt::format("{}: {}\n", core::coordinates(move, report.castling), leaves);
        return text + fmt::format("\nNodes searched: {}", report.total);
    }

    std::string operator()(const engine::BenchReport& report) const {
        return fmt::format("Total time (ms): {}\nNodes searched: {}\nNodes/second: {}",
                           report.time.count(), report.nodes,
                           per_second(report.nodes, report.time));
    }

private:
    static std::string evaluation(const engine::Snapshot& snapshot) {
        const auto& position = snapshot.game.position();
        if (position.in_check())
            return "Evaluation: none, the side to move is in check";
        const bool white = position.side_to_move() == core::Color::white;
        const int sign = white ? 1 : -1;
        const auto& [win, draw, loss] = snapshot.chances;
        return fmt::format(
            "{}\nEvaluation: {:+.2f} (pawns, from White's view)\n"
            "White wins {:.1f} %, drawn {:.1f} %, Black wins {:.1f} %",
            contributions(snapshot, sign), sign * snapshot.evaluation / 100.0,
            (white ? win : loss) / 10.0, draw / 10.0, (white ? loss : win) / 10.0);
    }

    /// The board, and below each piece what it contributes, in pawns from White's view.
    static std::string contributions(const engine::Snapshot& snapshot, int sign) {
        const auto& position = snapshot.game.position();
        std::string text;
        for (int rank = 7; rank >= 0; --rank) {
            std::string pieces = fmt::format(" {} ", rank + 1);
            std::string numbers = "   ";
            for (int file = 0; file < 8; ++file) {
                const auto square = core::Square::at(file, rank);
                const auto piece = position.piece_on(square);
                const auto score = snapshot.contributions[static_cast<std::size_t>(square.index())];
                pieces += fmt::format("{:^7}", piece ? piece->letter() : '.');
                numbers += score
                             ? fmt::format("{:^7}", fmt::format("{:+.2f}", sign * *score / 100.0))
                             : fmt::format("{:7}", "");
            }
            text += pieces + '\n' + numbers + '\n';
        }
        return text + "      a      b      c      d      e      f      g      h\n";
    }

    static std::string diagram(const engine::Snapshot& snapshot) {
        const auto& position = snapshot.game.position();
        std::string text;
        for (int rank = 7; rank >= 0; --rank) {
            text += fmt::format(" {} ", rank + 1);
            for (int file = 0; file < 8; ++file) {
                const auto piece = position.piece_on(core::Square::at(file, rank));
                text += fmt::format(" {}", piece ? piece->letter() : '.');
            }
            text += '\n';
        }
        text += "    a b c d e f g h\n\n";
        std::string checkers;
        for (const core::Square square : position.checkers())
            checkers += " " + square.name();
        return text
             + fmt::format("Fen: {}\nKey: {:016X}\nCheckers:{}\nLegal moves: {}",
                           core::fen(position), position.key(), checkers,
                           core::count_legal_moves(position));
    }
};

std::string option_line(const engine::OptionDescription& option) {
    using Kind = engine::OptionDescription::Kind;
    switch (option.kind) {
        case Kind::whole_number:
            return fmt::format("option name {} type spin default {} min {} max {}\n", option.name,
                               option.standard, option.lowest, option.highest);
        case Kind::yes_or_no:
            return fmt::format("option name {} type check default {}\n", option.name,
                               option.standard != 0);
        case Kind::text:
            return fmt::format("option name {} type string default <empty>\n", option.name);
        default: return fmt::format("option name {} type button\n", option.name);
    }
}

}  // namespace

Reading read_command(std::string_view line, engine::TimePoint arrival) {
    Words words{line};
    std::optional<std::string_view> unknown;
    while (const auto word = words.next()) {
        if (auto reading = read_known(*word, words, arrival))
            return *std::move(reading);
        if (!unknown)
            unknown = word;
    }
    if (!unknown)
        return {};
    return complaint("unknown command " + quoted(*unknown) + "; help lists the commands");
}

std::string hello() {
    using engine::GeneralInterface;
    std::string text = fmt::format("id name {} {}\nid author {}\n", GeneralInterface::name(),
                                   GeneralInterface::version(), GeneralInterface::author());
    for (const auto& option : engine::option_descriptions())
        text += option_line(option);
    return text + "uciok";
}

std::string help() {
    return R"(Parley speaks UCI, the Universal Chess Interface. Usual commands:
  uci                                  who am I, and which options are there
  isready                              answered by readyok
  setoption name NAME value VALUE      set an option
  ucinewgame                           forget the last game
  position startpos [moves e2e4 ...]   set up a position
  position fen FEN [moves e2e4 ...]
  go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder]
     [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [searchmoves e2e4 ...]
  stop, ponderhit, quit, debug on|off
Beyond UCI:
  d        show the position           eval      its static evaluation
  fen      its FEN                     go perft N   count the leaves of the move tree
  bench [DEPTH]   search fixed positions: the signature of this version
  help     this text)";
}

std::string write(const engine::Response& response) {
    return std::visit(Writer{}, response);
}

std::string info_string(std::string_view text) {
    return "info string " + std::string{text};
}

}  // namespace uci::uci_text
