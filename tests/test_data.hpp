#pragma once

#include <string>
#include <string_view>

namespace tests {

/// The path of a file in tests/data.
std::string data_path(std::string_view file);

}  // namespace tests
