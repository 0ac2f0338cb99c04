#include <algorithm>
#include <filesystem>
#include <fstream>
#include <tuple>
#include <vector>

#include "core/fen.hpp"

#include "engine/evaluate/nnue/forward.hpp"

#include "tests/engine/client.hpp"
#include "tests/engine/evaluate/nnue/random_network.hpp"

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
    client.engine().ask(1, SnapshotDetail::evaluation);
    return *client.next_of<Snapshot>().evaluation;
}

}  // namespace

TEST_CASE("EvalFile replaces the network, and an empty name brings the first one back", "[nnue]") {
    const auto bytes = tests::RandomNetwork{32}.file();
    const auto network = nnue::Network::read(bytes);
    REQUIRE(network);
    const TemporaryFile file{bytes};
    Client client;
    client.engine().set_game(fen, {});
    const auto own = evaluation_of(client);
    client.engine().set_option("EvalFile", file.name());
    const auto position = *core::read_fen(fen);
    CHECK(evaluation_of(client) == normalised(clamp_eval(nnue::evaluate(**network, position))));
    client.engine().set_option("EvalFile", file.name() + ".not");
    CHECK(client.next_of<Refused>().reason
          == "EvalFile not changed: '" + file.name() + ".not': no such file");
    CHECK(evaluation_of(client) != own);
    client.engine().set_option("EvalFile", "<empty>");
    CHECK(evaluation_of(client) == own);
}

TEST_CASE("a search with one thread and the same network is the same every time", "[nnue]") {
    const TemporaryFile file{tests::RandomNetwork{64}.file()};
    const TemporaryFile other_file{tests::RandomNetwork{64, 2}.file()};
    const auto infos_of = [](const std::string& network) {
        Client client;
        client.engine().set_option("EvalFile", network);
        std::vector<std::tuple<int, Score, std::uint64_t, std::vector<core::Move>>> infos;
        for (const auto& info : client.search(fen, tests::to_depth(7)).infos)
            infos.emplace_back(info.depth, info.score, info.nodes, info.pv);
        return infos;
    };
    const auto infos = infos_of(file.name());
    CHECK(infos.size() >= 7);
    CHECK(infos == infos_of(file.name()));
    CHECK(infos != infos_of(other_file.name()));
}

TEST_CASE("all threads of a search use the new network", "[nnue]") {
    const TemporaryFile file{tests::RandomNetwork{96}.file()};
    Client client;
    client.engine().set_option("Threads", "3");
    CHECK(client.search(fen, tests::to_depth(4)).best.move);
    // A network of another size: a thread with the old accumulators would read beyond them.
    client.engine().set_option("EvalFile", file.name());
    CHECK(client.search(fen, tests::to_depth(7)).best.move);
}
