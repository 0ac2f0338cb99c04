#include "uci/net/web_crowd.hpp"

#include <vector>

#include "tests/catch.hpp"

using uci::net::CrowdLimits;
using uci::net::WebCrowd;

namespace {

CrowdLimits limits_of(std::size_t clients) {
    return {clients, 1'600, 3'000};
}

}  // namespace

TEST_CASE("a full server takes nobody while all are served", "[net]") {
    const auto crowd = std::make_shared<WebCrowd>(limits_of(2));
    auto first = crowd->admit();
    const auto second = crowd->admit();
    CHECK(first);
    CHECK(second);
    CHECK_FALSE(crowd->admit());
    first.reset();
    CHECK(crowd->admit());
}

TEST_CASE("the one goes who has been silent for the longest time", "[net]") {
    const auto crowd = std::make_shared<WebCrowd>(limits_of(3));
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

TEST_CASE("a client is too slow for which much waits", "[net]") {
    const auto crowd = std::make_shared<WebCrowd>(limits_of(2));
    const auto client = crowd->admit();
    client->note_unsent(1'600);
    CHECK_FALSE(client->is_too_slow());
    client->note_unsent(1'601);
    CHECK(client->is_too_slow());
    client->note_unsent(0);
    CHECK_FALSE(client->is_too_slow());
}

TEST_CASE("when much waits for all, those are too slow who have much of it", "[net]") {
    const auto crowd = std::make_shared<WebCrowd>(limits_of(10));
    std::vector<std::shared_ptr<WebCrowd::Ticket>> slow;
    for (int i = 0; i < 3; ++i) {
        slow.push_back(crowd->admit());
        slow.back()->note_unsent(1'001);
    }
    const auto quick = crowd->admit();
    quick->note_unsent(100);
    CHECK(slow[0]->is_too_slow());
    CHECK_FALSE(quick->is_too_slow());
    slow.pop_back();
    CHECK_FALSE(slow[0]->is_too_slow());
}
