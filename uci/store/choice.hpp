#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/result.hpp"

#include "uci/chezz/settings.hpp"
#include "uci/store/store.hpp"

namespace uci::store {

/// Which store is to be used: a file, or Redis.
struct Choice {
    std::string file;
    std::optional<chezz::RedisPlace> redis;
};

/// What a text names: "redis", a file, or, when it is empty, Redis if the settings know where it
/// is and else the usual file.
Choice choose(const std::string& text, const chezz::Settings& settings);

/// The store in words.
std::string description(const Choice& choice);

/// The store; or why there is none: this Parley was built without it, or the file cannot be
/// used. A Redis that is away now may come later. What it publishes is signed with the name.
core::Result<std::unique_ptr<Store>> open(const Choice& choice, const std::string& own_name);

}  // namespace uci::store
