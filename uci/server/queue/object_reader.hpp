#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/result.hpp"

namespace uci::server::queue {

/// Reads the members of a JSON object strictly: a member of another type, out of its range, or that
/// nobody asks for is an error. The first error counts; what is read after it means nothing.
class ObjectReader {
public:
    using Json = nlohmann::json;

    /// Parses a text. `name` says in errors what it is.
    ObjectReader(std::string_view text, std::size_t max_bytes, std::string name);
    /// Reads an object in another one, which must outlive this.
    ObjectReader(const Json& json, std::string name);

    std::int64_t integer(const char* key, std::int64_t least, std::int64_t most);
    std::optional<std::int64_t> optional_integer(const char* key,
                                                 std::int64_t least,
                                                 std::int64_t most);
    /// Full 64 bits.
    std::uint64_t unsigned_integer(const char* key);
    bool boolean(const char* key);  ///< false if it is missing
    const std::string& text(const char* key);
    const std::string* optional_text(const char* key);
    /// The index of a text in a list of names.
    template <typename Names>
    std::size_t choice(const char* key, const Names& names) {
        const auto& chosen = text(key);
        for (std::size_t i = 0; i < std::size(names); ++i) {
            if (names[i] == chosen)
                return i;
        }
        fail(key, "has an unknown value");
        return 0;
    }
    /// The elements of an array; none if it is missing.
    const std::vector<Json>& array(const char* key, std::size_t most);
    const Json* optional_object(const char* key);

    void fail(std::string_view key, std::string_view what);
    bool has_failed() const { return error_.has_value(); }
    /// Error: the first one, or that there is a member which nobody asked for.
    std::optional<core::Error> finish();

private:
    const Json* find(const char* key);
    const Json* require(const char* key, bool (Json::*is_type)() const noexcept, const char* type);

    std::string name_;
    Json own_;
    const Json* json_;
    std::vector<std::string_view> known_;
    std::optional<core::Error> error_;
};

}  // namespace uci::server::queue
