#pragma once

#include "engine/general_interface.hpp"

#include "uci/dialect.hpp"
#include "uci/server/synced_values.hpp"

namespace uci {

/// Whether commands run as they come, or each one, a search included, is finished before the next.
enum class ExecutionMode : unsigned char { asynchronous, sequential };

/// The Universal Chess Interface. The calling thread reads; a second thread writes all output, so
/// that a slow client blocks nothing but that thread.
class UciDialect : public Dialect {
public:
    explicit UciDialect(engine::GeneralInterface& engine,
                        ExecutionMode mode = ExecutionMode::asynchronous)
        : engine_{engine},
          lines_{engine},
          mode_{mode} {}

    void run(Transport& transport) override;

private:
    void warn(const std::string& text);

    engine::GeneralInterface& engine_;
    server::SyncedValues<std::string> lines_;  ///< written among the responses
    ExecutionMode mode_;
    bool debug_ = false;
    bool infinite_ = false;  ///< the running search ends only when it is stopped
};

extern const DialectInfo uci_dialect_info;

}  // namespace uci
