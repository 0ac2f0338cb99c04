#include "uci/net/play/game_id.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#if defined(_WIN32)
#include <random>
#else
#include <unistd.h>
#if defined(__APPLE__)
#include <sys/random.h>
#endif
#endif

namespace uci::net::play {

namespace {

constexpr std::size_t length = 32;

using Bits = std::array<unsigned, 4>;

#if defined(_WIN32)
bool fill(Bits& bits) {
    // There, unlike elsewhere, this is always the system's.
    std::random_device system;
    std::generate(bits.begin(), bits.end(), [&] { return system(); });
    return true;
}
#else
bool fill(Bits& bits) {
    return getentropy(bits.data(), sizeof bits) == 0;
}
#endif

static_assert(sizeof(Bits) == 16);

}  // namespace

std::optional<std::string> make_game_id() {
    Bits bits{};
    if (!fill(bits))
        return std::nullopt;
    std::string id;
    for (const unsigned part : bits)
        id += fmt::format("{:08x}", part);
    return id;
}

bool is_game_id(std::string_view text) {
    return text.size() == length && std::all_of(text.begin(), text.end(), [](char letter) {
               return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f');
           });
}

}  // namespace uci::net::play
