#include "engine/evaluate/nnue/network.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <new>
#include <numeric>
#include <system_error>
#include <vector>

#include "core/byte_reader.hpp"
#include "core/crc32.hpp"
#include "core/paths.hpp"
#include "core/square.hpp"

#include "engine/evaluate/nnue/pawn_pairs.hpp"

namespace engine::nnue {

namespace {

constexpr std::size_t section_alignment = 64;
constexpr std::size_t header_size = 64;
constexpr std::uint32_t version = 6;
constexpr std::uint32_t max_scale = 2'000;
constexpr std::uint32_t mirrored = 1;
constexpr std::uint32_t max_qb = 1U << 14;

// What the kernels' integers hold: 16 bits in an accumulator and in qa * weight, 32 in a sum.
constexpr int max_accumulator = std::numeric_limits<Value>::max();
constexpr int max_output_weight = 127;
constexpr std::int64_t max_output_sum = std::numeric_limits<std::int32_t>::max() / (qa * qa);
constexpr std::size_t max_pieces = 32;

constexpr std::size_t padded(std::size_t bytes) {
    return (bytes + section_alignment - 1) / section_alignment * section_alignment;
}

/// How many sets of weights a file has.
struct Sets {
    std::size_t features = king_bucket_count;   ///< 1 in files before version 3
    std::size_t threats = threat_kind_count;    ///< 2 in files of version 4, 0 in older ones
    std::size_t threat_bytes = 1;               ///< of a weight; 2 before version 6
    std::size_t pawn_pairs = 1;                 ///< 0 in files before version 6
    std::size_t outputs = output_bucket_count;  ///< 1 in files of version 1
};

Sets sets_of(std::uint32_t file_version) {
    Sets sets;
    if (file_version < 2)
        sets.outputs = 1;
    if (file_version < 3)
        sets.features = 1;
    if (file_version < 5)
        sets.threats = file_version == 4 ? 2 : 0;
    if (file_version < 6) {
        sets.threat_bytes = 2;
        sets.pawn_pairs = 0;
    }
    return sets;
}

struct Header {
    std::uint32_t hidden_size = 0;
    std::uint32_t qb = 0;
    std::uint32_t scale = 0;
    std::uint64_t hash = 0;
    std::uint32_t checksum = 0;
    Sets sets;
};

std::size_t body_size(std::size_t hidden_size, const Sets& sets) {
    return padded(sets.features * piece_feature_count * hidden_size * sizeof(Value))
         + padded(sets.threats * piece_feature_count * hidden_size * sets.threat_bytes)
         + padded(sets.pawn_pairs * pawn_pair_count * hidden_size)
         + padded(hidden_size * sizeof(Value))
         + padded(sets.outputs * 2 * hidden_size * sizeof(Value))
         + padded(sets.outputs * sizeof(std::int32_t));
}

/// Writes the values that little-endian bytes stand for, `value_size` each. Returns the end of what
/// it has written. In plain loops: with a check for each value, reading took a fifth of a start.
Value* copy_values(std::span<const std::byte> bytes, std::size_t value_size, Value* values) {
    const std::size_t count = bytes.size() / value_size;
    const auto byte = [&](std::size_t index) {
        return std::to_integer<std::uint8_t>(bytes[index]);
    };
    if (value_size == 1) {
        for (std::size_t i = 0; i < count; ++i)
            values[i] = Value{static_cast<std::int8_t>(byte(i))};
    }
    else {
        for (std::size_t i = 0; i < count; ++i)
            values[i] = static_cast<Value>(byte(2 * i) | byte(2 * i + 1) << 8);
    }
    return values + count;
}

core::Result<Header> read_header(std::span<const std::byte> bytes) {
    constexpr std::string_view magic{"PNUE"};
    if (bytes.size() < header_size || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0)
        return core::Error{"not a Parley network file"};
    core::ByteReader header{bytes};
    header.skip(magic.size());
    const auto file_version = header.u32();
    if (file_version < 1 || file_version > version)
        return core::Error{"unsupported file format version " + std::to_string(file_version)
                           + " (expected 1 to " + std::to_string(version) + ")"};
    // The architecture changed with the version of the format.
    if (header.u32() != file_version)
        return core::Error{"unsupported network architecture"};
    const Sets sets = sets_of(file_version);
    const auto hidden_size = header.u32();
    const auto file_qa = header.u32();
    const auto qb = header.u32();
    const auto scale = header.u32();
    const auto flags = header.u32();
    if (hidden_size == 0 || hidden_size > max_hidden_size || hidden_size % hidden_size_step != 0
        || file_qa != std::uint32_t{qa} || qb == 0 || qb > max_qb || scale == 0 || scale > max_scale
        || flags != mirrored)
        return core::Error{"unsupported network dimensions or quantisation"};
    const auto hash = header.u64();
    const auto sum = header.u32();
    const auto size = header.u32();
    const auto rest = bytes.subspan(header_size);
    if (rest.size() != size || size != body_size(hidden_size, sets))
        return core::Error{"file is truncated or has trailing data"};
    if (core::crc32({reinterpret_cast<const char*>(rest.data()), rest.size()}) != sum)
        return core::Error{"checksum mismatch: the file is damaged"};
    return Header{hidden_size, qb, scale, hash, sum, sets};
}

}  // namespace

core::Result<std::shared_ptr<const Network>> Network::read(std::span<const std::byte> bytes) {
    const auto header = read_header(bytes);
    if (!header)
        return header.error();
    std::shared_ptr<Network> network{new Network};
    network->hidden_size_ = header->hidden_size;
    network->hash_ = header->hash;
    network->checksum_ = header->checksum;
    network->qb_ = static_cast<std::int32_t>(header->qb);
    network->scale_ = static_cast<std::int32_t>(header->scale);
    const std::size_t hidden_size = header->hidden_size;
    const std::size_t rows =
        feature_count + threat_feature_count + pawn_pair_count + 1 + 2 * output_bucket_count;
    const Sets& sets = header->sets;
    network->weights_ = LargeMemory{rows * hidden_size * sizeof(Value)};
    auto* values = static_cast<Value*>(network->weights_.data());
    if (values == nullptr)
        throw std::bad_alloc{};
    core::ByteReader numbers{bytes};
    numbers.skip(header_size);
    const auto read_values = [&](std::size_t count, std::size_t bytes_each = sizeof(Value)) {
        values = copy_values(numbers.bytes(count * bytes_each), bytes_each, values);
        numbers.align(section_alignment);
    };
    const std::size_t feature_set_size = piece_feature_count * hidden_size;
    read_values(sets.features * feature_set_size);
    // One set of feature weights stands for all king buckets.
    for (std::size_t bucket = sets.features; bucket < king_bucket_count; ++bucket)
        values = std::copy_n(network->feature_weights(0), feature_set_size, values);
    network->knows_threats_ = sets.threats > 0;
    if (sets.threats > 0)
        read_values(sets.threats * feature_set_size, sets.threat_bytes);
    values = std::fill_n(values, (threat_kind_count - sets.threats) * feature_set_size, Value{0});
    network->knows_pawn_pairs_ = sets.pawn_pairs > 0;
    if (sets.pawn_pairs > 0)
        read_values(pawn_pair_count * hidden_size, 1);
    else
        values = std::fill_n(values, pawn_pair_count * hidden_size, Value{0});
    read_values(hidden_size);
    read_values(sets.outputs * 2 * hidden_size);
    for (std::size_t bucket = 0; bucket < sets.outputs; ++bucket)
        network->output_biases_[bucket] = static_cast<std::int32_t>(numbers.u32());
    // One set of outputs stands for all output buckets.
    for (std::size_t bucket = sets.outputs; bucket < output_bucket_count; ++bucket) {
        values = std::copy_n(network->stm_weights(0), 2 * hidden_size, values);
        network->output_biases_[bucket] = network->output_biases_[0];
    }
    bool fits = network->accumulators_fit(sets.features);
    for (std::size_t bucket = 0; bucket < sets.outputs; ++bucket)
        fits = fits && network->outputs_fit(bucket);
    if (!fits)
        return core::Error{"weights are too large: the evaluation could overflow"};
    return std::shared_ptr<const Network>{std::move(network)};
}

/// Whether no position can overflow the sums of the output layer: every hidden value is at most qa.
bool Network::outputs_fit(std::size_t output_bucket) const {
    std::int64_t positive_sum = 0;
    std::int64_t negative_sum = 0;
    for (std::size_t i = 0; i < 2 * hidden_size_; ++i) {
        const int weight = stm_weights(output_bucket)[i];
        if (std::abs(weight) > max_output_weight)
            return false;
        (weight > 0 ? positive_sum : negative_sum) += std::abs(weight);
    }
    if (std::max(positive_sum, negative_sum) > max_output_sum)
        return false;
    const std::int64_t max_output =
        qa * max_output_sum + std::abs(std::int64_t{output_biases_[output_bucket]});
    return max_output * scale_ / (std::int64_t{qa} * qb_) <= std::numeric_limits<Score>::max();
}

/// For each square and neuron, the most that checks from there can add: those by a knight, by a
/// bishop and a queen, or by a rook and a queen, of one side.
std::vector<int> Network::largest_checks() const {
    constexpr std::size_t squares = core::Square::count;
    std::vector<int> largest(squares * hidden_size_);
    const auto weight = [&](std::size_t color, core::PieceType type,
                            std::size_t square_and_neuron) {
        const auto piece = 384 * color + 64 * core::index_of(type);
        return std::abs(int{threat_weights(ThreatKind::check, piece)[square_and_neuron]});
    };
    for (std::size_t i = 0; i < largest.size(); ++i) {
        for (const std::size_t color : {0, 1}) {
            const int queen = weight(color, core::PieceType::queen, i);
            largest[i] = std::max({largest[i], weight(color, core::PieceType::knight, i),
                                   weight(color, core::PieceType::bishop, i) + queen,
                                   weight(color, core::PieceType::rook, i) + queen});
        }
    }
    return largest;
}

/// Adds, for each square and neuron, the largest weight among those of own and opponent's pieces of
/// all types, of a set of 768 rows.
void Network::add_largest(std::vector<int>& on_squares, const Value* weights) const {
    const std::size_t set_size = on_squares.size();
    std::vector<int> largest(set_size);
    for (std::size_t row = 0; row < piece_feature_count * hidden_size_; row += set_size)
        for (std::size_t i = 0; i < set_size; ++i)
            largest[i] = std::max(largest[i], std::abs(int{weights[row + i]}));
    for (std::size_t i = 0; i < set_size; ++i)
        on_squares[i] += largest[i];
}

/// For each neuron, more than all pairs of 16 pawns can add: the largest weight for each of them.
std::vector<int> Network::largest_of_pawn_pairs() const {
    constexpr int max_pairs = PawnPairs::max_size;
    std::vector<int> largest(hidden_size_);
    for (std::size_t pair = 0; pair < pawn_pair_count; ++pair)
        for (std::size_t neuron = 0; neuron < hidden_size_; ++neuron)
            largest[neuron] =
                std::max(largest[neuron], std::abs(int{pawn_pair_weights(pair)[neuron]}));
    for (int& weight : largest)
        weight *= max_pairs;
    return largest;
}

/// Whether no position can overflow an accumulator with the first king buckets: each of at most 32
/// pieces adds the weights of one feature on its square, and may be threatened in each way; there
/// may be checks from any square, and 16 pawns.
bool Network::accumulators_fit(std::size_t king_buckets) const {
    constexpr std::size_t squares = core::Square::count;
    std::vector<int> by_threats(squares * hidden_size_);
    for (std::size_t kind = 0; kind < threat_kind_count; ++kind)
        if (static_cast<ThreatKind>(kind) != ThreatKind::check)
            add_largest(by_threats, threat_weights(static_cast<ThreatKind>(kind), 0));
    const std::vector<int> checks = largest_checks();
    std::vector<int> others = largest_of_pawn_pairs();
    for (std::size_t neuron = 0; neuron < hidden_size_; ++neuron) {
        others[neuron] += std::abs(int{biases()[neuron]});
        for (std::size_t square = 0; square < squares; ++square)
            others[neuron] += checks[square * hidden_size_ + neuron];
    }
    for (std::size_t bucket = 0; bucket < king_buckets; ++bucket) {
        std::vector<int> on_squares = by_threats;
        add_largest(on_squares, feature_weights(bucket * piece_feature_count));
        for (std::size_t neuron = 0; neuron < hidden_size_; ++neuron) {
            std::array<int, squares> of_neuron{};
            for (std::size_t square = 0; square < squares; ++square)
                of_neuron[square] = on_squares[square * hidden_size_ + neuron];
            const auto end = of_neuron.begin() + max_pieces;
            std::nth_element(of_neuron.begin(), end, of_neuron.end(), std::greater<>{});
            if (std::accumulate(of_neuron.begin(), end, others[neuron]) > max_accumulator)
                return false;
        }
    }
    return true;
}

core::Result<std::shared_ptr<const Network>> Network::load(const std::string& path) {
    // Reading a device or a pipe could block for ever.
    std::error_code error;
    const auto file_path = core::utf8_path(path);
    const auto status = std::filesystem::status(file_path, error);
    if (!std::filesystem::exists(status))
        return core::Error{"no such file"};
    if (!std::filesystem::is_regular_file(status))
        return core::Error{"not a regular file"};
    std::ifstream file{file_path, std::ios::binary};
    if (!file)
        return core::Error{"cannot be read"};
    // One byte more than the largest network shows that a file is too long.
    std::vector<char> bytes(header_size + body_size(max_hidden_size, Sets{}) + 1);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return read(std::as_bytes(std::span{bytes}));
}

}  // namespace engine::nnue
