#pragma once

#include <string_view>

// The files of this folder, compiled into the program: see embed.cmake.
namespace uci::json::web::page {

/// A file of the page.
struct File {
    std::string_view path;  ///< of its URL
    std::string_view type;  ///< Content-Type
    std::string_view content;
};

/// The file at a path; null when there is none.
const File* find(std::string_view path);

}  // namespace uci::json::web::page
