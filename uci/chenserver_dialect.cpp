#include "uci/chenserver_dialect.hpp"

#include <semaphore>
#include <thread>

#include "uci/chenserver/desk.hpp"

namespace uci {

namespace {

/// Lines that may wait for their answer before no more are read.
constexpr std::ptrdiff_t most_waiting = 64;
/// A longer line cannot be parsed.
constexpr std::size_t longest_line = 1'048'576;

bool is_exit(const std::string& line) {
    const auto question = chenserver::read_question(line);
    const auto* understood = std::get_if<chenserver::Question>(&question);
    return understood && understood->verb == chenserver::Verb::exit;
}

using Room = std::counting_semaphore<most_waiting>;

/// Answers lines until the engine has nothing more to say. They come through the engine's own
/// queue of responses, so that they and what the engine says meet in one thread, in order.
void answer_lines(engine::GeneralInterface& engine, Transport& transport, Room& room) {
    chenserver::Desk desk{engine};
    const auto reply = [&](const std::string& answer) {
        transport.write_line(answer);
        room.release();
    };
    while (const auto response = engine.next_response()) {
        if (const auto* line = std::get_if<engine::Echo>(&*response))
            desk.submit(line->text, reply);
        else
            desk.take(*response);
    }
}

}  // namespace

void ChenserverDialect::run(Transport& transport) {
    Room room{most_waiting};
    std::thread clerk{[&] { answer_lines(engine_, transport, room); }};
    while (const auto line = transport.read_line()) {
        room.acquire();
        engine_.echo(line->size() > longest_line ? "" : *line);
        if (is_exit(*line))
            break;
    }
    for (std::ptrdiff_t i = 0; i < most_waiting; ++i)
        room.acquire();
    engine_.quit();
    clerk.join();
}

}  // namespace uci
