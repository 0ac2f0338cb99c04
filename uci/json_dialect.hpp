#pragma once

#include "engine/general_interface.hpp"

#include "uci/dialect.hpp"
#include "uci/json/text.hpp"

namespace uci {

/// JSON messages, one on each line. The calling thread reads and passes every line through the
/// engine's responses to a second one, the speaker, who owns the game and answers; lines wait in
/// order while the engine thinks. Everything read is answered before run() returns.
class JsonDialect : public Dialect {
public:
    explicit JsonDialect(engine::GeneralInterface& engine,
                         json::Spelling spelling = json::Spelling::correct)
        : engine_{engine},
          spelling_{spelling} {}

    void run(Transport& transport) override;

private:
    engine::GeneralInterface& engine_;
    json::Spelling spelling_;
};

}  // namespace uci
