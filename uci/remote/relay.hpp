#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/game.hpp"

#include "uci/remote/command_filter.hpp"
#include "uci/remote/go_line.hpp"
#include "uci/remote/uci_peer.hpp"

namespace uci::remote {

/// What `parley connect` says and decides: the GUI on one side, the server and the local engine on
/// the other. Each `go` is answered by exactly one `bestmove`, whatever the others do. Knows no
/// sockets and no threads: lines and times come in as calls, lines go out as calls. Belongs to one
/// thread.
class Relay {
public:
    using Time = std::chrono::steady_clock::time_point;
    using Milliseconds = std::chrono::milliseconds;

    /// Where its lines go.
    struct Outputs {
        std::function<void(std::string)> gui;
        std::function<void(std::string)> server;
        std::function<void(std::string)> local;
        /// The connection is useless: connect again. A server that `lies` is not to be asked soon.
        std::function<void(bool lies)> cut;
    };
    /// The local engine's part of the limits: the options may be meant for a stronger machine.
    Relay(Outputs outputs, std::string identification, MachineLimits local_limits);

    void on_gui_line(std::string_view line, Time now);
    /// The input has ended: a search that ends by itself may still be answered.
    void on_gui_end(Time now);
    /// A connection is ready for commands. `lag` is how long a line and its answer take.
    void on_server_up(const std::string& host, Milliseconds lag, Time now);
    void on_server_line(std::string_view line, Time now);
    /// The connection that was ready has ended.
    void on_server_down(const std::string& reason, Time now);
    /// A connection did not become ready.
    void on_server_missed(const std::string& host, const std::string& reason);
    void on_local_line(std::string_view line, Time now);
    void on_time(Time now);

    /// When on_time() is to be called next.
    std::optional<Time> next_wake(Time now) const;
    /// What is said on a new connection before its first search.
    std::vector<std::string> settings() const;
    /// Whether a connection is needed now or soon.
    bool wants_server(Time now) const;
    bool is_searching() const { return search_.has_value(); }
    bool is_over() const { return over_; }

private:
    enum class Player : unsigned char { nobody, server, local };

    /// A `go` that has no `bestmove` yet.
    struct Search {
        GoLine go;
        std::string position;  ///< the command
        core::Game game;
        Time began;  ///< since when its clock runs
        bool pondering = false;
        bool endless = false;
        Player player = Player::nobody;
        std::optional<Time> give_up_at{};  ///< until then the server is waited for
        std::optional<Time> answer_at{};   ///< it was stopped: the answer must come by then
        std::string best{};                ///< the first move of the last pv, legal; may be empty
        bool is_decided = false;  ///< `best` is the answer, withheld while pondering or endless
    };

    void execute(std::string_view command, std::string_view line, Time now);
    void set_option(std::string_view line);
    void set_position(std::string_view line);
    void go(std::string_view line, Time now);
    void stop(Time now);
    void ponder_hit(Time now);
    void display(std::string_view line);

    void ask_server_or_wait(Time now);
    void play_on_server(Time now);
    void play_locally(Time now);
    void wait_for_server(Time now);
    void lose_server(const std::string& reason, Time now);
    void on_info(std::string_view line);
    void on_bestmove(std::string_view line, bool is_server, Time now);
    void answer_now();
    void finish(std::string line);
    void say_info(const std::string& text) const;
    void set_server_overhead();

    std::optional<Milliseconds> time_left(Time now) const;
    Milliseconds patience(Time now) const;
    Milliseconds silence_limit(Time now) const;
    std::optional<Time> last_moment() const;
    std::optional<Time> next_server_check(Time now) const;
    void check_server(Time now);
    bool is_playable(std::string_view move) const;
    std::string any_move() const;

    Outputs outputs_;
    std::string identification_;
    MachineLimits local_limits_;
    CommandFilter filter_{MachineLimits{.threads = 1 << 30, .hash = 1 << 30}};

    UciPeer server_;
    UciPeer local_;
    bool is_up_ = false;
    std::string host_;
    Milliseconds lag_{0};
    Time last_heard_{};  ///< of the server
    Time last_gui_;

    bool identified_ = false;
    bool over_ = false;
    bool has_new_game_ = false;
    std::vector<std::pair<std::string, std::string>>
        options_;  ///< as the GUI set them, the last value
    std::string position_ = "position startpos";
    core::Game game_;
    std::optional<Search> search_;
    std::vector<std::string> missed_;  ///< hosts whose failure the GUI knows of
    std::optional<Time> end_at_;       ///< the input has ended
};

}  // namespace uci::remote
