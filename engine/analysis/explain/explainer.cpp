#include "engine/analysis/explain/explainer.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/movegen.hpp"

#include "engine/analysis/explain/ending.hpp"
#include "engine/analysis/explain/material.hpp"
#include "engine/analysis/explain/motifs.hpp"
#include "engine/analysis/explain/only_move.hpp"
#include "engine/analysis/explain/prover.hpp"
#include "engine/analysis/review/winning_chance.hpp"
#include "engine/search/search.hpp"
#include "engine/search/see.hpp"

namespace engine::explain {

namespace {

using core::Color;
using core::Game;
using core::Move;
using core::Position;

constexpr std::size_t tt_megabytes = 8;

/// The least loss of winning chance, on the scale of review::winning_chance(), that is worth a
/// reason.
constexpr double min_loss = 0.1;

/// An only move keeps the result: without it as much is lost, and no win remains; with it the game
/// is not lost.
constexpr double min_loss_without_only_move = 0.3;
constexpr double winning = 0.5;

/// Keeps the last report of a search, and remembers that another listener was stopped.
class Recorder : public SearchListener {
public:
    explicit Recorder(SearchListener& outer)
        : SearchListener{outer.interrupt_flag()},
          outer_{outer} {}

    std::optional<Interrupt> take_interrupt() override {
        if (!stopped_ && outer_.take_interrupt() == Interrupt::stop)
            stopped_ = true;
        return stopped_ ? std::optional{Interrupt::stop} : std::nullopt;
    }
    bool wants_reports() const override { return true; }
    void report(Info info) override { last_ = std::move(info); }
    void report(CurrentMove /*current*/) override {}

    const Info& last() const { return last_; }
    bool stopped() {
        if (interrupt_flag().load(std::memory_order_relaxed))
            take_interrupt();
        return stopped_;
    }

private:
    SearchListener& outer_;
    Info last_;
    bool stopped_ = false;
};

/// What a search says of a position, for the side to move.
struct SearchResult {
    Score score = draw;  ///< normalised()
    std::vector<Move> pv;
};

/// The results of a search and of one with twice the nodes.
struct TwoResults {
    SearchResult first;
    SearchResult second;
};

struct Gain {
    int amount = 0;
    int plies = 0;
    Move first{};
};

class Explainer {
public:
    Explainer(const Game& game,
              const ExplainRules& rules,
              const evaluate::Evaluate& evaluate,
              SearchListener& listener)
        : game_{game},
          position_{game.position()},
          rules_{rules},
          recorder_{listener},
          search_{tt_megabytes, evaluate},
          prover_{game, [this] { return must_end(); }} {}

    std::optional<Explanation> explain(std::optional<Move> wanted) {
        before_ = search_twice(game_);
        if (before_.second.pv.empty() || recorder_.stopped())
            return std::nullopt;
        Explanation result;
        result.better = before_.second.pv.front();
        result.move = wanted.value_or(result.better);
        result.score_of_better = before_.second.score;
        result.only_legal = core::legal_moves(position_).size() == 1;
        if (result.move == result.better)
            explain_best(result);
        else
            explain_other(result);
        if (recorder_.stopped())
            return std::nullopt;
        return result;
    }

private:
    Color player() const { return position_.side_to_move(); }

    // ---- Searches

    bool must_end() {
        return recorder_.stopped() || (rules_.time && since(start_) >= *rules_.time);
    }

    /// A third of the remaining search time; searches get two thirds of the whole.
    std::optional<Milliseconds> time_for_search() const {
        if (!rules_.time)
            return std::nullopt;
        constexpr int parts = 3;
        const auto left = *rules_.time * 2 / 3 - since(start_);
        return std::max(left / parts, Milliseconds{1});
    }

    /// The result for the side to move, if it may not play one of its moves.
    SearchResult search_position(const Game& game,
                                 std::uint64_t nodes,
                                 std::optional<Move> excluded = {}) {
        const auto& position = game.position();
        const auto legal = core::legal_moves(position);
        std::vector<Move> moves{legal.begin(), legal.end()};
        if (excluded)
            moves.erase(std::remove(moves.begin(), moves.end(), *excluded), moves.end());
        if (moves.empty())
            return {position.in_check() ? mated_in(0) : draw, {}};
        if (game.outcome() != core::Outcome::open)
            return {};
        Limits limits;
        limits.nodes = nodes;
        limits.movetime = time_for_search();
        limits.analysis = true;
        limits.arrival = std::chrono::steady_clock::now();
        const Clock clock{limits, position.side_to_move(), Milliseconds{0}};
        SearchControl control{limits, clock, recorder_};
        search_.clear();
        const BestMove best = search_.run({game, std::move(moves)}, control);
        SearchResult found{normalised(best.score), recorder_.last().pv};
        if (best.move && (found.pv.empty() || found.pv.front() != *best.move))
            found.pv = {*best.move};
        return found;
    }

    TwoResults search_twice(const Game& game) {
        SearchResult first = search_position(game, rules_.nodes);
        return {std::move(first), search_position(game, 2 * rules_.nodes)};
    }

    static double loss(const SearchResult& before, const SearchResult& after) {
        return review::winning_chance(before.score) - review::winning_chance(-after.score);
    }

    // ---- The move is the best one.

    void explain_best(Explanation& result) {
        result.verdict = Verdict::best;
        result.score_of_move = result.score_of_better;
        // A mate too long to prove is no claim: what else the move does is said then.
        if (is_mate(before_.second.score) && before_.second.score > 0)
            result.claim = proved_mate(Kind::mates, position_, before_.second);
        if (result.claim || result.only_legal)
            return;
        result.claim = won_material(result.move);
        if (auto threat = stopped_threat(result.move);
            threat
            && (!result.claim || threat->kind == Kind::mate_stopped
                || threat->amount > result.claim->amount))
            result.claim = std::move(threat);
        result.only_move = only_move(result.move);
    }

    std::optional<OnlyMove> only_move(Move move) {
        if (review::winning_chance(before_.second.score) <= -winning)
            return std::nullopt;
        const auto keeps_result = [&](const SearchResult& with, const SearchResult& without) {
            const double other = review::winning_chance(without.score);
            return other >= winning
                || review::winning_chance(with.score) - other < min_loss_without_only_move;
        };
        const SearchResult first = search_position(game_, rules_.nodes, move);
        if (keeps_result(before_.first, first))
            return std::nullopt;
        const SearchResult second = search_position(game_, 2 * rules_.nodes, move);
        if (keeps_result(before_.second, second))
            return std::nullopt;
        std::vector<Move> others;
        for (const Move other : core::legal_moves(position_)) {
            if (other != move)
                others.push_back(other);
        }
        // The best of the others is most likely to hold.
        const auto best = std::find(others.begin(), others.end(), first_of(second.pv));
        if (best != others.end())
            std::rotate(others.begin(), best, best + 1);
        return prove_only_move(prover_, position_, move, others);
    }

    std::optional<Claim> won_material(Move move) {
        const auto gain = best_gain(position_, player(), {move});
        return gain ? gain_claim(Kind::material_won, position_, *gain, before_.second.pv, {})
                    : std::nullopt;
    }

    std::optional<Claim> stopped_threat(Move move) {
        if (position_.in_check())
            return std::nullopt;
        const Position passed = position_.after_null_move();
        const TwoResults results = search_twice(Game{passed});
        if (is_mate(results.second.score) && results.second.score > 0)
            return stopped_mate(position_.after(move), passed, results.second);
        const auto gain = best_gain(passed, ~player(), candidates(passed, results));
        if (!gain)
            return std::nullopt;
        const Position after = position_.after(move);
        const Goal goal = goal_of(*gain, ~player());
        if (core::is_legal(after, gain->first)
            && !prover_.cannot_force(after.after(gain->first), goal, gain->plies - 1))
            return std::nullopt;
        return gain_claim(Kind::threat_stopped, passed, *gain, results.second.pv, {});
    }

    std::optional<Claim> stopped_mate(const Position& after,
                                      const Position& passed,
                                      const SearchResult& found) {
        auto claim = proved_mate(Kind::mate_stopped, passed, found);
        if (!claim)
            return std::nullopt;
        const Move first = claim->pv.front();
        const Goal goal{~player(), std::nullopt};
        if (core::is_legal(after, first)
            && !prover_.cannot_force(after.after(first), goal, claim->plies - 1))
            return std::nullopt;
        return claim;
    }

    // ---- The move is another one.

    void explain_other(Explanation& result) {
        Game after = game_;
        after.play(result.move);
        after_ = search_twice(after);
        if (is_unseen_mate()) {
            before_ = {from_player(result.move, after_.first),
                       from_player(result.move, after_.second)};
            result.better = result.move;
            result.score_of_better = before_.second.score;
            explain_best(result);
            return;
        }
        result.score_of_move = -after_.second.score;
        const bool is_worse = loss(before_.first, after_.first) >= min_loss
                           && loss(before_.second, after_.second) >= min_loss;
        result.verdict = is_worse ? Verdict::worse : Verdict::good;
        const PlayedMove played{position_, result.move};
        if (auto draw_claim = is_worse ? drawn_game(after) : std::nullopt)
            result.claim = std::move(draw_claim);
        else if (auto claim_of_mate = mate_claim(after.position(), is_worse))
            result.claim = std::move(claim_of_mate);
        else if (is_worse)
            result.claim = material(played, result.better);
        if (is_worse && !result.claim)
            result.claim = allowed_draw(after);
        if (is_worse && !result.claim)
            result.claim = changed_ending(after.position());
    }

    /// Whether the move mates faster than what the search of the position before it has found.
    bool is_unseen_mate() const {
        const Score score = -after_.second.score;
        return is_mate(score) && score - 1 > before_.second.score;
    }

    /// The result of the search after a move as one of the position before it.
    static SearchResult from_player(Move move, const SearchResult& after) {
        SearchResult result{-after.score, {move}};
        if (is_mate(result.score))
            result.score += result.score > 0 ? -1 : 1;
        result.pv.insert(result.pv.end(), after.pv.begin(), after.pv.end());
        return result;
    }

    /// A won or drawn ending that the move spoils.
    std::optional<Claim> changed_ending(const Position& after) const {
        const auto before = known_result(position_, rules_.tables);
        const auto later = known_result(after, rules_.tables);
        if (!before || !later || *before == EndingResult::loss)
            return std::nullopt;
        Claim claim;
        if (*later == EndingResult::win)
            claim.kind = Kind::ending_lost;
        else if (*later == EndingResult::draw && *before == EndingResult::win)
            claim.kind = Kind::win_given_up;
        else
            return std::nullopt;
        return claim;
    }

    static std::optional<Claim> drawn_game(const Game& after) {
        const auto outcome = after.outcome();
        if (outcome == core::Outcome::open || outcome == core::Outcome::checkmate)
            return std::nullopt;
        Claim claim;
        claim.kind = Kind::game_drawn;
        return claim;
    }

    /// The opponent's answer that ends the game in a draw.
    std::optional<Claim> allowed_draw(const Game& after) const {
        if (after_.second.score != draw)
            return std::nullopt;
        for (const Move move : core::legal_moves(after.position())) {
            Game next = after;
            next.play(move);
            if (!drawn_game(next))
                continue;
            Claim claim;
            claim.kind = Kind::draw_allowed;
            claim.plies = 1;
            claim.pv = {move};
            return claim;
        }
        return std::nullopt;
    }

    std::optional<Claim> mate_claim(const Position& after, bool is_worse) {
        const Score before = before_.second.score;
        const Score later = -after_.second.score;
        if (is_worse && is_mate(later) && later < 0)
            return proved_mate(Kind::mate_allowed, after, after_.second);
        if (!is_mate(before) || before < 0 || later >= before)
            return std::nullopt;
        const bool still_mates = is_mate(later) && later > 0;
        auto claim = proved_mate(still_mates ? Kind::mate_delayed : Kind::mate_missed, position_,
                                 before_.second);
        const Goal goal{player(), std::nullopt};
        if (claim && !prover_.cannot_force(after, goal, claim->plies - 1))
            return std::nullopt;
        return claim;
    }

    /// A claim about a move of the player has that move first; the opponent may choose any.
    std::optional<Claim> proved_mate(Kind kind,
                                     const Position& position,
                                     const SearchResult& result) {
        constexpr int max_moves = 6;
        const Goal goal{position.side_to_move(), std::nullopt};
        const int last = std::min((plies_to_mate(result.score) + 1) / 2, max_moves);
        for (int moves = 1; moves <= last; ++moves) {
            const int plies = 2 * moves - 1;
            const auto preferred = first_of(result.pv);
            auto first = preferred;
            if (kind == Kind::mate_allowed || kind == Kind::mate_stopped)
                first = prover_.winning_move(position, goal, plies, preferred);
            else if (first && !prover_.can_force(position.after(*first), goal, plies - 1))
                first.reset();
            if (!first)
                continue;
            Claim claim{kind, Motif::none, moves, plies, {}, {}, {}, false};
            claim.pv = prover_.pv(position, *first, goal, plies, result.pv);
            if (claim.pv.empty())
                return std::nullopt;
            auto found = motif_of_mate(position, claim.pv);
            claim.motif = found.motif;
            claim.squares = std::move(found.squares);
            return claim;
        }
        return std::nullopt;
    }

    static std::optional<Move> first_of(const std::vector<Move>& pv) {
        return pv.empty() ? std::nullopt : std::optional{pv.front()};
    }

    /// What the move loses or misses, whichever is more.
    std::optional<Claim> material(const PlayedMove& played, Move better) {
        auto lost = lost_material(played, better);
        auto missed = missed_material(played);
        if (!lost || (missed && missed->amount > lost->amount))
            return missed;
        return lost;
    }

    std::optional<Claim> lost_material(const PlayedMove& played, Move better) {
        const Position after = position_.after(played.move);
        const auto gain = best_gain(after, ~player(), candidates(after, after_));
        if (!gain)
            return std::nullopt;
        // Skip a loss that the better move does not avoid.
        const Goal goal = goal_of(*gain, ~player());
        if (!prover_.cannot_force(position_.after(better), goal, gain->plies))
            return std::nullopt;
        auto claim = gain_claim(Kind::material_lost, after, *gain, after_.second.pv, played);
        if (claim)
            claim->was_threat = was_threat(*gain, goal, after);
        return claim;
    }

    /// Whether the opponent would have won as much in the same way after a null move.
    bool was_threat(const Gain& gain, const Goal& goal, const Position& after) {
        if (position_.in_check())
            return false;
        const Position passed = position_.after_null_move();
        return core::is_legal(passed, gain.first)
            && passed.piece_on(gain.first.to()) == after.piece_on(gain.first.to())
            && passed.piece_on(gain.first.from()) == after.piece_on(gain.first.from())
            && prover_.can_force(passed.after(gain.first), goal, gain.plies - 1);
    }

    std::optional<Claim> missed_material(const PlayedMove& played) {
        const auto gain = best_gain(position_, player(), candidates(position_, before_));
        // Skip a gain that the played move keeps.
        if (!gain || gain->first == played.move
            || !prover_.cannot_force(position_.after(played.move), goal_of(*gain, player()),
                                     gain->plies - 1))
            return std::nullopt;
        return gain_claim(Kind::material_missed, position_, *gain, before_.second.pv, {});
    }

    // ---- Material

    Goal goal_of(const Gain& gain, Color attacker) const {
        return {attacker, balance(position_, attacker) + gain.amount};
    }

    /// The moves that the searches prefer, and captures that seem to win something.
    std::vector<Move> candidates(const Position& position, const TwoResults& results) const {
        std::vector<Move> moves;
        const auto add = [&](Move move) {
            if (std::find(moves.begin(), moves.end(), move) == moves.end())
                moves.push_back(move);
        };
        for (const SearchResult* found : {&results.second, &results.first}) {
            if (const auto first = first_of(found->pv))
                add(*first);
        }
        for (const Move move : core::legal_moves(position, core::MoveKinds::noisy)) {
            if (search::see_ge(position, move, 1))
                add(move);
        }
        return moves;
    }

    /// The most that the attacker, who is to move, can be proved to win by one of these moves, over
    /// the balance in the game's position, and in the fewest plies.
    std::optional<Gain> best_gain(const Position& position,
                                  Color attacker,
                                  const std::vector<Move>& firsts) {
        constexpr std::array proofs{3, 5, 7};
        constexpr int long_proof = 7;
        std::optional<Gain> best;
        for (const int plies : proofs) {
            if (best && plies == long_proof)
                break;
            for (const Move first : firsts) {
                const int min_amount = best ? best->amount + 1 : 1;
                if (const auto amount =
                        max_amount(position.after(first), attacker, plies, min_amount))
                    best = {*amount, plies, first};
            }
        }
        return best;
    }

    /// The largest amount from `min_amount` on that is proved, after the first move of the
    /// attacker.
    std::optional<int> max_amount(const Position& after,
                                  Color attacker,
                                  int plies,
                                  int min_amount) {
        constexpr int max_pawns = 12;
        std::optional<int> proved;
        int high = max_pawns + 1;
        for (int amount = min_amount; amount < high;) {
            const Goal goal = goal_of({amount, plies, {}}, attacker);
            if (!prover_.can_force(after, goal, plies - 1))
                high = amount;
            else
                proved = amount;
            if (!proved)
                break;
            amount = (*proved + high + 1) / 2;
        }
        return proved;
    }

    std::optional<Claim> gain_claim(Kind kind,
                                    const Position& root,
                                    const Gain& gain,
                                    const std::vector<Move>& wanted,
                                    const std::optional<PlayedMove>& played) {
        const Goal goal = goal_of(gain, root.side_to_move());
        Claim claim{kind, Motif::none, gain.amount, gain.plies, {}, {}, {}, false};
        claim.pv = prover_.pv(root, gain.first, goal, gain.plies, wanted);
        if (claim.pv.empty())
            return std::nullopt;
        auto found = motif_of_gain(root, claim.pv, gain.amount, played);
        if (found.motif == Motif::none && claim.pv.size() == 1)
            found = motif_after_recapture(root, goal, claim);
        if (!holds_against_every_answer(found, root, goal, claim))
            found = {};
        claim.motif = found.motif;
        claim.squares = std::move(found.squares);
        claim.won_piece = piece_won(root, gain.first, gain.amount);
        return claim;
    }

    /// A capture that wins material at once although it can be answered by a recapture: the motif
    /// of what follows then, which becomes the claim's variation.
    FoundMotif motif_after_recapture(const Position& root, const Goal& goal, Claim& claim) {
        const Move first = claim.pv.front();
        const Position after = root.after(first);
        for (const Move answer : core::legal_moves(after)) {
            if (answer.to() != first.to())
                continue;
            const Position recaptured = after.after(answer);
            for (const Move second : core::legal_moves(recaptured, core::MoveKinds::noisy)) {
                if (!prover_.can_force(recaptured.after(second), goal, 0))
                    continue;
                const std::vector<Move> pv{first, answer, second};
                if (auto found = motif_of_gain(root, pv, claim.amount, {});
                    found.motif != Motif::none) {
                    claim.pv = pv;
                    return found;
                }
            }
        }
        return {};
    }

    /// The motifs that tell of the future: that a piece is lost, or a pawn promotes, whatever is
    /// answered. The others are facts of the position.
    bool holds_against_every_answer(const FoundMotif& found,
                                    const Position& root,
                                    const Goal& goal,
                                    const Claim& claim) {
        const Move first = claim.pv.front();
        Condition condition;
        if (found.motif == Motif::trapped)
            condition.victim = found.squares.front();
        else if (found.motif == Motif::promotion && !first.is_promotion())
            condition.promotion = found.squares.back();
        else
            return true;
        // Two plies more: an answer may capture something, or give check, before it fails.
        return prover_.can_force_by(root.after(first), goal, claim.plies + 1, condition);
    }

    const Game& game_;
    const Position& position_;
    ExplainRules rules_;
    TimePoint start_ = std::chrono::steady_clock::now();
    Recorder recorder_;
    search::Search search_;
    Prover prover_;
    TwoResults before_;
    TwoResults after_;
};

}  // namespace

std::optional<std::string_view> end_of(const Game& game) {
    switch (game.outcome()) {
        case core::Outcome::checkmate: return "checkmate";
        case core::Outcome::stalemate: return "stalemate";
        case core::Outcome::insufficient_material: return "neither side can mate";
        case core::Outcome::threefold_repetition: return "threefold repetition";
        case core::Outcome::fifty_moves: return "fifty moves without a capture or pawn move";
        default: return std::nullopt;
    }
}

std::optional<Explanation> explain(const Game& game,
                                   std::optional<Move> move,
                                   const ExplainRules& rules,
                                   const evaluate::Evaluate& evaluate,
                                   SearchListener& listener) {
    return Explainer{game, rules, evaluate, listener}.explain(move);
}

}  // namespace engine::explain
