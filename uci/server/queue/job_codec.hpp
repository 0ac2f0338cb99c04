#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"

#include "engine/analysis/jobs/job.hpp"

// Jobs and results as JSON, as they travel between machines. README.md lists the members. Reading
// is strict: what another program has written may be anything.
namespace uci::server::queue {

inline constexpr std::size_t max_job_bytes = std::size_t{1} << 20;
inline constexpr std::size_t max_result_bytes = std::size_t{4} << 20;
inline constexpr std::size_t max_table_megabytes = 65'536;  ///< that a job may ask for

std::string write_job(const engine::jobs::Job& job);
/// Error: what is wrong with the text.
core::Result<engine::jobs::Job> read_job(std::string_view text);

std::string write_result(const engine::jobs::JobResult& result);
/// The result of that job. Error: what is wrong with the text; all moves must be legal in the job's
/// game.
core::Result<engine::jobs::JobResult> read_result(std::string_view text,
                                                  const engine::jobs::Job& job);

/// The pvs of an iteration, in the same way.
std::string write_pvs(const std::vector<engine::Info>& pvs);
core::Result<std::vector<engine::Info>> read_pvs(std::string_view text,
                                                 const engine::jobs::Job& job);

}  // namespace uci::server::queue
