#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace uci::server {

/// Writes metrics in the text format of Prometheus (version 0.0.4). The samples of one metric must
/// be written one after the other.
class MetricsWriter {
public:
    using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

    /// Begins a metric, whose samples follow. `type` is counter, gauge or histogram.
    void begin(std::string_view name, std::string_view type, std::string_view help);
    /// A sample of the metric that was begun; `suffix` is what a histogram adds to its name.
    void sample(double value, Labels labels = {}, std::string_view suffix = {});

    /// A metric with one sample.
    void counter(std::string_view name, std::string_view help, std::uint64_t value) {
        begin(name, "counter", help);
        sample(static_cast<double>(value));
    }
    void gauge(std::string_view name, std::string_view help, double value) {
        begin(name, "gauge", help);
        sample(value);
    }

    const std::string& text() const { return text_; }

private:
    std::string name_;
    std::string text_;
};

}  // namespace uci::server
