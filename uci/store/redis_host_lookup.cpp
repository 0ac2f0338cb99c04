#include "uci/store/redis_host_lookup.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <thread>
#include <utility>

namespace uci::store {

namespace {

RedisHostLookup::Addresses lookup(const std::string& host) {
    using boost::asio::ip::tcp;
    boost::asio::io_context io;
    tcp::resolver resolver{io};
    boost::system::error_code error;
    const auto found = resolver.resolve(host, "", error);
    if (error)
        return core::Error{error.message()};
    std::vector<std::string> addresses;
    for (const auto& entry : found)
        addresses.push_back(entry.endpoint().address().to_string());
    return addresses;
}

}  // namespace

RedisHostLookup::Addresses RedisHostLookup::find(const std::string& host,
                                                 std::chrono::milliseconds timeout) {
    boost::system::error_code not_an_address;
    boost::asio::ip::make_address(host, not_an_address);
    if (!not_an_address)
        return std::vector{host};
    if (!lookup_.valid() || host_ != host) {
        std::promise<Addresses> promise;
        host_ = host;
        lookup_ = promise.get_future().share();
        std::thread{[host, promise = std::move(promise)]() mutable {
            promise.set_value(lookup(host));
        }}.detach();
    }
    if (lookup_.wait_for(timeout) != std::future_status::ready)
        return core::Error{"no answer from the name server"};
    return std::exchange(lookup_, {}).get();
}

}  // namespace uci::store
