#pragma once

#include "uci/transport.hpp"

namespace uci {

/// What is said: a dialect owns a conversation from its first line to its last.
class Dialect {
public:
    Dialect() = default;
    virtual ~Dialect() = default;
    Dialect(const Dialect&) = delete;
    Dialect& operator=(const Dialect&) = delete;
    Dialect(Dialect&&) = delete;
    Dialect& operator=(Dialect&&) = delete;

    virtual void run(Transport& transport) = 0;
};

}  // namespace uci
