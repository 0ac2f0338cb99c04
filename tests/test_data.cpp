#include "tests/test_data.hpp"

namespace tests {

std::string data_path(std::string_view file) {
    return std::string{PARLEY_TEST_DATA}.append("/").append(file);
}

}  // namespace tests
