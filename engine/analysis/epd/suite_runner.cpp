#include "engine/analysis/epd/suite_runner.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "core/movegen.hpp"

#include "engine/search/search.hpp"
#include "engine/threading.hpp"
#include "engine/wdl.hpp"

namespace engine::epd {

namespace {

/// Keeps the last report of a search, and since when its move has been right.
class Observer : public SearchListener {
public:
    Observer(const Task& task, const std::atomic<bool>& stop)
        : SearchListener{stop},
          task_{task},
          stop_{stop} {}

    std::optional<Interrupt> take_interrupt() override {
        return stop_ ? std::optional{Interrupt::stop} : std::nullopt;
    }
    bool wants_reports() const override { return true; }
    void report(Info info) override {
        if (info.pv.empty() || info.multipv != 1)
            return;
        const bool is_right = score_answer(task_, info.pv.front(), normalised(info.score)).solved;
        if (!is_right)
            found_.reset();
        else if (!found_)
            found_ = Moment{info.time, info.nodes, info.depth};
        last_ = std::move(info);
    }
    void report(CurrentMove /*current*/) override {}

    const Info& last() const { return last_; }
    const std::optional<Moment>& found() const { return found_; }

private:
    const Task& task_;
    const std::atomic<bool>& stop_;
    Info last_;
    std::optional<Moment> found_;
};

Answer answer(search::Search& search,
              const Task& task,
              Limits limits,
              const std::atomic<bool>& stop) {
    const core::Game game{task.position};
    const auto moves = core::legal_moves(task.position);
    if (moves.empty())
        return {std::nullopt, task.position.in_check() ? mated_in(0) : draw, {}, {}, {}};
    limits.analysis = true;
    limits.arrival = std::chrono::steady_clock::now();
    Observer observer{task, stop};
    const Clock clock{limits, task.position.side_to_move(), Milliseconds{0}};
    SearchControl control{std::move(limits), clock, observer};
    search.clear();
    const BestMove best = search.run({game, {moves.begin(), moves.end()}}, control);
    const Moment end{control.elapsed(), search.nodes(), observer.last().depth};
    Answer answer{best.move, normalised(best.score), observer.last().pv, end, observer.found()};
    if (!best.move)
        return answer;
    // A search that is stopped in an iteration reports the pv of the one before.
    if (answer.pv.empty() || answer.pv.front() != *best.move)
        answer.pv = {*best.move};
    if (!score_answer(task, *best.move, answer.score).solved)
        answer.found.reset();
    else if (!answer.found)
        answer.found = end;
    return answer;
}

/// Brings answers, which come in any order, into that of the tasks.
class AnswerReorderer {
public:
    explicit AnswerReorderer(const std::function<bool(std::size_t, const Answer&)>& take)
        : take_{take} {}

    /// From any thread.
    void add(std::size_t index, Answer answer) {
        const std::lock_guard lock{mutex_};
        early_.emplace(index, std::move(answer));
        for (auto next = early_.find(next_); next != early_.end() && !is_over_;
             next = early_.find(next_)) {
            is_over_ = !take_(next_, next->second);
            early_.erase(next);
            ++next_;
        }
    }
    /// Whether no more answers are wanted.
    bool is_over() const { return is_over_; }

private:
    const std::function<bool(std::size_t, const Answer&)>& take_;
    std::atomic<bool> is_over_{false};  // every thread looks before its next task
    std::mutex mutex_;                  ///< guards what follows
    std::map<std::size_t, Answer> early_;
    std::size_t next_ = 0;
};

}  // namespace

void SuiteRunner::run(const std::vector<Task>& tasks,
                      const std::atomic<bool>& stop,
                      const std::function<bool(std::size_t, const Answer&)>& take) const {
    AnswerReorderer reorderer{take};
    std::atomic<std::size_t> next{0};
    const auto work = [&](search::Search& search) {
        for (auto i = next++; i < tasks.size() && !stop && !reorderer.is_over(); i = next++) {
            auto result = answer(search, tasks[i], rules_.limits, stop);
            if (!stop)
                reorderer.add(i, std::move(result));
        }
    };
    // All memory is taken here, where a refusal can be reported.
    std::deque<search::Search> searches;
    while (searches.size() < std::clamp<std::size_t>(tasks.size(), 1, rules_.at_once)) {
        searches.emplace_back(static_cast<std::size_t>(rules_.megabytes), evaluate_);
        if (!searches.back().set_threads(rules_.threads))
            throw std::bad_alloc{};
    }
    std::deque<Thread> threads;  // each waits for its end when it is destroyed
    for (auto search = searches.begin() + 1; search != searches.end(); ++search)
        threads.emplace_back([&work, search] { work(*search); });
    work(searches.front());
}

}  // namespace engine::epd
