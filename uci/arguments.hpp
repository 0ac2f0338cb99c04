#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace uci {

/// An option of one of the programs: its name, such as --seed, and what to do with its value.
struct ProgramOption {
    std::string name;
    bool has_value = true;
    /// Takes the value, empty for an option without one; or says what is wrong with it.
    std::function<std::optional<core::Error>(const std::string&)> take;
};

/// An option that is there or not.
ProgramOption flag(std::string name, bool& target);
/// An option with a text.
ProgramOption text(std::string name, std::string& target);
/// An option with a whole number in a range.
template <typename Number>
ProgramOption number(std::string name, Number& target, std::int64_t least, std::int64_t most);

/// Gives each option its value (--seed 7 or --seed=7), and gives back the words that are no
/// options. What begins with a dash and is none of the options is refused.
core::Result<std::vector<std::string>> read_arguments(std::span<const std::string> arguments,
                                                      const std::vector<ProgramOption>& options);

/// The whole number of a text, or a sentence that names what it should have been.
core::Result<std::int64_t> read_number(const std::string& name,
                                       const std::string& text,
                                       std::int64_t least,
                                       std::int64_t most);

template <typename Number>
ProgramOption number(std::string name, Number& target, std::int64_t least, std::int64_t most) {
    const auto take = [name, &target, least, most](const std::string& text) {
        const auto value = read_number(name, text, least, most);
        if (!value)
            return std::optional{value.error()};
        target = static_cast<Number>(*value);
        return std::optional<core::Error>{};
    };
    return {std::move(name), true, take};
}

}  // namespace uci
