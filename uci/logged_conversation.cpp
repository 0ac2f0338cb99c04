#include "uci/logged_conversation.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text.hpp"

#include "uci/debug_log.hpp"
#include "uci/uci_parser.hpp"

namespace uci {

namespace {

/// The number after a word of an info line.
std::optional<std::int64_t> number_after(std::string_view word, std::string_view line) {
    core::Words words{line};
    while (const auto next = words.next()) {
        if (*next == word)
            return core::read_integer(words.next().value_or(""));
    }
    return std::nullopt;
}

bool is_report(std::string_view line) {
    core::Words words{line};
    return words.next() == "info" && words.peek() && words.peek() != "string"
        && words.peek() != "currmove";
}

bool is_best_move(std::string_view line) {
    return core::Words{line}.next() == "bestmove";
}

bool depends_on_time(std::string_view message) {
    constexpr std::array<std::string_view, 6> starts{"info currmove ",
                                                     "info string read: ",
                                                     "info string the search was stopped ",
                                                     "info string Debug Log File ",
                                                     "Total time (ms): ",
                                                     "Nodes/second: "};
    return message.empty() || std::any_of(starts.begin(), starts.end(), [&](auto start) {
               return message.starts_with(start);
           });
}

/// A report in two parts, without its times: pv, and what comes before.
struct Report {
    std::string facts;
    std::string pv;
};

Report parse_report(std::string_view line) {
    Report report;
    core::Words words{line};
    while (const auto word = words.next()) {
        if (*word == "pv") {
            report.pv = words.rest();
            break;
        }
        if (*word == "time" || *word == "nps")
            words.next();
        else
            report.facts.append(*word).append(" ");
    }
    return report;
}

/// How far a pv is extended to mate by the endgame tables depends on the time.
bool may_be_extended(std::string_view line) {
    constexpr std::int64_t least_tablebase_win = 19'000;
    const auto score = number_after("cp", line);
    return score && std::abs(*score) >= least_tablebase_win;
}

bool is_same_report(std::string_view logged, std::string_view repeated) {
    const auto a = parse_report(logged);
    const auto b = parse_report(repeated);
    if (a.facts != b.facts)
        return false;
    return a.pv == b.pv
        || (may_be_extended(logged) && (a.pv.starts_with(b.pv) || b.pv.starts_with(a.pv)));
}

/// The reports without the bounds in between, which only long searches report.
std::vector<LoggedLine> comparable_reports(const LoggedSearch& search) {
    std::vector<LoggedLine> reports;
    for (const auto& report : search.reports) {
        const bool is_bound = report.text.find("bound ") != std::string::npos;
        const bool is_last = search.best_move && &report == &search.reports.back();
        if (!is_bound || is_last)
            reports.push_back(report);
    }
    return reports;
}

/// Reads the notes of a log, which may begin another conversation.
void read_note(std::string_view text, std::size_t number, LoggedConversations& log) {
    auto& conversations = log.conversations;
    if (text.starts_with(note::opened)) {
        conversations.emplace_back();
        conversations.back().first_line = number;
        conversations.back().program = text.substr(note::opened.size());
    }
    if (conversations.empty())
        return;
    auto& conversation = conversations.back();
    if (text.starts_with(note::earlier_command))
        conversation.earlier.emplace_back(text.substr(note::earlier_command.size()));
    if (text == note::earlier_searches)
        conversation.has_earlier_searches = true;
    if (text.starts_with(note::aborted)) {
        if (const auto nodes = core::read_integer(text.substr(note::aborted.size())))
            conversation.sent.set_aborted(static_cast<std::uint64_t>(*nodes));
    }
}

}  // namespace

void EngineOutput::add_go(LoggedLine go) {
    searches_.emplace_back().go = std::move(go);
}

std::optional<std::size_t> EngineOutput::add_line(LoggedLine line) {
    const bool is_answer = is_best_move(line.text);
    if (!is_answer && !is_report(line.text)) {
        other_lines_.push_back(std::move(line));
        return std::nullopt;
    }
    if (answered_ == searches_.size())  // to a search before the log was opened
        return std::nullopt;
    auto& search = searches_[answered_];
    if (!is_answer) {
        search.reports.push_back(std::move(line));
        return std::nullopt;
    }
    search.best_move = std::move(line);
    return answered_++;
}

void EngineOutput::set_aborted(std::uint64_t nodes) {
    if (answered_ < searches_.size())
        searches_[answered_].aborted_at = nodes;
}

LoggedConversations read_debug_log(std::istream& log) {
    LoggedConversations result;
    std::size_t number = 0;
    for (std::string line; std::getline(log, line);) {
        ++number;
        const auto entry = read_log_entry(line);
        if (!entry) {
            result.other_lines.push_back(number);
            continue;
        }
        if (entry->kind == LogEntryKind::note) {
            read_note(entry->text, number, result);
            continue;
        }
        if (result.conversations.empty())
            result.conversations.emplace_back().first_line = number;
        auto& conversation = result.conversations.back();
        LoggedLine logged{number, std::string{entry->text}};
        if (entry->kind == LogEntryKind::sent) {
            const bool is_ready = logged.text == "readyok";
            const bool is_answer = conversation.sent.add_line(std::move(logged)).has_value();
            if (!conversation.settled && (is_ready || is_answer))
                conversation.settled = number;
            continue;
        }
        const auto parsed = parse_command(logged.text, {});
        if (std::holds_alternative<engine::Go>(parsed.command))
            conversation.sent.add_go(logged);
        conversation.received.push_back(std::move(logged));
    }
    return result;
}

engine::Limits limits_to_repeat(const LoggedSearch& search, const engine::Limits& limits) {
    engine::Limits repeated;
    repeated.searchmoves = limits.searchmoves;
    const bool is_from_book = search.best_move && search.reports.empty();
    repeated.analysis = !is_from_book;
    if (search.aborted_at) {
        repeated.nodes = search.aborted_at;
        return repeated;
    }
    std::int64_t depth = 1;
    std::int64_t nodes = 0;
    for (const auto& report : search.reports) {
        depth = std::max(depth, number_after("depth", report.text).value_or(1));
        nodes = std::max(nodes, number_after("nodes", report.text).value_or(0));
    }
    if (search.best_move) {
        repeated.depth = static_cast<int>(std::min<std::int64_t>(depth, 1000));
        return repeated;
    }
    // The log ends during the search, perhaps by a crash: search beyond its last report.
    constexpr std::int64_t more_nodes = 1'000'000;
    repeated.depth = limits.depth;
    repeated.nodes = limits.nodes.value_or(static_cast<std::uint64_t>(2 * nodes + more_nodes));
    return repeated;
}

std::optional<Difference> first_difference(const LoggedSearch& logged,
                                           const LoggedSearch& repeated) {
    const auto before = comparable_reports(logged);
    const auto now = comparable_reports(repeated);
    for (std::size_t i = 0; i < std::max(before.size(), now.size()); ++i) {
        if (i >= before.size() && !logged.best_move)
            return std::nullopt;  // the log ends here
        if (i >= before.size())
            return Difference{std::nullopt, now[i].text};
        if (i >= now.size())
            return Difference{before[i], ""};
        if (!is_same_report(before[i].text, now[i].text))
            return Difference{before[i], now[i].text};
    }
    // A book chooses among its moves at random.
    const bool is_from_book = before.empty() && now.empty();
    if (is_from_book || !logged.best_move
        || (repeated.best_move && logged.best_move->text == repeated.best_move->text))
        return std::nullopt;
    return Difference{logged.best_move, repeated.best_move ? repeated.best_move->text : ""};
}

std::vector<LoggedLine> missing_messages(const std::vector<LoggedLine>& a,
                                         const std::vector<LoggedLine>& b) {
    std::map<std::string, int> counts;
    for (const auto& line : b)
        ++counts[line.text];
    std::vector<LoggedLine> missing;
    for (const auto& line : a) {
        if (!depends_on_time(line.text) && --counts[line.text] < 0)
            missing.push_back(line);
    }
    return missing;
}

}  // namespace uci
