#pragma once

#include <string>
#include <vector>

namespace uci::commands {

/// How bad a finding is. With `broken` something does not work at all.
enum class Level : unsigned char { ok, note, warning, broken };

/// What `parley doctor` has found out about one subject.
struct CheckResult {
    Level level = Level::ok;
    std::string subject;
    std::string text;
    std::string remedy;  ///< what to do about it; empty if nothing is to be done
};

using CheckResults = std::vector<CheckResult>;

}  // namespace uci::commands
