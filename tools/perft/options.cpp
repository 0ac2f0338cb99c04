#include "tools/perft/options.hpp"

#include <vector>

#include "core/fen.hpp"
#include "core/text.hpp"

namespace tools::perft {

namespace {

using core::Error;
using core::Result;

constexpr int max_plies = 50;
constexpr int max_threads = 256;
constexpr int max_megabytes = 1'000'000;

Result<int> read_number(std::string_view name, std::string_view text, int min, int max) {
    const auto number = core::read_integer(text);
    if (!number || *number < min || *number > max)
        return Error{std::string{name} + ": '" + core::printable(text) + "' is not a number from "
                     + std::to_string(min) + " to " + std::to_string(max)};
    return static_cast<int>(*number);
}

/// Reads the arguments in order. Options may come before or after the other arguments.
class Reader {
public:
    explicit Reader(std::span<const std::string_view> arguments) : rest_{arguments} {}

    Result<Options> read() {
        while (!rest_.empty() && !options_.help) {
            if (const auto error = read_argument(next()))
                return *error;
        }
        if (options_.help)
            return options_;
        if (const auto error = read_positional())
            return *error;
        return options_;
    }

private:
    std::string_view next() {
        const auto first = rest_.front();
        rest_ = rest_.subspan(1);
        return first;
    }

    std::optional<Error> read_argument(std::string_view argument) {
        if (argument == "--help" || argument == "-h")
            options_.help = true;
        else if (argument == "--divide")
            options_.divide = true;
        else if (argument == "--chess960")
            options_.chess960 = true;
        else if (argument == "--threads")
            return read_into(options_.threads, argument, 1, max_threads);
        else if (argument == "--hash")
            return read_into(options_.hash_megabytes, argument, 0, max_megabytes);
        else if (argument == "--suite")
            return read_suite_name();
        else if (argument.substr(0, 2) == "--")
            return Error{"unknown option '" + core::printable(argument) + "'"};
        else
            positional_.push_back(argument);
        return std::nullopt;
    }

    std::optional<Error> read_into(int& option, std::string_view name, int min, int max) {
        if (rest_.empty())
            return Error{std::string{name} + " needs a number"};
        const auto number = read_number(name, next(), min, max);
        if (!number)
            return number.error();
        option = *number;
        return std::nullopt;
    }

    std::optional<Error> read_suite_name() {
        if (rest_.empty() || rest_.front().empty())
            return Error{"--suite needs a file name"};
        options_.suite = next();
        return std::nullopt;
    }

    /// Reads the positional arguments: a depth, and a FEN in one argument or several.
    std::optional<Error> read_positional() {
        const bool suite = !options_.suite.empty();
        if (positional_.empty())
            return suite ? std::nullopt : std::optional{Error{"no depth given"}};
        const auto depth = read_number("depth", positional_.front(), suite ? 1 : 0, max_plies);
        if (!depth)
            return depth.error();
        options_.depth = *depth;
        if (positional_.size() == 1)
            return std::nullopt;
        if (suite)
            return Error{"--suite and a FEN cannot be combined"};
        return read_position();
    }

    std::optional<Error> read_position() {
        std::string fen;
        for (std::size_t i = 1; i < positional_.size(); ++i)
            fen += std::string{positional_[i]} + ' ';
        const auto position = core::read_fen(fen);
        if (!position)
            return Error{"FEN: " + position.reason()};
        options_.position = *position;
        return std::nullopt;
    }

    std::span<const std::string_view> rest_;
    std::vector<std::string_view> positional_;
    Options options_;
};

}  // namespace

Result<Options> read_options(std::span<const std::string_view> arguments) {
    return Reader{arguments}.read();
}

}  // namespace tools::perft
