#include "uci/mcp/dialect.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/text.hpp"

#include "uci/mcp/engine_analyser.hpp"
#include "uci/mcp/session.hpp"

namespace uci::mcp {

namespace {

/// Calls that may wait for the one that is running.
constexpr std::size_t max_waiting_calls = 16;

/// Writes lines from several threads.
class Output {
public:
    explicit Output(transport::Transport& transport) : transport_{transport} {}

    void write(std::string_view line) {
        const std::lock_guard lock{mutex_};
        transport_.write_line(line);
    }

private:
    std::mutex mutex_;
    transport::Transport& transport_;
};

/// Tells the client how far a call has come, a few times a second. Used by any thread.
class ProgressWriter {
public:
    ProgressWriter(std::optional<Json> token, Output& output)
        : token_{std::move(token)},
          output_{output} {}

    void report(double done, double total, const std::string& text) {
        constexpr std::chrono::milliseconds min_interval{100};
        if (!token_)
            return;
        const std::lock_guard lock{mutex_};
        const auto now = std::chrono::steady_clock::now();
        // The number must rise each time.
        if (done <= last_ || now - written_at_ < min_interval)
            return;
        last_ = done;
        written_at_ = now;
        Json params{{"progressToken", *token_}, {"progress", done}, {"message", text}};
        if (total > 0)
            params["total"] = total;
        output_.write(notification("notifications/progress", std::move(params)));
    }

private:
    const std::optional<Json> token_;
    Output& output_;
    std::mutex mutex_;  ///< guards what follows
    double last_ = 0;
    std::chrono::steady_clock::time_point written_at_;
};

/// The worker thread and the calls that wait for it.
class Worker {
public:
    Worker(engine::GeneralInterface& engine, Output& output)
        : analyser_{engine},
          output_{output},
          thread_{[this] { run(); }} {}
    /// Ends the call that is running, and waits until those that wait are answered.
    ~Worker() {
        {
            const std::lock_guard lock{mutex_};
            closed_ = true;
            analyser_.end();
        }
        changed_.notify_one();
        thread_.join();
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    Worker(Worker&&) = delete;
    Worker& operator=(Worker&&) = delete;

    /// False if too many calls are waiting.
    bool add(ToolCall call) {
        const std::lock_guard lock{mutex_};
        if (waiting_.size() >= max_waiting_calls)
            return false;
        waiting_.push_back(std::move(call));
        changed_.notify_one();
        return true;
    }

    /// Nothing happens if there is no such call.
    void cancel(const Json& id) {
        const std::lock_guard lock{mutex_};
        std::erase_if(waiting_, [&](const ToolCall& call) { return call.id == id; });
        if (running_ && *running_ == id) {
            running_.reset();
            analyser_.stop();
        }
    }

private:
    void run() {
        while (const auto call = next()) {
            ProgressWriter progress{call->progress_token, output_};
            auto result = run_tool(*call->tool, call->arguments, analyser_,
                                   [&](double done, double total, const std::string& text) {
                                       progress.report(done, total, text);
                                   });
            if (was_wanted())
                output_.write(answer_to(call->id, std::move(result)));
        }
    }
    std::optional<ToolCall> next() {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
        if (waiting_.empty())
            return std::nullopt;
        auto call = std::move(waiting_.front());
        waiting_.pop_front();
        running_ = call.id;
        analyser_.begin();
        return call;
    }
    /// Whether the call that was running has not been cancelled; it is over now.
    bool was_wanted() {
        const std::lock_guard lock{mutex_};
        return std::exchange(running_, std::nullopt).has_value();
    }

    EngineAnalyser analyser_;
    Output& output_;
    std::mutex mutex_;  ///< guards what follows
    std::condition_variable changed_;
    std::deque<ToolCall> waiting_;
    std::optional<Json> running_;  ///< its id, until it is cancelled
    bool closed_ = false;
    std::thread thread_;
};

/// Carries out what the session makes of a line.
class Reactions {
public:
    Reactions(Worker& worker, Output& output) : worker_{worker}, output_{output} {}

    void operator()(const std::string& line) { output_.write(line); }
    void operator()(const Cancellation& cancellation) { worker_.cancel(cancellation.id); }
    void operator()(const ToolCall& call) {
        if (!worker_.add(call))
            output_.write(
                error_message({call.id, ErrorCode::internal_error,
                               fmt::format("{} calls are waiting already", max_waiting_calls)}));
    }

private:
    Worker& worker_;
    Output& output_;
};

}  // namespace

void McpDialect::run(transport::Transport& transport) {
    Output output{transport};
    {
        Session session;
        Worker worker{engine_, output};
        Reactions react{worker, output};
        while (const auto line = transport.read_line()) {
            for (const auto& reaction : session.handle_line(*line))
                std::visit(react, reaction);
        }
    }
    engine_.quit();
}

const DialectInfo dialect_info{
    "mcp", "the Model Context Protocol: tools for language models, as JSON-RPC on each line",
    [](std::string_view first_line) {
        return core::Words{first_line}.peek().value_or("").starts_with('{')
            && first_line.find("\"jsonrpc\"") != std::string_view::npos;
    },
    [](engine::GeneralInterface& engine, const DialectOptions& /*options*/)
        -> std::unique_ptr<Dialect> { return std::make_unique<McpDialect>(engine); }};

}  // namespace uci::mcp
