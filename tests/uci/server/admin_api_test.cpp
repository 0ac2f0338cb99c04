#include "uci/server/admin_api.hpp"

#include <string>
#include <vector>

#include "tests/catch.hpp"

using uci::server::AdminApi;

namespace {

namespace http = boost::beast::http;

/// A server that answers questions about its readiness when the test wants it.
class SlowServer : public uci::server::AdminTarget {
public:
    void check_ready(OnReadiness callback) override { questions.push_back(std::move(callback)); }
    void write_metrics(uci::server::MetricsWriter& /*metrics*/) const override {}
    uci::server::GameList games(std::size_t /*limit*/) const override { return {}; }
    void end_game(const std::string& /*id*/, OnEnded callback) override { callback(false); }
    void drain() override {}

    std::vector<OnReadiness> questions;
};

}  // namespace

TEST_CASE("requests that wait for the store do not keep /healthz from being answered",
          "[admin_api]") {
    SlowServer server;
    AdminApi api{server};
    std::vector<http::status> answers;
    const auto get = [&](const std::string& path) {
        uci::net::HttpRequest request{http::verb::get, path, 11};
        request.set(http::field::host, "127.0.0.1:9090");
        api.handle(request, [&](const uci::net::HttpResponse& response, const auto&) {
            answers.push_back(response.result());
        });
    };
    for (int i = 0; i < 8; ++i)
        get("/readyz");
    CHECK(answers.empty());
    get("/readyz");
    CHECK(answers == std::vector{http::status::service_unavailable});
    get("/healthz");
    CHECK(answers.back() == http::status::ok);
    CHECK(server.questions.size() == 8);
    server.questions.front()(std::nullopt);
    CHECK(answers.size() == 3);
    CHECK(answers.back() == http::status::ok);
    get("/readyz");
    CHECK(answers.size() == 3);
    server.questions.back()(core::Error{"the store is too slow"});
    CHECK(answers.back() == http::status::service_unavailable);
}
