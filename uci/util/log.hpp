#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

// Log lines for the person who runs a server.
namespace uci::util {

enum class LogLevel : std::uint8_t { none, error, info, debug };

/// A named value of a log line. Its text may be what a user sent: it is escaped when it is written,
/// and shortened to 512 bytes.
struct LogField {
    std::string_view name;
    std::variant<std::int64_t, std::string> value;
};
using LogFields = std::initializer_list<LogField>;

/// Writes a line somewhere. May be called from any thread, and must neither throw nor block.
using LogSink = std::function<void(LogLevel, std::string_view text, LogFields)>;

/// Sets what is logged from now on: everything up to this level. For the program's start, before
/// there are other threads.
void set_log_level(LogLevel level);
/// Sets where log lines go; null for standard error, with "parley: " before each, where a line that
/// cannot be written is dropped. To be called while no other thread logs.
void set_log_sink(LogSink sink);

/// Whether lines of this level are logged: for those that would be expensive to make.
bool is_logged(LogLevel level);
void log_error(std::string_view text, LogFields fields = {});
void log_info(std::string_view text, LogFields fields = {});
void log_debug(std::string_view text, LogFields fields = {});

/// A line for people: the text, and each field as name=value. A value that is not a plain word
/// stands in quotes; all but printable ASCII is escaped, so that nobody can write a line of their
/// own.
std::string log_line_as_text(std::string_view text, LogFields fields);
/// The members of a JSON object without its braces: "message" and the fields.
std::string log_line_as_json(std::string_view text, LogFields fields);

}  // namespace uci::util
