#include <string>
#include <string_view>

#include "core/fen.hpp"
#include "core/notation.hpp"

#include "engine/analysis/explain/explainer.hpp"
#include "engine/analysis/explain/wording.hpp"

#include "tests/catch.hpp"

using namespace engine;
using namespace engine::explain;

namespace {

/// A position, a move, and what is claimed of the move: "kind motif amount square...", or "".
struct Example {
    std::string_view fen;
    std::string_view move;
    std::string_view claim;
};

core::Position position_of(std::string_view fen) {
    const auto position = core::read_fen(fen);
    REQUIRE(position);
    return *position;
}

Explanation explanation_of(std::string_view fen, std::string_view move) {
    static const evaluate::Evaluate evaluate;
    const auto position = position_of(fen);
    const auto read = core::read_move(position, move);
    REQUIRE(read);
    ExplainRules rules;
    rules.nodes = 20'000;
    SearchListener listener;
    const auto explanation =
        explain::explain(core::Game{position}, *read, rules, evaluate, listener);
    REQUIRE(explanation);
    return *explanation;
}

std::string text_of(const std::optional<Claim>& claim) {
    if (!claim)
        return {};
    std::string text{name(claim->kind)};
    text += ' ';
    text += name(claim->motif);
    text += ' ' + std::to_string(claim->amount);
    for (const core::Square square : claim->squares)
        text += ' ' + square.name();
    return text;
}

const Example mates[]{
    {"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "Nc6", "mate_missed none 1"},
    {"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 0 1", "a6",
     "mate_allowed none 1"},
    {"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 0 1", "Nf6",
     "mate_stopped none 1"},
    {"6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1", "Rb8", "mates back_rank 1 g8"},
    {"6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1", "h3", "mate_missed back_rank 1 g8"},
    {"6k1/8/8/8/8/8/r4PPP/6K1 b - - 0 1", "Ra1", "mates back_rank 1 g1"},
    {"7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "Qg7", "mates none 1"},
    {"k7/8/1K6/8/8/8/8/1Q6 w - - 0 1", "Qc1", "mate_delayed none 2"},
    {"r1bqkbnr/ppp2ppp/2np4/4N3/2B1P3/2N5/PPPP1PPP/R1BbK2R w KQkq - 0 1", "Bxf7", "mates none 2"},
    // The same with room for the king: no mate on the back rank.
    {"6k1/5pp1/7p/8/8/8/5PPP/1R4K1 w - - 0 1", "Rb8", ""},
};

const Example draws[]{
    {"7k/5Q2/8/8/8/8/8/K7 w - - 0 1", "Qg6", "game_drawn none 0"},
    {"k7/8/1QK5/8/8/8/8/8 w - - 0 1", "Qc7", "game_drawn none 0"},
    {"k7/8/1K6/8/8/8/8/1Q6 w - - 0 1", "Qb5", ""},
};

const Example material[]{
    {"4k3/8/8/3n4/8/8/8/3RK3 b - - 0 1", "Ke7", "material_lost undefended 3 d5"},
    {"4k3/8/8/b7/8/2N5/8/4K2R w K - 0 1", "Rh2", "material_lost undefended 3 c3"},
    {"4k3/8/4q3/8/8/8/4B3/4K2R w K - 0 1", "Rh3", "material_lost moved_into_attack 5 h3"},
    {"6k1/5ppp/8/3b4/8/8/5PPP/R5K1 w - - 0 1", "Ra2", "material_lost moved_into_attack 5 a2"},
    {"rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "Qg4",
     "material_lost moved_into_attack 9 g4"},
    {"r1b1kbnr/pppp1ppp/2n5/4N3/2B1P1q1/8/PPPP1PPP/RNBQK2R w KQkq - 0 1", "Nxg4",
     "material_won undefended 9 g4"},
    {"3q4/8/8/3k4/8/8/8/R5K1 w - - 0 1", "Rd1", "material_won skewer 9 d1 d5 d8"},
    {"3q4/8/8/3k4/8/8/8/R5K1 w - - 0 1", "Rc1", "material_missed skewer 9 d1 d5 d8"},
    {"3q2k1/6p1/8/8/8/3B4/8/3R2K1 w - - 0 1", "Be4", "material_missed discovered_attack 9 d1 d8"},
    {"4k3/8/8/8/4q3/8/5KPP/R7 w - - 0 1", "Re1", "threat_stopped fork 5 d4 a1 f2"},
    {"8/P7/1k6/8/8/8/8/K7 w - - 0 1", "a8=Q", "material_won promotion 8 a7 a8"},
    // Near misses: the same queen with a defender, a rook that can go back, equal trades.
    {"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "Qg4", ""},
    {"4k3/8/8/8/3n4/8/8/2R1K3 w - - 0 1", "Rb1", ""},
    {"4r1k1/5ppp/4b3/8/8/1B6/5PPP/4R1K1 w - - 0 1", "Bxe6", ""},
    {"r4rk1/ppp2ppp/8/8/8/8/PPP2PPP/R4RK1 w - - 0 1", "a3", ""},
    {"2r3k1/5ppp/8/8/8/2B5/5PPP/2R3K1 w - - 0 1", "Rd1", ""},
};

template <std::size_t size>
void check_all(const Example (&examples)[size]) {
    for (const auto& example : examples) {
        CAPTURE(example.fen, example.move);
        CHECK(text_of(explanation_of(example.fen, example.move).claim) == example.claim);
    }
}

std::string words_of_move(std::string_view fen, std::string_view move, Language language) {
    return joined(words_of(explanation_of(fen, move), position_of(fen), language));
}

}  // namespace

TEST_CASE("mates that are played, missed, allowed, delayed and stopped are claimed", "[explain]") {
    check_all(mates);
}

TEST_CASE("a stalemate that gives away a win is claimed", "[explain]") {
    check_all(draws);
}

TEST_CASE("material that is won or lost is claimed with its motif", "[explain][slow]") {
    check_all(material);
}

TEST_CASE("a claim is said in both languages", "[explain]") {
    constexpr std::string_view fen =
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 0 1";
    const auto english = words_of_move(fen, "a6", Language::english);
    CHECK(english.starts_with("a6 allows mate in 1. Better is "));
    CHECK(english.ends_with(" 2.Qxf7#"));
    const auto german = words_of_move(fen, "a6", Language::german);
    CHECK(german.starts_with("a6 lässt ein Matt in 1 zu. "));
    CHECK(german.ends_with(" 2.Dxf7#"));
}
