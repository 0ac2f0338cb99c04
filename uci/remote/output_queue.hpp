#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace uci::remote {

/// Lines that wait for a client to read them. Beyond the limit the oldest `info` lines are dropped;
/// all others are kept, because the client waits for them.
class OutputQueue {
public:
    explicit OutputQueue(std::size_t max_bytes) : max_bytes_{max_bytes} {}

    void add(std::string line) {
        bytes_ += size_in_memory(line);
        lines_.push_back(std::move(line));
        for (std::size_t i = 0; bytes_ > max_bytes_ && i < lines_.size();) {
            if (lines_[i].starts_with("info ")) {
                bytes_ -= size_in_memory(lines_[i]);
                lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(i));
            }
            else {
                ++i;
            }
        }
    }
    /// Removes and returns the oldest line.
    std::optional<std::string> take() {
        if (lines_.empty())
            return std::nullopt;
        auto line = std::move(lines_.front());
        lines_.pop_front();
        bytes_ -= size_in_memory(line);
        return line;
    }
    bool empty() const { return lines_.empty(); }
    std::size_t bytes() const { return bytes_; }
    /// Whether the lines that must be kept need more than the limit.
    bool is_over_limit() const { return bytes_ > max_bytes_; }

private:
    static std::size_t size_in_memory(const std::string& line) {
        return line.size() + sizeof(std::string);
    }

    std::size_t max_bytes_;
    std::size_t bytes_ = 0;
    std::deque<std::string> lines_;
};

}  // namespace uci::remote
