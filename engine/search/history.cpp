#include "engine/search/history.hpp"

namespace engine {

void Histories::clear() {
    for (auto& player : butterfly) {
        for (auto& row : player)
            row.fill(HistoryValue{});
    }
    for (auto& row : capture)
        row.fill(HistoryValue{});
    for (auto& row : continuation)
        row.fill(HistoryValue{});
    corrections.clear();
}

}  // namespace engine
