#include "uci/net/web_crowd.hpp"

#include <vector>

#include "tests/catch.hpp"

using uci::net::WebCrowd;

TEST_CASE("a full server takes nobody while all are served", "[net]") {
    const auto crowd = std::make_shared<WebCrowd>(2);
    auto first = crowd->admit();
    const auto second = crowd->admit();
    CHECK(first);
    CHECK(second);
    CHECK_FALSE(crowd->admit());
    first.reset();
    CHECK(crowd->admit());
}

TEST_CASE("the one goes who has been silent for the longest time", "[net]") {
    const auto crowd = std::make_shared<WebCrowd>(3);
    std::vector<std::shared_ptr<WebCrowd::Ticket>> tickets;
    std::vector<int> dropped;
    for (int i = 0; i < 3; ++i) {
        tickets.push_back(crowd->admit());
        tickets.back()->note_silent([&, i] {
            dropped.push_back(i);
            tickets[static_cast<std::size_t>(i)].reset();
        });
    }
    tickets[0]->note_speaking();
    CHECK(crowd->admit());
    CHECK(dropped == std::vector{1});
    const auto another = crowd->admit();
    CHECK(another);
    CHECK(dropped == std::vector{1});
    const auto more = crowd->admit();
    CHECK(more);
    CHECK(dropped == std::vector{1, 2});
    CHECK_FALSE(crowd->admit());
}
