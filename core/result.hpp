#pragma once

#include <string>
#include <utility>
#include <variant>

namespace core {

/// Why something from outside was refused: one sentence a person can read.
struct Error {
    std::string reason;
};

/// A value, or the reason why there is none.
template <typename Value>
class Result {
public:
    // A function that returns a Result ends with `return value;` or `return Error{...};`.
    Result(Value value) : content_{std::move(value)} {}  // NOLINT(google-explicit-constructor)
    Result(Error error) : content_{std::move(error)} {}  // NOLINT(google-explicit-constructor)

    explicit operator bool() const { return std::holds_alternative<Value>(content_); }
    const Value& operator*() const { return *std::get_if<Value>(&content_); }
    Value& operator*() { return *std::get_if<Value>(&content_); }
    const Value* operator->() const { return std::get_if<Value>(&content_); }

    /// The reason of a refusal; there must be one.
    const std::string& reason() const { return std::get_if<Error>(&content_)->reason; }
    Error error() const { return Error{reason()}; }

private:
    std::variant<Value, Error> content_;
};

}  // namespace core
