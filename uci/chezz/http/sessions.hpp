#pragma once

#include <functional>
#include <string>

#include "uci/chezz/ids.hpp"
#include "uci/chezz/limits.hpp"
#include "uci/net/request_handler.hpp"
#include "uci/store/async_store.hpp"
#include "uci/util/lru_cache.hpp"
#include "uci/util/secure_random.hpp"

namespace uci::chezz::http {

/// A user, recognised by a cookie.
struct Session {
    std::string id;
    UserId user{};
    bool is_new = false;        ///< created for this request
    bool is_persisted = false;  ///< in the store
};

/// Recognises users by their cookies. A session is stored when its user takes a seat; until then it
/// is kept in memory, in limited number, so that visitors who do not play leave no records.
/// Belongs to the server's thread.
class SessionManager {
public:
    explicit SessionManager(store::AsyncStore& store) : store_{store} {}

    /// Finds the session of a request, or creates one. Error: the store failed.
    void authenticate(const net::HttpRequest& request,
                      store::AsyncStore::Deadline deadline,
                      store::AsyncStore::Callback<Session> callback);

    /// To be called once a session is in the store.
    void mark_persisted(const Session& session) { unsaved_.erase(session.id); }

    /// A new number for a game or a user.
    std::int64_t new_id();

private:
    Session new_session();

    store::AsyncStore& store_;
    util::SecureRandom random_;
    util::LruCache<std::string, UserId> unsaved_{Limits::max_unsaved_sessions};
};

/// Stores a session unless it is stored already. Blocks: belongs to the store's thread.
std::optional<core::Error> persist(store::Store& store, const Session& session);

/// The value of the Set-Cookie header for a session; the browser keeps it for HTTPS alone if that
/// is how it reached the server.
std::string session_cookie(const Session& session, bool is_https);

}  // namespace uci::chezz::http
