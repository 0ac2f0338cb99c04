#include "uci/commands/genfens.hpp"

#include <cstdio>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "core/epd.hpp"
#include "core/fen.hpp"
#include "core/paths.hpp"
#include "core/text.hpp"

#include "engine/analysis/epd/task.hpp"
#include "engine/datagen/balanced_openings.hpp"

#include "uci/command_line.hpp"
#include "uci/util/line_reader.hpp"

namespace uci::commands {

namespace {

constexpr std::string_view usage = "N seed S book None|FILE [chess960 PERCENT]";

struct Request {
    std::int64_t count = 0;
    engine::datagen::OpeningRules rules;
    std::string book;  ///< a file of FENs or EPD lines; empty without
};

/// The words of all arguments, but for the command's own name and the `quit` behind it.
std::string text_of(std::span<const std::string> arguments) {
    std::string text;
    for (const auto& argument : arguments)
        text += argument + ' ';
    core::Words words{text};
    if (words.peek() == "genfens")
        words.next();
    std::string rest{words.rest()};
    constexpr std::string_view quit = " quit";
    if (rest.ends_with(quit))
        rest.resize(rest.size() - quit.size());
    return rest;
}

core::Result<Request> read_request(std::string_view text) {
    constexpr std::int64_t most = 1'000'000'000;
    core::Words words{text};
    const auto number = [&] { return core::read_integer(words.next().value_or("")); };
    Request request;
    const auto count = number();
    if (!count || *count < 1 || *count > most)
        return core::Error{"N is a number from 1 on"};
    request.count = *count;
    const auto seed = words.next() == "seed" ? number() : std::nullopt;
    if (!seed || *seed < 0)
        return core::Error{"'seed' and a number from 0 on are expected"};
    request.rules.seed = static_cast<std::uint64_t>(*seed);
    if (words.next() != "book" || words.empty())
        return core::Error{"'book' and None or a file are expected"};
    if (const auto book = *words.next(); core::lowercase(book) != "none")
        request.book = book;
    // Other words are ignored: OpenBench passes all arguments of its test.
    while (const auto word = words.next()) {
        if (word != "chess960")
            continue;
        const auto percent = number();
        if (!percent || *percent < 0 || *percent > 100)
            return core::Error{"'chess960' is followed by a percentage"};
        request.rules.chess960_percent = static_cast<int>(*percent);
    }
    return request;
}

core::Result<std::vector<core::Position>> read_book(const std::string& path) {
    std::ifstream file{core::utf8_path(path), std::ios::binary};
    if (!file)
        return core::Error{path + " cannot be opened"};
    std::vector<core::Position> positions;
    int left_out = 0;
    constexpr std::size_t max_line_bytes = 65'536;
    util::LineReader lines{file, max_line_bytes};
    for (int number = 1; const auto line = lines.next(); ++number) {
        if (line->is_whole && engine::epd::is_comment(line->text))
            continue;
        const auto epd = line->is_whole
                           ? core::read_epd(line->text)
                           : core::Error{fmt::format("longer than {} bytes", max_line_bytes)};
        if (epd)
            positions.push_back(epd->position);
        else if (++left_out == 1)
            fmt::print(stderr, "{}:{}: {}\n", path, number, epd.reason());
    }
    if (file.bad())
        return core::Error{path + " cannot be read"};
    if (positions.empty())
        return core::Error{path + " has no position"};
    if (left_out > 0)
        fmt::print(stderr, "{}: {} of its lines left out, the first is named above\n", path,
                   left_out);
    return positions;
}

/// False if there are not so many openings.
bool print_openings(const Request& request) {
    auto left = request.count;
    engine::datagen::draw_openings(request.rules, [&](const core::Position& position) {
        fmt::print("info string genfens {}\n", core::fen(position));
        return output_is_written() && --left > 0;
    });
    return left == 0;
}

}  // namespace

int genfens(std::span<const std::string> arguments) {
    std::vector<std::string> words;
    CommandLine line{"genfens",
                     "Prints random balanced openings, each behind \"info string genfens\"."};
    line.words("WORD", words, std::string{usage}, std::string{usage});
    line.footer(
        "OpenBench runs: parley \"genfens 64 seed 1 book None\" \"quit\". The same seed gives the "
        "same\n"
        "openings. With a FILE of FENs or EPD lines four random moves follow one of its "
        "positions.");
    if (const auto status = line.parse(arguments))
        return *status;
    auto request = read_request(text_of(words));
    if (!request)
        return line.refuse(fmt::format("{}: genfens {}", request.reason(), usage));
    if (!request->book.empty()) {
        auto book = read_book(request->book);
        if (!book)
            return report_failure("genfens", book.reason());
        (*request).rules.book = std::move(*book);
    }
    if (print_openings(*request))
        return exit_success;
    if (output_is_written())
        report_failure("genfens", "there are not so many different openings");
    return status_with_output("genfens", exit_failure);
}

}  // namespace uci::commands
