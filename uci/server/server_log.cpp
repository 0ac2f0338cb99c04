#include "uci/server/server_log.hpp"

#include <cerrno>
#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "uci/util/log.hpp"
#include "uci/util/platform.hpp"

namespace uci::server {

namespace {

using util::LogFormat;
using util::LogLevel;

constexpr std::size_t max_unwritten_lines = 8'192;
constexpr std::chrono::seconds max_close_wait{1};

// RFC 3339, in UTC.
constexpr const char* text_pattern = "%Y-%m-%dT%H:%M:%S.%eZ %-5l %v";
constexpr const char* json_pattern = R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})";

spdlog::level::level_enum spdlog_level(LogLevel level) {
    switch (level) {
        case LogLevel::none: break;
        case LogLevel::error: return spdlog::level::err;
        case LogLevel::info: return spdlog::level::info;
        case LogLevel::debug: return spdlog::level::debug;
    }
    return spdlog::level::off;
}

/// Writes to a file, or to standard error. Unlike spdlog's own sinks it takes no lock of the C
/// library's, for which the program's end would wait if a full pipe holds a line up for ever. What
/// cannot be written is dropped.
class DescriptorSink : public spdlog::sinks::base_sink<std::mutex> {
public:
    /// Without a file, standard error.
    explicit DescriptorSink(std::optional<int> file) : file_{file} {}
    ~DescriptorSink() override {
        if (file_)
            util::close_file(*file_);
    }
    DescriptorSink(const DescriptorSink&) = delete;
    DescriptorSink& operator=(const DescriptorSink&) = delete;
    DescriptorSink(DescriptorSink&&) = delete;
    DescriptorSink& operator=(DescriptorSink&&) = delete;

protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        spdlog::memory_buf_t line;
        formatter_->format(message, line);
        std::string_view rest{line.data(), line.size()};
        while (!rest.empty()) {
            const auto count = file_ ? util::write_file(*file_, rest.data(), rest.size())
                                     : util::write_error(rest.data(), rest.size());
            if (count <= 0)
                return;
            rest.remove_prefix(static_cast<std::size_t>(count));
        }
    }
    void flush_() override {}

private:
    std::optional<int> file_;
};

core::Result<spdlog::sink_ptr> make_sink(const std::string& path) {
    if (path.empty())
        return spdlog::sink_ptr{std::make_shared<DescriptorSink>(std::nullopt)};
    const int file = util::open_to_append(path);
    if (file < 0)
        return core::Error{"--log-file: '" + path
                           + "' cannot be opened: " + std::generic_category().message(errno)};
    return spdlog::sink_ptr{std::make_shared<DescriptorSink>(file)};
}

}  // namespace

struct ServerLog::Implementation {
    std::shared_ptr<spdlog::details::thread_pool> pool =
        std::make_shared<spdlog::details::thread_pool>(max_unwritten_lines, 1);
    std::shared_ptr<spdlog::async_logger> logger;
};

core::Result<std::unique_ptr<ServerLog>> ServerLog::open(const util::LogSettings& settings) {
    util::open_missing_standard_streams();
    util::restrict_new_files();  // the log has the addresses of all clients
    util::ignore_broken_pipes();
    const auto made = make_sink(settings.file);
    if (!made)
        return made.error();
    spdlog::sink_ptr sink = *made;
    const bool is_json = settings.format == LogFormat::json;
    sink->set_formatter(std::make_unique<spdlog::pattern_formatter>(
        is_json ? json_pattern : text_pattern, spdlog::pattern_time_type::utc));
    auto implementation = std::make_unique<Implementation>();
    auto logger =
        std::make_shared<spdlog::async_logger>("parley", std::move(sink), implementation->pool,
                                               spdlog::async_overflow_policy::overrun_oldest);
    logger->set_level(spdlog::level::trace);
    logger->flush_on(spdlog::level::trace);
    // By itself spdlog would report on standard error.
    logger->set_error_handler([](const std::string&) {});
    implementation->logger = logger;
    const auto format = is_json ? util::log_line_as_json : util::log_line_as_text;
    util::set_log_sink(
        [logger, format](LogLevel level, std::string_view text, util::LogFields fields) {
            logger->log(spdlog_level(level), spdlog::string_view_t{format(text, fields)});
        });
    return std::unique_ptr<ServerLog>{new ServerLog{std::move(implementation)}};
}

ServerLog::ServerLog(std::unique_ptr<Implementation> implementation)
    : implementation_{std::move(implementation)} {}

// The pool's destructor waits for ever if somebody holds the other end of a full pipe open, so it
// runs in a thread of its own, which then ends with the process.
ServerLog::~ServerLog() {
    util::set_log_sink(nullptr);
    std::promise<void> written;
    auto is_written = written.get_future();
    try {
        std::thread{[log = std::move(implementation_), done = std::move(written)]() mutable {
            log.reset();
            done.set_value();
        }}.detach();
        is_written.wait_for(max_close_wait);
    }
    catch (const std::system_error&) {
        // There is no thread for it, and the lambda with the pool is gone: it has waited.
        return;
    }
}

}  // namespace uci::server
