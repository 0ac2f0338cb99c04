#include "uci/commands/doctor.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/large_memory.hpp"

#include "uci/command_line.hpp"
#include "uci/commands/doctor/engine_checks.hpp"
#include "uci/commands/doctor/lichess_bot.hpp"
#include "uci/commands/doctor/machine.hpp"

namespace uci::commands {

namespace {

// Ordered: the keys are printed in the order in which they are set.
using Json = nlohmann::ordered_json;

struct Options {
    std::string network;
    std::string tablebases;
    std::string books;
    std::string lichess_bot;
    bool json = false;
};

constexpr std::array<std::string_view, 4> level_names{"ok", "note", "warning", "broken"};

std::string_view name_of(Level level) {
    return level_names[static_cast<std::size_t>(level)];
}

/// Prints findings as they come, and counts them.
class Report {
public:
    explicit Report(bool json) : json_{json} {}

    void add(const CheckResult& finding) {
        ++counts_[static_cast<std::size_t>(finding.level)];
        if (json_) {
            Json json = Json::object();
            json["level"] = name_of(finding.level);
            json["subject"] = finding.subject;
            json["text"] = finding.text;
            if (!finding.remedy.empty())
                json["remedy"] = finding.remedy;
            print(json);
        }
        else {
            fmt::print("{:<8} {:<11}  {}{}{}\n", name_of(finding.level), finding.subject,
                       finding.text, finding.remedy.empty() ? "" : " -> ", finding.remedy);
        }
        static_cast<void>(std::fflush(stdout));
    }
    void add(const CheckResults& findings) {
        for (const auto& finding : findings)
            add(finding);
    }

    /// Prints the sums. Returns the exit status.
    int finish() const {
        if (json_) {
            Json json = Json::object();
            for (const auto level : {Level::ok, Level::note, Level::warning, Level::broken})
                json[std::string{name_of(level)}] = count(level);
            print(json);
        }
        else {
            fmt::print("\n{}\n", summary());
        }
        return status_with_output("doctor", count(Level::broken) > 0 ? exit_failure : exit_success);
    }

private:
    static void print(const Json& json) {
        fmt::print("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
    int count(Level level) const { return counts_[static_cast<std::size_t>(level)]; }
    std::string summary() const {
        const auto warnings = count(Level::warning);
        const auto warned = fmt::format("{} warning{}", warnings, warnings == 1 ? "" : "s");
        if (count(Level::broken) > 0)
            return fmt::format("{} broken, {}", count(Level::broken), warned);
        return warnings > 0 ? warned + ", nothing broken" : "Everything is fine.";
    }

    bool json_;
    std::array<int, level_names.size()> counts_{};
};

std::string environment(const char* name) {
    const char* const value =
        std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing changes it
    return value == nullptr ? "" : value;
}

bool can_reserve(std::uint64_t megabytes) {
    return engine::LargeMemory{static_cast<std::size_t>(megabytes) << 20}.size() > 0;
}

int run(const Options& options, BotSurroundings bot) {
    Report report{options.json};
    const auto machine = bot.machine = this_machine();
    report.add(check_program());
    report.add(check_simd(engine::simd_paths(), machine.processor, environment("PARLEY_SIMD")));
    report.add(check_machine(machine));
    report.add(check_hash(machine, can_reserve));
    report.add(check_huge_pages(machine, try_huge_pages(), engine::may_use_huge_pages()));
    report.add(check_network(options.network));
    report.add(check_tablebases(options.tablebases));
    report.add(check_books(options.books));
    report.add(check_rules());
    report.add(check_arithmetic());
    report.add(check_speed());
    report.add(check_clock(watch_clock(std::chrono::seconds{1})));
    if (!options.lichess_bot.empty())
        report.add(check_lichess_bot_file(options.lichess_bot, std::move(bot)));
    return report.finish();
}

}  // namespace

int doctor(std::span<const std::string> arguments, std::vector<std::string> text_options) {
    Options options;
    CommandLine line{"doctor",
                     "Checks the machine, the program and its files, and says what to do about "
                     "what is wrong."};
    line.text("--lichess-bot", options.lichess_bot, "FILE",
              "Also check this config.yml of lichess-bot, as started in the file's folder");
    line.text("--syzygy", options.tablebases, "PATH",
              "The folders of Syzygy tables, with ':' or ';' between them");
    line.text("--book", options.books, "FILES", "Polyglot books, separated alike");
    line.text("--eval-file", options.network, "FILE", "A network, as the option EvalFile takes it");
    line.flag("--json", options.json, "Write JSON, one finding on each line, and then the counts");
    line.footer(
        "Prints one line for each finding: ok, note, warning or broken, and behind -> what to do.\n"
        "Takes about two seconds. The exit status is 1 if something is broken, 0 otherwise.");
    if (const auto status = line.parse(arguments))
        return *status;
    BotSurroundings bot;
    bot.text_options = std::move(text_options);
    return run(options, std::move(bot));
}

}  // namespace uci::commands
