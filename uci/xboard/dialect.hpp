#pragma once

#include "engine/general_interface.hpp"

#include "uci/dialect.hpp"

namespace uci::xboard {

/// Version 2 of xboard's protocol (CECP) over a Transport. The calling thread reads lines and
/// passes them through the engine's response queue to a second thread, which owns the session and
/// writes all output: so lines and responses have one order.
class XboardDialect : public Dialect {
public:
    explicit XboardDialect(engine::GeneralInterface& engine) : engine_{engine} {}

    void run(transport::Transport& transport) override;

private:
    engine::GeneralInterface& engine_;
};

extern const DialectInfo dialect_info;

}  // namespace uci::xboard
