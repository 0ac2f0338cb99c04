#include <filesystem>

#include "tests/engine/client.hpp"
#include "tests/engine/random_positions.hpp"
#include "tests/temporary_folder.hpp"

using namespace engine;
using tests::Client;

namespace {

constexpr const char* middlegame =
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

/// The file of a table, removed at the end.
class TableFile {
public:
    void save(Client& client) const { press(client, "SaveHash"); }
    void load(Client& client) const { press(client, "LoadHash"); }

private:
    void press(Client& client, const char* button) const {
        client.engine().set_option("HashFile", (folder_.path() / "table").string());
        client.engine().set_option(button, "");
        const auto said = client.until_idle();
        REQUIRE(said.size() == 1);
        REQUIRE(std::holds_alternative<Notice>(said.front()));
    }

    tests::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("an analysis that was kept goes on where it ended", "[kept_table]") {
    const TableFile file;
    Client before;
    const auto kept = before.search(middlegame, tests::to_depth(10));
    file.save(before);

    Client after;
    file.load(after);
    const auto again = after.search(middlegame, tests::to_depth(10));
    REQUIRE(again.infos.size() == 1);
    CHECK(again.last().depth == 10);
    CHECK(again.last().nodes == 0);
    CHECK(again.last().score == kept.last().score);
    CHECK(again.move() == kept.move());
    CHECK(tests::is_legal_line(tests::position_of(middlegame), again.last().pv));

    const auto on = after.search(tests::to_depth(12));
    CHECK(on.infos.front().depth == 10);
    CHECK(on.last().depth == 12);
    CHECK(on.last().nodes > 0);
    // No search reports more than it was asked for.
    CHECK(after.search(tests::to_depth(4)).last().depth == 4);
}

TEST_CASE("a search that was stopped keeps its last whole iteration", "[kept_table]") {
    const TableFile file;
    const auto nodes = GENERATE(20'000U, 31'000U, 47'000U);
    Client before;
    const auto kept = before.search(middlegame, tests::to_nodes(nodes));
    file.save(before);
    Client after;
    file.load(after);
    const auto on = after.search(middlegame, tests::to_depth(kept.last().depth + 1));
    CHECK(on.infos.front().depth >= kept.last().depth - 1);  // its last report may be a bound
    CHECK(on.infos.front().nodes == 0);
}

TEST_CASE("what the kept analysis does not answer begins at depth 1", "[kept_table]") {
    const TableFile file;
    Client before;
    const auto kept = before.search(middlegame, tests::to_depth(8));
    file.save(before);
    Client after;
    file.load(after);

    SECTION("several lines") {
        after.engine().set_option("MultiPV", "2");
    }
    SECTION("a new game") {
        after.engine().new_game();
    }
    SECTION("an emptied table") {
        after.engine().set_option("Clear Hash", "");
    }
    SECTION("another position") {
        const auto other =
            after.search("8/8/1p1k4/5ppp/PPK1p3/6P1/5PP1/8 b - - 0 1", tests::to_depth(3));
        CHECK(other.infos.front().depth == 1);
        return;
    }
    SECTION("some moves") {
        auto limits = tests::to_depth(3);
        limits.searchmoves = {"h2h3", "g1h1"};
        CHECK(after.search(middlegame, limits).infos.front().depth == 1);
        return;
    }
    SECTION("a best move that repeats a position") {
        REQUIRE(kept.move() == "c3d5");
        const std::vector<std::string> back{"g8h8", "d5c3", "h8g8"};
        after.engine().set_game(
            "r4rk1/1pp1qppp/p1np1n2/2bNp1B1/2B1P1b1/P2P1N2/1PP1QPPP/R4RK1 b - - 1 10", back);
        CHECK(after.search(tests::to_depth(3)).infos.front().depth == 1);
        return;
    }
    SECTION("the position for the second time") {
        const std::vector<std::string> there_and_back{"g1h1", "g8h8", "h1g1", "h8g8"};
        after.engine().set_game(middlegame, there_and_back);
        CHECK(after.search(tests::to_depth(3)).infos.front().depth == 1);
        return;
    }
    CHECK(after.search(middlegame, tests::to_depth(3)).infos.front().depth == 1);
}

TEST_CASE("a table that was never loaded leaves a search as it is", "[kept_table]") {
    const TableFile file;
    Client client;
    client.search(middlegame, tests::to_depth(8));
    file.save(client);
    CHECK(client.search(middlegame, tests::to_depth(3)).infos.front().depth == 1);
}
