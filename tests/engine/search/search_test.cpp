#include "engine/search/search.hpp"

#include <map>
#include <set>
#include <utility>

#include "engine/search/position_sample.hpp"

#include "tests/engine/client.hpp"
#include "tests/engine/random_positions.hpp"

using namespace engine;
using namespace engine::search;
using tests::Answer;
using tests::Client;
using tests::is_legal_line;

namespace {

constexpr const char* middlegame =
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
constexpr const char* kiwipete =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

Limits only(std::vector<std::string> moves, int depth) {
    auto limits = tests::to_depth(depth);
    limits.searchmoves = std::move(moves);
    return limits;
}

/// The nodes of a search in a new game.
std::uint64_t nodes_of(Client& client, const char* fen, int depth) {
    client.engine().new_game();
    return client.search(fen, tests::to_depth(depth)).last().nodes;
}

/// The nodes of a search in a game with this salt; a sample gets one of the positions it evaluates.
std::uint64_t nodes_with_salt(Search& search,
                              core::Key salt,
                              int depth,
                              PositionSample* evaluated = nullptr) {
    const core::Game game{tests::position_of(middlegame)};
    const auto moves = core::legal_moves(game.position());
    const auto limits = tests::to_depth(depth);
    SearchListener listener;
    SearchControl control{limits, Clock{limits, game.position().side_to_move(), Milliseconds{0}},
                          listener};
    SearchRequest request{game, {moves.begin(), moves.end()}};
    request.salt = salt;
    request.evaluated = evaluated;
    search.run(request, control);
    return search.nodes();
}

}  // namespace

TEST_CASE("a limit of nodes is met exactly with one thread", "[search]") {
    const std::uint64_t nodes = GENERATE(1U, 2U, 10U, 100U, 511U, 513U, 1'000U, 12'345U);
    const auto lines = GENERATE("1", "3");
    CAPTURE(nodes, lines);
    Client client;
    client.engine().set_option("MultiPV", lines);
    const auto answer = client.search(middlegame, tests::to_nodes(nodes));
    CHECK(answer.last().nodes == nodes);
    CHECK(answer.best.move);
}

TEST_CASE("a sample of the evaluated positions leaves the search as it is", "[search]") {
    const evaluate::Evaluate evaluate;
    Search one{1, evaluate};
    Search other{1, evaluate};
    PositionSample sample{1};
    CHECK(nodes_with_salt(one, 0, 7) == nodes_with_salt(other, 0, 7, &sample));
    REQUIRE(sample.position());
    CHECK_FALSE(*sample.position() == tests::position_of(middlegame));
    // The next search does not offer any.
    const auto before = *sample.position();
    nodes_with_salt(other, 0, 8);
    CHECK(*sample.position() == before);
}

TEST_CASE("a limit of no nodes still gives a legal move", "[search]") {
    Client client;
    const auto answer = client.search(middlegame, tests::to_nodes(0));
    REQUIRE(answer.best.move);
    CHECK(core::is_legal(tests::position_of(middlegame), *answer.best.move));
}

TEST_CASE("a limit of depth is reached and not passed", "[search]") {
    const auto depth = GENERATE(1, 2, 5, 9);
    Client client;
    const auto answer = client.search(middlegame, tests::to_depth(depth));
    CHECK(answer.last().depth == depth);
    std::vector<int> depths;
    for (const auto& info : answer.infos) {
        CHECK(info.depth <= depth);
        if (info.bound == Bound::exact)
            depths.push_back(info.depth);
    }
    CHECK(std::is_sorted(depths.begin(), depths.end()));
    CHECK(std::set<int>(depths.begin(), depths.end()).size() == static_cast<std::size_t>(depth));
}

TEST_CASE("the first limit that is reached ends the search", "[search]") {
    Client client;
    auto limits = tests::to_depth(3);
    limits.nodes = 100'000'000;
    limits.movetime = Milliseconds{100'000};
    CHECK(client.search(middlegame, limits).last().depth == 3);

    limits = tests::to_nodes(3'000);
    limits.depth = 60;
    limits.clocks[0].time = Milliseconds{1'000'000};
    CHECK(client.search(middlegame, limits).last().nodes == 3'000);

    limits = tests::to_depth(60);
    limits.movetime = Milliseconds{50};
    const auto begin = std::chrono::steady_clock::now();
    client.search(middlegame, limits);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{10});
}

TEST_CASE("reports are consistent", "[search]") {
    const auto fen = GENERATE(as<std::string>{}, kiwipete, middlegame,
                              "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                              "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    const auto threads = GENERATE(as<std::string>{}, "1", "2");
    const auto lines = GENERATE(as<std::string>{}, "1", "4");
    CAPTURE(fen, threads, lines);
    Client client;
    client.engine().set_option("Threads", threads);
    client.engine().set_option("MultiPV", lines);
    const auto position = tests::position_of(fen.c_str());
    const auto answer = client.search(fen.c_str(), tests::to_depth(7));
    std::uint64_t nodes = 0;
    for (const auto& info : answer.infos) {
        CHECK(info.depth >= 1);
        CHECK(info.seldepth >= info.depth);
        CHECK(info.nodes >= nodes);
        CHECK(std::abs(info.score) <= mate);
        CHECK(info.hashfull <= 1000);
        REQUIRE_FALSE(info.pv.empty());
        CHECK(is_legal_line(position, info.pv));
        nodes = info.nodes;
    }
    REQUIRE(answer.best.move);
    CHECK(answer.last().pv.front() == *answer.best.move);
    if (answer.best.ponder)
        CHECK(core::is_legal(position.after(*answer.best.move), *answer.best.ponder));
}

TEST_CASE("MultiPV lines are distinct and in order", "[search]") {
    const auto [fen, wanted, given] = GENERATE(table<const char*, int, int>({
        {middlegame, 2, 2},
        {kiwipete, 5, 5},
        {middlegame, 256, 46},
        {"7k/8/8/8/8/8/8/K7 w - - 0 1", 4, 3},
    }));
    const int depth = wanted > 10 ? 3 : 6;
    CAPTURE(fen, wanted);
    Client client;
    client.engine().set_option("MultiPV", std::to_string(wanted));
    const auto answer = client.search(fen, tests::to_depth(depth));
    std::vector<Info> last;
    for (const auto& info : answer.infos) {
        if (info.multipv == 1)
            last.clear();
        REQUIRE(info.multipv == static_cast<int>(last.size()) + 1);
        if (!last.empty()) {
            CHECK(info.score <= last.back().score);
            CHECK(info.depth == last.back().depth);
        }
        last.push_back(info);
    }
    CHECK(static_cast<int>(last.size()) == given);
    CHECK(last.front().depth == depth);
    std::set<std::uint16_t> first_moves;
    for (const auto& info : last)
        first_moves.insert(info.pv.front().bits());
    CHECK(first_moves.size() == last.size());
}

TEST_CASE("only the searchmoves are searched", "[search]") {
    Client client;
    SECTION("one") {
        CHECK(client.search(only({"a2a3"}, 4)).move() == "a2a3");
    }
    SECTION("one of two, the better") {
        CHECK(client.search("6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1", only({"d1d7", "d1d8"}, 4)).move()
              == "d1d8");
        CHECK(client.search(only({"d1d7", "d1d6"}, 4)).move() != "d1d8");
    }
    SECTION("in SAN and twice") {
        CHECK(client.search(only({"Nh3", "g1h3"}, 4)).move() == "g1h3");
    }
    SECTION("castling, written in any way") {
        for (const char* text : {"e1g1", "e1h1", "O-O"})
            CHECK(client.search(kiwipete, only({text}, 3)).move() == "e1g1");
    }
    SECTION("in several lines") {
        client.engine().set_option("MultiPV", "5");
        const auto answer = client.search(only({"a2a3", "h2h3"}, 4));
        for (const auto& info : answer.infos)
            CHECK(info.multipv <= 2);
    }
}

TEST_CASE("illegal searchmoves are left out with a notice", "[search]") {
    Client client;
    client.engine().go(only({"e2e5", "a2a3", "zzzz"}, 3));
    CHECK(client.next_of<Notice>().text.find('2') != std::string::npos);
    CHECK(client.answer().move() == "a2a3");
    client.engine().go(only({"e2e5"}, 3));
    CHECK(client.next_of<Notice>().text.find("all moves") != std::string::npos);
    CHECK(client.answer().best.move);
}

TEST_CASE("the result of searchmoves is not stored in the TT", "[search]") {
    Client client;
    client.engine().set_game(std::nullopt, {"e2e4", "e7e5"});
    client.search(only({"a2a3"}, 9));
    client.engine().set_game(std::nullopt, {"e2e4"});
    // Nobody has looked for an answer yet.
    CHECK_FALSE(client.search(only({"e7e5"}, 1)).best.ponder);
}

TEST_CASE("a bound is reported as a bound", "[search]") {
    // Searches that end at any node: those that say a score is exact agree about it.
    Client client;
    std::map<std::pair<int, std::string>, Score> scores;
    bool had_bound = false;
    for (std::uint64_t nodes = 900; nodes < 8'000; nodes += 100) {
        client.engine().new_game();
        const auto answer = client.search(middlegame, tests::to_nodes(nodes));
        const Info& last = answer.last();
        had_bound = had_bound || last.bound != Bound::exact;
        if (last.bound != Bound::exact)
            continue;
        const auto found = scores.try_emplace({last.depth, answer.move()}, last.score).first;
        CAPTURE(nodes, last.depth);
        CHECK(found->second == last.score);
    }
    CHECK(had_bound);
}

TEST_CASE("a mate is found and its distance is right", "[search]") {
    const auto [fen, moves, best] = GENERATE(table<const char*, int, const char*>({
        {"6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1", 1, "d1d8"},
        {"k7/8/1K6/8/8/8/8/7R w - - 0 1", 1, "h1h8"},
        {"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", 1, "d8h4"},
        {"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1, "h5f7"},
        {"6rk/6pp/8/6N1/8/8/8/7K w - - 0 1", 1, "g5f7"},
        {"3k4/8/3K4/8/8/8/8/6Q1 w - - 0 1", 1, "g1g8"},
        {"3qr2k/pbpp2pp/1p5N/3Q2b1/2P1P3/P7/1PP2PPP/R4RK1 w - - 0 1", 2, "d5g8"},
        {"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"},
        {"7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2, nullptr},
        {"7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", 3, nullptr},
        {"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, "f6a6"},
        {"1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", 3, "d6d1"},
        {"8/8/8/8/2k5/1q6/8/K7 b - - 0 1", 3, nullptr},
    }));
    CAPTURE(fen);
    Limits limits;
    limits.mate = moves;
    Client client;
    const auto answer = client.search(fen, limits);
    CHECK(answer.last().score == mate_in(2 * moves - 1));
    if (best != nullptr)
        CHECK(answer.move() == best);
}

TEST_CASE("a mate in one is found at every depth", "[search]") {
    const auto [fen, best] = GENERATE(table<const char*, const char*>({
        {"6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1", "d1d8"},
        {"3k4/8/3K4/8/8/8/8/6Q1 w - - 0 1", "g1g8"},
        {"6rk/6pp/8/6N1/8/8/8/7K w - - 0 1", "g5f7"},
        {"6k1/5ppp/8/8/8/8/8/3R2K1 w - - 99 80", "d1d8"},
    }));
    const auto depth = GENERATE(1, 2, 7);
    CAPTURE(fen, depth);
    Client client;
    const auto answer = client.search(fen, tests::to_depth(depth));
    CHECK(answer.last().score == mate_in(1));
    CHECK(answer.move() == best);
}

TEST_CASE("the pv of a mate ends with it", "[search]") {
    const auto fen = GENERATE("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
                              "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
                              "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1");
    Client client;
    Limits limits;
    limits.mate = 3;
    const auto answer = client.search(fen, limits);
    const auto& line = answer.last().pv;
    CHECK(static_cast<int>(line.size()) == plies_to_mate(answer.last().score));
    auto position = tests::position_of(fen);
    for (const core::Move move : line)
        position = position.after(move);
    CHECK(position.in_check());
    CHECK(core::count_legal_moves(position) == 0);
}

TEST_CASE("being mated is found too", "[search]") {
    const auto fen = GENERATE("7k/R7/8/8/8/8/8/1R4K1 b - - 0 1", "k7/8/1K6/8/8/8/8/7R b - - 0 1");
    CAPTURE(fen);
    Limits limits;
    limits.mate = 1;
    Client client;
    CHECK(client.search(fen, limits).last().score == mated_in(2));
}

TEST_CASE("a draw is scored as one", "[search]") {
    const auto fen = GENERATE(
        // Not enough material to win, now or after the only capture.
        "4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "4k3/8/8/8/8/8/8/4KB2 b - - 0 1",
        "8/8/8/8/8/5k2/7r/6K1 w - - 0 1", "2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1",
        // Fifty moves are over with the next, whoever is ahead.
        "7k/8/8/8/8/8/8/KQR5 w - - 99 100");
    CAPTURE(fen);
    Client client;
    for (const auto& info : client.search(fen, tests::to_depth(8)).infos)
        CHECK(info.score == draw);
}

TEST_CASE("the evaluation fades as the fifty-move counter rises", "[search]") {
    // White is a rook ahead, and nothing can be captured.
    const auto score_at = [](const std::string& halfmove_clock) {
        const auto fen =
            "5k2/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/2K5/3R4 w - - " + halfmove_clock + " 60";
        Client client;
        return client.search(fen.c_str(), tests::to_depth(6)).last().score;
    };
    CHECK(score_at("0") > score_at("40"));
    CHECK(score_at("40") > score_at("80"));
    CHECK(score_at("80") > draw);
}

TEST_CASE("the losing side repeats a position of the game", "[search]") {
    // White is a queen behind; with its next move the position stands for the third time.
    Client client;
    client.engine().set_game(
        "6k1/6pp/8/8/8/q7/5PPP/3R2K1 w - - 0 1",
        {"d1e1", "g8f8", "e1d1", "f8g8", "d1e1", "g8f8", "e1d1", "f8g8", "d1e1", "g8f8"});
    const auto answer = client.search(tests::to_depth(6));
    CHECK(answer.move() == "e1d1");
    CHECK(answer.last().score == draw);
}

TEST_CASE("the winning side avoids a repetition", "[search]") {
    Client client;
    client.engine().set_game("q5k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1",
                             {"a8b8", "d1e1", "b8a8", "e1d1", "a8b8", "d1e1", "b8a8", "e1d1"});
    const auto answer = client.search(tests::to_depth(7));
    CHECK(answer.last().score > 200);
    CHECK(answer.move() != "a8b8");
}

TEST_CASE("the same search has the same nodes in a new game", "[search]") {
    const auto fen = GENERATE(as<const char*>{}, kiwipete, middlegame);
    Client client;
    const auto nodes = nodes_of(client, fen, 8);
    CHECK(nodes > 1'000);
    client.search(middlegame, tests::to_depth(7));
    client.search(kiwipete, tests::to_nodes(4'321));
    CHECK(nodes_of(client, fen, 8) == nodes);
    Client other;
    CHECK(nodes_of(other, fen, 8) == nodes);
}

TEST_CASE("a bench has the same nodes each time", "[search]") {
    Client client;
    const auto bench = [&] {
        client.engine().bench(6);
        return client.next_of<BenchReport>().nodes;
    };
    const auto nodes = bench();
    CHECK(nodes > 10'000);
    SECTION("at once") {
        CHECK(bench() == nodes);
    }
    SECTION("after something else") {
        client.search(kiwipete, tests::to_depth(6));
        CHECK(bench() == nodes);
    }
    SECTION("with other options") {
        client.engine().set_option("Hash", "3");
        client.engine().set_option("Threads", "2");
        client.engine().set_option("MultiPV", "3");
        CHECK(bench() == nodes);
    }
}

TEST_CASE("two threads find a mate and meet the node limit together", "[search]") {
    Client client;
    client.engine().set_option("Threads", "2");
    CHECK(client.search("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", tests::to_depth(10)).last().score
          == mate_in(5));
    const auto answer = client.search(middlegame, tests::to_nodes(50'000));
    CHECK(answer.last().nodes >= 50'000);
    CHECK(core::is_legal(tests::position_of(middlegame), *answer.best.move));
}

TEST_CASE("the threads vote for the move to play", "[search]") {
    const auto move = [](int number) {
        return core::Move::from_bits(static_cast<std::uint16_t>(number));
    };
    struct Case {
        const char* description;
        std::vector<ThreadResult> results;
        std::size_t best;
    };
    const auto [description, results, best] = GENERATE_COPY(values<Case>({
        {"a single thread, even before its first iteration", {{move(1), draw, 0}}, 0},
        {"equal results: the first", {{move(1), 20, 9}, {move(2), 20, 9}}, 0},
        {"the deeper of two", {{move(1), 20, 9}, {move(2), 20, 10}}, 1},
        {"the better of two at equal depth", {{move(1), 20, 9}, {move(2), 25, 9}}, 1},
        {"two votes against a somewhat better one",
         {{move(1), 22, 9}, {move(2), 20, 9}, {move(2), 20, 9}},
         1},
        {"the deepest of those that agree",
         {{move(1), 20, 8}, {move(2), 20, 9}, {move(2), 20, 11}, {move(2), 20, 10}},
         2},
        {"a thread without an iteration has no vote", {{move(1), 20, 1}, {move(2), 900, 0}}, 0},
        {"nor does its score count as the lowest",
         {{move(1), 20, 3}, {move(2), 24, 2}, {move(3), -900, 0}},
         0},
        {"a mate wins without votes",
         {{move(1), 300, 20}, {move(1), 300, 20}, {move(2), mate_in(5), 9}},
         2},
        {"the shorter of two mates", {{move(1), mate_in(7), 20}, {move(2), mate_in(5), 9}}, 1},
        {"no thread that is mated", {{move(1), mated_in(6), 20}, {move(2), -300, 9}}, 1},
        {"the longest way to be mated",
         {{move(1), mated_in(6), 20}, {move(2), mated_in(8), 9}, {move(1), mated_in(6), 20}},
         1},
    }));
    CAPTURE(description);
    CHECK(best_thread(results) == best);
}

TEST_CASE("searches with different salts see nothing of each other", "[search]") {
    const evaluate::Evaluate evaluate;
    Search search{4, evaluate};
    constexpr int depth = 5;
    const auto first = nodes_with_salt(search, 0, depth);
    // The entries of a deeper search save nodes.
    nodes_with_salt(search, 0, depth + 3);
    CHECK(nodes_with_salt(search, 0, depth) < first);
    // With another salt the search is as if it were the first, each time.
    CHECK(nodes_with_salt(search, ~core::Key{0}, depth) == first);
    CHECK(nodes_with_salt(search, 5, depth) == first);
    // Back with an earlier salt, it finds the entries of that salt again.
    CHECK(nodes_with_salt(search, 0, depth) < first);
    search.clear();
    CHECK(nodes_with_salt(search, 0, depth) == first);
}

TEST_CASE("a hanging piece is captured at every depth", "[search]") {
    const auto [fen, best] = GENERATE(table<const char*, const char*>({
        {"4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5"},
        {"4k3/8/8/4p3/3Q4/8/8/4K3 b - - 0 1", "e5d4"},
        {"r5k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8"},
    }));
    const auto depth = GENERATE(1, 2, 4, 8);
    CAPTURE(fen, depth);
    Client client;
    CHECK(client.search(fen, tests::to_depth(depth)).move() == best);
}

TEST_CASE("a search that is stopped at once still loses no piece", "[search]") {
    // All moves but one lose the queen.
    constexpr const char* fen = "k6r/8/8/8/8/8/6P1/K6Q w - - 0 1";
    Client client;
    client.engine().set_game(fen, {});
    SECTION("by a clock that has all but run out") {
        Limits limits;
        limits.clocks[0].time = Milliseconds{1};
        limits.arrival -= Milliseconds{50};
        CHECK(client.search(limits).move() == "h1h8");
    }
    SECTION("by a stop") {
        client.engine().go(tests::without_end());
        client.engine().stop();
        CHECK(client.answer().move() == "h1h8");
    }
}

TEST_CASE("every random position gets a legal move", "[search]") {
    Client client;
    for (const auto& position : tests::random_positions(150, 21)) {
        if (core::count_legal_moves(position) == 0)
            continue;
        const auto fen = core::fen(position);
        CAPTURE(fen);
        const auto answer = client.search(fen.c_str(), tests::to_nodes(300));
        REQUIRE(answer.best.move);
        CHECK(core::is_legal(position, *answer.best.move));
        for (const auto& info : answer.infos)
            CHECK(is_legal_line(position, info.pv));
    }
}

TEST_CASE("a game of two thousand plies is searched", "[search]") {
    std::vector<std::string> moves;
    for (int i = 0; i < 500; ++i) {
        for (const char* move : {"g1f3", "g8f6", "f3g1", "f6g8"})
            moves.emplace_back(move);
    }
    Client client;
    client.engine().set_game(std::nullopt, moves);
    const auto answer = client.search(tests::to_depth(5));
    CHECK(answer.best.move);
}
