#pragma once

#include <optional>
#include <string>

#include "core/result.hpp"

#include "uci/chezz/identity.hpp"

namespace uci::store {

/// Where the games and sessions of chezz's players are kept, each as a text. Every function may
/// block, and gives an Error when the store cannot be reached or fails; the next one tries again.
/// Belongs to the thread that uses it.
class Store {
public:
    Store() = default;
    virtual ~Store() = default;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    Store(Store&&) = delete;
    Store& operator=(Store&&) = delete;

    virtual core::Result<std::optional<std::string>> find_game(chezz::GameId id) = 0;
    /// Keeps a new game; false when there is one of that number.
    virtual core::Result<bool> add_game(chezz::GameId id, const std::string& record) = 0;
    /// Puts a record in the place of another, in one step; false, and nothing happens, when there
    /// is another one than that, or none.
    virtual core::Result<bool> replace_game(chezz::GameId id,
                                            const std::string& before,
                                            const std::string& after) = 0;

    /// A session; it lives on from now.
    virtual core::Result<std::optional<std::string>> find_session(const std::string& id) = 0;
    /// Keeps a new session; false when there is one of that name.
    virtual core::Result<bool> add_session(const std::string& id, const std::string& record) = 0;

    /// Clears away some of what nobody has needed for too long, where the store does not do that
    /// itself. Wants to be called every second.
    virtual void clear_away() = 0;
};

}  // namespace uci::store
