#include "uci/server/service_notifier.hpp"

#include <cstdlib>

#if !defined(_WIN32)
#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#endif

#include "core/text.hpp"

namespace uci::server {

namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing changes it
    return value != nullptr ? value : "";
}

#if defined(_WIN32)

void send_datagram(const std::string& /*socket*/, std::string_view /*text*/, bool /*may_wait*/) {}
bool is_own_process(std::int64_t /*id*/) {
    return false;
}

#else

/// A supervisor that does not read fills its queue: wait a second for it, or not at all.
void send_datagram(const std::string& socket_name, std::string_view text, bool may_wait) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (socket_name.size() >= sizeof address.sun_path)
        return;
    std::memcpy(&address.sun_path, socket_name.data(), socket_name.size());
    // An abstract socket's name begins with a zero byte, and has no other one behind it.
    if (socket_name.front() == '@')
        address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_name.size()
                                             + (socket_name.front() == '@' ? 0 : 1));
    const int descriptor = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (descriptor < 0)
        return;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as the system's interface wants it
    const auto* const where = reinterpret_cast<const sockaddr*>(&address);
    const timeval longest{1, 0};
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &longest, sizeof longest);
    static_cast<void>(
        sendto(descriptor, text.data(), text.size(), may_wait ? 0 : MSG_DONTWAIT, where, size));
    close(descriptor);
}

bool is_own_process(std::int64_t id) {
    return id == getpid();
}

#endif

}  // namespace

ServiceNotifier::ServiceNotifier() : socket_{environment("NOTIFY_SOCKET")} {
    const auto interval = core::read_integer(environment("WATCHDOG_USEC"));
    const auto process = environment("WATCHDOG_PID");
    const bool is_for_us =
        process.empty() || is_own_process(core::read_integer(process).value_or(0));
    if (!socket_.empty() && is_for_us && interval && *interval > 0)
        watchdog_ = std::chrono::microseconds{*interval};
}

void ServiceNotifier::notify(std::string_view state) const {
    if (!socket_.empty())
        send_datagram(socket_, state, state != "WATCHDOG=1");
}

}  // namespace uci::server
