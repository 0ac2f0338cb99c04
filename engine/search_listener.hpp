#pragma once

#include <atomic>
#include <optional>

#include "engine/response.hpp"

namespace engine {

/// What may happen to a search from outside.
enum class Interrupt : unsigned char { stop, ponder_hit };

/// Takes a search's reports and brings it interrupts. This class itself drops reports and never
/// interrupts, which is all that a search without a client needs (datagen, tests); the Main Task
/// derives from it. Used by the thread of the search alone.
class SearchListener {
public:
    SearchListener() = default;
    virtual ~SearchListener() = default;
    SearchListener(const SearchListener&) = delete;
    SearchListener& operator=(const SearchListener&) = delete;
    SearchListener(SearchListener&&) = delete;
    SearchListener& operator=(SearchListener&&) = delete;

    /// Set while take_interrupt() may have something. The search reads it at every node.
    const std::atomic<bool>& interrupt_flag() const { return interrupt_flag_; }
    /// The next interrupt, if there is one.
    virtual std::optional<Interrupt> take_interrupt() { return std::nullopt; }
    /// Waits for the next interrupt. Where none can come, that is a stop.
    virtual Interrupt wait_for_interrupt() { return Interrupt::stop; }

    /// Whether to make reports at all.
    virtual bool wants_reports() const { return false; }
    // NOLINTNEXTLINE(performance-unnecessary-value-param): classes that send it on move it
    virtual void report(Info /*info*/) {}
    virtual void report(CurrentMove /*current*/) {}

protected:
    /// The flag must live longer than the listener.
    explicit SearchListener(const std::atomic<bool>& interrupt_flag)
        : interrupt_flag_{interrupt_flag} {}

private:
    static inline const std::atomic<bool> never{false};

    const std::atomic<bool>& interrupt_flag_ = never;
};

}  // namespace engine
