#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

#include "engine/general_interface.hpp"
#include "engine/tablebase/tablebases.hpp"

#include "uci/util/log_settings.hpp"

namespace uci {

/// Exit statuses of the program.
inline constexpr int exit_success = 0;
inline constexpr int exit_failure = 1;
inline constexpr int exit_usage = 2;

/// Reports on standard error why a command failed, or what it left out: "parley COMMAND: REASON".
/// Returns exit_failure.
int report_failure(std::string_view command, std::string_view reason);
/// The same for a server: as an error of its log.
int log_failure(const std::string& reason);

/// Flushes standard output. Returns the status of a command, or, if something that it printed could
/// not be written, reports that and returns exit_failure.
int status_with_output(std::string_view command, int status);
/// Whether all that was printed until now could be written.
bool output_is_written();

/// Checks the value of an option. Error: what is wrong with it.
using TextCheck = std::optional<core::Error> (*)(const std::string& text);

/// The options of one sub-command. Each option can also be set by an environment variable (--port
/// by PARLEY_PORT) and in the file that --config names (port = 8080); the command line has
/// precedence, then the environment.
/// Names are given as "-p,--port"; the targets keep their values when an option is not given, and
/// must outlive parse().
class CommandLine {
public:
    CommandLine(std::string command, std::string summary);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;
    CommandLine(CommandLine&&) = delete;
    CommandLine& operator=(CommandLine&&) = delete;

    void flag(const std::string& names, bool& target, const std::string& help);
    /// With a check, values that it returns an error for are refused.
    void text(const std::string& names,
              std::string& target,
              const std::string& type,
              const std::string& help,
              TextCheck check = nullptr);
    /// An option that may be repeated. Its environment variable, too, may hold several values,
    /// separated by commas; they count only if the command line has none.
    void texts(const std::string& names,
               std::vector<std::string>& targets,
               const std::string& type,
               const std::string& help,
               TextCheck check);
    /// An integer from `least` to `most`. --help shows the target's value as the default, unless it
    /// is less, which stands for an option that is not given.
    template <typename Number>
    void number(const std::string& names,
                Number& target,
                std::int64_t least,
                std::int64_t most,
                const std::string& help) {
        const bool has_default = static_cast<std::int64_t>(target) >= least;
        add_number({names, help, has_default ? std::to_string(target) : "", least, most},
                   [&target](std::int64_t value) { target = static_cast<Number>(value); });
    }
    /// All arguments that are no options. Without this call, such arguments are refused. `usage` is
    /// what the first line of --help shows, if not the name.
    void words(const std::string& name,
               std::vector<std::string>& target,
               const std::string& help,
               const std::string& usage = "");
    /// An option with one of a few values. `set` gets the chosen one.
    void choice(const std::string& names,
                const std::vector<std::string>& values,
                const std::string& default_value,
                const std::string& help,
                std::function<void(std::string_view)> set);
    /// Text below the options in --help.
    void footer(const std::string& text);

    /// Sets the targets. An exit status if the program shall end now: help was printed, or the
    /// arguments are wrong, which was reported on standard error. The only argument help_as_json
    /// prints the help as one line of JSON, from which the manual page and completions are made.
    std::optional<int> parse(std::span<const std::string> arguments);

    static constexpr std::string_view help_as_json = "--help-json";

    /// Reports wrong arguments on standard error. Returns the exit status for it.
    int refuse(const std::string& message) const;

private:
    struct NumberOption {
        std::string names;
        std::string help;
        std::string default_text;
        std::int64_t least;
        std::int64_t most;
    };
    struct Implementation;

    void add_number(const NumberOption& number, std::function<void(std::int64_t)> set);
    void print_help_as_json() const;
    std::string unexpected_message(const std::string& argument) const;

    std::unique_ptr<Implementation> implementation_;
};

/// What every sub-command with an engine can set.
struct EngineSettings {
    int threads = 1;
    int hash = 64;
    std::string syzygy_path{};  ///< folders of endgame tables; empty for none
};

void add_engine_options(CommandLine& line, EngineSettings& settings);
/// Adds --syzygy, the folders of endgame tables.
void add_syzygy_option(CommandLine& line, std::string& path);
/// The tables in the folders of --syzygy, null without a path. Error: why there is not a single
/// one.
core::Result<std::shared_ptr<const engine::tablebase::Tablebases>> open_tablebases(
    const std::string& path);
/// Gives the engine its settings before anything else is asked of it, and logs which files of
/// endgame tables it leaves out. Error: which setting it refused and why.
std::optional<core::Error> apply(const EngineSettings& settings, engine::GeneralInterface& engine);

/// Adds --log-level, --log-format and --log-file.
void add_log_options(CommandLine& line, util::LogSettings& settings);

/// What every server can set.
struct ServerSettings {
    int port = 0;
    std::string addresses;             ///< comma-separated; empty for this machine only
    std::vector<std::string> origins;  ///< as net::read_origin() reads them
    std::vector<std::string> proxies;  ///< as net::TrustedProxies reads them
    util::LogSettings log;
    std::string admin{};  ///< as server::check_admin_address() checks it; empty for none
    std::string queue{};  ///< as server::check_queue_url() checks it; empty for none
    int drain_seconds = 0;
    EngineSettings engine;
};

/// What checks the values of a server's options. It is passed because this file is also in a build
/// without servers.
struct ServerOptionChecks {
    TextCheck addresses = nullptr;
    TextCheck origin = nullptr;
    TextCheck proxy = nullptr;  ///< none for a server that does not tell clients apart
    TextCheck admin = nullptr;
    TextCheck queue = nullptr;  ///< none for a server that always searches itself
};

/// Adds --port, --bind, --origin, --admin, --drain-time, the options of the log and the engine, and
/// --trust-proxy and --queue where they are checked.
void add_server_options(CommandLine& line,
                        ServerSettings& settings,
                        int least_port,
                        const ServerOptionChecks& checks);

/// The entry of `candidates` that `text` probably means; nothing if none is near.
std::optional<std::string> nearest(std::string_view text, std::span<const std::string> candidates);

/// A message for an unknown option, command...: "unknown command 'srve'; did you mean 'serve'?"
std::string unknown_message(std::string_view kind,
                            std::string_view text,
                            std::span<const std::string> candidates);

}  // namespace uci
