#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace core {

/// Why input was refused: one sentence for a person to read.
struct Error {
    std::string reason;
};

/// A value, or the reason why there is none.
template <typename Value>
class [[nodiscard]] Result {
public:
    // A function that returns a Result ends with `return value;` or `return Error{...};`.
    Result(Value value) : content_{std::move(value)} {}  // NOLINT(google-explicit-constructor)
    Result(Error error) : content_{std::move(error)} {}  // NOLINT(google-explicit-constructor)

    explicit operator bool() const noexcept { return std::holds_alternative<Value>(content_); }
    const Value& operator*() const noexcept {
        assert(*this);
        return *std::get_if<Value>(&content_);
    }
    Value& operator*() noexcept {
        assert(*this);
        return *std::get_if<Value>(&content_);
    }
    const Value* operator->() const noexcept {
        assert(*this);
        return std::get_if<Value>(&content_);
    }

    /// The reason of the refusal; there must be no value.
    [[nodiscard]] const std::string& reason() const noexcept {
        assert(!*this);
        return std::get_if<Error>(&content_)->reason;
    }
    [[nodiscard]] Error error() const { return Error{reason()}; }

private:
    std::variant<Value, Error> content_;
};

}  // namespace core
