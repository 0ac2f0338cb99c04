#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/fen.hpp"

#include "engine/evaluate/nnue/views.hpp"

#include "tests/engine/client.hpp"
#include "tests/engine/nnue/random_network.hpp"

using namespace engine;
using tests::Client;

namespace {

constexpr const char* fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A file that is gone when the test ends.
class TemporaryFile {
public:
    explicit TemporaryFile(std::span<const std::byte> bytes) {
        std::ofstream file{path_, std::ios::binary};
        for (const std::byte byte : bytes)
            file.put(static_cast<char>(byte));
    }
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    TemporaryFile(TemporaryFile&&) = delete;
    TemporaryFile& operator=(TemporaryFile&&) = delete;

    std::string name() const { return path_.string(); }

private:
    std::filesystem::path path_ =
        std::filesystem::temp_directory_path()
        / ("parley-test-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".nnue");
};

Score evaluation_of(Client& client) {
    client.engine().ask("evaluation");
    return client.next_of<Snapshot>().evaluation;
}

}  // namespace

TEST_CASE("a network takes the place of the evaluation, and gives it back", "[nnue]") {
    const auto bytes = tests::RandomNetwork{32}.file();
    const auto network = nnue::Network::read(bytes);
    REQUIRE(network);
    const TemporaryFile file{bytes};
    Client client;
    client.engine().set_game(fen, {});
    const auto own = evaluation_of(client);
    client.engine().set_option("EvalFile", file.name());
    const auto position = *core::read_fen(fen);
    CHECK(evaluation_of(client) == told(bounded(nnue::evaluate(**network, position))));
    client.engine().set_option("EvalFile", file.name() + ".not");
    CHECK(client.next_of<Refused>().reason.find("EvalFile stays as it was") == 0);
    CHECK(evaluation_of(client) != own);
    client.engine().set_option("EvalFile", "<empty>");
    CHECK(evaluation_of(client) == own);
}

TEST_CASE("a search with a network is the same every time, with more threads too", "[nnue]") {
    const TemporaryFile file{tests::RandomNetwork{64}.file()};
    Limits limits;
    limits.nodes = 5'000;
    std::vector<std::uint64_t> nodes;
    for (int i = 0; i < 2; ++i) {
        Client client;
        client.engine().set_option("EvalFile", file.name());
        const auto answer = client.search(fen, limits);
        nodes.push_back(answer.last().nodes);
        CHECK(answer.best.move);
        client.engine().set_option("Threads", "3");
        CHECK(client.search(fen, limits).best.move);
    }
    CHECK(nodes[0] == nodes[1]);
}
