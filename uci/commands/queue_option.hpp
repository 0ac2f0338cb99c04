#pragma once

#include <memory>
#include <string>

#include "core/result.hpp"

#include "engine/analysis/jobs/job_runner.hpp"

#include "uci/command_line.hpp"

namespace uci::commands {

/// Adds --queue, the URL of the Redis whose workers do the work.
void add_queue_option(CommandLine& line, std::string& url);
/// Error: why a URL of --queue cannot be used by this program.
std::optional<core::Error> check_queue_url(const std::string& url);

/// What does the jobs of a command: the workers of that queue, or null without one. Jobs that no
/// worker does are done in this process, so many at the same time; the command reports that.
std::unique_ptr<engine::jobs::JobRunner> runner_for(const std::string& url,
                                                    std::size_t local_threads,
                                                    const std::string& command);

}  // namespace uci::commands
