#pragma once

#include <cstddef>

namespace uci::util {

/// Raises the process's limit of open files so that `wanted` connections can be open beside its
/// other files. Returns how many connections fit, at most `wanted`.
std::size_t raise_file_descriptor_limit(std::size_t wanted);

}  // namespace uci::util
