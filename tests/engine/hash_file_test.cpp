#include "engine/hash_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using namespace engine;
namespace fs = std::filesystem;

namespace {

/// A file in a folder of its own, removed at the end.
class TestFile {
public:
    std::string path() const { return (folder_.path() / "table").string(); }
    std::string content() const {
        std::ifstream file{path(), std::ios::binary};
        return {std::istreambuf_iterator<char>{file}, {}};
    }
    void set(const std::string& bytes) const {
        std::ofstream{path(), std::ios::binary | std::ios::trunc} << bytes;
    }

private:
    tests::TemporaryFolder folder_;
};

/// A table with different bytes everywhere; not a whole number of MiB.
std::vector<std::byte> table_of(std::size_t size, unsigned seed) {
    std::vector<std::byte> bytes(size);
    for (auto& byte : bytes) {
        seed = seed * 1'664'525U + 1'013'904'223U;
        byte = static_cast<std::byte>(seed >> 24U);
    }
    return bytes;
}

constexpr std::size_t table_size = (std::size_t{1} << 20) + 4096;

TTImage image_of(std::vector<std::byte>& bytes) {
    return {bytes, 7, 0xABCD, 13};
}

}  // namespace

TEST_CASE("a table comes back from a file with its generation", "[hash_file]") {
    const TestFile file;
    auto saved = table_of(table_size, 1);
    REQUIRE_FALSE(save_tt_file(file.path(), image_of(saved)));
    auto loaded = table_of(table_size, 2);
    const auto generation = load_tt_file(file.path(), image_of(loaded));
    REQUIRE(generation);
    CHECK(*generation == 13);
    CHECK(loaded == saved);
    CHECK_FALSE(fs::exists(file.path() + ".part"));
}

TEST_CASE("a table that does not belong here is refused and changes nothing", "[hash_file]") {
    const TestFile file;
    auto saved = table_of(table_size, 1);
    REQUIRE_FALSE(save_tt_file(file.path(), image_of(saved)));
    const auto before = table_of(table_size, 2);
    auto bytes = before;
    auto image = image_of(bytes);
    image.layout = 8;
    CHECK(load_tt_file(file.path(), image).reason().find("another table layout")
          != std::string::npos);
    image = image_of(bytes);
    image.network = 1;
    CHECK(load_tt_file(file.path(), image).reason() == "saved with another network");
    image = image_of(bytes);
    image.bytes = image.bytes.first(4096);
    CHECK(load_tt_file(file.path(), image).reason() == "its table has 1 MB, not 0");
    CHECK(bytes == before);
}

TEST_CASE("every truncation of a table's file is refused", "[hash_file]") {
    const TestFile file;
    auto saved = table_of(5000, 1);
    REQUIRE_FALSE(save_tt_file(file.path(), image_of(saved)));
    const auto good = file.content();
    const auto before = table_of(5000, 2);
    auto bytes = before;
    for (std::size_t size = 0; size < good.size(); ++size) {
        file.set(good.substr(0, size));
        REQUIRE_FALSE(load_tt_file(file.path(), image_of(bytes)));
    }
    file.set(good + "x");
    CHECK_FALSE(load_tt_file(file.path(), image_of(bytes)));
    CHECK(bytes == before);
}

TEST_CASE("every changed bit of a table's file is noticed", "[hash_file]") {
    const TestFile file;
    auto saved = table_of(300, 1);
    REQUIRE_FALSE(save_tt_file(file.path(), image_of(saved)));
    const auto good = file.content();
    const auto before = table_of(300, 2);
    auto bytes = before;
    for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
        auto bad = good;
        bad[bit / 8] = static_cast<char>(static_cast<unsigned char>(bad[bit / 8]) ^ 1U << bit % 8);
        file.set(bad);
        CAPTURE(bit);
        REQUIRE_FALSE(load_tt_file(file.path(), image_of(bytes)));
    }
    CHECK(bytes == before);
}

TEST_CASE("what is no regular file is neither read nor replaced", "[hash_file]") {
    const TestFile file;
    auto bytes = table_of(300, 1);
    const auto folder = fs::path{file.path()}.parent_path().string();
    CHECK(load_tt_file(file.path(), image_of(bytes)).reason() == "no such file");
    CHECK(load_tt_file(folder, image_of(bytes)).reason() == "not a regular file");
    CHECK(save_tt_file(folder, image_of(bytes))->reason == "not a regular file");
    CHECK(save_tt_file(folder + "/none/table", image_of(bytes))->reason == "cannot be written");
    fs::create_directory(file.path() + ".part");
    CHECK(save_tt_file(file.path(), image_of(bytes)));
    CHECK_FALSE(fs::exists(file.path()));
}

TEST_CASE("what an interrupted save has left is replaced", "[hash_file]") {
    const TestFile file;
    std::ofstream{file.path() + ".part"} << "half a table";
    auto bytes = table_of(300, 1);
    CHECK_FALSE(save_tt_file(file.path(), image_of(bytes)));
    CHECK(load_tt_file(file.path(), image_of(bytes)));
    CHECK_FALSE(fs::exists(file.path() + ".part"));
}
