#include "uci/opening_line.hpp"

#include <utility>

#include "core/text.hpp"

#include "uci/chenserver/question.hpp"

namespace uci {

DialectName dialect_for(std::string_view line) {
    const auto word = core::Words{line}.peek().value_or("");
    if (word.starts_with('{'))
        return DialectName::json;
    if (chenserver::is_command(line))
        return DialectName::chenserver;
    return DialectName::uci;
}

OpeningLine::OpeningLine(Transport& transport) : transport_{transport} {
    do
        line_ = transport_.read_line();
    while (line_ && core::Words{*line_}.empty());
}

std::optional<std::string> OpeningLine::read_line() {
    if (line_)
        return std::exchange(line_, std::nullopt);
    return transport_.read_line();
}

}  // namespace uci
