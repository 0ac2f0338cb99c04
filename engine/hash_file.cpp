#include "engine/hash_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "core/byte_reader.hpp"
#include "core/crc32.hpp"
#include "core/paths.hpp"

namespace engine {

namespace {

namespace fs = std::filesystem;
using core::Error;

constexpr std::string_view magic{"PARLEYTT"};
constexpr std::uint32_t version = 1;
constexpr std::size_t header_size = 36;
constexpr std::size_t checksum_size = 4;
constexpr std::size_t chunk_size = std::size_t{1} << 20;

template <typename Number>
void append(std::string& bytes, Number number) {
    for (std::size_t i = 0; i < sizeof(Number); ++i)
        bytes += static_cast<char>(number >> (8 * i) & 0xFFU);
}

std::string header_of(const TTImage& image) {
    std::string header{magic};
    append(header, version);
    append(header, image.layout);
    append(header, image.network);
    append(header, image.generation);
    append(header, static_cast<std::uint64_t>(image.bytes.size()));
    append(header, core::crc32(header));
    return header;
}

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Calls a function for each MiB of the table until it returns false. Returns whether it never did.
template <typename Function>
bool for_each_chunk(std::span<std::byte> bytes, Function function) {
    for (std::size_t at = 0; at < bytes.size(); at += chunk_size) {
        if (!function(bytes.subspan(at, std::min(chunk_size, bytes.size() - at))))
            return false;
    }
    return true;
}

bool write(std::ofstream& file, const TTImage& image) {
    file << header_of(image);
    return for_each_chunk(image.bytes, [&](std::span<std::byte> chunk) {
        const auto text = text_of(chunk);
        std::string checksum;
        append(checksum, core::crc32(text));
        file.write(text.data(), static_cast<std::streamsize>(text.size()));
        file << checksum;
        return file.good();
    });
}

/// Error: how the header differs from that of the table.
std::optional<Error> check_header(std::string_view bytes, const TTImage& image) {
    if (bytes.size() != header_size || !bytes.starts_with(magic))
        return Error{"not a saved transposition table"};
    core::ByteReader header{std::as_bytes(std::span{bytes.data(), bytes.size()})};
    header.skip(magic.size());
    if (const auto found = header.u32(); found != version)
        return Error{"unsupported file format version " + std::to_string(found)};
    const auto layout = header.u32();
    const auto network = header.u32();
    header.u32();
    const auto size = header.u64();
    if (header.u32() != core::crc32(bytes.substr(0, header_size - checksum_size)))
        return Error{"checksum mismatch: the file is damaged"};
    if (layout != image.layout)
        return Error{"saved by a version of Parley with another table layout"};
    if (network != image.network)
        return Error{"saved with another network"};
    if (size != image.bytes.size())
        return Error{"its table has " + std::to_string(size >> 20) + " MB, not "
                     + std::to_string(image.bytes.size() >> 20)};
    return std::nullopt;
}

std::uintmax_t file_size_of(std::size_t table_size) {
    const auto chunks = (table_size + chunk_size - 1) / chunk_size;
    return header_size + table_size + chunks * checksum_size;
}

/// Reads the chunks behind the header into a buffer, checks each and gives it to a function.
template <typename Function>
bool read_chunks(std::ifstream& file, std::span<std::byte> table, Function use) {
    std::vector<char> buffer(chunk_size + checksum_size);
    return for_each_chunk(table, [&](std::span<std::byte> chunk) {
        const auto size = chunk.size() + checksum_size;
        if (!file.read(buffer.data(), static_cast<std::streamsize>(size)))
            return false;
        const std::string_view content{buffer.data(), chunk.size()};
        std::string checksum;
        append(checksum, core::crc32(content));
        if (checksum != std::string_view{buffer.data() + chunk.size(), checksum_size})
            return false;
        use(chunk, content);
        return true;
    });
}

}  // namespace

std::optional<Error> save_tt_file(const std::string& path, const TTImage& image) {
    const auto target = core::utf8_path(path);
    std::error_code failure;
    if (const auto status = fs::status(target, failure);
        fs::exists(status) && !fs::is_regular_file(status))
        return Error{"not a regular file"};
    auto part = target;
    part += ".part";
    // What an interrupted save has left is replaced; a link or a pipe of that name is not opened.
    const auto part_status = fs::symlink_status(part, failure);
    if (fs::exists(part_status) && !fs::is_regular_file(part_status))
        return Error{"the file of that name with .part is not a regular file"};
    std::ofstream file{part, std::ios::binary | std::ios::trunc};
    if (!file)
        return Error{"cannot be written"};
    const bool written = write(file, image);
    file.close();
    if (written && file) {
        fs::rename(part, target, failure);
        if (!failure)
            return std::nullopt;
    }
    std::error_code ignored;
    fs::remove(part, ignored);
    return Error{written && file ? failure.message() : "cannot be written, the disk may be full"};
}

core::Result<std::uint32_t> load_tt_file(const std::string& path, const TTImage& image) {
    // Reading a device or a pipe could block for ever.
    const auto file_path = core::utf8_path(path);
    std::error_code failure;
    const auto status = fs::status(file_path, failure);
    if (!fs::exists(status))
        return Error{"no such file"};
    if (!fs::is_regular_file(status))
        return Error{"not a regular file"};
    std::ifstream file{file_path, std::ios::binary};
    if (!file)
        return Error{"cannot be read"};
    std::array<char, header_size> header{};
    file.read(header.data(), header.size());
    const std::string_view header_text{header.data(), static_cast<std::size_t>(file.gcount())};
    if (const auto error = check_header(header_text, image))
        return *error;
    if (fs::file_size(file_path, failure) != file_size_of(image.bytes.size()))
        return Error{"file is truncated or has trailing data"};
    // Twice: the table must not change before the whole file has been checked.
    if (!read_chunks(file, image.bytes, [](auto /*chunk*/, auto /*content*/) {}))
        return Error{"checksum mismatch: the file is damaged"};
    file.seekg(header_size);
    const auto copy = [](std::span<std::byte> chunk, std::string_view content) {
        std::memcpy(chunk.data(), content.data(), content.size());
    };
    if (!read_chunks(file, image.bytes, copy)) {
        std::memset(image.bytes.data(), 0, image.bytes.size());
        return Error{"the file changed while it was read; the table is empty"};
    }
    core::ByteReader numbers{std::as_bytes(std::span{header_text})};
    numbers.skip(magic.size() + 3 * sizeof(std::uint32_t));
    return numbers.u32();
}

}  // namespace engine
