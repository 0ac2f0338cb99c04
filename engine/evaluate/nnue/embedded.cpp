#include "engine/evaluate/nnue/embedded.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

// Defined in embedded.S: the bytes of the network file and their number.
extern "C" {
extern const std::byte parley_network[];
extern const std::uint64_t parley_network_size;
}

namespace engine::nnue {

namespace {

std::shared_ptr<const Network> read_embedded() {
    auto network = Network::read({parley_network, static_cast<std::size_t>(parley_network_size)});
    if (network)
        return *std::move(network);
    static_cast<void>(std::fprintf(stderr, "parley: the network in the program is unusable: %s\n",
                                   network.reason().c_str()));
    std::abort();
}

}  // namespace

std::shared_ptr<const Network> embedded_network() {
    static const auto network = read_embedded();
    return network;
}

}  // namespace engine::nnue
