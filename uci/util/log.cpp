#include "uci/util/log.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace uci::util {

namespace {

/// Relaxed: written once, before other threads start.
std::atomic<LogLevel> current_level{LogLevel::info};

LogSink& current_sink() {
    static LogSink sink;
    return sink;
}

void log(LogLevel level, std::string_view text, LogFields fields) {
    if (!is_logged(level))
        return;
    if (current_sink())
        return current_sink()(level, text, fields);
    const auto line = "parley: " + log_line_as_text(text, fields) + '\n';
    static_cast<void>(std::fputs(line.c_str(), stderr));
}

bool is_printable(char letter) {
    return letter >= ' ' && letter <= '~';
}

/// A text without control characters, and without bytes that a terminal may take for some.
std::string escaped(std::string_view text, std::string_view special) {
    std::string result;
    for (const char letter : text) {
        if (!is_printable(letter))
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(letter));
        else if (special.find(letter) != std::string_view::npos)
            result += {'\\', letter};
        else
            result += letter;
    }
    return result;
}

/// Log lines wait in memory until they are written, so what users sent must not make them long.
constexpr std::size_t max_value_size = 512;

std::string shortened(const std::string& value) {
    return value.size() > max_value_size ? value.substr(0, max_value_size) + "..." : value;
}

std::string as_text(const std::string& whole_value) {
    const auto value = shortened(whole_value);
    const bool is_word = !value.empty() && std::all_of(value.begin(), value.end(), [](char letter) {
        return is_printable(letter) && letter != ' ' && letter != '"' && letter != '\\'
            && letter != '=';
    });
    return is_word ? value : '"' + escaped(value, "\"\\") + '"';
}

std::string as_text(std::int64_t value) {
    return std::to_string(value);
}

}  // namespace

void set_log_level(LogLevel level) {
    current_level.store(level, std::memory_order_relaxed);
}

void set_log_sink(LogSink sink) {
    current_sink() = std::move(sink);
}

bool is_logged(LogLevel level) {
    return level <= current_level.load(std::memory_order_relaxed);
}

void log_error(std::string_view text, LogFields fields) {
    log(LogLevel::error, text, fields);
}

void log_info(std::string_view text, LogFields fields) {
    log(LogLevel::info, text, fields);
}

void log_debug(std::string_view text, LogFields fields) {
    log(LogLevel::debug, text, fields);
}

std::string log_line_as_text(std::string_view text, LogFields fields) {
    std::string line = escaped(text, "");
    for (const auto& field : fields) {
        const auto value =
            std::visit([](const auto& known) { return as_text(known); }, field.value);
        line += fmt::format(" {}={}", field.name, value);
    }
    return line;
}

std::string log_line_as_json(std::string_view text, LogFields fields) {
    nlohmann::ordered_json line{{"message", text}};
    for (const auto& field : fields) {
        auto& value = line[std::string{field.name}];
        if (const auto* number = std::get_if<std::int64_t>(&field.value))
            value = *number;
        else
            value = shortened(std::get<std::string>(field.value));
    }
    // Users may have sent bytes that are not UTF-8.
    const auto object = line.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
    return object.substr(1, object.size() - 2);
}

}  // namespace uci::util
