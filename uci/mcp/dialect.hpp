#pragma once

#include "engine/general_interface.hpp"

#include "uci/dialect.hpp"

namespace uci::mcp {

/// The Model Context Protocol over a Transport. The calling thread reads lines and answers what
/// needs no work; one worker thread runs the calls of tools, one after the other. At the end of the
/// input a search under way ends with what it has, and run() returns when all calls are answered.
class McpDialect : public Dialect {
public:
    explicit McpDialect(engine::GeneralInterface& engine) : engine_{engine} {}

    void run(transport::Transport& transport) override;

private:
    engine::GeneralInterface& engine_;
};

extern const DialectInfo dialect_info;

}  // namespace uci::mcp
