#include "uci/commands/queue.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "uci/command_line.hpp"
#include "uci/commands/queue_option.hpp"
#include "uci/util/interrupt.hpp"
#include "uci/util/platform.hpp"

#if defined(PARLEY_REDIS)
#include "uci/server/queue/queue_status.hpp"
#include "uci/server/queue/redis_url.hpp"
#include "uci/server/queue/remote_runner.hpp"
#endif

namespace uci::commands {

namespace {

using Arguments = std::span<const std::string>;

struct Options {
    std::string url;
    bool json = false;
    bool once = false;
    bool retry = false;
    bool remove = false;
    int jobs = 10'000;
    int milliseconds = 0;
    int window = 1'024;
    std::size_t priority = 2;
};

void add_url(CommandLine& line, Options& options) {
    line.text("--queue", options.url, "URL",
              "The Redis: redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE], with TLS "
              "rediss://...[?ca=FILE&cert=FILE&key=FILE]",
              check_queue_url);
    line.flag("--json", options.json, "Write JSON");
}

/// An exit status if the program shall end now.
std::optional<int> parse(CommandLine& line, const Options& options, Arguments arguments) {
    if (const auto status = line.parse(arguments))
        return status;
    if (options.url.empty())
        return line.refuse("--queue is required");
    util::ignore_broken_pipes();  // a connection may end at any time
    return std::nullopt;
}

#if defined(PARLEY_REDIS)

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;
using server::queue::QueueStatus;

constexpr int bar_width = 30;
constexpr std::chrono::milliseconds sample_time{1'000};

int fail(const core::Error& error) {
    return report_failure("queue", error.reason);
}

std::string dumped(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

double seconds_of(std::chrono::milliseconds time) {
    return static_cast<double>(time.count()) / 1'000;
}

/// The part of the workers' threads that have a job.
std::string bar_of(const QueueStatus& status) {
    const auto threads = std::max<std::int64_t>(status.threads(), 1);
    const auto full =
        static_cast<std::size_t>(std::min(status.busy(), threads) * bar_width / threads);
    return "[" + std::string(full, '#') + std::string(bar_width - full, '.') + "]";
}

std::string status_text(const QueueStatus& status, const std::string& id, double per_second) {
    auto text = fmt::format("queue {}\n{} {} of {} threads busy, {:.1f} jobs/s\n", id,
                            bar_of(status), status.busy(), status.threads(), per_second);
    text += fmt::format("{:<10}{:>9}{:>9}{:>12}  {}\n", "priority", "waiting", "in work", "done",
                        "oldest job");
    for (std::size_t i = 0; i < status.priorities.size(); ++i) {
        const auto& of = status.priorities[i];
        const auto age = of.oldest ? fmt::format("{:.1f} s", seconds_of(*of.oldest)) : "-";
        text += fmt::format("{:<10}{:>9}{:>9}{:>12}  {}\n", server::queue::priority_names[i],
                            of.waiting, of.taken, of.done, age);
    }
    text += fmt::format("workers: {}\n", status.workers.size());
    for (const auto& worker : status.workers)
        text += fmt::format("  {:<36} {:>4} of {:>4} busy {:>10} done\n", worker.name, worker.busy,
                            worker.threads, worker.done);
    if (status.dead > 0)
        text += fmt::format("{} jobs were put aside: parley queue dead\n", status.dead);
    return text;
}

Json status_json(const QueueStatus& status, const std::string& id, double per_second) {
    Json json{{"queue", id},
              {"threads", status.threads()},
              {"busy", status.busy()},
              {"jobs_per_second", per_second},
              {"dead", status.dead}};
    for (std::size_t i = 0; i < status.priorities.size(); ++i) {
        const auto& of = status.priorities[i];
        json["priorities"][std::string{server::queue::priority_names[i]}] = {
            {"waiting", of.waiting},
            {"taken", of.taken},
            {"done", of.done},
            {"oldest_ms", of.oldest ? Json(of.oldest->count()) : Json(nullptr)}};
    }
    json["workers"] = Json::array();
    for (const auto& worker : status.workers)
        json["workers"].push_back({{"name", worker.name},
                                   {"threads", worker.threads},
                                   {"busy", worker.busy},
                                   {"done", worker.done}});
    return json;
}

int show_status(const Options& options) {
    server::queue::JobStreams streams{*server::queue::read_redis_url(options.url),
                                      server::queue::own_queue()};
    const auto& stop = util::interrupt_requested();
    const bool refreshes = !options.json && !options.once && util::standard_error_is_terminal();
    auto before = server::queue::read_status(streams);
    auto then = Clock::now();
    while (before) {
        for (int tenth = 0; tenth < 10 && !stop; ++tenth)
            std::this_thread::sleep_for(sample_time / 10);
        auto status = server::queue::read_status(streams);
        if (!status)
            return fail(status.error());
        const std::chrono::duration<double> passed = Clock::now() - then;
        const double per_second =
            static_cast<double>(status->done() - before->done()) / passed.count();
        if (options.json)
            fmt::print("{}\n", dumped(status_json(*status, streams.keys().id(), per_second)));
        else  // a terminal is cleared before
            fmt::print("{}{}", refreshes ? "\x1b[H\x1b[2J" : "",
                       status_text(*status, streams.keys().id(), per_second));
        if (!refreshes || stop || !output_is_written())
            return status_with_output("queue", exit_success);
        before = std::move(status);
        then = Clock::now();
    }
    return fail(before.error());
}

int show_dead(const Options& options) {
    constexpr int most = 1'000;
    server::queue::JobStreams streams{*server::queue::read_redis_url(options.url),
                                      server::queue::own_queue()};
    const auto jobs = server::queue::read_dead(streams, most);
    if (!jobs)
        return fail(jobs.error());
    for (const auto& job : *jobs) {
        if (options.json)
            fmt::print("{}\n", dumped({{"entry", job.entry},
                                       {"priority", job.priority},
                                       {"reason", job.reason},
                                       {"producer", job.producer},
                                       {"job", job.job}}));
        else
            fmt::print("{}  {}  from {}\n  {}\n  {}\n", job.entry, job.priority, job.producer,
                       job.reason, job.job);
    }
    std::optional<core::Error> error;
    if (options.retry)
        error = server::queue::retry_dead(streams, *jobs);
    else if (options.remove)
        error = server::queue::delete_dead(streams, *jobs);
    if (error)
        return fail(*error);
    if (!options.json)
        fmt::print("{} jobs{}\n", jobs->size(),
                   options.retry    ? " are queued again"
                   : options.remove ? " are deleted"
                                    : " were put aside");
    return status_with_output("queue", exit_success);
}

int run_measurement(const Options& options) {
    server::queue::RemoteSettings settings;
    settings.address = *server::queue::read_redis_url(options.url);
    settings.priority = static_cast<server::queue::JobPriority>(options.priority);
    settings.window = static_cast<std::size_t>(options.window);
    settings.notice = [](const std::string& message) { report_failure("queue", message); };
    engine::jobs::Job job;
    job.kind = engine::jobs::JobKind::pause;
    job.limits.movetime = engine::Milliseconds{options.milliseconds};
    const std::vector<engine::jobs::Job> jobs(static_cast<std::size_t>(options.jobs), job);
    std::vector<double> intervals;
    const auto start = Clock::now();
    auto last = start;
    const auto error = server::queue::RemoteRunner{settings}.run(
        jobs, util::interrupt_requested(), [&](std::size_t, const engine::jobs::JobResult&) {
            const auto now = Clock::now();
            intervals.push_back(std::chrono::duration<double, std::milli>(now - last).count());
            last = now;
            return true;
        });
    if (error)
        return fail(*error);
    const double seconds = std::chrono::duration<double>(last - start).count();
    if (intervals.empty())
        return fail({"no job was done"});
    const auto count = intervals.size();
    std::sort(intervals.begin(), intervals.end());
    const double per_second = static_cast<double>(count) / seconds;
    const double median = intervals[count / 2];
    const double most = intervals[count * 99 / 100];
    if (options.json)
        fmt::print("{}\n", dumped({{"jobs", count},
                                   {"seconds", seconds},
                                   {"jobs_per_second", per_second},
                                   {"interval_median_ms", median},
                                   {"interval_99_ms", most}}));
    else
        fmt::print(
            "{} jobs in {:.2f} s: {:.0f} jobs/s; from result to result {:.3f} ms (median), "
            "{:.3f} ms (99 %)\n",
            count, seconds, per_second, median, most);
    return status_with_output("queue", exit_success);
}

#else

int refuse_queue() {
    return report_failure("queue", "this program was built without Redis");
}
int show_status(const Options& /*options*/) {
    return refuse_queue();
}
int show_dead(const Options& /*options*/) {
    return refuse_queue();
}
int run_measurement(const Options& /*options*/) {
    return refuse_queue();
}

#endif

int status(Arguments arguments) {
    Options options;
    CommandLine line{"queue status",
                     "Shows the jobs and workers of a queue, on a terminal again "
                     "and again until Ctrl-C."};
    add_url(line, options);
    line.flag("--once", options.once, "Show it once on a terminal too");
    line.footer("Only the queue of this program's own version and network is shown.");
    const auto end = parse(line, options, arguments);
    return end ? *end : show_status(options);
}

int dead(Arguments arguments) {
    Options options;
    CommandLine line{"queue dead",
                     "Lists jobs that were put aside: no worker could read them, or three workers "
                     "fell silent over them."};
    add_url(line, options);
    line.flag("--retry", options.retry,
              "Queue them again, to see whether workers survive them now; nobody waits for the "
              "results");
    line.flag("--delete", options.remove, "Delete them");
    if (const auto end = parse(line, options, arguments))
        return *end;
    if (options.retry && options.remove)
        return line.refuse("--retry and --delete exclude each other");
    return show_dead(options);
}

int measure(Arguments arguments) {
    Options options;
    CommandLine line{"queue measure",
                     "Measures a queue by jobs that only wait, or that do nothing at all."};
    add_url(line, options);
    line.number("--jobs", options.jobs, 1, 10'000'000, "How many jobs");
    line.number("--pause", options.milliseconds, 0, 3'600'000, "Milliseconds that each job waits");
    line.number("--window", options.window, 1, 100'000, "Most jobs in the queue at a time");
    line.choice("--priority", {"player", "analysis", "bulk"}, "bulk", "Their priority",
                [&](std::string_view chosen) {
                    options.priority = chosen == "player" ? 0 : chosen == "analysis" ? 1 : 2;
                });
    const auto end = parse(line, options, arguments);
    return end ? *end : run_measurement(options);
}

struct Action {
    std::string_view name;
    std::string_view summary;
    int (*run)(Arguments);
};

constexpr std::array actions{
    Action{"status", "Show jobs and workers", status},
    Action{"dead", "List jobs that were put aside", dead},
    Action{"measure", "Measure how many jobs go through", measure},
};

void print_help() {
    fmt::print(
        "Shows the jobs and workers of a Redis, and jobs that were put aside.\n\n"
        "usage: parley queue ACTION [ARGUMENT...]\n\n");
    for (const Action& action : actions)
        fmt::print("  {:<9}{}\n", action.name, action.summary);
    fmt::print("\n'parley queue ACTION --help' lists the options of an action.\n");
}

}  // namespace

int queue(Arguments arguments) {
    const std::string name = arguments.empty() ? "" : arguments.front();
    if (name == "--help" || name == "-h") {
        print_help();
        return status_with_output("queue", exit_success);
    }
    if (name == CommandLine::help_as_json) {
        for (const Action& action : actions)
            action.run(arguments);
        return status_with_output("queue", exit_success);
    }
    std::vector<std::string> names;
    for (const Action& action : actions) {
        if (action.name == name)
            return action.run(arguments.subspan(1));
        names.emplace_back(action.name);
    }
    report_failure("queue", name.empty() ? "status, dead or measure is required"
                                         : unknown_message("action", name, names));
    return exit_usage;
}

}  // namespace uci::commands
