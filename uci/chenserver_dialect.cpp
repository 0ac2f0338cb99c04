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

}  // namespace

void ChenserverDialect::run(Transport& transport) {
    std::counting_semaphore<most_waiting> room{most_waiting};
    // Lines come to the desk through the engine's own queue of responses, so that they and what
    // the engine says meet in one thread, in order.
    std::thread clerk{[&] {
        chenserver::Desk desk{engine_};
        while (const auto response = engine_.next_response()) {
            if (const auto* line = std::get_if<engine::Echo>(&*response)) {
                desk.submit(line->text, [&](const std::string& answer) {
                    transport.write_line(answer);
                    room.release();
                });
            }
            else {
                desk.take(*response);
            }
        }
    }};
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
