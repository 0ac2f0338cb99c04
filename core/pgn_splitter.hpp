#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace core {

/// Divides PGN text that arrives line by line into games. A game ends at its result, or where a new
/// one's tags begin.
class PgnSplitter {
public:
    /// Takes the next line, with or without its line end. Returns the game before it if the line
    /// begins another one.
    std::optional<std::string> add_line(std::string_view line);
    /// Returns the last game; nothing if there is only blank text.
    std::optional<std::string> finish();

private:
    void scan(std::string_view line);

    std::string text_;
    bool has_moves_ = false;  ///< of the current game, as the members below
    bool has_result_ = false;
    bool in_comment_ = false;
    int open_variations_ = 0;
};

}  // namespace core
