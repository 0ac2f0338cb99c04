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

constexpr const char* question = R"({"message_type":"get_legal_moveset"})";

/// The answer to a message, from the engine too where that is asked.
Answer complete_answer(Session& session, std::string_view message) {
    const auto step = session.take(message);
    if (const auto* answer = std::get_if<Answer>(&step))
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
        return "no message: " + message;
    if (message.find('\n') != std::string::npos)
        return "more than a line: " + message;
    return std::nullopt;
}

std::optional<std::string> fault_of_answer(const Answer& answer) {
    if (answer.messages.empty() || answer.messages.size() > 3)
        return std::to_string(answer.messages.size()) + " messages in an answer";
    for (const auto& message : answer.messages) {
        if (auto fault = fault_of_message(message))
            return fault;
    }
    const bool failed = answer.messages.front() == uci::json::failure();
    if (failed != (answer.audience == Audience::sender_refused))
        return "a failure for the wrong ones: " + answer.messages.front();
    return std::nullopt;
}

std::optional<std::string> fault_in_exchange(Session& session, std::string_view line) {
    const auto fen = fen_of(session);
    const auto situation = complete_answer(session, question).messages;
    const auto answer = complete_answer(session, line);
    if (auto fault = fault_of_answer(answer))
        return fault;
    if (session.is_thinking())
        return "still thinking";
    const bool changed =
        fen_of(session) != fen || complete_answer(session, question).messages != situation;
    if (changed && answer.audience == Audience::sender_refused)
        return "a refused message changed the game";
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
