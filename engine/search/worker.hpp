#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <vector>

#include "engine/evaluate/evaluate.hpp"
#include "engine/evaluate/nnue/accumulator.hpp"
#include "engine/search/history.hpp"
#include "engine/search/move_picker.hpp"
#include "engine/search/position_sample.hpp"
#include "engine/search/request.hpp"
#include "engine/search/stack.hpp"
#include "engine/search/tt.hpp"
#include "engine/search_control.hpp"

namespace engine::search {

/// Counts the nodes of one thread. Only that thread writes it and others only add it up, so the
/// order of memory accesses does not matter.
class alignas(64) NodeCounter {
public:
    std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }
    void increment() { value_.store(value() + 1, std::memory_order_relaxed); }
    void reset() { value_.store(0, std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_{0};
};

/// What a search has found out about its root.
struct RootResult {
    core::Key key = 0;
    TTData data;
};

/// What all threads of a search share.
struct SharedState {
    SharedState(std::size_t megabytes, const evaluate::Evaluate& evaluation)
        : tt{megabytes},
          evaluate{evaluation} {}

    std::uint64_t total_nodes() const { return sum_of(node_counters); }
    std::uint64_t total_tbhits() const { return sum_of(tbhit_counters) + root_tbhits; }
    static std::uint64_t sum_of(const std::vector<const NodeCounter*>& counters) {
        std::uint64_t sum = 0;
        for (const NodeCounter* counter : counters)
            sum += counter->value();
        return sum;
    }

    TranspositionTable tt;
    const evaluate::Evaluate& evaluate;
    // Set by the main thread, read by the helpers at every node; nothing else depends on it.
    std::atomic<bool> stop{false};
    // All fixed during a search.
    TablebaseUse tablebases;
    LeafNoise noise;
    PositionSample* evaluated = nullptr;            ///< is offered what is evaluated; may be null
    std::vector<const NodeCounter*> node_counters;  ///< of all threads
    std::vector<const NodeCounter*> tbhit_counters;
    std::uint64_t root_tbhits = 0;          ///< before the search began
    bool tt_is_loaded = false;              ///< from a file: see Worker::resume()
    std::optional<RootResult> last_result;  ///< of full strength, since the table was empty
};

/// A move at the root, with its result.
struct RootMove {
    core::Move move{};
    Score score = -infinite;           ///< of the last iteration that gave it one
    Score previous_score = -infinite;  ///< of the iteration before
    Bound bound = Bound::exact;
    int depth = 1;
    int seldepth = 0;
    std::uint64_t nodes = 0;     ///< spent below this move in all iterations
    std::vector<core::Move> pv;  ///< begins with the move itself
    // What the endgame tables say: moves of lower rank are worse whatever their scores.
    int tb_rank = 0;
    std::optional<Score> tb_score;

    /// The score that a client gets: that of the tables, unless the search has found a mate.
    Score reported_score(Score searched) const {
        return tb_score && !is_mate(searched) ? *tb_score : searched;
    }
};

/// The root; a PV node, searched with an open window; or a node searched with a null window, to
/// learn only whether it is better than a bound.
enum class NodeType { root, pv, non_pv };

/// What to search a node for. Passed by value; a step that changes the depth or the window returns
/// the new arguments.
struct SearchArgs {
    int depth = 0;
    Score alpha = draw;
    Score beta = draw;
    bool cut_node = false;  ///< expected to fail high
};

/// What a node knows about itself before its moves are searched: a local of search() and qsearch(),
/// filled in by their steps.
struct Node {
    std::optional<TTEntry> tt;
    bool tt_pv = false;       ///< is, or once was, on a principal variation
    Score raw_eval = draw;    ///< what the evaluation says; unset in check
    Score correction = draw;  ///< what the correction histories add to it; 0 in check
    Score eval = draw;        ///< static_eval, or the TT score if it is better
    bool improving = false;   ///< static_eval is above that of two plies ago
    // What the endgame tables know about the score of a PV node.
    Score tb_min = -infinite;
    Score tb_max = infinite;
    int extension = 0;                        ///< of the TT move
    std::optional<core::Move> excluded_move;  ///< in a singular search: the move left out

    std::optional<core::Move> tt_move() const { return tt ? tt->move() : std::nullopt; }
};

/// A move that is about to be searched or pruned.
struct Candidate {
    core::Move move{};
    bool noisy = false;  ///< a capture or promotion
    int history = 0;     ///< its score in the histories
    int extension = 0;
};

/// The best move of a node so far.
struct Best {
    Score score = -infinite;
    std::optional<core::Move> move;  ///< has raised alpha
};

/// Mate distance pruning: no score is better than mating with the next move, or worse than being
/// mated now. Returns an empty window if nothing is left of it.
inline SearchArgs mate_distance_pruning(const StackEntry& ss, SearchArgs args) {
    args.alpha = std::max(args.alpha, mated_in(ss.ply));
    args.beta = std::min(args.beta, mate_in(ss.ply + 1));
    return args;
}

/// What the score of a searched node is.
template <NodeType type>
Bound bound_of(const Best& best, Score beta) {
    if (best.score >= beta)
        return Bound::lower;
    return type != NodeType::non_pv && best.move ? Bound::exact : Bound::upper;
}

/// Moves of one kind that a node has searched, as many as fit.
class MoveBuffer {  // NOLINT(cppcoreguidelines-pro-type-member-init): moves_ up to size_
public:
    void add(core::Move move) {
        if (size_ < moves_.size())
            moves_[size_++] = move;
    }
    const core::Move* begin() const { return moves_.data(); }
    const core::Move* end() const { return moves_.data() + size_; }

private:
    std::array<core::Move, 64> moves_;
    std::size_t size_ = 0;
};

/// The state of a node's moves loop.
struct MoveLoop {
    explicit MoveLoop(const HistoryContext& node_context) : context{node_context} {}

    const HistoryContext& context;
    Best best;
    MoveBuffer quiets_searched;  ///< without the best move, as below
    MoveBuffer noisies_searched;
};

/// One thread of the search: its stack, its histories, its root moves. The first worker runs on the
/// Main Task's thread and has the control; the others see only the stop flag.
class Worker {
public:
    explicit Worker(SharedState& shared);

    /// Begins to use the network that the evaluation has now.
    void reset_accumulators();
    /// Forgets the histories.
    void clear() { histories_.clear(); }
    /// Prepares for a search. Only the first worker gets the control. The root moves begin with
    /// those that the endgame tables rank highest.
    void prepare(const SearchRequest& request,
                 const std::vector<RootMove>& root_moves,
                 SearchControl* control);
    /// Iterative deepening until stopped or deep enough. Reports if it has the control.
    void iterative_deepening();

    const NodeCounter& nodes() const { return nodes_; }
    const NodeCounter& tbhits() const { return tbhits_; }
    int completed_depth() const { return completed_depth_; }
    /// The result of the last whole iteration; nothing without one.
    const std::optional<TTData>& completed_result() const { return completed_result_; }
    /// Whether the search was stopped in the middle of an iteration.
    bool is_aborted() const { return stopped_; }
    /// The best root move so far, with its score and pv.
    const RootMove& best() const { return root_moves_.front(); }
    /// Whether nodes have been searched since the last report.
    bool needs_final_info() const {
        return !reported_nodes_ || shared_.total_nodes() != *reported_nodes_;
    }
    /// Reports the best root moves, as many as MultiPV wants; at the end of a search its best move
    /// follows.
    void report(SearchControl& control, bool best_move_follows = false) const;

private:
    // iterative_deepening.cpp.
    void complete(int depth);
    int resume(int max_depth);
    std::vector<core::Move> pv_from_tt(core::Move first) const;
    void search_depth(int depth);
    void aspiration_search(int depth);
    void sort_root_moves(std::size_t from);
    Iteration finished_iteration() const;
    Info info(std::size_t index, SearchControl& control) const;
    bool reports_progress() const;
    void report_bound() const;
    void report_currmove(core::Move move, int number);

    // alpha_beta.cpp: a node up to its moves.
    template <NodeType type>
    Score search(StackEntry& ss, SearchArgs args);
    template <NodeType type>
    void enter_node(StackEntry& ss, SearchArgs args);
    std::optional<Score> draw_or_max_ply(const StackEntry& ss);
    template <NodeType type>
    Node probe_tt(const StackEntry& ss) const;
    template <NodeType type>
    std::optional<Score> tt_cutoff(const StackEntry& ss, SearchArgs args, const Node& node);
    void prefetch_tt_move(const StackEntry& ss, const Node& node) const;
    template <NodeType type>
    std::optional<Score> tablebase_cutoff(const StackEntry& ss, SearchArgs args, Node& node);
    void evaluate(StackEntry& ss, Node& node);
    void keep_evaluation(const StackEntry& ss, const Node& node);
    bool is_improving(const StackEntry& ss) const;
    SearchArgs hindsight(const StackEntry& ss, SearchArgs args) const;
    template <NodeType type>
    std::optional<Score> prune_node(StackEntry& ss, SearchArgs args, const Node& node);
    std::optional<Score> razoring(StackEntry& ss, SearchArgs args, const Node& node);
    std::optional<Score> null_move_pruning(StackEntry& ss, SearchArgs args, const Node& node);
    bool null_move_verified(StackEntry& ss, SearchArgs args, int reduction);
    template <NodeType type>
    std::optional<Score> singular_extension(StackEntry& ss, SearchArgs args, Node& node);

    // alpha_beta.cpp: the moves loop.
    template <NodeType type>
    Score search_moves(StackEntry& ss, SearchArgs args, const Node& node);
    template <NodeType type>
    std::optional<core::Move> next_move(const StackEntry& ss, const Node& node, MovePicker& picker);
    Candidate candidate_of(const StackEntry& ss,
                           const HistoryContext& context,
                           core::Move move) const;
    bool prune_move(const StackEntry& ss,
                    SearchArgs args,
                    const Node& node,
                    const Candidate& candidate,
                    MovePicker& picker) const;
    template <NodeType type>
    Score search_move(StackEntry& ss,
                      SearchArgs args,
                      const Node& node,
                      const MoveLoop& loop,
                      const Candidate& candidate);
    template <NodeType type>
    Score search_later_move(StackEntry& ss,
                            SearchArgs args,
                            const Node& node,
                            const MoveLoop& loop,
                            const Candidate& candidate);
    template <NodeType type>
    int lmr_reduction(const StackEntry& ss,
                      SearchArgs args,
                      const Node& node,
                      const Candidate& candidate) const;
    RootMove& current_root_move(const StackEntry& ss);
    void update_root_move(const StackEntry& ss, SearchArgs args, Score score);

    // alpha_beta.cpp: the end of a node.
    template <NodeType type>
    Score finish_node(const StackEntry& ss, SearchArgs args, const Node& node, Best best);
    void store_tt(const StackEntry& ss,
                  SearchArgs args,
                  const Node& node,
                  const Best& best,
                  Bound bound);
    void update_histories(StackEntry& ss, SearchArgs args, const MoveLoop& loop);
    void update_histories_on_tt_cutoff(const StackEntry& ss, SearchArgs args, const Node& node);
    template <NodeType type>
    void update_histories_on_fail_low(const StackEntry& ss, SearchArgs args);
    void update_correction_history(const StackEntry& ss,
                                   SearchArgs args,
                                   const Node& node,
                                   const Best& best,
                                   Bound bound);

    // quiescence.cpp.
    template <NodeType type>
    Score qsearch(StackEntry& ss, SearchArgs args);
    std::optional<Score> stand_pat(StackEntry& ss, SearchArgs args, Node& node);
    template <NodeType type>
    Score qsearch_moves(StackEntry& ss, SearchArgs args, const Node& node);

    // worker.cpp: what all of them need.
    void make_move(StackEntry& ss, core::Move move);
    void make_null_move(StackEntry& ss);
    void unmake_move() { keys_.pop_back(); }
    bool should_stop();
    bool is_draw(const StackEntry& ss) const;
    bool is_repetition(const StackEntry& ss) const;
    Score raw_evaluation(const StackEntry& ss);
    HistoryContext history_context(const StackEntry& ss);
    StackEntry& stack_at(int ply) { return stack_[static_cast<std::size_t>(ply)]; }
    const StackEntry& stack_at(int ply) const { return stack_[static_cast<std::size_t>(ply)]; }
    StackEntry& child(const StackEntry& ss) { return stack_at(ss.ply + 1); }
    const StackEntry& child(const StackEntry& ss) const { return stack_at(ss.ply + 1); }
    const StackEntry& parent(const StackEntry& ss) const { return stack_at(ss.ply - 1); }

    NodeCounter nodes_;
    NodeCounter tbhits_;
    SharedState& shared_;
    SearchControl* control_ = nullptr;

    Histories histories_;
    std::vector<StackEntry> stack_;
    std::vector<core::Key> keys_;          ///< of the game's positions and of those on the stack
    nnue::AccumulatorStack accumulators_;  ///< of the positions on the stack
    std::vector<RootMove> root_moves_;
    std::size_t pv_index_ = 0;  ///< which of the best root moves is being searched for
    std::size_t multipv_ = 1;

    mutable std::optional<std::uint64_t> reported_nodes_;
    std::uint64_t other_threads_nodes_ = 0;  ///< when last added up
    int seldepth_ = 0;
    int root_depth_ = 0;
    int completed_depth_ = 0;
    /// A verification search makes no null move at lower plies; 0 outside of it.
    int null_move_min_ply_ = 0;
    std::optional<TTData> completed_result_;
    bool all_moves_allowed_ = true;  ///< at the root
    bool stopped_ = false;
};

}  // namespace engine::search
