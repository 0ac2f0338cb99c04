#include "engine/tasking.hpp"

#include <atomic>
#include <thread>

#include "tests/catch.hpp"

using engine::Task;

TEST_CASE("a task runs one job after the other on its own thread", "[tasking]") {
    Task task;
    int count = 0;
    std::thread::id thread;
    for (int i = 0; i < 200; ++i) {
        task.start([&] {
            ++count;
            thread = std::this_thread::get_id();
        });
        task.wait();
        REQUIRE(count == i + 1);
    }
    CHECK(thread != std::this_thread::get_id());
}

TEST_CASE("wait() without a job returns at once", "[tasking]") {
    Task task;
    task.wait();
    task.start([] {});
    task.wait();
    task.wait();
}

TEST_CASE("a destroyed task finishes its job", "[tasking]") {
    std::atomic<bool> done{false};
    {
        Task task;
        task.start([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds{20});
            done = true;
        });
    }
    CHECK(done);
}

TEST_CASE("a task that never had a job ends", "[tasking]") {
    for (int i = 0; i < 50; ++i)
        const Task task;
}

TEST_CASE("tasks run at the same time", "[tasking]") {
    Task first;
    Task second;
    std::atomic<int> met{0};
    const auto meet = [&] {
        ++met;
        while (met < 2)
            std::this_thread::yield();
    };
    first.start(meet);
    second.start(meet);
    first.wait();
    second.wait();
    CHECK(met == 2);
}

TEST_CASE("a task has room for the deepest search", "[tasking]") {
    Task task;
    std::size_t sum = 0;
    task.start([&] {
        volatile char room[4 << 20];
        for (std::size_t i = 0; i < sizeof room; i += 4096) {
            room[i] = 1;
            sum += static_cast<std::size_t>(room[i]);
        }
    });
    task.wait();
    CHECK(sum == 1024);
}
