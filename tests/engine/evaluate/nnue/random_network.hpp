#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tests {

/// Writes numbers as bytes, the lowest byte first.
class ByteWriter {
public:
    template <typename Number>
    void put(Number number) {
        for (std::size_t i = 0; i < sizeof(Number); ++i)
            bytes.push_back(
                static_cast<std::byte>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xFF));
    }
    void pad() { bytes.resize((bytes.size() + 63) / 64 * 64); }

    std::vector<std::byte> bytes;
};

/// CRC-32, bit by bit.
inline std::uint32_t crc32(std::span<const std::byte> bytes) {
    std::uint32_t rest = 0xFFFFFFFFU;
    for (const std::byte byte : bytes) {
        rest ^= std::to_integer<std::uint32_t>(byte);
        for (int i = 0; i < 8; ++i)
            rest = (rest & 1) != 0 ? rest >> 1 ^ 0xEDB88320U : rest >> 1;
    }
    return ~rest;
}

/// A network of random weights: as integers, and as the bytes of its file. Version 1 has one set of
/// outputs, version 2 has eight, version 3 has four sets of feature weights, too; version 4 has
/// weights of two kinds of threats besides, and version 5 those of six; version 6 has them in
/// bytes, and weights of pawn pairs.
struct RandomNetwork {
    explicit RandomNetwork(std::uint32_t hidden,
                           std::uint64_t seed = 1,
                           std::uint32_t file_version = 1)
        : version{file_version},
          hidden_size{hidden},
          state_{seed} {
        const std::uint32_t output_sets = version == 1 ? 1 : 8;
        draw(weights, (version < 3 ? 1 : 4) * 768 * hidden_size, 200);
        draw(threats, threat_kinds() * 768 * hidden_size, version < 5 ? 150 : 60);
        draw(pawn_pairs, version < 6 ? 0 : 1'488 * hidden_size, 40);
        draw(biases, hidden_size, 100);
        // Large networks need smaller output weights, or their sum could overflow.
        draw(outputs, output_sets * 2 * hidden_size, hidden_size <= 256 ? 127 : 31);
        for (std::uint32_t i = 0; i < output_sets; ++i)
            output_biases.push_back(static_cast<std::int32_t>(i) * 777 - 1'234);
    }

    std::size_t threat_kinds() const { return version < 4 ? 0 : version == 4 ? 2 : 6; }

    std::vector<std::byte> file() const {
        ByteWriter body;
        for (const auto* row : {&weights, &threats, &pawn_pairs, &biases, &outputs}) {
            const bool in_bytes = version >= 6 && (row == &threats || row == &pawn_pairs);
            for (const std::int16_t value : *row) {
                if (in_bytes)
                    body.put(static_cast<std::int8_t>(value));
                else
                    body.put(value);
            }
            body.pad();
        }
        for (const std::int32_t bias : output_biases)
            body.put(bias);
        body.pad();
        ByteWriter writer;
        for (const char letter : {'P', 'N', 'U', 'E'})
            writer.put(letter);
        for (const std::uint32_t number : {version, version, hidden_size, 255U, qb, 400U, 1U})
            writer.put(number);
        writer.put(std::uint64_t{0x0123456789ABCDEF});
        writer.put(crc32(body.bytes));
        writer.put(static_cast<std::uint32_t>(body.bytes.size()));
        writer.bytes.resize(64);
        writer.bytes.insert(writer.bytes.end(), body.bytes.begin(), body.bytes.end());
        return writer.bytes;
    }

    std::uint32_t version;
    std::uint32_t hidden_size;
    std::uint32_t qb = 64;
    std::vector<std::int16_t> weights;
    std::vector<std::int16_t> threats;
    std::vector<std::int16_t> pawn_pairs;
    std::vector<std::int16_t> biases;
    std::vector<std::int16_t> outputs;
    std::vector<std::int32_t> output_biases;

private:
    void draw(std::vector<std::int16_t>& values, std::size_t count, int largest) {
        for (std::size_t i = 0; i < count; ++i) {
            state_ = state_ * 6'364'136'223'846'793'005ULL + 1'442'695'040'888'963'407ULL;
            const auto drawn = static_cast<int>(state_ >> 33 & 0xFFFF) % (2 * largest + 1);
            values.push_back(static_cast<std::int16_t>(drawn - largest));
        }
    }

    std::uint64_t state_;
};

}  // namespace tests
