#include "core/byte_reader.hpp"

#include <array>

#include "tests/catch.hpp"

using core::ByteReader;

namespace {

std::array<std::byte, 16> counting_bytes() {
    std::array<std::byte, 16> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(i + 1);
    return bytes;
}

}  // namespace

TEST_CASE("numbers are read little-endian, one after the other", "[byte_reader]") {
    const auto bytes = counting_bytes();
    ByteReader reader{bytes};
    CHECK(reader.u8() == 0x01);
    CHECK(reader.u16() == 0x0302);
    CHECK(reader.u32() == 0x07060504);
    CHECK(reader.u64() == 0x0F0E0D0C0B0A0908);
    CHECK(reader.offset() == 15);
    CHECK(reader.is_inside());
}

TEST_CASE("bytes can be skipped, up to a multiple too", "[byte_reader]") {
    const auto bytes = counting_bytes();
    ByteReader reader{bytes};
    reader.skip(3);
    reader.align(8);
    CHECK(reader.offset() == 8);
    reader.align(8);
    CHECK(reader.offset() == 8);
    CHECK(reader.u8() == 9);
}

TEST_CASE("bytes beyond the end are zeros and are noted", "[byte_reader]") {
    const auto bytes = counting_bytes();
    ByteReader reader{bytes};
    reader.skip(15);
    CHECK(reader.u32() == 16);
    CHECK_FALSE(reader.is_inside());
    CHECK(reader.u64() == 0);
    CHECK(reader.offset() == 27);
}

TEST_CASE("several bytes are read at once, up to the end", "[byte_reader]") {
    const auto bytes = counting_bytes();
    ByteReader reader{bytes};
    reader.skip(2);
    const auto some = reader.bytes(3);
    REQUIRE(some.size() == 3);
    CHECK(some.front() == std::byte{3});
    CHECK(reader.u8() == 6);
    CHECK(reader.bytes(100).size() == 10);
    CHECK_FALSE(reader.is_inside());
    CHECK(reader.bytes(1).empty());
    CHECK(reader.offset() == 107);
}
