#pragma once

#include <filesystem>
#include <optional>

#include "core/result.hpp"

namespace uci::json::web {

/// Writes the page that plays without a server into a folder, which is made if there is none: its
/// own files, and copies of parley.js and parley.wasm from `engine`, or if that is empty from where
/// releases and packages have them. Error: what is missing or cannot be written.
std::optional<core::Error> write_offline_copy(const std::filesystem::path& folder,
                                              const std::filesystem::path& engine);

}  // namespace uci::json::web
