#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/fen.hpp"
#include "core/notation.hpp"
#include "core/pgn.hpp"
#include "core/text.hpp"

namespace core {

namespace {

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

/// The text of a game in lines of at most 80 characters, where its words allow it.
class MoveText {
public:
    explicit MoveText(const Position& start) : lines_{{start, start}} {}

    void add(const PgnElement& element) {
        std::visit([this](const auto& content) { write(content); }, element.content);
    }
    void write(Move move) {
        write_move(san(position(), move), [&](Position& position) { position.play(move); });
    }
    void write_word(std::string_view word) {
        const auto text = std::exchange(prefix_, "") + std::string{word};
        if (column_ > 0 && column_ + 1 + text.size() > max_width)
            end_line();
        if (column_ > 0)
            write_glued(" ");
        write_glued(text);
    }
    /// The whole text; ends with a line end.
    std::string finish() {
        end_line();
        return std::move(text_);
    }

private:
    static constexpr std::size_t max_width = 80;

    struct OpenVariation {
        Position before;  ///< the last move
        Position position;
    };

    Position& position() { return lines_.back().position; }

    template <typename Play>
    void write_move(const std::string& text, Play play) {
        const bool white = position().side_to_move() == Color::white;
        if (white || wants_number_)
            write_word(std::to_string(position().fullmove_number()) + (white ? "." : "..."));
        write_word(text);
        lines_.back().before = position();
        play(position());
        wants_number_ = false;
    }
    void write(PgnNullMove /*unused*/) {
        write_move("--", [](Position& position) { position.play_null_move(); });
    }
    void write(PgnNag nag) { write_word("$" + std::to_string(nag.number)); }
    void write(const PgnComment& comment) {
        wants_number_ = true;
        // Only a comment up to the end of its line can contain a brace.
        if (comment.text.find('}') != std::string::npos) {
            write_word(";" + comment.text);
            end_line();
            return;
        }
        std::string_view rest{comment.text};
        std::string word{"{"};
        for (;;) {
            const auto end = break_in(rest);
            word += rest.substr(0, end);
            if (end == rest.size())
                break;
            write_word(word);
            word.clear();
            rest.remove_prefix(end + 1);
        }
        write_word(word + "}");
    }
    /// The first blank where a comment may go on in the next line: a single one, outside of a
    /// command like [%clk 0:01:00], before a word that is neither an escape nor like a tag at the
    /// beginning of a line.
    static std::size_t break_in(std::string_view text) {
        for (std::size_t i = 0; i + 1 < text.size(); ++i) {
            if (text.substr(i, 2) == "[%")
                i = std::min(text.find(']', i), text.size() - 1);
            if (i > 0 && i + 1 < text.size() && text[i] == ' ' && !is_blank(text[i - 1])
                && !is_blank(text[i + 1]) && text[i + 1] != '%' && text[i + 1] != '[')
                return i;
        }
        return text.size();
    }
    void write(const PgnEscape& escape) {
        if (!prefix_.empty())
            write_word("");
        end_line();
        write_glued("%" + escape.text);
        end_line();
    }
    void write(const PgnVariation& variation) {
        prefix_ += "(";
        const Position before = lines_.back().before;
        lines_.push_back({before, before});
        wants_number_ = true;
        for (const auto& element : variation.elements)
            add(element);
        lines_.pop_back();
        wants_number_ = true;
        if (!prefix_.empty() || column_ == 0 || column_ == max_width)
            write_word(")");
        else
            write_glued(")");
    }
    void write_glued(std::string_view text) {
        text_ += text;
        column_ += text.size();
    }
    void end_line() {
        if (column_ > 0)
            text_ += '\n';
        column_ = 0;
    }

    std::string text_;
    std::size_t column_ = 0;
    std::string prefix_;                ///< the brackets that open before the next word
    bool wants_number_ = true;          ///< whether Black's next move needs its number
    std::vector<OpenVariation> lines_;  ///< the main line and the open variations
};

}  // namespace

std::string write_pgn(const Pgn& pgn) {
    MoveText text{pgn.game.start()};
    for (const Move move : pgn.game.moves())
        text.write(move);
    text.write_word(pgn.result);
    return tag_section(pgn) + "\n" + text.finish();
}

std::string write_annotated_game(const AnnotatedGame& game) {
    std::string result;
    for (const auto& escape : game.escapes)
        result += "%" + escape + "\n";
    for (const auto& [name, value] : game.tags)
        result += tag_line(name, value);
    MoveText text{game.start};
    for (const auto& element : game.elements)
        text.add(element);
    text.write_word(game.result);
    return result + "\n" + text.finish();
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
