#include "uci/chenserver/desk.hpp"

#include <utility>

namespace uci::chenserver {

namespace {

Shelf::Time now() {
    return std::chrono::steady_clock::now();
}

}  // namespace

void Desk::submit(const std::string& line, Reply reply) {
    if (ended_)
        return;
    waiting_.push_back({read_question(line), std::move(reply)});
    const auto* question = std::get_if<Question>(&waiting_.back().question);
    if (question && question->verb == Verb::halt && thinking_
        && thinking_->game_name == question->game)
        engine_.stop();
    go_on();
}

void Desk::go_on() {
    while (!ended_ && !thinking_ && !waiting_.empty()) {
        const Matter matter = std::move(waiting_.front());
        waiting_.pop_front();
        handle(matter);
    }
}

void Desk::handle(const Matter& matter) {
    const auto* question = std::get_if<Question>(&matter.question);
    if (!question) {
        matter.reply(std::get<std::string>(matter.question));
        return;
    }
    ended_ = question->verb == Verb::exit;
    auto answer = clerk_.answer(*question, now());
    if (auto* thinking = std::get_if<Thinking>(&answer))
        begin(std::move(*thinking), matter.reply);
    else
        matter.reply(std::get<std::string>(answer));
}

void Desk::begin(Thinking thinking, Reply reply) {
    engine_.set_game(thinking.game);
    if (thinking.verb == Verb::evaluate) {
        engine_.ask("evaluate");
    }
    else {
        engine::Limits limits;
        limits.move_time = thinking.time;
        engine_.go(std::move(limits));
    }
    thinking_ = std::move(thinking);
    thinking_reply_ = std::move(reply);
}

void Desk::take(const engine::Response& response) {
    if (!thinking_)
        return;
    if (const auto* snapshot = std::get_if<engine::Snapshot>(&response))
        finish("OK " + std::to_string(snapshot->evaluation));
    else if (const auto* best = std::get_if<engine::BestMove>(&response))
        finish(best->move ? clerk_.finish(*thinking_, *best->move, now()) : "THINK_ERROR");
}

void Desk::finish(const std::string& answer) {
    thinking_.reset();
    const Reply reply = std::exchange(thinking_reply_, nullptr);
    reply(answer);
    go_on();
}

}  // namespace uci::chenserver
