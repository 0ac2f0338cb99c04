#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"

#include "uci/store/store_config.hpp"

struct ssl_st;

namespace uci::store {

/// Why this program cannot speak TLS with these settings: it was built without OpenSSL, or a file
/// of theirs cannot be used. Reads the files.
std::optional<core::Error> check_tls(const TlsSettings& settings);

/// The client's end of TLS on a connected socket, which somebody else owns. The server must have a
/// certificate for its host, signed by a trusted authority. No function but wait() waits. Belongs
/// to one thread.
class RedisTls {
public:
    using Clock = std::chrono::steady_clock;

    enum class State : unsigned char { done, wants_read, wants_write };
    /// What has become of an operation. If it is not done, it is to be called again when the socket
    /// can be read or written.
    struct Progress {
        State state = State::done;
        std::size_t size = 0;  ///< how many bytes were read or written
    };

    /// Makes the socket non-blocking and prepares the handshake; reads the settings' files. `host`
    /// is a name or an address. Error: as check_tls().
    static core::Result<std::unique_ptr<RedisTls>> start(int socket,
                                                         const std::string& host,
                                                         const TlsSettings& settings);
    ~RedisTls();
    RedisTls(const RedisTls&) = delete;
    RedisTls& operator=(const RedisTls&) = delete;
    RedisTls(RedisTls&&) = delete;
    RedisTls& operator=(RedisTls&&) = delete;

    /// After an Error of one of these three, which says why in words about the server ("its
    /// certificate ..."), the connection is lost.
    core::Result<Progress> handshake();
    core::Result<Progress> read(std::span<char> buffer);
    /// The text must not be empty. What is written next begins with what of it is not written.
    core::Result<Progress> write(std::string_view text);
    /// Whether the connection is open and there is nothing to read.
    bool is_quiet();

    /// Waits until the socket can be read or written. False: not before `latest`.
    bool wait(State state, Clock::time_point latest) const;

private:
    struct FreeSsl {
        void operator()(ssl_st* ssl) const;
    };
    using Ssl = std::unique_ptr<ssl_st, FreeSsl>;

    RedisTls(int socket, std::string host, Ssl ssl);
    core::Result<Progress> progress(int result, std::size_t size);
    std::string failure(int result) const;

    int socket_;
    std::string host_;
    Ssl ssl_;
    bool is_asked_ = false;  ///< for a client certificate
    bool has_read_ = false;  ///< something
};

}  // namespace uci::store
