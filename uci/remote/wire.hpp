#pragma once

#include <string>

namespace uci::remote {

/// How a client's lines travel: TCP or a WebSocket. Belongs to the I/O thread.
class Wire {
public:
    Wire() = default;
    virtual ~Wire() = default;
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;
    Wire(Wire&&) = delete;
    Wire& operator=(Wire&&) = delete;

    /// Sends a line. The next one may be sent after RemoteClient::on_sent().
    virtual void send(std::string line) = 0;
    /// The client has a session: its connection is not closed to make room for others.
    virtual void keep() = 0;
    /// Ends the connection. RemoteClient::on_closed() may come during this call.
    virtual void close() = 0;
};

}  // namespace uci::remote
