#include "uci/store/async_store.hpp"

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "uci/store/memory_store.hpp"

#include "tests/catch.hpp"

using core::Error;
using core::Result;
using uci::store::AsyncStore;
using uci::store::MemoryStore;
using uci::store::Store;

namespace {

/// A store in memory that notes the size of each batch, and can fail to commit.
class BatchingStore : public uci::store::MemoryStore {
public:
    BatchingStore(std::vector<int>& sizes, const bool& fails)
        : MemoryStore{{}},
          sizes_{sizes},
          fails_{fails} {}

    std::size_t max_batch() const override { return 4; }
    void begin_batch() override { sizes_.push_back(0); }
    Result<bool> add_game(std::int64_t id, const std::string& record) override {
        ++sizes_.back();
        return MemoryStore::add_game(id, record);
    }
    std::optional<Error> commit_batch() override {
        return fails_ ? std::optional{Error{"the disk is full"}} : std::nullopt;
    }

private:
    std::vector<int>& sizes_;
    const bool& fails_;
};

AsyncStore::Job<bool> adding(std::int64_t id) {
    return [id](Store& store) { return store.add_game(id, "record"); };
}

}  // namespace

TEST_CASE("jobs that arrive while the store is busy become batches", "[store]") {
    std::vector<int> sizes;
    const bool fails = false;
    std::vector<std::int64_t> answered;
    boost::asio::io_context io;
    AsyncStore store{io, std::make_unique<BatchingStore>(sizes, fails)};
    std::promise<void> go_on;
    store.submit<bool>(
        [wait = go_on.get_future().share()](Store& inner) {
            wait.wait();
            return inner.add_game(0, "record");
        },
        [&](const Result<bool>&) { answered.push_back(0); });
    for (std::int64_t id = 1; id <= 10; ++id)
        store.submit<bool>(adding(id), [&answered, id](const Result<bool>& done) {
            CHECK((done && *done));
            answered.push_back(id);
        });
    CHECK(store.count_pending() == 11);
    go_on.set_value();
    io.run();
    // The first may have been alone, or in one batch with those that came before it was begun.
    CHECK(answered == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    CHECK(sizes.size() <= 4);
    CHECK(*std::max_element(sizes.begin(), sizes.end()) == 4);
    CHECK(store.count_pending() == 0);
}

TEST_CASE("a batch that cannot be committed fails all its jobs", "[store]") {
    std::vector<int> sizes;
    const bool fails = true;
    boost::asio::io_context io;
    AsyncStore store{io, std::make_unique<BatchingStore>(sizes, fails)};
    int refused = 0;
    for (std::int64_t id = 0; id < 10; ++id)
        store.submit<bool>(adding(id), [&](const Result<bool>& done) {
            refused += !done && done.reason() == "the disk is full";
        });
    io.run();
    CHECK(refused == 10);
    CHECK(store.statistics().errors == 10);
}

TEST_CASE("a job that throws has failed, and the store goes on", "[store]") {
    std::vector<int> sizes;
    const bool fails = false;
    boost::asio::io_context io;
    AsyncStore store{io, std::make_unique<BatchingStore>(sizes, fails)};
    std::vector<std::string> outcomes;
    const auto note = [&](const Result<bool>& done) {
        outcomes.push_back(done ? "done" : done.reason());
    };
    store.submit<bool>([](Store&) -> Result<bool> { throw std::runtime_error{"a test"}; }, note);
    store.submit<bool>([](Store&) -> Result<bool> { throw 1; }, note);
    store.submit<bool>(adding(1), note);
    io.run();
    io.restart();
    store.submit<bool>(adding(2), note);
    io.run();
    CHECK(outcomes == std::vector<std::string>{"a test", "unknown exception", "done", "done"});
    CHECK(store.statistics().errors == 2);
}

TEST_CASE("a batch whose commit throws has failed, and the store goes on", "[store]") {
    struct ThrowingStore : MemoryStore {
        ThrowingStore() : MemoryStore{{}} {}
        std::optional<Error> commit_batch() override {
            if (++commits == 1)
                throw std::runtime_error{"a test"};
            return std::nullopt;
        }
        int commits = 0;
    };
    boost::asio::io_context io;
    AsyncStore store{io, std::make_unique<ThrowingStore>()};
    std::vector<std::string> outcomes;
    for (std::int64_t id = 1; id <= 2; ++id) {
        store.submit<bool>(adding(id), [&](const Result<bool>& done) {
            outcomes.push_back(done ? "done" : done.reason());
        });
        io.run();
        io.restart();
    }
    CHECK(outcomes == std::vector<std::string>{"a test", "done"});
}

TEST_CASE("why a change failed is known until one succeeds, though nobody makes one", "[store]") {
    struct FullStore : MemoryStore {
        explicit FullStore(const bool& is_full_now) : MemoryStore{{}}, is_full{is_full_now} {}
        Result<bool> try_change() override { return add_game(1, "record"); }
        Result<bool> add_game(std::int64_t, const std::string&) override {
            return is_full ? Result<bool>{Error{"it is full"}} : true;
        }
        const bool& is_full;
    };
    bool is_full = true;
    boost::asio::io_context io;
    AsyncStore store{io, std::make_unique<FullStore>(is_full)};
    const auto run = [&] {
        io.run();
        io.restart();
        return store.failed_change() ? store.failed_change()->reason : "";
    };
    const auto ignore = [](const auto&) {};
    store.submit<bool>([](Store&) { return Result<bool>{Error{"of a reader"}}; }, ignore);
    CHECK(run().empty());
    store.submit_change<bool>(adding(1), ignore);
    CHECK(run() == "it is full");
    store.submit<std::optional<std::string>>([](Store& inner) { return inner.find_game(1); },
                                             ignore);
    CHECK(run() == "it is full");
    store.maintain();
    CHECK(run() == "it is full");
    is_full = false;
    store.maintain();
    CHECK(run().empty());
}

TEST_CASE("what a callback holds is released in the server's thread", "[store]") {
    const auto server = std::this_thread::get_id();
    int released = 0;
    int elsewhere = 0;
    boost::asio::io_context io;
    std::vector<int> sizes;
    const bool fails = false;
    AsyncStore store{io, std::make_unique<BatchingStore>(sizes, fails)};
    std::promise<void> go_on;
    store.submit<bool>(
        [wait = go_on.get_future().share()](Store& inner) {
            wait.wait();
            return inner.add_game(0, "record");
        },
        [](const Result<bool>&) {});
    // The next batch: a job that takes long to destroy, then one whose callback has an object.
    std::shared_ptr<int> slow{new int, [](const int* value) {
                                  std::this_thread::sleep_for(std::chrono::milliseconds{50});
                                  delete value;
                              }};
    store.submit<bool>([held = std::move(slow)](Store& inner) { return inner.add_game(1, ""); },
                       [](const Result<bool>&) {});
    std::shared_ptr<int> connection{
        new int, [&](const int* value) {
            ++(std::this_thread::get_id() == server ? released : elsewhere);
            delete value;
        }};
    store.submit<bool>(adding(2), [held = std::move(connection)](const Result<bool>&) {});
    go_on.set_value();
    io.run();
    CHECK(released == 1);
    CHECK(elsewhere == 0);
}
