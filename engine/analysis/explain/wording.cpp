#include "engine/analysis/explain/wording.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/movegen.hpp"
#include "core/notation.hpp"

#include "engine/analysis/review/winning_chance.hpp"

namespace engine::explain {

namespace {

using core::Move;
using core::PieceType;
using core::Position;
using core::Square;

/// What stands for the placeholders of a text.
using Values = std::vector<std::pair<std::string_view, std::string>>;

std::string filled(std::string_view pattern, const Values& values) {
    std::string text{pattern};
    for (const auto& [name, value] : values) {
        const std::string placeholder = "{" + std::string{name} + "}";
        for (auto at = text.find(placeholder); at != std::string::npos;
             at = text.find(placeholder, at + value.size()))
            text.replace(at, placeholder.size(), value);
    }
    return text;
}

class WordingBuilder {
public:
    WordingBuilder(const Explanation& explanation, const Position& position, Language language)
        : explanation_{explanation},
          position_{position},
          language_{language} {}

    Words words() const {
        Words words;
        if (explanation_.claim) {
            words.sentences.push_back(first_sentence(*explanation_.claim));
            words.pv = pv_text(*explanation_.claim);
        }
        else if (explanation_.verdict == Verdict::worse) {
            words.sentences.push_back(text_of(Text::worse, {{"move", move_text()}}));
        }
        if (const auto second = second_sentence(words.sentences.empty()))
            words.sentences.push_back(*second);
        for (auto& sentence : words.sentences)
            sentence += '.';
        return words;
    }

private:
    std::string text_of(Text id, const Values& values = {}) const {
        return filled(text(id, language_), values);
    }

    std::string notation(const Position& position, Move move) const {
        constexpr std::string_view english = "KQRBN";
        std::string san = core::san(position, move);
        for (char& letter : san) {
            if (const auto found = english.find(letter); found != std::string_view::npos)
                letter = piece_letters(language_)[found];
        }
        if (move.kind() == Move::Kind::castling)  // O is no piece
            return core::san(position, move);
        return san;
    }
    std::string move_text() const { return notation(position_, explanation_.move); }
    std::string better_text() const { return notation(position_, explanation_.better); }

    std::string pv_text(const Claim& claim) const {
        Position position = root_of(claim, position_, explanation_.move);
        std::string text;
        for (const Move move : claim.pv) {
            const bool white = position.side_to_move() == core::Color::white;
            if (!text.empty())
                text += ' ';
            if (white || text.empty())
                text += std::to_string(position.fullmove_number()) + (white ? "." : "...");
            text += notation(position, move);
            position.play(move);
        }
        return text;
    }

    /// The first move of the claim's pv; empty without one.
    std::string first_text(const Claim& claim) const {
        if (claim.pv.empty())
            return {};
        return notation(root_of(claim, position_, explanation_.move), claim.pv.front());
    }

    std::string amount_text(const Claim& claim) const {
        if (claim.won_piece)
            return text_of(Text::piece_on_square,
                           {{"piece", std::string{object(*claim.won_piece, language_)}},
                            {"square", captured_on(claim).name()}});
        if (claim.motif == Motif::exchange)
            return text_of(Text::exchange);
        return pawns_text(claim.amount);
    }

    std::string pawns_text(int amount) const {
        if (amount == 1)
            return text_of(Text::one_pawn);
        return text_of(Text::pawns, {{"n", std::to_string(amount)}});
    }

    std::string others_text(const OnlyMove& only) const {
        if (only.amount == 0)
            return text_of(Text::others_allow_mate);
        return text_of(only.mate ? Text::others_allow_mate_or_lose : Text::others_lose_material,
                       {{"what", pawns_text(only.amount)}});
    }

    static Square captured_on(const Claim& claim) {
        const Move first = claim.pv.front();
        return first.kind() == Move::Kind::en_passant
                 ? Square::at(first.to().file(), first.from().rank())
                 : first.to();
    }

    std::string first_sentence(const Claim& claim) const {
        const auto clause = clause_of(claim);
        return lead_of(claim) + (clause.empty() ? "" : ": " + clause);
    }

    std::string lead_of(const Claim& claim) const {
        return text_of(lead_id(claim), {{"move", move_text()},
                                        {"better", better_text()},
                                        {"first", first_text(claim)},
                                        {"what", amount_text_if_any(claim)},
                                        {"n", std::to_string(claim.amount)}});
    }

    std::string amount_text_if_any(const Claim& claim) const {
        switch (claim.kind) {
            case Kind::material_lost:
            case Kind::material_missed:
            case Kind::material_won:
            case Kind::threat_stopped: return amount_text(claim);
            default: return {};
        }
    }

    Text lead_id(const Claim& claim) const {
        switch (claim.kind) {
            case Kind::mate_allowed: return Text::mate_allowed;
            case Kind::material_lost:
                return claim.was_threat ? Text::threat_overlooked : Text::material_lost;
            case Kind::draw_allowed: return Text::draw_allowed;
            case Kind::game_drawn: return draw_id();
            case Kind::win_given_up: return Text::win_given_up;
            case Kind::ending_lost: return Text::ending_lost;
            case Kind::mate_missed: return Text::mate_missed;
            case Kind::mate_delayed: return Text::mate_delayed;
            case Kind::material_missed: return Text::material_missed;
            case Kind::mates: return claim.amount == 1 ? Text::is_mate : Text::mates;
            case Kind::material_won: return Text::material_won;
            case Kind::mate_stopped:
                return claim.amount == 1 ? Text::only_mate_stopped : Text::mate_stopped;
            default: return Text::threat_stopped;
        }
    }

    Text draw_id() const {
        const Position after = position_.after(explanation_.move);
        if (after.has_insufficient_material())
            return Text::no_mating_material;
        if (core::count_legal_moves(after) == 0)
            return Text::stalemate;
        constexpr int fifty_moves = 100;
        return after.halfmove_clock() >= fifty_moves ? Text::fifty_moves : Text::repetition;
    }

    static std::optional<Text> clause_id(Motif motif) {
        switch (motif) {
            case Motif::undefended: return Text::undefended;
            case Motif::moved_into_attack: return Text::moved_into_attack;
            case Motif::pinned_defender: return Text::pinned_defender;
            case Motif::defender_left: return Text::defender_left;
            case Motif::line_opened: return Text::line_opened;
            case Motif::overloaded: return Text::overloaded;
            case Motif::defender_removed: return Text::defender_removed;
            case Motif::fork: return Text::fork;
            case Motif::skewer: return Text::skewer;
            case Motif::pin: return Text::pin;
            case Motif::pinned_piece: return Text::pinned_piece;
            case Motif::discovered_attack: return Text::discovered_attack;
            case Motif::double_attack: return Text::double_attack;
            case Motif::trapped: return Text::trapped;
            case Motif::promotion: return Text::promotion;
            case Motif::back_rank: return Text::back_rank;
            default: return std::nullopt;
        }
    }

    /// The pieces that the clause names stand on their squares in the position after the pv's first
    /// move, or, where it has captured them, before.
    std::string clause_of(const Claim& claim) const {
        const auto id = clause_id(claim.motif);
        if (!id)
            return {};
        Values values{{"first", first_text(claim)}};
        struct Names {
            std::string_view subject, capital, object;
        };
        constexpr std::array<Names, 3> names{
            {{"a", "A", "oa"}, {"b", "B", "ob"}, {"c", "C", "oc"}}};
        for (std::size_t i = 0; i < claim.squares.size() && i < names.size(); ++i) {
            const Square square = claim.squares[i];
            values.emplace_back(names[i].subject, piece_text(claim, square, subject));
            values.emplace_back(names[i].capital, capital(piece_text(claim, square, subject)));
            values.emplace_back(names[i].object, piece_text(claim, square, object));
        }
        if (const auto piece =
                claim.squares.empty() ? std::nullopt : piece_of(claim, claim.squares.front())) {
            values.emplace_back("piece", subject(piece->type(), language_));
            values.emplace_back("Piece", capital(std::string{subject(piece->type(), language_)}));
        }
        if (claim.motif == Motif::promotion)
            values.emplace_back("sb", claim.squares[1].name());
        if (claim.motif == Motif::fork)
            values.emplace_back("list", list_text(claim));
        return text_of(*id, values);
    }

    std::optional<core::Piece> piece_of(const Claim& claim, Square square) const {
        const Position before = root_of(claim, position_, explanation_.move);
        const bool captured = before.is_capture(claim.pv.front()) && square == captured_on(claim);
        return (captured ? before : before.after(claim.pv.front())).piece_on(square);
    }

    /// `name` is subject() or object().
    std::string piece_text(const Claim& claim,
                           Square square,
                           std::string_view (*name)(PieceType, Language)) const {
        const auto piece = piece_of(claim, square);
        if (!piece)  // a defender that has left, a square of promotion
            return square.name();
        return text_of(
            Text::piece_on_square,
            {{"piece", std::string{name(piece->type(), language_)}}, {"square", square.name()}});
    }

    static std::string capital(std::string text) {
        if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
            text.front() = static_cast<char>(text.front() - 'a' + 'A');
        return text;
    }

    std::string list_text(const Claim& claim) const {
        std::string text;
        for (std::size_t i = 1; i < claim.squares.size(); ++i) {
            if (i > 1)
                text += i + 1 < claim.squares.size() ? ", " : text_of(Text::and_between);
            text += piece_text(claim, claim.squares[i], object);
        }
        return text;
    }

    bool claim_names_better() const {
        if (!explanation_.claim)
            return false;
        const auto kind = explanation_.claim->kind;
        return kind == Kind::mate_missed || kind == Kind::mate_delayed
            || kind == Kind::material_missed;
    }

    std::optional<std::string> second_sentence(bool is_first) const {
        if (explanation_.only_legal)
            return text_of(is_first ? Text::only_legal_move : Text::only_legal,
                           {{"move", move_text()}});
        if (explanation_.only_move)
            return text_of(is_first ? Text::only_move : Text::is_only_move,
                           {{"move", move_text()}, {"why", others_text(*explanation_.only_move)}});
        if (explanation_.claim && explanation_.claim->kind == Kind::mate_delayed)
            return std::nullopt;
        return text_of(
            second_id(),
            {{"move", move_text()},
             {"better", better_text()},
             {"side",
              text_of(position_.side_to_move() == core::Color::white ? Text::white : Text::black)},
             {"x", std::to_string(percent(explanation_.score_of_better))},
             {"y", std::to_string(percent(explanation_.score_of_move))}});
    }

    Text second_id() const {
        if (claim_names_better())
            return Text::better_was_named;
        switch (explanation_.verdict) {
            case Verdict::best: return Text::best;
            case Verdict::good: return Text::good;
            default: return Text::better;
        }
    }

    const Explanation& explanation_;
    const Position& position_;
    Language language_;
};

}  // namespace

Words words_of(const Explanation& explanation, const Position& position, Language language) {
    return WordingBuilder{explanation, position, language}.words();
}

std::string joined(const Words& words) {
    std::string text;
    for (const auto& sentence : words.sentences)
        text += (text.empty() ? "" : " ") + sentence;
    return words.pv.empty() ? text : text + " " + words.pv;
}

Position root_of(const Claim& claim, const Position& before, Move move) {
    switch (claim.kind) {
        case Kind::mate_allowed:
        case Kind::material_lost:
        case Kind::draw_allowed:
        case Kind::game_drawn:
        case Kind::win_given_up:
        case Kind::ending_lost: return before.after(move);
        case Kind::threat_stopped:
        case Kind::mate_stopped: return before.after_null_move();
        default: return before;
    }
}

int percent(Score score) {
    return static_cast<int>(std::lround(50 * (1 + review::winning_chance(score))));
}

}  // namespace engine::explain
