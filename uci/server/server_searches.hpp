#pragma once

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "core/result.hpp"

#include "engine/general_interface.hpp"

#include "uci/server/metrics_writer.hpp"
#include "uci/server/search_queue.hpp"

namespace uci::server {

/// Error: why a URL of --queue cannot be used by this program.
std::optional<core::Error> check_queue_url(const std::string& url);

/// Who searches for a server.
struct SearchSettings {
    std::string queue_url{};     ///< as check_queue_url() checks it; empty for this process alone
    std::size_t megabytes = 64;  ///< of the engine's transposition table
    bool uses_tables = false;    ///< whether the engine has endgame tables
};

/// The searches of a server: by the engine of its process, and with a queue by workers first.
/// Belongs to the thread of the io_context.
class ServerSearches {
public:
    /// Throws std::system_error if the system refuses the threads of a queue.
    ServerSearches(engine::GeneralInterface& engine,
                   boost::asio::io_context& io,
                   const SearchQueuePolicy& policy,
                   const SearchSettings& settings = {});
    ~ServerSearches();
    ServerSearches(const ServerSearches&) = delete;
    ServerSearches& operator=(const ServerSearches&) = delete;
    ServerSearches(ServerSearches&&) = delete;
    ServerSearches& operator=(ServerSearches&&) = delete;

    SearchQueue& queue();
    /// Handles a response of the engine.
    void handle_response(const engine::Response& response);
    void write_metrics(MetricsWriter& metrics) const;

private:
    class Implementation;

    std::unique_ptr<Implementation> implementation_;
};

}  // namespace uci::server
