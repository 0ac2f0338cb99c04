#include "engine/analysis/review/winning_chance.hpp"

#include <algorithm>
#include <cmath>

namespace engine::review {

double winning_chance(Score score) {
    if (is_decisive(score))
        return score > 0 ? 1 : -1;
    return 2 / (1 + std::exp(-0.00368208 * score)) - 1;
}

double move_accuracy(double before, double after) {
    constexpr double percent = 50;  // a chance of -1 to 1 is a probability of 0 to 100 %
    const double lost = std::max(0.0, (before - after) * percent);
    return std::clamp(103.1668 * std::exp(-0.04354 * lost) - 3.1669, 0.0, 100.0);
}

Judgement judgement(double lost_chance) {
    if (lost_chance >= 0.3)
        return Judgement::blunder;
    if (lost_chance >= 0.2)
        return Judgement::mistake;
    return lost_chance >= 0.1 ? Judgement::inaccuracy : Judgement::fine;
}

const char* name(Judgement judgement) {
    switch (judgement) {
        case Judgement::inaccuracy: return "inaccuracy";
        case Judgement::mistake: return "mistake";
        case Judgement::blunder: return "blunder";
        default: return "fine";
    }
}

}  // namespace engine::review
