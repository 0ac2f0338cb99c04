#include "uci/chezz/http/sessions.hpp"

#include <boost/beast/http/field.hpp>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "uci/chezz/record.hpp"
#include "uci/net/cookie.hpp"

namespace uci::chezz::http {

namespace {

namespace beast_http = boost::beast::http;
using core::Result;

constexpr std::string_view cookie_name{"session_id"};

/// The session id in a request's cookie, if it has the right form.
std::optional<std::string> named_session(const net::HttpRequest& request) {
    const auto header = request[beast_http::field::cookie];
    auto session = net::read_cookie({header.data(), header.size()}, cookie_name);
    if (!session || !is_session_id(*session))
        return std::nullopt;
    return session;
}

}  // namespace

void SessionManager::authenticate(const net::HttpRequest& request,
                                  store::AsyncStore::Deadline deadline,
                                  store::AsyncStore::Callback<Session> callback) {
    const auto session = named_session(request);
    if (!session)
        return callback(new_session());
    if (const auto user = unsaved_.find(*session))
        return callback(Session{*session, *user});
    store_.submit<std::optional<std::string>>(
        [session = *session](store::Store& store) { return store.find_session(session); },
        [this, session = *session,
         callback = std::move(callback)](const Result<std::optional<std::string>>& found) {
            if (!found)
                return callback(found.error());
            const auto user =
                *found ? read_session_record(**found) : Result<UserId>{core::Error{""}};
            callback(user ? Session{session, *user, false, true} : new_session());
        },
        deadline);
}

std::int64_t SessionManager::new_id() {
    return snowflake(std::chrono::system_clock::now(), random_.number());
}

Session SessionManager::new_session() {
    Session session{session_id(random_.token()), UserId{new_id()}, true};
    unsaved_.set(session.id, session.user);
    return session;
}

std::optional<core::Error> persist(store::Store& store, const Session& session) {
    if (session.is_persisted)
        return std::nullopt;
    const auto added = store.add_session(session.id, session_record(session.id, session.user));
    // If the id is taken, another request of the same user has just stored the session.
    return added ? std::nullopt : std::optional{added.error()};
}

std::string session_cookie(const Session& session, bool is_https) {
    return fmt::format(
        "{}={}; Path=/; Max-Age={}; HttpOnly; {}SameSite=Lax", cookie_name, session.id,
        std::chrono::duration_cast<std::chrono::seconds>(Limits::session_ttl).count(),
        is_https ? "Secure; " : "");
}

}  // namespace uci::chezz::http
