#include "uci/net/chezz_sessions.hpp"

#include <boost/beast/http/field.hpp>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "uci/chezz/record.hpp"
#include "uci/net/target.hpp"

namespace uci::net {

namespace {

namespace http = boost::beast::http;
using chezz::UserId;
using core::Result;

constexpr std::string_view cookie_name{"session_id"};

/// The session that a request names, if it may be one.
std::optional<std::string> named_session(const HttpRequest& request) {
    const auto header = request[http::field::cookie];
    auto session = read_cookie({header.data(), header.size()}, cookie_name);
    if (!session || !chezz::is_session_id(*session))
        return std::nullopt;
    return session;
}

}  // namespace

void ChezzSessions::recognise(const HttpRequest& request, StoreDesk::Then<Visitor> then) {
    const auto session = named_session(request);
    if (!session)
        return then(stranger());
    if (const auto user = remembered_.find(*session))
        return then(Visitor{*session, *user});
    desk_.ask<std::optional<std::string>>(
        [session = *session](store::Store& store) { return store.find_session(session); },
        [this, session = *session,
         then = std::move(then)](const Result<std::optional<std::string>>& found) {
            if (!found)
                return then(found.error());
            const auto user =
                *found ? chezz::read_session_record(**found) : Result<UserId>{core::Error{""}};
            then(user ? Visitor{session, *user, false, true} : stranger());
        });
}

std::int64_t ChezzSessions::new_number() {
    return chezz::snowflake(std::chrono::system_clock::now(), randomness_.number());
}

Visitor ChezzSessions::stranger() {
    Visitor visitor{chezz::session_id(randomness_.secret()), UserId{new_number()}, true};
    remembered_.set(visitor.session, visitor.user);
    return visitor;
}

std::optional<core::Error> keep(store::Store& store, const Visitor& visitor) {
    if (visitor.is_stored)
        return std::nullopt;
    const auto kept =
        store.add_session(visitor.session, chezz::session_record(visitor.session, visitor.user));
    // One that is there already was stored by the same visitor a moment ago.
    return kept ? std::nullopt : std::optional{kept.error()};
}

std::string session_cookie(const Visitor& visitor, const HttpRequest& request) {
    const bool secure = request["X-Forwarded-Proto"] == "https";
    return fmt::format(
        "{}={}; Path=/; Max-Age={}; HttpOnly; {}SameSite=Lax", cookie_name, visitor.session,
        std::chrono::duration_cast<std::chrono::seconds>(chezz::Limits::session).count(),
        secure ? "Secure; " : "");
}

}  // namespace uci::net
