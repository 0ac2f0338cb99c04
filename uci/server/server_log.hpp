#pragma once

#include <memory>

#include "core/result.hpp"

#include "uci/util/log_settings.hpp"

namespace uci::server {

/// Lets everything that is logged by util::log_info() and its kind go to standard error or a file,
/// with time and level, while this object exists. A thread of its own writes, so that a server
/// never waits for its log: when that cannot be written fast enough the oldest lines are lost, and
/// when it cannot be written at all every line is.
class ServerLog {
public:
    /// Error: why the file cannot be written.
    static core::Result<std::unique_ptr<ServerLog>> open(const util::LogSettings& settings);

    /// Waits until everything is written, but no longer than a second.
    ~ServerLog();
    ServerLog(const ServerLog&) = delete;
    ServerLog& operator=(const ServerLog&) = delete;
    ServerLog(ServerLog&&) = delete;
    ServerLog& operator=(ServerLog&&) = delete;

private:
    struct Implementation;

    explicit ServerLog(std::unique_ptr<Implementation> implementation);

    std::unique_ptr<Implementation> implementation_;
};

}  // namespace uci::server
