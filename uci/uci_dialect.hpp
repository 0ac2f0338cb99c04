#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/general_interface.hpp"

#include "uci/debug_log.hpp"
#include "uci/dialect.hpp"
#include "uci/server/synced_values.hpp"

namespace uci {

/// Whether commands run as they come, or each one, a search included, is finished before the next.
enum class ExecutionMode : unsigned char { asynchronous, sequential };

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

    /// From now on this function decides the limits of each search from those that were asked for.
    void change_limits(std::function<engine::Limits(const engine::Limits&)> change) {
        change_limits_ = std::move(change);
    }

private:
    class Executor;

    void write_responses(transport::Transport& transport);
    void warn(const std::string& text);
    void log(LogEntryKind kind, std::string_view text);
    void set_option(engine::SetOption command);
    void set_debug_log_file(const std::string& path);
    void remember(const engine::SetOption& command);
    std::vector<std::string> log_header() const;

    engine::GeneralInterface& engine_;
    server::SyncedValues<std::string> lines_;  ///< written among the responses
    ExecutionMode mode_;
    std::function<engine::Limits(const engine::Limits&)> change_limits_;
    bool debug_ = false;
    bool infinite_ = false;  ///< the running search ends only when it is stopped

    DebugLog log_;
    // What a log that is opened now must tell of the conversation before. The reading thread's.
    std::vector<std::pair<std::string, std::string>> options_;  ///< name and value last set
    std::string position_;                                      ///< the last such command
    bool has_searched_ = false;
};

extern const DialectInfo uci_dialect_info;

}  // namespace uci
