#include "uci/transport/peeking_transport.hpp"

#include <deque>
#include <vector>

#include "tests/catch.hpp"

using Lines = std::vector<std::string>;

namespace {

class FakeTransport : public uci::transport::Transport {
public:
    explicit FakeTransport(const Lines& lines) : lines_(lines.begin(), lines.end()) {}

    std::optional<std::string> read_line() override {
        if (lines_.empty())
            return std::nullopt;
        auto line = lines_.front();
        lines_.pop_front();
        return line;
    }
    void write_line(std::string_view line) override { written.emplace_back(line); }

    Lines written;

private:
    std::deque<std::string> lines_;
};

}  // namespace

TEST_CASE("the first line can be peeked at and is then read like the others", "[transport]") {
    FakeTransport script{{"", " \t\r", "uci", "", "isready"}};
    uci::transport::PeekingTransport peeking{script};
    CHECK(peeking.first_line() == "uci");
    CHECK(peeking.read_line() == "uci");
    CHECK(peeking.read_line() == "");
    CHECK(peeking.read_line() == "isready");
    CHECK(peeking.read_line() == std::nullopt);
    peeking.write_line("readyok");
    CHECK(script.written == Lines{"readyok"});
}

TEST_CASE("input without a line has an empty first line", "[transport]") {
    const auto lines = GENERATE(Lines{}, Lines{"", "   "});
    FakeTransport script{lines};
    uci::transport::PeekingTransport peeking{script};
    CHECK(peeking.first_line().empty());
    CHECK(peeking.read_line() == std::nullopt);
}
