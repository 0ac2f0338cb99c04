#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/limits.hpp"

// Debug logs read back, to be compared with what the engine says to the same lines.
namespace uci {

/// A line of the conversation, and its number in the log.
struct LoggedLine {
    std::size_t number = 0;
    std::string text;
};

/// A `go` and the answer to it.
struct LoggedSearch {
    LoggedLine go;
    std::vector<LoggedLine> reports;      ///< with scores
    std::optional<LoggedLine> best_move;  ///< nothing if the log ends before it
    std::optional<std::uint64_t> aborted_at;
};

/// What the engine sent, in the order of its lines: searches with their answers, and other lines.
class EngineOutput {
public:
    /// A search begins.
    void add_go(LoggedLine go);
    /// Adds a line that the engine sent. The index of the search if this is its best move.
    std::optional<std::size_t> add_line(LoggedLine line);
    /// The search that is answered next was aborted after so many nodes.
    void set_aborted(std::uint64_t nodes);

    const std::vector<LoggedSearch>& searches() const { return searches_; }
    const std::vector<LoggedLine>& other_lines() const { return other_lines_; }

private:
    std::vector<LoggedSearch> searches_;
    std::size_t answered_ = 0;
    std::vector<LoggedLine> other_lines_;  ///< all other lines
};

/// A conversation in a log: what one process received and sent while the log was open.
struct LoggedConversation {
    std::size_t first_line = 0;
    std::string program;               ///< name and version
    std::vector<std::string> earlier;  ///< commands before the log was opened
    bool has_earlier_searches = false;
    std::vector<LoggedLine> received;
    EngineOutput sent;
    /// The line of the first `readyok` or best move. A message before it may answer what was
    /// received before the log was opened.
    std::optional<std::size_t> settled;
};

struct LoggedConversations {
    std::vector<LoggedConversation> conversations;
    std::vector<std::size_t> other_lines;  ///< the numbers of the lines that are no entries
};

LoggedConversations read_debug_log(std::istream& log);

/// The limits that repeat a search of the log: they do not depend on the time.
engine::Limits limits_to_repeat(const LoggedSearch& search, const engine::Limits& limits);

/// Where two answers to a search differ first. What depends on the time does not count.
struct Difference {
    std::optional<LoggedLine> logged;  ///< nothing: the log has no such line
    std::string repeated;              ///< empty: there is no such line now
};
std::optional<Difference> first_difference(const LoggedSearch& logged,
                                           const LoggedSearch& repeated);

/// The lines of `a` that are missing in `b`, counted with repetitions. Lines that depend on the
/// time do not count.
std::vector<LoggedLine> missing_messages(const std::vector<LoggedLine>& a,
                                         const std::vector<LoggedLine>& b);

}  // namespace uci
