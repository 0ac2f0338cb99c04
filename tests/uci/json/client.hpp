#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "uci/json/session.hpp"

#include "tests/catch.hpp"

namespace tests {

using Json = nlohmann::ordered_json;

inline const std::string failure =
    R"({"message_type":"failure","message":"failure: illegal move, please retry"})";

inline std::string request(std::string_view type) {
    return R"({"message_type":")" + std::string{type} + R"("})";
}
inline std::string move_request(std::string_view from, std::string_view to) {
    return Json{{"message_type", "peice move"}, {"from", from}, {"to", to}}.dump();
}
inline std::string choice_request(std::string_view piece) {
    return Json{{"message_type", "piece_promotion_choice"}, {"piece_choice", piece}}.dump();
}
inline std::string new_game_request(std::string_view fen) {
    return Json{{"message_type", "new_game"}, {"fen", fen}}.dump();
}

/// The answer to a message that needs no search.
inline uci::json::Answer answer_to(uci::json::Session& session, std::string_view message) {
    const auto result = session.handle_message(message);
    INFO(message);
    REQUIRE(std::holds_alternative<uci::json::Answer>(result));
    return *std::get_if<uci::json::Answer>(&result);
}

inline std::vector<std::string> messages_after(uci::json::Session& session,
                                               std::string_view message) {
    return answer_to(session, message).messages;
}

/// The same session after a new game that starts from a FEN.
inline uci::json::Session session_at(std::string_view fen, uci::json::Session session) {
    const auto answer = answer_to(session, new_game_request(fen));
    INFO(fen);
    REQUIRE(answer.audience == uci::json::Audience::everyone);
    return session;
}

/// A session whose game starts from a FEN.
inline uci::json::Session session_at(std::string_view fen,
                                     uci::json::Spelling spelling = uci::json::Spelling::correct) {
    return session_at(fen, uci::json::Session{spelling});
}

/// The events in the first message of an answer.
inline std::string events_in(const std::vector<std::string>& messages) {
    return Json::parse(messages.at(0)).at("events").dump();
}

}  // namespace tests
