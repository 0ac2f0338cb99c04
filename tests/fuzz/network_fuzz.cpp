#include "engine/evaluate/nnue/network.hpp"

#include <algorithm>
#include <string>

#include "core/crc32.hpp"

#include "tests/fuzz/fuzz_target.hpp"

namespace {

using engine::nnue::Network;
using tests::require;

constexpr std::size_t header_size = 64;
constexpr std::size_t checksum_at = 40;
constexpr std::size_t size_at = 44;

void put_number(std::string& bytes, std::size_t at, std::uint32_t number) {
    for (std::size_t i = 0; i < 4; ++i)
        bytes[at + i] = static_cast<char>(number >> (8 * i) & 0xFF);
}

/// A file of the smallest network, 32 hidden values, with all weights zero.
std::string zero_network() {
    constexpr std::size_t payload = 768 * 32 * 2 + 64 + 128 + 64;
    std::string bytes(header_size + payload, '\0');
    bytes.replace(0, 4, "PNUE");
    std::size_t at = 4;
    for (const std::uint32_t number : {1U, 1U, 32U, 255U, 64U, 400U, 1U}) {
        put_number(bytes, at, number);
        at += 4;
    }
    put_number(bytes, size_at, payload);
    return bytes;
}

void check(std::string_view bytes) {
    const auto network = Network::read(std::as_bytes(std::span{bytes}));
    if (!network) {
        require(!network.reason().empty(), "a refusal has a reason");
        return;
    }
    for (std::size_t bucket = 0; bucket < engine::nnue::output_bucket_count; ++bucket)
        static_cast<void>((*network)->score_of(1 << 20, bucket));
}

}  // namespace

/// The input as a file of its own; and laid over the header and over the output weights of a valid
/// file whose checksum is right, which leads behind the first checks.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto input = tests::text_of(data, size);
    check(input);
    for (const bool at_end : {false, true}) {
        auto bytes = zero_network();
        const auto length = std::min(input.size(), checksum_at);
        bytes.replace(at_end ? bytes.size() - length : 0, length, input.substr(0, length));
        put_number(bytes, checksum_at, core::crc32(std::string_view{bytes}.substr(header_size)));
        check(bytes);
    }
    return 0;
}
