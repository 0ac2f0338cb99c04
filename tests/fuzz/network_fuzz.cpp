#include "engine/evaluate/nnue/network.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// Writes the checksum that fits the bytes.
void seal(std::string& bytes) {
    put_number(bytes, checksum_at, core::crc32(std::string_view{bytes}.substr(header_size)));
}

/// A network file, and where its parts begin.
struct File {
    std::string bytes;
    std::vector<std::size_t> parts;
};

/// The file of the smallest network, 32 hidden values, with all weights zero: of version 1, which
/// has one set of weights, or of version 6, which has them for all buckets, threats and pawn pairs.
File zero_network(std::uint32_t version) {
    using namespace engine::nnue;
    const std::size_t feature_sets = version < 3 ? 1 : king_bucket_count;
    const std::size_t threat_sets = version < 4 ? 0 : version == 4 ? 2 : threat_kind_count;
    const std::size_t threat_bytes = version < 6 ? 2 : 1;
    const std::size_t pawn_pairs = version < 6 ? 0 : pawn_pair_count;
    const std::size_t output_sets = version < 2 ? 1 : output_bucket_count;
    File file;
    file.bytes.resize(header_size);
    file.bytes.replace(0, 4, "PNUE");
    std::size_t at = 4;
    for (const std::uint32_t number : {version, version, 32U, 255U, 64U, 400U, 1U}) {
        put_number(file.bytes, at, number);
        at += 4;
    }
    file.parts.push_back(0);
    // Weights of pieces, threats and pawn pairs, hidden biases, output weights and output biases,
    // each a multiple of 64 bytes.
    for (const std::size_t size :
         {feature_sets * piece_feature_count * 64,
          threat_sets * piece_feature_count * 32 * threat_bytes, pawn_pairs * 32, std::size_t{64},
          output_sets * 128, std::size_t{64}}) {
        file.parts.push_back(file.bytes.size());
        file.bytes.resize(file.bytes.size() + size);
    }
    put_number(file.bytes, size_at, static_cast<std::uint32_t>(file.bytes.size() - header_size));
    seal(file.bytes);
    require(static_cast<bool>(Network::read(std::as_bytes(std::span{file.bytes}))),
            "a valid file is read");
    return file;
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

/// The input as a file of its own; and laid over a part of a valid file whose checksum is right,
/// which leads behind the first checks. Its last byte chooses the file and the part.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto input = tests::text_of(data, size);
    check(input);
    if (input.empty())
        return 0;
    static const std::array<File, 2> files{zero_network(1), zero_network(6)};
    const auto choice = static_cast<unsigned char>(input.back());
    const File& file = files[choice % files.size()];
    const std::size_t part = file.parts[choice / files.size() % file.parts.size()];
    auto bytes = file.bytes;
    const auto end = part == 0 ? checksum_at : bytes.size();
    const auto length = std::min(input.size(), end - part);
    bytes.replace(part, length, input.substr(0, length));
    seal(bytes);
    check(bytes);
    return 0;
}
