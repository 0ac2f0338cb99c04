#include "core/pgn.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/fen.hpp"
#include "core/notation.hpp"
#include "core/text.hpp"

namespace core {

namespace {

constexpr std::array<std::string_view, 4> results{"1-0", "0-1", "1/2-1/2", "*"};

bool is_result(std::string_view token) {
    return std::find(results.begin(), results.end(), token) != results.end();
}

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view mark{"\xEF\xBB\xBF"};
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

/// Parses one game. Each function removes what it has read from the front of the text.
class Reader {
public:
    explicit Reader(std::string_view text) : rest_{text} {}

    Result<Pgn> read() {
        skip_blanks();
        while (!rest_.empty() && rest_.front() == '[') {
            if (auto error = read_tag())
                return *error;
            skip_blanks();
        }
        const auto setup = pgn_.tag("FEN");
        if (!setup.empty()) {
            const auto position = read_fen(setup);
            if (!position)
                return Error{"FEN tag: " + position.reason()};
            pgn_.game = Game{*position};
        }
        while (!finished_ && !rest_.empty()) {
            if (auto error = read_element())
                return *error;
            skip_blanks();
        }
        return std::move(pgn_);
    }

private:
    void skip_blanks() {
        while (!rest_.empty() && is_blank(rest_.front()))
            rest_.remove_prefix(1);
    }

    std::optional<Error> read_tag() {
        rest_.remove_prefix(1);
        skip_blanks();
        const auto quote = rest_.find('"');
        const auto line_end = rest_.find('\n');
        if (quote == std::string_view::npos || quote > line_end)
            return Error{"a tag has no value in quotes"};
        const std::string_view name = Words{rest_.substr(0, quote)}.rest();
        rest_.remove_prefix(quote + 1);
        std::string value;
        while (!rest_.empty() && rest_.front() != '"') {
            if (rest_.front() == '\\' && rest_.size() > 1)
                rest_.remove_prefix(1);
            value += rest_.front();
            rest_.remove_prefix(1);
        }
        const auto close = rest_.find(']');
        if (close == std::string_view::npos)
            return Error{"the tag " + printable(name) + " is not closed"};
        rest_.remove_prefix(close + 1);
        pgn_.tags.emplace_back(name, std::move(value));
        return std::nullopt;
    }

    std::optional<Error> skip_until(char end, const char* what) {
        const auto found = rest_.find(end);
        if (found == std::string_view::npos)
            return Error{std::string{what} + " is not closed"};
        rest_.remove_prefix(found + 1);
        return std::nullopt;
    }

    /// Skips a variation with its nested variations and comments.
    std::optional<Error> skip_variation() {
        int open = 0;
        do {
            if (rest_.empty())
                return Error{"a variation is not closed"};
            const char letter = rest_.front();
            rest_.remove_prefix(1);
            if (letter == ';')
                skip_line();
            if (letter == '{') {
                if (auto error = skip_until('}', "a comment"))
                    return error;
            }
            open += letter == '(' ? 1 : 0;
            open -= letter == ')' ? 1 : 0;
        } while (open > 0);
        return std::nullopt;
    }

    void skip_line() { rest_.remove_prefix(std::min(rest_.size(), rest_.find('\n'))); }

    std::optional<Error> read_element() {
        switch (rest_.front()) {
            case '{': return skip_until('}', "a comment");
            case '(': return skip_variation();
            case ';':
            case '%': skip_line(); return std::nullopt;
            case '$':
            case ')': rest_.remove_prefix(1); return std::nullopt;
            default: return read_token();
        }
    }

    std::optional<Error> read_token() {
        const auto end = std::find_if(rest_.begin(), rest_.end(), [](char letter) {
            return is_blank(letter)
                || std::string_view{"{}();$"}.find(letter) != std::string_view::npos;
        });
        auto length = static_cast<std::size_t>(end - rest_.begin());
        length = std::max<std::size_t>(length, 1);
        std::string_view token = rest_.substr(0, length);
        rest_.remove_prefix(length);
        if (is_result(token)) {
            pgn_.result = token;
            finished_ = true;
            return std::nullopt;
        }
        // "12." and "12..." may stand alone or be joined to the move; "0-0" is castling, not a number.
        const auto digits = std::min(token.find_first_not_of("0123456789"), token.size());
        if (digits == token.size())
            return std::nullopt;
        if (digits == 0 || token[digits] == '.')
            token.remove_prefix(std::min(token.find_first_not_of('.', digits), token.size()));
        if (token.empty() || token == "e.p.")
            return std::nullopt;
        const auto move = read_move(pgn_.game.position(), token);
        if (!move)
            return Error{"ply " + std::to_string(pgn_.game.moves().size() + 1) + ": "
                         + move.reason()};
        pgn_.game.play(*move);
        return std::nullopt;
    }

    std::string_view rest_;
    Pgn pgn_;
    bool finished_ = false;
};

std::string escaped(std::string_view value) {
    std::string text;
    for (const char letter : value) {
        if (letter == '"' || letter == '\\')
            text += '\\';
        text += letter == '\n' || letter == '\r' ? ' ' : letter;
    }
    return text;
}

std::string tag_line(std::string_view name, std::string_view value) {
    return "[" + std::string{name} + " \"" + escaped(value) + "\"]\n";
}

std::string tag_section(const Pgn& pgn) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> required{
        {{"Event", "?"},
         {"Site", "?"},
         {"Date", "????.??.??"},
         {"Round", "?"},
         {"White", "?"},
         {"Black", "?"}}};
    std::string text;
    for (const auto& [name, fallback] : required) {
        const auto value = pgn.tag(name);
        text += tag_line(name, value.empty() ? fallback : value);
    }
    text += tag_line("Result", pgn.result);
    if (!(pgn.game.start() == Position::start())) {
        text += tag_line("SetUp", "1");
        text += tag_line("FEN", fen(pgn.game.start()));
    }
    for (const auto& tag : pgn.tags) {
        const bool written = tag.first == "Result" || tag.first == "SetUp" || tag.first == "FEN"
                          || std::any_of(required.begin(), required.end(), [&](const auto& other) {
                                 return other.first == tag.first;
                             });
        if (!written)
            text += tag_line(tag.first, tag.second);
    }
    return text;
}

std::vector<std::string> movetext(const Pgn& pgn) {
    std::vector<std::string> tokens;
    Position position = pgn.game.start();
    for (const Move move : pgn.game.moves()) {
        const bool white = position.side_to_move() == Color::white;
        if (white || tokens.empty())
            tokens.push_back(std::to_string(position.fullmove_number()) + (white ? "." : "..."));
        tokens.push_back(san(position, move));
        position = position.after(move);
    }
    tokens.push_back(pgn.result);
    return tokens;
}

}  // namespace

std::string Pgn::tag(std::string_view name) const {
    for (const auto& [key, value] : tags) {
        if (key == name)
            return value;
    }
    return "";
}

Result<Pgn> read_pgn(std::string_view text) {
    return Reader{without_byte_order_mark(text)}.read();
}

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
        has_result_ |= open_variations_ == 0 && is_result(line.substr(0, length));
        line.remove_prefix(length);
        if (line.empty() || line.front() == ';')
            return;
        in_comment_ = line.front() == '{';
        open_variations_ += line.front() == '(' ? 1 : 0;
        open_variations_ -= line.front() == ')' && open_variations_ > 0 ? 1 : 0;
        line.remove_prefix(1);
    }
}

std::string write_pgn(const Pgn& pgn) {
    constexpr std::size_t max_width = 80;
    std::string text = tag_section(pgn) + "\n";
    std::size_t column = 0;
    for (const auto& token : movetext(pgn)) {
        if (column > 0 && column + 1 + token.size() > max_width) {
            text += '\n';
            column = 0;
        }
        if (column > 0) {
            text += ' ';
            ++column;
        }
        text += token;
        column += token.size();
    }
    return text + "\n";
}

std::string result_of(const Game& game) {
    switch (game.outcome()) {
        case Outcome::open: return "*";
        case Outcome::checkmate:
            return game.position().side_to_move() == Color::white ? "0-1" : "1-0";
        default: return "1/2-1/2";
    }
}

}  // namespace core
