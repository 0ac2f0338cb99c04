#include "uci/commands/review/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "uci/util/platform.hpp"

namespace uci::commands {

namespace {

constexpr int width = 78;
constexpr int bar_width = 20;

std::string time_text(double seconds) {
    const auto whole = std::lround(seconds);
    return whole < 60 ? fmt::format("{} s", whole)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

bool Progress::is_watched() {
    return util::standard_error_is_terminal();
}

void Progress::begin_game(std::size_t bytes, std::size_t positions) {
    const std::lock_guard lock{mutex_};
    positions_ = positions;
    done_ = 0;
    bytes_ = bytes;
    if (!all_bytes_)
        began_ = Clock::now();
}

void Progress::end_game(std::size_t bytes) {
    const std::lock_guard lock{mutex_};
    ++game_;
    bytes_before_ += bytes;
}

void Progress::add_position() {
    constexpr std::chrono::milliseconds min_interval{100};
    const std::lock_guard lock{mutex_};
    ++done_;
    const auto now = Clock::now();
    if (!shown_ || now - shown_at_ < min_interval)
        return;
    shown_at_ = now;
    show();
}

double Progress::part_done() const {
    const double in_game =
        static_cast<double>(done_) / static_cast<double>(std::max<std::size_t>(positions_, 1));
    if (!all_bytes_)
        return in_game;
    const double bytes = static_cast<double>(bytes_before_) + in_game * static_cast<double>(bytes_);
    return std::clamp(bytes / static_cast<double>(std::max<std::uint64_t>(*all_bytes_, 1)), 1e-9,
                      1.0);
}

void Progress::show() const {
    const double part = part_done();
    const std::chrono::duration<double> spent = Clock::now() - began_;
    const auto bar = static_cast<int>(part * bar_width);
    const auto line = fmt::format("[{:#<{}}{:<{}}] game {}, position {} of {}, {} left", "", bar,
                                  "", bar_width - bar, game_, done_, positions_,
                                  time_text(spent.count() * (1 - part) / part));
    fmt::print(stderr, "\r{:<{}}", line, width);
    static_cast<void>(std::fflush(stderr));
}

void Progress::erase() const {
    if (shown_)
        fmt::print(stderr, "\r{:{}}\r", "", width);
}

}  // namespace uci::commands
