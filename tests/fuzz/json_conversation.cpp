#include "tests/fuzz/json_conversation.hpp"

#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/fen.hpp"
#include "core/movegen.hpp"

#include "uci/json/session.hpp"

namespace tests {

namespace {

using uci::json::Answer;
using uci::json::Audience;
using uci::json::Session;

constexpr const char* state_request = R"({"message_type":"get_legal_moveset"})";

/// The answer to a message; where the engine is asked, it plays the first legal move.
Answer complete_answer(Session& session, std::string_view message) {
    const auto result = session.handle_message(message);
    if (const auto* answer = std::get_if<Answer>(&result))
        return *answer;
    const auto legal = core::legal_moves(session.game().position());
    return session.finish({legal[0], std::nullopt, {}, 0});
}

std::string fen_of(const Session& session) {
    return core::fen(session.game().position());
}

std::optional<std::string> fault_of_message(const std::string& message) {
    const auto json = nlohmann::json::parse(message, nullptr, false);
    if (!json.is_object() || !json.contains("message_type"))
        return "not a message: " + message;
    if (message.find('\n') != std::string::npos)
        return "more than one line: " + message;
    return std::nullopt;
}

std::optional<std::string> fault_of_answer(const Answer& answer) {
    if (answer.messages.empty() || answer.messages.size() > 3)
        return std::to_string(answer.messages.size()) + " messages in one answer";
    for (const auto& message : answer.messages) {
        if (auto fault = fault_of_message(message))
            return fault;
    }
    const bool failed = answer.messages.front() == uci::json::failure();
    if (failed != (answer.audience == Audience::rejected_sender_only))
        return "a failure with the wrong audience: " + answer.messages.front();
    return std::nullopt;
}

std::optional<std::string> fault_in_exchange(Session& session, std::string_view line) {
    const auto fen = fen_of(session);
    const auto state_before = complete_answer(session, state_request).messages;
    const auto answer = complete_answer(session, line);
    if (auto fault = fault_of_answer(answer))
        return fault;
    if (session.is_thinking())
        return "still thinking";
    const bool changed =
        fen_of(session) != fen || complete_answer(session, state_request).messages != state_before;
    if (changed && answer.audience == Audience::rejected_sender_only)
        return "a rejected message changed the game";
    return std::nullopt;
}

}  // namespace

std::optional<std::string> fault_in_json_conversation(std::string_view lines) {
    Session session;
    while (!lines.empty()) {
        const auto line = lines.substr(0, lines.find('\n'));
        if (auto fault = fault_in_exchange(session, line))
            return fault;
        lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    }
    return std::nullopt;
}

}  // namespace tests
