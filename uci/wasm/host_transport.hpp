#pragma once

#include <mutex>

#include "engine/threading.hpp"

#include "uci/transport/transport.hpp"

namespace uci::wasm {

/// Lines from and to the JavaScript around the program: host.js.
class HostTransport : public transport::Transport {
public:
    std::optional<std::string> read_line() override;
    void write_line(std::string_view line) override;
    bool is_interactive() const override { return true; }

private:
    std::mutex mutex_;                ///< guards nothing: a condition needs one
    engine::Condition line_arrived_;  ///< never notified: who waits looks after each event
};

}  // namespace uci::wasm
