#pragma once

#include "engine/general_interface.hpp"

#include "uci/dialect.hpp"

namespace uci::chenserver {

/// ChenServer's commands, one answer for each line, in order (protocol: Chenard's chenserver).
/// The calling thread reads; a second one carries the engine's responses.
class ChenserverDialect : public Dialect {
public:
    explicit ChenserverDialect(engine::GeneralInterface& engine) : engine_{engine} {}

    void run(transport::Transport& transport) override;

private:
    engine::GeneralInterface& engine_;
};

extern const DialectInfo dialect_info;

}  // namespace uci::chenserver
