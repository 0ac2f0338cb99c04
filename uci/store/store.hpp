#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/result.hpp"

namespace uci::store {

/// Says that a process that shares the store with others runs.
struct Lease {
    std::string name;
    std::chrono::milliseconds lifetime;  ///< without another renewal it has ended after this time
    /// What the process takes for the shared time; nothing when it has just been started.
    std::optional<std::chrono::milliseconds> time;
};

/// Keeps the records of games, sessions and documents. A record is any text that is not empty; a
/// game is known by a number, a session and a document by a text. Every function may block, and
/// returns an Error when the store cannot be reached or fails; the next call tries again. Belongs
/// to one thread.
class Store {
public:
    Store() = default;
    virtual ~Store() = default;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    Store(Store&&) = delete;
    Store& operator=(Store&&) = delete;

    virtual core::Result<std::optional<std::string>> find_game(std::int64_t id) = 0;
    /// Stores a new game. False if the number is taken.
    virtual core::Result<bool> add_game(std::int64_t id, const std::string& record) = 0;
    /// Replaces the record `before` by `after` in one atomic step. False, and no change, if the
    /// store holds any other record or none.
    virtual core::Result<bool> replace_game(std::int64_t id,
                                            const std::string& before,
                                            const std::string& after) = 0;

    /// Removes a game. False if there is none.
    virtual core::Result<bool> remove_game(std::int64_t id) = 0;

    /// Reads a session and restarts its time to live.
    virtual core::Result<std::optional<std::string>> find_session(const std::string& id) = 0;
    /// Stores a new session. False if the id is taken.
    virtual core::Result<bool> add_session(const std::string& id, const std::string& record) = 0;

    virtual core::Result<std::optional<std::string>> find_document(const std::string& id) = 0;
    /// Stores a document and restarts its time to live, in one atomic step. False, and no change,
    /// if the store holds another record than `before` under this id. A record that has expired or
    /// was removed to make space does not prevent it.
    virtual core::Result<bool> put_document(const std::string& id,
                                            const std::optional<std::string>& before,
                                            const std::string& after) = 0;
    /// Removes a document. False if there is none.
    virtual core::Result<bool> remove_document(const std::string& id) = 0;

    /// When the caller of the next functions gives up. They end by then, as far as the store can
    /// end them, and a change that was reported as failed is not made later.
    virtual void set_deadline(std::chrono::steady_clock::time_point /*deadline*/) {}
    /// Renews a lease, and returns the shared time: for how long any of the processes that share
    /// the store has run. Nothing: this store is not shared.
    virtual core::Result<std::optional<std::chrono::milliseconds>> renew_lease(
        const Lease& /*lease*/) {
        return std::optional<std::chrono::milliseconds>{};
    }
    /// Ends a lease at once.
    virtual core::Result<bool> end_lease(const std::string& /*name*/) { return true; }
    /// Whether there is a lease of that name, so that its process is taken to run.
    virtual core::Result<bool> has_lease(const std::string& /*name*/) { return false; }

    /// How many calls may lie between begin_batch() and commit_batch(); 1: nothing is gained by it.
    virtual std::size_t max_batch() const { return 1; }
    /// Writes from here to commit_batch() may become durable together, by one flush of the disk.
    /// Without these two calls, a write is durable when its function returns.
    virtual void begin_batch() {}
    /// Error: none of the batch's writes was made, whatever its functions have returned.
    virtual std::optional<core::Error> commit_batch() { return std::nullopt; }

    /// Makes a change that no record shows, to find out whether changes work. Error: why not.
    virtual core::Result<bool> try_change() { return true; }

    /// Removes some of the expired records, if the store does not do so by itself. To be called
    /// once a second.
    virtual void remove_expired() = 0;
};

}  // namespace uci::store
