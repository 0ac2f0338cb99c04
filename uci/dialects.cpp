#include "uci/dialects.hpp"

#include <algorithm>
#include <array>

#include "uci/chenserver/dialect.hpp"
#include "uci/json/dialect.hpp"
#include "uci/mcp/dialect.hpp"
#include "uci/uci_dialect.hpp"
#include "uci/xboard/dialect.hpp"

namespace uci {

namespace {

// In the order of detection: the first that recognises the first line is spoken.
constexpr std::array<const DialectInfo*, 5> dialects{
    &mcp::dialect_info,    &json::dialect_info, &chenserver::dialect_info,
    &xboard::dialect_info, &uci_dialect_info,
};

}  // namespace

std::span<const DialectInfo* const> all_dialects() {
    return dialects;
}

const DialectInfo& detect_dialect(std::string_view first_line) {
    const auto found = std::find_if(dialects.begin(), dialects.end(), [&](const auto* dialect) {
        return dialect->recognises(first_line);
    });
    return found == dialects.end() ? uci_dialect_info : **found;
}

}  // namespace uci
