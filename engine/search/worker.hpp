#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "engine/evaluate/nnue/accumulator.hpp"
#include "engine/search/history.hpp"
#include "engine/search/move_picker.hpp"
#include "engine/search/node.hpp"
#include "engine/search/request.hpp"
#include "engine/search_control.hpp"

namespace engine {

/// A move at the root and what is known of it.
struct RootMove {
    core::Move move{};
    Score score = -infinite;           ///< of the last iteration that searched it
    Score previous_score = -infinite;  ///< of the iteration before
    Bound bound = Bound::exact;
    int depth = 1;
    int selective_depth = 0;
    std::uint64_t nodes = 0;       ///< spent below this move in all iterations
    std::vector<core::Move> line;  ///< begins with the move itself
};

/// One thread of the search: its line of nodes, its histories, its root moves. The first worker
/// runs on the Main Task's thread and has the control; the others only see a flag.
class Worker {
public:
    explicit Worker(SharedSearch& shared);

    /// Evaluates with the network that all threads share now.
    void take_network();
    /// Forgets what was learnt in other games.
    void clear() { histories_.clear(); }
    /// Makes ready for a search. The control is there for the first worker only.
    void prepare(const SearchRequest& request, SearchControl* control);
    /// Iterative deepening until stopped or deep enough. Reports if it has the control.
    void deepen();

    std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    int completed_depth() const { return completed_depth_; }
    /// The best root move so far, with its line and score.
    const RootMove& best() const { return root_moves_.front(); }
    /// Whether there is more to tell than the last report did.
    bool has_news() const { return !reported_nodes_ || shared_.nodes_of_all() != *reported_nodes_; }
    /// Tells the best lines as they stand.
    void report(SearchControl& control) const;

private:
    // deepening.cpp
    void iterate(int depth);
    void aspire(int depth);
    Score search_root(int depth, Score alpha, Score beta);
    void sort_root_moves(std::size_t from);
    Iteration finished_iteration() const;
    Info describe(std::size_t index, SearchControl& control) const;
    void report_bound() const;

    // alpha_beta.cpp: the search's table of contents
    template <NodeKind kind>
    Score search_node(Node& node);
    template <NodeKind kind>
    Score search_child(Node& node, const Question& question);
    template <NodeKind kind>
    Score finish_node(Node& node);
    void make_move(Node& node, core::Move move);
    void pass(Node& node);
    void unmake_move() { keys_.pop_back(); }
    bool should_stop();
    Node& child_of(const Node& node) { return line_[static_cast<std::size_t>(node.ply) + 1]; }
    Node& earlier(const Node& node, int plies) {
        return line_[static_cast<std::size_t>(node.ply - plies)];
    }
    PieceToHistory& continuation_before(const Node& node, int plies);
    PickerContext picker_context(const Node& node);

    // enter_node.cpp
    template <NodeKind kind>
    std::optional<Score> leave_early(Node& node);
    bool is_repetition(const Node& node) const;
    bool is_draw(const Node& node) const;
    template <NodeKind kind>
    void read_table(Node& node);
    template <NodeKind kind>
    std::optional<Score> cut_by_table(Node& node);
    void evaluate_node(Node& node);
    Score evaluation_of(const Node& node);

    // prune.cpp
    void use_hindsight(Node& node);
    template <NodeKind kind>
    std::optional<Score> prune_node(Node& node);
    std::optional<Score> try_razoring(Node& node);
    std::optional<Score> try_null_move(Node& node);
    bool is_hopeless(const Node& node, const Candidate& candidate, MovePicker& picker) const;

    // extend.cpp
    template <NodeKind kind>
    std::optional<Score> extend_table_move(Node& node);

    // search_moves.cpp
    template <NodeKind kind>
    void search_moves(Node& node);
    template <NodeKind kind>
    std::optional<core::Move> next_move(Node& node, MovePicker& picker);
    template <NodeKind kind>
    Score search_move(Node& node, const Candidate& candidate);
    template <NodeKind kind>
    Score search_later_move(Node& node, const Candidate& candidate, int depth);
    template <NodeKind kind>
    int reduction(const Node& node, const Candidate& candidate);
    template <NodeKind kind>
    bool take_score(Node& node, const Candidate& candidate, Score score);
    void keep_root_score(Node& node, core::Move move, Score score);
    void report_current_move(core::Move move, int number);

    // learn.cpp
    void learn_from_cutoff(Node& node);
    void learn_from_table_cutoff(Node& node);
    void learn_quiet(const Node& node, core::Move move, int bonus);
    void learn_continuation(const Node& node, core::Move move, int bonus);
    void learn_correction(const Node& node, Bound bound);
    int history_of(const Node& node, core::Move move, bool noisy);

    // quiescence.cpp
    template <NodeKind kind>
    Score quiescence(Node& node);
    template <NodeKind kind>
    std::optional<Score> stand_pat(Node& node);
    template <NodeKind kind>
    void search_exchanges(Node& node);

    SharedSearch& shared_;
    SearchControl* control_ = nullptr;
    bool stopped_ = false;

    Histories histories_;
    std::vector<core::Key> keys_;  ///< of the game's positions and of those on the line
    std::vector<Node> line_;
    nnue::Accumulators accumulators_;  ///< of the line
    std::vector<RootMove> root_moves_;
    std::size_t line_index_ = 0;  ///< which of the best lines is being searched
    std::size_t line_count_ = 1;
    bool all_moves_allowed_ = true;  ///< at the root
    core::CastlingStyle castling_{};
    bool show_chances_ = false;

    // Written by this thread alone, read by others; nothing else depends on it.
    alignas(64) std::atomic<std::uint64_t> nodes_{0};
    mutable std::optional<std::uint64_t> reported_nodes_;
    std::uint64_t seen_nodes_of_all_ = 0;
    int selective_depth_ = 0;
    int root_depth_ = 0;
    int completed_depth_ = 0;
};

}  // namespace engine
