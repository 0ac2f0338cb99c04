#include "uci/json/dialect.hpp"

#include <deque>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "core/notation.hpp"
#include "core/text.hpp"

#include "uci/json/flag_timer.hpp"
#include "uci/json/session.hpp"
#include "uci/json/strict_object.hpp"
#include "uci/server/synced_values.hpp"
#include "uci/transport/unanswered_lines.hpp"

namespace uci::json {

namespace {

/// Lines that may wait for their answers. Beyond that the client's input is not read.
constexpr std::size_t max_unanswered_lines = 64;

/// Lines on their way from the reader to the writer, in order with the engine's responses. Nothing
/// instead of a line: the time of the player to move is over.
using Lines = server::SyncedValues<std::optional<std::string>>;

/// The writer thread: takes lines and search results from the engine's queue, writes answers.
class ResponseWriter {
public:
    ResponseWriter(engine::GeneralInterface& engine,
                   transport::Transport& transport,
                   Session& session,
                   Lines& lines,
                   transport::UnansweredLines& unanswered)
        : engine_{engine},
          transport_{transport},
          lines_{lines},
          unanswered_{unanswered},
          session_{session} {}

    void run() {
        while (auto response = engine_.next_response()) {
            check_flag();
            if (const auto* marker = std::get_if<engine::Synced>(&*response))
                receive(*marker);
            else if (const auto* best = std::get_if<engine::BestMove>(&*response))
                write(session_.finish(*best));
            else if (const auto* explained = std::get_if<engine::Explained>(&*response))
                end_explanation(explained->explanation);
            else if (std::holds_alternative<engine::Refused>(*response)
                     || std::holds_alternative<engine::Notice>(*response))
                end_explanation(std::nullopt);
            handle_pending();
            const auto& clock = session_.clock();
            flag_timer_.set(clock ? clock->flag_time() : std::nullopt);
        }
    }

private:
    void receive(const engine::Synced& marker) {
        if (auto line = lines_.receive(marker))
            pending_.push_back(std::move(*line));
    }
    /// Ends the game if the time of the player to move is over.
    void check_flag() {
        const auto end = session_.end_by_clock();
        if (!end)
            return;
        write_messages(*end);
        if (session_.is_thinking())
            engine_.stop();
    }
    void handle_pending() {
        while (!pending_.empty() && !session_.is_thinking()) {
            check_flag();
            const auto result = session_.handle_message(pending_.front());
            pending_.pop_front();
            if (const auto* answer = std::get_if<Answer>(&result))
                write(*answer);
            else if (const auto* limits = std::get_if<engine::Limits>(&result))
                search(*limits);
            else
                explain(*std::get_if<ExplanationTask>(&result));
        }
    }
    void write(const Answer& answer) {
        write_messages(answer);
        unanswered_.remove();
    }
    /// Writes an answer, and what the clocks show if it tells of the game.
    void write_messages(const Answer& answer) {
        for (const auto& message : answer.messages)
            transport_.write_line(message);
        if (answer.audience == Audience::everyone && session_.clock())
            transport_.write_line(clock_message(*session_.clock(), GameClock::Time::clock::now()));
    }
    void search(engine::Limits limits) {
        // The number of the game makes a limited-strength player err differently in each.
        engine_.set_game(session_.game(), limits.elo ? session_.games_before() : 0);
        engine_.go(std::move(limits));
    }
    void explain(const ExplanationTask& task) {
        explains_ = task;
        engine_.set_game(task.game);
        engine_.why(task.move ? std::optional{core::to_uci(*task.move,
                                                           core::CastlingStyle::king_takes_rook)}
                              : std::nullopt);
    }
    void end_explanation(const std::optional<engine::explain::Explanation>& explanation) {
        if (const auto task = std::exchange(explains_, std::nullopt))
            write(session_.finish(*task, explanation));
    }

    engine::GeneralInterface& engine_;
    transport::Transport& transport_;
    Lines& lines_;
    transport::UnansweredLines& unanswered_;
    Session& session_;
    std::deque<std::string> pending_;
    std::optional<ExplanationTask> explains_;
    FlagTimer flag_timer_{[this] { lines_.send(std::nullopt); }};
};

/// The message in a line: without the CR of a CR LF, and cut right after the size limit, so that a
/// line that is too long is still recognised as such.
std::string message_in(std::string_view line) {
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return std::string{line.substr(0, max_message_size + 1)};
}

}  // namespace

void JsonDialect::run(transport::Transport& transport) {
    transport::UnansweredLines unanswered{max_unanswered_lines};
    Lines lines{engine_};
    std::thread writer{[&] {
        ResponseWriter{engine_, transport, session_, lines, unanswered}.run();
    }};
    while (const auto line = transport.read_line()) {
        unanswered.add();
        lines.send(message_in(*line));
    }
    unanswered.wait_until_none();
    engine_.quit();
    writer.join();
}

const DialectInfo dialect_info{
    "json", "JSON messages, one on each line",
    [](std::string_view first_line) {
        return core::Words{first_line}.peek().value_or("").starts_with('{');
    },
    [](engine::GeneralInterface& engine,
       const DialectOptions& options) -> std::unique_ptr<Dialect> {
        const auto spelling =
            options.write_misspelt_catpure ? Spelling::also_misspelt : Spelling::correct;
        return std::make_unique<JsonDialect>(engine, Session{spelling, options.tablebases});
    }};

}  // namespace uci::json
