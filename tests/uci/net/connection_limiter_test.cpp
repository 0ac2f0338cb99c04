#include "uci/net/connection_limiter.hpp"

#include <chrono>
#include <vector>

#include "tests/catch.hpp"

using namespace std::chrono_literals;
using uci::net::ConnectionLimiter;
using uci::net::ConnectionLimits;
using uci::net::ConnectionSlot;

namespace {

ConnectionLimits limits_of(std::size_t connections) {
    return {connections, 1'600, 3'000};
}

}  // namespace

TEST_CASE("a full server admits no connection while all are active", "[net]") {
    const auto limiter = std::make_shared<ConnectionLimiter>(limits_of(2));
    auto first = limiter->admit();
    const auto second = limiter->admit();
    CHECK(first);
    CHECK(second);
    CHECK_FALSE(limiter->admit());
    first.reset();
    CHECK(limiter->admit());
}

TEST_CASE("a full server evicts the connection that has been idle for the longest time", "[net]") {
    const auto limiter = std::make_shared<ConnectionLimiter>(limits_of(3));
    std::vector<std::shared_ptr<ConnectionSlot>> slots;
    std::vector<int> dropped;
    for (int i = 0; i < 3; ++i) {
        slots.push_back(limiter->admit());
        slots.back()->mark_idle([&, i] {
            dropped.push_back(i);
            slots[static_cast<std::size_t>(i)].reset();
        });
    }
    slots[0]->mark_active();
    CHECK(limiter->admit());
    CHECK(dropped == std::vector{1});
    const auto another = limiter->admit();
    CHECK(another);
    CHECK(dropped == std::vector{1});
    const auto more = limiter->admit();
    CHECK(more);
    CHECK(dropped == std::vector{1, 2});
    CHECK_FALSE(limiter->admit());
}

TEST_CASE("an idle connection that changes hands is evicted by its new owner", "[net]") {
    const auto limiter = std::make_shared<ConnectionLimiter>(limits_of(2));
    auto first = limiter->admit();
    auto second = limiter->admit();
    bool is_evicted_by_old_owner = false;
    first->mark_idle([&] { is_evicted_by_old_owner = true; });
    second->mark_idle([&] { second.reset(); });
    // It has still been idle for the longest time.
    first->mark_idle([&] { first.reset(); });
    CHECK(limiter->admit());
    CHECK_FALSE(is_evicted_by_old_owner);
    CHECK_FALSE(first);
    CHECK(second);
}

TEST_CASE("a client with too many unsent bytes exceeds the send buffer", "[net]") {
    const auto limiter = std::make_shared<ConnectionLimiter>(limits_of(2));
    const auto client = limiter->admit();
    client->set_unsent_bytes(1'600);
    CHECK_FALSE(client->exceeds_send_buffer());
    client->set_unsent_bytes(1'601);
    CHECK(client->exceeds_send_buffer());
    client->set_unsent_bytes(0);
    CHECK_FALSE(client->exceeds_send_buffer());
}

TEST_CASE("when the total is exceeded, clients far above the average exceed the send buffer",
          "[net]") {
    const auto limiter = std::make_shared<ConnectionLimiter>(limits_of(10));
    std::vector<std::shared_ptr<ConnectionSlot>> slow;
    for (int i = 0; i < 3; ++i) {
        slow.push_back(limiter->admit());
        slow.back()->set_unsent_bytes(1'001);
    }
    const auto quick = limiter->admit();
    quick->set_unsent_bytes(100);
    CHECK(slow[0]->exceeds_send_buffer());
    CHECK_FALSE(quick->exceeds_send_buffer());
    slow.pop_back();
    CHECK_FALSE(slow[0]->exceeds_send_buffer());
}

TEST_CASE("a response that is not taken in time makes room, before idle connections do", "[net]") {
    const std::chrono::milliseconds patience = GENERATE(0ms, 60'000ms);
    auto limits = limits_of(2);
    limits.send_patience = patience;
    const auto limiter = std::make_shared<ConnectionLimiter>(limits);
    auto idle = limiter->admit();
    auto slow = limiter->admit();
    idle->mark_idle([&] { idle.reset(); });
    CHECK(slow->begin_response(1'000, [&] { slow.reset(); }));
    CHECK(limiter->admit());
    CHECK((slow == nullptr) == (patience == 0ms));
    CHECK((idle == nullptr) == (patience != 0ms));
}

TEST_CASE("when too many bytes wait, slow clients are closed for a response", "[net]") {
    auto limits = limits_of(10);
    limits.send_patience = 0ms;
    const auto limiter = std::make_shared<ConnectionLimiter>(limits);
    std::vector<std::shared_ptr<ConnectionSlot>> slots;
    for (std::size_t i = 0; i < 4; ++i) {
        slots.push_back(limiter->admit());
        CHECK(slots[i]->begin_response(1'400, [&slots, i] { slots[i].reset(); }));
    }
    CHECK_FALSE(slots[0]);
    CHECK_FALSE(slots[1]);
    CHECK(slots[2]);
    CHECK(slots[3]);
    CHECK(limiter->count() == 2);
}

TEST_CASE("when too many bytes wait and no client is slow, only small responses are sent",
          "[net]") {
    const auto limiter = std::make_shared<ConnectionLimiter>(limits_of(10));
    std::vector<std::shared_ptr<ConnectionSlot>> slots;
    for (std::size_t i = 0; i < 4; ++i)
        slots.push_back(limiter->admit());
    const auto evict = [] { FAIL("nobody is slow"); };
    CHECK(slots[0]->begin_response(1'400, evict));
    CHECK(slots[1]->begin_response(1'500, evict));
    CHECK_FALSE(slots[2]->begin_response(101, evict));
    CHECK(slots[2]->begin_response(100, evict));
    CHECK(slots[3]->begin_response(100, evict));
    slots[0]->end_response();
    CHECK(slots[3]->begin_response(1'300, evict));
}

TEST_CASE("the connections of one client are limited", "[net]") {
    const auto limiter = std::make_shared<ConnectionLimiter>(ConnectionLimits{9, 1'600, 3'000, 2});
    auto first = limiter->admit();
    const auto second = limiter->admit();
    const auto third = limiter->admit();
    CHECK(first->assign("a"));
    CHECK(limiter->has_room_for("a"));
    CHECK(second->assign("a"));
    CHECK_FALSE(limiter->has_room_for("a"));
    CHECK(limiter->has_room_for("b"));
    CHECK(limiter->has_room_for(""));
    CHECK_FALSE(third->assign("a"));
    CHECK(third->assign("b"));
    CHECK(third->assign(""));
    first.reset();
    CHECK(third->assign("a"));
    CHECK(second->assign("a"));
}
