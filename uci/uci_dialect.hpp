#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/general_interface.hpp"
#include "engine/threading.hpp"

#include "uci/debug_log.hpp"
#include "uci/dialect.hpp"
#include "uci/server/synced_values.hpp"

namespace uci {

/// Whether commands run as they come, or each one, a search included, is finished before the next.
/// In strict mode also the first one that is refused is the last.
enum class ExecutionMode : unsigned char { asynchronous, sequential, strict };

/// The Universal Chess Interface. The calling thread reads; a second thread writes all output, so
/// that a slow client blocks nothing but that thread.
class UciDialect : public Dialect {
public:
    explicit UciDialect(engine::GeneralInterface& engine,
                        ExecutionMode mode = ExecutionMode::asynchronous)
        : engine_{engine},
          lines_{engine},
          mode_{mode} {}

    void run(transport::Transport& transport) override;

    /// Why a command was refused in strict mode, which ended run(); nothing if none was.
    std::optional<std::string> refusal() const;

    /// From now on this function decides the limits of each search from those that were asked for.
    void change_limits(std::function<engine::Limits(const engine::Limits&)> change) {
        change_limits_ = std::move(change);
    }

private:
    class Executor;

    bool may_continue();
    bool has_refused();
    void finish();
    void write_responses(transport::Transport& transport);
    void pass_mark();
    void warn(const std::string& text);
    void refuse(const std::string& reason);
    void log(LogEntryKind kind, std::string_view text);
    void set_option(engine::SetOption command);
    void set_debug_log_file(const std::string& path);
    void remember(const engine::SetOption& command);
    std::vector<std::string> log_header() const;

    engine::GeneralInterface& engine_;
    /// Lines to write among the responses, or nothing as a mark, of which pass_mark() tells.
    server::SyncedValues<std::optional<std::string>> lines_;
    ExecutionMode mode_;
    std::function<engine::Limits(const engine::Limits&)> change_limits_;
    bool debug_ = false;
    bool infinite_ = false;  ///< the running search ends only when it is stopped

    mutable std::mutex mutex_;  ///< guards what follows up to log_
    engine::Condition mark_passed_;
    bool mark_is_passed_ = false;
    std::optional<std::string> refusal_;  ///< the first one in strict mode

    DebugLog log_;
    // What a log that is opened now must tell of the conversation before. The reading thread's.
    std::vector<std::pair<std::string, std::string>> options_;  ///< name and value last set
    std::string position_;                                      ///< the last such command
    bool has_searched_ = false;
};

extern const DialectInfo uci_dialect_info;

}  // namespace uci
