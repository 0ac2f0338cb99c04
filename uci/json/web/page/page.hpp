#pragma once

#include <span>
#include <string_view>

// The files of this folder, compiled into the program: see embed.cmake.
namespace uci::json::web::page {

/// A file of the page.
struct File {
    std::string_view path;  ///< of its URL
    std::string_view type;  ///< Content-Type
    std::string_view content;
    std::string_view hash;  ///< of the content, as hex digits
};

/// The file at a path; null when there is none.
const File* find(std::string_view path);

/// A file of the page that plays without a server.
struct OfflineFile {
    std::string_view name;
    std::string_view content;
};

/// All of them; beside them the page needs parley.js and parley.wasm.
std::span<const OfflineFile> offline_files();

}  // namespace uci::json::web::page
