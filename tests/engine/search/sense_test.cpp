#include "tests/engine/client.hpp"
#include "tests/engine/random_positions.hpp"
#include "tests/engine/search/problem.hpp"
#include "tests/test_data.hpp"

using namespace engine;
using tests::Answer;
using tests::Client;
using tests::Problem;

namespace {

std::vector<Problem> suite(const std::string& name) {
    return tests::read_problems(tests::data_path("sense/" + name + ".epd"));
}

Answer answer_to(const Problem& problem) {
    Client client;
    auto limits = tests::to_nodes(problem.nodes);
    limits.mate = problem.mate;
    return client.search(problem.fen.c_str(), limits);
}

bool is_solved(const Problem& problem) {
    const auto answer = answer_to(problem);
    return answer.best.move && problem.is_solved_by(*answer.best.move);
}

/// The end of a game in which the engine plays both sides, with these limits for a move.
struct Ending {
    bool is_mate = false;
    int plies = 0;
};

Ending played_out(const std::string& fen, const Limits& limits) {
    constexpr int longest = 120;
    Client client;
    std::vector<std::string> moves;
    auto position = tests::position_of(fen);
    while (static_cast<int>(moves.size()) < longest && core::count_legal_moves(position) > 0
           && position.halfmove_clock() < 100 && !position.has_insufficient_material()) {
        client.engine().set_game(fen, moves);
        const auto answer = client.search(limits);
        REQUIRE(answer.best.move);
        moves.push_back(answer.move());
        position = position.after(*answer.best.move);
    }
    return {position.in_check() && core::count_legal_moves(position) == 0,
            static_cast<int>(moves.size())};
}

/// White to move with these pieces and its king against a lone king that cannot capture at once.
std::string random_ending(tests::Dice& dice, const std::string& pieces) {
    for (;;) {
        core::Setup setup;
        for (const char letter : pieces + "Kk") {
            auto& square = setup.board[dice.roll(setup.board.size())];
            if (!square)
                square = core::Piece::read(letter);
        }
        const auto position = core::Position::from(setup);
        if (!position || position->in_check()
            || position->pieces().count() != static_cast<int>(pieces.size()) + 2)
            continue;
        const auto after = position->after_null_move();
        const auto moves = core::legal_moves(after);
        const bool loses = std::any_of(moves.begin(), moves.end(),
                                       [&](core::Move move) { return after.is_capture(move); });
        if (!loses && !moves.empty())
            return core::fen(*position);
    }
}

}  // namespace

TEST_CASE("mates are found, with their distance", "[sense]") {
    for (const auto& problem : suite("mates")) {
        CAPTURE(problem.fen, problem.name);
        REQUIRE(problem.mate);
        CHECK(answer_to(problem).last().score == mate_in(2 * *problem.mate - 1));
    }
}

TEST_CASE("draws are scored as draws", "[sense]") {
    for (const auto& problem : suite("draws")) {
        CAPTURE(problem.fen, problem.name);
        REQUIRE(problem.score);
        const auto answer = answer_to(problem);
        CHECK(answer.last().score == *problem.score);
        REQUIRE(answer.best.move);
        CHECK(problem.is_solved_by(*answer.best.move));
    }
}

TEST_CASE("endings and zugzwangs are solved", "[sense]") {
    for (const auto& problem : suite("endings")) {
        CAPTURE(problem.fen, problem.name);
        CHECK(is_solved(problem));
    }
}

TEST_CASE("nine tactics in ten are found", "[sense]") {
    const auto problems = suite("tactics");
    std::string missed;
    std::size_t solved = 0;
    for (const auto& problem : problems) {
        if (is_solved(problem))
            ++solved;
        else
            missed += problem.name + " ";
    }
    CAPTURE(missed, solved, problems.size());
    CHECK(10 * solved >= 9 * problems.size());
}

TEST_CASE("a lone king is mated", "[sense]") {
    const auto [pieces, plies] = GENERATE(table<std::string, int>({
        {"Q", 30},
        {"R", 50},
        {"BN", 100},
    }));
    tests::Dice dice{17};
    for (int game = 0; game < 4; ++game) {
        const auto fen = random_ending(dice, pieces);
        CAPTURE(fen);
        const auto ending = played_out(fen, tests::to_nodes(10'000));
        CHECK(ending.is_mate);
        CHECK(ending.plies <= plies);
    }
}

TEST_CASE("a player of limited strength mates a lone king", "[sense]") {
    const auto pieces = GENERATE("Q", "R");
    const auto elo = GENERATE(1200, 1900);
    Limits limits;
    limits.elo = elo;
    tests::Dice dice{23};
    for (int game = 0; game < 5; ++game) {
        const auto fen = random_ending(dice, pieces);
        CAPTURE(fen, elo);
        CHECK(played_out(fen, limits).is_mate);
    }
}
