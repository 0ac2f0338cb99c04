#include "core/pgn_splitter.hpp"

#include <algorithm>
#include <utility>

#include "core/pgn_tokens.hpp"
#include "core/text.hpp"

namespace core {

std::optional<std::string> PgnSplitter::add_line(std::string_view line) {
    if (text_.empty())
        line = without_byte_order_mark(line);
    const bool blank = Words{line}.empty();
    const bool tag = line.starts_with('[');
    std::optional<std::string> game;
    if (!in_comment_ && ((has_moves_ && tag) || (has_result_ && !blank)))
        game = finish();
    if (in_comment_ || (!tag && !blank && !line.starts_with('%'))) {
        has_moves_ = true;
        scan(line);
    }
    text_.append(line);
    if (!line.ends_with('\n'))
        text_ += '\n';
    return game;
}

std::optional<std::string> PgnSplitter::finish() {
    PgnSplitter ended = std::exchange(*this, {});
    if (Words{ended.text_}.empty())
        return std::nullopt;
    return std::move(ended.text_);
}

/// Notes comments, variations and the result in a line of moves.
void PgnSplitter::scan(std::string_view line) {
    while (!line.empty()) {
        if (in_comment_) {
            const auto end = line.find('}');
            in_comment_ = end == std::string_view::npos;
            line.remove_prefix(in_comment_ ? line.size() : end + 1);
            continue;
        }
        const auto length = std::min(line.find_first_of("{}(); \t\r\n"), line.size());
        has_result_ |= open_variations_ == 0 && is_pgn_result(line.substr(0, length));
        line.remove_prefix(length);
        if (line.empty() || line.front() == ';')
            return;
        in_comment_ = line.front() == '{';
        open_variations_ += line.front() == '(' ? 1 : 0;
        open_variations_ -= line.front() == ')' && open_variations_ > 0 ? 1 : 0;
        line.remove_prefix(1);
    }
}

}  // namespace core
