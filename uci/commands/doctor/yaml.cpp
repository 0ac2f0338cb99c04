#include "uci/commands/doctor/yaml.hpp"

#include <algorithm>
#include <array>
#include <yaml-cpp/yaml.h>

#include <fmt/format.h>

#include "core/text.hpp"

namespace uci::commands {

namespace {

using core::Error;
using core::Result;
using Json = nlohmann::ordered_json;

constexpr int most_levels = 64;
constexpr int most_values = 10'000;

template <std::size_t size>
bool is_one_of(const std::string& text, const std::array<std::string_view, size>& words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

/// A word without quotes.
Json plain_value(const std::string& text) {
    using namespace std::string_view_literals;
    constexpr std::array nothing{""sv, "~"sv, "null"sv};
    constexpr std::array yes{"true"sv, "yes"sv, "on"sv};
    constexpr std::array no{"false"sv, "no"sv, "off"sv};
    const auto word = core::lowercase(text);
    if (is_one_of(word, nothing))
        return nullptr;
    if (is_one_of(word, yes))
        return true;
    if (is_one_of(word, no))
        return false;
    if (const auto number = core::read_integer(text))
        return *number;
    return text;
}

/// Counts what it converts, so that a small text with many aliases cannot fill the memory.
class Converter {
public:
    Result<Json> convert(const YAML::Node& node, int level) {
        if (level > most_levels || ++count_ > most_values)
            return Error{"it has too many levels or values"};
        switch (node.Type()) {
            case YAML::NodeType::Scalar:
                return node.Tag() == "?" ? plain_value(node.Scalar()) : Json(node.Scalar());
            case YAML::NodeType::Sequence: return sequence(node, level);
            case YAML::NodeType::Map: return map(node, level);
            default: return Json(nullptr);
        }
    }

private:
    Result<Json> sequence(const YAML::Node& node, int level) {
        auto values = Json::array();
        for (const auto& entry : node) {
            auto value = convert(entry, level + 1);
            if (!value)
                return value;
            values.push_back(std::move(*value));
        }
        return values;
    }
    Result<Json> map(const YAML::Node& node, int level) {
        auto values = Json::object();
        for (const auto& entry : node) {
            if (!entry.first.IsScalar())
                return Error{
                    fmt::format("line {}: a key that is not a word", node.Mark().line + 1)};
            auto value = convert(entry.second, level + 1);
            if (!value)
                return value;
            values[entry.first.Scalar()] = std::move(*value);
        }
        return values;
    }

    int count_ = 0;
};

}  // namespace

Result<Json> read_yaml(const std::string& text) {
    try {
        return Converter{}.convert(YAML::Load(text), 0);
    }
    catch (const YAML::Exception& error) {
        return Error{error.mark.is_null()
                         ? error.msg
                         : fmt::format("line {}: {}", error.mark.line + 1, error.msg)};
    }
}

}  // namespace uci::commands
