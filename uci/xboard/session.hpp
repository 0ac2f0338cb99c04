#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/game.hpp"

#include "engine/command.hpp"
#include "engine/response.hpp"

#include "uci/xboard/command.hpp"

namespace uci::xboard {

/// Waits until the engine has handled all commands; then Session::handle_synced() is to be called.
struct Sync {};

/// What a session wants done: a line written, a command posted to the engine, or a Sync.
using Action = std::variant<std::string, engine::Command, Sync>;
using Actions = std::vector<Action>;

/// The state of a conversation in xboard's protocol: the game, who plays, the clocks, and which
/// search is running. It sees lines and the engine's responses in the order in which they came, and
/// answers with actions; it has no thread and does nothing by itself.
class Session {
public:
    /// Handles a line that arrived at that time.
    Actions handle_line(std::string_view line, engine::TimePoint arrival);
    Actions handle_response(const engine::Response& response);
    Actions handle_synced();
    /// The input has ended: only a move that is being thought about may still come.
    Actions finish();
    /// How many lines have been handed over and wait for a Sync.
    std::size_t pending_lines() const { return pending_.size(); }

private:
    class Executor;

    enum class Mode : unsigned char {
        force,   ///< the client makes the moves of both sides
        play,    ///< the engine has a side
        analyse  ///< the engine searches every position and plays none
    };
    enum class Purpose : unsigned char { think, ponder, analyse };

    /// A search that the engine has been asked for and whose best move has not come yet.
    struct RunningSearch {
        Purpose purpose = Purpose::think;
        core::Game game;  ///< when pondering with the expected move
        engine::Limits limits;
        bool abandoned = false;  ///< nobody wants its move any more
        std::optional<engine::Info> last_info;
        std::optional<engine::CurrentMove> current_move;
    };
    struct Line {
        std::string text;
        engine::TimePoint arrival;
    };

    // Writing and posting.
    void write(std::string line) { actions_.emplace_back(std::move(line)); }
    void post(engine::Command command) { actions_.emplace_back(std::move(command)); }
    void refuse(std::string_view kind) { write_error(kind, line_); }
    void write_error(std::string_view kind, std::string_view line);
    void note(const std::string& text);

    // Lines that wait: for a Sync, or for the end of thinking.
    void handle_pending();
    void execute(const Line& line);
    bool waits_for_move(const Command& command);
    void sync();

    // Searches.
    RunningSearch* running();
    bool is_thinking();
    void start(Purpose purpose, core::Game game);
    void abandon();
    engine::Limits limits(Purpose purpose, const core::Game& game) const;
    std::vector<std::string> searchmoves(const core::Game& game) const;
    std::optional<int> movestogo(const core::Game& game) const;

    // The game.
    void play(const std::string& text);
    void reach(core::Game game);
    void proceed();
    bool claim_result();
    void think();
    void ponder(const engine::BestMove& best);
    bool ponder_hit(core::Move move);
    void take_back(int plies);
    void set_board(const std::string& fen);
    void new_game();
    void take_side(core::Color side);
    void restrict_moves(const RestrictMoves& command);
    void set_engine_option(const SetEngineOption& command);
    void offer_draw();
    bool accepts_draw() const;
    std::string status();

    // Responses.
    void handle(const engine::Info& info);
    void handle(const engine::CurrentMove& current);
    void handle(const engine::BestMove& best);
    void handle(const engine::Refused& refused);
    void handle(const engine::Notice& notice);
    template <typename Other>
    void handle(const Other& /*response*/) {}
    void finish_thinking(const RunningSearch& search, const engine::BestMove& best);
    void charge_clock(const RunningSearch& search);

    Actions actions_;

    core::Game game_;
    bool has_position_ = true;  ///< false after a FEN that was refused
    bool chess960_ = false;
    std::vector<core::Move> excluded_;  ///< root moves of the present position

    Mode mode_ = Mode::play;
    core::Color engine_side_ = core::Color::black;
    bool pondering_ = false;
    bool posting_ = false;
    bool debug_ = false;  ///< the client understands lines that begin with #
    bool ending_ = false;

    Level level_{40, std::chrono::minutes{5}, engine::Milliseconds{0}};
    std::size_t plies_at_level_ = 0;  ///< plies of the game when `level` came
    std::optional<MoveTime> move_time_;
    std::optional<int> depth_;
    std::optional<engine::Milliseconds> own_time_;  ///< unset until `time` arrives
    std::optional<engine::Milliseconds> opponent_time_;

    bool draw_offered_ = false;
    std::optional<engine::Score> last_score_;  ///< of the engine's last move, for its present side
    std::optional<core::Move> expected_move_;  ///< the answer to the engine's last move

    std::deque<RunningSearch> searches_;  ///< the last one is the one that counts
    std::deque<Line> pending_;            ///< not executed yet
    std::deque<Line> waiting_;            ///< until the engine has moved
    bool syncing_ = false;
    std::optional<Ping> ping_;  ///< to be answered after the Sync
    std::string line_;          ///< the one that is being executed
    engine::TimePoint arrival_;
};

}  // namespace uci::xboard
