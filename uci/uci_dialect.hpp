#pragma once

#include "engine/general_interface.hpp"

#include "uci/dialect.hpp"
#include "uci/uci_text.hpp"

namespace uci {

/// The Universal Chess Interface. The calling thread reads; a second one, the speaker, writes
/// everything there is to say, so that a slow client keeps nobody else waiting.
class UciDialect : public Dialect {
public:
    /// Whether a command waits until the one before, even a search, is done.
    enum class Pace : unsigned char { as_they_come, one_after_the_other };

    explicit UciDialect(engine::GeneralInterface& engine, Pace pace = Pace::as_they_come)
        : engine_{engine},
          pace_{pace} {}

    void run(Transport& transport) override;

private:
    void complain(const std::string& text);

    engine::GeneralInterface& engine_;
    Pace pace_;
    bool debug_ = false;
    bool endless_ = false;  ///< the search that runs ends only when it is told to
};

}  // namespace uci
