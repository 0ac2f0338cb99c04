#include "uci/util/line_reader.hpp"

#include <sstream>
#include <vector>

#include "tests/catch.hpp"

using uci::util::LineReader;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream input{text};
    LineReader reader{input, 5};
    std::vector<std::string> lines;
    while (const auto line = reader.next())
        lines.push_back(line->is_whole ? line->text : line->text + "...");
    return lines;
}

}  // namespace

TEST_CASE("lines are read without their ends, the last one too", "[line_reader]") {
    using Lines = std::vector<std::string>;
    CHECK(lines_of("") == Lines{});
    CHECK(lines_of("a\n\nb") == Lines{"a", "", "b"});
    CHECK(lines_of("a\n") == Lines{"a"});
    CHECK(lines_of("\n") == Lines{""});
}

TEST_CASE("a line that is too long is cut and the next one is whole", "[line_reader]") {
    using Lines = std::vector<std::string>;
    CHECK(lines_of("12345\n123456\n12") == Lines{"12345", "12345...", "12"});
    CHECK(lines_of("1234567") == Lines{"12345..."});
}
