#pragma once

#include <optional>
#include <string_view>

#include "core/piece.hpp"

// Every text of explanations, in each language: one table, for translators.
namespace engine::explain {

enum class Language : unsigned char { english, german };

/// "en" or "de".
std::optional<Language> language_named(std::string_view code);
std::string_view code_of(Language language);

enum class Text : unsigned char {
    // What is said first. {move} is the move explained, {better} the better move, {first} the first
    // move of the pv, {what} what is won, {n} the moves to mate.
    mate_allowed,
    material_lost,
    threat_overlooked,
    draw_allowed,
    mate_missed,
    mate_delayed,
    material_missed,
    mates,
    is_mate,
    material_won,
    threat_stopped,
    mate_stopped,
    only_mate_stopped,
    stalemate,
    repetition,
    fifty_moves,
    no_mating_material,
    win_given_up,
    ending_lost,
    // How: follows a colon. {a}, {b} and {c} are the pieces on the claim's squares as the subject
    // of a sentence, {A}, {B} and {C} the same with a capital letter, {oa}, {ob} and {oc} as its
    // object; {piece} and {Piece} are the first one without its square.
    undefended,
    moved_into_attack,
    pinned_defender,
    defender_left,
    line_opened,
    overloaded,
    defender_removed,
    fork,
    skewer,
    pin,
    pinned_piece,
    discovered_attack,
    double_attack,
    trapped,
    promotion,
    back_rank,
    // The second sentence. {side} is White or Black; {x} and {y} are the percentages of the chance
    // to win with the better move and with the move.
    better,
    better_was_named,
    only_legal,
    only_legal_move,
    is_only_move,  // {why} is one of the next three
    only_move,
    others_allow_mate,
    others_lose_material,
    others_allow_mate_or_lose,
    best,
    good,
    worse,
    // Parts.
    exchange,
    one_pawn,
    pawns,
    piece_on_square,
    and_between,
    white,
    black,
};

std::string_view text(Text id, Language language);

/// A piece as the subject of a sentence ("the queen", "die Dame") and as what somebody takes ("the
/// queen", "die Dame"; "der Turm", "den Turm").
std::string_view subject(core::PieceType type, Language language);
std::string_view object(core::PieceType type, Language language);

/// The letters of king, queen, rook, bishop and knight in notation: "KQRBN", "KDTLS".
std::string_view piece_letters(Language language);

}  // namespace engine::explain
