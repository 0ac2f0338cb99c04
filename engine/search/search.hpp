#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/evaluate/evaluate.hpp"
#include "engine/hash_file.hpp"
#include "engine/response.hpp"
#include "engine/search/request.hpp"
#include "engine/search_control.hpp"

namespace engine::search {

struct SharedState;
class Worker;
struct RootMove;

/// What one thread of a search has come to.
struct ThreadResult {
    core::Move move{};
    Score score = draw;
    int completed_depth = 0;
};

/// The index of the thread whose move to play. Each thread votes for its move, with more weight the
/// deeper it got and the better its score is; of the threads with the winning move, the deepest is
/// taken. A proven mate wins without votes. Threads that have completed no iteration do not count,
/// except the first.
std::size_t best_thread(const std::vector<ThreadResult>& results);

/// The search as a whole: the transposition table and the threads with their histories. Belongs to
/// the Main Task.
class Search {
public:
    /// One thread, and a transposition table of that many MB. The evaluation must outlive the
    /// search.
    Search(std::size_t megabytes, const evaluate::Evaluate& evaluate);
    ~Search();
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;
    Search(Search&&) = delete;
    Search& operator=(Search&&) = delete;

    /// Resizes and clears the transposition table. False if the system refuses the memory: then
    /// only its entries are lost.
    bool resize_tt(std::size_t megabytes);
    /// Changes nothing and returns false if the system refuses the memory or the threads.
    bool set_threads(int count);
    void clear_tt();
    /// Saves the transposition table in a file, with the result of the last search. Error: why not.
    std::optional<core::Error> save_tt(const std::string& path);
    /// Loads the transposition table from a file. A search of a root that it has then begins at the
    /// depth saved there. Error: why not, see load_tt_file().
    std::optional<core::Error> load_tt(const std::string& path);
    /// Forgets everything that was found with the network used so far.
    void evaluation_changed();
    /// Forgets everything, for a new game.
    void clear();

    /// Searches until the control says stop; the calling thread is the first of the threads.
    BestMove run(const SearchRequest& request, SearchControl& control);
    /// Nodes that the last search has visited, in all threads.
    std::uint64_t nodes() const;

private:
    struct Helper;

    TTImage tt_image();
    void reset_tt_state();
    void remember(const SearchRequest& request, const Worker& worker);
    void set_salt(core::Key salt);
    void clear_histories();
    int threads() const { return static_cast<int>(helpers_.size()) + 1; }
    std::vector<RootMove> ranked_root_moves(const SearchRequest& request);
    const Worker& best_worker() const;
    std::optional<core::Move> ponder_move(const core::Position& root,
                                          const std::vector<core::Move>& pv) const;

    std::unique_ptr<SharedState> shared_;
    std::unique_ptr<Worker> main_worker_;
    std::vector<std::unique_ptr<Helper>> helpers_;
    core::Key salt_ = 0;
};

}  // namespace engine::search
