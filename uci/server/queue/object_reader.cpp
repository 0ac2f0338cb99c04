#include "uci/server/queue/object_reader.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"

namespace uci::server::queue {

namespace {

const std::string no_text;
const std::vector<nlohmann::json> no_elements;

}  // namespace

ObjectReader::ObjectReader(std::string_view text, std::size_t max_bytes, std::string name)
    : name_{std::move(name)},
      json_{&own_} {
    if (text.size() > max_bytes) {
        error_ = core::Error{fmt::format("{} is longer than {} bytes", name_, max_bytes)};
        return;
    }
    own_ = Json::parse(text, nullptr, false);
    if (!own_.is_object())
        error_ = core::Error{fmt::format("{} is not a JSON object", name_)};
}

ObjectReader::ObjectReader(const Json& json, std::string name)
    : name_{std::move(name)},
      json_{&json} {
    if (!json.is_object())
        error_ = core::Error{fmt::format("{} is not a JSON object", name_)};
}

void ObjectReader::fail(std::string_view key, std::string_view what) {
    if (!error_)
        error_ = core::Error{fmt::format("{}: {} {}", name_, core::quoted(key), what)};
}

/// Null if the member is missing, or after an error.
const ObjectReader::Json* ObjectReader::find(const char* key) {
    known_.emplace_back(key);
    if (error_)
        return nullptr;
    const auto found = json_->find(key);
    return found == json_->end() ? nullptr : &*found;
}

const ObjectReader::Json* ObjectReader::require(const char* key,
                                                bool (Json::*is_type)() const noexcept,
                                                const char* type) {
    const auto* const found = find(key);
    if (found == nullptr || (found->*is_type)())
        return found;
    fail(key, fmt::format("is not {}", type));
    return nullptr;
}

std::optional<std::int64_t> ObjectReader::optional_integer(const char* key,
                                                           std::int64_t least,
                                                           std::int64_t most) {
    const auto* const found = require(key, &Json::is_number_integer, "an integer");
    if (found == nullptr)
        return std::nullopt;
    constexpr auto largest = std::numeric_limits<std::int64_t>::max();
    const bool is_too_large = found->is_number_unsigned()
                           && found->get<std::uint64_t>() > static_cast<std::uint64_t>(largest);
    const auto value = is_too_large ? largest : found->get<std::int64_t>();
    if (value < least || value > most)
        fail(key, fmt::format("is not from {} to {}", least, most));
    return value;
}

std::int64_t ObjectReader::integer(const char* key, std::int64_t least, std::int64_t most) {
    const auto value = optional_integer(key, least, most);
    if (!value)
        fail(key, "is missing");
    return value.value_or(least);
}

std::uint64_t ObjectReader::unsigned_integer(const char* key) {
    const auto* const found = require(key, &Json::is_number_unsigned, "an integer");
    if (found == nullptr)
        fail(key, "is missing");
    return found == nullptr ? 0 : found->get<std::uint64_t>();
}

bool ObjectReader::boolean(const char* key) {
    const auto* const found = require(key, &Json::is_boolean, "true or false");
    return found != nullptr && found->get<bool>();
}

const std::string* ObjectReader::optional_text(const char* key) {
    const auto* const found = require(key, &Json::is_string, "a text");
    return found == nullptr ? nullptr : &found->get_ref<const std::string&>();
}

const std::string& ObjectReader::text(const char* key) {
    const auto* const found = optional_text(key);
    if (found == nullptr)
        fail(key, "is missing");
    return found == nullptr ? no_text : *found;
}

const std::vector<ObjectReader::Json>& ObjectReader::array(const char* key, std::size_t most) {
    const auto* const found = require(key, &Json::is_array, "an array");
    if (found == nullptr)
        return no_elements;
    if (found->size() > most)
        fail(key, fmt::format("has more than {} elements", most));
    return found->get_ref<const Json::array_t&>();
}

const ObjectReader::Json* ObjectReader::optional_object(const char* key) {
    return require(key, &Json::is_object, "an object");
}

std::optional<core::Error> ObjectReader::finish() {
    if (error_)
        return error_;
    for (const auto& [key, value] : json_->items()) {
        if (std::find(known_.begin(), known_.end(), key) == known_.end()) {
            fail(key, "is unknown");
            break;
        }
    }
    return error_;
}

}  // namespace uci::server::queue
