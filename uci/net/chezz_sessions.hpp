#pragma once

#include <functional>
#include <string>

#include "uci/net/randomness.hpp"
#include "uci/net/recent.hpp"
#include "uci/net/store_desk.hpp"
#include "uci/net/web.hpp"

namespace uci::net {

/// Who sends a request.
struct Visitor {
    std::string session;
    chezz::UserId user{};
    bool is_new = false;     ///< has been given a session just now
    bool is_stored = false;  ///< that the store keeps
};

/// Knows those again who bring the cookie of a session. A session is stored only when someone
/// takes a seat with it; until then a limited number is remembered here, so that visitors who
/// want nothing leave nothing behind. Belongs to the server's thread.
class ChezzSessions {
public:
    explicit ChezzSessions(StoreDesk& desk) : desk_{desk} {}

    /// Who sends a request; an Error when the store fails that would know.
    void recognise(const HttpRequest& request, StoreDesk::Then<Visitor> then);

    /// A visitor's session is in the store now.
    void note_stored(const Visitor& visitor) { remembered_.forget(visitor.session); }

    /// A new number for a game or a person.
    std::int64_t new_number();

private:
    Visitor stranger();

    StoreDesk& desk_;
    Randomness randomness_;
    Recent<std::string, chezz::UserId> remembered_{chezz::Limits::visitors};
};

/// Stores the session of a visitor who takes a seat, if it is not stored yet. Blocks: for the
/// store's thread.
std::optional<core::Error> keep(store::Store& store, const Visitor& visitor);

/// The cookie with which a visitor is known again, for a Set-Cookie header.
std::string session_cookie(const Visitor& visitor, const HttpRequest& request);

}  // namespace uci::net
