#include "uci/server/alarms.hpp"

#include <vector>

#include "tests/catch.hpp"

using namespace std::chrono_literals;
using uci::server::Alarms;

namespace {

const Alarms::Time start{100s};

/// Alarms, when their timer is set to, and what they have called.
struct Fixture {
    std::optional<Alarms::Time> timer;
    std::vector<int> calls;
    Alarms alarms{[this](std::optional<Alarms::Time> time) { timer = time; }};

    void set(const std::string& name, std::chrono::seconds after, int call) {
        alarms.set(name, start + after, [this, call] { calls.push_back(call); });
    }
    /// The timer goes off.
    void wake(Alarms::Time now) {
        timer.reset();
        alarms.wake(now);
    }
};

}  // namespace

TEST_CASE("alarms go off once each, in the order of their times", "[alarms]") {
    Fixture fixture;
    fixture.set("a", 3s, 3);
    CHECK(fixture.timer == start + 3s);
    fixture.set("b", 1s, 1);
    fixture.set("c", 2s, 2);
    CHECK(fixture.timer == start + 1s);
    fixture.wake(start);
    CHECK(fixture.calls.empty());
    CHECK(fixture.timer == start + 1s);
    fixture.wake(start + 2s);
    CHECK(fixture.calls == std::vector{1, 2});
    CHECK(fixture.timer == start + 3s);
    fixture.wake(start + 3s);
    fixture.wake(start + 4s);
    CHECK(fixture.calls == std::vector{1, 2, 3});
    CHECK_FALSE(fixture.timer);
}

TEST_CASE("an alarm that is set again or cancelled does not go off", "[alarms]") {
    Fixture fixture;
    fixture.set("a", 1s, 1);
    fixture.set("a", 2s, 2);
    CHECK(fixture.timer == start + 2s);
    fixture.set("b", 1s, 3);
    fixture.alarms.cancel("b");
    fixture.alarms.cancel("unknown");
    fixture.wake(start + 1s);
    CHECK(fixture.calls.empty());
    fixture.wake(start + 2s);
    CHECK(fixture.calls == std::vector{2});
}

TEST_CASE("an alarm may set another one", "[alarms]") {
    Fixture fixture;
    fixture.alarms.set("a", start, [&] { fixture.set("a", 5s, 1); });
    fixture.wake(start);
    CHECK(fixture.timer == start + 5s);
    fixture.wake(start + 5s);
    CHECK(fixture.calls == std::vector{1});
}
