#pragma once

#include <memory>
#include <vector>

#include "engine/response.hpp"
#include "engine/search/request.hpp"
#include "engine/search_control.hpp"

namespace engine {

class Worker;

/// The search as a whole: its table, its threads and what they have learnt. Belongs to the Main
/// Task.
class Search {
public:
    /// One thread, and a table of that many MB.
    explicit Search(std::size_t megabytes);
    ~Search();
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;
    Search(Search&&) = delete;
    Search& operator=(Search&&) = delete;

    /// These two change nothing and give false when the system refuses the memory or threads.
    bool resize_table(std::size_t megabytes) { return shared_.table.resize(megabytes); }
    bool set_threads(int count);
    void clear_table() { shared_.table.clear(); }
    /// Evaluates with that network from now on, and forgets what was found with another. Before,
    /// the one in the program is used.
    void use_network(std::shared_ptr<const nnue::Network> network);
    /// What a position is worth to the player to move, without search.
    Score evaluate(const core::Position& position) const;
    /// The network in use.
    const std::shared_ptr<const nnue::Network>& network() const { return shared_.network; }
    /// Forgets everything, as a new game asks for.
    void clear();

    /// Searches until the control says stop, with the calling thread as the first of all.
    BestMove run(const SearchRequest& request, SearchControl& control);
    /// Nodes that the last search has visited, in all threads.
    std::uint64_t nodes() const;

private:
    struct Helper;

    const Worker& elected_worker() const;
    std::optional<core::Move> ponder_move(const core::Position& root,
                                          const std::vector<core::Move>& line) const;

    SharedSearch shared_;
    std::unique_ptr<Worker> main_worker_;
    std::vector<std::unique_ptr<Helper>> helpers_;
};

}  // namespace engine
