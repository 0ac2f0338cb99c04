#include "uci/commands/worker.hpp"

#include <algorithm>
#include <system_error>
#include <thread>

#include "uci/command_line.hpp"
#include "uci/commands/queue_option.hpp"
#include "uci/util/interrupt.hpp"
#include "uci/util/log.hpp"
#include "uci/util/platform.hpp"

#if defined(PARLEY_REDIS)
#include "uci/server/queue/redis_url.hpp"
#include "uci/server/queue/worker.hpp"
#endif

namespace uci::commands {

namespace {

struct Options {
    std::string url;
    std::string syzygy;
    int threads = 1;
    int megabytes = 256;
    int drain_seconds = 10;
};

void add_options(CommandLine& line, Options& options) {
    line.text("--queue", options.url, "URL",
              "The Redis with the jobs: redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE], with TLS "
              "rediss://...[?ca=FILE&cert=FILE&key=FILE]",
              check_queue_url);
    line.number("--threads", options.threads, 1, 1024,
                "Jobs at the same time, one thread for each");
    line.number("--hash", options.megabytes, 1, 65'536,
                "Most MB of the transposition table of each job; jobs that need more are refused");
    add_syzygy_option(line, options.syzygy);
    line.number("--drain-time", options.drain_seconds, 0, 86'400,
                "Seconds that running jobs may take to end when the worker is stopped; after that "
                "they are given back");
    line.footer(
        "Any number of workers, on any number of machines, share the jobs of one Redis (6.2 or "
        "later).\n"
        "They need the same version and network as the programs with --queue. A worker can be "
        "stopped\n"
        "or lost at any time: others do its jobs. See 'parley queue status'.");
}

#if defined(PARLEY_REDIS)

int run(const Options& options) {
    const auto tablebases = open_tablebases(options.syzygy);
    if (!tablebases)
        return report_failure("worker", tablebases.reason());
    server::queue::WorkerSettings settings;
    settings.address = *server::queue::read_redis_url(options.url);
    settings.threads = options.threads;
    settings.most_megabytes = static_cast<std::size_t>(options.megabytes);
    settings.drain_time = std::chrono::seconds{options.drain_seconds};
    settings.tablebases = *tablebases;
    util::ignore_broken_pipes();  // a connection may end at any time
    util::set_log_level(util::LogLevel::info);
    try {
        server::queue::Worker{std::move(settings)}.run(util::interrupt_requested());
    }
    catch (const std::system_error& failure) {
        return report_failure("worker", failure.what());
    }
    return exit_success;
}

#else

int run(const Options& /*options*/) {
    return report_failure("worker", "this program was built without Redis");
}

#endif

}  // namespace

int worker(std::span<const std::string> arguments) {
    Options options;
    options.threads = util::usable_processors();
    CommandLine line{"worker", "Does the searches of other programs, which it gets through Redis."};
    add_options(line, options);
    if (const auto status = line.parse(arguments))
        return *status;
    if (options.url.empty())
        return line.refuse("--queue is required");
    return run(options);
}

}  // namespace uci::commands
