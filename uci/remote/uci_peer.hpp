#pragma once

#include <functional>
#include <string>
#include <utility>

namespace uci::remote {

/// An engine that is spoken to in UCI, and which of its lines are about the present search. Lines
/// of an earlier search can be on their way when the next one begins; so an `isready` goes before
/// each `go`, and a line counts only after its `readyok` and after the `bestmove` of each earlier
/// search.
class UciPeer {
public:
    using Say = std::function<void(std::string)>;

    explicit UciPeer(Say say) : say_{std::move(say)} {}

    void say(std::string line) { say_(std::move(line)); }
    /// Asks for a `readyok`.
    void probe() {
        ++awaited_readies_;
        say_("isready");
    }
    /// Changes a setting, which may take long.
    void set(std::string line) {
        say_(std::move(line));
        probe();
        settling_readies_ = awaited_readies_;
    }
    /// Begins a search; one that is running is given up.
    void begin(const std::string& position, const std::string& go) {
        abandon();
        probe();
        late_readies_ = awaited_readies_;
        say_(position);
        say_(go);
        is_searching_ = true;
    }
    /// Ends the search. Nothing that is still said about it counts.
    void abandon() {
        if (!is_searching_)
            return;
        say_("stop");
        is_searching_ = false;
        ++late_best_moves_;
    }
    /// Forgets everything: there is a new connection, or none.
    void reset() { *this = UciPeer{say_}; }

    void on_readyok() {
        awaited_readies_ -= awaited_readies_ > 0 ? 1 : 0;
        late_readies_ -= late_readies_ > 0 ? 1 : 0;
        settling_readies_ -= settling_readies_ > 0 ? 1 : 0;
    }
    /// A `bestmove` has come. Whether it is that of the present search, which is over now.
    bool on_bestmove() {
        if (late_best_moves_ > 0) {
            --late_best_moves_;
            return false;
        }
        const bool is_present = speaks_of_present_search();
        is_searching_ = is_searching_ && !is_present;
        return is_present;
    }
    /// Whether what comes now is about the present search.
    bool speaks_of_present_search() const {
        return is_searching_ && late_readies_ == 0 && late_best_moves_ == 0;
    }
    bool is_searching() const { return is_searching_; }
    /// Whether a setting may not have taken effect yet.
    bool is_settling() const { return settling_readies_ > 0; }
    /// Whether an answer to a probe is still to come.
    bool owes_readyok() const { return awaited_readies_ > 0; }

private:
    Say say_;
    bool is_searching_ = false;
    int awaited_readies_ = 0;
    int late_readies_ = 0;      ///< `readyok` lines up to that of the present search
    int settling_readies_ = 0;  ///< the same up to that of the last setting
    int late_best_moves_ = 0;   ///< of searches that were given up
};

}  // namespace uci::remote
