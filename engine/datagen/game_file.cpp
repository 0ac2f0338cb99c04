#include "engine/datagen/game_file.hpp"

#include <fstream>
#include <iomanip>
#include <sstream>
#include <system_error>

#include "core/crc32.hpp"
#include "core/paths.hpp"

namespace engine::datagen {

namespace {

namespace fs = std::filesystem;

fs::path with_suffix(fs::path path, const char* suffix) {
    return path += suffix;
}

/// The checksum beside a file; nothing when there is none. Error: it is not readable as one.
core::Result<std::optional<Checksum>> read_checksum(const fs::path& path) {
    std::ifstream file{path};
    if (!file)
        return std::optional<Checksum>{};
    Checksum checksum;
    if (!(file >> checksum.bytes >> std::hex >> checksum.crc))
        return core::Error{core::utf8_text(path) + " is not a checksum"};
    return std::optional{checksum};
}

}  // namespace

Checksum Checksum::extended_by(std::string_view appended) const {
    return {bytes + appended.size(), core::crc32(appended, crc)};
}

fs::path game_file(const fs::path& folder, std::uint64_t number) {
    std::ostringstream name;
    name << "games-" << std::setw(6) << std::setfill('0') << number << ".vf";
    return folder / name.str();
}

core::Result<std::optional<std::string>> read_game_file(const fs::path& path) {
    std::error_code failure;
    if (!fs::exists(path, failure))
        return std::optional<std::string>{};
    // The checksum first: a run that is still writing only adds to the file.
    const auto checksum = read_checksum(with_suffix(path, ".crc"));
    if (!checksum)
        return checksum.error();
    std::ifstream file{path, std::ios::binary};
    std::ostringstream text;
    // Streaming an empty buffer sets the failbit.
    const bool empty = fs::is_regular_file(path, failure) && fs::is_empty(path, failure);
    if (!file || (!empty && !(text << file.rdbuf())))
        return core::Error{core::utf8_text(path) + " cannot be read"};
    std::string bytes = std::move(text).str();

    if (*checksum) {
        const Checksum& expected = **checksum;
        if (bytes.size() < expected.bytes)
            return core::Error{core::utf8_text(path) + " is truncated: it has "
                               + std::to_string(bytes.size()) + " bytes, its checksum says "
                               + std::to_string(expected.bytes)};
        if (core::crc32(std::string_view{bytes}.substr(0, expected.bytes)) != expected.crc)
            return core::Error{core::utf8_text(path) + " is damaged: its checksum is wrong"};
    }
    return std::optional{std::move(bytes)};
}

bool write_checksum(const fs::path& game_file, const Checksum& checksum) {
    const auto path = with_suffix(game_file, ".crc");
    const auto temporary = with_suffix(game_file, ".crc.new");
    {
        std::ofstream file{temporary};
        file << checksum.bytes << ' ' << std::hex << std::setw(8) << std::setfill('0')
             << checksum.crc << '\n';
        if (!file.flush())
            return false;
    }
    std::error_code failure;
    fs::rename(temporary, path, failure);
    return !failure;
}

}  // namespace engine::datagen
