#pragma once

#include <string_view>

// What is beside this file is made part of the program when it is built: see embed.cmake.
namespace uci::net::page {

/// A file of the page, as it is in the source tree.
struct File {
    std::string_view path;  ///< under which a browser asks for it
    std::string_view type;
    std::string_view content;
};

/// The file that is asked for; null when there is none.
const File* find(std::string_view path);

}  // namespace uci::net::page
