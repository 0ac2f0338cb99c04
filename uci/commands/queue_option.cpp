#include "uci/commands/queue_option.hpp"

#include <optional>

#if defined(PARLEY_REDIS)
#include "uci/server/queue/redis_url.hpp"
#include "uci/server/queue/remote_runner.hpp"
#include "uci/util/platform.hpp"
#endif

namespace uci::commands {

void add_queue_option(CommandLine& line, std::string& url) {
    line.text("--queue", url, "URL",
              "Let the workers ('parley worker') of this Redis search: "
              "redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE], with TLS rediss://...[?ca=FILE]. "
              "Without them this process does",
              check_queue_url);
}

#if defined(PARLEY_REDIS)

std::optional<core::Error> check_queue_url(const std::string& url) {
    return server::queue::check_redis_url(url);
}

std::unique_ptr<engine::jobs::JobRunner> runner_for(const std::string& url,
                                                    std::size_t local_threads,
                                                    const std::string& command) {
    const auto address = server::queue::read_redis_url(url);
    if (url.empty() || !address)
        return nullptr;
    util::ignore_broken_pipes();  // a connection may end at any time
    server::queue::RemoteSettings settings;
    settings.address = *address;
    settings.local_threads = local_threads;
    settings.notice = [command](const std::string& message) { report_failure(command, message); };
    return std::make_unique<server::queue::RemoteRunner>(std::move(settings));
}

#else

std::optional<core::Error> check_queue_url(const std::string& /*url*/) {
    return core::Error{"this program was built without Redis"};
}

std::unique_ptr<engine::jobs::JobRunner> runner_for(const std::string& /*url*/,
                                                    std::size_t /*local_threads*/,
                                                    const std::string& /*command*/) {
    return nullptr;
}

#endif

}  // namespace uci::commands
