#include "engine/analysis/review/annotate.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <utility>

#include "core/text.hpp"

#include "engine/analysis/explain/wording.hpp"

namespace engine::review {

namespace {

using core::PgnComment;
using core::PgnElement;
using core::PgnNag;
using core::PgnVariation;

bool is_move(const PgnElement& element) {
    return std::holds_alternative<core::Move>(element.content)
        || std::holds_alternative<core::PgnNullMove>(element.content);
}

/// Whether a NAG judges a move: from "!" to "?!".
bool is_judgement(const PgnElement& element) {
    const auto* const nag = std::get_if<PgnNag>(&element.content);
    return nag != nullptr && nag->number >= 1 && nag->number <= 6;
}

std::optional<PgnNag> nag_of(Judgement judgement) {
    switch (judgement) {
        case Judgement::inaccuracy: return PgnNag{6};
        case Judgement::mistake: return PgnNag{2};
        case Judgement::blunder: return PgnNag{4};
        default: return std::nullopt;
    }
}

constexpr std::string_view eval_command = "[%eval";

bool has_eval(const PgnElement& element) {
    const auto* const comment = std::get_if<PgnComment>(&element.content);
    return comment != nullptr && comment->text.find(eval_command) != std::string::npos;
}

void remove_eval(PgnElement& element) {
    auto* const comment = std::get_if<PgnComment>(&element.content);
    if (comment == nullptr)
        return;
    auto& text = comment->text;
    for (auto start = text.find(eval_command); start != std::string::npos;
         start = text.find(eval_command)) {
        const auto end = std::min(text.find(']', start), text.size() - 1);
        text.erase(start, end + 1 - start);
    }
    text = core::Words{text}.rest();
}

void set_tag(core::PgnTags& tags, std::string_view name, std::string value) {
    const auto found =
        std::find_if(tags.begin(), tags.end(), [&](const auto& tag) { return tag.first == name; });
    if (found == tags.end())
        tags.emplace_back(name, std::move(value));
    else
        found->second = std::move(value);
}

/// "?" is PGN's word for a value that is not known.
void add_tag(core::PgnTags& tags, std::string_view name, const std::string& value) {
    if (const auto present = core::tag_of(tags, name); present.empty() || present == "?")
        set_tag(tags, name, value);
}

std::string with_decimals(double value, int decimals) {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text << std::fixed << std::setprecision(decimals) << value;
    return text.str();
}

/// Without a depth where none is given.
PgnComment eval_comment(Score score, int depth = 0) {
    auto text = std::string{eval_command} + " " + eval_text(score);
    if (depth > 0)
        text += "," + std::to_string(depth);
    return {text + "]"};
}

/// What follows a move up to the next one.
using Remarks = std::vector<PgnElement>;

void add_eval(Remarks& remarks, const PositionReview& after, bool replace) {
    if (replace) {
        std::for_each(remarks.begin(), remarks.end(), remove_eval);
        std::erase_if(remarks, [](const PgnElement& element) {
            const auto* const comment = std::get_if<PgnComment>(&element.content);
            return comment != nullptr && comment->text.empty();
        });
    }
    if (after.depth == 0 || std::any_of(remarks.begin(), remarks.end(), has_eval))
        return;
    auto text = eval_comment(after.score, after.depth).text;
    const auto place = std::find_if_not(remarks.begin(), remarks.end(), [](const auto& element) {
        return std::holds_alternative<PgnNag>(element.content);
    });
    auto* const comment =
        place == remarks.end() ? nullptr : std::get_if<PgnComment>(&place->content);
    if (comment != nullptr)
        comment->text = text + (comment->text.empty() ? "" : " ") + comment->text;
    else
        remarks.insert(place, {PgnComment{std::move(text)}});
}

/// Adds a variation, unless it is there already.
void add_variation(Remarks& remarks, PgnVariation variation) {
    const bool is_known = std::any_of(remarks.begin(), remarks.end(), [&](const auto& element) {
        const auto* const present = std::get_if<PgnVariation>(&element.content);
        return present != nullptr && *present == variation;
    });
    if (!is_known)
        remarks.push_back({std::move(variation)});
}

PgnVariation variation_of(const std::vector<core::Move>& moves, std::size_t max_plies) {
    PgnVariation variation;
    for (const auto move : moves) {
        if (variation.elements.size() < max_plies)
            variation.elements.push_back({move});
    }
    return variation;
}

/// The best pv, and then those others that the search with MultiPV has found to be better
/// than the move.
void add_better_lines(Remarks& remarks, const MoveReview& move, const AnnotationRules& rules) {
    const auto& best = move.before.pv;
    if (best.empty())
        return;
    add_variation(remarks, variation_of(best, rules.max_variation_plies));
    std::size_t count = 1;
    for (const auto& pv : move.pvs) {
        const auto first = pv.moves.front();
        if (first == move.move || count >= rules.max_variations)
            return;
        if (first == best.front())
            continue;
        auto variation = variation_of(pv.moves, rules.max_variation_plies);
        variation.elements.insert(variation.elements.begin() + 1, {eval_comment(pv.score)});
        add_variation(remarks, std::move(variation));
        ++count;
    }
}

/// Adds an explanation to the last comment, unless it is there already.
void add_explanation(Remarks& remarks, const std::string& words) {
    PgnComment* last = nullptr;
    for (auto& remark : remarks) {
        auto* const comment = std::get_if<PgnComment>(&remark.content);
        if (comment == nullptr)
            continue;
        if (comment->text.find(words) != std::string::npos)
            return;
        last = comment;
    }
    if (last != nullptr)
        last->text += " " + words;
    else
        remarks.push_back({PgnComment{words}});
}

void add_review(Remarks& remarks,
                const MoveReview& move,
                const core::Position& position,
                const AnnotationRules& rules) {
    add_eval(remarks, move.after, rules.replace_evals);
    const auto nag = nag_of(move.judgement);
    if (!nag)
        return;
    if (std::none_of(remarks.begin(), remarks.end(), is_judgement))
        remarks.insert(remarks.begin(), {*nag});
    if (move.explanation)
        add_explanation(remarks, joined(words_of(*move.explanation, position, rules.language)));
    add_better_lines(remarks, move, rules);
}

}  // namespace

std::string eval_text(Score score) {
    if (!is_mate(score))
        return with_decimals(centipawns(score) / 100.0, 2);
    const int moves = (plies_to_mate(score) + 1) / 2;
    return "#" + std::to_string(score > 0 ? moves : -moves);
}

void annotate(core::AnnotatedGame& game, const GameReview& review, const AnnotationRules& rules) {
    std::vector<PgnElement> elements;
    auto next = game.elements.begin();
    const auto end = game.elements.end();
    const auto append_until_move = [&](Remarks& to) {
        const auto first = next;
        next = std::find_if(first, end, is_move);
        to.insert(to.end(), std::move_iterator{first}, std::move_iterator{next});
    };
    append_until_move(elements);
    core::Position position = game.start;
    for (const auto& move : review.moves) {
        elements.push_back(std::move(*next++));
        Remarks remarks;
        append_until_move(remarks);
        add_review(remarks, move, position, rules);
        position = move.move ? position.after(*move.move) : position.after_null_move();
        elements.insert(elements.end(), std::move_iterator{remarks.begin()},
                        std::move_iterator{remarks.end()});
    }
    game.elements = std::move(elements);
    add_tag(game.tags, "Annotator", rules.annotator);
    if (review.opening) {
        add_tag(game.tags, "ECO", review.opening->eco);
        add_tag(game.tags, "Opening", review.opening->name);
    }
    const auto& [white, black] = review.accuracy;
    if (white)
        set_tag(game.tags, "WhiteAccuracy", with_decimals(*white, 1));
    if (black)
        set_tag(game.tags, "BlackAccuracy", with_decimals(*black, 1));
}

}  // namespace engine::review
