#include "uci/server/queue/job_codec.hpp"
#include "uci/server/queue/redis_url.hpp"

#include "tests/fuzz/fuzz_target.hpp"

using tests::require;

/// The input as a job, a result and a report from another machine, and as the URL of a Redis.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace queue = uci::server::queue;
    const auto text = tests::text_of(data, size);
    const auto address = queue::read_redis_url(text);
    require(address || !address.reason().empty(), "a refused URL has a reason");
    const auto job = queue::read_job(text);
    require(job || !job.reason().empty(), "a refused job has a reason");
    if (job) {
        const auto written = queue::write_job(*job);
        const auto again = queue::read_job(written);
        require(again && queue::write_job(*again) == written, "a job is read as it was written");
    }
    const engine::jobs::Job any;
    if (const auto result = queue::read_result(text, any)) {
        const auto written = queue::write_result(*result);
        const auto again = queue::read_result(written, any);
        require(again && queue::write_result(*again) == written,
                "a result is read as it was written");
    }
    static_cast<void>(queue::read_pvs(text, any));
    return 0;
}
