#include "engine/evaluate/nnue/network.hpp"

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <system_error>
#include <vector>

namespace engine::nnue {

namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t header_size = 64;
constexpr std::uint32_t version = 1;
constexpr std::uint32_t architecture = 1;
constexpr std::uint32_t qa = 255;
constexpr std::uint32_t largest_scale = 2'000;
constexpr std::uint32_t mirrored = 1;
constexpr std::uint32_t largest_qb = 1U << 14;

constexpr std::size_t padded(std::size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

/// Takes numbers from bytes, one after the other.
class Bytes {
public:
    explicit Bytes(std::span<const std::byte> bytes) : bytes_{bytes} {}

    template <typename Number>
    Number number() {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(Number); ++i)
            value |= std::uint64_t{std::to_integer<std::uint8_t>(bytes_[at_ + i])} << (8 * i);
        at_ += sizeof(Number);
        return static_cast<Number>(value);
    }
    void pass(std::size_t count) { at_ += count; }
    void pass_padding() { at_ = padded(at_); }

private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

/// CRC-32 as zlib and PNG have it.
std::uint32_t checksum(std::span<const std::byte> bytes) {
    static constexpr auto table = [] {
        std::array<std::uint32_t, 256> rests{};
        for (std::uint32_t i = 0; i < rests.size(); ++i) {
            std::uint32_t rest = i;
            for (int bit = 0; bit < 8; ++bit)
                rest = (rest & 1) != 0 ? rest >> 1 ^ 0xEDB88320U : rest >> 1;
            rests[i] = rest;
        }
        return rests;
    }();
    std::uint32_t rest = 0xFFFFFFFFU;
    for (const std::byte byte : bytes)
        rest = table[(rest ^ std::to_integer<std::uint32_t>(byte)) & 0xFF] ^ rest >> 8;
    return ~rest;
}

struct Header {
    std::uint32_t width = 0;
    std::uint32_t qb = 0;
    std::uint32_t scale = 0;
    std::uint64_t hash = 0;
};

std::size_t size_behind_header(std::size_t width) {
    return padded(feature_count * width * sizeof(Value)) + padded(width * sizeof(Value))
         + padded(2 * width * sizeof(Value)) + padded(sizeof(std::int32_t));
}

core::Result<Header> read_header(std::span<const std::byte> bytes) {
    constexpr std::string_view magic{"PNUE"};
    if (bytes.size() < header_size || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0)
        return core::Error{"it is no network of Parley's"};
    Bytes header{bytes};
    header.pass(magic.size());
    if (const auto number = header.number<std::uint32_t>(); number != version)
        return core::Error{"its format has version " + std::to_string(number) + ", not "
                           + std::to_string(version)};
    if (header.number<std::uint32_t>() != architecture)
        return core::Error{"it is a network of another kind"};
    const auto width = header.number<std::uint32_t>();
    const auto first = header.number<std::uint32_t>();
    const auto qb = header.number<std::uint32_t>();
    const auto scale = header.number<std::uint32_t>();
    const auto flags = header.number<std::uint32_t>();
    if (width == 0 || width > widest || width % width_step != 0 || first != qa || qb == 0
        || qb > largest_qb || scale == 0 || scale > largest_scale || flags != mirrored)
        return core::Error{"its measures are not those that this engine can use"};
    const auto hash = header.number<std::uint64_t>();
    const auto sum = header.number<std::uint32_t>();
    const auto size = header.number<std::uint32_t>();
    const auto rest = bytes.subspan(header_size);
    if (rest.size() != size || size != size_behind_header(width))
        return core::Error{"it is cut off, or something hangs on to it"};
    if (checksum(rest) != sum)
        return core::Error{"it is damaged: its checksum is wrong"};
    return Header{width, qb, scale, hash};
}

}  // namespace

void Network::Free::operator()(Value* values) const {
    ::operator delete[](values, std::align_val_t{alignment});
}

core::Result<std::shared_ptr<const Network>> Network::read(std::span<const std::byte> bytes) {
    const auto header = read_header(bytes);
    if (!header)
        return header.error();
    std::shared_ptr<Network> network{new Network};
    network->width_ = header->width;
    network->hash_ = header->hash;
    network->qb_ = static_cast<std::int32_t>(header->qb);
    network->scale_ = static_cast<std::int32_t>(header->scale);
    const std::size_t width = header->width;
    const std::size_t rows = feature_count + 3;
    auto* values = static_cast<Value*>(
        ::operator new[](rows* width * sizeof(Value), std::align_val_t{alignment}));
    network->weights_.reset(values);
    Bytes numbers{bytes};
    numbers.pass(header_size);
    const auto take = [&](std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            *values++ = static_cast<Value>(numbers.number<std::uint16_t>());
        numbers.pass_padding();
    };
    take(feature_count * width);
    take(width);
    take(2 * width);
    network->output_bias_ = static_cast<std::int32_t>(numbers.number<std::uint32_t>());
    return std::shared_ptr<const Network>{std::move(network)};
}

core::Result<std::shared_ptr<const Network>> Network::load(const std::string& path) {
    // A device or a pipe could keep us waiting for ever.
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return core::Error{"there is no such file"};
    std::ifstream file{path, std::ios::binary};
    if (!file)
        return core::Error{"it cannot be read"};
    // One byte more than the largest network has is enough to see that it is none.
    std::vector<char> bytes(header_size + size_behind_header(widest) + 1);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return read(std::as_bytes(std::span{bytes}));
}

}  // namespace engine::nnue
