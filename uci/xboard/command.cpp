#include "uci/xboard/command.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"

#include "uci/xboard/option.hpp"

namespace uci::xboard {

namespace {

using core::Error;
using core::Result;
using core::Words;

constexpr std::string_view digits = "0123456789";
constexpr std::int64_t max_number = 1'000'000'000;

/// An integer from `least` to max_number; larger ones become that.
std::optional<std::int64_t> read_count(std::string_view text, std::int64_t least) {
    const auto number = core::read_integer(text);
    if (!number || *number < least)
        return std::nullopt;
    return std::min(*number, max_number);
}

/// A decimal number like "0.5", in thousandths.
std::optional<std::int64_t> read_thousandths(std::string_view text) {
    const auto point = text.find('.');
    const auto whole = text.substr(0, point);
    auto fraction = std::string{point == std::string_view::npos ? "" : text.substr(point + 1)};
    if ((whole.empty() && fraction.empty())
        || whole.find_first_not_of(digits) != std::string_view::npos
        || fraction.find_first_not_of(digits) != std::string::npos)
        return std::nullopt;
    fraction.resize(3, '0');
    const auto number = whole.empty() ? 0 : core::read_integer(whole).value_or(max_number);
    return std::min(number, max_number) * 1000 + *core::read_integer(fraction);
}

/// The base time of `level`: minutes, or minutes and seconds as "1:30".
std::optional<engine::Milliseconds> read_base_time(std::string_view text) {
    const auto colon = text.find(':');
    const auto minutes = read_thousandths(text.substr(0, colon));
    const auto seconds =
        colon == std::string_view::npos ? 0 : read_thousandths(text.substr(colon + 1));
    if (!minutes || !seconds)
        return std::nullopt;
    return engine::Milliseconds{*minutes * 60 + *seconds};
}

/// What is wrong when a number was expected.
Error number_expected() {
    return Error{"number expected"};
}

template <auto value>
Result<Command> plain(Words& /*words*/) {
    return Command{value()};
}

Result<Command> ignore(Words& words) {
    while (words.next()) {
    }
    return Command{Ignored{}};
}

Result<Command> parse_accepted(Words& words) {
    const bool is_debug = words.next() == "debug";
    static_cast<void>(ignore(words));
    return is_debug ? Command{AcceptedDebug{}} : Command{Ignored{}};
}

Result<Command> parse_variant(Words& words) {
    const auto name = words.next().value_or("");
    if (name != "normal" && name != "fischerandom")
        return Error{"unknown variant"};
    return Command{SetVariant{name == "fischerandom"}};
}

Result<Command> parse_level(Words& words) {
    const auto moves = read_count(words.next().value_or(""), 0);
    const auto base = read_base_time(words.next().value_or(""));
    const auto increment = read_thousandths(words.next().value_or(""));
    if (!moves || !base || !increment)
        return Error{"level needs moves, minutes and seconds"};
    return Command{Level{static_cast<int>(*moves), *base, engine::Milliseconds{*increment}}};
}

Result<Command> parse_movetime(Words& words) {
    const auto time = read_thousandths(words.next().value_or(""));
    if (!time)
        return number_expected();
    return Command{MoveTime{engine::Milliseconds{*time}}};
}

Result<Command> parse_depth(Words& words) {
    const auto depth = read_count(words.next().value_or(""), 1);
    if (!depth)
        return number_expected();
    return Command{DepthLimit{static_cast<int>(*depth)}};
}

template <bool own>
Result<Command> parse_clock(Words& words) {
    const auto centiseconds = core::read_integer(words.next().value_or(""));
    if (!centiseconds)
        return number_expected();
    const auto limited = std::clamp(*centiseconds, -max_number, max_number);
    return Command{ClockTime{own, engine::Milliseconds{10 * limited}}};
}

Result<Command> parse_move(Words& words) {
    const auto move = words.next();
    if (!move)
        return Error{"move expected"};
    return Command{UserMove{std::string{*move}}};
}

Result<Command> parse_ping(Words& words) {
    const auto number = core::read_integer(words.next().value_or(""));
    if (!number)
        return number_expected();
    return Command{Ping{*number}};
}

Result<Command> parse_result(Words& words) {
    static_cast<void>(ignore(words));
    return Command{GameResult{}};
}

/// The rest of the words, read.
std::string take_rest(Words& words) {
    std::string rest{words.rest()};
    static_cast<void>(ignore(words));
    return rest;
}

Result<Command> parse_set_board(Words& words) {
    return Command{SetBoard{take_rest(words)}};
}

template <bool exclude>
Result<Command> parse_restriction(Words& words) {
    const auto move = words.next();
    if (!move)
        return Error{"move expected"};
    RestrictMoves command{exclude, std::nullopt};
    if (*move != "all")
        command.move = *move;
    return Command{command};
}

Result<Command> parse_memory(Words& words) {
    return Command{SetEngineOption{"Hash", take_rest(words)}};
}

Result<Command> parse_cores(Words& words) {
    return Command{SetEngineOption{"Threads", take_rest(words)}};
}

Result<Command> parse_tables_path(Words& words) {
    if (words.next() != "syzygy")
        return Error{"unknown kind of tables"};
    return Command{SetEngineOption{"SyzygyPath", take_rest(words)}};
}

Result<Command> parse_option(Words& words) {
    const auto text = take_rest(words);
    const auto equals = std::min(text.find('='), text.size());
    const auto option = find_option(text.substr(0, equals));
    if (!option)
        return Error{"unknown option"};
    const auto value = text.substr(std::min(equals + 1, text.size()));
    return Command{SetEngineOption{std::string{option->name}, engine_value(*option, value)}};
}

struct Entry {
    std::string_view word;
    Result<Command> (*parse)(Words& words);
};

template <typename Kind>
constexpr auto make = [] { return Kind{}; };

constexpr std::array entries{
    Entry{"xboard", plain<make<Ignored>>},
    Entry{"protover",
          [](Words& words) -> Result<Command> {
              static_cast<void>(ignore(words));
              return Command{Protover{}};
          }},
    Entry{"accepted", parse_accepted},
    Entry{"rejected", ignore},
    Entry{"random", plain<make<Ignored>>},
    Entry{"computer", plain<make<Ignored>>},
    Entry{"name", ignore},
    Entry{"rating", ignore},
    Entry{"ics", ignore},
    Entry{"partner", ignore},
    Entry{"ptell", ignore},
    Entry{"holding", ignore},
    Entry{"new", plain<make<NewGame>>},
    Entry{"variant", parse_variant},
    Entry{"force", plain<make<Force>>},
    Entry{"go", plain<[] { return TakeSide{true}; }>},
    Entry{"playother", plain<[] { return TakeSide{false}; }>},
    Entry{"white", plain<[] { return ToMove{core::Color::white}; }>},
    Entry{"black", plain<[] { return ToMove{core::Color::black}; }>},
    Entry{"level", parse_level},
    Entry{"st", parse_movetime},
    Entry{"sd", parse_depth},
    Entry{"time", parse_clock<true>},
    Entry{"otim", parse_clock<false>},
    Entry{"usermove", parse_move},
    Entry{"?", plain<make<MoveNow>>},
    Entry{".", plain<make<AskStatus>>},
    Entry{"ping", parse_ping},
    Entry{"draw", plain<make<OfferDraw>>},
    Entry{"result", parse_result},
    Entry{"setboard", parse_set_board},
    Entry{"undo", plain<[] { return TakeBack{1}; }>},
    Entry{"remove", plain<[] { return TakeBack{2}; }>},
    Entry{"hard", plain<[] { return SetPondering{true}; }>},
    Entry{"easy", plain<[] { return SetPondering{false}; }>},
    Entry{"post", plain<[] { return SetPosting{true}; }>},
    Entry{"nopost", plain<[] { return SetPosting{false}; }>},
    Entry{"analyze", plain<make<Analyze>>},
    Entry{"exit", plain<make<ExitAnalysis>>},
    Entry{"exclude", parse_restriction<true>},
    Entry{"include", parse_restriction<false>},
    Entry{"hint", plain<make<AskHint>>},
    Entry{"bk", plain<make<AskBook>>},
    Entry{"memory", parse_memory},
    Entry{"cores", parse_cores},
    Entry{"egtpath", parse_tables_path},
    Entry{"option", parse_option},
};

/// Whether a word is written like a move, legal or not: coordinates, SAN, castling or a null move.
bool looks_like_move(std::string_view word) {
    if (word.starts_with("O-O") || word.starts_with("0-0") || word == "@@@@")
        return true;
    const bool has_square = [&] {
        for (std::size_t i = 0; i + 1 < word.size(); ++i) {
            if (word[i] >= 'a' && word[i] <= 'h' && word[i + 1] >= '1' && word[i + 1] <= '8')
                return true;
        }
        return false;
    }();
    constexpr std::size_t longest = 9;  // Nb1xd2+!?
    return has_square && word.size() <= longest
        && word.find_first_not_of("abcdefgh12345678xKQRBNqrbn=+#!?") == std::string_view::npos;
}

}  // namespace

Result<Command> parse_command(std::string_view line) {
    Words words{line};
    const auto word = words.next();
    if (!word)
        return Command{Ignored{}};
    const auto* const entry = std::find_if(entries.begin(), entries.end(),
                                           [&](const Entry& known) { return known.word == *word; });
    if (entry == entries.end() && !looks_like_move(*word))
        return Error{"unknown command"};
    auto command = entry == entries.end() ? Result<Command>{Command{UserMove{std::string{*word}}}}
                                          : entry->parse(words);
    if (command && !words.empty())
        return Error{"too many parameters"};
    return command;
}

}  // namespace uci::xboard
