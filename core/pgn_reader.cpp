#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/fen.hpp"
#include "core/notation.hpp"
#include "core/pgn.hpp"
#include "core/pgn_tokens.hpp"
#include "core/text.hpp"
#include "core/utf8.hpp"

namespace core {

namespace {

enum class Keep : std::uint8_t { moves, everything };

constexpr std::array<std::string_view, 4> null_moves{"--", "Z0", "null", "pass"};

/// The glyphs that are written as punctuation, alone or behind a move.
std::optional<PgnNag> nag_of_mark(std::string_view mark) {
    constexpr std::array<std::string_view, 6> marks{"!", "?", "!!", "??", "!?", "?!"};
    const auto* const found = std::find(marks.begin(), marks.end(), mark);
    if (found == marks.end())
        return std::nullopt;
    return PgnNag{static_cast<int>(found - marks.begin()) + 1};
}

/// A comment without blanks at its ends, and with one blank for each line break.
std::string comment_text(std::string_view text) {
    std::string result;
    text = Words{text}.rest();
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of("\r\n"), text.size());
        auto line = text.substr(0, end);
        while (!line.empty() && end < text.size() && is_blank(line.back()))
            line.remove_suffix(1);
        result += line;
        if (end < text.size())
            result += ' ';
        text = Words{text.substr(end)}.rest();
    }
    return result;
}

/// Parses one game. Each function removes what it has read from the front of the text.
class Reader {
public:
    Reader(std::string_view text, Keep keep) : rest_{text}, keep_{keep} {}

    Result<AnnotatedGame> read() {
        if (auto error = read_tags())
            return *error;
        lines_.push_back(OpenVariation{{}, game_.start, game_.start});
        while (!finished_ && !rest_.empty()) {
            if (auto error = read_element())
                return *error;
            skip_blanks();
        }
        if (lines_.size() > 1)
            return Error{"a variation is not closed"};
        game_.elements = std::move(lines_.back().elements);
        if (const auto result = tag_of(game_.tags, "Result"); !finished_ && is_pgn_result(result))
            game_.result = result;
        return std::move(game_);
    }

    /// The tags alone, up to the first that is no tag.
    PgnTags tags() {
        static_cast<void>(read_tags());
        return std::move(game_.tags);
    }

    /// After read().
    const std::optional<IllegalPgnMove>& illegal_move() const { return illegal_move_; }

private:
    using MaybeError = std::optional<Error>;

    /// The main line, or a variation that is not closed yet.
    struct OpenVariation {
        std::vector<PgnElement> elements;
        Position before;  ///< the last move: where a variation begins
        Position position;
    };

    /// Skips blanks and records whether the text now begins a line.
    void skip_blanks() {
        while (!rest_.empty() && is_blank(rest_.front())) {
            begins_line_ = rest_.front() == '\n' || rest_.front() == '\r';
            rest_.remove_prefix(1);
        }
    }

    MaybeError read_tags() {
        skip_blanks();
        while (!rest_.empty() && (rest_.front() == '[' || at_escape())) {
            if (rest_.front() == '%') {
                game_.escapes.emplace_back(read_rest_of_line());
            }
            else if (auto error = read_tag()) {
                return error;
            }
            skip_blanks();
        }
        const auto setup = tag_of(game_.tags, "FEN");
        if (setup.empty())
            return std::nullopt;
        const auto position = read_fen(setup);
        if (!position)
            return Error{"FEN tag: " + position.reason()};
        game_.start = *position;
        return std::nullopt;
    }

    MaybeError read_tag() {
        begins_line_ = false;
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
            value += rest_.front() == '\n' || rest_.front() == '\r' ? ' ' : rest_.front();
            rest_.remove_prefix(1);
        }
        const auto close = rest_.find(']');
        if (close == std::string_view::npos)
            return Error{"the tag " + printable(name) + " is not closed"};
        rest_.remove_prefix(close + 1);
        game_.tags.emplace_back(name, std::move(value));
        return std::nullopt;
    }

    bool at_escape() const { return begins_line_ && rest_.front() == '%'; }

    /// Reads to the end of the line: the text behind its first letter, without blanks at the end.
    std::string_view read_rest_of_line() {
        const auto end = std::min(rest_.size(), rest_.find('\n'));
        auto text = rest_.substr(1, end - 1);
        rest_.remove_prefix(end);
        while (!text.empty() && is_blank(text.back()))
            text.remove_suffix(1);
        return text;
    }

    void add(PgnElement element) {
        if (keep_ == Keep::everything)
            lines_.back().elements.push_back(std::move(element));
    }

    MaybeError read_element() {
        if (at_escape()) {
            std::string text{read_rest_of_line()};
            if (lines_.size() == 1 && lines_.back().elements.empty())
                game_.escapes.push_back(std::move(text));
            else
                add({PgnEscape{std::move(text)}});
            return std::nullopt;
        }
        begins_line_ = false;
        switch (rest_.front()) {
            case '{': return read_comment();
            case '(': return keep_ == Keep::moves ? skip_variation() : open_variation();
            case ')': return close_variation();
            case ';': add({PgnComment{comment_text(read_rest_of_line())}}); return std::nullopt;
            case '$': return read_nag();
            default: return read_token();
        }
    }

    MaybeError read_comment() {
        const auto end = rest_.find('}');
        if (end == std::string_view::npos)
            return Error{"a comment is not closed"};
        add({PgnComment{comment_text(rest_.substr(1, end - 1))}});
        rest_.remove_prefix(end + 1);
        return std::nullopt;
    }

    /// Skips a variation with its nested variations and comments.
    MaybeError skip_variation() {
        int open = 0;
        do {
            if (rest_.empty())
                return Error{"a variation is not closed"};
            const char letter = rest_.front();
            if (letter == '{') {
                if (auto error = read_comment())
                    return error;
                continue;
            }
            if (letter == ';')
                read_rest_of_line();
            else
                rest_.remove_prefix(1);
            open += letter == '(' ? 1 : 0;
            open -= letter == ')' ? 1 : 0;
        } while (open > 0);
        return std::nullopt;
    }

    MaybeError open_variation() {
        if (lines_.size() > max_pgn_variation_depth)
            return Error{"variations are nested too deeply"};
        const auto& line = lines_.back();
        lines_.push_back(OpenVariation{{}, line.before, line.before});
        rest_.remove_prefix(1);
        return std::nullopt;
    }

    /// Ignores a closing parenthesis that has no opening one.
    MaybeError close_variation() {
        rest_.remove_prefix(1);
        if (lines_.size() == 1)
            return std::nullopt;
        PgnVariation variation{std::move(lines_.back().elements)};
        lines_.pop_back();
        add({std::move(variation)});
        return std::nullopt;
    }

    MaybeError read_nag() {
        rest_.remove_prefix(1);
        const auto digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
        constexpr int max_nag = 255;
        const auto number = read_integer(rest_.substr(0, digits));
        rest_.remove_prefix(digits);
        if (number && *number <= max_nag)
            add({PgnNag{static_cast<int>(*number)}});
        return std::nullopt;
    }

    MaybeError read_token() {
        const auto end = std::find_if(rest_.begin(), rest_.end(), [](char letter) {
            return is_blank(letter)
                || std::string_view{"{}();$"}.find(letter) != std::string_view::npos;
        });
        auto length = static_cast<std::size_t>(end - rest_.begin());
        length = std::max<std::size_t>(length, 1);
        std::string_view token = rest_.substr(0, length);
        rest_.remove_prefix(length);
        if (is_pgn_result(token)) {
            // A result within a variation is not that of the game.
            if (lines_.size() == 1) {
                game_.result = token;
                finished_ = true;
            }
            return std::nullopt;
        }
        // "12." and "12..." may stand alone or be joined to the move; "0-0" is castling, not a
        // number.
        const auto digits = std::min(token.find_first_not_of("0123456789"), token.size());
        if (digits == token.size())
            return std::nullopt;
        if (digits == 0 || token[digits] == '.')
            token.remove_prefix(std::min(token.find_first_not_of('.', digits), token.size()));
        if (token.empty() || token == "e.p.")
            return std::nullopt;
        if (const auto nag = nag_of_mark(token)) {
            add({*nag});
            return std::nullopt;
        }
        return read_move_token(token);
    }

    MaybeError read_move_token(std::string_view token) {
        const auto marks = std::min(token.find_last_not_of("!?") + 1, token.size());
        auto& line = lines_.back();
        if (std::count(null_moves.begin(), null_moves.end(), token.substr(0, marks)) > 0) {
            if (line.position.in_check())
                return refused("a null move in check");
            if (keep_ == Keep::moves)
                return refused("a null move");
            line.before = line.position;
            line.position.play_null_move();
            line.elements.push_back({PgnNullMove{}});
        }
        else {
            const auto move = read_move(line.position, token);
            if (!move) {
                illegal_move_ = IllegalPgnMove{line.position, std::string{token}};
                return refused(move.reason());
            }
            line.before = line.position;
            line.position.play(*move);
            line.elements.push_back({*move});
        }
        if (const auto nag = nag_of_mark(token.substr(marks)))
            add({*nag});
        return std::nullopt;
    }

    Error refused(const std::string& reason) const {
        const auto& position = lines_.back().position;
        return {"move " + std::to_string(position.fullmove_number())
                + (position.side_to_move() == Color::white ? "" : "...")
                + (lines_.size() > 1 ? " in a variation: " : ": ") + reason};
    }

    std::string_view rest_;
    Keep keep_;
    bool begins_line_ = true;  ///< whether the front of the text is the first letter of a line
    AnnotatedGame game_;
    std::vector<OpenVariation> lines_;  ///< the main line, and variations each in the one before it
    bool finished_ = false;
    std::optional<IllegalPgnMove> illegal_move_;
};

}  // namespace

std::string tag_of(const PgnTags& tags, std::string_view name) {
    for (const auto& [key, value] : tags) {
        if (key == name)
            return value;
    }
    return "";
}

PgnTags read_pgn_tags(std::string_view text) {
    const auto utf8 = is_utf8(text) ? std::string{text} : utf8_from_windows_1252(text);
    return Reader{without_byte_order_mark(utf8), Keep::moves}.tags();
}

Result<Pgn> read_pgn(std::string_view text) {
    const auto game = Reader{without_byte_order_mark(text), Keep::moves}.read();
    if (!game)
        return game.error();
    Pgn pgn{game->tags, Game{game->start}, game->result};
    for (const auto& element : game->elements)
        pgn.game.play(*std::get_if<Move>(&element.content));
    return pgn;
}

std::optional<IllegalPgnMove> illegal_move_in(std::string_view text) {
    Reader reader{without_byte_order_mark(text), Keep::moves};
    static_cast<void>(reader.read());
    return reader.illegal_move();
}

Result<AnnotatedGame> read_annotated_game(std::string_view text) {
    if (is_utf8(text))
        return Reader{without_byte_order_mark(text), Keep::everything}.read();
    return Reader{utf8_from_windows_1252(text), Keep::everything}.read();
}

}  // namespace core
