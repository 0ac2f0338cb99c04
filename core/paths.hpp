#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The paths in a list such as SyzygyPath: between semicolons, or where a colon is no part of a
/// name (not on Windows) between either. Empty ones are left out.
inline std::vector<std::string> split_paths(std::string_view list) {
#if defined(_WIN32)
    constexpr std::string_view separators{";"};
#else
    constexpr std::string_view separators{":;"};
#endif
    std::vector<std::string> paths;
    while (!list.empty()) {
        const auto end = std::min(list.find_first_of(separators), list.size());
        if (end > 0)
            paths.emplace_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return paths;
}

/// The path that a text in UTF-8 names. Windows would take the bytes for letters of its code page,
/// and there bytes that are not UTF-8 give the empty path, which names no file.
inline std::filesystem::path utf8_path(std::string_view text) {
    try {
        return std::u8string{text.begin(), text.end()};
    }
    catch (const std::filesystem::filesystem_error&) {
        return {};
    }
}

/// The path in UTF-8, for messages and for what takes paths as text. Empty for a name on Windows
/// that is not UTF-16.
inline std::string utf8_text(const std::filesystem::path& path) {
    try {
        const auto text = path.u8string();
        return {text.begin(), text.end()};
    }
    catch (const std::filesystem::filesystem_error&) {
        return {};
    }
}

}  // namespace core
