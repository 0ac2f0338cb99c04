#include "uci/json_dialect.hpp"

#include <deque>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "uci/json/members.hpp"
#include "uci/json/session.hpp"

namespace uci {

namespace {

/// So many lines may wait for their answers; a client that sends more is not read meanwhile.
constexpr std::ptrdiff_t most_waiting_lines = 64;

/// Taken by the reader for each line, given back by the speaker with the answer.
using Room = std::counting_semaphore<>;

/// The second thread's part: lines and the engine's moves come in, answers go out.
class Speaker {
public:
    Speaker(engine::GeneralInterface& engine,
            Transport& transport,
            json::Spelling spelling,
            Room& room)
        : engine_{engine},
          transport_{transport},
          room_{room},
          session_{spelling} {}

    void run() {
        while (auto response = engine_.next_response()) {
            if (auto* line = std::get_if<engine::Echo>(&*response))
                waiting_.push_back(std::move(line->text));
            else if (const auto* best = std::get_if<engine::BestMove>(&*response))
                say(session_.finish(*best));
            answer_waiting();
        }
    }

private:
    void answer_waiting() {
        while (!waiting_.empty() && !session_.is_thinking()) {
            const auto step = session_.take(waiting_.front());
            waiting_.pop_front();
            if (const auto* answer = std::get_if<json::Answer>(&step))
                say(*answer);
            else
                think(*std::get_if<engine::Limits>(&step));
        }
    }
    void say(const json::Answer& answer) {
        for (const auto& message : answer.messages)
            transport_.write_line(message);
        room_.release();
    }
    void think(engine::Limits limits) {
        engine_.set_game(session_.game());
        engine_.go(std::move(limits));
    }

    engine::GeneralInterface& engine_;
    Transport& transport_;
    Room& room_;
    json::Session session_;
    std::deque<std::string> waiting_;
};

/// A line as a message: without the first half of a CR LF, and no longer than is needed to see
/// that it is too long.
std::string as_message(std::string_view line) {
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return std::string{line.substr(0, json::longest_message + 1)};
}

}  // namespace

void JsonDialect::run(Transport& transport) {
    Room room{most_waiting_lines};
    std::thread speaker{[&] { Speaker{engine_, transport, spelling_, room}.run(); }};
    while (const auto line = transport.read_line()) {
        room.acquire();
        engine_.echo(as_message(*line));
    }
    // Once all the room has come back, everything that was read has been answered.
    for (std::ptrdiff_t i = 0; i < most_waiting_lines; ++i)
        room.acquire();
    engine_.quit();
    speaker.join();
}

}  // namespace uci
