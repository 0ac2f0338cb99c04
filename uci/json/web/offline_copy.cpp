#include "uci/json/web/offline_copy.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "core/paths.hpp"

#include "uci/json/web/page/page.hpp"
#include "uci/util/platform.hpp"

namespace uci::json::web {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> engine_files{"parley.js", "parley.wasm"};

bool has_engine(const fs::path& folder) {
    return std::all_of(engine_files.begin(), engine_files.end(), [&](std::string_view name) {
        std::error_code error;
        return fs::is_regular_file(folder / name, error);
    });
}

/// Beside the program, as in a release; or where packages keep what is the same on all systems.
std::vector<fs::path> usual_folders() {
    const fs::path program = util::program_folder();
    if (program.empty())
        return {};
    return {program, program.parent_path() / "share" / "parley"};
}

core::Error engine_missing(const std::vector<fs::path>& folders) {
    std::string names;
    for (const auto& folder : folders)
        names += fmt::format("{}{}", names.empty() ? " in " : " or ", core::utf8_text(folder));
    return {
        fmt::format("parley.js and parley.wasm are not{}; --wasm names the folder that has them "
                    "(they are among the files of a release)",
                    names)};
}

core::Error cannot_write(const fs::path& file) {
    return {fmt::format("cannot write {}", core::utf8_text(file))};
}

std::optional<core::Error> write_file(const fs::path& file, std::string_view content) {
    std::ofstream stream{file, std::ios::binary | std::ios::trunc};
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    stream.close();
    if (!stream)
        return cannot_write(file);
    return std::nullopt;
}

/// A copy with the permissions of a new file.
std::optional<core::Error> copy_engine_file(const fs::path& from, const fs::path& to) {
    std::error_code error;
    if (fs::equivalent(from, to, error))
        return std::nullopt;
    std::ifstream source{from, std::ios::binary};
    std::ofstream target{to, std::ios::binary | std::ios::trunc};
    target << source.rdbuf();
    target.close();
    if (!source || !target)
        return cannot_write(to);
    return std::nullopt;
}

}  // namespace

std::optional<core::Error> write_offline_copy(const fs::path& folder, const fs::path& engine) {
    const auto candidates = engine.empty() ? usual_folders() : std::vector{engine};
    const auto found = std::find_if(candidates.begin(), candidates.end(), has_engine);
    if (found == candidates.end())
        return engine_missing(candidates);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        return core::Error{fmt::format("cannot make the folder {}", core::utf8_text(folder))};
    for (const auto& file : page::offline_files()) {
        if (auto failure = write_file(folder / file.name, file.content))
            return failure;
    }
    for (const auto name : engine_files) {
        if (auto failure = copy_engine_file(*found / name, folder / name))
            return failure;
    }
    return std::nullopt;
}

}  // namespace uci::json::web
