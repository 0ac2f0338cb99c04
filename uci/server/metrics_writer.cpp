#include "uci/server/metrics_writer.hpp"

#include <fmt/format.h>

namespace uci::server {

namespace {

std::string escaped(std::string_view text, bool is_label) {
    std::string result;
    for (const char letter : text) {
        if (letter == '\n')
            result += "\\n";
        else if (letter == '\\' || (is_label && letter == '"'))
            result += {'\\', letter};
        else
            result += letter;
    }
    return result;
}

}  // namespace

void MetricsWriter::begin(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, escaped(help, false), name, type);
}

void MetricsWriter::sample(double value, Labels labels, std::string_view suffix) {
    text_ += name_;
    text_ += suffix;
    char separator = '{';
    for (const auto& [label, text] : labels) {
        text_ += fmt::format("{}{}=\"{}\"", separator, label, escaped(text, true));
        separator = ',';
    }
    text_ += fmt::format("{} {}\n", labels.size() > 0 ? "}" : "", value);
}

}  // namespace uci::server
