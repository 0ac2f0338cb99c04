#include "core/epd.hpp"

#include <algorithm>
#include <utility>

#include "core/fen.hpp"
#include "core/text.hpp"

namespace core {

namespace {

/// Reads the fields of the FEN: the two counters only where both are numbers.
std::string read_fen_fields(Words& words) {
    std::string fen;
    for (int field = 0; field < 4; ++field)
        fen += (field == 0 ? "" : " ") + std::string{words.next().value_or("")};
    Words counters = words;
    const auto halfmove_clock = counters.next().value_or("");
    const auto fullmove_number = counters.next().value_or("");
    if (read_integer(halfmove_clock) && read_integer(fullmove_number)) {
        fen += " " + std::string{halfmove_clock} + " " + std::string{fullmove_number};
        words = counters;
    }
    return fen;
}

/// The end of the first operation: its semicolon, but not one in quotes, or the end of the text.
std::size_t operation_end(std::string_view text) {
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && quoted)
            ++i;  // an escaped quote
        else if (text[i] == '"')
            quoted = !quoted;
        else if (text[i] == ';' && !quoted)
            return i;
    }
    return text.size();
}

std::string_view without_quotes(std::string_view text) {
    const bool is_string =
        text.size() >= 2 && text.front() == '"' && text.find('"', 1) == text.size() - 1;
    return is_string ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

Result<Epd> read_epd(std::string_view line) {
    const auto head_end = std::min(line.find(';'), line.size());
    Words head{line.substr(0, head_end)};
    Epd epd;
    epd.fen = read_fen_fields(head);
    auto position = read_fen(epd.fen);
    if (!position)
        return position.error();
    epd.position = *position;
    const std::string operations = std::string{head.rest()} + std::string{line.substr(head_end)};
    std::string_view rest{operations};
    while (!rest.empty()) {
        const auto end = operation_end(rest);
        Words operation{rest.substr(0, end)};
        auto opcode = operation.next();
        while (opcode == "-")  // some programs write it for a field that is missing
            opcode = operation.next();
        if (opcode)
            epd.operations.push_back(
                {std::string{*opcode}, std::string{without_quotes(operation.rest())}});
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return epd;
}

}  // namespace core
