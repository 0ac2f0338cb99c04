#pragma once

#include "engine/general_interface.hpp"

#include "uci/dialect.hpp"
#include "uci/json/response.hpp"

namespace uci::json {

/// JSON messages over a Transport, one object per line. The calling thread reads lines and passes
/// them through the engine's response queue to a writer thread, which owns the session and writes
/// the answers; lines wait in order while the engine searches. run() returns after every line that
/// was read has been answered.
class JsonDialect : public Dialect {
public:
    explicit JsonDialect(engine::GeneralInterface& engine, Spelling spelling = Spelling::correct)
        : engine_{engine},
          spelling_{spelling} {}

    void run(transport::Transport& transport) override;

private:
    engine::GeneralInterface& engine_;
    Spelling spelling_;
};

extern const DialectInfo dialect_info;

}  // namespace uci::json
