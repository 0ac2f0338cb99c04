#pragma once

#include <utility>

#include "engine/general_interface.hpp"

#include "uci/dialect.hpp"
#include "uci/json/session.hpp"

namespace uci::json {

/// JSON messages over a Transport, one object per line. The calling thread reads lines and passes
/// them through the engine's response queue to a writer thread, which owns the session and writes
/// the answers; lines wait in order while the engine searches. run() returns after every line that
/// was read has been answered.
class JsonDialect : public Dialect {
public:
    /// `session` is the conversation as it begins.
    explicit JsonDialect(engine::GeneralInterface& engine, Session session = Session{})
        : engine_{engine},
          session_{std::move(session)} {}

    void run(transport::Transport& transport) override;

private:
    engine::GeneralInterface& engine_;
    Session session_;
};

extern const DialectInfo dialect_info;

}  // namespace uci::json
